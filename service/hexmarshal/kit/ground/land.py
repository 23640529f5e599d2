"""A map's land with what lies just outside it, so that nothing breaks off at the edge."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import shapely

from hexmarshal.errors import GeometryError
from hexmarshal.geometry.lattice.hexes import Hex
from hexmarshal.geometry.lattice.squares import Square
from hexmarshal.geometry.svg.view import View
from hexmarshal.kit.drawing.outlines import along, merged
from hexmarshal.kit.ground.plain import bounds

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

    from shapely.geometry.base import BaseGeometry

    from hexmarshal.geometry.terrain.terrain_map import TerrainMap
    from hexmarshal.kit.drawing.canvas import Point

__all__ = ["CELLS", "OPEN", "Land", "Road"]

OPEN: Final = "open"
CELLS: Final = (62.35, 72.0)
"""The pitch and breadth of the cells that brushes are made for, unless they say otherwise."""


@dataclass(frozen=True, slots=True)
class Road:
    """A road's line and the cells that it goes through."""

    line: shapely.LineString
    stops: tuple[Any, ...]


class Land:
    """Terrain and level of every cell of a map of hexes or squares, and of a rim around it.

    All lengths are in units of brushes, of which each has `k` pixels: cells are of one size on any
    map. Brushes tell here what they covered, so that later ones keep off: `grown` is land that is
    no longer open, `built` what nothing grows on.
    """

    def __init__(self, map: TerrainMap, made_for: tuple[float, float] = CELLS) -> None:
        self.map, self._view = map, View(map)
        self._usual = math.sqrt(made_for[0] * made_for[1])
        self.cells: tuple[Any, ...] = tuple(map.cells())
        first = self.cells[0]
        if not isinstance(first, Hex | Square):
            raise GeometryError("painted land needs hexes or squares")
        if isinstance(first, Hex) and map.layout is None:
            raise GeometryError("painted land needs hexes and their place in pixels")
        self.k = self._scale()
        left, top, right, bottom = bounds(map)
        self.bounds = left / self.k, top / self.k, right / self.k, bottom / self.k
        self.grown: list[BaseGeometry] = []
        self.built: list[BaseGeometry] = []
        self.rim: dict[Any, tuple[str, int]] = dict(self._rim())

    @property
    def size(self) -> tuple[float, float]:
        """The map's width and height."""
        left, top, right, bottom = self.bounds
        return right - left, bottom - top

    def _scale(self) -> float:
        layout = self.map.layout
        if layout is not None:
            return math.sqrt(layout.pitch * layout.breadth) / self._usual
        return math.sqrt(shapely.Polygon(self._view.corners(self.cells[0])).area) / self._usual

    def _points(self, given: Iterable[Point]) -> list[Point]:
        return [(x / self.k, y / self.k) for x, y in given]

    @cached_property
    def sheet(self) -> shapely.Polygon:
        """The map's rectangle."""
        left, top, _, _ = self.bounds
        wide, high = self.size
        return shapely.box(left, top, left + wide, top + high)

    # Cells, on the map and beyond its edge

    def corners(self, cell: Any) -> list[Point]:  # noqa: ANN401 - a hex or a square
        """The corners of a cell."""
        if isinstance(cell, Hex):
            assert self.map.layout is not None
            return self._points(self.map.layout.corners(cell))
        if cell in self.map:
            return self._points(self._view.corners(cell))
        first = self.cells[0]
        there = self.corners(first)
        (left, top), (right, bottom) = (
            (choose(x for x, _ in there), choose(y for _, y in there)) for choose in (min, max)
        )
        across, down = cell.column - first.column, cell.row - first.row
        return [(x + across * (right - left), y + down * (bottom - top)) for x, y in there]

    def polygon(self, cell: Any) -> shapely.Polygon:  # noqa: ANN401 - a hex or a square
        """The outline of a cell."""
        return shapely.Polygon(self.corners(cell))

    def centre(self, cell: Any) -> Point:  # noqa: ANN401 - a hex or a square
        """The middle of a cell."""
        if isinstance(cell, Hex):
            assert self.map.layout is not None
            x, y = self.map.layout.centre(cell)
            return x / self.k, y / self.k
        middle = self.polygon(cell).centroid
        return middle.x, middle.y

    def side(self, side: Hashable) -> list[Point]:
        """The two ends of a side."""
        return self._points(self._view.side(side))

    @cached_property
    def breadth(self) -> float:
        """How wide a cell is from side to side."""
        if self.map.layout is not None:
            return self.map.layout.breadth / self.k
        left, top, right, bottom = self.polygon(self.cells[0]).bounds
        return float(min(right - left, bottom - top))

    @cached_property
    def reach(self) -> float:
        """How far a cell stretches from its middle."""
        if self.map.layout is not None:
            return self.map.layout.pitch * 2 / 3 / self.k
        return self.breadth / 2

    def beside(self, cell: Any) -> tuple[Any, ...]:  # noqa: ANN401 - a hex or a square
        """The cells that share a side with one, whether the map has them or not."""
        if isinstance(cell, Square):
            return cell.neighbours()[::2]  # those between lie at the corners
        found: tuple[Any, ...] = cell.neighbours()
        return found

    def terrain(self, cell: Any) -> str:  # noqa: ANN401 - a hex or a square
        """The main terrain of a cell; `open` where there is none."""
        if cell in self.rim:
            return self.rim[cell][0]
        return next(iter(self.map.cell_terrain.get(cell, ())), OPEN)

    def level(self, cell: Any) -> int:  # noqa: ANN401 - a hex or a square
        """How high a cell lies."""
        return self.rim[cell][1] if cell in self.rim else int(self.map.level(cell))

    def everywhere(self) -> Iterator[Any]:
        """The map's cells and those of the rim."""
        yield from self.cells
        yield from self.rim

    # Areas and lines

    def area(self, *terrain: str) -> BaseGeometry:
        """The cells with one of these terrains, with the rim's."""
        return merged(self.polygon(c) for c in self.everywhere() if self.terrain(c) in terrain)

    def heights(self, level: int) -> BaseGeometry:
        """The cells of this level or a higher one."""
        return merged(self.polygon(c) for c in self.everywhere() if self.level(c) >= level)

    def covers(self, area: BaseGeometry, *, built: bool = False) -> None:
        """Tell that this is no open land any more, and whether nothing grows on it."""
        (self.built if built else self.grown).append(area)

    @property
    def taken(self) -> BaseGeometry:
        """All that brushes have told of."""
        return shapely.union_all([*self.grown, *self.built])

    def roads(self, *kinds: str) -> tuple[Road, ...]:
        """Every way of these terrains, led on to the edge where it ends beside it."""
        made: list[Road] = []
        for way in self.map.paths:
            if way.terrain in kinds and len(way.cells) > 1:
                points = [self.centre(cell) for cell in way.cells]
                for end in (0, -1):
                    points[end] = _junction(made, way.cells[end], points[end])
                points = [*self._exit(way.cells, 0), *points, *self._exit(way.cells, -1)]
                made.append(Road(shapely.LineString(along(points)), tuple(way.cells)))
        return tuple(made)

    def sides(self, *kinds: str) -> list[Any]:
        """The sides with one of these terrains, in order."""
        found = (s for s, own in self.map.side_terrain.items() if any(k in own for k in kinds))
        return sorted(found, key=str)

    def cliffs(self) -> Iterator[tuple[Any, Any]]:
        """Pairs of neighbours, high and low, with two levels or more between them."""
        for high in self.cells:
            for low in self.beside(high):
                if low in self.map and self.level(high) - self.level(low) >= 2:
                    yield high, low

    def _exit(self, stops: tuple[Any, ...], end: int) -> list[Point]:
        """A point off the board that the road's last cell leads to, if it lies at the edge."""
        last, before = stops[end], stops[end + 1 if end == 0 else end - 1]
        x0, y0, _, _ = self.bounds
        wide, high = self.size
        here = self.centre(last)
        for beyond in self._onward(before, last):
            if beyond not in self.map:
                x, y = self.centre(beyond)
                if not (x0 < x < x0 + wide and y0 < y < y0 + high):
                    # Straight over the edge: geomorphic boards meet there.
                    over_side = not x0 < x < x0 + wide
                    return [(x, here[1]) if over_side else (here[0], y)]
                return [(here[0], here[1] + 2 * (y - here[1]))]
        return []

    def _onward(self, before: Any, last: Any) -> Iterable[Any]:  # noqa: ANN401 - cells
        """Where a way may go on to, straight on first."""
        if isinstance(last, Hex):
            onward = before.direction_to(last)
            return [last.neighbour(onward + turn) for turn in (0, 1, -1)]
        dx, dy = last.column - before.column, last.row - before.row
        straight = [Square(last.column + dx, last.row), Square(last.column, last.row + dy)]
        return [cell for cell in straight if cell != last]

    def _rim(self) -> Iterator[tuple[Any, tuple[str, int]]]:
        board = set(self.cells)
        around = {n for c in board for n in self.beside(c)} - board
        around |= {n for c in around for n in self.beside(c)} - board
        for cell in sorted(around):
            near = [c for c in self.beside(cell) if c in board]
            kinds = Counter(self._own(c) for c in near)
            found = (OPEN, 0)
            if kinds:
                best, votes = max(kinds.items(), key=lambda item: (item[1], item[0]))
                if 2 * votes > len(near) or (2 * votes == len(near) and best[0] == "water"):
                    found = best
            yield cell, found

    def _own(self, cell: Any) -> tuple[str, int]:  # noqa: ANN401 - a hex or a square
        return next(iter(self.map.cell_terrain.get(cell, ())), OPEN), int(self.map.level(cell))


def _junction(roads: list[Road], cell: Hashable, end: Point) -> Point:
    """Where a road that ends in this cell meets one that is there already."""
    for road in roads:
        if cell in road.stops:
            near = road.line.interpolate(road.line.project(shapely.Point(end)))
            return near.x, near.y
    return end
