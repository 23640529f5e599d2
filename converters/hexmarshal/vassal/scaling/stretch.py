"""How the pixels of a board go over into those of another: a factor and a shift for each axis."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["SAME", "Pair", "Stretch", "fit", "nearest", "parse_factor"]

_LEAST: Final = Fraction(1, 100)
_MOST: Final = Fraction(100)

Pair = tuple[tuple[int, int], tuple[int, int]]
"""A pixel of the old board, and the pixel of the new one that shows the same."""


def nearest(number: Fraction) -> int:
    """The nearest whole number, halves upwards, as the engine rounds."""
    return math.floor(number + Fraction(1, 2))


@dataclass(frozen=True, slots=True)
class Stretch:
    """Exact: `x` becomes `across * x + right`, `y` becomes `down * y + below`."""

    across: Fraction = Fraction(1)
    down: Fraction = Fraction(1)
    right: Fraction = Fraction(0)
    below: Fraction = Fraction(0)

    @classmethod
    def by(cls, factor: Fraction) -> Stretch:
        """Both axes by one factor, from the corner."""
        return cls(factor, factor)

    def x(self, x: int) -> int:
        """Where a column of pixels comes to lie."""
        return nearest(self.across * x + self.right)

    def y(self, y: int) -> int:
        """Where a row of pixels comes to lie."""
        return nearest(self.down * y + self.below)

    def point(self, point: tuple[int, int]) -> tuple[int, int]:
        """Where a pixel comes to lie."""
        return self.x(point[0]), self.y(point[1])

    def width(self, length: int) -> int:
        """How long a distance along the rows becomes."""
        return nearest(self.across * length)

    def height(self, length: int) -> int:
        """How long a distance along the columns becomes."""
        return nearest(self.down * length)

    def exchanged(self) -> Stretch:
        """The same for a board whose x and y are exchanged."""
        return Stretch(self.down, self.across, self.below, self.right)

    @property
    def is_resizing(self) -> bool:
        """Whether it changes lengths, and not only where things lie."""
        return not self.across == self.down == 1

    @property
    def mean(self) -> Fraction:
        """One factor for lengths of no direction."""
        return (self.across + self.down) / 2


SAME: Final = Stretch()


def fit(pairs: Sequence[Pair], default: Stretch = SAME) -> Stretch:
    """The stretch that brings the old pixels nearest to the new ones (least squares, exactly).

    One pair alone tells the shift; the factors are then those of `default`.
    """
    if not pairs:
        return default
    across, right = _line([(a[0], b[0]) for a, b in pairs], default.across, "x")
    down, below = _line([(a[1], b[1]) for a, b in pairs], default.down, "y")
    return Stretch(across, down, right, below)


def _line(
    pairs: Sequence[tuple[int, int]], default: Fraction, axis: str
) -> tuple[Fraction, Fraction]:
    count = len(pairs)
    old, new = (Fraction(sum(side), count) for side in zip(*pairs, strict=True))
    spread = sum(((a - old) ** 2 for a, _ in pairs), Fraction(0))
    factor = default
    if spread:
        factor = sum(((a - old) * (b - new) for a, b in pairs), Fraction(0)) / spread
    elif count > 1:
        raise UsageError(
            f"the points all have the same {axis}: they do not tell how that axis is stretched",
            hint="choose points that lie far apart, such as opposite corners",
        )
    if not _LEAST <= factor <= _MOST:
        raise UsageError(
            f"the points ask for a factor of {float(factor):.4g} along {axis}",
            hint="an old point and its new one may have been exchanged",
        )
    return factor, new - factor * old


def parse_factor(text: str) -> Fraction:
    """A factor as people write it: `0.5`, `50%`, `1/2`, `2`."""
    given = text.strip()
    try:
        factor = Fraction(given.removesuffix("%")) / (100 if given.endswith("%") else 1)
    except (ValueError, ZeroDivisionError):
        raise UsageError(
            f"{text!r} is not a factor", hint="write it as 0.5, as 50% or as 1/2"
        ) from None
    if not _LEAST <= factor <= _MOST:
        raise UsageError(f"{text} is not between 1/100 and 100")
    return factor
