"""Squares with eight neighbours, and the ways to count distance when diagonals count."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from hexmarshal.errors import GeometryError, Place
from hexmarshal.geometry.cells import unknown_cell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from shapely import Polygon

__all__ = ["Metric", "STEPS", "Square", "SquareMap"]

STEPS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""The eight directions, clockwise from the top; odd ones are diagonal."""


class Metric(Enum):
    """What a diagonal step costs, when a straight one costs 1."""

    CHESSBOARD = Fraction(1)
    """Diagonals are free: distance is the longer of the two sides."""
    THREE_HALVES = Fraction(3, 2)
    """Every second diagonal costs 2."""
    MANHATTAN = Fraction(2)
    """A diagonal is two steps: distance is the sum of the sides."""


class Square(NamedTuple):
    """A square by column and row, y down."""

    column: int
    row: int

    def neighbour(self, direction: int, steps: int = 1) -> Square:
        """The square `steps` away in one of the eight directions, modulo 8."""
        dx, dy = STEPS[direction % 8]
        return Square(self.column + dx * steps, self.row + dy * steps)

    def neighbours(self, *, diagonal: bool = True) -> tuple[Square, ...]:
        """The eight squares around, clockwise from the top; only four without diagonals."""
        steps = STEPS if diagonal else STEPS[::2]
        return tuple(Square(self.column + dx, self.row + dy) for dx, dy in steps)

    def is_diagonal(self, other: Square) -> bool:
        """Whether a neighbour touches only at a corner."""
        across, down = abs(self.column - other.column), abs(self.row - other.row)
        if max(across, down) != 1:
            raise GeometryError(
                f"{self} and {other} are not neighbours", place=Place(cell=str(self))
            )
        return across == down

    def distance(self, other: Square, metric: Metric = Metric.CHESSBOARD) -> int:
        """The number of steps; a half that is left over of diagonals is dropped."""
        return int(self.exact_distance(other, metric))

    def exact_distance(self, other: Square, metric: Metric = Metric.CHESSBOARD) -> Fraction:
        """The cost of the cheapest way, diagonals at the metric's price."""
        across, down = abs(self.column - other.column), abs(self.row - other.row)
        diagonals = min(across, down)
        return max(across, down) - diagonals + diagonals * metric.value

    def ring(self, radius: int) -> Iterator[Square]:
        """The squares exactly `radius` away (chessboard), clockwise from straight above."""
        if radius < 0:
            raise GeometryError(f"a radius of {radius} cannot be", place=Place(field="radius"))
        if radius == 0:
            yield self
            return
        here = self.neighbour(0, radius)
        for direction, length in ((2, radius), (4, 2 * radius), (6, 2 * radius), (0, 2 * radius)):
            for _ in range(length):
                yield here
                here = here.neighbour(direction)
        for _ in range(radius):
            yield here
            here = here.neighbour(2)

    def disk(self, radius: int) -> Iterator[Square]:
        """The squares at most `radius` away (chessboard), this one first."""
        if radius < 0:
            raise GeometryError(f"a radius of {radius} cannot be", place=Place(field="radius"))
        for distance in range(radius + 1):
            yield from self.ring(distance)

    def __str__(self) -> str:
        return f"({self.column},{self.row})"


@dataclass(frozen=True, slots=True)
class SquareMap:
    """A rectangle of squares, each `width` by `height` pixels."""

    columns: int
    rows: int
    width: float = 48
    height: float = 48
    name_of: Callable[[Square], str] = str
    diagonal: bool = True

    def __post_init__(self) -> None:
        for field in ("columns", "rows", "width", "height"):
            value = getattr(self, field)
            if not 0 < value < float("inf"):
                raise GeometryError(f"a map cannot have {value} {field}", place=Place(field=field))

    def __contains__(self, cell: object) -> bool:
        """Whether the square is on the map."""
        return (
            isinstance(cell, Square)
            and 0 <= cell.column < self.columns
            and 0 <= cell.row < self.rows
        )

    def cells(self) -> Iterator[Square]:
        """Every square, row by row."""
        return (Square(column, row) for row in range(self.rows) for column in range(self.columns))

    def neighbours(self, cell: Square) -> tuple[Square, ...]:
        """The squares on the map around this one."""
        return tuple(n for n in cell.neighbours(diagonal=self.diagonal) if n in self)

    def polygon(self, cell: Square) -> Polygon:
        """The outline, with square (0, 0) at the top left."""
        from shapely import box

        return box(
            cell.column * self.width,
            cell.row * self.height,
            (cell.column + 1) * self.width,
            (cell.row + 1) * self.height,
        )

    def name(self, cell: Square) -> str:
        """The square's printed name."""
        if cell not in self:
            raise unknown_cell(cell)
        return self.name_of(cell)

    def cell(self, name: str) -> Square:
        """The square with a name."""
        for square in self.cells():
            if self.name_of(square) == name:
                return square
        raise unknown_cell(name, map(self.name_of, self.cells()))
