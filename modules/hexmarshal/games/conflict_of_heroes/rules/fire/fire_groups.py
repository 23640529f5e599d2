"""Group fire: who may support a leader, with what, and from where."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.fire import attack
from hexmarshal.games.conflict_of_heroes.rules.fire.aiming import (
    aim,
    out_of_arc,
    targets_at,
    weapon_of,
    works_at,
)
from hexmarshal.games.conflict_of_heroes.rules.fire.attack import reach_of
from hexmarshal.games.conflict_of_heroes.rules.fire.attack_kinds import Assault, colour_of
from hexmarshal.games.conflict_of_heroes.rules.fire.firers import firer_objections
from hexmarshal.games.conflict_of_heroes.state.situation import camp
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from hexmarshal.games.conflict_of_heroes.rules.fire.aiming import Fire
    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["colours_at", "group_objections", "may_throw", "support_place_objections"]


def may_throw(now: Situation, objections: Iterable[Violation]) -> Iterator[Violation]:
    """What is wrong with supporters, but for those who could still use their weapon cards."""
    for broken in objections:
        armed = any(weapon_of(now, now.position.unit(u)) is not None for u in broken.units)
        cure = ("thrown",) if armed else ()
        yield replace(broken, cured_by=(*broken.cured_by, *cure)) if cure else broken


def group_objections(now: Situation, fire: Fire, colours: Collection[str]) -> Iterator[Violation]:
    """COH-9.1.2a, COH-9.1.2b: what holds for every supporter, at a distance or in close combat.

    `colours` are those of the targets: who has no firepower against any of them has no part.
    """
    ids = [u.id for u in fire.all]
    if len(set(ids)) != len(ids):
        yield Violation("COH-9.1.2a", "a unit is named twice", field="supporters")
    for stranger in sorted(fire.thrown.difference(u.id for u in fire.supporters)):
        text = f"{stranger} is no supporter: it throws nothing"
        yield Violation("COH-9.1.2a", text, units=(stranger,), field="thrown")
    close = now.cell(fire.unit) == fire.cell
    flame = fire.mode == "flame"
    assault = Assault(fire.unit, "", fire.cell, close=close, flame=flame, thrown=fire.thrown)
    for unit in fire.all:
        me = (unit.id,)
        if unit is not fire.unit:
            yield from firer_objections(now, fire, unit)
            hit = now.hit(unit)
            if hit is not None and (hit.red or hit.blue or hit.no_fire):
                text = f"{unit.id} is {hit.title.lower()}: it cannot support"
                yield Violation("COH-9.1.2b", text, units=me)
        elif fire.weapon is not None or not fire.supporters:
            continue
        if unit.id in fire.thrown:
            yield from _thrown_objections(now, fire, unit)
        elif now.cell(unit) and not any(
            attack.lends(now, assault, unit, colour) for colour in colours
        ):
            text = f"{unit.id} has no firepower to add"
            yield Violation("COH-9.1.2a", text, units=me)


def _thrown_objections(now: Situation, fire: Fire, unit: Unit) -> Iterator[Violation]:
    """COH-CW1, COH-CW2: grenades and bottles may support; COH-CW3: mines may not."""
    card = weapon_of(now, unit)
    if card is None:
        text = f"{unit.id} was given no weapon card"
        yield Violation("COH-8.4a", text, units=(unit.id,))
        return
    here = now.cell(unit)
    far = not here or now.board.distance(here, fire.cell) > card.reach
    owner = now.counter(unit).foot and camp(unit.side) == card.side
    if card.vehicles_only or far or not owner:
        yield Violation(card.rule, f"{card.title} cannot support this", units=(unit.id,))


def colours_at(now: Situation, fire: Fire) -> set[str]:
    """The colours of the defences in the target hex; of a hex that seems empty, either."""
    assault = aim(now, fire)
    targets = targets_at(now, fire.cell, fire.unit.side)
    colours = {colour_of(now, assault, u) for u in targets}
    if works_at(now, assault):
        colours.add("red")
    return colours or {"red", "blue"}


def support_place_objections(now: Situation, fire: Fire) -> Iterator[Violation]:
    """COH-9.1.2b: beside the leader, in arc, in sight and in normal range of the target."""
    here = now.cell(fire.unit)
    for unit in fire.supporters:
        me, place = (unit.id,), now.cell(unit)
        if not place or not here:
            continue
        if now.board.distance(here, place) > 1:
            text = f"{unit.id} is not beside its fire leader"
            yield Violation("COH-9.1.2b", text, units=me, cells=(place,))
        if place == fire.cell:
            text = f"{unit.id} stands in the target's hex"
            yield Violation("COH-9.1.2b", text, units=me)
            continue
        if out_of_arc(now, fire, unit):
            text = f"{fire.cell} is outside the arc of {unit.id}: supporters do not turn turrets"
            yield Violation("COH-9.1.2b", text, units=me)
        if now.judged(place, fire.cell).blocked:
            text = f"no line of sight from {place}"
            yield Violation("COH-9.1.2b", text, units=me, cells=(place, fire.cell))
        if unit.id in fire.thrown:
            continue
        if now.board.distance(place, fire.cell) > reach_of(now, unit):
            text = f"{unit.id} is not in normal range"
            yield Violation("COH-9.1.2b", text, units=me)
        if now.board.distance(place, fire.cell) < now.counter(unit).min_range:
            yield Violation("COH-12.0c", f"{unit.id} is too near", units=me)
