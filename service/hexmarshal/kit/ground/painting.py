"""Painted land: brushes one after the other, then the grid with the names of its cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import shapely

from hexmarshal.geometry.svg.canvas import Canvas
from hexmarshal.kit.drawing.canvas import width
from hexmarshal.kit.drawing.outlines import path
from hexmarshal.kit.ground.land import CELLS, Land

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.geometry.terrain.terrain_map import TerrainMap

__all__ = ["Brush", "Grid", "Veil", "paint", "painted_svg"]


class Brush(Protocol):
    """Draws one thing of a land; what is drawn later lies on top of it."""

    def draw(self, canvas: Canvas, land: Land) -> None:
        """Draw it onto the canvas."""


def painted_svg(
    map: TerrainMap, brushes: Iterable[Brush], *, made_for: tuple[float, float] = CELLS
) -> str:
    """The whole map as an SVG, in its own pixels; brushes are `made_for` cells of some size."""
    canvas = Canvas(native_text=False)
    land = paint(canvas, map, brushes, made_for=made_for)
    left, top, right, bottom = (edge * land.k for edge in land.bounds)
    return canvas.render((left, top, right, bottom), map.name_of_map)


def paint(
    canvas: Canvas,
    map: TerrainMap,
    brushes: Iterable[Brush],
    *,
    made_for: tuple[float, float] = CELLS,
) -> Land:
    """Paint a map onto a canvas."""
    land = Land(map, made_for)
    if land.k == 1.0:
        for brush in brushes:
            brush.draw(canvas, land)
        return land
    with canvas.group(transform=f"scale({land.k:.6f})"):
        for brush in brushes:
            brush.draw(canvas, land)
    return land


@dataclass(frozen=True, slots=True)
class Veil:
    """Cut cells at the edges, veiled: nobody may stand there."""

    colour: str = "#3d3a26"

    def draw(self, canvas: Canvas, land: Land) -> None:
        """Veil all of the sheet that is no cell of the map."""
        whole = shapely.union_all([land.polygon(cell).buffer(0.05) for cell in land.cells])
        veiled = land.sheet.difference(whole)
        canvas.element("path", d=path(veiled), fill=self.colour, fill_opacity=0.3)


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells with a dot in the middle, a name at the top, and a triangle for each level.

    Names on the terrains `dark` are light; on those of `halos` they have a halo of that colour.
    """

    dark: frozenset[str] = frozenset()
    halos: tuple[tuple[str, str], ...] = ()
    line: str = "#1c1a10"
    opacity: float = 0.5
    dots: bool = True

    def draw(self, canvas: Canvas, land: Land) -> None:
        """Draw the outlines, then dots and names."""
        with canvas.group(
            fill="none", stroke=self.line, stroke_width=0.9, stroke_opacity=self.opacity
        ):
            for cell in land.cells:
                canvas.polygon(land.corners(cell))
        size, halos = land.breadth * 0.082, dict(self.halos)
        for cell in land.cells:
            x, y = land.centre(cell)
            if self.dots:
                canvas.circle((x, y), 2.1, fill="#fdfbf0", stroke="#2b2819", stroke_width=0.7)
            name, level, terrain = land.map.name(cell), land.level(cell), land.terrain(cell)
            dark = terrain in self.dark
            colour, halo = ("#fdfbe8", "#22301b") if dark else ("#26210f", "#f1ecd0")
            top = y - land.breadth / 2 + size + 4.2
            left = x - (width(name, size) + level * (size + 1.4)) / 2
            canvas.write(
                name, (left, top), size, anchor="start", colour=colour,
                halo=halos.get(terrain, halo), weight=1.05,
            )  # fmt: skip
            start = left + width(name, size) + 2.6
            for i in range(level):
                at = start + i * (size + 1.0)
                canvas.polygon(
                    [(at, top), (at + size * 0.9, top), (at + size * 0.45, top - size)],
                    fill="#8a2a12",
                    stroke="#f7ecd0",
                    stroke_width=0.5,
                )
