"""Casualties: units that are reduced, wounded, broken or lost, and their weapons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.morale.checks import can_break
from hexmarshal.games.asl.rules.sequence.losses import count_loss
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.state.effects import ChangeUnit, MoveUnit, RemoveMarker, RemoveUnit
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.rules.state.pieces import Unit

__all__ = [
    "break_unit",
    "drop",
    "eliminate",
    "give_up",
    "lose_weapon",
    "pin",
    "reduce",
    "wound",
]

_SEVERE = 5
_ENDED_BY_BREAKING = frozenset({marks.PINNED, marks.CX, marks.TI, marks.OPPORTUNITY, *marks.UNSEEN})


def pin(play: Play, name: str) -> None:
    """ASL-PIN-2."""
    if name in play.position.units:
        play.mark(name, marks.PINNED)


def break_unit(play: Play, name: str, *, dm: bool) -> None:
    """ASL-BROK-1, ASL-DM-1: the counter is turned over; who cannot break loses men instead."""
    unit = play.position.unit(name)
    if not can_break(play.now, unit):
        reduce(play, name)
        return
    play.unmark(name, *marks.UNSEEN)  # ASL-CONL-1
    flags = {marks.BROKEN, marks.DM} if dm else {marks.BROKEN}
    play.do(ChangeUnit(name, flags=frozenset(flags), unflags=_ENDED_BY_BREAKING & unit.flags))


def reduce(play: Play, name: str) -> None:
    """ASL-IFT-3: a squad becomes a half-squad, an SMC is wounded, others are lost."""
    now = play.now
    unit = now.unit(name)
    counter = now.counter(unit)
    if counter.is_smc:
        wound(play, unit)
    elif counter.kind == "squad":
        less = counter.after_casualties
        play.unmark(name, *marks.UNSEEN)  # ASL-CONL-1
        count_loss(play, unit, less)
        play.do(ChangeUnit(name, type=less))
        step = Step(f"{now.named(unit)} is reduced to {less}", "ASL-IFT-3")
        play.decide(Resolution("casualty", "reduced", steps=(step,)))
    else:
        eliminate(play, name)


def wound(play: Play, unit: Unit) -> None:
    """ASL-WOUND-1: 1 to 4 is a light wound, more is the end; one worse for the wounded."""
    rolled, roll = play.roll_one("wound severity", unit.side)
    total = rolled + unit.has(marks.WOUNDED)
    killed = total >= _SEVERE
    step = Step(
        f"{play.now.named(unit)}: wound severity {rolled}"
        + (" + 1, wounded before" if unit.has(marks.WOUNDED) else "")
        + (": killed" if killed else ": light wound"),
        "ASL-WOUND-1",
    )
    result = "eliminated" if killed else "wounded"
    play.decide(Resolution("wound", result, dice=(roll,), steps=(step,)))
    if killed:
        eliminate(play, unit.id)
    else:
        play.mark(unit.id, marks.WOUNDED)
        play.unmark(unit.id, *marks.UNSEEN)  # ASL-CONL-1


def eliminate(play: Play, name: str, *, by_captor: bool = False) -> None:
    """The unit is lost; its weapons stay where it was (ASL-SWT-2)."""
    now = play.now
    unit = now.unit(name)
    drop(play, unit, *now.weapons(unit))
    if now.prisoners(unit):  # ASL-A20.5d
        from hexmarshal.games.asl.rules.prisoners.guards import lose_guard

        lose_guard(play, unit)
    count_loss(play, unit, by_captor=by_captor)
    step = Step(f"{now.named(unit)} is eliminated", "ASL-IFT-2")
    play.decide(Resolution("casualty", "eliminated", steps=(step,)))
    for marker in play.position.markers_on(name):
        play.do(RemoveMarker(marker.id))
    play.do(RemoveUnit(name))


def give_up(play: Play, name: str, captor: str, rule: str) -> None:
    """A unit gives itself up to an enemy, who guards it if he can (ASL-A20.21a)."""
    from hexmarshal.games.asl.rules.prisoners.capture import capture

    now = play.now
    step = Step(f"{now.named(now.unit(name))} surrenders to {captor}", rule)
    play.decide(Resolution("surrender", "captured", steps=(step,)))
    for marker in play.position.markers_on(name):
        play.do(RemoveMarker(marker.id))
    capture(play, name, (captor,), now.at(now.unit(captor)), rule)


def lose_weapon(play: Play, name: str) -> None:
    """A weapon is gone for good, and with it its arc and the fire lane that it laid."""
    for marker in tuple(play.position.markers.values()):
        if marker.unit == name or marker.values.get("weapon") == name:
            play.do(RemoveMarker(marker.id))
    play.do(RemoveUnit(name))


def drop(play: Play, unit: Unit, *weapons: Unit) -> None:
    """ASL-SW-5, ASL-SWT-2: weapons are left in the unit's location, possessed by nobody.

    ASL-SW-6: what falls into a marsh, a deep stream or other water is gone.
    """
    place = play.now.at(unit)
    terrain = play.now.ground.beneath(place.cell)
    for weapon in weapons:
        if place.cell and (terrain.marsh or terrain.water or terrain.ford):
            step = Step(f"{weapon.id} is lost in {place.cell}", "ASL-SW-6")
            play.decide(Resolution("weapon", "lost", steps=(step,)))
            lose_weapon(play, weapon.id)
            continue
        play.do(
            ChangeUnit(weapon.id, bonds=FrozenMap({marks.POSSESSES: ()})),
            MoveUnit(weapon.id, place.cell, place.level),
        )
