"""What the enemy may know: concealed units are a "?" to him, hidden ones are not there.

The flags say so, whatever else a position says: a unit with the flag `concealed` shows only where
it is and the counters that lie on it, one with the flag `hidden` nothing at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.state import marks
from hexmarshal.games.asl.state.tables import UNKNOWN
from hexmarshal.rules.copying import copied
from hexmarshal.rules.state.view import NOBODY
from hexmarshal.rules.state.view import view as kernel_view

if TYPE_CHECKING:
    from hexmarshal.rules.state.position import Position

__all__ = ["common", "view"]


def view(position: Position, side: str) -> Position:
    """ASL-A12.12a, ASL-HIP-1: the position as a side knows it."""
    covered = {}
    for name, unit in position.units.items():
        if unit.side == side or unit.flags.isdisjoint(marks.UNSEEN):
            continue
        own = frozenset({unit.side})
        if unit.has(marks.STRENGTH_SHOWN):  # ASL-CC-8
            covered[name] = copied(unit, known_to=None)
        elif unit.has(marks.HIDDEN):
            covered[name] = copied(unit, seen_by=own, known_to=own)
        else:
            covered[name] = copied(unit, known_to=own, face=UNKNOWN)
    if covered:
        position = position.with_units(position.units.merged(covered), list(covered))
    return kernel_view(position, side, marks.SHOWN)


def common(position: Position) -> Position:
    """What all know."""
    if position.viewer:
        return position
    return position.remember("asl common", lambda: view(position, NOBODY))
