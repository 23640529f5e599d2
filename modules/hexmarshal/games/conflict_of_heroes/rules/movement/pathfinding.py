"""The cheapest way of a unit to a hex, action by action."""

from __future__ import annotations

from dataclasses import replace
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.movement.reach import cheapest, ways
from hexmarshal.rules.values import FrozenMap, Value
from hexmarshal.rules.verdict import Answer, Step

if TYPE_CHECKING:
    from hexmarshal.games.conflict_of_heroes.rules.movement.move_costs import Leg
    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["answer", "journey"]

# Ways are weighed in half points: so the die of an obstacle counts with its mean, three and a half.
HALVES, DIE = 2, 7


def journey(now: Situation, unit: Unit, goal: str, mode: str) -> tuple[Leg, ...] | None:
    """The moves that cost least; of equals the fewest. None if there is no way.

    It goes around hexes with enemies, as far as it does not end there: to stop in one is close
    combat. Only the first move can be backwards, for after each the unit faces where it likes
    (COH-5.1b).
    """
    start = now.cell(unit)
    best: dict[str, tuple[Leg, ...]] = {start: ()}
    weights = {start: (0, 0)}
    edge = [((0, 0), start)]
    while edge:
        weight, here = heappop(edge)
        if here == goal:
            return best[here]
        if weight > weights[here] or (here != start and _held(now, here, unit.side)):
            continue
        for leg in cheapest(ways(now, _moved(now, unit, here), mode)):
            cell = leg.path[-1]
            price = HALVES * leg.cost + DIE * len(leg.obstacles)
            further = (weight[0] + price, weight[1] + 1)
            if cell not in weights or further < weights[cell]:
                weights[cell] = further
                best[cell] = (*best[here], leg)
                heappush(edge, (further, cell))
    return None


def _held(now: Situation, cell: str, side: str) -> bool:
    return any(not now.hidden(enemy) for enemy in now.enemies_at(cell, side))


def _moved(now: Situation, unit: Unit, cell: str) -> Unit:
    """The unit after it has moved there, with no facing yet: it may take any."""
    if cell == now.cell(unit):
        return unit
    values = unit.values.without("fort")
    return replace(unit, cell=cell, box="", facing=None, values=values)


def answer(now: Situation, unit: Unit, goal: str, mode: str) -> Answer:
    """The way with its cost, and each action on it."""
    legs = journey(now, unit, goal, mode)
    if legs is None:
        return Answer(FrozenMap({"path": (), "cost": None}))
    values: dict[str, Value] = {
        "path": tuple(cell for leg in legs for cell in leg.path),
        "cost": sum(leg.cost for leg in legs),
        "actions": len(legs),
        "dice": tuple(cell for leg in legs for cell in leg.obstacles),
    }
    return Answer(FrozenMap(values), tuple(_step(leg) for leg in legs))


def _step(leg: Leg) -> Step:
    prices = ", ".join(f"{part.amount} {part.text.lower()}" for part in leg.parts)
    die = f", and a die for each obstacle in {', '.join(leg.obstacles)}" if leg.obstacles else ""
    return Step(f"{' '.join(leg.path)}: {leg.cost} AP ({prices}){die}", leg.parts[0].rule)
