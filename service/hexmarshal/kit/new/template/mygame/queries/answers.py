"""The answers: where a unit can go, what an attack would do, who is ahead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hexmarshal.geometry.movement.costs import Barred, MoveRule, Step
from hexmarshal.geometry.movement.terrain_costs import movement
from hexmarshal.rules.action import Action
from hexmarshal.rules.odds import Distribution
from hexmarshal.rules.values import FrozenMap, freeze
from hexmarshal.rules.verdict import Answer, IllegalActionError
from mygame.rules import combat, victory

if TYPE_CHECKING:
    from hexmarshal.geometry.movement.costs import Standing
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Record, Value
    from mygame.state.situation import Situation

__all__ = ["answer"]


def answer(situation: Situation, name: str, params: Record) -> Answer:
    """The answer to a query that the game declares."""
    match name:
        case "reach":
            return _reach(situation, situation.position.unit(str(params["unit"])))
        case "odds":
            return _odds(situation, params)
        case _:
            return _score(situation)


class _March(MoveRule[Any, Any]):
    """MG-2, step by step."""

    def __init__(self, situation: Situation, unit: Unit) -> None:
        self._situation, self._unit = situation, unit

    def step(self, here: Standing[Any], to: Any, side: Any) -> Step | Barred:  # noqa: ANN401
        """What a step costs, or why it cannot be."""
        del side
        name = self._situation.tables.map.name
        left, entered = name(here.cell), name(to)
        if self._situation.position.at(entered):
            return Barred("occupied")
        beside = self._situation.enemies_beside(left, self._unit.side)
        if left != self._unit.cell and beside:
            return Barred("beside an enemy")
        tables = self._situation.tables
        return Step.of((tables.terrain[entered], tables.cost[left][entered]))


def _reach(situation: Situation, unit: Unit) -> Answer:
    tables = situation.tables
    allowance = 0 if unit.has("moved") else tables.printed(unit.type, "move")
    start = tables.map.cell(unit.cell)
    reach = movement(tables.map, _March(situation, unit)).reach(start, allowance=allowance)
    costs: dict[str, Value] = {}
    for cell in reach:
        cost = reach.cost(cell)
        if cell != start and cost is not None:
            costs[tables.map.name(cell)] = freeze(cost)
    return Answer(FrozenMap({"cells": FrozenMap(dict(sorted(costs.items())))}))


def _odds(situation: Situation, params: Record) -> Answer:
    names = Action("attack", "", params).texts("attackers")
    side = situation.position.unit(names[0]).side if names else ""
    attack = Action("attack", side, params)
    verdict = combat.check(situation, attack)
    if not verdict.legal:
        raise IllegalActionError(verdict)
    resolution, row = combat.planned(situation, attack)
    results = Distribution.die(6).map(lambda die: row[die - 1])
    return Answer(resolution=resolution, distribution=results)


def _score(situation: Situation) -> Answer:
    position = situation.position
    steps: dict[str, Value] = {
        side: sum(unit.steps for unit in position.of_side(side)) for side in position.sides
    }
    village: Value = victory.holder(situation)
    return Answer(FrozenMap({"scores": FrozenMap(steps), "village": village}))
