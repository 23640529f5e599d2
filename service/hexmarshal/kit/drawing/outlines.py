"""Lines and outlines as nature draws them: smooth, a little uneven, the same in every run."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import shapely

from hexmarshal.geometry.svg.canvas import number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

    from hexmarshal.kit.drawing.canvas import Point

__all__ = [
    "along",
    "drawn",
    "jitter",
    "merged",
    "path",
    "polygons",
    "rounded",
    "uneven",
]

# Neighbours share corners to the last bit, but not after a buffer of another shape.
_SEAM = 0.05


def merged(cells: Iterable[shapely.Polygon]) -> BaseGeometry:
    """The area that cells cover together."""
    return shapely.union_all([cell.buffer(_SEAM) for cell in cells])


def rounded(shape: BaseGeometry, radius: float) -> BaseGeometry:
    """The shape with round corners, inner and outer."""
    return shape.buffer(-radius).buffer(2 * radius).buffer(-radius)


def uneven(shape: BaseGeometry, amount: float) -> BaseGeometry:
    """The shape with a wavering outline.

    The wavering depends on the place alone: shapes that share a border go on sharing it.
    """
    fine = shapely.segmentize(shape, 4.0)
    return shapely.make_valid(shapely.transform(fine, lambda at: at + amount * _wavering(at)))


def _wavering(at: NDArray[np.float64]) -> NDArray[np.float64]:
    x, y = at[:, 0], at[:, 1]
    across = np.sin(x * 0.131 + 2.1 * np.sin(y * 0.047)) + 0.6 * np.sin(y * 0.29 + x * 0.05)
    down = np.sin(y * 0.117 + 1.7 * np.sin(x * 0.053)) + 0.6 * np.sin(x * 0.31 - y * 0.04)
    return np.column_stack([across, down])


def polygons(shape: BaseGeometry) -> Iterator[shapely.Polygon]:
    """The polygons that a shape consists of."""
    if isinstance(shape, shapely.Polygon):
        if not shape.is_empty:
            yield shape
    else:
        for part in getattr(shape, "geoms", ()):
            yield from polygons(part)


def path(shape: BaseGeometry) -> str:
    """An SVG path; holes stay open with the rule `evenodd`."""
    parts = []
    for polygon in polygons(shape.simplify(0.25)):
        for ring in (polygon.exterior, *polygon.interiors):
            (x, y), *rest = ring.coords[:-1]
            parts.append(f"M{number(x)} {number(y)}L")
            parts.append(" ".join(f"{number(a)} {number(b)}" for a, b in rest))
            parts.append("Z")
    return "".join(parts)


def drawn(line: shapely.LineString) -> list[Point]:
    """The points of a line."""
    return [(x, y) for x, y in line.coords]


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
