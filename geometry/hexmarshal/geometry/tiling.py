"""How cells fill the plane: hexes, squares, squares with tiles across them, or areas of any shape.

Everything about lines asks a tiling: where a place lies, which cells are there, what a line does.
Hexes and squares repeat, so that a line from one middle to another is the same anywhere, shifted:
it is worked out once, from the cell (0, 0), and its places have whole numbers as keys that shift
with it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from functools import lru_cache
from math import floor
from typing import TYPE_CHECKING, Any

from hexmarshal.errors import GeometryError, Place
from hexmarshal.geometry.course import Course, course_of
from hexmarshal.geometry.hexes import Hex, Hexside, Vertex, centre_lattice
from hexmarshal.geometry.outlines import Outline, Polygon
from hexmarshal.geometry.points import Point
from hexmarshal.geometry.route import (
    CellSpan,
    Piece,
    centre_route,
    hex_cuts,
    hex_pieces,
    hexes_at,
    lattice_point,
)
from hexmarshal.geometry.square_route import (
    owners_at,
    quarters_of,
    square_pieces,
    squares_at,
    tiled_pieces,
)
from hexmarshal.geometry.squares import Half, Square
from hexmarshal.geometry.subdivision import cell_pieces, cells_at

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

__all__ = ["HEXES", "SQUARES", "Patchwork", "Regular", "Tiling", "tiling_of"]

STRIDE = 1 << 24
HALF = Fraction(1, 2)


class Tiling(ABC):
    """Cells, the sides between them, the vertices where more of them meet."""

    # What all cells are, where they repeat; nothing else where they do not.
    cell_type: type[Any] = type(None)
    # Whether a line between two cells is the same anywhere.
    repeats = False
    # The squares that lie partly under others.
    covered: frozenset[Square] = frozenset()
    # How many keys the side, or the vertex, moves when cells move by one key.
    side_stride = 0
    vertex_stride = 0

    @abstractmethod
    def point(self, place: Hashable) -> Point | None:
        """The middle of a cell or a side, or a vertex; None for what is no place of the tiling."""

    @abstractmethod
    def cells_at(self, point: Point) -> tuple[Hashable, ...]:
        """The cells that a point is in or on the border of."""

    @abstractmethod
    def owners(self, place: Hashable) -> tuple[Hashable, ...]:
        """The cells that a cell, a side or a vertex belongs to."""

    @abstractmethod
    def pieces(self, start: Point, end: Point) -> tuple[Piece, ...]:
        """What a straight line does, in order."""

    def side(self, one: Hashable, other: Hashable) -> Hashable:
        """The side between two cells."""
        return frozenset((one, other))

    def ways(self, one: Hashable, other: Hashable) -> tuple[tuple[Hashable, ...], ...]:
        """The sides that a step crosses; around a corner there are two ways to cross some."""
        return ((self.side(one, other),),)

    def key(self, place: Hashable) -> Hashable:
        """What a cell is looked up by."""
        return place

    def side_key(self, side: Hashable) -> Hashable:
        """What a side is looked up by."""
        return side

    def vertex_key(self, vertex: Hashable) -> Hashable:
        """What a vertex is looked up by."""
        return vertex

    def distance(self, one: Hashable, other: Hashable) -> int | None:
        """How many cells apart; None where only a walk could tell."""
        del one, other
        return None

    def neighbours(self, cell: Hashable) -> tuple[Hashable, ...] | None:
        """The cells that one can step to, on the map or not; None where outlines must tell."""
        del cell
        return None

    def cells_met(self, outline: Outline) -> Iterable[Hashable] | None:
        """The cells that an outline meets, were it only in a corner; None to try each."""
        del outline
        return None

    def course(self, a: Hashable, b: Hashable) -> tuple[Course, Any]:
        """What lies between the middles of two cells, and the cell by which it is to be shifted."""
        start, end = self.point(a), self.point(b)
        assert start is not None
        assert end is not None
        return course_of(self.pieces(start, end), self, (a,), (b,)), None


class Patchwork(Tiling):
    """Cells of any shape, each with its outline."""

    def __init__(self, outlines: Mapping[Hashable, Polygon]) -> None:
        self.outlines = outlines

    def point(self, place: Hashable) -> Point | None:
        """The middle of a cell; its sides and vertices have no names."""
        outline = self.outlines.get(place)
        return None if outline is None else outline.middle

    def owners(self, place: Hashable) -> tuple[Hashable, ...]:
        """A cell, the two of a side, or those that meet at a point."""
        if isinstance(place, Point):
            return self.cells_at(place)
        return tuple(place) if isinstance(place, frozenset) else (place,)

    def cells_at(self, point: Point) -> tuple[Hashable, ...]:
        """By the outlines."""
        return cells_at(self.outlines, point)

    def pieces(self, start: Point, end: Point) -> tuple[Piece, ...]:
        """Cut outline by outline."""
        return cell_pieces(self.outlines, start, end)


class Regular(Tiling):
    """Cells that repeat; a cell is a pair of whole numbers, and so is the way to another."""

    repeats = True
    # How many sides are counted as each cell's own.
    own_sides = 0

    @abstractmethod
    def centre(self, cell: Any) -> tuple[Half, Half]:  # noqa: ANN401 - a hex or a square
        """The middle of a cell on the lattice."""

    @abstractmethod
    def cell_of(self, key: int) -> Any:  # noqa: ANN401
        """The cell with a key."""

    @abstractmethod
    def shifted(self, place: Hashable, by: Any) -> Hashable:  # noqa: ANN401
        """A place of a line from the cell (0, 0), for a line from another one."""

    @abstractmethod
    def own_side(self, side: Hashable) -> tuple[int, int, int]:
        """The cell that a side is counted with, as two numbers, and the side's own number."""

    @abstractmethod
    def own_side_key(self, cell: Any, number: int) -> int:  # noqa: ANN401
        """The key of one of a cell's own sides."""

    @abstractmethod
    def centre_course(self, across: int, down: int) -> Course:
        """The course from the cell (0, 0) to another one; remembered."""

    def course(self, a: Any, b: Any) -> tuple[Course, Any]:  # noqa: ANN401
        """The one from the cell (0, 0), shifted."""
        return self.centre_course(b[0] - a[0], b[1] - a[1]), a


class HexTiling(Regular):
    """Hexes of the lattice."""

    cell_type = Hex
    own_sides = 8
    side_stride = 8
    vertex_stride = 8

    def point(self, place: Hashable) -> Point | None:
        """On the lattice."""
        if isinstance(place, Hex | Hexside | Vertex):
            return lattice_point(place)
        return None

    def owners(self, place: Hashable) -> tuple[Hashable, ...]:
        """One hex, two or three."""
        return place.hexes if isinstance(place, Hexside | Vertex) else (place,)

    def cells_at(self, point: Point) -> tuple[Hashable, ...]:
        """One hex, two or three."""
        return hexes_at(point)

    def pieces(self, start: Point, end: Point) -> tuple[Piece, ...]:
        """On the lattice, off the map too."""
        return hex_pieces(start, end)

    def side(self, one: Hashable, other: Hashable) -> Hashable:
        """A hexside."""
        assert isinstance(one, Hex)
        assert isinstance(other, Hex)
        return Hexside.between(one, other)

    def key(self, place: Any) -> int:  # noqa: ANN401 - a hex
        """One number for the two of a hex."""
        q, r = place
        return q * STRIDE + r  # type: ignore[no-any-return]

    def side_key(self, side: Any) -> int:  # noqa: ANN401 - a hexside
        """Eight numbers a hex."""
        return self.key(side.hex) * 8 + side.direction  # type: ignore[no-any-return]

    def vertex_key(self, vertex: Any) -> int:  # noqa: ANN401 - a vertex
        """Eight numbers a hex."""
        return self.key(vertex.hex) * 8 + vertex.corner  # type: ignore[no-any-return]

    def distance(self, one: Hashable, other: Hashable) -> int | None:
        """In hexes."""
        assert isinstance(one, Hex)
        assert isinstance(other, Hex)
        return one.distance(other)

    def cells_met(self, outline: Outline) -> Iterable[Hashable] | None:
        """Along the edges, and those inside."""
        found: dict[Hashable, None] = {}
        for a, b in outline.edges():
            found.update(dict.fromkeys(hex_cuts(a, b)))
        return _filled(self, outline, found)

    def centre(self, cell: Hex) -> tuple[int, int]:
        """Three steps a column, two a row."""
        return centre_lattice(cell)

    def cell_of(self, key: int) -> Hex:
        """The hex with a key."""
        q = (key + STRIDE // 2) // STRIDE
        return Hex(q, key - q * STRIDE)

    def shifted(self, place: Hashable, by: Hex) -> Hashable:
        """A hex, a hexside or a vertex elsewhere."""
        if isinstance(place, Hexside):
            return Hexside(place.hex + by, place.direction)
        if isinstance(place, Vertex):
            return Vertex(place.hex + by, place.corner)
        return place + by if isinstance(place, Hex) else place

    def own_side(self, side: Any) -> tuple[int, int, int]:  # noqa: ANN401 - a hexside
        """The hex that names the side."""
        return side.hex.q, side.hex.r, side.direction

    def own_side_key(self, cell: Hex, number: int) -> int:
        """As `side_key`."""
        return self.key(cell) * 8 + number

    def centre_course(self, across: int, down: int) -> Course:
        """The route between centres, arranged."""
        return _hex_course(across, down)

    def neighbours(self, cell: Any) -> tuple[Hashable, ...]:  # noqa: ANN401 - a hex
        """The six around."""
        return cell.neighbours()  # type: ignore[no-any-return]


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
        return _filled(self, outline, found)

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


def _filled(tiling: Regular, outline: Outline, found: dict[Hashable, None]) -> Iterable[Hashable]:
    """With the cells that lie wholly inside: they hang together with those along the edges."""
    if not isinstance(outline, Polygon):
        return found
    waiting = list(found)
    while waiting:
        cell: Any = waiting.pop()
        for beside in cell.neighbours():
            if beside not in found and outline.side_of(Point.of(*tiling.centre(beside))) > 0:
                found[beside] = None
                waiting.append(beside)
    return found


@lru_cache(maxsize=1 << 14)
def _hex_course(dq: int, dr: int) -> Course:
    return course_of(centre_route(dq, dr), HEXES)


@lru_cache(maxsize=1 << 14)
def _square_course(across: int, down: int) -> Course:
    return course_of(square_pieces(Point.of(0, 0), Point.of(across, down)), SQUARES)


HEXES = HexTiling()
SQUARES = SquareTiling()


def tiling_of(cells: Iterable[Hashable], outlines: Mapping[Hashable, Polygon] | None) -> Tiling:
    """How the cells of a map fill the plane: by their outlines if there are any."""
    if outlines is not None:
        return Patchwork(outlines)
    kinds = {type(cell) for cell in cells}
    if kinds == {Square}:
        offset = [cell for cell in cells if isinstance(cell, Square) and cell.is_offset]
        return TiledSquares(offset) if offset else SQUARES
    return HEXES
