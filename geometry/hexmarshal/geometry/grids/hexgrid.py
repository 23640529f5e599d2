"""Hex grids with the engine's arithmetic: upright (flat top) or sideways (pointy top)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.geometry.cells import unknown_cell
from hexmarshal.geometry.grids.attributes import check_size, flag, number, whole
from hexmarshal.geometry.grids.grid import Grid, Pixel, Size, as_pixel
from hexmarshal.geometry.grids.java import crosses_odd, float32, half, round_half_up
from hexmarshal.geometry.grids.numbering import Extent, Numbering
from hexmarshal.geometry.lattice.hexes import Hex
from hexmarshal.geometry.lattice.layout import Layout
from hexmarshal.geometry.lattice.orientation import Offset, Orientation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shapely import Polygon

    from hexmarshal.geometry.grids.attributes import Attributes

__all__ = ["HexGrid"]

_HALF_SQRT3 = math.sqrt(3) / 2
_DEFAULT_DY = 64.0
_DEFAULT_DX = _HALF_SQRT3 * _DEFAULT_DY

# Where else a point may be that is in the rectangle of an even or of an odd column's hex.
_EVEN_COLUMN = ((-1, -1), (-1, 0), (1, -1), (1, 0))
_ODD_COLUMN = ((-1, 0), (-1, 1), (1, 0), (1, 1))


@dataclass(frozen=True, slots=True)
class HexGrid(Grid[Hex]):
    """A grid of hexes; odd columns (sideways: rows) lie half a hex further.

    All lengths act on the point with x and y exchanged if the grid is sideways. The grid's own
    count of columns and rows ("raw") starts at (x0, y0) and runs the same way.
    """

    size: Size
    dx: float = _DEFAULT_DX
    dy: float = _DEFAULT_DY
    x0: int = 0
    y0: int = 32
    sideways: bool = False
    snaps: bool = True
    edges_legal: bool = False
    corners_legal: bool = False
    snap_scale: int = 0
    numbering: Numbering | None = None
    board: Size | None = None
    """The board, where that is not what the grid covers: a zone's grid counts in board pixels."""

    def __post_init__(self) -> None:
        # A width that follows the height is not to blame for it.
        check_size("dy", self.dy, least=2)
        check_size("dx", self.dx, least=2)

    @classmethod
    def from_attributes(
        cls,
        attributes: Attributes,
        covers: Size,
        numbering: Numbering | None = None,
        board: Size | None = None,
    ) -> HexGrid:
        """From the attributes of a `HexGrid`."""
        dx, dy = number(attributes, "dx", _DEFAULT_DX), number(attributes, "dy", _DEFAULT_DY)
        return cls(
            size=covers,
            # A width left at its default follows the height.
            dx=_HALF_SQRT3 * dy if dx == _DEFAULT_DX else dx,
            dy=dy,
            x0=whole(attributes, "x0", 0),
            y0=whole(attributes, "y0", 32),
            sideways=flag(attributes, "sideways", default=False),
            snaps=flag(attributes, "snapTo", default=True),
            edges_legal=flag(attributes, "edgesLegal", default=False),
            corners_legal=flag(attributes, "cornersLegal", default=False),
            snap_scale=whole(attributes, "snapscale", 0),
            numbering=numbering,
            board=board,
        )

    @property
    def orientation(self) -> Orientation:
        """How the hexes stand."""
        return Orientation.POINTY if self.sideways else Orientation.FLAT

    @property
    def layout(self) -> Layout:
        """The hexes' unrounded outlines."""
        x0, y0 = (self.y0, self.x0) if self.sideways else (self.x0, self.y0)
        return Layout(self.orientation, self.dx, self.dy, x0, y0)

    @property
    def _extent(self) -> Extent:
        # The engine divides the height by the column width and the width by the row height.
        return Extent(half(self.size.width / self.dy), half(self.size.height / self.dx))

    def _upright(self, pixel: tuple[int, int]) -> Pixel:
        found = as_pixel(pixel)
        return found.swapped() if self.sideways else found

    def _turned(self, x: int, y: int) -> Pixel:
        return Pixel(y, x) if self.sideways else Pixel(x, y)

    def hex_of(self, raw_column: int, raw_row: int) -> Hex:
        """The hex at a column and row of the grid's own count."""
        if self.sideways:
            return Hex.from_offset(raw_row, raw_column, Offset.ODD_R)
        return Hex.from_offset(raw_column, raw_row, Offset.ODD_Q)

    def raw_of(self, cell: Hex) -> tuple[int, int]:
        """The column and row of a hex in the grid's own count."""
        if self.sideways:
            row, column = cell.to_offset(Offset.ODD_R)
            return column, row
        return cell.to_offset(Offset.ODD_Q)

    def rectangular_at(self, pixel: tuple[int, int]) -> Hex:
        """The hex that names a pixel: the engine takes hexes for rectangles there."""
        return self.hex_of(*self._raw_rectangular(self._upright(pixel)))

    def _raw_rectangular(self, point: Pixel) -> tuple[int, int]:
        column = half((point.x - self.x0) / self.dx)
        # The row's parity test rounds a little differently from the column itself.
        shoved = self.dy / 2 if round_half_up((point.x - self.x0) / self.dx) % 2 else 0
        return column, round_half_up((point.y - self.y0 - shoved) / self.dy)

    def _raw_centre(self, column: int, row: int) -> tuple[int, int]:
        shoved = int(self.dy / 2) if column % 2 else 0
        return int(self.dx * column + self.x0), int(self.dy * row + shoved + self.y0)

    def _outline(self, column: int, row: int) -> tuple[tuple[int, int], ...]:
        """The hexagon of whole pixels by which the engine decides, in its 32-bit floats."""
        x, y = self._raw_centre(column, row)
        width, height = float32(self.dx), float32(self.dy)
        long = float32(float32(2 * width) / 3)

        def near(value: float) -> int:
            return round_half_up(float32(value))

        left, right = near(x - 0.5 * long), near(x + 0.5 * long) + 1
        top, bottom = near(y - 0.5 * height), near(y + 0.5 * height) + 1
        tips = (near(x - long), y), (near(x + long) + 1, y)
        return tips[0], (left, top), (right, top), tips[1], (right, bottom), (left, bottom)

    def _raw_at(self, point: Pixel) -> tuple[int, int]:
        x, y = point
        column = math.floor((x - self.x0 + self.dx / 2) / self.dx)
        if column % 2:
            row, others = math.floor((y - self.y0) / self.dy), _ODD_COLUMN
        else:
            row, others = math.floor((y - self.y0 + self.dy / 2) / self.dy), _EVEN_COLUMN
        for step_column, step_row in ((0, 0), *others):
            candidate = column + step_column, row + step_row
            if crosses_odd(self._outline(*candidate), x, y):
                return candidate
        return column, row

    def cell_at(self, pixel: tuple[int, int]) -> Hex:
        """The hex whose outline holds a pixel."""
        return self.hex_of(*self._raw_at(self._upright(pixel)))

    def centre(self, cell: Hex) -> Pixel:
        """The pixel in the middle of a hex, where pieces snap to."""
        return self._turned(*self._raw_centre(*self.raw_of(cell)))

    def name(self, cell: Hex) -> str | None:
        """The printed name of a hex, or None if the grid has no numbering."""
        if self.numbering is None:
            return None
        raw = self.raw_of(cell)
        return self.numbering.name(
            *self.numbering.count_hex(*raw, self._extent, sideways=self.sideways)
        )

    def location_name(self, pixel: tuple[int, int]) -> str | None:
        """The engine's name for a pixel just as it is."""
        return self.name(self.rectangular_at(pixel))

    def snap(
        self, pixel: tuple[int, int], *, force: bool = False, centre_only: bool = False
    ) -> Pixel:
        """Where the engine puts a piece that is dropped on a pixel."""
        if not (self.snaps or force):
            return as_pixel(pixel)
        point = self._upright(pixel)
        centre = self._snap_centre(point)
        targets = []
        if self.corners_legal and not centre_only:
            targets.append(self._or_centre(point, self._vertex(point)))
        if self.edges_legal and not centre_only:
            targets.append(self._or_centre(point, self._hexside(point)))
        if not targets:
            return self._turned(*centre)
        nearest = min(targets, key=lambda target: _squared(point, target))
        # The engine's vertices can be a pixel beside the centre that they mean.
        return self._turned(*(centre if _squared(centre, nearest) <= 2 else nearest))

    def _snap_centre(self, point: Pixel) -> tuple[int, int]:
        x, y = self._raw_centre(*self._raw_at(point))
        if self.snap_scale <= 0:
            return x, y
        return (
            x + _fraction_of_cell(point.x - x, self.dx, self.snap_scale),
            y + _fraction_of_cell(point.y - y, self.dy, self.snap_scale),
        )

    def _or_centre(self, point: Pixel, target: tuple[int, int]) -> tuple[int, int]:
        if self.snap_scale <= 0:
            return target
        centre = self._snap_centre(point)
        return centre if _steps(point, centre) <= _steps(point, target) else target

    def _hexside(self, point: Pixel) -> tuple[int, int]:
        x, y = point.x - self.x0, point.y - self.y0
        column = math.floor((x + self.dx / 4) * 2 / self.dx)
        if column % 2:
            row = self.dy / 2 * math.floor(y * 2 / self.dy) + int(self.dy / 4)
        else:
            row = self.dy / 2 * math.floor((y + self.dy / 4) * 2 / self.dy)
        return int(self.dx / 2 * column + self.x0), int(row + self.y0)

    def _vertex(self, point: Pixel) -> tuple[int, int]:
        x, y = point.x - self.x0, point.y - self.y0
        row = math.floor((y + self.dy / 4) * 2 / self.dy)
        third = self.dx / 3
        if row % 2:
            column = int(math.floor(x + third + third) * 3 / (2 * self.dx))
            across = 2 * self.dx / 3 * column - int(third)
        else:
            across = 2 * self.dx / 3 * int(math.floor(x + third) * 3 / (2 * self.dx))
        return int(across + self.x0), int(self.dy / 2 * row + self.y0)

    def range(self, one: tuple[int, int], other: tuple[int, int]) -> int:
        """The distance in hexes between those that name the pixels."""
        return self.rectangular_at(one).distance(self.rectangular_at(other))

    def cells_named(self, name: str) -> Iterator[Hex]:
        """The hexes that carry a name and touch the board."""
        if self.numbering is None:
            return
        readings = (
            self.numbering.raw_hex(column, row, self._extent, sideways=self.sideways)
            for column, row in self.numbering.read(name)
            if self.numbering.name(column, row) == name
        )
        # A name that can be read in two ways means the hex that lies further inside.
        on_board = [raw for raw in readings if self._off_board(*raw) <= 0]
        yield from (
            self.hex_of(*raw) for raw in sorted(on_board, key=lambda r: self._off_board(*r))
        )
        if not self.numbering.complete:
            # A format without the row or the column: the name stands for many hexes.
            yield from (cell for cell in self.cells() if self.name(cell) == name)

    def _upright_board(self) -> Size:
        width, height = self.board or self.size
        return Size(height, width) if self.sideways else Size(width, height)

    def _off_board(self, column: int, row: int) -> int:
        """1 if a hex lies off the board, 0 if it reaches onto it, -1 if its centre does."""
        x, y = self._raw_centre(column, row)
        width, height = self._upright_board()
        if 0 <= x < width and 0 <= y < height:
            return -1
        reach, depth = 2 * self.dx / 3 + 1, self.dy / 2 + 1
        return 0 if -reach <= x <= width + reach and -depth <= y <= height + depth else 1

    def engine_pixel_named(self, name: str) -> Pixel:
        """The pixel that the engine takes for a name; it may lie in another hex."""
        if self.numbering is not None:
            for column, row in self.numbering.read(name):
                x, y = self.numbering.raw_hex(
                    column, row, self._extent, sideways=self.sideways, by_name=True
                )
                shoved = self.dy / 2 if x % 2 else 0
                return self._turned(int(x * self.dx) + self.x0, int(y * self.dy + shoved) + self.y0)
        raise unknown_cell(name)

    def cells(self) -> Iterator[Hex]:
        """The hexes whose centre is on the board, row by row from the top left."""
        board = self._upright_board()
        columns = range(
            math.floor(-self.x0 / self.dx) - 1, math.ceil((board.width - self.x0) / self.dx) + 2
        )
        rows = range(
            math.floor(-self.y0 / self.dy) - 2, math.ceil((board.height - self.y0) / self.dy) + 2
        )
        raw = (
            ((c, r) for c in columns for r in rows)
            if self.sideways
            else ((c, r) for r in rows for c in columns)
        )
        return (self.hex_of(*each) for each in raw if board.contains(self._raw_centre(*each)))

    def neighbours(self, cell: Hex) -> tuple[Hex, ...]:
        """The six hexes around."""
        return cell.neighbours()

    def polygon(self, cell: Hex) -> Polygon:
        """The outline of a hex, unrounded."""
        return self.layout.polygon(cell)


def _squared(one: tuple[int, int], other: tuple[int, int]) -> int:
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2


def _steps(one: tuple[int, int], other: tuple[int, int]) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def _fraction_of_cell(offset: int, length: float, scale: int) -> int:
    """An offset from a cell's middle, rounded to the `scale`-th part of half the cell."""
    steps = round_half_up(offset / (0.5 * length / scale))
    return round_half_up(max(1 - scale, min(scale - 1, steps)) * 0.5 * length / scale)
