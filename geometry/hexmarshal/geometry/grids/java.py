"""Numbers as the VASSAL engine computes them: Java's rounding, 32-bit floats, polygon borders."""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["crosses_odd", "float32", "half", "polygon_contains", "round_half_up"]

_FLOAT32 = struct.Struct("f")


def round_half_up(x: float) -> int:
    """The nearest whole number, halves upward; floor(x + 0.5) without its error just below 0.5."""
    whole = math.floor(x)
    return whole + 1 if x - whole >= 0.5 else whole


def half(x: float) -> int:
    """The whole number that x + 0.5 reaches, with that sum rounded to a double first."""
    return math.floor(x + 0.5)


def float32(x: float) -> float:
    """The nearest 32-bit float."""
    rounded: float = _FLOAT32.unpack(_FLOAT32.pack(x))[0]
    return rounded


def crosses_odd(points: Sequence[tuple[int, int]], x: int, y: int) -> bool:
    """Whether a whole-number point is in a polygon, exactly; left and top borders are inside."""
    inside = False
    for (ax, ay), (bx, by) in zip(points, (*points[1:], points[0]), strict=True):
        if ay > by:
            ax, ay, bx, by = bx, by, ax, ay  # noqa: PLW2901
        if ay <= y < by and (x - ax) * (by - ay) < (y - ay) * (bx - ax):
            inside = not inside
    return inside


def polygon_contains(points: Sequence[tuple[int, int]], x: int, y: int) -> bool:
    """The same as the engine decides it for zones.

    It divides before it multiplies: some points that lie exactly on a slanted border fall to the
    other side than exact arithmetic would put them.
    """
    if len(points) < 3:
        return False
    inside = False
    for (ax, ay), (bx, by) in zip(points, (*points[1:], points[0]), strict=True):
        left, right = (ax, bx) if ax < bx else (bx, ax)
        if not min(ay, by) <= y < max(ay, by) or x >= right:
            continue
        # The upper end is the base, and the sign of both differences follows the polygon's course.
        top_x, top_y = (ax, ay) if ay < by else (bx, by)
        if x < left or x - top_x < (y - top_y) / (ay - by) * (ax - bx):
            inside = not inside
    return inside
