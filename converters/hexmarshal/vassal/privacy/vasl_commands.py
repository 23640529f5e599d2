"""VASL's own commands that name a player by id: artillery, scenario notes, hidden units."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.vassal import sequence
from hexmarshal.vassal.privacy.redactor import NOBODY

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["command_ids", "rename_in_command"]

_ARTILLERY: Final = "OBA/"
_INFO: Final = "INFO\t"
# PREFIX:player's name:id:password of the game, which is made from the id.
_BLIND: Final = ("DOUBLE_BLIND:", "HIP_FORT:")
_NOTES_AT: Final = (7, 9)
_BOOBY_TRAPS: Final = ("", "?", "A", "B", "C")


def command_ids(text: str) -> list[str]:
    """Every user id in a command of VASL's."""
    seen: list[str] = []

    def note(user: str) -> str:
        seen.append(user)
        return user

    rename_in_command(text, note)
    return seen


def rename_in_command(text: str, rename: Callable[[str], str]) -> str:
    """The text with every user id passed through `rename`, if it is a command of VASL's."""

    def each(user: str) -> str:
        return user if user in NOBODY else rename(user)

    if text.startswith(_ARTILLERY):
        fields = sequence.decode(text, "/")
        if len(fields) > 3:
            state = sequence.decode(fields[3], ",")
            fields[3] = sequence.join([each(state[0]), *state[1:]], ",")
        return _unless_same(text, fields, "/")
    if text.startswith(_INFO):
        fields = sequence.decode(text, "\t")
        for at in range(_notes_of(fields) + 2, len(fields) - 1, 2):
            fields[at] = each(fields[at])
        return _unless_same(text, fields, "\t")
    if text.startswith(_BLIND):
        prefix, *name, user, password = text.split(":")
        return ":".join([prefix, *name, each(user), each(password)]) if name else text
    return text


def _unless_same(text: str, fields: list[str], delimiter: str) -> str:
    """The fields as a text; as it was written if nothing became different."""
    return text if fields == sequence.decode(text, delimiter) else sequence.join(fields, delimiter)


def _notes_of(fields: list[str]) -> int:
    """Which field behind the prefix holds the common notes: two came in before it in time."""
    old, new = _NOTES_AT
    traps = fields[old + 1 : new + 1]
    return new if len(traps) == 2 and all(t.strip() in _BOOBY_TRAPS for t in traps) else old
