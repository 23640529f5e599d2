"""Markers that have no piece: those of their units show them while a log is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.vassal.state.placed import PlacedPiece

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.rules.state.pieces import Marker
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.placing import Placer
    from hexmarshal.vassal.saves.logwriter import StepWriter

__all__ = ["show_worn"]


def show_worn(
    placer: Placer, step: StepWriter, pieces: Mapping[str, str], before: Position, after: Position
) -> None:
    """Let the pieces of units show the markers that they bear now, and no others."""
    old, new = _worn(placer, before), _worn(placer, after)
    for unit in dict.fromkeys((*old, *new)):
        piece = step.state.find(pieces.get(unit, ""))
        known = after.units.get(unit)
        same = [m.kind for m in old.get(unit, ())] == [m.kind for m in new.get(unit, ())]
        if same or known is None or not isinstance(piece, PlacedPiece):
            continue
        shown = placer.counters.bare(piece, known)
        for marker in new.get(unit, ()):
            shown = placer.counters.wearing(shown, marker) or shown
        if shown.state != piece.state:
            step.change(piece.id, shown.state)


def _worn(placer: Placer, position: Position) -> dict[str, list[Marker]]:
    """The markers of each unit that its own piece shows."""
    found: dict[str, list[Marker]] = {}
    for marker in position.markers.values():
        if placer.counters.is_worn(marker):
            found.setdefault(marker.unit, []).append(marker)
    return found
