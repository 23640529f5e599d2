"""What units see of each other, and which locations are next to each other."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from hexmarshal.errors import NotFoundError
from hexmarshal.games.asl.queries.sight_queries import conditions_of
from hexmarshal.games.asl.sight.view import Spot
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.units.units_on_map import other

if TYPE_CHECKING:
    from hexmarshal.games.asl.sight.view import Answer, Sight
    from hexmarshal.rules.state.pieces import Unit

from hexmarshal.games.asl.state.units.units_on_map import UnitsOnMap

__all__ = ["LinesBetween"]


class LinesBetween(UnitsOnMap):
    """The lines of sight of a position, its weather and smoke among them."""

    __slots__ = ()

    @property
    def sight(self) -> Sight:
        """The lines of sight as this position has them: smoke, wrecks, weather."""
        return self.remember("sight", lambda: self.ground.sight.under(conditions_of(self.position)))

    @property
    def lines(self) -> dict[tuple[Location, Location], Answer]:
        """The lines between locations that were looked along in this position."""
        return self.remember("lines", dict[tuple[Location, Location], "Answer"])

    def line(self, a: Location, b: Location) -> Answer:
        """The line between two locations."""
        if not self.sight.conditions:
            return self.ground.line(a, b)
        found = self.lines.get((a, b))
        if found is None:
            found = self.sight.answer(Spot(a.cell, a.level), Spot(b.cell, b.level))
            self.lines[a, b] = found
        return found

    def sees(self, a: Location, b: Location) -> bool:
        """Whether a line is clear."""
        return a == b or not self.line(a, b).blocked

    def line_to(self, a: Location, unit: Unit) -> Answer:
        """The best line to a unit, which may be at a vertex."""
        spots = self.spots(unit)
        if len(spots) == 1 and spots[0].vertex is None:
            return self.line(a, self.at(unit))
        found = [line for spot in spots if (line := self._line_to_spot(a, spot)) is not None]
        if not found:
            return self.line(a, self.at(unit))
        return min(found, key=lambda answer: (answer.blocked, answer.hindrance))

    def _line_to_spot(self, a: Location, spot: Spot) -> Answer | None:
        """The line to a spot; None to vertices of half hexes, which lie off the map."""
        known = self.remember("lines to spots", dict[tuple[Location, Spot], "Answer | None"])
        if (a, spot) not in known:
            known[a, spot] = None
            with suppress(NotFoundError):
                known[a, spot] = self.sight.answer(Spot(a.cell, a.level), spot)
        return known[a, spot]

    def sees_unit(self, a: Location, unit: Unit) -> bool:
        """Whether a location sees a unit."""
        return a == self.at(unit) or not self.line_to(a, unit).blocked

    def enemies_in_sight(self, unit: Unit) -> list[Unit]:
        """ASL-DEF-4: the known enemy units of a unit: not concealed, in its line of sight."""
        place = self.at(unit)
        return [
            enemy
            for enemy in self.on_map(other(unit.side))
            if not self.is_hidden(enemy) and self.sees_unit(place, enemy)
        ]

    def adjacent(self, a: Location, b: Location) -> bool:
        """ASL-DEF-1 ADJACENT: infantry could advance from one to the other, and sight exists."""
        return self.accessible(a, b) and self._sees_without_smoke(a, b)

    def _sees_without_smoke(self, a: Location, b: Location) -> bool:
        return not self.ground.line(a, b).blocked

    def accessible(self, a: Location, b: Location) -> bool:
        """ASL-DEF-1: a location next to another into which infantry could advance."""
        if a.cell == b.cell:
            storeys = all(self.ground.kind_of(one) in ("ground", "level") for one in (a, b))
            return abs(a.level - b.level) == 1 and storeys and self.ground.stairs(a.cell)
        side = self.ground.side_to(a.cell, b.cell)
        if side is None:
            return False
        hexside = self.ground.hexside(a.cell, side)
        if hexside is not None and hexside.cost is None and not hexside.minimum:
            return False
        if a.level or b.level:
            return a.level == b.level and self.ground.same_building(a.cell, b.cell)
        row = self.ground.beneath(b.cell)
        return row.cost is not None or self.ground.is_way(b.cell, side + 3)
