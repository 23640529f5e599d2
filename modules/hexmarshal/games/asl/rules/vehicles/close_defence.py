"""Close defence weapons: charges thrown out of a buttoned-up vehicle among all who are around."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.rules.close_combat.frame import add, combat_of
from hexmarshal.games.asl.rules.fire.attack import resolve
from hexmarshal.games.asl.rules.fire.shot import Member, Shot
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units.vehicles import is_vehicle, vehicle_of, vehicles_in
from hexmarshal.rules.state.pieces import Unit
from hexmarshal.rules.verdict import Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.asl.rules.close_combat.frame import Combat
    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.values import Value

__all__ = ["candidates", "check", "throw"]

RULE: Final = "ASL-CCAFV-1"


def check(now: Situation, action: Action) -> Verdict:
    """ASL-CCAFV-1: a buttoned-up vehicle that has them, after infantry has attacked it."""
    return Verdict.of(_faults(now, action))


def _faults(now: Situation, action: Action) -> Iterator[Violation]:
    found = combat_of(now)
    if found is None:
        return
    unit = now.unit(action.text("vehicle"))
    name = unit.id
    if not is_vehicle(unit) or unit.side != action.side or now.at(unit) != found.place:
        yield Violation(RULE, f"{name} is no vehicle of yours in {found.place}", units=(name,))
        return
    vehicle = vehicle_of(unit)
    if not vehicle.close_defence:
        yield Violation(RULE, f"{name} has no close defence weapons", units=(name,))
    if not vehicle.buttoned_up:
        yield Violation(RULE, f"{name} is not buttoned up", units=(name,))
    if vehicle.abandoned or vehicle.dazed:
        yield Violation(RULE, f"{name} has nobody to use them", units=(name,))
    if name not in found.struck(other(action.side)):
        yield Violation(RULE, f"{name} was not attacked by infantry yet", units=(name,))
    if name in found.used(action.side):
        text = f"{name} has attacked: close defence weapons are used instead of others"
        yield Violation(RULE, text, units=(name,))


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """The vehicles that have them."""
    found = combat_of(now)
    if slot != "vehicle" or found is None:
        return None
    return tuple(
        one.name
        for one in vehicles_in(now, found.place, action.side)
        if one.close_defence and one.buttoned_up and one.name not in found.used(action.side)
    )


def throw(play: Play, action: Action) -> None:
    """ASL-CCAFV-1: a roll to place them, then one attack on all infantry there, friends too."""
    from hexmarshal.games.asl.rules.close_combat.combat import pass_on

    found = combat_of(play.now)
    assert found is not None
    name = action.text("vehicle")
    vehicle = vehicle_of(play.position.unit(name))
    add(play, {"kind": "done", "side": action.side, "attackers": (name,), "targets": ()})
    dice, rolls = play.roll_two(f"close defence of {name}", action.side)
    works = sum(dice) <= vehicle.close_defence
    told = f"{name}: {sum(dice)} against {vehicle.close_defence}"
    play.decide(
        Resolution(
            "close defence",
            "placed" if works else "none",
            dice=rolls,
            steps=(Step(f"{told}: {'placed' if works else 'nothing comes of it'}", RULE),),
        )
    )
    if works:
        _burst(play, found, action.side, name)
    pass_on(play)


def _burst(play: Play, found: Combat, side: str, name: str) -> None:
    """All personnel of the location, on the fire table, without terrain and smoke."""
    counter = Unit(name, "close defence", side)
    power = play.tables.vehicle_combat.close_defence
    member = Member(counter, counter, found.place, "close defence", power)
    shot = Shot(side, (member,), (), found.place, everybody=True)
    resolve(play, shot, "close defence", residual=())
