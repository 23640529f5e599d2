"""Outlines as nature draws them: rounded, a little uneven, the same in every run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import shapely

from hexmarshal.geometry.svg.canvas import number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

    from hexmarshal.kit.drawing.canvas import Point

__all__ = ["drawn", "merged", "path", "polygons", "rounded", "uneven"]

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
