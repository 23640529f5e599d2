"""The boards: trampled ground with what the data lay on it, and the grid of cells."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.games.heroes_of_stalingrad.art.colours import GROUNDS
from hexmarshal.games.heroes_of_stalingrad.art.tiles import CELL, draw_tile
from hexmarshal.kit.drawing.canvas import Drawing
from hexmarshal.kit.drawing.colours import INK, tone
from hexmarshal.kit.drawing.signs import star
from hexmarshal.kit.ground.areas import Marsh, Rubble, Water
from hexmarshal.kit.ground.painting import Grid, paint
from hexmarshal.kit.ground.plain import bounds
from hexmarshal.kit.ground.relief import Meadow, Tufts
from hexmarshal.kit.ground.woods import Floor, Trees, forest, light_woods

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.games.heroes_of_stalingrad.state.ground.tiles import LaidTile
    from hexmarshal.games.heroes_of_stalingrad.state.tables import Tables
    from hexmarshal.geometry.terrain.terrain_map import TerrainMap
    from hexmarshal.kit.drawing.canvas import Canvas
    from hexmarshal.kit.ground.land import Land
    from hexmarshal.kit.ground.painting import Brush

__all__ = ["board"]

_CELLS: Final = (CELL, CELL)
_WOODS: Final = (light_woods("grove"), forest("thicket"))
_EARTH: Final = ("#c4b896", "#b2a582", "#bcb08c", "#aa9e78")


@dataclass(frozen=True, slots=True)
class _Works:
    """What stands in single cells: craters, blocks, hedges, wire, positions."""

    def draw(self, canvas: Canvas, land: Land) -> None:
        """Draw each in its cell."""
        for cell in land.cells:
            kind = land.terrain(cell)
            if kind in _SIGNS:
                land.covers(land.polygon(cell))
                _SIGNS[kind](canvas, *land.centre(cell))


def _crater(canvas: Canvas, x: float, y: float) -> None:
    for reach, fill in ((22, "#8d7a58"), (15, "#6f5f44"), (8, "#574a36")):
        canvas.polygon(star((x, y), reach, points=13, depth=0.86), fill=fill, fill_opacity=0.85)


def _block(canvas: Canvas, x: float, y: float) -> None:
    shades = tone(GROUNDS["block"])
    canvas.rectangle((x - 27, y - 27), 54, 54, rx=2, fill=shades.plain, stroke=INK, stroke_width=2)
    for one, other in (((-27, -27), (27, 27)), ((27, -27), (-27, 27))):
        ends = [(x + one[0], y + one[1]), (x + other[0], y + other[1])]
        canvas.polyline(ends, stroke=shades.shaded, stroke_width=2)


def _hedge(canvas: Canvas, x: float, y: float) -> None:
    rng = Random(f"hedge {x} {y}")
    for _ in range(34):
        at = x + rng.uniform(-24, 24), y + rng.uniform(-24, 24)
        canvas.circle(at, rng.uniform(3, 6), fill="#6f8a44", stroke="#475d2a", stroke_width=0.8)


def _wire(canvas: Canvas, x: float, y: float) -> None:
    for dy in (-14, 0, 14):
        points = [(x - 27 + 6 * i, y + dy + (4 if i % 2 else -4)) for i in range(10)]
        canvas.polyline(points, stroke="#3c3a36", stroke_width=1.4)
        canvas.polyline([(x - 28, y + dy), (x + 28, y + dy)], stroke="#5a5750", stroke_width=0.8)


def _works(canvas: Canvas, x: float, y: float) -> None:
    canvas.rectangle((x - 22, y - 22), 44, 44, rx=9, fill="#8d7a58", stroke="#5f4f33",
                     stroke_width=6, stroke_dasharray="8 3")  # fmt: skip


_SIGNS: Final[dict[str, Any]] = {
    "crater": _crater,
    "block": _block,
    "hedge": _hedge,
    "wire": _wire,
    "position": _works,
    "emplacement": _works,
}
_BRUSHES: Final[tuple[Brush, ...]] = (
    Meadow("#b9ad88", _EARTH),
    Floor(_WOODS),
    Marsh("marsh", ground="#a7ab7f"),
    Water("water"),
    Rubble("rubble"),
    _Works(),
    Tufts("#8a7f52"),
    Trees(_WOODS),
    Grid(dark=frozenset({"thicket", "water"})),
)


def board(terrain: TerrainMap, tables: Tables, tiles: Iterable[LaidTile] = ()) -> str:
    """A board as SVG in its own pixels, with tiles drawn on it where some are given."""
    left, top, right, bottom = bounds(terrain)
    canvas = Drawing(right - left, bottom - top)
    with canvas.group(transform=f"translate({-left:g} {-top:g})"):
        land = paint(canvas, terrain, _BRUSHES, made_for=_CELLS)
        names: dict[str, Any] = {name: cell for cell, name in terrain.names.items()}
        for laid in tiles:
            square = names[laid.at]
            x, y = (land.k * at for at in land.centre(square))
            x, y = x - CELL * float(square.column), y - CELL * float(square.row)
            with canvas.group(transform=f"translate({x:g} {y:g})"):
                draw_tile(canvas, tables, laid, square)
    return canvas.svg(terrain.name_of_map)
