"""Questions about quality: what a unit is by nation and state, and what a nation can do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.errors import NotFoundError
from hexmarshal.errors.names import did_you_mean
from hexmarshal.games.asl.rules.heat_of_battle import heat
from hexmarshal.games.asl.rules.quality import elr, promotion
from hexmarshal.games.asl.rules.quality.substitution import higher, lower
from hexmarshal.games.asl.rules.snipers.whereabouts import san_of
from hexmarshal.games.asl.state.situation import SIDES
from hexmarshal.games.asl.state.units import marks, traits
from hexmarshal.rules.rolling.modifiers import tally
from hexmarshal.rules.values import FrozenMap, Value
from hexmarshal.rules.verdict import Answer, Step

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Record
    from hexmarshal.rules.verdict import Modifier

__all__ = ["nation", "quality"]


def _total(found: Sequence[Modifier]) -> tuple[int, tuple[Step, ...]]:
    steps = tuple(Step(f"{m.label} {m.amount:+}", m.rule) for m in found)
    return int(tally(found).total()), steps


def quality(now: Situation, params: Record) -> Answer:
    """`quality`: morale, experience and traits of one unit, and what it would become."""
    unit = now.unit(str(params["unit"]))
    values: dict[str, Value] = {
        "nation": now.nation(unit),
        "morale": now.morale(unit),
        "elite": traits.is_elite(now, unit),
        "inexperienced": now.is_inexperienced(unit),
        "stealthy": traits.is_stealthy(now, unit),
        "lax": traits.is_lax(now, unit),
        "self_rallies": now.self_rallies(unit),
        "cowers": traits.may_cower(now, unit),
        "deploys": now.counter(unit).kind == "squad" and traits.may_deploy(now, unit),
        "assault_fire": traits.assault_fires(now, unit),
        "armour_check": traits.armour_check(now, unit),
        "never_disrupted": traits.never_disrupted(now, unit),
        "never_surrenders": traits.never_surrenders(now, unit),
        "hardens_to": higher(now, unit),
        "replaced_by": lower(now, unit),
    }
    rating = traits.elr_of(now, unit)
    if rating is not None:
        values["elr"] = rating
        values["exempt_from_elr"] = not elr.is_subject(now, unit)
    steps: tuple[Step, ...] = ()
    if not heat.is_exempt(now, unit):
        broken = unit.has(marks.BROKEN)
        values["heat_of_battle"], steps = _total(heat.modifiers_of(now, unit, broken=broken))
    if now.is_mmc(unit) and traits.nation_of(now, unit).promotion is not None:
        values["leader_creation"], more = _total(_promotion(now, unit))
        steps += more
    return Answer(FrozenMap(values), steps=steps)


def _promotion(now: Situation, unit: Unit) -> list[Modifier]:
    return promotion.modifiers_of(now, unit, broken=unit.has(marks.BROKEN))


def nation(now: Situation, params: Record) -> Answer:
    """`nation`: what the table of nations says of one, for this date and order of battle."""
    name = str(params["nation"])
    if name not in now.tables.nations:
        hint = did_you_mean(name, now.tables.nations)
        raise NotFoundError(f"no table has the nation {name!r}", hint=hint)
    found = now.tables.nation(name)
    date = now.option("date")
    late = isinstance(date, int) and date >= 194401
    pile = found.artillery
    for side in SIDES:
        pile = _majority(now, name, side) or pile
    values: dict[str, Value] = {
        "heat_of_battle": found.heat,
        "promotes": found.promotion is not None,
        "to_hit": found.to_hit_1944 if late and found.to_hit_1944 else found.to_hit,
        "to_hit_vehicles": found.to_hit_vehicles or found.to_hit,
        "artillery": tuple(pile),
        "ammunition": found.ammunition,
        "deploys": found.deploys,
        "self_rallies": found.self_rallies,
        "human_wave": found.human_wave,
        "escapes": found.escapes,
        "leaders": found.leaders or tuple(now.tables.heat["leaders"]),
        "snipers": tuple(san_of(now, side) for side in SIDES),
    }
    return Answer(FrozenMap(values))


def _majority(now: Situation, name: str, side: str) -> tuple[int, ...]:
    """ASL-NAT-CHI: which squads most of a side's are."""
    squads = [
        unit.type
        for unit in now.position.of_side(side)
        if now.is_mmc(unit) and now.counter(unit).kind == "squad" and now.nation(unit) == name
    ]
    for key, pile in now.tables.nation(name).artillery_by_majority.items():
        if squads and 2 * squads.count(key) > len(squads):
            return tuple(pile)
    return ()
