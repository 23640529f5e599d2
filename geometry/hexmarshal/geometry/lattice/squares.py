"""Squares with eight neighbours: directions, distances, corners, arcs, turns, half steps.

Square (0, 0) has its middle at the point (0, 0), x grows with columns to the right and y with rows
downward; a square reaches half a step to each side. A terrain tile may lie across the grid: its
squares then have a half in their column, their row or both, as in `Square.at("2.5", "3.5")`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from hexmarshal.errors import GeometryError, Place
from hexmarshal.geometry.terrain.points import Number, Point, exact_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = [
    "CORNER_NAMES",
    "DIRECTION_NAMES",
    "STEPS",
    "Half",
    "Square",
    "corner_of_square",
    "side_of_squares",
]

STEPS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""The eight directions, clockwise from the top; odd ones are diagonal."""

DIRECTION_NAMES = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
CORNER_NAMES = ("NE", "SE", "SW", "NW")

Half = int | Fraction
_HALF = Fraction(1, 2)


class Square(NamedTuple):
    """A square by column and row, y down; whole numbers, or halves for one off the grid."""

    column: Half
    row: Half

    @classmethod
    def at(cls, column: Number, row: Number) -> Square:
        """The square with its middle at these numbers, each whole or with a half."""
        return cls(_half(column, "column"), _half(row, "row"))

    @property
    def is_offset(self) -> bool:
        """Whether it lies across the grid."""
        return self.column % 1 != 0 or self.row % 1 != 0

    def neighbour(self, direction: int, steps: int = 1) -> Square:
        """The square `steps` away in one of the eight directions, modulo 8."""
        dx, dy = STEPS[direction % 8]
        return Square(self.column + dx * steps, self.row + dy * steps)

    def neighbours(self) -> tuple[Square, ...]:
        """The eight squares around, clockwise from the top."""
        column, row = self
        return tuple(Square(column + dx, row + dy) for dx, dy in STEPS)

    def direction_to(self, neighbour: Square) -> int:
        """In which of the eight directions a neighbour lies."""
        step = (neighbour.column - self.column, neighbour.row - self.row)
        if step not in STEPS:
            raise GeometryError(
                f"{self} and {neighbour} are not neighbours", place=Place(cell=str(self))
            )
        return STEPS.index(step)

    def is_diagonal(self, neighbour: Square) -> bool:
        """Whether a neighbour touches only at a corner."""
        return self.direction_to(neighbour) % 2 == 1

    def distance(self, other: Square) -> int:
        """The larger of the differences in columns and in rows; a half left over is dropped."""
        return int(max(self.apart(other)))

    def apart(self, other: Square) -> tuple[Fraction, Fraction]:
        """How far apart two squares are, in columns and in rows."""
        return abs(Fraction(self.column - other.column)), abs(Fraction(self.row - other.row))

    def ring(self, radius: int) -> Iterator[Square]:
        """The squares exactly `radius` away, clockwise from straight above."""
        _check_radius(radius)
        if radius == 0:
            yield self
            return
        here = self.neighbour(0, radius)
        for direction, length in (
            (2, radius),
            (4, 2 * radius),
            (6, 2 * radius),
            (0, 2 * radius),
            (2, radius),
        ):
            for _ in range(length):
                yield here
                here = here.neighbour(direction)

    def disk(self, radius: int) -> Iterator[Square]:
        """The squares at most `radius` away, this one first."""
        _check_radius(radius)
        for distance in range(radius + 1):
            yield from self.ring(distance)

    def rotated(self, quarters: int, about: Square | None = None) -> Square:
        """Turned clockwise by quarter turns, about (0, 0) or another square."""
        ox, oy = about or (0, 0)
        x, y = self.column - ox, self.row - oy
        for _ in range(quarters % 4):
            x, y = -y, x
        return Square(x + ox, y + oy)

    def mirrored(self) -> Square:
        """Left and right exchanged."""
        return Square(-self.column, self.row)

    def in_arc(self, other: Square, facing: int, degrees: int) -> bool:
        """Whether another square's middle is within an arc around one of the eight directions.

        The arc is so many degrees wide in all, a multiple of 90; its edges are within.
        """
        if degrees not in (90, 180, 270, 360):
            raise GeometryError(
                f"an arc of {degrees} degrees is not one of 90, 180, 270, 360",
                place=Place(field="degrees"),
            )
        if degrees == 360:
            return True
        x, y = other.column - self.column, other.row - self.row
        # The edges of the arc are directions too: one is within if it is on the right side of both,
        # or, where the arc is wider than a half turn, of either.
        (lx, ly), (rx, ry) = (
            STEPS[(facing + turn) % 8] for turn in (-degrees // 90, degrees // 90)
        )
        right_of_left = lx * y - ly * x >= 0
        left_of_right = rx * y - ry * x <= 0
        if degrees == 270:
            return right_of_left or left_of_right
        fx, fy = STEPS[facing % 8]
        return right_of_left and left_of_right and fx * x + fy * y >= 0

    def corner(self, corner: int) -> Point:
        """The point of a corner, clockwise from the top right, modulo 4."""
        return self.corners()[(corner + 1) % 4]

    def corners(self) -> tuple[Point, ...]:
        """The four corners, clockwise from the top left."""
        left, right = self.column - _HALF, self.column + _HALF
        top, bottom = self.row - _HALF, self.row + _HALF
        return Point(left, top), Point(right, top), Point(right, bottom), Point(left, bottom)

    @property
    def middle(self) -> Point:
        """The point in the middle."""
        return Point(Fraction(self.column), Fraction(self.row))

    def __str__(self) -> str:
        return f"({_decimal(self.column)},{_decimal(self.row)})"


def side_of_squares(name: str, cell: Callable[[str], Square]) -> frozenset[Square]:
    """The side with a name such as `0402/N`: the two squares that share it."""
    square, direction = _named(name, "/", DIRECTION_NAMES[::2], cell)
    return frozenset((square, square.neighbour(2 * direction)))


def corner_of_square(name: str, cell: Callable[[str], Square]) -> Point:
    """The corner with a name such as `0402@NE`."""
    square, corner = _named(name, "@", CORNER_NAMES, cell)
    return square.corner(corner)


def _named(
    name: str, mark: str, known: tuple[str, ...], cell: Callable[[str], Square]
) -> tuple[Square, int]:
    square, _, direction = name.rpartition(mark)
    if direction.upper() not in known:
        raise GeometryError(
            f"a square has no {direction!r}",
            place=Place(cell=name),
            hint=f"write {square or '0402'}{mark}{known[0]}; known are {', '.join(known)}",
        )
    return cell(square), known.index(direction.upper())


def _half(number: Number, field: str) -> Half:
    exact = exact_number(number, field)
    if exact.denominator > 2:
        raise GeometryError(f"{number} is neither whole nor a half", place=Place(field=field))
    return exact.numerator if exact.denominator == 1 else exact


def _decimal(number: Half) -> str:
    return str(number) if number % 1 == 0 else str(float(number))


def _check_radius(radius: int) -> None:
    if radius < 0:
        raise GeometryError(f"a radius of {radius} cannot be", place=Place(field="radius"))
