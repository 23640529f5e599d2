"""Judges many lines at once: floats with proven bounds decide, and where they cannot, exactness.

Every step either knows its answer for certain or marks the line as open; open lines are judged one
by one by `line_of_sight`. So the arrays hold exactly what the single calls would say.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hexmarshal.geometry.sight import packed
from hexmarshal.geometry.sight.line_of_sight import line_of_sight
from hexmarshal.geometry.sight.packed import Ragged, pack_course
from hexmarshal.geometry.sight.sight_rule import Profile, SidePolicy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hexmarshal.geometry.sight.packed import Features, PackedMap
    from hexmarshal.geometry.sight.sight_rule import SightRule

    Ints = NDArray[np.int64]
    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]

__all__ = ["Judged", "judge_lines"]

_AT_ONCE = 1 << 21


class Judged(NamedTuple):
    """For each line whether it is blocked and how much it is hindered."""

    blocked: Bools
    hindrance: Ints


def judge_lines(field: PackedMap, start: Ints, end: Ints, rule: SightRule) -> Judged:
    """Judge the lines between cells, given by their positions on the map."""
    batch = _Batch.of(field, start, end, rule)
    batch.judge()
    limit, reach = rule.hindrance_limit, rule.max_range
    blocked, hindrance = batch.blocked, batch.hindrance
    if limit is not None:
        blocked |= hindrance >= limit
    if reach is not None:
        blocked |= batch.ranges > reach
    terrain = field.index.terrain
    for line in np.flatnonzero(batch.open):
        a, b = field.cells_in_order[start[line]], field.cells_in_order[end[line]]
        sight = line_of_sight(terrain, a, b, rule)
        blocked[line], hindrance[line] = sight.blocked, sight.hindrance
    return Judged(blocked, hindrance)


@dataclass(slots=True)
class _Batch:
    field: PackedMap
    rule: SightRule
    start: Ints
    end: Ints
    kinds: list[packed.PackedStretches]
    kind: Ints
    level_a: Ints
    level_b: Ints
    low: Ints
    high: Ints
    blocked: Bools
    hindrance: Ints
    open: Bools
    ranges: Ints

    @classmethod
    def of(cls, field: PackedMap, start: Ints, end: Ints, rule: SightRule) -> _Batch:
        step = field.axial[end] - field.axial[start]
        wide = 2 * field.height + 1
        codes, kind = np.unique(step[:, 0] * wide + step[:, 1] + field.height, return_inverse=True)
        tiling = field.tiling
        kinds = [pack_course(tiling, int(c) // wide, int(c) % wide - field.height) for c in codes]
        eye = rule.eye * field.index.level_unit
        # A common shift of both ends by a part of a unit is a shift of every top the other way;
        # whole units are the rule, and the others are left to the exact judgement.
        shift = int(eye) if eye == int(eye) else 0
        a, b = field.level[start] + shift, field.level[end] + shift
        return cls(
            field,
            rule,
            start,
            end,
            kinds,
            kind.reshape(-1),
            a,
            b,
            np.minimum(a, b),
            np.maximum(a, b),
            np.zeros(len(start), dtype=bool),
            np.zeros(len(start), dtype=np.int64),
            np.full(len(start), rule.end_cells or eye != int(eye)),
            np.array([k.range for k in kinds], dtype=np.int64)[kind.reshape(-1)],
        )

    def judge(self) -> None:
        """Fill in `blocked` and `hindrance`, or mark lines as open."""
        if self.open.all():
            return
        field, rule = self.field, self.rule
        own_sides = field.tiling.own_sides
        has_cells, has_sides = not field.cells.is_empty, not field.sides.is_empty
        if has_cells:
            self._open_at([k.fork_cells for k in self.kinds], field.cells, 1)
        if has_sides:
            self._open_at([k.fork_sides for k in self.kinds], field.sides, own_sides)
        if has_sides and rule.along_sides:
            self._open_if([k.has_runs for k in self.kinds])
        if field.index.vertex_features:
            self._open_if([k.has_vertices for k in self.kinds])
        if has_cells:
            self._stretches([k.cells for k in self.kinds], field.cells, 1)
        if has_sides:
            sides = [k.sides if rule.near_sides else k.sides[~k.near] for k in self.kinds]
            self._stretches(sides, field.sides, own_sides)
        if len(field.shape_number):
            self._shapes()

    def _open_if(self, flags: list[bool]) -> None:
        self.open |= np.array(flags, dtype=bool)[self.kind]

    def _open_at(self, tables: list[Ints], features: Features, per_cell: int) -> None:
        """Leave lines open that have something at a place where they could choose."""
        line, _, place = self._places(tables, per_cell)
        self.open[line[features.rows.length[place] > 0]] = True

    def _places(self, tables: list[Ints], per_cell: int) -> tuple[Ints, Ints, Ints]:
        """Every stretch of every line that is not open: the line, the stretch and its place."""
        table = np.concatenate(tables)
        lines = np.flatnonzero(~self.open)
        owner, entry = Ragged.of([len(each) for each in tables]).expand(self.kind[lines])
        line = lines[owner]
        axial = self.field.axial[self.start[line]] + table[entry, : packed.DIRECTION]
        slot = self.field.slots(axial[:, 0], axial[:, 1])
        return line, entry, slot * per_cell + table[entry, packed.DIRECTION]

    def _note(self, lines: Ints, obstacle: Bools, value: Ints) -> None:
        self.blocked[lines[obstacle]] = True
        self.hindrance += np.bincount(lines, weights=value, minlength=len(self.start)).astype(
            np.int64
        )

    def _stretches(self, tables: list[Ints], features: Features, per_cell: int) -> None:
        """Cells or sides on the way, with what is in them."""
        table = np.concatenate(tables)
        line, entry, place = self._places(tables, per_cell)
        holder, feature = features.rows.expand(place)
        line, entry = line[holder], entry[holder]
        rises = self._rises(line, table[entry], features.top[feature], features.ground[feature])
        line, feature = line[rises], feature[rises]
        self._note(line, features.obstacle[feature], features.value[feature])

    def _rises(self, line: Ints, stretch: Ints, top: Ints, ground: Bools) -> Bools:
        """The rule's test of heights, all in whole numbers."""
        rule = self.rule
        above: Bools
        if rule.profile is Profile.FLAT:
            return ~ground
        low, high = self.low[line], self.high[line]
        equal = np.zeros(len(top), dtype=bool) if not rule.equal_blocks else ~ground
        above = (top > high) | (equal & (top == high))
        between = np.flatnonzero(~above & (top > low))
        if not len(between):
            return above
        line, stretch, top, equal = line[between], stretch[between], top[between], equal[between]
        a, b = self.level_a[line], self.level_b[line]
        rising = a < b
        if rule.profile is Profile.SLOPE:
            share = np.where(rising, stretch[:, packed.START], stretch[:, packed.END])
            over = np.where(rising, stretch[:, packed.START_OVER], stretch[:, packed.END_OVER])
            gap = top * over - (a * over + (b - a) * share)
            above[between] = (gap > 0) | (equal & (gap == 0))
            return above
        far = np.where(rising, stretch[:, packed.FAR_B], stretch[:, packed.FAR_A])
        back = np.where(rising, stretch[:, packed.BACK_B], stretch[:, packed.BACK_A])
        unit, blind = self.field.index.level_unit, rule.blind
        count = blind.per_level * -((self.low[line] - top) // unit) + far // blind.range_step
        count -= blind.per_advantage * np.maximum(0, (self.high[line] - top) // unit - 1)
        above[between] = back <= np.maximum(blind.least, count)
        return above

    def _shapes(self) -> None:
        """Shapes in the cells on the way: clearly missed, clearly met, or left open."""
        field, rule = self.field, self.rule
        line, shape = self._candidates()
        top = field.shape_top[shape]
        low, high = self.low[line], self.high[line]
        if rule.profile is Profile.FLAT:
            above = np.ones(len(top), dtype=bool)
        else:
            above = (top > high) | (rule.equal_blocks & (top == high))
            keep = above | (top > low)
            line, shape, above = line[keep], shape[keep], above[keep]
        least, most = self._sides(line, shape)
        error = field.side_error
        apart = (least > error) | (most < -error)
        line, shape, above = line[~apart], shape[~apart], above[~apart]
        least, most = least[~apart], most[~apart]
        through = above & field.shape_is_area[shape] & (least < -error) & (most > error)
        if rule.touch_counts or rule.sides is SidePolicy.MORE_BLOCKING:
            touching = (least >= -error) | (most <= error)
            through &= ~touching
        self.open[line[~through]] = True
        line, shape = line[through], shape[through]
        met = self._between_ends(line, shape)
        line, shape = line[met], shape[met]
        self._note(line, field.shape_obstacle[shape], field.shape_value[shape])

    def _candidates(self) -> tuple[Ints, Ints]:
        """Each line with each shape in a cell on its way, once."""
        field = self.field
        rows = Ragged.of([len(k.between) for k in self.kinds])
        between = np.concatenate([k.between for k in self.kinds])
        lines = np.flatnonzero(~self.open)
        owner, entry = rows.expand(self.kind[lines])
        line = lines[owner]
        offset = between[:, 0] * field.height + between[:, 1]
        holder, found = field.shape_rows.expand(field.slot[self.start[line]] + offset[entry])
        count = len(field.shape_top)
        pairs = np.sort(line[holder] * count + field.shape_number[found])
        pairs = pairs[np.diff(pairs, prepend=-1) != 0]
        return pairs // count, pairs % count

    def _sides(self, line: Ints, shape: Ints) -> tuple[Floats, Floats]:
        """On which sides of the line the corners of a shape's hull are: the least and the most.

        A corner's distance from a line is that of the parallel through the origin less the line's
        own: so each direction measures each shape once, however many lines run that way.
        """
        field = self.field
        step = np.zeros((len(self.kinds), 2))
        step[self.kind] = field.centre[self.end] - field.centre[self.start]
        count = len(field.shape_top)
        least, most = np.empty((len(step), count)), np.empty((len(step), count))
        some = max(1, _AT_ONCE // len(field.hull))
        for k in range(0, len(step), some):
            d = step[k : k + some]
            sides = np.outer(d[:, 0], field.hull[:, 1]) - np.outer(d[:, 1], field.hull[:, 0])
            least[k : k + some] = np.minimum.reduceat(sides, field.hull_rows.first, axis=1)
            most[k : k + some] = np.maximum.reduceat(sides, field.hull_rows.first, axis=1)
        kind, start = self.kind[line], field.centre[self.start[line]]
        own = step[kind, 0] * start[:, 1] - step[kind, 1] * start[:, 0]
        return least[kind, shape] - own, most[kind, shape] - own

    def _between_ends(self, line: Ints, shape: Ints) -> Bools:
        """Whether a line that surely goes through a shape does so between its end cells."""
        field = self.field
        a, b = field.centre[self.start[line]], field.centre[self.end[line]]
        outs = np.array([Fraction(*k.out) for k in self.kinds], dtype=np.float64)
        intos = np.array([Fraction(*k.into) for k in self.kinds], dtype=np.float64)
        leave = a + (b - a) * outs[self.kind[line], None]
        enter = a + (b - a) * intos[self.kind[line], None]
        e = field.point_error
        d = b - a
        axis = (np.abs(d[:, 1]) > np.abs(d[:, 0])).astype(np.int64)
        row = np.arange(len(line))
        after = np.minimum(leave[row, axis], enter[row, axis])
        before = np.maximum(leave[row, axis], enter[row, axis])
        near, far = field.shape_box[shape, axis], field.shape_box[shape, axis + 2]
        met = (near >= after + e) & (far <= before - e)
        partly = np.flatnonzero(~met & (far > after - e) & (near < before + e))
        met[partly] = self._cut(
            line[partly], shape[partly], a[partly], d[partly], leave[partly], enter[partly]
        )
        return met

    def _cut(
        self, line: Ints, shape: Ints, a: Floats, d: Floats, leave: Floats, enter: Floats
    ) -> Bools:
        """Edge by edge: does the line cross one between its end cells, or is it inside already."""
        field = self.field
        if not len(line):
            return np.empty(0, dtype=bool)
        owner, edge = field.edge_rows.expand(shape)
        one, two = field.edge_from[edge], field.edge_to[edge]
        a, d = a[owner], d[owner]
        side_one = _cross(d, one - a)
        side_two = _cross(d, two - a)
        unsure = np.abs(side_two) <= field.side_error
        crossing = np.flatnonzero((side_one > 0) != (side_two > 0))
        who = owner[crossing]
        one, two = one[crossing], two[crossing]
        # Along the line, this product changes its sign at the edge, from `sign` on one side of it.
        sign = np.where(side_two[crossing] > side_one[crossing], -1.0, 1.0)
        at_leave = _cross(two - one, leave[who] - one) * sign
        at_enter = _cross(two - one, enter[who] - one) * sign
        bad = (np.abs(at_leave) <= field.cut_error) | (np.abs(at_enter) <= field.cut_error)
        count = len(line)
        before = np.bincount(who, weights=at_leave > 0, minlength=count).astype(np.int64)
        between = np.bincount(who, weights=(at_leave < 0) & (at_enter > 0), minlength=count)
        doubtful = np.bincount(owner, weights=unsure, minlength=count) > 0
        doubtful |= np.bincount(who, weights=bad, minlength=count) > 0
        self.open[line[doubtful]] = True
        result: Bools = (between > 0) | (before % 2 == 1)
        return result


def _cross(one: Floats, two: Floats) -> Floats:
    product: Floats = one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]
    return product
