r"""Control characters made visible: `␉` for a tab, `␊` for a line end, `␠` for a space at an edge.

A line of the text form must survive editors, diffs and mail; VASSAL's own escapes (backslashes)
stay as they are, because they would double and double again.

>>> show("PLAYER\tAnn ")
'PLAYER␉Ann␠'
>>> read(show("PLAYER\tAnn "))
'PLAYER\tAnn '
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["EMPTY", "QUOTE", "read", "show"]

QUOTE: Final = "␐"
"""Stands before a character that would mean something else, such as a picture itself."""
EMPTY: Final = QUOTE + "e"
"""A text without any character, where a line must not be empty."""
_SPACE: Final = "␠"
_DLE: Final = QUOTE + "0"
_SPECIAL: Final = re.compile("[\x00-\x1f\x7f\u2400-\u2421]")
_PICTURED: Final = re.compile(f"{QUOTE}(.?)|[\u2400-\u2421]", re.DOTALL)


def show(text: str) -> str:
    """The text on one line, nothing at its edges that an editor would drop."""
    shown = _SPECIAL.sub(_picture, text)
    if shown[:1] == " ":
        shown = _SPACE + shown[1:]
    if shown[-1:] == " ":
        shown = shown[:-1] + _SPACE
    return shown


def read(shown: str) -> str:
    """The inverse of `show`; a ValueError says what is wrong."""
    if shown == EMPTY:
        return ""
    return _PICTURED.sub(_meant, shown) if _PICTURED.search(shown) else shown


def _picture(found: re.Match[str]) -> str:
    char = found[0]
    if char >= "\u2400":
        return QUOTE + char
    if char == "\x10":
        return _DLE
    return "\u2421" if char == "\x7f" else chr(0x2400 + ord(char))


def _meant(found: re.Match[str]) -> str:
    shown = found[0]
    if shown == _DLE:
        return "\x10"
    if shown[0] == QUOTE:
        if not found[1]:
            raise ValueError(f"nothing follows {QUOTE} at the end of the line")
        return found[1]
    if shown == _SPACE:
        return " "
    return "\x7f" if shown == "\u2421" else chr(ord(shown) - 0x2400)
