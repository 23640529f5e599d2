"""Questions about a combat: its odds, and the ways back from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.errors import RulesError
from hexmarshal.games.traces_of_war.rules.combat import air
from hexmarshal.games.traces_of_war.rules.combat.attack import assault
from hexmarshal.games.traces_of_war.rules.combat.battle import read, support_shown, under_order
from hexmarshal.games.traces_of_war.rules.combat.routes import legal_routes, routes
from hexmarshal.games.traces_of_war.rules.combat.strength import plan_of
from hexmarshal.games.traces_of_war.state.kinds import AXIS
from hexmarshal.rules.odds import Distribution
from hexmarshal.rules.values import FrozenMap, freeze
from hexmarshal.rules.verdict import (
    Answer,
    IllegalActionError,
    Modifier,
    Resolution,
    Step,
    Verdict,
    Violation,
)

if TYPE_CHECKING:
    from hexmarshal.games.traces_of_war.rules.combat.routes import Route
    from hexmarshal.games.traces_of_war.state.situation import Situation
    from hexmarshal.rules.values import Record, Value

__all__ = ["odds", "retreats"]


def odds(now: Situation, params: Record) -> Answer:
    """The exact chances of every result; the attack must be possible, activated or not."""
    target, named = str(params["target"]), params["attackers"]
    attackers = [now.unit(str(n)) for n in named] if isinstance(named, tuple) else []
    offensive, defensive = (_count(params, kind) for kind in (air.OFFENSIVE, air.DEFENSIVE))
    side = attackers[0].side if attackers else AXIS
    broken = [*assault(now, attackers, target, side)]
    if not attackers or not now.enemies(target, side):
        text = "units attack an adjacent hex with enemies in it"
        broken.append(Violation("TOW-10.0a", text, cells=(target,)))
    if any(unit.side != side for unit in attackers):
        broken.append(Violation("TOW-10.0a", "the attackers are of two sides"))
    if offensive and side != AXIS:
        broken.append(Violation("TOW-7.0c", "offensive support helps an Axis attack"))
    if defensive and side == AXIS:
        broken.append(Violation("TOW-7.0d", "defensive support helps an Axis defense"))
    if broken:
        raise IllegalActionError(Verdict(tuple(broken)))
    plan = plan_of(now, attackers, target, side)
    column, modifiers = support_shown(plan, now, offensive)
    if defensive:
        less = Modifier("defensive air support", air.DIE * defensive, "TOW-7.0d", to="die")
        modifiers = (*modifiers, less)
    cells = [
        now.known_cell(
            now.tables.result(column, air.modified(die, defensive)), "the combat results table"
        )
        for die in range(1, 7)
    ]
    steps = list(plan.steps)
    if any(cell.ours for cell in cells):
        text = "these results are ours: the rulebook prints columns 5-1 and 6-1 alone"
        steps.append(Step(text, "TOW-10.3a"))
    ordered = now.ordered(target)
    if ordered:
        steps.append(Step("under a Supreme Command order nobody retreats", "TOW-12.2a"))
    codes = [str(cell.value) for cell in cells]
    results = Distribution.uniform(codes)
    meanings: dict[str, Value] = {}
    for code in dict.fromkeys(codes):
        result = under_order(read(code)) if ordered else read(code)
        meanings[code] = FrozenMap(
            {
                "steps": result.steps,
                "retreat": result.retreat,
                "attacker_steps": result.attacker_steps,
            }
        )
    resolution = Resolution(
        "odds",
        strengths=plan.strengths,
        base_column=now.tables.columns[plan.base],
        column=now.tables.columns[column],
        modifiers=modifiers,
        steps=tuple(steps),
    )
    values: dict[str, Value] = {"attack": plan.attack, "defense": plan.defense}
    values["meanings"] = FrozenMap(meanings)
    return Answer(FrozenMap(values), resolution=resolution, distribution=results)


def _count(params: Record, name: str) -> int:
    value = params.get(name)
    return value if isinstance(value, int) else 0


def retreats(now: Situation, params: Record) -> Answer:
    """The ways that the owner may choose, and for the others what speaks against them."""
    unit, hexes = now.unit(str(params["unit"])), params["hexes"]
    assert isinstance(hexes, int)
    if not unit.cell:
        raise RulesError(f"{unit.id} is not on the map")
    legal = legal_routes(now, unit, hexes)
    chosen = {route.path[:hexes] for route in legal}
    refused = [route for route in routes(now, unit, hexes) if route.path not in chosen]
    steps = tuple(Step(*_why(route, legal)) for route in refused)
    if not legal:
        steps = (*steps, Step("no way is open: the unit is eliminated", "TOW-10.4h"))
    ways = [_shown(route) for route in legal]
    values = freeze({"paths": ways, "refused": [_shown(route) for route in refused]})
    assert isinstance(values, FrozenMap)
    return Answer(values, steps)


def _shown(route: Route) -> dict[str, object]:
    return {
        "path": route.path,
        "losses": route.zones,
        "closer": route.closer,
        "room": route.fits,
    }


def _why(route: Route, legal: list[Route]) -> tuple[str, str]:
    way = " ".join(route.path)
    fewest = min((one.zones for one in legal), default=0)
    if route.zones > fewest:
        return f"{way} enters {route.zones} hexes in enemy zones, {fewest} would do", "TOW-10.4b"
    if not route.closer and any(one.closer for one in legal):
        return f"{way} does not lead closer to a supply source", "TOW-10.4d"
    return f"{way} ends where there is no room", "TOW-10.4d"
