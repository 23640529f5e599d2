"""What the enemy may know: concealed units are a "?" to him, hidden ones are not there.

The flags say so, whatever else a position says: a unit with the flag `concealed` shows only where
it is and the counters that lie on it, one with the flag `hidden` nothing at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.state.tables import UNKNOWN
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.works import is_work
from hexmarshal.rules.copying import copied
from hexmarshal.rules.state.view import NOBODY
from hexmarshal.rules.state.view import view as kernel_view
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from hexmarshal.rules.state.position import Position

__all__ = ["common", "view"]


def view(position: Position, side: str) -> Position:
    """ASL-A12.12a, ASL-HIP-1: the position as a side knows it."""
    covered = {}
    dug = _hidden_works(position, side)
    for name, known in position.units.items():
        unit = known
        if unit.side == side:
            continue
        own = frozenset({unit.side})
        if unit.carrier and _under_cover(position, unit.carrier, side):
            covered[name] = copied(unit, seen_by=own, known_to=own)  # ASL-CONV-2
            continue
        if unit.cell in dug and "entrenched" in unit.values:  # ASL-HIP-2
            values = {key: value for key, value in unit.values.items() if key != "entrenched"}
            unit = copied(unit, values=FrozenMap(values))
            covered[name] = unit
        if unit.flags.isdisjoint(marks.UNSEEN):
            continue
        if unit.has(marks.STRENGTH_SHOWN):  # ASL-CC-8
            covered[name] = copied(unit, known_to=None)
        elif unit.has(marks.HIDDEN):
            covered[name] = copied(unit, seen_by=own, known_to=own)
        else:
            covered[name] = copied(unit, known_to=own, face=UNKNOWN)
    if covered:
        position = position.with_units(position.units.merged(covered), list(covered))
    return kernel_view(position, side, marks.SHOWN)


def _under_cover(position: Position, name: str, side: str) -> bool:
    """Whether what carries a unit is concealed from a side: the "?" shows nobody aboard."""
    carrier = position.units.get(name)
    if carrier is None or carrier.side == side or carrier.has(marks.STRENGTH_SHOWN):
        return False
    return not carrier.flags.isdisjoint(marks.UNSEEN)


def _hidden_works(position: Position, side: str) -> frozenset[str]:
    """The hexes where fortifications are hidden from a side."""
    return frozenset(
        unit.cell
        for unit in position.units.values()
        if is_work(unit) and unit.side != side and unit.has(marks.HIDDEN)
    )


def common(position: Position) -> Position:
    """What all know."""
    if position.viewer:
        return position
    return position.remember("asl common", lambda: view(position, NOBODY))
