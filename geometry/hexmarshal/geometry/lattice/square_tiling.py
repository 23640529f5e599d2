"""Squares as a tiling, and squares with those of tiles laid across them."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import floor
from typing import TYPE_CHECKING, Any

from hexmarshal.errors import GeometryError, Place
from hexmarshal.geometry.lattice.hex_route import CellSpan, Piece
from hexmarshal.geometry.lattice.square_route import (
    owners_at,
    quarters_of,
    square_pieces,
    squares_at,
    tiled_pieces,
)
from hexmarshal.geometry.lattice.squares import Half, Square
from hexmarshal.geometry.lattice.tiling import STRIDE, Regular, Tiling, filled
from hexmarshal.geometry.sight.course import Course, course_of
from hexmarshal.geometry.terrain.points import Point

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from hexmarshal.geometry.terrain.outlines import Outline

__all__ = ["SQUARES", "SquareTiling", "TiledSquares"]

HALF = Fraction(1, 2)


class SquareTiling(Regular):
    """Squares of the grid; points have the column and the row of a square as its middle."""

    cell_type = Square
    own_sides = 2
    side_stride = 2
    vertex_stride = 1

    def point(self, place: Hashable) -> Point | None:
        """On the grid; a corner is its point."""
        if isinstance(place, Square):
            return place.middle
        if isinstance(place, frozenset):
            one, other = (square.middle for square in place)
            return Point((one.x + other.x) / 2, (one.y + other.y) / 2)
        return place if isinstance(place, Point) else None

    def owners(self, place: Hashable) -> tuple[Hashable, ...]:
        """One square, two or four."""
        if isinstance(place, Point):
            return self.cells_at(place)
        return tuple(place) if isinstance(place, frozenset) else (place,)

    def cells_at(self, point: Point) -> tuple[Hashable, ...]:
        """One square, two or four."""
        return squares_at(point)

    def pieces(self, start: Point, end: Point) -> tuple[Piece, ...]:
        """On the grid, off the map too."""
        return square_pieces(start, end)

    def ways(self, one: Any, other: Any) -> tuple[tuple[Hashable, ...], ...]:  # noqa: ANN401
        """Diagonally by the one square beside the corner, or by the other."""
        if one.column == other.column or one.row == other.row or one.is_offset or other.is_offset:
            return super().ways(one, other)
        beside = Square(other.column, one.row), Square(one.column, other.row)
        return tuple((self.side(one, cell), self.side(cell, other)) for cell in beside)

    def key(self, place: Any) -> int:  # noqa: ANN401 - a square
        """One number for its two, counted in halves."""
        column, row = place
        return int(2 * column) * STRIDE + int(2 * row)

    def side_key(self, side: Any) -> int:  # noqa: ANN401 - the set of two squares
        """The sum of its squares' keys, which no other side has."""
        return sum(map(self.key, side))

    def vertex_key(self, vertex: Any) -> Hashable:  # noqa: ANN401 - a point
        """As that of the square with its middle there."""
        return self.key(vertex)

    def distance(self, one: Hashable, other: Hashable) -> int | None:
        """The larger difference."""
        assert isinstance(one, Square)
        assert isinstance(other, Square)
        return one.distance(other)

    def cells_met(self, outline: Outline) -> Iterable[Hashable] | None:
        """Along the edges, and those inside."""
        found: dict[Hashable, None] = {}
        for a, b in outline.edges():
            for piece in square_pieces(a, b):
                cells = (piece.cell,) if isinstance(piece, CellSpan) else piece.cells
                found.update(dict.fromkeys(cells))
        return filled(self, outline, found)

    def centre(self, cell: Square) -> tuple[Half, Half]:
        """Its column and its row."""
        return cell.column, cell.row

    def cell_of(self, key: int) -> Square:
        """The square with a key."""
        column = (key + STRIDE // 2) // STRIDE
        return Square(column // 2, (key - column * STRIDE) // 2)

    def shifted(self, place: Hashable, by: Square) -> Hashable:
        """A square, a side or a corner elsewhere."""
        column, row = by
        if isinstance(place, Square):
            return Square(place.column + column, place.row + row)
        if isinstance(place, frozenset):
            return frozenset(Square(s.column + column, s.row + row) for s in place)
        if isinstance(place, Point):
            return Point(place.x + column, place.y + row)
        return place

    def own_side(self, side: Any) -> tuple[int, int, int]:  # noqa: ANN401 - two squares
        """The square to the left or above; 0 for its right side, 1 for the one below."""
        one, other = sorted(side)
        return one.column, one.row, int(one.column == other.column)

    def own_side_key(self, cell: Square, number: int) -> int:
        """As `side_key`."""
        return self.key(cell) + self.key(cell.neighbour(4 if number else 2))

    def centre_course(self, across: int, down: int) -> Course:
        """The route between middles, arranged."""
        return _square_course(across, down)

    def neighbours(self, cell: Any) -> tuple[Hashable, ...]:  # noqa: ANN401 - a square
        """The eight around."""
        return cell.neighbours()  # type: ignore[no-any-return]


class TiledSquares(SquareTiling):
    """Squares with others laid across them, each covering parts of two or four."""

    repeats = False

    def __init__(self, offset: Iterable[Square]) -> None:
        self._offset = dict.fromkeys(offset)
        self.tiles: dict[Square, Square] = {}
        for tile in self._offset:
            for quarter in quarters_of(tile):
                if quarter in self.tiles:
                    raise GeometryError(
                        f"{tile} and {self.tiles[quarter]} overlap", place=Place(cell=str(tile))
                    )
                self.tiles[quarter] = tile
        under = ((int(q.column + 1) // 2, int(q.row + 1) // 2) for q in self.tiles)
        self.covered = frozenset(Square(column, row) for column, row in under)

    def cells_at(self, point: Point) -> tuple[Hashable, ...]:
        """Those on top."""
        return owners_at(point, self.tiles)

    def pieces(self, start: Point, end: Point) -> tuple[Piece, ...]:
        """Over what lies on top."""
        return tiled_pieces(start, end, self.tiles)

    def cells_met(self, outline: Outline) -> Iterable[Hashable] | None:
        """Any on top where it meets a square of the grid."""
        found = dict.fromkeys(super().cells_met(outline) or ())
        for square in tuple(found):
            assert isinstance(square, Square)
            found.update((self.tiles[q], None) for q in quarters_of(square) if q in self.tiles)
        return found

    def course(self, a: Any, b: Any) -> tuple[Course, Any]:  # noqa: ANN401
        """Worked out each time: no two places have the same tiles around."""
        return Tiling.course(self, a, b)

    def neighbours(self, cell: Any) -> tuple[Hashable, ...]:  # noqa: ANN401 - a square
        """Around a square of the grid the eight of the grid, around one off it those off it.

        One steps from the grid onto a tile, and back, only straight on and only where the square of
        the grid is whole: what is left of those under the tile is not counted.
        """
        beside = cell.neighbours()
        if not cell.is_offset:
            halves = [-HALF * k for k in range(-3, 4)]
            near = (Square(cell.column + x, cell.row + y) for y in halves for x in halves)
            return (*beside, *(t for t in near if t in self._offset and self._faces(cell, t)))
        middle = Square(floor(cell.column), floor(cell.row))
        around = [square for square in middle.disk(2) if self._faces(square, cell)]
        return (*(s for s in beside if s in self._offset), *around)

    def _faces(self, square: Square, tile: Square) -> bool:
        """Whether a whole square of the grid lies straight before a side of a tile."""
        if square in self.covered:
            return False
        across, down = square.apart(tile)
        beside, above = 1 + tile.column % 1, 1 + tile.row % 1
        return (across == beside and down < 1) or (down == above and across < 1)


@lru_cache(maxsize=1 << 14)
def _square_course(across: int, down: int) -> Course:
    return course_of(square_pieces(Point.of(0, 0), Point.of(across, down)), SQUARES)


SQUARES = SquareTiling()
