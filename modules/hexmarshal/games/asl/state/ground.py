"""The ground of a map: what each hex costs and gives, and which are next to which."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from hexmarshal.games.asl.sight.view import Spot
from hexmarshal.rules.copying import quick
from hexmarshal.vassal.vasl.grid import NONE
from hexmarshal.vassal.vasl.hexes import ABSENT

if TYPE_CHECKING:
    from hexmarshal.games.asl.sight.view import Answer, Sight
    from hexmarshal.games.asl.state.tables import Hexside, Tables, Terrain

__all__ = ["Ground", "Location"]

_STEPS: Final = 24
_MOST_LINES: Final = 50_000
"""Lines of sight that are kept of a map."""


@quick
@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A hex and a level above its ground."""

    cell: str
    level: int = 0

    def __str__(self) -> str:
        return f"{self.cell} level {self.level}" if self.level else self.cell


class Ground:
    """A map as the rules of infantry see it; hexes go by their names."""

    def __init__(self, sight: Sight, tables: Tables) -> None:
        self.sight, self.board, self.tables = sight, sight.board, tables
        grid = self.board.grid
        self.names: tuple[str, ...] = tuple(name.split("/")[0] for name in grid.names)
        self._index = {name: i for i, name in enumerate(self.names)}
        self._near = grid.neighbours.tolist()
        self._lines: dict[tuple[Location, Location], Answer] = {}

    def index(self, cell: str) -> int:
        """The number of a hex by any of its names."""
        found = self._index.get(cell)
        return self.board.hex(cell) if found is None else found

    def has(self, cell: str) -> bool:
        """Whether the map has this hex."""
        return cell in self._index or cell.upper() in self.board.grid.by_name

    # Neighbours

    @cached_property
    def near(self) -> dict[str, tuple[str, ...]]:
        """The hexes beside each, those that the map has."""
        return {
            name: tuple(self.names[n] for n in row if n != NONE)
            for name, row in zip(self.names, self._near, strict=True)
        }

    def across(self, cell: str, side: int) -> str:
        """The hex across a hexside; '' where the map ends."""
        other = self._near[self.index(cell)][side % 6]
        return "" if other == NONE else self.names[other]

    def side_to(self, cell: str, other: str) -> int | None:
        """The hexside between two hexes; None if they have none in common."""
        two = self.index(other)
        row = self._near[self.index(cell)]
        return row.index(two) if two in row else None

    def distance(self, a: str, b: str) -> int:
        """The range in hexes; the firer's hex does not count (ASL-UNIT-5)."""
        return self.board.grid.distance(self.index(a), self.index(b))

    def entered_by(self, target: str, firer: str) -> tuple[int, ...]:
        """The hexsides of the target's hex that a line from the firer's centre crosses.

        Two where it comes exactly through a vertex.
        """
        grid = self.board.grid
        one, two = self.index(target), self.index(firer)
        x, y = int(grid.x[two] - grid.x[one]), int(grid.y[two] - grid.y[one])
        if not (x or y):
            return ()
        spokes = grid.spokes
        found = []
        for side in range(6):
            (ax, ay), (bx, by) = spokes[side], spokes[(side + 1) % 6]
            if ax * y - ay * x >= 0 and x * by - y * bx >= 0:
                found.append(side)
        return tuple(found)

    def line(self, a: Location, b: Location) -> Answer:
        """The line between two locations as the map alone decides it, looked along once."""
        found = self._lines.get((a, b))
        if found is None:
            if len(self._lines) >= _MOST_LINES:
                self._lines.clear()
            found = self.sight.answer(Spot(a.cell, a.level), Spot(b.cell, b.level))
            self._lines[a, b] = found
        return found

    # Terrain

    @cached_property
    def _rows(self) -> list[Terrain]:
        by_code = self.board.catalogue.by_code
        drawn = self.tables.drawn
        return [drawn[by_code[int(code)].name] for code in self.board.facts.centre]

    @cached_property
    def _others(self) -> dict[int, Terrain]:
        """What else is drawn in hexes with a way or a depression at their centre."""
        wanted = {i for i, row in enumerate(self._rows) if row.way or row.depression}
        if not wanted:
            return {}
        pixels, by_code = self.board.pixels, self.board.catalogue.by_code
        rows = {code: self.tables.drawn.get(by_code[code].name) for code in by_code}
        plain = self.tables.terrain["open_ground"]
        found: dict[int, Terrain] = {}
        inside = np.isin(pixels.owner, list(wanted))
        keys, counts = np.unique(
            pixels.owner[inside].astype(np.int64) * 256 + pixels.terrain[inside], return_counts=True
        )
        best: dict[int, int] = {}
        for key, count in zip(keys.tolist(), counts.tolist(), strict=True):
            owner, code = divmod(key, 256)
            row = rows.get(code)
            if row is None or row.way or row.depression:
                continue
            if count > best.get(owner, 0):
                best[owner], found[owner] = count, row
        return {i: found.get(i, plain) for i in wanted}

    def terrain(self, cell: str) -> Terrain:
        """What the hex is for whoever is in it: beside a road, the terrain that it runs through."""
        i = self.index(cell)
        row = self._rows[i]
        return self._others[i] if row.way and not row.depression and row.cost is not None else row

    def beneath(self, cell: str) -> Terrain:
        """What the middle of the hex shows: a road, a gully, a bridge."""
        return self._rows[self.index(cell)]

    def other(self, cell: str) -> Terrain:
        """What else is in a hex with a depression."""
        i = self.index(cell)
        return self._others.get(i, self._rows[i])

    def is_way(self, cell: str, side: int) -> bool:
        """Whether a road crosses this hexside."""
        i = self.index(cell)
        row = self._drawn_at(i, side)
        return row is not None and row.way

    def _drawn_at(self, index: int, side: int) -> Terrain | None:
        """What is drawn at the middle of a hexside; None at the map's edge."""
        code = int(self.board.facts.side_ground[index][side % 6])
        terrain = self.board.catalogue.by_code.get(code)
        return None if terrain is None else self.tables.drawn.get(terrain.name)

    def hexside(self, cell: str, side: int) -> Hexside | None:
        """The wall, hedge or cliff on a hexside, if there is one."""
        code = int(self.board.facts.side[self.index(cell)][side % 6])
        if code == ABSENT:
            return None
        return self.tables.hexsides.get(self.board.catalogue.by_code[code].name)

    def base(self, cell: str) -> int:
        """The elevation of the hex's ground."""
        return int(self.board.facts.base[self.index(cell)])

    def height(self, place: Location) -> int:
        """The elevation of a location."""
        return self.base(place.cell) + place.level

    def levels(self, cell: str) -> tuple[int, ...]:
        """The levels above its ground that a hex has."""
        return tuple(level.above for level in self.board.levels[self.index(cell)])

    def kind_of(self, place: Location) -> str:
        """What a level of a hex is: ground, level, rooftop, bridge, cellar."""
        return self.board.level(self.index(place.cell), place.level).kind

    def stairs(self, cell: str) -> bool:
        """Whether one gets from storey to storey in this hex (ASL-BLDG-3)."""
        i = self.index(cell)
        facts = self.board.facts
        building = int(facts.building[i])
        if building == ABSENT:
            return False
        name = self.board.catalogue.by_code[building].name
        return bool(facts.stairway[i]) or name.endswith("1 Level")

    def in_building(self, place: Location) -> bool:
        """Whether the location is inside of a building."""
        return self._building(place.cell) is not None and self.kind_of(place) in (
            "ground",
            "level",
            "cellar",
        )

    def _building(self, cell: str) -> Terrain | None:
        code = int(self.board.facts.building[self.index(cell)])
        if code == ABSENT:
            return None
        return self.tables.drawn[self.board.catalogue.by_code[code].name]

    def same_building(self, a: str, b: str) -> bool:
        """Whether one building stands in both of two neighbouring hexes."""
        side = self.side_to(a, b)
        if side is None or self._building(a) is None or self._building(b) is None:
            return False
        row = self._drawn_at(self.index(a), side)
        return row is not None and row.building

    # Bypass

    def clear_along(self, cell: str, side: int) -> bool:
        """Whether the obstacle of the hex is drawn clear of a hexside (ASL-BYP-1)."""
        key = (self.index(cell), side % 6)
        if key not in self._clear:
            self._clear[key] = self._is_clear(*key)
        return self._clear[key]

    @cached_property
    def _clear(self) -> dict[tuple[int, int], bool]:
        return {}

    @cached_property
    def _solid(self) -> frozenset[int]:
        by_code = self.board.catalogue.by_code
        rows = {code: self.tables.drawn.get(terrain.name) for code, terrain in by_code.items()}
        return frozenset(code for code, row in rows.items() if row is not None and row.bypass)

    def _is_clear(self, index: int, side: int) -> bool:
        """The pixels just inside of the hexside, from vertex to vertex, show no obstacle."""
        grid, pixels = self.board.grid, self.board.pixels
        (ax, ay), (bx, by) = grid.spokes[side], grid.spokes[(side + 1) % 6]
        height, width = pixels.terrain.shape
        x0, y0 = int(grid.x[index]), int(grid.y[index])
        for step in range(_STEPS + 1):
            dx = (ax * (_STEPS - step) + bx * step) * 15 // (_STEPS * 16)
            dy = (ay * (_STEPS - step) + by * step) * 15 // (_STEPS * 16)
            x, y = (x0 + dx) // grid.scale, (y0 + dy) // grid.scale
            if 0 <= x < width and 0 <= y < height and int(pixels.terrain[y, x]) in self._solid:
                return False
        return True
