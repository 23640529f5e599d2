"""Where the things of a map come to lie in a picture."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING

from hexmarshal.geometry.lattice.hex_route import lattice_point
from hexmarshal.geometry.lattice.hexes import Hex, Hexside, Vertex
from hexmarshal.geometry.lattice.layout import Layout, SquareLayout
from hexmarshal.geometry.lattice.squares import Square

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from hexmarshal.geometry.svg.canvas import Point
    from hexmarshal.geometry.terrain.points import Point as ExactPoint
    from hexmarshal.geometry.terrain.terrain_map import TerrainMap

__all__ = ["View"]

_SIDE = 40.0
# Grids of VASSAL, which count in pixels of the board.
_IN_PIXELS = frozenset({"region", "zoned"})


class View:
    """A map's places in the picture: the map's own pixels, or hexes of a readable size."""

    def __init__(self, terrain: TerrainMap) -> None:
        self.terrain = terrain
        self._layout: Layout | SquareLayout | None = terrain.drawn
        if self._layout is None and terrain.is_hexes:
            self._layout = Layout.regular(side=_SIDE)
        self._scale, self._side = 1.0, _SIDE
        if self._layout is None:
            areas = sorted(float(terrain.outline(cell).area) for cell in terrain.cells())
            usual = math.sqrt(areas[len(areas) // 2]) / 1.6
            if (terrain.grid or {}).get("kind") in _IN_PIXELS:
                self._side = usual
            else:
                # Cells may be given in any unit; a usual one becomes as big as a hex.
                self._scale = _SIDE / usual

    @cached_property
    def unit(self) -> float:
        """The length of a hex's side, or what comes near to it: sizes in pictures go by it."""
        if self._layout is None:
            return self._side
        if isinstance(self._layout, SquareLayout):
            return min(self._layout.width, self._layout.height) / 1.6
        return min(self._layout.pitch / 1.5, self._layout.breadth / math.sqrt(3))

    def point(self, point: ExactPoint) -> Point:
        """Where an exact point of the map lies."""
        if self._layout is not None:
            return self._layout.pixel(*point)
        return float(point.x) * self._scale, float(point.y) * self._scale

    def corners(self, cell: Hashable) -> tuple[Point, ...]:
        """The outline of a cell."""
        if isinstance(cell, Hex) and isinstance(self._layout, Layout):
            return self._layout.corners(cell)
        if isinstance(cell, Square) and self.terrain.outlines is None:
            return tuple(map(self.point, cell.corners()))
        return tuple(map(self.point, self.terrain.outline(cell).rings[0]))

    def centre(self, cell: Hashable) -> Point:
        """The middle of a cell; of one that is not convex, some point well inside."""
        if isinstance(cell, Hex) and isinstance(self._layout, Layout):
            return self._layout.centre(cell)
        if isinstance(cell, Square):
            return self.point(cell.middle)
        import shapely

        middle = shapely.Polygon(self.corners(cell))
        inside = middle.centroid if middle.contains(middle.centroid) else middle.point_on_surface()
        return inside.x, inside.y

    def side(self, side: Hashable) -> tuple[Point, ...]:
        """The line between two cells; empty where they share none."""
        if isinstance(side, Hexside):
            one, other = side.vertices
            return self.point(lattice_point(one)), self.point(lattice_point(other))
        if not isinstance(side, frozenset) or len(side) != 2:
            return ()
        import shapely

        edge, beside = (shapely.Polygon(self.corners(cell)).exterior for cell in side)
        shared = shapely.line_merge(shapely.intersection(edge, beside))
        if shared.geom_type != "LineString":
            return ()
        line = tuple((x, y) for x, y in shared.coords)
        return min(line, line[::-1])  # the two cells come in no order

    def vertex(self, vertex: Hashable) -> Point:
        """Where a vertex lies."""
        if isinstance(vertex, Vertex):
            return self.point(lattice_point(vertex))
        return self.point(vertex)  # type: ignore[arg-type]

    def border(self, cells: Iterable[Hashable]) -> list[tuple[Point, Point]]:
        """The edges that divide a set of cells from the rest, each once."""
        seen: dict[tuple[Point, Point], tuple[Point, Point]] = {}
        for cell in cells:
            corners = self.corners(cell)
            for one, other in zip(corners, (*corners[1:], corners[0]), strict=True):
                key = (min(one, other), max(one, other))
                if seen.pop(key, None) is None:
                    seen[key] = (one, other)
        return list(seen.values())

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of all cells."""
        corners = [corner for cell in self.terrain.cells() for corner in self.corners(cell)]
        xs, ys = zip(*corners, strict=True)
        return min(xs), min(ys), max(xs), max(ys)
