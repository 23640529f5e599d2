"""Exact odds of fire and of assaults, by enumeration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.rules.assault.launch import combat_value
from hexmarshal.games.heroes_of_stalingrad.rules.assault.resolve import outside_arc, parts
from hexmarshal.games.heroes_of_stalingrad.rules.damage.location import place_of
from hexmarshal.games.heroes_of_stalingrad.rules.fire.aiming import (
    aim,
    result_modifiers,
    sight_faults,
    target_faults,
)
from hexmarshal.games.heroes_of_stalingrad.rules.fire.shooting import judged
from hexmarshal.games.heroes_of_stalingrad.rules.fire.value import value_of
from hexmarshal.games.heroes_of_stalingrad.state.kinds import HEAVY
from hexmarshal.rules.odds import Distribution
from hexmarshal.rules.values import FrozenMap
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
    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.values import Record

__all__ = ["assault_odds", "fire_odds"]

DIE = Distribution.die(6)


def _best(count: int) -> Distribution[int]:
    """The best of some dice."""
    found = DIE
    for _ in range(count - 1):
        found = found.joined(DIE, max)
    return found


def _count(params: Record, name: str) -> int:
    value = params.get(name, 0)
    return value if isinstance(value, int) else 0


def fire_odds(now: Situation, params: Record) -> Answer:
    """HOS-2.87, HOS-2.88: what a shot may do; of a heavy vehicle also where it is hit."""
    unit, target = now.unit(str(params["unit"])), now.unit(str(params["target"]))
    weapon = now.weapon(unit, str(params.get("weapon", "")))
    faults = list(target_faults(now, unit, target))
    family = now.family(target)
    combat = None if weapon is None else weapon.value(family)
    if weapon is None or combat is None:
        text = f"{unit.id} has no combat value against {family}"
        faults.append(Violation("HOS-2.71", text, units=(unit.id, target.id)))
    faults += sight_faults(now, unit, weapon, target)
    found = aim(now, unit, weapon, target)
    if faults or found is None or weapon is None or combat is None:
        raise IllegalActionError(Verdict(tuple(faults)))
    suppression = params.get("suppression") is True
    # As things are, with the card that is played (HOS-6.4); what is asked for comes on top of it.
    made = list(value_of(now, unit, weapon, combat, ammo=_count(params, "ammo")).parts)
    if params.get("moving") is True and all(m.rule != "HOS-5.25" for m in made):
        made.append(Modifier("Moving fire", -weapon.number("moving"), "HOS-5.25", "value"))
    if count := _count(params, "bonus"):
        made.append(Modifier("bonus", count, "HOS-6.4", "value"))
    value = sum(int(m.amount) for m in made)
    if suppression:
        made.append(Modifier("Suppression fire doubles it", value, "HOS-5.23", "value"))
        value *= 2
    taken = tuple(result_modifiers(now, unit, found.line, found.distance))
    off = sum(int(m.amount) for m in taken)

    def result(die: int) -> str:
        what, times = judged(die + value + off, found.defence, suppression=suppression)
        return f"{times} Suppressed" if what == "suppressed" else what

    odds = _best(2 if weapon.has("twin") else 1).map(result)
    steps = [
        Step(f"value {value}, off the result {off}, defence {found.defence}", "HOS-2.88"),
        Step(f"needed on the die: {found.defence - value - off}", "HOS-2.87"),
    ]
    if family == HEAVY and not suppression:
        extra = 1 if weapon.has("piercing") else 0
        where = DIE.map(lambda die: place_of(now, die + extra))
        told = ", ".join(f"{place} {chance}" for place, chance in where.items())
        steps.append(Step(f"if hit: {told}", "HOS-2.92"))
    return Answer(
        FrozenMap(
            {
                "value": value,
                "modifier": off,
                "defence": found.defence,
                "side": found.side,
                "needed": found.defence - value - off,
                "range": found.distance,
            }
        ),
        tuple(steps),
        Resolution("odds", modifiers=(*made, *taken)),
        odds,
    )


def assault_odds(now: Situation, params: Record) -> Answer:
    """HOS-5.47 to HOS-5.51: who wins an assault, as the units stand."""
    unit, target = now.unit(str(params["unit"])), now.unit(str(params["target"]))
    both = (unit.id, target.id)
    if combat_value(now, unit, now.family(target)) is None:
        text = f"{unit.id} has an X against {now.family(target)}"
        raise IllegalActionError(Verdict((Violation("HOS-5.40", text, units=both),)))
    if combat_value(now, target, now.family(unit)) is None:
        step = Step(f"{target.id} cannot defend itself", "HOS-5.50")
        return Answer(
            FrozenMap({"automatic": True}), (step,), None, Distribution.certain("attacker")
        )
    mine = tuple(parts(now, unit, target, defends=False))
    yours = tuple(parts(now, target, unit, defends=True))
    attack = sum(int(m.amount) for m in mine) + _count(params, "bonus")
    defence = sum(int(m.amount) for m in yours) + _count(params, "defence")
    if outside_arc(now, unit, target):
        defence -= int(now.tables.limits["suppressed"])
    ours, theirs = _best(2), _best(2 if now.has(target, "assault") else 1)

    def winner(a: int, b: int) -> str:
        gap = a + attack - b - defence
        return "attacker" if gap > 0 else "defender" if gap < 0 else "tie"

    return Answer(
        FrozenMap({"attack": attack, "defence": defence}),
        (Step(f"attacker {attack:+}, defender {defence:+}, besides the dice", "HOS-5.51"),),
        Resolution("odds", modifiers=(*mine, *yours)),
        ours.joined(theirs, winner),
    )
