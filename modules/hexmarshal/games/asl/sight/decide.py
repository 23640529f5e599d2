"""Decides lines of sight, many at once: what they meet, which rule stops them, what hinders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hexmarshal.games.asl.sight.condition_effects import apply
from hexmarshal.games.asl.sight.ground.ground_tables import HEXSIDE, SOFT, Trait
from hexmarshal.games.asl.sight.ground.profiles import look
from hexmarshal.games.asl.sight.hit_batch import Meetings
from hexmarshal.games.asl.sight.rules.buildings import buildings
from hexmarshal.games.asl.sight.rules.citations import Cause
from hexmarshal.games.asl.sight.rules.depressions import depressions
from hexmarshal.games.asl.sight.rules.hexsides import hexsides
from hexmarshal.games.asl.sight.rules.hindrances import hindrances
from hexmarshal.games.asl.sight.rules.obstacles import obstacles, standing
from hexmarshal.games.asl.sight.tally import LIMIT, NOWHERE, beside_lines, blocks, first, totals

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from hexmarshal.games.asl.sight.conditions import Conditions
    from hexmarshal.games.asl.sight.lines import Lines

    Ints = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]

__all__ = ["LIMIT", "SightFinding", "Judgement", "findings", "judge", "meet"]


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """What became of each line."""

    blocked: Flags
    hindrance: Ints
    """What hinders a line that is not blocked."""
    cause: Ints
    at: Ints
    """The hex where the line is stopped, or first hindered, seen from its end a; or NOWHERE."""


def meet(lines: Lines, *, whole: bool = False) -> tuple[Meetings, Ints]:
    """All on the lines that can matter, or their whole way, and how much each meets in all."""
    ground, a, b = lines.ground, lines.a, lines.b
    known = None if whole or lines.any_vertex else ground.profiles_for(len(lines))
    if known is None:
        found = look(ground, a.hex, b.hex, ((a.x, a.y), (b.x, b.y)))
    else:
        found = known.find(a.hex, b.hex)
    line = np.repeat(np.arange(found.counts.size), found.counts)
    return Meetings(ground, lines, line, found.cell, found.order), found.totals


def judge(lines: Lines, conditions: Conditions | None = None) -> Judgement:
    """Decide the lines."""
    ground, count = lines.ground, len(lines)
    m, counts = meet(lines, whole=bool(conditions))
    every = m
    cause = np.zeros(count, np.int64)
    at = np.full(count, NOWHERE)
    hindrance = np.zeros(count, np.int64)
    # Nothing that stays at or below both ends matters.
    m = m.of(np.flatnonzero(ground.cell_reach.take(m.cell) > m.low))
    # Most lines that are stopped meet something plainly higher than both ends.
    solid = ground.cell_solid.take(m.cell)
    if ground.hillock is not None:
        solid = np.where(m.on_hillock, ground.cell_firm.take(m.cell), solid)
    found = np.flatnonzero((solid > m.high) & ~m.in_a & ~m.in_b)[::-1]
    if found.size:
        line, high = m.line[found], m.high[found]
        higher = m.level[found] <= high
        half = higher & (m.full[found] <= high) & (high == m.low[found])
        cause[line] = np.where(half, Cause.HALF_LEVEL, np.where(higher, Cause.HIGHER, Cause.GROUND))
        at[line] = m.hex[found]
        m = m.of(np.flatnonzero(cause.take(m.line) == 0))
    beside = _inherent_beside(lines, m, np.flatnonzero(cause == 0))
    if len(m) or len(beside):
        _detail(m, beside, counts, cause, at, hindrance)
    if conditions:
        apply(conditions, every, cause, at, hindrance, judge)
    return Judgement(blocks(cause), hindrance, cause, at)


def _detail(
    m: Meetings, beside: Meetings, counts: Ints, cause: Ints, at: Ints, hindrance: Ints
) -> None:
    """Apply every rule: to what lies in depressions and buildings, on hexsides, and in between."""
    inner = m.of(np.flatnonzero(m.between))
    groups = _groups(m, inner, beside, counts)
    for part, rules in groups:
        first(part, _reasons(part, rules), cause, at)
    soft = [(part, hindrances(part)) for part in (beside, inner) if part.any_traits & int(SOFT)]
    for part, value in soft:
        value[blocks(cause).take(part.line)] = 0
        first(part, np.where(value > 0, int(Cause.HINDERED), 0), cause, at)
    if soft:
        line, total = totals(soft)
        hindrance[line] = total
        full = hindrance >= LIMIT
        cause[full], hindrance[full] = Cause.TOTAL, 0


Group = tuple[Meetings, "Iterator[tuple[Flags, Cause]]"]


def _groups(m: Meetings, inner: Meetings, beside: Meetings, counts: Ints) -> list[Group]:
    """The rules with the meetings that each looks at; a later one goes before an earlier one."""
    groups: list[Group] = []
    if len(beside):
        groups.append((beside, standing(beside)))
    if len(inner):
        groups.append((inner, obstacles(inner)))
    if m.any_traits & int(HEXSIDE):
        sides = m.of(np.flatnonzero(m.hexside))
        groups.append((sides, hexsides(sides)))
    if m.any_traits & int(Trait.BUILDING) and m.any(m.sloping):
        m.note_buildings(counts)
        groups.append((m, buildings(m)))
    groups.append((m, depressions(m)))
    return groups


@dataclass(frozen=True, slots=True)
class SightFinding:
    """One thing that stops or hinders a line."""

    cause: Cause
    value: int
    """The hindrance; 0 for what stops the line."""
    hex: int
    code: int
    """The terrain."""
    order: int
    """Its number among all that the line meets, or -1 for what lies beside it."""


def findings(lines: Lines) -> list[SightFinding]:
    """All that stops or hinders a single line, not only what decides it."""
    m, counts = meet(lines, whole=True)
    m = m.of(np.flatnonzero(lines.ground.cell_reach.take(m.cell) > m.low))
    inner = m.of(np.flatnonzero(m.between))
    beside = _inherent_beside(lines, m, np.arange(len(lines)))
    found = [
        _finding(part, i, Cause(int(why)), 0, beside)
        for part, rules in _groups(m, inner, beside, counts)
        for i, why in enumerate(_reasons(part, rules).tolist())
        if why
    ]
    found += [
        _finding(part, i, Cause.HINDERED, int(value), beside)
        for part in (inner, beside)
        for i, value in enumerate(hindrances(part).tolist())
        if value
    ]
    return sorted(found, key=lambda f: (f.order, f.value))


def _finding(m: Meetings, i: int, cause: Cause, value: int, beside: Meetings) -> SightFinding:
    order = -1 if m is beside else int(m.order[i])
    code = int(m.ground.cell_code[m.cell[i]])
    return SightFinding(cause, value, int(m.hex[i]), code, order)


def _reasons(m: Meetings, rules: Iterator[tuple[Flags, Cause]]) -> Ints:
    why = np.zeros(len(m), np.int64)
    for stopped, rule in rules:
        why[stopped & (why == 0)] = rule
    return why


def _inherent_beside(lines: Lines, m: Meetings, open_lines: Ints) -> Meetings:
    """The inherent terrain of both hexes beside a line that runs along a hexside: ASL-LOS-4."""
    return beside_lines(lines, m, open_lines, (lines.ground.hex_traits & int(Trait.INHERENT)) != 0)
