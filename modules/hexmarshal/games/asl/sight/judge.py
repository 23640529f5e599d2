"""Decides lines of sight, many at once: what they meet, which rule stops them, what hinders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hexmarshal.games.asl.sight.buildings import buildings
from hexmarshal.games.asl.sight.citations import Cause
from hexmarshal.games.asl.sight.depressions import depressions
from hexmarshal.games.asl.sight.ground import HEXSIDE, SOFT, Trait
from hexmarshal.games.asl.sight.hexsides import hexsides
from hexmarshal.games.asl.sight.hindrances import hindrances
from hexmarshal.games.asl.sight.meetings import Meetings
from hexmarshal.games.asl.sight.obstacles import obstacles, standing
from hexmarshal.games.asl.sight.profiles import look
from hexmarshal.vassal.vasl.grid import NONE

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from hexmarshal.games.asl.sight.conditions import Conditions
    from hexmarshal.games.asl.sight.lines import Lines

    Ints = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]

__all__ = [
    "LIMIT",
    "NOWHERE",
    "Finding",
    "Judgement",
    "blocks",
    "findings",
    "given_beside",
    "judge",
    "meet",
]

LIMIT = 6
"""A6.7: so much hindrance stops a line."""

NOWHERE = -1


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
    found = np.flatnonzero((ground.cell_solid.take(m.cell) > m.high) & ~m.in_a & ~m.in_b)[::-1]
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
        _apply(conditions, every, cause, at, hindrance)
    return Judgement(blocks(cause), hindrance, cause, at)


def _apply(conditions: Conditions, m: Meetings, cause: Ints, at: Ints, hindrance: Ints) -> None:
    """Add what the scenario adds; smoke and a vehicle count once a hex, weather on every line."""
    lines, board = m.lines, m.ground.board
    clear = ~blocks(cause)
    extra = np.full(len(lines), conditions.weather)
    parts = (given_beside(lines, m, conditions), m)
    added = zip(*(conditions.of_hexes(part, board) for part in parts), strict=True)
    for values, why in zip(added, conditions.causes, strict=True):
        bare = cause == 0
        for part, value in zip(parts, values, strict=True):
            value[~clear.take(part.line)] = 0
            _first(part, np.where((value > 0) & bare.take(part.line), int(why), 0), cause, at)
        line, total = _totals(list(zip(parts, values, strict=True)))
        extra[line] += total
    if conditions.weather:
        cause[clear & (cause == 0)] = Cause.WEATHER
    hindrance[clear] += extra[clear]
    full = hindrance >= LIMIT
    cause[full], hindrance[full] = Cause.TOTAL, 0
    dark = conditions.beyond_sight(lines.range)
    cause[dark], at[dark], hindrance[dark] = Cause.NIGHT, NOWHERE, 0


_OPEN = np.isin(np.arange(len(Cause)), [cause for cause in Cause if not cause.blocks])


def blocks(cause: Ints) -> Flags:
    """Which causes stop a line."""
    return ~_OPEN.take(cause)


def _detail(
    m: Meetings, beside: Meetings, counts: Ints, cause: Ints, at: Ints, hindrance: Ints
) -> None:
    """Apply every rule: to what lies in depressions and buildings, on hexsides, and in between."""
    inner = m.of(np.flatnonzero(m.between))
    groups = _groups(m, inner, beside, counts)
    for part, rules in groups:
        _first(part, _reasons(part, rules), cause, at)
    soft = [(part, hindrances(part)) for part in (beside, inner) if part.any_traits & int(SOFT)]
    for part, value in soft:
        value[blocks(cause).take(part.line)] = 0
        _first(part, np.where(value > 0, int(Cause.HINDERED), 0), cause, at)
    if soft:
        line, total = _totals(soft)
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
class Finding:
    """One thing that stops or hinders a line."""

    cause: Cause
    value: int
    """The hindrance; 0 for what stops the line."""
    hex: int
    code: int
    """The terrain."""
    order: int
    """Its number among all that the line meets, or -1 for what lies beside it."""


def findings(lines: Lines) -> list[Finding]:
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


def _finding(m: Meetings, i: int, cause: Cause, value: int, beside: Meetings) -> Finding:
    order = -1 if m is beside else int(m.order[i])
    code = int(m.ground.cell_code[m.cell[i]])
    return Finding(cause, value, int(m.hex[i]), code, order)


def _reasons(m: Meetings, rules: Iterator[tuple[Flags, Cause]]) -> Ints:
    why = np.zeros(len(m), np.int64)
    for stopped, rule in rules:
        why[stopped & (why == 0)] = rule
    return why


def _first(m: Meetings, why: Ints, cause: Ints, at: Ints) -> None:
    """Note for every line the first meeting that has a reason."""
    found = np.flatnonzero(why)[::-1]
    line = m.line[found]
    cause[line], at[line] = why[found], m.hex[found]


def _totals(parts: list[tuple[Meetings, Ints]]) -> tuple[Ints, Ints]:
    """Add up hindrances hex by hex; two hexes beside one hexside of the line count once."""
    keys, values = [], []
    for m, value in parts:
        found = np.flatnonzero(value)
        if found.size:
            keys.append((m.line[found] << 20) | (m.from_a[found] << 10) | m.from_b[found])
            values.append(value[found])
    if not keys:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    key, amount = np.concatenate(keys), np.concatenate(values)
    order = np.lexsort((-amount, key))
    key, amount = key[order], amount[order]
    fresh = np.concatenate([[True], key[1:] != key[:-1]])
    line, index = np.unique(key[fresh] >> 20, return_inverse=True)
    return line, np.bincount(index, weights=amount[fresh]).astype(np.int64)


def given_beside(lines: Lines, m: Meetings, conditions: Conditions) -> Meetings:
    """Smoke and vehicles in the hexes beside lines along hexsides, which they fill: ASL-LOS-4."""
    return _beside(lines, m, np.arange(len(lines)), conditions.filled(lines.ground.board))


def _inherent_beside(lines: Lines, m: Meetings, open_lines: Ints) -> Meetings:
    """The inherent terrain of both hexes beside a line that runs along a hexside: ASL-LOS-4."""
    return _beside(lines, m, open_lines, (lines.ground.hex_traits & int(Trait.INHERENT)) != 0)


def _beside(lines: Lines, m: Meetings, open_lines: Ints, full: Flags) -> Meetings:
    """The hexes beside lines along hexsides that are full of something, as wholes.

    On half of its way such a line crosses hexes through their centres; the other hexes it has on
    either hand, and whatever fills them touches it.
    """
    ground, grid = lines.ground, lines.ground.board.grid
    along = open_lines[lines.vertex_of_a[open_lines] >= 0]
    if not along.size:
        return m.of(along)
    a, b = lines.a.hex[along], lines.b.hex[along]
    pairs = lines.range[along] // 2
    line, one = np.repeat(along, pairs), np.repeat(a, pairs)
    number = np.arange(line.size) - np.repeat(np.cumsum(pairs) - pairs, pairs)
    right = np.sign(np.repeat(grid.column[b] - grid.column[a], pairs))
    down = np.sign(np.repeat(grid.half_row[b] - grid.half_row[a], pairs))
    level = down == 0
    column = grid.column[one] + number * np.where(level, 2 * right, right)
    half_row = grid.half_row[one] + number * 3 * down
    hexes = np.concatenate(
        [
            grid.index(
                column + np.where(level, right, 0), half_row + np.where(level, -1, 2 * down)
            ),
            grid.index(column + right, half_row + np.where(level, 1, down)),
        ]
    )
    line = np.concatenate([line, line])
    filled = (hexes != NONE) & full[hexes]
    line, hexes = line[filled], hexes[filled]
    order = np.lexsort((ground.ranks[hexes], grid.range(hexes, lines.a.hex[line]), line))
    line, hexes = line[order], hexes[order]
    return Meetings(ground, lines, line, ground.whole + hexes, np.zeros_like(line))
