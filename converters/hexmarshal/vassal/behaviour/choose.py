"""The piece that a user means by a name, a gpid or an id: in a module or in a saved game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.errors import NotFoundError, VassalFormatError
from hexmarshal.errors.names import did_you_mean
from hexmarshal.vassal.components import PieceSlot
from hexmarshal.vassal.pieces.piece import Piece, parse_add
from hexmarshal.vassal.pieces.piece_names import basic_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.saves.savegame import SavedGame

__all__ = ["pieces_called"]


def pieces_called(file: Module | SavedGame, name: str) -> list[Piece]:
    """Every piece of this name, gpid or id in the order of the file; a NotFoundError if none."""
    found = [piece for piece, names in _all(file) if name in names]
    if not found:
        names = {names[0] for _, names in _all(file)}
        known = sorted(one for one in names if name.lower() in one.lower())
        raise NotFoundError(
            f"no piece has the name, gpid or id {name!r}",
            place=file.place,
            hint="perhaps " + ", ".join(known[:5]) if known else did_you_mean(name, names),
        )
    return found


def _all(file: Module | SavedGame) -> Iterator[tuple[Piece, tuple[str, ...]]]:
    from hexmarshal.vassal.saves.savegame import SavedGame

    if isinstance(file, SavedGame):
        for command in file.pieces():
            piece = Piece.parse(command.type, command.state)
            if not piece.is_stack and not piece.is_deck:
                yield piece, (basic_name(piece), piece.gpid, command.id or "")
        return
    for slot in file.each(PieceSlot):
        try:
            piece = parse_add(slot.text.strip())
        except VassalFormatError:
            continue
        yield piece, (slot.name, basic_name(piece), slot.get("gpid"))
