"""Which polygons share a border, and where, decided exactly: by collinear edges that overlap."""

from __future__ import annotations

import math
from collections import defaultdict
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from hexmarshal.errors import GeometryError, Place

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from shapely import Polygon

__all__ = ["Border", "check_apart", "check_outline", "shared_borders"]

C = TypeVar("C", bound="Hashable")


class Border(NamedTuple):
    """A straight piece of border between two cells."""

    start: tuple[Fraction, Fraction]
    end: tuple[Fraction, Fraction]


class _Stretch(NamedTuple):
    """An edge on its line: from one value to another of the coordinate that grows along it."""

    start: Fraction
    end: Fraction
    owner: int


_Line = tuple[Fraction | None, Fraction]


def shared_borders(
    outlines: Mapping[C, Sequence[tuple[float | Fraction, float | Fraction]]],
) -> dict[tuple[C, C], tuple[Border, ...]]:
    """The borders of every pair of polygons that touch along some length, in the given order.

    Corners need not meet: a long side may border several short ones. A common corner alone is no
    border. Floats are taken at face value, so sides that should match must be written the same.
    """
    cells = list(outlines)
    lines: defaultdict[_Line, list[_Stretch]] = defaultdict(list)
    for owner, cell in enumerate(cells):
        corners = [(_exact(x, cell), _exact(y, cell)) for x, y in outlines[cell]]
        for one, other in pairwise([*corners, corners[0]]):
            if one != other:
                line, start, end = _on_line(one, other)
                lines[line].append(_Stretch(start, end, owner))
    found: defaultdict[tuple[int, int], list[Border]] = defaultdict(list)
    for line, stretches in lines.items():
        for earlier, later in _overlaps(stretches):
            start, end = later.start, min(earlier.end, later.end)
            low, high = sorted((earlier.owner, later.owner))
            found[low, high].append(Border(_point(line, start), _point(line, end)))
    return {
        (cells[low], cells[high]): tuple(sorted(found[low, high])) for low, high in sorted(found)
    }


def _exact(value: float | Fraction, cell: Hashable) -> Fraction:
    if not math.isfinite(value):
        raise GeometryError(f"{value} is not a coordinate", place=Place(cell=str(cell)))
    return Fraction(value)


def _on_line(
    one: tuple[Fraction, Fraction], other: tuple[Fraction, Fraction]
) -> tuple[_Line, Fraction, Fraction]:
    """The line through two points as (slope, height at x = 0), or (None, x) if it is upright."""
    (ax, ay), (bx, by) = sorted((one, other))
    if ax == bx:
        return (None, ax), ay, by
    slope = (by - ay) / (bx - ax)
    return (slope, ay - slope * ax), ax, bx


def _point(line: _Line, at: Fraction) -> tuple[Fraction, Fraction]:
    slope, offset = line
    return (offset, at) if slope is None else (at, slope * at + offset)


def _overlaps(stretches: Iterable[_Stretch]) -> Iterable[tuple[_Stretch, _Stretch]]:
    open_ones: list[_Stretch] = []
    for stretch in sorted(stretches):
        open_ones = [other for other in open_ones if other.end > stretch.start]
        yield from ((other, stretch) for other in open_ones if other.owner != stretch.owner)
        open_ones.append(stretch)


def check_outline(
    name: str, corners: Sequence[tuple[float | Fraction, float | Fraction]]
) -> Polygon:
    """The polygon of a cell; `GeometryError` says where it crosses itself or what it lacks."""
    from shapely import Polygon
    from shapely.validation import explain_validity

    points = [(float(_exact(x, name)), float(_exact(y, name))) for x, y in corners]
    if len(set(points)) < 3:
        raise GeometryError(
            "an outline needs at least three corners", place=Place(field="polygon", cell=name)
        )
    shape = Polygon(points)
    if not shape.is_valid:
        raise GeometryError(
            f"the outline is broken: {explain_validity(shape)}",
            place=Place(field="polygon", cell=name),
        )
    return shape


def check_apart(shapes: Mapping[str, Polygon]) -> None:
    """Raise `GeometryError` if two polygons share more than a border."""
    from shapely import STRtree

    if not shapes:
        return
    names, polygons = list(shapes), list(shapes.values())
    tree = STRtree(polygons)
    pairs = sorted((int(i), int(j)) for i, j in tree.query(polygons, predicate="intersects").T)
    for i, j in pairs:
        if i < j and polygons[i].relate_pattern(polygons[j], "T********"):
            where = polygons[i].intersection(polygons[j]).representative_point()
            raise GeometryError(
                f"{names[i]} and {names[j]} overlap near ({where.x:g}, {where.y:g})",
                place=Place(field="polygon", cell=names[j]),
            )
