"""Rout: a broken unit makes for shelter, by low crawl or under interdiction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.fire.encirclement import share_ring
from hexmarshal.games.asl.rules.heat_of_battle import heat
from hexmarshal.games.asl.rules.morale.casualties import drop, eliminate, reduce
from hexmarshal.games.asl.rules.morale.checks import Fate, Test, fate_of_check, modifiers_of
from hexmarshal.games.asl.rules.morale.results import chosen_by_lot
from hexmarshal.games.asl.rules.movement.allowance import burden, capacity, portage
from hexmarshal.games.asl.rules.rout.companions import (
    follow,
    share_fate,
)
from hexmarshal.games.asl.rules.rout.interdiction import interdictors
from hexmarshal.games.asl.rules.rout.rout_check import places_of
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.rolling.modifiers import tally
from hexmarshal.rules.state.effects import MoveUnit
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.ground import Location
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["rout"]


def rout(play: Play, action: Action) -> None:
    """The unit goes, hex by hex; whoever can interdict does."""
    unit = play.position.unit(action.text("unit"))
    leader = action.text("leader")
    if leader:
        play.mark(leader, marks.ROUTED)
    _go(play, unit, action)
    if unit.id in play.position.units:
        follow(play, leader, play.position.unit(unit.id))
    share_fate(play, leader, unit.id)


def _go(play: Play, unit: Unit, action: Action) -> None:
    now = play.now
    _lighten(play, unit)
    crawl = action.flag("low_crawl")
    play.mark(unit.id, marks.ROUTED, *((marks.CRAWLED,) if crawl else ()))
    for place in places_of(now, unit, action.texts("path"), action.number("level")):
        if _thrown_back(play, unit, place):
            return
        play.do(MoveUnit(unit.id, place.cell, place.level))
        share_ring(play, unit.id)
        if crawl:
            continue
        by = interdictors(play.now, place, unit.side)
        if by and not _interdicted(play, unit.id, place, by[0]):
            return


def _thrown_back(play: Play, unit: Unit, place: Location) -> bool:
    """ASL-ROUT-6: a concealed enemy in the way shows himself, and the router goes no further."""
    from hexmarshal.games.asl.rules.concealment.cover import place_hidden, remove_dummy, reveal

    side = other(unit.side)
    for one in play.now.people(place, side):
        place_hidden(play, one.id, "an enemy routs into it", "ASL-A12.15a")
    covered = [u for u in play.now.people(place, side) if u.has(marks.CONCEALED)]
    hidden = [u.id for u in covered if not play.now.is_dummy(u)]
    if not hidden:
        for one in covered:  # ASL-A12.15c
            remove_dummy(play, one.id, "an enemy routs into it", "ASL-A12.15c")
        return False
    for name in chosen_by_lot(play, hidden, 1, "who is revealed", side):
        reveal(play, name, f"{unit.id} tries to enter {place}", "ASL-ROUT-6")
        step = Step(f"{name} in {place} throws {unit.id} back", "ASL-ROUT-6")
        play.decide(Resolution("rout", "thrown back", steps=(step,)))
    return True


def _lighten(play: Play, unit: Unit) -> None:
    """ASL-BROK-1, ASL-SW-2: what is too heavy stays behind."""
    now = play.now
    weapons = sorted(now.weapons(unit), key=lambda weapon: (-portage(now, weapon), weapon.id))
    while weapons and burden(play.now, play.position.unit(unit.id)) > capacity(play.now, unit):
        drop(play, unit, weapons.pop(0))


def _interdicted(play: Play, name: str, place: Location, enemy: Unit) -> bool:
    """ASL-A10.53a: a morale check; men are lost or the unit stops. True if it goes on."""
    now = play.now
    unit = now.unit(name)
    test = Test("interdiction", rule="ASL-A10.53a")
    found = tally(modifiers_of(now, unit, test))
    dice, rolls = play.roll_two(f"interdiction of {name}", unit.side)
    total = sum(dice) + int(found.total())
    fate = fate_of_check(now, unit, sum(dice), total)
    pinned = fate is Fate.PASSED and total == now.morale(unit)
    told = f"{name} in {place}, in sight of {enemy.id}: {total} against {now.morale(unit)}: " + (
        "pinned" if pinned else fate
    )
    play.decide(
        Resolution(
            "interdiction",
            "pinned" if pinned else fate.value,
            modifiers=found.modifiers,
            dice=rolls,
            steps=(Step(told, "ASL-A10.53a"),),
        )
    )
    if fate is Fate.ELIMINATED:
        eliminate(play, name)
    elif fate is Fate.REDUCED:
        reduce(play, name)
    if sum(dice) == heat.LUCKY:
        heat.kindle(play, name, broken=True)
    after = play.position.units.get(name)
    return after is not None and after.has(marks.BROKEN) and not pinned
