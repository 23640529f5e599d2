"""Outlines of terrain, polygons and polylines, and exactly how a straight line meets them.

The line is seen from just left and from just right of it. Seen so, it never goes through a corner
or along an edge: each of the two neighbours crosses edges properly or not at all. Where both are
inside the polygon, the line is inside; where one is, it runs along an edge; a corner that is on the
line where nothing changes is touched. Only signs of exact numbers decide.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from hexmarshal.errors import GeometryError
from hexmarshal.geometry.points import Affine, Number, Point, cross

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = [
    "Contact",
    "Meeting",
    "Outline",
    "Polygon",
    "Polyline",
    "chain_contacts",
    "passes_through",
    "ring_contacts",
]

Scalar = int | Fraction
_ZERO, _ONE = Fraction(0), Fraction(1)
Pair = tuple[Scalar, Scalar]


class Meeting(Enum):
    """How a line meets an outline."""

    INSIDE = "inside"
    ALONG = "along"
    TOUCH = "touch"
    CROSS = "cross"


class Contact(NamedTuple):
    """A part of the line from share `start` to share `end` of its way, and how it meets a shape.

    `open_start` says that the line's own start lies inside the polygon, so that it does not enter
    it there; `open_end` the same of its end. `hand` says on which side of a line that runs along an
    edge the polygon is: 1 where cross products are positive, -1 where they are negative.
    """

    meeting: Meeting
    start: Fraction
    end: Fraction
    open_start: bool = False
    open_end: bool = False
    hand: int = 0

    def reversed(self) -> Contact:
        """The same, on the way back."""
        return Contact(
            self.meeting,
            1 - self.end,
            1 - self.start,
            self.open_end,
            self.open_start,
            -self.hand,
        )


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


def ring_contacts(rings: Sequence[Sequence[Pair]], start: Pair, end: Pair) -> tuple[Contact, ...]:
    """The contacts of the line with a polygon; coordinates may be integers of any scale."""
    (ax, ay), (bx, by) = start, end
    dx, dy = bx - ax, by - ay
    length = dx * dx + dy * dy
    if length == 0:
        raise GeometryError(f"a line from {start} to itself has no direction")
    left: list[Fraction] = []
    right: list[Fraction] = []
    corners: list[Fraction] = []
    for ring in rings:
        sides = [dx * (y - ay) - dy * (x - ax) for x, y in ring]
        if min(sides) > 0 or max(sides) < 0:
            continue
        before, side_before = ring[-1], sides[-1]
        for point, side in zip(ring, sides, strict=True):
            on_left = (side > 0) != (side_before > 0)
            on_right = (side < 0) != (side_before < 0)
            if on_left or on_right:
                along = dx * (before[0] - ax) + dy * (before[1] - ay)
                along_next = dx * (point[0] - ax) + dy * (point[1] - ay)
                t = Fraction(along * side - along_next * side_before, (side - side_before) * length)
                if on_left:
                    left.append(t)
                if on_right:
                    right.append(t)
            if side == 0:
                corners.append(Fraction(dx * (point[0] - ax) + dy * (point[1] - ay)) / length)
            before, side_before = point, side
    if not left and not right and not corners:
        return ()
    return _pieces(left, right, corners)


def passes_through(
    rings: Sequence[Sequence[Pair]],
    start: Pair,
    step: Pair,
    after: Fraction,
    before: Fraction,
) -> bool | None:
    """Whether the line goes through the inside between two shares of its way.

    The quick answer for lines that meet no corner; None if one does, which needs `ring_contacts`.
    """
    (ax, ay), (dx, dy) = start, step
    line = dx * ay - dy * ax
    # Distances along the line are measured on the axis that it runs along more.
    axis = 0 if dx * dx >= dy * dy else 1
    origin, reach = (ay, dy) if axis else (ax, dx)
    low, low_over = after.as_integer_ratio()
    high, high_over = before.as_integer_ratio()
    inside = False
    for ring in rings:
        last = ring[-1]
        last_side = dx * last[1] - dy * last[0] - line
        if last_side == 0:
            return None
        for point in ring:
            side = dx * point[1] - dy * point[0] - line
            if side == 0:
                return None
            if (side > 0) != (last_side > 0):
                way = (last[axis] - origin) * side - (point[axis] - origin) * last_side
                over = (side - last_side) * reach
                if over < 0:
                    way, over = -way, -over
                if way * low_over <= low * over:
                    inside = not inside
                elif way * high_over < high * over:
                    return True
            last, last_side = point, side
    return inside


def _pieces(
    left: list[Fraction], right: list[Fraction], corners: list[Fraction]
) -> tuple[Contact, ...]:
    """Contacts from where the line's two neighbours cross, cut to the line's own length."""
    cuts = sorted({*left, *right})
    pieces: list[Contact] = []
    for low, high in pairwise(cuts):
        on_left = sum(t <= low for t in left) % 2
        on_right = sum(t <= low for t in right) % 2
        if not (on_left or on_right) or high < 0 or low > 1:
            continue
        begin, stop = max(low, _ZERO), min(high, _ONE)
        if begin == stop:
            corners.append(begin)
        elif on_left and on_right:
            pieces.append(Contact(Meeting.INSIDE, begin, stop, low < 0, high > 1))
        else:
            pieces.append(Contact(Meeting.ALONG, begin, stop, hand=on_left - on_right))
    borders = {t for c in pieces for t in (c.start, c.end)}
    joints = {
        one.end
        for one, two in pairwise(pieces)
        if one.end == two.start and one.meeting is two.meeting is Meeting.INSIDE
    }
    # A corner between two stretches inside is touched from within; one that begins or ends a
    # stretch is where the line enters, leaves or starts to run along.
    touched = {t for t in corners if 0 <= t <= 1 and (t not in borders or t in joints)}
    touched -= {
        t for t in touched for c in pieces if c.meeting is Meeting.ALONG and c.start < t < c.end
    }
    merged = _joined(pieces)
    merged.extend(Contact(Meeting.TOUCH, t, t) for t in touched)
    return tuple(sorted(merged, key=_by_place))


def _joined(pieces: list[Contact]) -> list[Contact]:
    """Stretches of one kind that follow each other without a gap, as one."""
    joined: list[Contact] = []
    for piece in pieces:
        last = joined[-1] if joined else None
        if (
            last is not None
            and last.end == piece.start
            and (last.meeting is piece.meeting and last.hand == piece.hand)
        ):
            joined[-1] = last._replace(end=piece.end, open_end=piece.open_end)
        else:
            joined.append(piece)
    return joined


def chain_contacts(points: Sequence[Pair], start: Pair, end: Pair) -> tuple[Contact, ...]:
    """The contacts of the line with a polyline: crossed, touched without crossing, run along."""
    (ax, ay), (bx, by) = start, end
    dx, dy = bx - ax, by - ay
    length = dx * dx + dy * dy
    if length == 0:
        raise GeometryError(f"a line from {start} to itself has no direction")
    sides = [dx * (y - ay) - dy * (x - ax) for x, y in points]
    if min(sides) > 0 or max(sides) < 0:
        return ()
    shares = [Fraction(dx * (x - ax) + dy * (y - ay)) / length for x, y in points]
    contacts: list[Contact] = []
    came_from: Scalar = 0
    k = 0
    while k < len(points):
        if sides[k] != 0:
            if k and sides[k - 1] != 0 and (sides[k] > 0) != (sides[k - 1] > 0):
                one, two = sides[k - 1], sides[k]
                t = (shares[k - 1] * two - shares[k] * one) / (two - one)
                _add_meeting(contacts, t, t, crosses=True)
            came_from = sides[k]
            k += 1
            continue
        first = k
        while k + 1 < len(points) and sides[k + 1] == 0:
            k += 1
        goes_to = sides[k + 1] if k + 1 < len(points) else 0
        _add_meeting(
            contacts,
            min(shares[first : k + 1]),
            max(shares[first : k + 1]),
            crosses=came_from * goes_to < 0,
        )
        k += 1
    return tuple(sorted(set(contacts), key=_by_place))


def _add_meeting(contacts: list[Contact], low: Fraction, high: Fraction, *, crosses: bool) -> None:
    begin, stop = max(low, _ZERO), min(high, _ONE)
    if begin > stop:
        return
    if begin < stop:
        contacts.append(Contact(Meeting.ALONG, begin, stop))
        if crosses and low > 0 and high < 1:
            # Where along the stretch it changes sides is nowhere in particular: say so as a whole.
            contacts.append(Contact(Meeting.CROSS, begin, stop))
    else:
        crosses = crosses and 0 < begin < 1 and low == high
        contacts.append(Contact(Meeting.CROSS if crosses else Meeting.TOUCH, begin, stop))


def _by_place(contact: Contact) -> tuple[Fraction, Fraction, str]:
    return contact.start, contact.end, contact.meeting.value


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
