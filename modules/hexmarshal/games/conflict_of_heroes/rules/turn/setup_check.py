"""What is wrong with a set-up: ground that a unit cannot be on, counters that do not exist."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["violations"]


def violations(now: Situation) -> Iterator[Violation]:
    """There is no limit to stacks (COH-5.0d); there is to ground and to counters."""
    for unit in now.position.units.values():
        if unit.cell:
            yield from _ground(now, unit)
            yield from _hidden(now, unit)
    yield from _counters(now)


def _ground(now: Situation, unit: Unit) -> Iterator[Violation]:
    """Terrain that the unit could not have entered; a road leads through any."""
    counter = now.tables.counters.get(unit.type)
    if counter is None or unit.cell in now.board.road_hexes:
        return
    kind = now.kind(unit.cell)
    where = {"cells": (unit.cell,), "units": (unit.id,), "field": f"units.{unit.id}.cell"}
    if kind.extra.get(counter.move_class) is None:
        rule = {"field": "COH-4.0e", "water": "COH-4.0d"}.get(kind.key, "COH-14.0a")
        text = f"{unit.id} ({counter.move_class}) cannot be in {kind.title.lower()}"
        yield Violation(rule, text, **where)  # type: ignore[arg-type]
    elif kind.key == "water" and not counter.light:
        text = f"only light foot units are in water, not {unit.id}"
        yield Violation("COH-4.0d", text, **where)  # type: ignore[arg-type]


def _hidden(now: Situation, unit: Unit) -> Iterator[Violation]:
    """COH-10.0c: who shares a hex with units in the open is not hidden."""
    if unit.seen_by is None:
        return
    mates = [other.id for other in now.at(unit.cell) if not now.hidden(other)]
    if mates:
        text = f"{unit.id} cannot be hidden with {', '.join(mates)} in the open"
        yield Violation("COH-10.0c", text, cells=(unit.cell,), units=(unit.id,))


def _counters(now: Situation) -> Iterator[Violation]:
    """COH-1.0a: units are placed, and the box has so many counters of a type."""
    position = now.position
    used = Counter(unit.type for unit in position.units.values())
    for kind, count in sorted(used.items()):
        counter = now.tables.counters.get(kind)
        if counter is not None and 0 < counter.count < count:
            text = f"{count} units are {counter.title}, and the game has {counter.count}"
            ids = tuple(u.id for u in position.units.values() if u.type == kind)
            yield Violation("COH-1.0a", text, units=ids[counter.count :])
