"""Boxes beside the map: the place of the module that each is, and who lies where in it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hexmarshal.rules.state.pieces import Unit

if TYPE_CHECKING:
    from hexmarshal.rules.state.pieces import Marker
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record
    from hexmarshal.table.binding import Binding
    from hexmarshal.table.placing.counter_factory import CounterFactory
    from hexmarshal.table.placing.places import MapPoint, NamedPlace, Places

__all__ = ["Boxes"]


class Boxes:
    """Knows where a unit or a marker lies that is in a box."""

    def __init__(self, binding: Binding, places: Places, counters: CounterFactory) -> None:
        self._binding, self._places, self._counters = binding, places, counters
        self._values = sorted({name for rule in binding.boxes for name in rule.values})
        self._found: dict[tuple[object, ...], NamedPlace | None] = {}
        self._last: tuple[Position | None, dict[NamedPlace, list[tuple[bool, str]]]] = (None, {})

    def point(self, thing: Unit | Marker, position: Position) -> MapPoint | None:
        """Beside the others that lie there; None if no place of the module is the box."""
        place = self._place(thing)
        if place is None:
            return None
        there, size = self._boxed(position)[place], self._counters.size(thing)
        return place.map, self._places.nth(place, there.index(_key(thing)), len(there), size)

    def _boxed(self, position: Position) -> dict[NamedPlace, list[tuple[bool, str]]]:
        """The units and markers in each place beside the map, in order."""
        if self._last[0] is not position:
            found: dict[NamedPlace, list[tuple[bool, str]]] = {}
            units = sorted(position.units.values(), key=lambda u: (u.rank, u.id))
            things: list[Unit | Marker] = [*units, *position.markers.values()]
            for thing in things:
                place = self._place(thing) if thing.box else None
                if place is not None:
                    found.setdefault(place, []).append(_key(thing))
            self._last = position, found
        return self._last[1]

    def _place(self, thing: Unit | Marker) -> NamedPlace | None:
        """The place that its box is; of several, one that names its own side's seat."""
        told = tuple(thing.values.get(name) for name in self._values)
        key = (thing.side, thing.box, told)
        if key not in self._found:
            found = [
                place
                for rule in self._binding.boxes
                for place in self._places.on(rule.map)
                if _holds(rule.read(rule.map, place.name, thing.side), thing)
            ]
            self._found[key] = min(
                found, key=lambda place: self._foreign(place.name, thing.side), default=None
            )
        return self._found[key]

    def _foreign(self, location: str, side: str) -> int:
        """0 if a location names a seat of the side, 1 if it names nobody's, 2 if another's."""
        seats = {**{own: own for own in self._binding.sides.values()}, **self._binding.sides}
        text = location.casefold()
        named = [seat for seat in seats if re.search(rf"\b{re.escape(seat.casefold())}\b", text)]
        if not named:
            return 1
        return 0 if seats[max(named, key=len)] == side else 2


def _key(thing: Unit | Marker) -> tuple[bool, str]:
    """What tells things in a box apart: a marker may have the name of a unit."""
    return isinstance(thing, Unit), thing.id


def _holds(read: tuple[str, Record] | None, thing: Unit | Marker) -> bool:
    """Whether lying there means the box that something is in."""
    if read is None or read[0] != thing.box:
        return False
    return all(thing.values.get(name) == value for name, value in read[1].items())
