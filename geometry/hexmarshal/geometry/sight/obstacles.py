"""Finds what stands in the way of one line: terrain of cells, sides, vertices, shapes, ground."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hexmarshal.geometry.sight.contacts import (
    Contact,
    Meeting,
    chain_contacts,
    passes_through,
    ring_contacts,
)
from hexmarshal.geometry.sight.index import Obstruction
from hexmarshal.geometry.sight.sight_rule import Profile, SidePolicy, SightRule
from hexmarshal.geometry.terrain.terrain_map import SightEffect

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from hexmarshal.geometry.lattice.tiling import Tiling
    from hexmarshal.geometry.sight.course import Course, Fork, Stretch
    from hexmarshal.geometry.sight.index import Feature, PreparedShape, SightIndex

__all__ = ["GROUND", "Obstruction", "Inquiry", "distances"]

GROUND = "higher ground"
_ZERO, _ONE = Fraction(0), Fraction(1)

Scalar = int | Fraction
Found = tuple[tuple[Obstruction, ...], tuple[Obstruction, ...]]


@dataclass(slots=True)
class Inquiry:
    """One line to be judged; `base` and `origin` shift a course that was made from cell (0,0)."""

    index: SightIndex
    rule: SightRule
    course: Course
    base: int
    origin: Any
    start: tuple[Scalar, Scalar]
    end: tuple[Scalar, Scalar]
    la: Scalar
    lb: Scalar

    def findings(self) -> Found:
        """Obstacles and hindrances: layer by layer, and in a layer along the line."""
        obstacles: list[Obstruction] = []
        hindrances: list[Obstruction] = []
        for finding in self._all():
            (hindrances if finding.effect is SightEffect.HINDRANCE else obstacles).append(finding)
        return tuple(obstacles), tuple(hindrances)

    def _all(self) -> list[Obstruction]:
        index, course, rule = self.index, self.course, self.rule
        vertex_stride = index.tiling.vertex_stride
        found: list[Obstruction] = []
        if index.cell_features or index.highest > min(self.la, self.lb):
            for stretch in course.cells:
                self._cell(stretch, found)
            if rule.end_cells:
                for stretch in course.end_cells:
                    self._features(stretch, index.cell_features, 1, found)
        if index.side_features:
            for stretch in course.sides:
                self._side(stretch, found)
            if rule.along_sides:
                for stretch in course.runs:
                    self._side(stretch, found)
        if index.vertex_features:
            for stretch in course.vertices:
                if 0 < stretch.start < 1 or rule.end_cells:
                    self._features(stretch, index.vertex_features, vertex_stride, found)
        if course.forks and (
            index.cell_features or index.side_features or index.highest > min(self.la, self.lb)
        ):
            for fork in course.forks:
                self._fork(fork, found)
        if index.shapes_in and self.start != self.end:
            self._shapes(found)
        return found

    def _key(self, key: Hashable, times: int) -> Hashable:
        return key + times * self.base if isinstance(key, int) else key

    def _cell(self, stretch: Stretch, found: list[Obstruction]) -> None:
        index = self.index
        ground = index.ground.get(self._key(stretch.key, 1))
        if (
            ground is not None
            and self.rule.profile is not Profile.FLAT
            and self.rises(ground, (stretch,), is_ground=True)
        ):
            found.append(Obstruction(SightEffect.OBSTACLE, self._place(stretch.place), GROUND, 0))
        self._features(stretch, index.cell_features, 1, found)

    def _side(self, stretch: Stretch, found: list[Obstruction]) -> None:
        if not stretch.near or self.rule.near_sides:
            index = self.index
            self._features(stretch, index.side_features, index.tiling.side_stride, found)

    def _features(
        self,
        stretch: Stretch,
        features: dict[Hashable, tuple[Feature, ...]],
        times: int,
        found: list[Obstruction],
    ) -> None:
        found.extend(
            Obstruction.of(feature, self._place(stretch.place))
            for feature in features.get(self._key(stretch.key, times), ())
            if self.rises(feature.top, (stretch,))
        )

    def _fork(self, fork: Fork, found: list[Obstruction]) -> None:
        """The way that counts, as one finding at the place where the line could choose."""
        ways: list[list[Obstruction]] = []
        for way in fork.ways:
            met: list[Obstruction] = []
            for stretch in way.cells:
                self._cell(stretch, met)
            for stretch in way.sides:
                self._side(stretch, met)
            ways.append(met)
        weights = [_weight(met) for met in ways]
        less = self.rule.sides is SidePolicy.LESS_BLOCKING
        blocked, value = min(weights) if less else max(weights)
        if not blocked and not value:
            return
        effect = SightEffect.OBSTACLE if blocked else SightEffect.HINDRANCE
        # Where both ways weigh the same, neither is preferred: the answer must not depend on which
        # of the two is called the first.
        terrains = {
            finding.terrain
            for met, weight in zip(ways, weights, strict=True)
            if weight == (blocked, value)
            for finding in met
            if finding.effect is effect
        }
        found.append(
            Obstruction(effect, self._place(fork.place), " or ".join(sorted(terrains)), value)
        )

    def _shapes(self, found: list[Obstruction]) -> None:
        index, course, rule = self.index, self.course, self.rule
        numbers = self._shapes_near()
        if not numbers:
            return
        (ax, ay), (bx, by) = self.start, self.end
        dx, dy = bx - ax, by - ay
        line = dx * ay - dy * ax
        out, into = (_ZERO, _ONE) if rule.end_cells else (course.out, course.into)
        low_end, high_end = (self.la, self.lb) if self.la < self.lb else (self.lb, self.la)
        is_flat = rule.profile is Profile.FLAT
        # A box between these coordinates is all between the end cells, on the axis that the line
        # runs along more: a shape in it, with corners on both sides of the line, is gone through.
        axis = 0 if dx * dx >= dy * dy else 1
        origin, reach = (ay, dy) if axis else (ax, dx)
        nearer, farther = (out, into) if reach > 0 else (into, out)
        after = -((-origin * nearer.denominator - reach * nearer.numerator) // nearer.denominator)
        before = (origin * farther.denominator + reach * farther.numerator) // farther.denominator
        along: list[tuple[Contact, PreparedShape]] = []
        shapes, extents = index.shapes, index.extents(dx, dy)
        for number in sorted(numbers):
            extent = extents.get(number)
            if extent is None:
                sides = [dx * y - dy * x for x, y in index.hulls[number]]
                extent = extents[number] = min(sides), max(sides)
            low, high = extent
            if low > line or high < line:
                continue
            shape = shapes[number]
            _, feature, finding, chains, box, is_area = shape
            if feature.top < low_end and not is_flat:
                continue
            # Above both ends it is in the way wherever it is met: no need to know where.
            if is_area and low < line < high and (is_flat or feature.top > high_end):
                near, far = box[axis], box[axis + 2]
                if near >= after and far <= before:
                    found.append(finding)
                    continue
                if far < after or near > before:
                    continue
                met = passes_through(chains, self.start, (dx, dy), out, into)
                if met:
                    found.append(finding)
                if met is not None:
                    continue
            contacts = self._contacts(shape)
            if self._shape_rises(shape, contacts, out, into):
                found.append(finding)
            else:
                along += [(c, shape) for c in contacts if c.hand and c.start < into and c.end > out]
        if len(along) > 1 and not rule.touch_counts:
            self._squeezed(along, out, into, found)

    def _shapes_near(self) -> set[int]:
        """The shapes in the cells on the way."""
        shapes_in, base = self.index.shapes_in, self.base
        keys: Iterable[Hashable] = self.course.between_keys
        if self.rule.end_cells:
            keys = (*keys, *(s.key for s in self.course.end_cells))
        if base:
            keys = [key + base for key in keys]  # type: ignore[operator]
        return set().union(*filter(None, map(shapes_in.get, keys)))

    def _contacts(self, shape: PreparedShape) -> tuple[Contact, ...]:
        if shape.is_area:
            return ring_contacts(shape.chains, self.start, self.end)
        return chain_contacts(shape.chains[0], self.start, self.end)

    def _shape_rises(
        self, shape: PreparedShape, contacts: Sequence[Contact], out: Fraction, into: Fraction
    ) -> bool:
        """Whether the line meets the shape between the end cells, and there below its top."""
        for contact in contacts:
            if not self._counts(contact):
                continue
            start, end = max(contact.start, out), min(contact.end, into)
            is_point = contact.start == contact.end
            if start > end or (start == end and not (is_point and out < start < into)):
                continue
            if self.rises(shape.feature.top, self._stretches(start, end)):
                return True
        return False

    def _counts(self, contact: Contact) -> bool:
        """Whether such a contact is more than a touch under the rule."""
        rule = self.rule
        if contact.meeting is Meeting.ALONG and not contact.hand:
            return rule.along_sides
        if contact.meeting is Meeting.ALONG and rule.sides is SidePolicy.MORE_BLOCKING:
            return True
        return contact.meeting in (Meeting.INSIDE, Meeting.CROSS) or rule.touch_counts

    def _stretches(self, start: Fraction, end: Fraction) -> list[Stretch]:
        """The cells under a part of the line, each with its share of that part."""
        course = self.course
        spans = [*course.cells, *course.end_cells, *course.runs]
        inside = [s for s in spans if s.start < end and start < s.end]
        if not inside:
            inside = [s for s in (*spans, *course.sides) if s.start <= start <= s.end]
        return [s._replace(start=max(s.start, start), end=min(s.end, end)) for s in inside]

    def _squeezed(
        self,
        along: list[tuple[Contact, PreparedShape]],
        out: Fraction,
        into: Fraction,
        found: list[Obstruction],
    ) -> None:
        """A line between two shapes that share an edge has no open side: the lesser one counts."""
        for i, (one, left) in enumerate(along):
            for two, right in along[i + 1 :]:
                start = max(one.start, two.start, out)
                end = min(one.end, two.end, into)
                if one.hand + two.hand or start >= end:
                    continue
                stretches = self._stretches(start, end)
                if not all(self.rises(s.feature.top, stretches) for s in (left, right)):
                    continue
                lesser = min((left, right), key=_lightness)
                found.append(lesser.finding)

    def rises(self, top: int, stretches: Sequence[Stretch], *, is_ground: bool = False) -> bool:
        """Whether something with this top is in the way of the line in one of these stretches."""
        rule, la, lb = self.rule, self.la, self.lb
        if rule.profile is Profile.FLAT:
            return True
        low, high = (la, lb) if la < lb else (lb, la)
        touches = rule.equal_blocks and not is_ground
        if top > high or (touches and top == high):
            return True
        if top <= low:
            return False
        if rule.profile is Profile.SLOPE:
            for stretch in stretches:
                share = stretch.start if la < lb else stretch.end
                line = la + (lb - la) * share
                if top > line or (touches and top == line):
                    return True
            return False
        return any(self._blind(top, low, high, stretch) for stretch in stretches)

    def _blind(self, top: int, low: Scalar, high: Scalar, stretch: Stretch) -> bool:
        """Whether the lower end is one of the blind hexes behind a place."""
        course, unit = self.course, self.index.level_unit
        upper, lower = course.first_cells, course.last_cells
        if self.la < self.lb:
            upper, lower = lower, upper
        distance, behind = distances(course, stretch, upper, lower, self.index.tiling)
        count = self.rule.blind.count(
            viewer=Fraction(high, unit) if unit > 1 else high,
            top=Fraction(top, unit) if unit > 1 else top,
            lower=Fraction(low, unit) if unit > 1 else low,
            distance=distance,
        )
        return behind <= count

    def _place(self, place: Hashable) -> Hashable:
        origin = self.origin
        return place if origin is None else self.index.tiling.shifted(place, origin)  # type: ignore[attr-defined]


def _lightness(shape: PreparedShape) -> tuple[bool, int, str]:
    return shape.feature.obstacle, shape.feature.value, shape.shape.name


def _weight(found: list[Obstruction]) -> tuple[bool, int]:
    blocked = any(finding.effect is SightEffect.OBSTACLE for finding in found)
    return blocked, 0 if blocked else sum(finding.value for finding in found)


def distances(
    course: Course,
    stretch: Stretch,
    upper: tuple[Hashable, ...],
    lower: tuple[Hashable, ...],
    tiling: Tiling,
) -> tuple[int, int]:
    """From the upper end to a place and from the place to the lower end, in cells.

    A side or a vertex counts as part of its cell nearest to the upper end.
    """
    best: tuple[int, int] | None = None
    for cell in stretch.cells:
        far, back = _nearest(cell, upper, tiling), _nearest(cell, lower, tiling)
        if far is not None and back is not None and (best is None or (far, -back) < best):
            best = far, -back
    if best is not None:
        return best[0], -best[1]
    from_start = 1 + sum(s.end <= stretch.start for s in course.cells)
    to_end = 1 + sum(s.start >= stretch.end for s in course.cells)
    return (from_start, to_end) if upper is course.first_cells else (to_end, from_start)


def _nearest(cell: Hashable, ends: tuple[Hashable, ...], tiling: Tiling) -> int | None:
    measured = [tiling.distance(cell, end) for end in ends]
    return min((d for d in measured if d is not None), default=None)
