"""A board's land with what lies just outside it, so that nothing breaks off at the edge."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import shapely

from hexmarshal.errors import GeometryError
from hexmarshal.geometry.hexes import Hex, Hexside
from hexmarshal.kit.drawing.curves import along
from hexmarshal.kit.drawing.outlines import merged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shapely.geometry.base import BaseGeometry

    from hexmarshal.geometry.layout import Layout
    from hexmarshal.geometry.svg.canvas import Point
    from hexmarshal.geometry.terrain import TerrainMap

__all__ = ["Land", "Road"]

OPEN = "open"


@dataclass(frozen=True, slots=True)
class Road:
    """A road's line and the hexes that it goes through."""

    line: shapely.LineString
    stops: tuple[Hex, ...]


@dataclass(frozen=True)
class Land:
    """Terrain and level of every hex on the board and of a rim of hexes around it."""

    map: TerrainMap
    size: tuple[float, float]
    rim: dict[Hex, tuple[str, int]] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rim", dict(self._rim()))

    @classmethod
    def of(cls, map: TerrainMap) -> Land:
        """The land of a board of hexes that has a layout in pixels."""
        layout = map.layout
        if layout is None or not map.is_hexes:
            raise GeometryError("a board picture needs hexes and their place in pixels")
        hexes = [h for h in map.cells() if isinstance(h, Hex)]
        corners = [corner for h in hexes for corner in layout.corners(h)]
        right = max(x for x, _ in corners) + min(x for x, _ in corners)
        return cls(map, (round(right), round(max(y for _, y in corners))))

    @property
    def layout(self) -> Layout:
        """Where hexes lie."""
        assert self.map.layout is not None
        return self.map.layout

    @cached_property
    def hexes(self) -> tuple[Hex, ...]:
        """The board's own hexes, in order."""
        return tuple(h for h in self.map.cells() if isinstance(h, Hex))

    @cached_property
    def sheet(self) -> shapely.Polygon:
        """The board's rectangle."""
        return shapely.box(0, 0, *self.size)

    @cached_property
    def halves(self) -> tuple[Hex, ...]:
        """The cut hexes at the edges, where no unit may stand."""
        inner = self.sheet.buffer(-3)
        return tuple(h for h in self.rim if self.layout.polygon(h).intersects(inner))

    def terrain(self, hex: Hex) -> str:
        """The main terrain of a hex; `open` where there is none."""
        if hex in self.rim:
            return self.rim[hex][0]
        return next(iter(self.map.cell_terrain.get(hex, ())), OPEN)

    def level(self, hex: Hex) -> int:
        """How high a hex lies."""
        return self.rim[hex][1] if hex in self.rim else int(self.map.level(hex))

    def everywhere(self) -> Iterator[Hex]:
        """The board's hexes and those of the rim."""
        yield from self.hexes
        yield from self.rim

    def area(self, *terrain: str) -> BaseGeometry:
        """The hexes with one of these terrains, with the rim's."""
        return merged(
            self.layout.polygon(h) for h in self.everywhere() if self.terrain(h) in terrain
        )

    def heights(self, level: int) -> BaseGeometry:
        """The hexes of this level or a higher one."""
        return merged(self.layout.polygon(h) for h in self.everywhere() if self.level(h) >= level)

    @cached_property
    def roads(self) -> tuple[Road, ...]:
        """Every road, led on to the edge where it ends beside it."""
        made: list[Road] = []
        for way in self.map.paths:
            if way.terrain == "road":
                stops = tuple(h for h in way.cells if isinstance(h, Hex))
                points = [self.layout.centre(h) for h in stops]
                for end in (0, -1):
                    points[end] = _junction(made, stops[end], points[end])
                points = [*self._exit(stops, 0), *points, *self._exit(stops, -1)]
                made.append(Road(shapely.LineString(along(points)), stops))
        return tuple(made)

    def walls(self, kind: str = "wall") -> Iterator[Hexside]:
        """The hexsides with a wall, in order."""
        sides = (s for s, kinds in self.map.side_terrain.items() if kind in kinds)
        yield from sorted((s for s in sides if isinstance(s, Hexside)), key=str)

    def cliffs(self) -> Iterator[tuple[Hex, Hex]]:
        """Pairs of neighbours, high and low, with two levels or more between them."""
        for high in self.hexes:
            for low in high.neighbours():
                if low in self.map and self.level(high) - self.level(low) >= 2:
                    yield high, low

    def _exit(self, stops: tuple[Hex, ...], end: int) -> list[Point]:
        """A point off the board that the road's last hex leads to, if it lies at the edge."""
        last, before = stops[end], stops[end + 1 if end == 0 else end - 1]
        onward = before.direction_to(last)
        for turn in (0, 1, -1):
            beyond = last.neighbour(onward + turn)
            if beyond not in self.map:
                x, y = self.layout.centre(beyond)
                here = self.layout.centre(last)
                wide, high = self.size
                if not (0 < x < wide and 0 < y < high):
                    # Straight over the edge: geomorphic boards meet there.
                    over_side = not 0 < x < wide
                    return [(x, here[1]) if over_side else (here[0], y)]
                return [(here[0], here[1] + 2 * (y - here[1]))]
        return []

    def _rim(self) -> Iterator[tuple[Hex, tuple[str, int]]]:
        board = set(self.hexes)
        around = {n for h in board for n in h.neighbours()} - board
        around |= {n for h in around for n in h.neighbours()} - board
        for cell in sorted(around):
            near = [h for h in cell.neighbours() if h in board]
            kinds = Counter(self._own(h) for h in near)
            found = (OPEN, 0)
            if kinds:
                best, votes = max(kinds.items(), key=lambda item: (item[1], item[0]))
                if 2 * votes > len(near) or (2 * votes == len(near) and best[0] == "water"):
                    found = best
            yield cell, found

    def _own(self, hex: Hex) -> tuple[str, int]:
        return next(iter(self.map.cell_terrain.get(hex, ())), OPEN), int(self.map.level(hex))


def _junction(roads: list[Road], hex: Hex, end: Point) -> Point:
    """Where a road that ends in this hex meets one that is there already."""
    for road in roads:
        if hex in road.stops:
            near = road.line.interpolate(road.line.project(shapely.Point(end)))
            return near.x, near.y
    return end
