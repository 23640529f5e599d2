"""How a straight line meets an outline, decided by signs of exact numbers alone.

The line is seen from just left and from just right of it. Seen so, it never goes through a corner
or along an edge: each of the two neighbours crosses edges properly or not at all. Where both are
inside the polygon, the line is inside; where one is, it runs along an edge; a corner that is on the
line where nothing changes is touched.
"""

from __future__ import annotations

from enum import Enum
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from hexmarshal.errors import GeometryError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Contact", "Meeting", "chain_contacts", "passes_through", "ring_contacts"]

Scalar = int | Fraction
Pair = tuple[Scalar, Scalar]
_ZERO, _ONE = Fraction(0), Fraction(1)


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
