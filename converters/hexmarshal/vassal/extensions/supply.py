"""Which extensions a saved game was played with, and which one would supply a missing piece."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hexmarshal.vassal.commands.game import LoadedExtension
from hexmarshal.vassal.pieces.gpids import defined_gpids
from hexmarshal.vassal.pieces.piece import Piece
from hexmarshal.vassal.pieces.piece_names import full_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.saves.savegame import SavedGame

__all__ = ["Missing", "Wanted", "wanted_extensions"]


@dataclass(frozen=True, slots=True)
class Missing:
    """A kind of piece that the module and the extensions at hand do not define."""

    name: str
    gpid: str
    count: int
    supplied_by: tuple[str, ...]
    """The inactive extensions that define it by its gpid, or else by its name."""
    by_name: bool = False


@dataclass(slots=True)
class Wanted:
    """What a game asks for."""

    loaded: dict[str, str] = field(default_factory=dict)
    """The extensions that were loaded when it was saved, with their versions."""
    missing: list[Missing] = field(default_factory=list)

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return {
            "loaded": self.loaded,
            "missing": [
                {
                    "name": m.name,
                    "gpid": m.gpid,
                    "count": m.count,
                    "supplied_by": list(m.supplied_by),
                    "by_name": m.by_name,
                }
                for m in self.missing
            ],
        }


def wanted_extensions(
    saved: SavedGame, module: Module, active: list[Module], inactive: Mapping[str, Module]
) -> Wanted:
    """Pieces without a definition, each with the inactive extensions that have one."""
    done = Wanted()
    for node in saved.save_part():
        if isinstance(command := node.command, LoadedExtension):
            done.loaded[command.name] = command.version
    known = {gpid for each in (module, *active) for gpid in defined_gpids(each)}
    names = {slot.name for each in (module, *active) for slot in each.slots()}
    by_gpid = {name: set(defined_gpids(each)) for name, each in inactive.items()}
    by_name = {name: {slot.name for slot in each.slots()} for name, each in inactive.items()}
    unknown: Counter[tuple[str, str]] = Counter()
    for command in saved.pieces():
        piece = Piece.parse(command.type, command.state)
        if piece.is_stack or piece.is_deck or piece.gpid in known:
            continue
        called = piece.name or full_name(piece)
        if piece.gpid or called not in names:
            unknown[called, piece.gpid] += 1
    for (called, gpid), count in unknown.items():
        found = tuple(n for n, gpids in by_gpid.items() if gpid and gpid in gpids)
        alike = (
            () if found else tuple(n for n, known_names in by_name.items() if called in known_names)
        )
        done.missing.append(Missing(called, gpid, count, found or alike, bool(alike)))
    return done
