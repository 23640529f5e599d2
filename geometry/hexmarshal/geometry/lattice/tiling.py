"""How cells fill the plane: what everything about lines asks of hexes, squares and areas.

A tiling tells where a place lies, which cells are there, what a line does. Hexes and squares
repeat, so that a line from one middle to another is the same anywhere, shifted: it is worked out
once, from the cell (0, 0), and its places have whole numbers as keys that shift with it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from hexmarshal.geometry.sight.course import Course, course_of
from hexmarshal.geometry.terrain.outlines import Outline, Polygon
from hexmarshal.geometry.terrain.points import Point

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from hexmarshal.geometry.lattice.hex_route import Piece
    from hexmarshal.geometry.lattice.squares import Half, Square

__all__ = ["STRIDE", "Regular", "Tiling", "filled"]

STRIDE = 1 << 24


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


def filled(tiling: Regular, outline: Outline, found: dict[Hashable, None]) -> Iterable[Hashable]:
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
