"""A `savedGame` entry as text: players' ids taken out, commands on lines; and back to its bytes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.errors import Place, VassalFormatError
from hexmarshal.vassal.commands.game import BeginSave
from hexmarshal.vassal.container.obfuscation import Veil, obfuscate, reveal
from hexmarshal.vassal.privacy.secrets import scrub
from hexmarshal.vassal.textform.commandlines import command_lines, read_commands
from hexmarshal.vassal.textform.piecelines import LineError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.vassal.privacy.redactor import Redactor
    from hexmarshal.vassal.saves.savegame import SavedGame

__all__ = ["SaveForm", "read_save", "save_form"]


@dataclass(frozen=True, slots=True)
class SaveForm:
    """The text form of a saved game, with what is kept apart from it."""

    text: str
    veil: Veil
    players: Mapping[str, str]
    """Players' ids by the names that stand for them in the text."""
    is_exact: bool
    """Whether text, veil and ids alone bring the entry back."""
    is_faithful: bool
    """Whether they bring back what it says, if not its bytes: another packer packs otherwise."""

    def __repr__(self) -> str:
        return f"<SaveForm with {len(self.players)} players>"


def save_form(saved: SavedGame, redactor: Redactor, data: bytes, place: Place) -> SaveForm:
    """The text form of a saved game, whose entry holds `data`, as the redactor lets it be seen."""
    players = {redactor.rename(user): user for user in sorted(redactor.ids)}
    text = "".join(f"{line}\n" for line in command_lines(scrub(saved, redactor).root))
    try:
        back = read_save(text.encode(), saved.veil, players, place)
    except VassalFormatError:
        back = b""
    exact = back == data
    faithful = exact or (bool(back) and reveal(back) == reveal(data))
    return SaveForm(text, saved.veil, dict(sorted(players.items())), exact, faithful)


def read_save(text: bytes, veil: Veil, players: Mapping[str, str], place: Place) -> bytes:
    """The entry that a text form says; errors name the line of the text form."""
    lines = _lines(text, place)
    try:
        root = read_commands(lines)
        if not isinstance(root.command, BeginSave) and root.verbatim is None:
            raise LineError(0, "a saved game begins with begin_save")
        plain = root.encode()
    except LineError as problem:
        here = Place(line=problem.index + 1).within(place)
        raise VassalFormatError(problem.message, place=here, hint=problem.hint) from None
    except VassalFormatError as why:
        raise why.at(place) from None
    if players:
        longest_first = sorted(players, key=len, reverse=True)
        known = re.compile(rf"(?:{'|'.join(map(re.escape, longest_first))})(?!\d)")
        plain = known.sub(lambda found: players[found[0]], plain)
    return obfuscate(plain, veil)


def _lines(text: bytes, place: Place) -> list[str]:
    try:
        decoded = text.decode("utf-8-sig")
    except UnicodeDecodeError as why:
        line = text.count(b"\n", 0, why.start) + 1
        raise VassalFormatError(
            "broken UTF-8", place=Place(line=line).within(place), hint="save the file as UTF-8"
        ) from None
    return decoded.replace("\r\n", "\n").split("\n")
