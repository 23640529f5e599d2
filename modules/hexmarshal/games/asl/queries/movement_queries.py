"""Questions about movement and rout: where a stack can go, and where one flees."""

from __future__ import annotations

import heapq
from fractions import Fraction
from typing import TYPE_CHECKING

from hexmarshal.errors import Place, RulesError
from hexmarshal.games.asl.rules.fire.shot import reach_of
from hexmarshal.games.asl.rules.movement.allowance import allowance, allowance_parts
from hexmarshal.games.asl.rules.movement.costs import is_road_step, price
from hexmarshal.games.asl.rules.movement.stacking import equivalents, overstack
from hexmarshal.games.asl.rules.rout import rout_check
from hexmarshal.games.asl.rules.rout.breaking import must_leave
from hexmarshal.games.asl.rules.rout.interdiction import interdictors
from hexmarshal.games.asl.rules.rout.routes import routes_of, steps_from
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.values import FrozenMap, Value
from hexmarshal.rules.verdict import Answer, Step, amount_to_json

if TYPE_CHECKING:
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Record

__all__ = ["factors", "reach", "rout_places", "stack"]


def _group(now: Situation, params: Record) -> list[Unit]:
    names = params["units"]
    group = [now.unit(str(name)) for name in names] if isinstance(names, tuple) else []
    if not group or not all(now.is_personnel(unit) for unit in group):
        raise RulesError("name the infantry of one stack", place=Place(field="units"))
    return group


def factors(now: Situation, params: Record) -> Answer:
    """`movement_factors`: what each unit of a stack has."""
    group = _group(now, params)
    extra = params.get("double_time", 0)
    hurry = extra if isinstance(extra, int) else 0
    road = params.get("road") is True
    found = {}
    steps = []
    for unit in group:
        parts = allowance_parts(now, unit, group, double_time=hurry, road=road)
        total = allowance(now, unit, group, double_time=hurry, road=road)
        found[unit.id] = amount_to_json(total)
        told = ", ".join(f"{part.amount:+} {part.text}" for part in parts)
        steps.append(Step(f"{unit.id}: {told}: {total} MF", parts[0].rule))
    values: dict[str, Value] = {"units": FrozenMap(found)}
    return Answer(FrozenMap(values), tuple(steps))


def reach(now: Situation, params: Record) -> Answer:
    """`reach`: every hex that a stack can come to, its cost, and the enemies in range of it.

    Whether they see it is not told: that would be looking before firing.
    """
    group = _group(now, params)
    start = now.at(group[0])
    if not start.cell:
        raise RulesError(f"{group[0].id} is not on the map", place=Place(field="units"))
    plain = min(allowance(now, unit, group) for unit in group)
    costs: dict[str, Fraction] = {start.cell: Fraction(0)}
    queue: list[tuple[Fraction, str, bool]] = [(Fraction(0), start.cell, True)]
    side = group[0].side
    while queue:
        spent, cell, roads = heapq.heappop(queue)
        if spent > costs.get(cell, spent):
            continue
        for after in steps_from(now, Location(cell)):
            if after.level or now.people(after, other(side)):
                continue
            cost = price(now, Location(cell), after, group)
            if cost.barred or cost.minimum or (cost.all_mf and spent):
                continue
            by_road = roads and is_road_step(now, Location(cell), after)
            total = plain if cost.all_mf else spent + cost.total
            if total <= plain + by_road and total < costs.get(after.cell, total + 1):
                costs[after.cell] = total
                heapq.heappush(queue, (total, after.cell, by_road))
    enemies = [
        unit for unit in now.on_map(other(side))
        if not unit.flags & {marks.BROKEN, marks.TI, *marks.UNSEEN}
    ]  # fmt: skip
    threats: dict[str, Value] = {}
    for cell in costs:
        near = tuple(
            enemy.id
            for enemy in enemies
            if now.ground.distance(enemy.cell, cell)
            <= max((now.counter(enemy).range, *(reach_of(now, w) for w in now.weapons(enemy))))
        )
        if near:
            threats[cell] = near
    values: dict[str, Value] = {
        "factors": amount_to_json(plain),
        "costs": FrozenMap({cell: amount_to_json(cost) for cell, cost in costs.items()}),
        "in_range_of": FrozenMap(threats),
    }
    return Answer(FrozenMap(values))


def rout_places(now: Situation, params: Record) -> Answer:
    """`rout`: the nearest shelters, the ways there, and what is interdicted."""
    unit = now.unit(str(params["unit"]))
    if not now.is_personnel(unit) or not unit.has(marks.BROKEN) or not unit.cell:
        raise RulesError(f"{unit.id} is no broken unit on the map", place=Place(field="unit"))
    routes = routes_of(now, unit)
    found = list(rout_check.ways(now, unit))
    steps = [
        Step(f"{place}: {routes.costs[place]} MF, the nearest shelter", "ASL-ROUT-4")
        for place in routes.shelters
    ]
    open_to: dict[str, Value] = {}
    for path in found:
        for cell in path:
            if by := interdictors(now, Location(cell), unit.side):
                open_to[cell] = tuple(enemy.id for enemy in by)
    steps += [
        Step(f"{cell} is interdicted by {', '.join(map(str, names))}", "ASL-A10.53a")
        for cell, names in open_to.items()
        if isinstance(names, tuple)
    ]
    why = must_leave(now, unit)
    if why:
        steps.append(Step(f"{unit.id} may not stay: {why}", "ASL-ROUT-1"))
    values: dict[str, Value] = {
        "must": bool(why),
        "shelters": tuple(str(place) for place in routes.shelters),
        "cost": amount_to_json(routes.nearest) if routes.nearest is not None else None,
        "paths": tuple(found),
        "interdicted": FrozenMap(open_to),
    }
    return Answer(FrozenMap(values), tuple(steps))


def stack(now: Situation, params: Record) -> Answer:
    """`stack`: what a side has in a location, in squads, and how much of it is too much."""
    level = params.get("level", 0)
    place = Location(str(params["cell"]), level if isinstance(level, int) else 0)
    side = str(params["side"])
    here = now.people(place, side)
    values: dict[str, Value] = {
        "squads": amount_to_json(equivalents(now, here)),
        "smc": sum(now.is_smc(unit) for unit in here),
        "over": overstack(now, place, side),
        "size": sum(now.counter(unit).size for unit in here),
    }
    return Answer(FrozenMap(values))
