"""Outlines of terrain: polygons and polylines with exact corners that never cross."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from hexmarshal.errors import GeometryError
from hexmarshal.geometry.sight.contacts import Contact, Meeting, chain_contacts, ring_contacts
from hexmarshal.geometry.terrain.points import Affine, Number, Point, cross

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["Outline", "Polygon", "Polyline"]


@dataclass(frozen=True, slots=True)
class Polygon:
    """A simple polygon: the outer ring first, then holes; rings are closed without repetition."""

    rings: tuple[tuple[Point, ...], ...]

    def __post_init__(self) -> None:
        for ring in self.rings:
            if len(ring) < 3:
                raise GeometryError(f"a polygon needs three corners, this has {len(ring)}")
        _refuse_crossings([(ring, True) for ring in self.rings])
        outer, *holes = self.rings
        for i, hole in enumerate(holes):
            if any(_side_of((outer,), p) < 0 for p in _corners_and_middles(hole)):
                raise GeometryError(f"the hole at {hole[0]} is not inside the polygon")
            for other in holes[:i] + holes[i + 1 :]:
                if any(_side_of((other,), p) > 0 for p in _corners_and_middles(hole)):
                    raise GeometryError(f"the hole at {hole[0]} lies in another hole")

    @classmethod
    def of(
        cls,
        outer: Iterable[tuple[Number, Number]],
        *holes: Iterable[tuple[Number, Number]],
    ) -> Polygon:
        """From rows of numbers; a repeated last corner, as GeoJSON has it, is dropped."""
        rings = []
        for ring in (outer, *holes):
            points = [Point.of(x, y) for x, y in ring]
            if len(points) > 1 and points[0] == points[-1]:
                points.pop()
            rings.append(tuple(points))
        return cls(tuple(rings))

    @property
    def chains(self) -> tuple[tuple[Point, ...], ...]:
        """The rings."""
        return self.rings

    @property
    def area(self) -> Fraction:
        """The exact area, holes taken off."""
        outer, *holes = (abs(_doubled_area(ring)) for ring in self.rings)
        return (outer - sum(holes)) / 2

    @property
    def middle(self) -> Point:
        """The centroid of the outer ring, or some other point inside if that is not."""
        outer = self.rings[0]
        doubled = _doubled_area(outer)
        x = y = Fraction(0)
        for a, b in _closed(outer):
            turn = a.x * b.y - a.y * b.x
            x += (a.x + b.x) * turn
            y += (a.y + b.y) * turn
        centre = Point(x / (3 * doubled), y / (3 * doubled))
        return centre if self.side_of(centre) > 0 else self.interior_point()

    def side_of(self, point: Point) -> int:
        """1 if the point is inside, 0 on the border, -1 outside."""
        return _side_of(self.rings, point)

    def edges(self) -> Iterator[tuple[Point, Point]]:
        """Every edge of every ring."""
        for ring in self.rings:
            yield from _closed(ring)

    def contacts(self, start: Point, end: Point) -> tuple[Contact, ...]:
        """How the straight line from `start` to `end` meets this polygon, in order."""
        return ring_contacts(self.rings, start, end)

    def mapped(self, by: Affine) -> Polygon:
        """The polygon after an affine map; what was simple stays simple, so nothing is checked."""
        if by.determinant == 0:
            raise GeometryError("this map flattens the plane")
        result = object.__new__(Polygon)
        object.__setattr__(result, "rings", tuple(tuple(map(by, ring)) for ring in self.rings))
        return result

    def overlap(self, other: Polygon) -> Point | None:
        """A point of one inside the other, or None; a shared border alone is no overlap."""
        for one, two in ((self, other), (other, self)):
            for a, b in one.edges():
                for contact in two.contacts(a, b):
                    if contact.meeting is Meeting.INSIDE:
                        return a.towards(b, (contact.start + contact.end) / 2)
        # No edge of either runs inside the other: they are apart, or equal in outline.
        inner = self.interior_point()
        return inner if other.side_of(inner) > 0 else None

    def interior_point(self) -> Point:
        """Some point strictly inside."""
        for a, b in self.edges():
            for c in (ring[k] for ring in self.rings for k in range(len(ring))):
                if cross(a, b, c) == 0:
                    continue
                middle = a.towards(b, Fraction(1, 2))
                for contact in self.contacts(middle, c):
                    if contact.meeting is Meeting.INSIDE:
                        return middle.towards(c, (contact.start + contact.end) / 2)
        raise AssertionError("unreachable: a polygon has an inside")


@dataclass(frozen=True, slots=True)
class Polyline:
    """A line of terrain, such as a wall, a road or a river: two points or more, no crossing."""

    points: tuple[Point, ...]

    def __post_init__(self) -> None:
        if len(self.points) < 2:
            raise GeometryError(f"a line needs two points, this has {len(self.points)}")
        _refuse_crossings([(self.points, False)])

    @classmethod
    def of(cls, points: Iterable[tuple[Number, Number]]) -> Polyline:
        """From rows of numbers."""
        return cls(tuple(Point.of(x, y) for x, y in points))

    @property
    def chains(self) -> tuple[tuple[Point, ...], ...]:
        """The one chain of points."""
        return (self.points,)

    def edges(self) -> Iterator[tuple[Point, Point]]:
        """Its straight parts."""
        return pairwise(self.points)

    def contacts(self, start: Point, end: Point) -> tuple[Contact, ...]:
        """How the straight line from `start` to `end` meets this one, in order."""
        return chain_contacts(self.points, start, end)

    def mapped(self, by: Affine) -> Polyline:
        """The line after an affine map."""
        if by.determinant == 0:
            raise GeometryError("this map flattens the plane")
        result = object.__new__(Polyline)
        object.__setattr__(result, "points", tuple(map(by, self.points)))
        return result


Outline = Polygon | Polyline


def _between(a: Point, b: Point, p: Point) -> bool:
    """Whether p, known to be on the line a-b, is between its ends (included)."""
    return min(a.x, b.x) <= p.x <= max(a.x, b.x) and min(a.y, b.y) <= p.y <= max(a.y, b.y)


def _closed(ring: Sequence[Point]) -> Iterator[tuple[Point, Point]]:
    return pairwise((*ring, ring[0]))


def _corners_and_middles(ring: Sequence[Point]) -> Iterator[Point]:
    for a, b in _closed(ring):
        yield a
        yield a.towards(b, Fraction(1, 2))


def _side_of(rings: Sequence[Sequence[Point]], point: Point) -> int:
    inside = False
    for a, b in (edge for ring in rings for edge in _closed(ring)):
        turn = cross(a, b, point)
        if turn == 0 and _between(a, b, point):
            return 0
        if (a.y > point.y) != (b.y > point.y) and (turn > 0) == (b.y > a.y):
            inside = not inside
    return 1 if inside else -1


def _doubled_area(ring: Sequence[Point]) -> Fraction:
    return sum((a.x * b.y - a.y * b.x for a, b in _closed(ring)), Fraction(0))


def _refuse_crossings(chains: Sequence[tuple[Sequence[Point], bool]]) -> None:
    """Refuse a chain that meets itself, and chains that do more than touch each other in a point.

    The message says where.
    """
    edges: list[tuple[Point, Point, int, int]] = []
    for which, (chain, closed) in enumerate(chains):
        for k, (a, b) in enumerate(_closed(chain) if closed else pairwise(chain)):
            if a == b:
                raise GeometryError(f"the corner {a} is given twice in a row")
            edges.append((a, b, which, k))
    # Sorted by their left ends, only edges whose x-ranges overlap are compared.
    edges.sort(key=lambda edge: min(edge[0].x, edge[1].x))
    for i, (a, b, which, k) in enumerate(edges):
        right = max(a.x, b.x)
        for c, d, other, m in edges[i + 1 :]:
            if min(c.x, d.x) > right:
                break
            where = _meet(a, b, c, d)
            if where is None:
                continue
            chain, closed = chains[which]
            apart = abs(k - m)
            follows = which == other and (apart == 1 or (closed and apart == len(chain) - 1))
            on_one_line = cross(a, b, c) == cross(a, b, d) == 0
            if on_one_line and _overlap_on_line(a, b, c, d):
                raise GeometryError(f"the outline runs back along itself at {where}")
            touches = where in (a, b, c, d)
            if not touches or (which == other and not follows):
                raise GeometryError(f"the outline crosses itself at {where}")


def _overlap_on_line(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two segments of one line share more than a point."""
    (a, b), (c, d) = sorted((a, b)), sorted((c, d))
    return max(a, c) < min(b, d)


def _meet(a: Point, b: Point, c: Point, d: Point) -> Point | None:
    """A point that two closed segments share."""
    one, two = cross(a, b, c), cross(a, b, d)
    three, four = cross(c, d, a), cross(c, d, b)
    if one * two < 0 and three * four < 0:
        return c.towards(d, one / (one - two))
    for side, p, ends in (
        (one, c, (a, b)),
        (two, d, (a, b)),
        (three, a, (c, d)),
        (four, b, (c, d)),
    ):
        if side == 0 and _between(*ends, p):
            return p
    return None
