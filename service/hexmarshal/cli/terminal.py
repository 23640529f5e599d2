"""Keeps what files say from steering the terminal: a name may hold its control codes."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TextIO

__all__ = ["Guarded", "guard_terminals"]

# Colours are rich's own; bars on standard error move the cursor, too.
_COLOUR: Final = r"\x1b\[[0-9;]*m"
_CURSOR: Final = r"\x1b\[[0-9;?]*[A-Za-z]"
_CONTROL: Final = r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]"


class Guarded:
    """A stream to a terminal; control codes are written as their numbers, but for a few."""

    def __init__(self, stream: TextIO, *, cursor: bool = False) -> None:
        self._stream = stream
        self._known = re.compile(f"({_CURSOR if cursor else _COLOUR})|({_CONTROL})")

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the stream has
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write a text; the number of its characters, as streams say."""
        self._stream.write(self._known.sub(_shown, text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write several."""
        for line in lines:
            self.write(line)


def guard_terminals() -> None:
    """Guard standard output and error, as far as they go to a terminal."""
    if sys.stdout.isatty():
        sys.stdout = Guarded(sys.stdout)
    if sys.stderr.isatty():
        sys.stderr = Guarded(sys.stderr, cursor=True)


def _shown(found: re.Match[str]) -> str:
    return found[1] or found[2].encode("unicode_escape").decode()
