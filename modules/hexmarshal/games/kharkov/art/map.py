"""The map sheet: steppe, woods, rivers, roads, rails, towns, hex numbers and the line of 12 May."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from hexmarshal.games.kharkov.art import colours
from hexmarshal.kit.drawing.canvas import Drawing
from hexmarshal.kit.ground.operational import (
    CELLS,
    Cities,
    Crowns,
    Numbers,
    Outlines,
    Rivers,
    Steppe,
    Towns,
    Way,
    Ways,
    chains,
    to_the_edge,
)
from hexmarshal.kit.ground.painting import paint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hexmarshal.games.kharkov.art.field import Field
    from hexmarshal.geometry.lattice.hexes import Hexside
    from hexmarshal.kit.drawing.canvas import Canvas, Point
    from hexmarshal.kit.ground.land import Land
    from hexmarshal.kit.ground.painting import Brush

__all__ = ["BRUSHES", "map_sheet"]

_HALO: Final = "#f4ecd4"
BRUSHES: Final[tuple[Brush, ...]] = (
    Steppe(),
    Crowns("forest"),
    Outlines(),
    Rivers((("river", 5.5), ("donets", 11.0), ("dnieper", 20.0))),
    Cities("city"),
    # Rails run a little lower than roads, so that both show where they share a way.
    Ways((Way.road("road"), Way.rail("rail"))),
    Towns("town"),
)


class _Own(NamedTuple):
    """A brush for what only this map has."""

    how: Callable[[Canvas, Field, Land], None]
    field: Field

    def draw(self, canvas: Canvas, land: Land) -> None:
        """Draw it."""
        self.how(canvas, self.field, land)


def map_sheet(field: Field) -> str:
    """The whole map as SVG, one unit a pixel of the board."""
    front, labels = _Own(_lines, field), (_names, _garrisons, _points)
    own: tuple[Brush, ...] = (front, Numbers(), *(_Own(how, field) for how in labels))
    wide, high = field.size
    canvas = Drawing(wide, high)
    paint(canvas, field.terrain, (*BRUSHES, *own), made_for=CELLS)
    canvas.rectangle((2, 2), wide - 4, high - 4, fill="none", stroke=colours.INK, stroke_width=4)
    return canvas.svg(field.map["title"])


def _lines(canvas: Canvas, field: Field, land: Land) -> None:
    for chain in _drawn_out(land, field.sector):
        canvas.polyline(
            chain, stroke=colours.SECTOR, stroke_width=5, stroke_dasharray="16 9",
            stroke_linejoin="round", stroke_opacity=0.85,
        )  # fmt: skip
    for chain in _drawn_out(land, field.front):
        for colour, width in (("#fff6e0", 9.0), (colours.FRONT, 5.5)):
            canvas.polyline(
                chain, stroke=colour, stroke_width=width, stroke_linejoin="round",
                stroke_opacity=0.9,
            )  # fmt: skip


def _drawn_out(land: Land, sides: Iterable[Hexside]) -> list[list[Point]]:
    strung = chains(land.side(side) for side in sides)
    return [to_the_edge(land, chain) for chain in strung]


def _names(canvas: Canvas, field: Field, land: Land) -> None:
    for name, city in field.map["cities"].items():
        middles = [land.centre(field.hexes[cell]) for cell in city["hexes"]]
        x = sum(m[0] for m in middles) / len(middles)
        y = min(m[1] for m in middles) if len(middles) == 1 else max(m[1] for m in middles)
        _write(canvas, name.upper(), (x, y + 56), 15 if len(middles) > 1 else 12.5, 1.5)
    for cell, name in field.map.get("towns", {}).items():
        x, y = land.centre(field.hexes[cell])
        _write(canvas, name, (x, y + 27), 8.6, 1.15)
    _waters(canvas, field, land)


def _waters(canvas: Canvas, field: Field, land: Land) -> None:
    for name, places in (field.map.get("rivers") or {}).items():
        for cell in places:
            x, y = land.centre(field.hexes[cell])
            canvas.write(name, (x, y + 22), 8.5, colour=colours.BANK, weight=1.1, halo=_HALO)


def _write(canvas: Canvas, text: str, at: Point, size: float, weight: float) -> None:
    canvas.write(text, at, size, colour=colours.INK, weight=weight, halo=_HALO)


def _garrisons(canvas: Canvas, field: Field, land: Land) -> None:
    for city in field.map["cities"].values():
        for cell, strength in city["hexes"].items():
            x, y = land.centre(field.hexes[cell])
            canvas.rectangle(
                (x - 11, y - 12), 22, 22, rx=4, fill=colours.PAPER,
                stroke=colours.INK, stroke_width=1.6,
            )  # fmt: skip
            canvas.write(str(strength), (x, y + 5.5), 12, weight=1.5, colour=colours.INK)


def _points(canvas: Canvas, field: Field, land: Land) -> None:
    for name, *where in field.points_of_the_line():
        at, beside = ((x / land.k, y / land.k) for x, y in where)
        reach = math.dist(at, beside) or 1.0
        x = at[0] + 20 * (beside[0] - at[0]) / reach
        y = at[1] + 20 * (beside[1] - at[1]) / reach
        x, y = _kept_inside((x, y), land.size)
        fill = colours.AXIS if name.isdigit() else colours.GUARDS
        canvas.circle((x, y), 13, fill=fill, stroke=colours.PAPER, stroke_width=2.4)
        ink = colours.INK if name.isdigit() else colours.PAPER
        canvas.write(name, (x, y + 6), 12, weight=1.6, colour=ink)


def _kept_inside(at: Point, size: Iterable[float]) -> Point:
    x, y = (min(max(v, 16.0), top - 16.0) for v, top in zip(at, size, strict=True))
    return x, y
