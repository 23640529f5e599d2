"""Where to look from along a line: the few points that stand for all between two places.

A vehicle of two squares looks from any point between their middles. What a line to a fixed target
crosses changes only where it goes through a corner; so the two ends, the points from which it does,
and one point between each two of those are enough to know what is seen from all of them.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from hexmarshal.geometry.lattice.squares import Square
from hexmarshal.geometry.sight.trace import point_of
from hexmarshal.geometry.terrain.points import Point, cross

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from hexmarshal.geometry.terrain.terrain_map import TerrainMap

__all__ = ["vantage_points"]

_ZERO, _ONE = Fraction(0), Fraction(1)


def vantage_points(
    terrain: TerrainMap, one: Hashable, other: Hashable, target: Hashable
) -> tuple[Point, ...]:
    """Points from `one` to `other`, both included, that stand for all between them."""
    start, end = point_of(terrain, one), point_of(terrain, other)
    aim = point_of(terrain, target)
    shares = {_ZERO, _ONE}
    if start != end and cross(start, end, aim) != 0:
        for corner in set(_corners(terrain)):
            share = _seen_through(start, end, aim, corner)
            if share is not None:
                shares.add(share)
    ordered = sorted(shares)
    between = [(low + high) / 2 for low, high in pairwise(ordered)]
    return tuple(start.towards(end, share) for share in sorted((*ordered, *between)))


def _corners(terrain: TerrainMap) -> Iterator[Point]:
    for cell in terrain.cells():
        yield from cell.corners() if isinstance(cell, Square) else terrain.outline(cell).rings[0]
    for shape in terrain.shapes:
        for chain in shape.outline.chains:
            yield from chain


def _seen_through(start: Point, end: Point, aim: Point, corner: Point) -> Fraction | None:
    """From which share of the way a corner is exactly before the target; None from nowhere."""
    left, right = cross(aim, corner, start), cross(aim, corner, end)
    if left == right:
        return None
    share = left / (left - right)
    if not 0 < share < 1:
        return None
    point = start.towards(end, share)
    ahead = (corner.x - aim.x) * (point.x - aim.x) + (corner.y - aim.y) * (point.y - aim.y)
    away = (point.x - aim.x) ** 2 + (point.y - aim.y) ** 2
    return share if 0 < ahead < away else None
