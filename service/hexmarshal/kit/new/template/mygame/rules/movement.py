"""Chapter 2: movement."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from hexmarshal.rules.state.effects import ChangeUnit, MoveUnit
from hexmarshal.rules.verdict import Cost, CostPart, Resolution, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.rules.action import Action
    from mygame.state.situation import Play, Situation

__all__ = ["check", "move_along"]

RULE = "MG-2"


def check(situation: Situation, action: Action) -> Verdict:
    """All that is wrong with a move, and what it costs; the path may still grow."""
    tables = situation.tables
    start = situation.position.unit(action.text("unit")).cell
    parts = tuple(
        CostPart(tables.cost[here][to], tables.terrain[to], RULE, to)
        for here, to in pairwise((start, *action.so_far("path")))
        if to in tables.cost[here]
    )
    cost = Cost(parts, "MP")
    return Verdict.of(_violations(situation, action, cost), cost)


def _violations(situation: Situation, action: Action, cost: Cost) -> Iterator[Violation]:
    position, tables = situation.position, situation.tables
    unit = position.unit(action.text("unit"))
    mine = (unit.id,)
    if unit.side != action.side:
        yield Violation(RULE, f"{unit.id} is {unit.side}'s", units=mine)
    if unit.has("moved"):
        yield Violation(RULE, "it has moved in this phase", units=mine)
    path = action.texts("path")
    if not path:
        yield Violation(RULE, "a path has at least one hex", field="path", units=mine)
    here = unit.cell
    for i, cell in enumerate(path):
        if cell not in tables.cost[here]:
            text = f"{cell} is not adjacent to {here}"
            yield Violation(RULE, text, cells=(here, cell), units=mine)
        if position.at(cell):
            yield Violation(RULE, f"{cell} is occupied", cells=(cell,), units=mine)
        if i and situation.enemies_beside(here, unit.side):
            text = f"it must stop in {here}, beside an enemy"
            yield Violation(RULE, text, cells=(here,), units=mine)
        here = cell
    if cost.total > (allowance := tables.printed(unit.type, "move")):
        yield Violation(RULE, f"the path costs {cost.total}, it has {allowance}", units=mine)


def move_along(play: Play, action: Action) -> None:
    """Move the unit along its path."""
    unit, path = action.text("unit"), action.texts("path")
    for cell in path:
        play.do(MoveUnit(unit, cell))
    play.do(ChangeUnit(unit, flags=frozenset({"moved"})))
    play.decide(Resolution("move", f"ends in {path[-1]}"))
