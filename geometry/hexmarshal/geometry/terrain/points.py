"""Exact points and the few predicates that everything about lines and shapes rests on."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from hexmarshal.errors import GeometryError, Place

__all__ = ["QUARTER_TURNS", "Affine", "Point", "cross", "exact_number"]

Number = int | float | str | Decimal | Fraction


class Point(NamedTuple):
    """A point of the plane with exact coordinates; on hex maps those of the lattice."""

    x: Fraction
    y: Fraction

    @classmethod
    def of(cls, x: Number, y: Number) -> Point:
        """A point from any finite numbers; NaN and infinity are refused."""
        return cls(exact_number(x, "x"), exact_number(y, "y"))

    def towards(self, other: Point, t: Fraction) -> Point:
        """The point at the share `t` of the way to another one."""
        return Point(self.x + t * (other.x - self.x), self.y + t * (other.y - self.y))

    def __str__(self) -> str:
        return f"({float(self.x):g}, {float(self.y):g})"


def exact_number(value: Number, field: str = "number") -> Fraction:
    """The number that was written: a float stands for the decimal that it prints, 0.1 for 1/10."""
    try:
        if isinstance(value, bool):
            raise TypeError
        if isinstance(value, float):
            if not math.isfinite(value):
                raise ValueError
            return Fraction(repr(float(value)))
        return Fraction(value)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        raise GeometryError(f"{value!r} is not a finite number", place=Place(field=field)) from None


def cross(a: Point, b: Point, c: Point) -> Fraction:
    """Twice the area of the triangle: positive, zero or negative with the side of a-b that c is on.

    Zero, and only zero, means that the three lie on one line.
    """
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)


@dataclass(frozen=True, slots=True)
class Affine:
    """An exact affine map: x' = a x + b y + c, y' = d x + e y + f."""

    a: Fraction
    b: Fraction
    c: Fraction
    d: Fraction
    e: Fraction
    f: Fraction

    @classmethod
    def of(cls, *rows: Number) -> Affine:
        """From six numbers, row by row."""
        return cls(*(exact_number(number) for number in rows))

    @classmethod
    def shift(cls, x: Number, y: Number) -> Affine:
        """A translation."""
        return cls.of(1, 0, x, 0, 1, y)

    def __call__(self, point: Point) -> Point:
        """Where a point goes."""
        x, y = point
        return Point(self.a * x + self.b * y + self.c, self.d * x + self.e * y + self.f)

    def then(self, after: Affine) -> Affine:
        """This map first, `after` next."""
        origin = after(self(Point.of(0, 0)))
        x, y = after(self(Point.of(1, 0))), after(self(Point.of(0, 1)))
        return Affine(
            x.x - origin.x, y.x - origin.x, origin.x, x.y - origin.y, y.y - origin.y, origin.y
        )

    @property
    def determinant(self) -> Fraction:
        """By how much areas grow; negative if the map mirrors, zero if it flattens."""
        return self.a * self.e - self.b * self.d

    def inverse(self) -> Affine:
        """The way back."""
        if (det := self.determinant) == 0:
            raise GeometryError("this map flattens the plane and has no inverse")
        a, b, d, e = self.e / det, -self.b / det, -self.d / det, self.a / det
        return Affine(a, b, -(a * self.c + b * self.f), d, e, -(d * self.c + e * self.f))


QUARTER_TURNS = tuple(
    Affine.of(*rows)
    for rows in ((1, 0, 0, 0, 1, 0), (0, -1, 0, 1, 0, 0), (-1, 0, 0, 0, -1, 0), (0, 1, 0, -1, 0, 0))
)
"""The turns of a square grid about the origin."""
