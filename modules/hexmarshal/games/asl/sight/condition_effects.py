"""Applies what a scenario adds to lines that the board alone has decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hexmarshal.games.asl.sight.ground.ground_tables import Trait
from hexmarshal.games.asl.sight.lines import EndTable, Lines
from hexmarshal.games.asl.sight.rules.citations import Cause
from hexmarshal.games.asl.sight.tally import (
    LIMIT,
    NOWHERE,
    beside_lines,
    blocks,
    first,
    most,
    totals,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy.typing as npt

    from hexmarshal.games.asl.sight.conditions import Conditions
    from hexmarshal.games.asl.sight.decide import Judgement
    from hexmarshal.games.asl.sight.hit_batch import Meetings
    from hexmarshal.games.asl.sight.tally import Part

    Ints = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]
    Judge = Callable[[Lines], Judgement]

__all__ = ["apply", "given", "inside_building"]


def apply(
    conditions: Conditions, m: Meetings, cause: Ints, at: Ints, hindrance: Ints, judge: Judge
) -> None:
    """Add what the scenario adds; `m` holds all that the lines meet."""
    lines = m.lines
    for stopped, why in conditions.stops(m, m.ground.board):
        first(m, np.where(stopped & ~blocks(cause).take(m.line), int(why), 0), cause, at)
    clear = ~blocks(cause)
    extra = np.zeros(len(lines), np.int64)
    for parts, why in given(m, conditions, judge):
        bare = cause == 0
        for part, value in parts:
            first(part, np.where((value > 0) & bare.take(part.line), int(why), 0), cause, at)
        # ASL-FFE-1, ASL-OBA-19: shelling counts once, however many such hexes a line crosses.
        line, total = (most if why is Cause.SHELLING else totals)(parts)
        extra[line] += total
    for value, why in conditions.of_lines(lines, inside_building(m)):
        cause[clear & (cause == 0) & (value > 0)] = why
        extra += value
    hindrance[:] = np.where(clear, hindrance + extra, 0)
    full = hindrance >= LIMIT
    cause[full], hindrance[full] = Cause.TOTAL, 0
    dark = conditions.beyond_sight(lines)
    cause[dark], at[dark], hindrance[dark] = Cause.NIGHT, NOWHERE, 0


def given(m: Meetings, conditions: Conditions, judge: Judge) -> Iterator[tuple[list[Part], Cause]]:
    """What fills hexes beside the lines and on their way, and how much it hinders each."""
    lines, board = m.lines, m.ground.board
    # ASL-LOS-4: it fills them to the hexsides.
    beside = beside_lines(lines, m, np.arange(len(lines)), conditions.filled(board))
    added = (conditions.of_hexes(part, board) for part in (beside, m))
    for by_side, on_way, why in zip(*added, conditions.causes, strict=True):
        parts = [(beside, by_side), (m, on_way)]
        if why is Cause.VEHICLE:
            parts = [(part, _seen(part, value, judge, conditions.crest)) for part, value in parts]
        yield parts, why


def _seen(m: Meetings, value: Ints, judge: Judge, crest: frozenset[str]) -> Ints:
    """Without the vehicles and wrecks that one of the ends does not see: ASL-COV-02."""
    found = np.flatnonzero(value)
    if not found.size:
        return value
    lines, vehicle = m.lines, m.hex[found]
    there = EndTable(m.ground, crest).ends(vehicle, np.zeros_like(vehicle))
    seen = np.ones(found.size, np.bool_)
    for end, raised in ((lines.a, lines.raised_a), (lines.b, lines.raised_b)):
        here = end.of(m.line[found], raised)
        seen &= ~judge(Lines.joining(m.ground, here, there)).blocked
    value = value.copy()
    value[found[~seen]] = 0
    return value


def inside_building(m: Meetings) -> Flags:
    """Which lines never leave a building, nor look from its roof: ASL-LV-1."""
    lines = m.lines
    outside = (m.traits & int(Trait.BUILDING)) == 0
    stays = np.bincount(m.line[outside], minlength=len(lines)) == 0
    roof = lines.a.on_roof | lines.b.on_roof | lines.a.at_vertex | lines.b.at_vertex
    found: Flags = stays & ~roof
    return found
