"""Terrain tiles as pieces: turned by quarters and laid across the grid, with walls and openings."""

from __future__ import annotations

import math
from random import Random
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.games.heroes_of_stalingrad.art.colours import GROUNDS
from hexmarshal.games.heroes_of_stalingrad.state.ground.tiles import LETTERS, LaidTile
from hexmarshal.geometry.lattice.squares import Square
from hexmarshal.kit.drawing.canvas import Drawing, fitted, written
from hexmarshal.kit.drawing.colours import INK, tone

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.games.heroes_of_stalingrad.state.tables import Tables
    from hexmarshal.kit.drawing.canvas import Canvas

__all__ = ["CELL", "draw_tile", "tile"]

CELL: Final = 60.0
"""The side of a cell."""
_STEPS: Final = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
_OPENINGS: Final = {"door": "#e9d9a6", "window": "#9fd0e4"}
_WALL: Final = "#3b2a22"
_BRICKS: Final = ("#8d4a37", "#a55c45", "#7d766c", "#93897c", "#6d5044")


def tile(tables: Tables, key: str, turn: int, ruins: tuple[str, ...] = ()) -> str:
    """A tile after some quarter turns, in the upper left corner of a square picture."""
    row = tables.tile_rows[key]
    canvas = Drawing(max(row["size"]) * CELL)
    with canvas.group(transform=f"translate({CELL / 2:g} {CELL / 2:g})"):
        draw_tile(canvas, tables, LaidTile("", key, "", turn, ruins=ruins), Square(0, 0))
    return canvas.svg(str(row["title"]))


def draw_tile(canvas: Canvas, tables: Tables, laid: LaidTile, corner: Square) -> None:
    """Draw a tile where it lies, in cells of a grid whose cell (0, 0) has its middle at 0, 0."""
    row = tables.tile_rows[laid.key]
    squares = laid.squares(row, corner)
    for name, part in row["parts"].items():
        kind = str(part["kind"])
        if name in laid.ruins:
            kind = tables.kinds[kind].ruin or kind
        cells = [squares[_cell(text)] for text in part["cells"]]
        for square in cells:
            _floor(canvas, kind, square)
        if tables.kinds[kind].building:
            for square in cells:
                _walls(canvas, square, cells)
        elif name in laid.ruins:
            for square in cells:
                _stumps(canvas, square, cells)
        _name(canvas, tables.kinds[kind].title, cells)
    for where in row.get("walls") or ():
        text, _, side = where.partition("/")
        if _standing(row, laid, text) or _standing(row, laid, _beyond(text, side)):
            _side(canvas, squares[_cell(text)], laid.letter(side), "#a3211b", 3.2)
    for where, what in (row.get("openings") or {}).items():
        text, _, side = where.partition("/")
        if _standing(row, laid, text) or _standing(row, laid, _beyond(text, side)):
            _opening(canvas, squares[_cell(text)], laid.letter(side), _OPENINGS[what])


def _cell(text: str) -> tuple[int, int]:
    x, _, y = text.partition(",")
    return int(x), int(y)


def _beyond(text: str, side: str) -> str:
    (x, y), (dx, dy) = _cell(text), _STEPS[side]
    return f"{x + dx},{y + dy}"


def _standing(row: Mapping[str, Any], laid: LaidTile, text: str) -> bool:
    return any(
        text in part["cells"] and name not in laid.ruins for name, part in row["parts"].items()
    )


def _middle(square: Square) -> tuple[float, float]:
    return float(square.column) * CELL, float(square.row) * CELL


def _floor(canvas: Canvas, kind: str, square: Square) -> None:
    x, y = _middle(square)
    corner, shades = (x - CELL / 2, y - CELL / 2), tone(GROUNDS[kind])
    canvas.rectangle(corner, CELL, CELL, fill=shades.plain, stroke=shades.shaded, stroke_width=0.8)
    rng = Random(f"{kind} {square.column} {square.row}")
    for _ in range(16):
        at = x + rng.uniform(-25, 25), y + rng.uniform(-25, 25)
        _grain(canvas, kind, at, rng)


def _grain(canvas: Canvas, kind: str, at: tuple[float, float], rng: Random) -> None:
    """What the ground is made of: boards, stones, trees, earth."""
    x, y = at
    shades = tone(GROUNDS[kind])
    if kind in ("house", "hall"):
        ends = [(x - 5, y), (x + 5, y)]
        canvas.polyline(ends, stroke=shades.shaded, stroke_width=0.7, stroke_opacity=0.55)
    elif kind in ("grove", "thicket", "hedge"):
        size = rng.uniform(3.5, 7)
        canvas.circle(at, size, fill="#4f6b38", fill_opacity=0.85, stroke="#33481f")
    elif kind == "rubble":
        _brick(canvas, at, rng)
    else:
        size = rng.uniform(1.2, 3.4)
        canvas.circle(at, size, fill=shades.shaded, fill_opacity=0.6)


def _brick(canvas: Canvas, at: tuple[float, float], rng: Random) -> None:
    """A brick or a slab that lies as it fell."""
    x, y = at
    long, wide = rng.uniform(4, 8), rng.uniform(2, 4)
    angle = rng.uniform(0, math.pi)
    across, down = math.cos(angle), math.sin(angle)
    shape = [
        (x + a * long * across - b * wide * down, y + a * long * down + b * wide * across)
        for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    colour = rng.choice(_BRICKS)
    canvas.polygon(shape, fill=colour, stroke="#3f352c", stroke_width=0.7)


def _walls(canvas: Canvas, square: Square, part: list[Square]) -> None:
    for letter in LETTERS:
        dx, dy = _STEPS[letter]
        if Square(square.column + dx, square.row + dy) not in part:
            _side(canvas, square, letter, _WALL, 5)


def _stumps(canvas: Canvas, square: Square, part: list[Square]) -> None:
    """What is left of the outer walls: pieces, with gaps between them."""
    rng = Random(f"stumps {square.column} {square.row}")
    for letter in LETTERS:
        dx, dy = _STEPS[letter]
        if Square(square.column + dx, square.row + dy) in part:
            continue
        (x, y), (a, b) = _ends(square, letter, 0.5)
        for third in range(3):
            start = third / 3 + rng.uniform(0, 0.1)
            stop = start + rng.uniform(0.08, 0.2)
            ends = [(x + (a - x) * k, y + (b - y) * k) for k in (start, stop)]
            canvas.polyline(ends, stroke=_WALL, stroke_width=rng.uniform(3.5, 5.5))


def _side(canvas: Canvas, square: Square, letter: str, colour: str, wide: float) -> None:
    canvas.polyline(
        _ends(square, letter, 0.5), stroke=colour, stroke_width=wide, stroke_linecap="square"
    )


def _opening(canvas: Canvas, square: Square, letter: str, colour: str) -> None:
    for pen, wide in ((INK, 7.4), (colour, 5)):
        ends = _ends(square, letter, 0.2)
        canvas.polyline(ends, stroke=pen, stroke_width=wide)


def _ends(square: Square, letter: str, half: float) -> list[tuple[float, float]]:
    x, y = _middle(square)
    dx, dy = _STEPS[letter]
    a, b = x + dx * CELL / 2, y + dy * CELL / 2
    return [
        (a - dy * half * CELL, b - dx * half * CELL),
        (a + dy * half * CELL, b + dx * half * CELL),
    ]


def _name(canvas: Canvas, title: str, cells: list[Square]) -> None:
    x, y = _middle(min(cells, key=lambda square: (square.row, square.column)))
    size = fitted(title, 6, CELL - 12)
    written(canvas, title, (x, y + CELL * 0.36), size, "#1f1a12", weight=1.2)
