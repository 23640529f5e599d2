"""Brushes for what only this map has: rough ground, the ridge, and what the rules mark on it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import shapely

from hexmarshal.games.traces_of_war.art import colours
from hexmarshal.kit.drawing.outlines import jitter, path, rounded, uneven
from hexmarshal.kit.drawing.signs import star
from hexmarshal.kit.ground.operational import chains

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hexmarshal.geometry.lattice.hexes import Hex
    from hexmarshal.kit.drawing.canvas import Canvas, Point
    from hexmarshal.kit.ground.land import Land

__all__ = ["Labels", "Marks", "Ridge", "Rough"]

_NAME: Final = 8.4
_PEAKS: Final = ((-17, 8), (14, 10), (-2, -6), (20, -10), (-22, -10), (0, 20))


@dataclass(frozen=True, slots=True)
class Rough:
    """Hills and mountains: brown ground with peaks that are lit from the west."""

    terrain: str = "rough"
    ground: str = "#d9c49a"
    lit: str = "#ead9b4"
    shade: str = "#a88b5c"

    def draw(self, canvas: Canvas, land: Land) -> None:
        """Draw every rough cell."""
        area = land.area(self.terrain)
        if area.is_empty:
            return
        hills = uneven(rounded(area.buffer(-1), 8), 1.6)
        canvas.element("path", d=path(hills), fill=self.ground)
        for cell in sorted(c for c in land.cells if self.terrain in _kinds(land, c)):
            x, y = land.centre(cell)
            for k, (dx, dy) in enumerate(_PEAKS):
                size = 7 + 4 * jitter(cell.q, cell.r, k)
                at = x + dx + 4 * jitter(cell.r, k), y + dy + 4 * jitter(cell.q, k, 3)
                self._peak(canvas, at, size)

    def _peak(self, canvas: Canvas, at: Point, size: float) -> None:
        x, y = at
        top = (x, y - size)
        canvas.polygon(((x - size, y + size / 2), top, (x, y + size / 2)), fill=self.lit)
        canvas.polygon(((x + size, y + size / 2), top, (x, y + size / 2)), fill=self.shade)
        canvas.polyline(
            ((x - size, y + size / 2), top, (x + size, y + size / 2)), stroke="#7a6036",
            stroke_width=0.8, stroke_linejoin="round",
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ridge:
    """Sides that nobody crosses, as a saw-toothed crest."""

    terrain: str = "blocked"
    colour: str = "#5a3d2b"

    def draw(self, canvas: Canvas, land: Land) -> None:
        """Draw every blocked side."""
        for chain in chains(land.side(side) for side in land.sides(self.terrain)):
            canvas.polyline(
                chain, stroke=self.colour, stroke_width=6, stroke_linejoin="round",
                stroke_linecap="round",
            )  # fmt: skip
            line = shapely.LineString(chain)
            for k in range(int(line.length / 11)):
                here, on = (line.interpolate(k * 11 + step) for step in (3.0, 5.0))
                turn = math.atan2(on.y - here.y, on.x - here.x)
                self._tooth(canvas, (here.x, here.y), turn)

    def _tooth(self, canvas: Canvas, at: Point, turn: float) -> None:
        x, y = at
        ways = ((turn, -4.0), (turn, 4.0), (turn - math.pi / 2, 9.0))
        canvas.polygon(
            [(x + r * math.cos(a), y + r * math.sin(a)) for a, r in ways], fill=self.colour
        )


def _kinds(land: Land, cell: Any) -> tuple[str, ...]:  # noqa: ANN401 - a hex
    return tuple(land.map.cell_terrain.get(cell, ()))


@dataclass(frozen=True)
class Marks:
    """What the rules mark: supply, crossing points, breakthrough hexes, ordered cities."""

    data: Mapping[str, Any]
    hexes: Mapping[str, Hex]

    def draw(self, canvas: Canvas, land: Land) -> None:
        """Draw all of them."""
        for cell in self.data.get("breakthrough", {}).get("hexes", ()):
            self._rim(canvas, land, cell, colours.BREAKTHROUGH, "10 6")
        for cell in self.data.get("crossing_points", {}):
            self._rim(canvas, land, cell, colours.CROSSING, None)
            x, y = land.centre(self.hexes[cell])
            canvas.circle((x + 23, y - 13), 8, fill=colours.CROSSING, stroke=colours.PAPER)
            canvas.write("CP", (x + 23, y - 10), 6, weight=1.4, colour=colours.PAPER)
        for cell in self.data.get("orders", ()):
            x, y = land.centre(self.hexes[cell])
            corners = star((x - 23, y - 13), 9.5, points=6, depth=0.6)
            canvas.polygon(corners, fill=colours.ORDER, stroke=colours.INK, stroke_width=0.9)
        for side, colour in (("soviet", colours.SOVIET_RED), ("axis", colours.AXIS_BLUE)):
            for cell in self.data["sources"][side]:
                self._source(canvas, land.centre(self.hexes[cell]), colour)

    def _rim(self, canvas: Canvas, land: Land, cell: str, colour: str, dashes: str | None) -> None:
        inner = shapely.Polygon(land.corners(self.hexes[cell])).buffer(-3.2)
        canvas.element(
            "path", d=path(inner), fill=colour, fill_opacity=0.08, stroke=colour, stroke_width=4.2,
            stroke_dasharray=dashes, stroke_linejoin="round",
        )  # fmt: skip

    def _source(self, canvas: Canvas, at: Point, colour: str) -> None:
        x, y = at
        canvas.circle((x, y + 2), 17, fill=colour, stroke=colours.PAPER, stroke_width=2.4)
        canvas.rectangle((x - 8, y - 3), 16, 11, rx=1.5, fill=colours.PAPER)
        for dx in (-5, 0, 5):
            canvas.circle((x + dx, y + 10), 2, fill=colours.PAPER)
        canvas.polygon(((x - 8, y - 3), (x, y - 9), (x + 8, y - 3)), fill=colours.PAPER)


@dataclass(frozen=True)
class Labels:
    """The names of cities, places and rivers."""

    data: Mapping[str, Any]
    hexes: Mapping[str, Hex]

    def draw(self, canvas: Canvas, land: Land) -> None:
        """Write them."""
        write = _writer(canvas)
        for cell, place in self.data.get("places", {}).items():
            x, y = land.centre(self.hexes[cell])
            canvas.circle((x, y), 3, fill=colours.PAPER, stroke=colours.INK, stroke_width=1.2)
            write(place, (x, y + 20), 6.6, 0.95)
        for cell, city in self.data["cities"].items():
            x, y = land.centre(self.hexes[cell])
            if city.get("major"):
                write(city["name"].upper(), (x, y + 33), 11.5, 1.6)
            else:
                write(city["name"], (x, y + 25), _NAME, 1.2)
        for name, sides in self.data.get("x_rivers", {}).items():
            for side in sides:
                ends = [land.centre(self.hexes[cell]) for cell in side.split("|")]
                x, y = (sum(axis) / len(ends) for axis in zip(*ends, strict=True))
                canvas.write(
                    name, (x + 4, y + 3), 8.2, colour=colours.BANK, weight=1.15, halo=colours.HALO,
                    anchor="start",
                )  # fmt: skip


def _writer(canvas: Canvas) -> Callable[[str, Point, float, float], None]:
    def write(text: str, at: Point, size: float, weight: float) -> None:
        canvas.write(text, at, size, colour=colours.INK, weight=weight, halo=colours.HALO)

    return write
