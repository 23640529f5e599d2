"""Templates laid on squares: blasts around a point, flames from one, by what they touch."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING

from hexmarshal.errors import GeometryError, Place
from hexmarshal.geometry.terrain.outlines import Polygon
from hexmarshal.geometry.terrain.points import QUARTER_TURNS, Affine, Number, Point, exact_number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.geometry.lattice.squares import Square

__all__ = ["Blast", "Template"]

_HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Blast:
    """A disc around a corner or the middle of a square, its radius in squares."""

    radius: Fraction

    @classmethod
    def of(cls, radius: Number) -> Blast:
        """With any exact radius; a decimal stands for itself."""
        found = exact_number(radius, "radius")
        if found <= 0:
            raise GeometryError(f"a radius of {found} cannot be", place=Place(field="radius"))
        return cls(found)

    def touches(self, square: Square, anchor: Point) -> bool:
        """Whether it covers any of a square, were it ever so little; a mere touch is none."""
        gaps = (
            max(Fraction(0), abs(middle - at) - _HALF)
            for middle, at in zip(square.middle, anchor, strict=True)
        )
        return sum(gap * gap for gap in gaps) < self.radius * self.radius

    def squares(self, squares: Iterable[Square], anchor: Point) -> tuple[Square, ...]:
        """Those of some squares that it covers any of, in their order."""
        # Whole numbers first: of a board's squares few are near.
        reach = self.radius + _HALF
        left, right = floor(anchor.x - reach), ceil(anchor.x + reach)
        top, bottom = floor(anchor.y - reach), ceil(anchor.y + reach)
        return tuple(
            square
            for square in squares
            if left <= square.column <= right
            and top <= square.row <= bottom
            and self.touches(square, anchor)
        )


@dataclass(frozen=True, slots=True)
class Template:
    """An outline in squares, laid with its origin on a point and turned to one of eight directions.

    `straight` is how it lies when it points up, `diagonal` when it points to the upper right, which
    no exact turn of the other could tell; without one it is laid straight only.
    """

    straight: Polygon
    diagonal: Polygon | None = None

    def laid(self, anchor: Point, direction: int = 0) -> Polygon:
        """The outline where it lies."""
        outline = self.diagonal if direction % 2 else self.straight
        if outline is None:
            raise GeometryError(
                "this template cannot be laid diagonally", place=Place(field="direction")
            )
        turn = QUARTER_TURNS[direction % 8 // 2]
        return outline.mapped(turn.then(Affine.shift(*anchor)))

    def squares(
        self, squares: Iterable[Square], anchor: Point, direction: int = 0
    ) -> tuple[Square, ...]:
        """Those of some squares that it covers any of, in their order; a mere touch is none."""
        laid = self.laid(anchor, direction)
        xs, ys = zip(*laid.rings[0], strict=True)
        left, right, top, bottom = (
            min(xs) - _HALF, max(xs) + _HALF, min(ys) - _HALF, max(ys) + _HALF,
        )  # fmt: skip
        near = (
            square
            for square in squares
            if left < square.column < right and top < square.row < bottom
        )
        return tuple(s for s in near if laid.overlap(Polygon((s.corners(),))) is not None)
