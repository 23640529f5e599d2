"""The hex grid of a VASL board, exact: flat-topped hexes in columns, in fractions of a pixel.

A hex stands at a column and at a height in half hexes, both whole numbers, so that a shift or a
half turn of a board is a shift or a half turn of whole numbers. Points are whole numbers of
1/`scale` of a pixel; pixel i covers what lies between i and i + 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from hexmarshal.vassal.vasl.metadata import BoardMetadata

    Ints = npt.NDArray[np.int64]

__all__ = [
    "GEO_HEX_HEIGHT",
    "GEO_HEX_WIDTH",
    "NONE",
    "NO_VERTEX",
    "SIDES",
    "HexGrid",
    "grid_of",
    "hex_name",
    "vertex_towards",
]

NONE = -1
NO_VERTEX = -1
"""The index of a hex that is not there."""

SIDES = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
"""The step in columns and half hexes across each hexside: the top one, then clockwise."""

GEO_HEX_WIDTH = Fraction(225, 4)
GEO_HEX_HEIGHT = Fraction(129, 2)

_LETTERS = 26
_HALF_BOARD = -901
_EQUAL_ROWS, _EQUAL_ROWS_A1 = "TopLeftHalfHeightEqualRowCount", 65
"""A layout with as many hexes in every column, the first ones numbered 0; or where A1 then is."""
_FINEST = 480
_SECOND_HALF = "Q"


@dataclass(frozen=True, eq=False)
class HexGrid:
    """Where the hexes are and what they are called; all arrays run over the hexes."""

    scale: int
    width: int
    """In pixels, as `height`."""
    height: int
    hex_width: int
    """From one column to the next, in 1/scale of a pixel, as `hex_height`."""
    hex_height: int
    column: Ints
    half_row: Ints
    x: Ints
    y: Ints
    names: tuple[str, ...]

    @cached_property
    def by_name(self) -> dict[str, int]:
        """The index of every hex by its name; a hex on a seam has a name on either board."""
        named: dict[str, int] = {}
        for index, name in enumerate(self.names):
            for one in name.split("/"):
                named.setdefault(one.upper(), index)
        return named

    @cached_property
    def _table(self) -> tuple[Ints, int, int]:
        left, top = int(self.column.min()) - 2, int(self.half_row.min()) - 4
        wide, tall = int(self.column.max()) - left + 3, int(self.half_row.max()) - top + 5
        table = np.full((wide, tall), NONE, np.int64)
        table[self.column - left, self.half_row - top] = np.arange(len(self.names))
        return table, left, top

    def index(self, column: Ints, half_row: Ints) -> Ints:
        """The hexes at these columns and half rows, or NONE."""
        table, left, top = self._table
        column, half_row = column - left, half_row - top
        inside = (column >= 0) & (column < table.shape[0])
        inside &= (half_row >= 0) & (half_row < table.shape[1])
        return np.where(
            inside, table[np.where(inside, column, 0), np.where(inside, half_row, 0)], NONE
        )

    @cached_property
    def neighbours(self) -> Ints:
        """The hex across each hexside, or NONE."""
        steps = (self.index(self.column + right, self.half_row + down) for right, down in SIDES)
        return np.stack(list(steps), axis=1)

    @cached_property
    def spokes(self) -> tuple[tuple[int, int], ...]:
        """From a hex's centre to its vertices: the left one of the top, then clockwise."""
        w, h = self.hex_width // 3, self.hex_height // 2
        return ((-w, -h), (w, -h), (2 * w, 0), (w, h), (-w, h), (-2 * w, 0))

    def range(self, a: Ints, b: Ints) -> Ints:
        """How many hexes from hex a to hex b."""
        across = np.abs(self.column[a] - self.column[b])
        down = np.abs(self.half_row[a] - self.half_row[b])
        return across + np.maximum(0, (down - across) // 2)  # type: ignore[no-any-return]

    @cached_property
    def _places(self) -> tuple[list[int], list[int]]:
        return self.column.tolist(), self.half_row.tolist()

    def distance(self, a: int, b: int) -> int:
        """The range for a single pair."""
        columns, half_rows = self._places
        across, down = abs(columns[a] - columns[b]), abs(half_rows[a] - half_rows[b])
        return across + max(0, (down - across) // 2)

    def outline(self, index: int) -> list[tuple[float, float]]:
        """The vertices of a hex in pixels."""
        x, y, s = int(self.x[index]), int(self.y[index]), self.scale
        return [((x + dx) / s, (y + dy) / s) for dx, dy in self.spokes]


def grid_of(metadata: BoardMetadata, columns: int, rows: int, width: int, height: int) -> HexGrid:
    """The grid of a board of that many columns of hexes and rows in the shorter columns."""
    hex_width = metadata.hex_width or GEO_HEX_WIDTH
    hex_height = metadata.hex_height or GEO_HEX_HEIGHT
    x0 = max(metadata.a1_x or Fraction(0), Fraction(0))
    y0 = metadata.a1_y if metadata.a1_y is not None else hex_height / 2
    # Every second column is half a hex higher; it is the other one where A has a half hex on top.
    equal = metadata.layout == _EQUAL_ROWS or y0 == _EQUAL_ROWS_A1
    lower = equal or y0 == 0
    if equal:
        y0 = Fraction(0)
    offset = 0
    if y0 < 0:
        # The second half of a long board: the rows go on where the first half ends.
        offset = math.floor(-y0 / hex_height) + 1
        y0 = hex_height / 2
    first = _SECOND_HALF if metadata.a1_x == _HALF_BOARD else "A"
    hex_width, hex_height, x0, y0 = _fine_enough(hex_width, hex_height, x0, y0)
    scale = math.lcm(*(f.denominator for f in (hex_width / 3, hex_height / 2, x0, y0)))
    column, half_row, names = [], [], []
    for c in range(columns):
        odd = c % 2
        more = 0 if equal else 1 - odd if lower else odd
        for r in range(rows + more):
            column.append(c)
            half_row.append(2 * r + odd if lower else 2 * r - odd)
            names.append(hex_name(c, r + offset + (not equal and not odd), first))
    w, h = int(hex_width * scale), int(hex_height * scale)
    cs, vs = np.array(column, np.int64), np.array(half_row, np.int64)
    xs, ys = int(x0 * scale) + w * cs, int(y0 * scale) + h // 2 * vs
    return HexGrid(scale, width, height, w, h, cs, vs, xs, ys, tuple(names))


def _fine_enough(*sizes: Fraction) -> list[Fraction]:
    """Sizes with more digits than a picture has are rounded to a thousandth of a pixel or so."""
    if math.lcm(*(f.denominator for f in sizes)) <= _FINEST:
        return list(sizes)
    return [Fraction(round(f * _FINEST), _FINEST) for f in sizes]


def hex_name(column: int, row: int, first: str = "A") -> str:
    """Letters of the column, doubled after Z and tripled after ZZ, and the row's number."""
    ahead = ord(first) - ord("A")
    times, letter = divmod(column + ahead, _LETTERS)
    return chr(ord("A") + letter) * (times + 1) + str(row)


def owners(grid: HexGrid, order: Sequence[int] | None = None) -> npt.NDArray[np.int32]:
    """The hex of every pixel's centre, or NONE; on a hexside the hex that comes first."""
    owner = np.full((grid.height, grid.width), NONE, np.int32)
    scale, reach_x, reach_y = grid.scale, 2 * (grid.hex_width // 3), grid.hex_height // 2
    masks: dict[tuple[int, int], tuple[npt.NDArray[np.bool_], int, int]] = {}
    for index in order if order is not None else range(len(grid.names)):
        x, y = int(grid.x[index]), int(grid.y[index])
        phase = (x % scale, y % scale)
        if phase not in masks:
            masks[phase] = _mask(phase, reach_x, reach_y, scale)
        mask, left, top = masks[phase]
        x_from, y_from = x // scale + left, y // scale + top
        x_cut, y_cut = max(0, -x_from), max(0, -y_from)
        view = owner[
            y_from + y_cut : min(grid.height, y_from + mask.shape[0]),
            x_from + x_cut : min(grid.width, x_from + mask.shape[1]),
        ]
        part = mask[y_cut : y_cut + view.shape[0], x_cut : x_cut + view.shape[1]]
        view[part & (view == NONE)] = index
    return owner


def _mask(
    phase: tuple[int, int], reach_x: int, reach_y: int, scale: int
) -> tuple[npt.NDArray[np.bool_], int, int]:
    """Which pixels have their centre in a hex whose own centre stands at `phase` in its pixel."""
    columns, rows = reach_x // scale + 2, reach_y // scale + 2
    # In halves of a unit, because a pixel's centre is half a pixel from its edge.
    dx = np.abs((2 * np.arange(-columns, columns + 1) + 1) * scale - 2 * phase[0])
    dy = np.abs((2 * np.arange(-rows, rows + 1) + 1) * scale - 2 * phase[1])
    x, y = np.meshgrid(dx, dy)
    # Inside the slanted sides: x / (2w) + y / (2h) <= 1 with w, h the half sizes of the hex.
    inside = (y <= 2 * reach_y) & (2 * x * reach_y + y * reach_x <= 4 * reach_x * reach_y)
    return inside, -columns, -rows


def vertex_towards(grid: HexGrid, start: Ints, end: Ints) -> Ints:
    """The vertices through which lines from centre to centre leave their first hexes, or -1.

    Such lines run along hexsides.
    """
    right = grid.column[end] - grid.column[start]
    down = grid.half_row[end] - grid.half_row[start]
    level = np.where(right > 0, 2, 5)
    steep = np.where(down > 0, np.where(right > 0, 3, 4), np.where(right > 0, 1, 0))
    along = ((down == 0) | (np.abs(down) == 3 * np.abs(right))) & (right != 0)
    return np.where(along, np.where(down == 0, level, steep), NO_VERTEX)
