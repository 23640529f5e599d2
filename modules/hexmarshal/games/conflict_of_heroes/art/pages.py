"""Pictures to look at beside the game: the counter sheet, and what a hex sees."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

import shapely

from hexmarshal.games.conflict_of_heroes.art.board import draw_board
from hexmarshal.games.conflict_of_heroes.art.colours import INK, PAPER
from hexmarshal.games.conflict_of_heroes.art.counters import ARROW, SIZE, draw_counter
from hexmarshal.geometry.svg.canvas import Canvas
from hexmarshal.kit.drawing.canvas import written
from hexmarshal.kit.drawing.counter_sheet import counter_sheet
from hexmarshal.kit.drawing.counters import draw_arrow
from hexmarshal.kit.drawing.outlines import path
from hexmarshal.kit.drawing.signs import puff

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hexmarshal.games.conflict_of_heroes.state.tables import Counter
    from hexmarshal.geometry.svg.canvas import Point
    from hexmarshal.geometry.terrain.terrain_map import TerrainMap
    from hexmarshal.kit.ground.land import Land

__all__ = ["Shown", "Shot", "counter_sheet_svg", "field_svg"]

_ON_BOARD: Final = 46 / SIZE


class Shown(NamedTuple):
    """A unit to draw on a board: its type, hex and facing."""

    unit: Counter
    cell: str
    facing: int = 0


class Shot(NamedTuple):
    """A line to draw from hex to hex, and the hexes that block it."""

    start: str
    end: str
    blocked_at: tuple[str, ...] = ()


def counter_sheet_svg(units: Iterable[Counter], *, columns: int = 10) -> str:
    """Counters side by side, each type fresh and spent."""
    faces = [partial(draw_counter, unit=unit, spent=s) for unit in units for s in (False, True)]
    return counter_sheet({"": faces}, SIZE, gap=8, columns=columns, ground="#6f7d58")


def field_svg(
    map: TerrainMap,
    start: str,
    seen: Mapping[str, int],
    *,
    smoke: Mapping[str, int] | None = None,
    units: Sequence[Shown] = (),
    shots: Sequence[Shot] = (),
) -> str:
    """What a hex sees: the rest lies in the dark, and smoke on the way is written in."""
    canvas = Canvas(native_text=False)
    land = draw_board(canvas, map)
    with canvas.group(transform=f"scale({land.k:.6f})" if land.k != 1.0 else None):
        _shade(canvas, land, start, seen)
        for cell, points in (smoke or {}).items():
            _smoke(canvas, land.centre(map.hex(cell)), points)
        for shot in shots:
            _draw_shot(canvas, land, shot)
        for shown in units:
            _draw_unit(canvas, land, shown)
    left, top, right, bottom = (edge * land.k for edge in land.bounds)
    return canvas.render((left, top, right, bottom), f"What {start} sees")


def _shade(canvas: Canvas, land: Land, start: str, seen: Mapping[str, int]) -> None:
    lit = [land.polygon(land.map.hex(name)).buffer(0.05) for name in {start, *seen}]
    light = shapely.union_all(sorted(lit, key=lambda shape: shape.bounds))
    canvas.element("path", d=path(land.sheet.difference(light)), fill="#10131f", fill_opacity=0.62)
    canvas.element("path", d=path(light), fill="none", stroke="#ffe26b", stroke_width=2.2)
    for name, points in seen.items():
        if points:
            x, y = land.centre(land.map.hex(name))
            canvas.polygon(land.corners(land.map.hex(name)), fill="#e9e6df", fill_opacity=0.35)
            canvas.circle((x, y + 18), 8, fill=PAPER, stroke="#6d6a63", stroke_width=1)
            written(canvas, f"+{points}", (x, y + 18), 6.4, INK, weight=1.5)
    canvas.polygon(land.corners(land.map.hex(start)), fill="none", stroke="#ffffff", stroke_width=3)


def _smoke(canvas: Canvas, at: Point, points: int) -> None:
    for turn in range(6):
        angle = math.pi * turn / 3
        puff(canvas, (at[0] + 16 * math.cos(angle), at[1] + 14 * math.sin(angle)), 14)
    canvas.circle(at, 9, fill="#f7f6f1", stroke="#6d6a63", stroke_width=1)
    written(canvas, f"+{points}", at, 7, "#4a4842", weight=1.6)


def _draw_shot(canvas: Canvas, land: Land, shot: Shot) -> None:
    ends = [land.centre(land.map.hex(name)) for name in (shot.start, shot.end)]
    colour = "#ff4a36" if shot.blocked_at else "#5dff7a"
    canvas.polyline(ends, stroke="#101010", stroke_width=4.6, stroke_opacity=0.6)
    canvas.polyline(ends, stroke=colour, stroke_width=2.4)
    for name in shot.blocked_at:
        x, y = land.centre(land.map.hex(name))
        for pen, wide in (("#101010", 7.0), (colour, 3.6)):
            canvas.element(
                "path", d=f"M{x - 8} {y - 8}L{x + 8} {y + 8}M{x + 8} {y - 8}L{x - 8} {y + 8}",
                stroke=pen, stroke_width=wide, stroke_linecap="round",
            )  # fmt: skip
    canvas.circle(ends[1], 5, fill=colour, stroke="#101010", stroke_width=1.2)


def _draw_unit(canvas: Canvas, land: Land, shown: Shown) -> None:
    x, y = land.centre(land.map.hex(shown.cell))
    scale = f"scale({_ON_BOARD:.3f})"
    turn = f"rotate({60 * shown.facing}) {scale} translate({-ARROW / 2} {-ARROW / 2})"
    with canvas.group(transform=f"translate({x:.2f} {y:.2f}) {turn}"):
        draw_arrow(canvas, ARROW)
    face = f"{scale} translate({-SIZE / 2} {-SIZE / 2})"
    with canvas.group(transform=f"translate({x:.2f} {y:.2f}) {face}"):
        draw_counter(canvas, shown.unit)
