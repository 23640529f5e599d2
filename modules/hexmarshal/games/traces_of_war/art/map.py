"""The map as a sheet: the land, its ways and waters, and what the rules mark on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hexmarshal.games.traces_of_war.art import colours
from hexmarshal.games.traces_of_war.art.ground import Labels, Marks, Ridge, Rough
from hexmarshal.geometry.lattice.hexes import Hex
from hexmarshal.kit.drawing.canvas import Drawing
from hexmarshal.kit.drawing.signs import star
from hexmarshal.kit.ground.areas import Marsh, Water
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
)
from hexmarshal.kit.ground.painting import paint

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.geometry.terrain.terrain_map import TerrainMap
    from hexmarshal.kit.drawing.canvas import Canvas, Point
    from hexmarshal.kit.ground.painting import Brush

__all__ = ["LAND", "map_sheet"]

LAND: Final[tuple[Brush, ...]] = (
    Steppe(),
    Rough(),
    Marsh("marsh", ground="#bfcf9f"),
    Crowns("woods"),
    Water("sea", shallow="#9cc4dc", deep="#6fa6c8"),
    Outlines(),
    Rivers((("minor", 5.0), ("major", 13.0))),
    Ridge(),
    Cities("major_city"),
    # Rails run a little lower than roads, so that both show where they share a way.
    Ways((Way.road("road"), Way.rail("rail"))),
    Towns("city"),
)
_SEA: Final = "0334"
"""The hex in whose waters the title stands."""


def map_sheet(terrain: TerrainMap, data: Mapping[str, Any]) -> str:
    """The whole map as SVG, one unit a pixel of the board."""
    hexes = {name: cell for cell, name in terrain.names.items() if isinstance(cell, Hex)}
    grid: Mapping[str, Any] = terrain.grid or {}
    wide, high = int(grid["width"]), int(grid["height"])
    canvas = Drawing(wide, high)
    brushes = (*LAND, Marks(data, hexes), Numbers(), Labels(data, hexes))
    land = paint(canvas, terrain, brushes, made_for=CELLS)
    closed = terrain.cell_terrain.get(hexes[_SEA], ()) if _SEA in hexes else ()
    if "sea" in closed:
        x, y = land.centre(hexes[_SEA])
        _title(canvas, data["title"], (x * land.k, y * land.k))
    canvas.rectangle((2, 2), wide - 4, high - 4, fill="none", stroke=colours.INK, stroke_width=4)
    return canvas.svg(data["title"])


def _title(canvas: Canvas, title: str, at: Point) -> None:
    """The cartouche: what the map is, whose it is, and what its signs mean."""
    x, y = at[0] - 102, at[1] - 44
    canvas.rectangle(
        (x, y), 470, 196, rx=10, fill=colours.PAPER, fill_opacity=0.93, stroke=colours.INK,
        stroke_width=2,
    )  # fmt: skip
    canvas.write("TRACES OF WAR", (x + 18, y + 32), 20, anchor="start", weight=2)
    text = f"{title}, August 1943 to March 1944. A map of our own:"
    canvas.write(text, (x + 18, y + 52), 7.8, anchor="start", weight=1.1)
    text = "the rulebook gives the hexes of seven cities and of CP 1826, 1827."
    canvas.write(text, (x + 18, y + 66), 7.8, anchor="start", weight=1.1)
    for i, (text, how) in enumerate(_LEGEND):
        column, row = divmod(i, 4)
        where = x + 34 + 224 * column, y + 92 + 27 * row
        how(canvas, where)
        canvas.write(text, (where[0] + 24, where[1] + 4), 8.2, anchor="start", weight=1.1)


def _disc(colour: str, text: str = "") -> Any:  # noqa: ANN401 - draws a sign
    def draw(canvas: Canvas, at: Point) -> None:
        canvas.circle(at, 10, fill=colour, stroke=colours.INK, stroke_width=1)
        if text:
            canvas.write(text, (at[0], at[1] + 3), 6.4, weight=1.4, colour=colours.PAPER)

    return draw


def _rim(colour: str) -> Any:  # noqa: ANN401 - draws a sign
    def draw(canvas: Canvas, at: Point) -> None:
        canvas.rectangle(
            (at[0] - 11, at[1] - 8), 22, 16, rx=3, fill="none", stroke=colour, stroke_width=3.4,
            stroke_dasharray="6 4",
        )  # fmt: skip

    return draw


def _star(canvas: Canvas, at: Point) -> None:
    corners = star(at, 10, points=6, depth=0.6)
    canvas.polygon(corners, fill=colours.ORDER, stroke=colours.INK, stroke_width=0.9)


def _line(*strokes: tuple[str, float, str | None]) -> Any:  # noqa: ANN401 - draws a sign
    def draw(canvas: Canvas, at: Point) -> None:
        for colour, wide, dashes in strokes:
            canvas.polyline(
                ((at[0] - 13, at[1]), (at[0] + 13, at[1])), stroke=colour, stroke_width=wide,
                stroke_dasharray=dashes,
            )  # fmt: skip

    return draw


_LEGEND: Final = (
    ("Soviet supply source", _disc(colours.SOVIET_RED)),
    ("Axis supply source", _disc(colours.AXIS_BLUE)),
    ("Crossing point", _disc(colours.CROSSING, "CP")),
    ("Breakthrough hex", _rim(colours.BREAKTHROUGH)),
    ("Supreme Command order", _star),
    ("Major river", _line(("#2f6b9c", 12, None), ("#5b9bcc", 9, None))),
    ("Minor river", _line(("#2f6b9c", 6, None), ("#5b9bcc", 4, None))),
    ("Blocked hexside", _line(("#5a3d2b", 6, None))),
)
