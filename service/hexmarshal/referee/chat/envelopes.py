"""Orders written in secret, in the chat of a log: sealed when they are given, opened at its end.

`[sealed] 0f3a...` stands for a line that it does not tell: it is the hash of the line and of a key
that nobody knows who has not written it. `[opened] KEY LINE` is how it is opened. So the opponent
can step through a log without learning more than at the table, nobody can change an order
afterwards, and the referee, who has the whole log, knows from the start what was ordered.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import RulesError
from hexmarshal.vassal.commands.table import Chat
from hexmarshal.vassal.saves.chat import read_chat
from hexmarshal.vassal.saves.log import logged_commands

if TYPE_CHECKING:
    from hexmarshal.vassal.saves.savegame import SavedGame

__all__ = ["Envelopes", "opening", "sealed"]

_SEALED: Final = re.compile(r"\s*\[sealed\]\s+(?P<hash>[0-9a-f]{32})\s*")
_OPENED: Final = re.compile(r"\s*\[opened\]\s+(?P<key>[0-9a-f]+)\s+(?P<line>.*\S)\s*")


def _hash(line: str, key: str) -> str:
    text = f"hexmarshal sealed 1\0{key}\0{line}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def sealed(line: str, key: str) -> str:
    """What is said instead of a line that nobody may know yet."""
    return f"[sealed] {_hash(line, key)}"


def opening(line: str, key: str) -> str:
    """What is said to open it."""
    return f"[opened] {key} {line}"


class Envelopes:
    """What the envelopes of a log hold, as far as it opens them; read when the first one comes."""

    def __init__(self, saved: SavedGame) -> None:
        self._saved = saved
        self._lines: dict[str, str] | None = None

    def read(self, said: str) -> str:
        """What a line of chat says: itself, or what is in the envelope that it hands over."""
        found = _SEALED.fullmatch(said)
        if found is None:
            return said
        if self._lines is None:
            self._lines = dict(self._opened())
        line = self._lines.get(found["hash"])
        if line is None:
            raise RulesError(
                "an order was sealed, and this log does not open it",
                hint="nothing that rests on it can be judged",
            )
        return line

    def _opened(self) -> list[tuple[str, str]]:
        lines = (
            read_chat(command.text).text
            for node in self._saved.log_part()
            for command in logged_commands(node)
            if isinstance(command, Chat) and "[opened]" in command.text
        )
        found = (_OPENED.fullmatch(line) for line in lines)
        return [(_hash(one["line"], one["key"]), one["line"]) for one in found if one is not None]
