"""TUT-2 and TUT-4: moving, stopping beside enemies, finding hidden scouts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hexmarshal.rules.state.effects import ChangeUnit, MoveUnit
from hexmarshal.rules.verdict import Cost, CostPart, Resolution, Step, Verdict, Violation
from tutorial.board import data, neighbours, printed, terrain

if TYPE_CHECKING:
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.ledger import Ledger
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position

RULE = "TUT-2"


def enemies_beside(position: Position, cell: str, side: str) -> list[Unit]:
    return [u for near in neighbours(cell) for u in position.at(near) if u.side != side]


def step_cost(cell: str) -> int:
    cost = data()["terrain"][terrain(cell)]["cost"]
    assert isinstance(cost, int)
    return cost


def check(position: Position, action: Action) -> Verdict:
    """TUT-2, all of it; `position` is what the moving side knows, so no scout is given away."""
    parts = (CostPart(step_cost(c), terrain(c), RULE, c) for c in action.so_far("path"))
    cost = Cost(tuple(parts), "MP")
    return Verdict.of(_violations(position, action, cost), cost)


def _violations(position: Position, action: Action, cost: Cost) -> Iterator[Violation]:
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
        if cell not in neighbours(here):
            yield Violation(
                RULE, f"{cell} is not adjacent to {here}", cells=(here, cell), units=mine
            )
        if position.at(cell):
            yield Violation(RULE, f"{cell} is occupied", cells=(cell,), units=mine)
        if i and enemies_beside(position, here, unit.side):
            yield Violation(
                RULE, f"it must stop in {here}, beside an enemy", cells=(here,), units=mine
            )
        here = cell
    if cost.total > (allowance := printed(unit.type, "move")):
        yield Violation(RULE, f"the path costs {cost.total}, it has {allowance}", units=mine)


def reach(position: Position, unit: Unit) -> dict[str, tuple[int, tuple[str, ...]]]:
    """Every hex that the unit can end in, with the cheapest cost and its path."""
    best: dict[str, tuple[int, tuple[str, ...]]] = {}
    allowance = 0 if unit.has("moved") else printed(unit.type, "move")
    frontier: list[tuple[int, tuple[str, ...]]] = [(0, ())]
    while frontier:
        frontier.sort()
        spent, path = frontier.pop(0)
        here = path[-1] if path else unit.cell
        if path:
            if here in best:
                continue
            best[here] = (spent, path)
            if enemies_beside(position, here, unit.side):
                continue
        for cell in neighbours(here):
            total = spent + step_cost(cell)
            if total <= allowance and cell not in best and not position.at(cell):
                frontier.append((total, (*path, cell)))
    return best


def march(ledger: Ledger, action: Action) -> None:
    """Hex by hex over the true position: a hidden scout beside the path ends the move (TUT-4)."""
    unit = ledger.position.unit(action.text("unit"))
    steps: list[Step] = []
    went: list[str] = []
    for cell in action.texts("path"):
        went.append(cell)
        ledger.do(MoveUnit(unit.id, cell))
        if found := _reveal(ledger, cell, unit.side):
            steps.append(Step(f"finds {', '.join(found)} and stops in {cell}", "TUT-4"))
            break
    if enemies_beside(ledger.position, went[-1], unit.side):
        _uncover(ledger, unit.id)
    ledger.do(ChangeUnit(unit.id, flags=frozenset({"moved"})))
    ledger.decide(Resolution("move", f"ends in {went[-1]}", steps=tuple(steps)))


def _reveal(ledger: Ledger, cell: str, side: str) -> list[str]:
    beside = enemies_beside(ledger.position, cell, side)
    hidden = [u.id for u in beside if u.seen_by is not None and side not in u.seen_by]
    for scout in hidden:
        _uncover(ledger, scout)
    return hidden


def _uncover(ledger: Ledger, unit: str) -> None:
    if ledger.position.unit(unit).seen_by is not None:
        ledger.do(ChangeUnit(unit, seen_by=("*",)))
