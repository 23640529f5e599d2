"""Rectangular grids with the engine's arithmetic."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.geometry.cells import unknown_cell
from hexmarshal.geometry.grids.attributes import check_size, flag, number, text, whole
from hexmarshal.geometry.grids.grid import Grid, Pixel, Size, as_pixel
from hexmarshal.geometry.grids.java import half, round_half_up
from hexmarshal.geometry.lattice.squares import Square

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shapely import Polygon

    from hexmarshal.geometry.grids.attributes import Attributes
    from hexmarshal.geometry.grids.numbering import Numbering

__all__ = ["SquareGrid"]


@dataclass(frozen=True, slots=True)
class SquareGrid(Grid[Square]):
    """A grid of rectangles; square (0, 0) has its middle at (x0, y0)."""

    size: Size
    dx: float = 48.0
    dy: float = 48.0
    x0: int = 24
    y0: int = 24
    snaps: bool = True
    edges_legal: bool = False
    corners_legal: bool = False
    manhattan: bool = False
    numbering: Numbering | None = None
    board: Size | None = None
    """The board, where that is not what the grid covers: a zone's grid counts in board pixels."""

    def __post_init__(self) -> None:
        check_size("dx", self.dx, least=1)
        check_size("dy", self.dy, least=1)

    @classmethod
    def from_attributes(
        cls,
        attributes: Attributes,
        covers: Size,
        numbering: Numbering | None = None,
        board: Size | None = None,
    ) -> SquareGrid:
        """From the attributes of a `SquareGrid`."""
        return cls(
            size=covers,
            dx=number(attributes, "dx", 48.0),
            dy=number(attributes, "dy", 48.0),
            x0=whole(attributes, "x0", 24),
            y0=whole(attributes, "y0", 24),
            snaps=flag(attributes, "snapTo", default=True),
            edges_legal=flag(attributes, "edgesLegal", default=False),
            corners_legal=flag(attributes, "cornersLegal", default=False),
            manhattan=text(attributes, "range", "Metric") != "Metric",
            numbering=numbering,
            board=board,
        )

    def cell_at(self, pixel: tuple[int, int]) -> Square:
        """The square that holds a pixel."""
        x, y = as_pixel(pixel)
        return Square(
            round_half_up((x - self.x0) / self.dx), round_half_up((y - self.y0) / self.dy)
        )

    def centre(self, cell: Square) -> Pixel:
        """The pixel in the middle of a square, where pieces snap to."""
        return Pixel(
            self.x0 + round_half_up(2 * cell.column * self.dx / 2),
            self.y0 + round_half_up(2 * cell.row * self.dy / 2),
        )

    def name(self, cell: Square) -> str | None:
        """The printed name of a square, or None if the grid has no numbering."""
        return self.location_name(self.centre(cell))

    def location_name(self, pixel: tuple[int, int]) -> str | None:
        """The engine's name for a pixel just as it is."""
        if self.numbering is None:
            return None
        x, y = as_pixel(pixel)
        column = half((x - self.x0) / self.dx)
        # Rows are cut off toward zero: the first row above the origin shares row 0's name.
        row = int((y - self.y0) / self.dy + 0.5)
        return self.numbering.name(*self._flipped(column, row))

    def _flipped(self, column: int, row: int) -> tuple[int, int]:
        """Counted down if the numbering descends; the same turns it back."""
        if self.numbering is not None and self.numbering.columns.descending:
            column = int(self.size.width / self.dx + 0.5) - column
        if self.numbering is not None and self.numbering.rows.descending:
            row = int(self.size.height / self.dy + 0.5) - row
        return column, row

    def snap(
        self, pixel: tuple[int, int], *, force: bool = False, centre_only: bool = False
    ) -> Pixel:
        """Where the engine puts a piece that is dropped on a pixel."""
        x, y = as_pixel(pixel)
        if not (self.snaps or force):
            return Pixel(x, y)
        x, y = x - self.x0, y - self.y0
        # In half cells: even numbers are middles, odd ones are borders.
        across, down = round_half_up(x / (0.5 * self.dx)), round_half_up(y / (0.5 * self.dy))
        # The engine forgets about `centre_only` where edges and corners are both legal.
        if not (self.edges_legal and self.corners_legal):
            corners = self.corners_legal and not centre_only
            edges = self.edges_legal and not centre_only
            if corners and down % 2:
                across = 1 + 2 * round_half_up(x / self.dx - 0.5)
            elif not edges or down % 2 or not across % 2:
                across = 2 * round_half_up(x / self.dx)
            if not (corners or edges):
                down = 2 * round_half_up(y / self.dy)
        return Pixel(
            self.x0 + round_half_up(across * self.dx / 2),
            self.y0 + round_half_up(down * self.dy / 2),
        )

    def range(self, one: tuple[int, int], other: tuple[int, int]) -> int:
        """The distance in squares of the pixels as they are."""
        (ax, ay), (bx, by) = as_pixel(one), as_pixel(other)
        across, down = abs(half((bx - ax) / self.dx)), abs(half((by - ay) / self.dy))
        return across + down if self.manhattan else max(across, down)

    def cells_named(self, name: str) -> Iterator[Square]:
        """The squares that carry a name and touch the board."""
        if self.numbering is None:
            return
        for column, row in self.numbering.read(name):
            if self.numbering.name(column, row) == name:
                raw_column, raw_row = self._flipped(column, row)
                square = Square(raw_column, raw_row - 1 if raw_row < 0 else raw_row)
                twin = Square(raw_column, -1) if raw_row == 0 else square
                for candidate in dict.fromkeys((square, twin)):
                    if self._touches_board(candidate):
                        yield candidate
        if not self.numbering.complete:
            # A format without the row or the column: the name stands for many squares.
            yield from (cell for cell in self.cells() if self.name(cell) == name)

    def _touches_board(self, cell: Square) -> bool:
        x, y = self.centre(cell)
        board = self.board or self.size
        return (
            -self.dx / 2 - 1 <= x <= board.width + self.dx / 2
            and -self.dy / 2 - 1 <= y <= board.height + self.dy / 2
        )

    def engine_pixel_named(self, name: str) -> Pixel:
        """The pixel that the engine takes for a name; it may lie in another square."""
        if self.numbering is not None:
            for named in self.numbering.read(name):
                column, row = self._flipped(*named)
                return Pixel(int(column * self.dx + self.x0), int(row * self.dy + self.y0))
        raise unknown_cell(name)

    def cells(self) -> Iterator[Square]:
        """The squares whose middle is on the board, row by row from the top left."""
        board = self.board or self.size
        columns = range(
            math.floor(-self.x0 / self.dx) - 1,
            math.ceil((board.width - self.x0) / self.dx) + 2,
        )
        rows = range(
            math.floor(-self.y0 / self.dy) - 1,
            math.ceil((board.height - self.y0) / self.dy) + 2,
        )
        squares = (Square(column, row) for row in rows for column in columns)
        return (square for square in squares if board.contains(self.centre(square)))

    def neighbours(self, cell: Square) -> tuple[Square, ...]:
        """The eight squares around."""
        return cell.neighbours()

    def polygon(self, cell: Square) -> Polygon:
        """The outline of a square, unrounded."""
        from shapely import box

        # In half cells, so that neighbours compute the same border.
        left, right = ((2 * cell.column + side) * self.dx / 2 for side in (-1, 1))
        top, bottom = ((2 * cell.row + side) * self.dy / 2 for side in (-1, 1))
        return box(self.x0 + left, self.y0 + top, self.x0 + right, self.y0 + bottom)
