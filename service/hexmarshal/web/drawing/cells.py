"""The cells of a map as pages read them: shapes once, then a name, a middle and a shape each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hexmarshal.geometry.grids import HexGrid
from hexmarshal.geometry.svg.view import View

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from hexmarshal.geometry.terrain.boards import PlacedBoard
    from hexmarshal.geometry.terrain.terrain_map import TerrainMap
    from hexmarshal.vassal.render.board_picture import BoardCell

__all__ = ["board_cells", "laid_cells", "terrain_cells"]

_Point = tuple[float, float]
_MOST = 60_000
"""A map with more cells than this is shown without them."""


class _Cells:
    def __init__(self) -> None:
        self._shapes: dict[tuple[int, ...], int] = {}
        self._cells: list[tuple[str, float, float, int]] = []

    def add(self, name: str, middle: _Point, corners: Iterable[_Point]) -> None:
        x, y = middle
        # Tenths of a pixel: hexes that are alike share a shape, whatever rounding did to them.
        shape = tuple(round((c[i] - middle[i]) * 10) for c in corners for i in (0, 1))
        number = self._shapes.setdefault(shape, len(self._shapes))
        self._cells.append((name, round(x, 1), round(y, 1), number))

    def full(self) -> bool:
        return len(self._cells) >= _MOST

    def to_json(self) -> dict[str, Any]:
        shapes = [[number / 10 for number in shape] for shape in self._shapes]
        return {"shapes": shapes, "cells": self._cells}


def board_cells(
    boards: Iterable[PlacedBoard], name_of: Callable[[str], str | None]
) -> dict[str, Any]:
    """The cells of a module's boards as they lie; `name_of` makes a cell's name of a location."""
    cells = _Cells()
    for placed in boards:
        grid: Any = placed.board.grid
        if grid is None:
            continue
        for cell in grid.cells():
            location = grid.name(cell)
            name = name_of(location) if location else None
            if not name:
                continue
            ring = _ring(grid, cell)
            if not ring or cells.full():
                continue
            middle = placed.outward(placed.board.laid(grid.centre(cell)))
            corners = [_laid(placed, corner) for corner in ring]
            cells.add(name, (float(middle[0]), float(middle[1])), corners)
    return cells.to_json()


def laid_cells(outlines: Iterable[BoardCell]) -> dict[str, Any]:
    """The cells of boards that lie outside of their module."""
    cells = _Cells()
    for cell in outlines:
        if not cells.full():
            cells.add(*cell)
    return cells.to_json()


def _ring(grid: Any, cell: Any) -> Sequence[_Point]:  # noqa: ANN401 - a grid of any kind
    """The corners of a cell; none if it is not in one piece."""
    if isinstance(grid, HexGrid):  # without a polygon for each of thousands
        return grid.layout.corners(cell)
    outline = getattr(grid.polygon(cell), "exterior", None)
    return [] if outline is None else list(outline.coords)[:-1]


def _laid(placed: PlacedBoard, corner: _Point) -> _Point:
    """A point of the grid on the map, not rounded to pixels."""
    board = placed.board
    x, y = corner[0] * board.magnification, corner[1] * board.magnification
    x, y = x - board.crop[0], y - board.crop[1]
    if board.reversed:
        x, y = board.size[0] - x, board.size[1] - y
    return x + placed.x, y + placed.y


def terrain_cells(terrain: TerrainMap, corner: _Point) -> dict[str, Any]:
    """The cells of a map that we draw, whose picture begins at `corner`."""
    view = View(terrain)
    left, top = corner
    cells = _Cells()
    for cell, name in terrain.names.items():
        x, y = view.centre(cell)
        corners = [(a - left, b - top) for a, b in view.corners(cell)]
        cells.add(name, (x - left, y - top), corners)
    return cells.to_json()
