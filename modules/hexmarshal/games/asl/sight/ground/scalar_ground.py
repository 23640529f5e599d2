"""The tables of a board as plain lists, for deciding one line at a time without arrays."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from hexmarshal.games.asl.sight.ground.ground_tables import HEXSIDE, SOFT, Ground, Trait
from hexmarshal.games.asl.sight.hit_single import End, Meeting, Trace
from hexmarshal.games.asl.sight.rules.buildings import buildings
from hexmarshal.games.asl.sight.rules.citations import Cause
from hexmarshal.games.asl.sight.rules.depressions import depressions
from hexmarshal.games.asl.sight.rules.followed_depressions import sunken_sides
from hexmarshal.games.asl.sight.rules.hexsides import hexsides
from hexmarshal.games.asl.sight.rules.hillocks import NO_HILLOCK
from hexmarshal.games.asl.sight.rules.hindrances import hindrances
from hexmarshal.games.asl.sight.rules.obstacles import obstacles, standing
from hexmarshal.games.asl.sight.rules.slopes import sides_left_by
from hexmarshal.games.asl.sight.tally import LIMIT, NOWHERE
from hexmarshal.vassal.vasl.grid import NONE
from hexmarshal.vassal.vasl.hexes import ABSENT

if TYPE_CHECKING:
    from collections.abc import Iterator


__all__ = ["PlainGround", "Ruling"]

Ruling = tuple[Cause, int, int]
"""The cause, the hindrance, and the hex where the line is stopped or first hindered."""

_HEXSIDE, _SOFT, _BUILDING = int(HEXSIDE), int(SOFT), int(Trait.BUILDING)
_INHERENT = int(Trait.INHERENT)


class PlainGround:
    """Decides single lines between hex centres; the rules are those of the arrays."""

    def __init__(self, ground: Ground) -> None:
        grid = ground.board.grid
        self.ground = ground
        self.cell_hex: list[int] = ground.cell_hex.tolist()
        self.cell_traits: list[int] = ground.cell_traits.tolist()
        self.cell_ground: list[int] = ground.cell_ground.tolist()
        self.cell_full: list[int] = ground.cell_full.tolist()
        self.cell_top: list[int] = ground.cell_top.tolist()
        self.cell_zone: list[int] = ground.cell_zone.tolist()
        self.cell_reach: list[int] = ground.cell_reach.tolist()
        self.cell_solid: list[int] = ground.cell_solid.tolist()
        self.cell_firm: list[int] = ground.cell_firm.tolist()
        self.cell_is_hexside: list[bool] = ground.cell_is_hexside.tolist()
        self.hex_base: list[int] = ground.hex_base.tolist()
        self.hex_traits: list[int] = ground.hex_traits.tolist()
        self.neighbours: list[list[int]] = grid.neighbours.tolist()
        self.has_side: list[list[bool]] = (ground.board.facts.side != ABSENT).tolist()
        self.ranks: list[int] = ground.ranks.tolist()
        self._slope: list[list[bool]] = ground.board.facts.slope.tolist()
        self.hillock: list[int] = [] if ground.hillock is None else ground.hillock.tolist()
        self._level = not ground.board.facts.slope.any()
        self._column: list[int] = grid.column.tolist()
        self._half_row: list[int] = grid.half_row.tolist()

    @cached_property
    def walled_on(self) -> list[list[bool]]:
        """Which spines a line may run along beyond their ends."""
        return self.ground.walled_on.tolist()  # type: ignore[no-any-return]

    @cached_property
    def _hex_at(self) -> dict[tuple[int, int], int]:
        places = zip(self._column, self._half_row, strict=True)
        return {place: index for index, place in enumerate(places)}

    def range(self, a: int, b: int) -> int:
        """How many hexes from one to the other."""
        return self.ground.board.grid.distance(a, b)

    def vertex(self, a: int, b: int) -> int:
        """The vertex of hex a through which a line to b leaves along a hexside, or -1."""
        right = self._column[b] - self._column[a]
        down = self._half_row[b] - self._half_row[a]
        if right == 0 or down not in {0, 3 * right, -3 * right}:
            return -1
        if down == 0:
            return 2 if right > 0 else 5
        return (3 if right > 0 else 4) if down > 0 else (1 if right > 0 else 0)

    def raised(self, a: End, b: End) -> tuple[int, int]:
        """How much slopes lift the ends of a line: ASL-SLOPE-1."""
        if self._level:
            return 0, 0
        one = a.level >= b.level and self._down_slope(a.hex, b.hex)
        two = b.level >= a.level and self._down_slope(b.hex, a.hex)
        return int(one), int(two)

    def _down_slope(self, viewer: int, target: int) -> bool:
        return any(self._slope[viewer][side] for side in self._leaves_by(viewer, target))

    def _leaves_by(self, start: int, target: int) -> Iterator[int]:
        right = self._column[target] - self._column[start]
        down = self._half_row[target] - self._half_row[start]
        return (side for side, leaves in sides_left_by(right, down) if leaves)

    def hillock_by(self, start: int, target: int) -> int:
        """The hillock in the hex that a line enters first, or NO_HILLOCK."""
        near = [self.neighbours[start][side] for side in self._leaves_by(start, target)]
        return max((self.hillock[n] for n in near if n != NONE), default=NO_HILLOCK)

    def sunken(self, a: int, b: int) -> tuple[int, int]:
        """How many hexsides of depressions a line follows from hex a, and from hex b."""
        one, two = sunken_sides(self.ground, np.array([a, b]), np.array([b, a])).tolist()
        return one, two

    def sunken_way(self, a: int, b: int) -> bool:
        """Whether two hexes are adjacent across a hexside of a depression."""
        ground = self.ground
        for side, other in enumerate(self.neighbours[a]):
            if other == b:
                code = ground.board.facts.side_ground[a, side]
                return bool(ground.traits[code] & int(Trait.DEPRESSION))
        return False

    def decide(self, a: End, b: End, cells: list[int], order: list[int], total: int) -> Ruling:
        """What becomes of the line from a to b that meets these cells, and `total` in all."""
        trace = Trace(self, a, b)
        high, low = trace.high, trace.low
        reach, hexes = self.cell_reach, self.cell_hex
        solid = self.cell_firm if trace.on_hillock else self.cell_solid
        ends = (a.hex, b.hex)
        met = []
        for i, cell in enumerate(cells):
            if reach[cell] > low:
                if solid[cell] > high and hexes[cell] not in ends:
                    return self._plain(cell, high, low), 0, hexes[cell]
                met.append(i)
        if not met and trace.vertex < 0:
            return Cause.CLEAR, 0, NOWHERE
        meetings = [Meeting(trace, cells[i]) for i in met]
        if high > low:
            _note_buildings(meetings, [order[i] for i in met], total)
        return self._detail(trace, meetings)

    def _plain(self, cell: int, high: int, low: int) -> Cause:
        if self.cell_ground[cell] > high:
            return Cause.GROUND
        half = self.cell_full[cell] <= high and high == low
        return Cause.HALF_LEVEL if half else Cause.HIGHER

    def _detail(self, trace: Trace, meetings: list[Meeting]) -> Ruling:
        beside = [
            Meeting(trace, self.ground.whole + index) for index in self._inherent_beside(trace)
        ]
        groups = (
            (beside, standing),
            ([m for m in meetings if m.between], obstacles),
            ([m for m in meetings if m.hexside], hexsides),
            (meetings, buildings),
            (meetings, depressions),
        )
        stop: tuple[Cause, int] | None = None
        for group, rule in groups:
            for m in group:
                cause = _reason(rule(m))
                if cause is not None:
                    stop = cause, m.hex
                    break
        if stop is not None:
            return stop[0], 0, stop[1]
        return self._hindered(beside, [m for m in meetings if m.between])

    def _hindered(self, beside: list[Meeting], inner: list[Meeting]) -> Ruling:
        at, total = NOWHERE, dict[tuple[int, int], int]()
        for group in (beside, inner):
            first = True
            for m in group:
                value = hindrances(m) if m.traits & _SOFT else 0
                if value:
                    key = (m.from_a, m.from_b)
                    total[key] = max(total.get(key, 0), value)
                    if first:
                        at, first = m.hex, False
        hindrance = sum(total.values())
        if hindrance >= LIMIT:
            return Cause.TOTAL, 0, at
        return (Cause.HINDERED if hindrance else Cause.CLEAR), hindrance, at

    def _inherent_beside(self, trace: Trace) -> Iterator[int]:
        """Hexes with inherent terrain on either hand of a line along hexsides: ASL-LOS-4."""
        if trace.vertex < 0:
            return
        a, b = trace.a.hex, trace.b.hex
        pairs = trace.reach // 2
        right = (self._column[b] - self._column[a]) // pairs
        down = (self._half_row[b] - self._half_row[a]) // pairs
        if down == 0:
            hands = ((right // 2, -1), (right // 2, 1))
        else:
            hands = ((0, 2 * down // 3), (right, down // 3))
        for number in range(pairs):
            column = self._column[a] + number * right
            half_row = self._half_row[a] + number * down
            beside = [self._hex_at.get((column + x, half_row + y), NONE) for x, y in hands]
            for index in sorted(beside, key=self.ranks.__getitem__):
                if index != NONE and self.hex_traits[index] & _INHERENT:
                    yield index


def _reason(rules: Iterator[tuple[object, Cause]]) -> Cause | None:
    for stopped, cause in rules:
        if stopped:
            return cause
    return None


def _note_buildings(meetings: list[Meeting], order: list[int], count: int) -> None:
    """Find out what is unbroken building from either end."""
    for position, m in enumerate(meetings):
        if order[position] != position or not m.is_building:
            break
        m.unbroken_a = True
    for back, m in enumerate(reversed(meetings)):
        if count - 1 - order[-1 - back] != back or not m.is_building:
            break
        m.unbroken_b = True
