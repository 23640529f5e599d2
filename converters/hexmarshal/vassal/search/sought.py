"""What is looked for: a name of some kind, some words, or a part of an expression."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from hexmarshal.errors import UsageError, VassalFormatError
from hexmarshal.vassal.search.uses import KINDS
from hexmarshal.vassal.values import KeyStroke

__all__ = ["WORDS", "Sought"]

WORDS: Final = ("text", "expression")
"""What can be looked for by some of its words."""
_SPACES_AND_ESCAPES: Final = dict.fromkeys(
    [ord("\\"), *(code for code in range(0x3001) if chr(code).isspace())]
)
_PLAIN: Final = re.compile(r"[\w .]+")


@dataclass(frozen=True)
class Sought:
    """A name of a kind (`*` stands for anything), or words of a text or an expression.

    Names are told apart as VASSAL does it, by case; words are not. Spaces in an expression do not
    count.
    """

    kind: str
    text: str

    def __post_init__(self) -> None:
        if self.kind not in (*KINDS, *WORDS):
            raise UsageError(f"no such kind: {self.kind!r}", hint=", ".join((*KINDS, *WORDS)))
        if not self.text.strip():
            raise UsageError(f"no {self.kind} is named to look for")

    @cached_property
    def name(self) -> str:
        """The name as uses have it: of a key, as people write it."""
        if self.kind != "key" or "*" in self.text:
            return self.text
        try:
            return KeyStroke.from_human(self.text).human()
        except VassalFormatError:
            return f"[{self.text}]"

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        if "*" not in self.text:
            return None
        # Only the star is wild: names may well hold brackets and question marks.
        parts = (re.escape(part) for part in self.name.split("*"))
        return re.compile(".*".join(parts), re.DOTALL)

    @cached_property
    def words(self) -> str:
        """What a text must hold, in small letters; of an expression without spaces."""
        return _without_spaces(self.text) if self.kind == "expression" else self.text.lower()

    @cached_property
    def plain_words(self) -> str:
        """The words, if no escape of VASSAL's can come between their letters; else empty."""
        return self.words if _PLAIN.fullmatch(self.words) else ""

    def names(self, name: str) -> bool:
        """Whether this is the name that is looked for."""
        pattern = self._pattern
        if pattern is None:
            return name == self.name
        return self.text == "*" or pattern.fullmatch(name) is not None

    def said_in(self, text: str) -> bool:
        """Whether a text or an expression holds the words."""
        own = _without_spaces(text) if self.kind == "expression" else text.lower()
        return self.words in own

    @cached_property
    def telltale(self) -> str:
        """A part of the name that every raw text with it must hold too; empty if none is sure.

        VASSAL's escapes put backslashes into texts, but never into a run of letters.
        """
        if self.kind == "expression":
            return ""
        if self.kind == "key":
            text = self.name[1:-1] if self.name[:1] == "[" else ""
        else:
            text = self.text
        runs = _PLAIN.findall(text.replace("*", "\n"))
        return max(runs, key=len, default="").lower()

    @cached_property
    def _bare(self) -> str:
        return self.words.translate(_SPACES_AND_ESCAPES)

    def may_be_in(self, raw: str) -> bool:
        """Whether a raw text can hold it at all; what cannot need not be read."""
        if self.anywhere:
            return True
        if self.kind == "expression":
            # Escapes put backslashes in, and nothing else.
            return self._bare in raw.translate(_SPACES_AND_ESCAPES).lower()
        if self._stroke is not None:
            return self._stroke.search(raw) is not None
        return self.telltale in raw.lower()

    @cached_property
    def _stroke(self) -> re.Pattern[str] | None:
        """How a key of the keyboard stands in a text: by its number; None if it may by a letter."""
        if self.kind != "key" or "*" in self.text or self.name[:1] == "[":
            return None
        code, _, _ = KeyStroke.from_human(self.text).text.partition(",")
        letter = chr(int(code)) if int(code) < 128 else ""
        if letter and self.name == KeyStroke(letter).human():
            # As old files have it: hardly a text is without that letter.
            return None
        # Among other fields its comma is escaped, once or several times.
        return re.compile(rf"{code}\\*,")

    @cached_property
    def anywhere(self) -> bool:
        """Whether no text can be passed over unread."""
        return self.kind != "expression" and self._stroke is None and not self.telltale


def _without_spaces(text: str) -> str:
    return "".join(text.split()).lower()
