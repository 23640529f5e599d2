"""Smooth lines through points, and chance without chance."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from hexmarshal.geometry.svg.canvas import bend

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.kit.drawing.canvas import Point

__all__ = ["along", "bend", "jitter"]


def along(stops: Sequence[Point], *, steps: int = 8) -> list[Point]:
    """A smooth line near the stops, from the first to the last, as a road takes its bends.

    It goes through the middle between two stops and bends towards each stop on the way.
    """
    middles = [((x + u) / 2, (y + v) / 2) for (x, y), (u, v) in pairwise(stops)]
    line = [stops[0]]
    for start, stop, end in zip(middles, stops[1:-1], middles[1:], strict=False):
        for step in range(steps):
            t = step / steps
            a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
            line.append(
                (
                    a * start[0] + b * stop[0] + c * end[0],
                    a * start[1] + b * stop[1] + c * end[1],
                )
            )
    if middles:
        line.append(middles[-1])
    line.append(stops[-1])
    return line


def jitter(*seed: int) -> float:
    """A number from 0 to 1 that depends on the seed alone: a picture must not change by itself."""
    state = 2166136261
    for value in seed:
        state = (state ^ (value & 0xFFFFFFFF)) * 16777619 & 0xFFFFFFFF
        state ^= state >> 13
        state = state * 0x5BD1E995 & 0xFFFFFFFF
        state ^= state >> 15
    return state / 0xFFFFFFFF
