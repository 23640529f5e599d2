"""Who can fire at all, and with what: hits, close combat, weapon cards, flames, smoke."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.state.situation import camp
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.conflict_of_heroes.rules.fire.aiming import Fire
    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["absent", "firer_objections", "may_smoke", "weapon_objections"]


def absent(now: Situation, unit: Unit) -> Iterator[Violation]:
    """Why a unit that is not on the map does not fire."""
    if not now.cell(unit) or unit.box:
        yield Violation("COH-7.0a", f"{unit.id} is not on the map", units=(unit.id,))


def firer_objections(now: Situation, fire: Fire, unit: Unit) -> Iterator[Violation]:
    """Why a unit cannot fire at all, at whatever it is."""
    me = (unit.id,)
    here = now.cell(unit)
    counter = now.counter(unit)
    if not here or unit.box:
        yield from absent(now, unit)
        return
    if unit.carrier:
        yield Violation("COH-17.0e", f"{unit.id} is aboard {unit.carrier}", units=me)
    by_card = fire.weapon is not None if unit is fire.unit else unit.id in fire.thrown
    if counter.fire is None and not by_card:
        yield Violation("COH-16.0a", f"{counter.title} never attacks", units=me)
    hit = now.hit(unit)
    if hit is not None and (hit.only_rally or hit.no_fire >= {"red", "blue"}):
        rule = "COH-8.4b" if by_card else hit.rule
        left = "it can only rally" if hit.only_rally else "it cannot fire"
        yield Violation(rule, f"{unit.id} is {hit.title.lower()}: {left}", units=me)
    if here == fire.cell and fire.mode != "smoke":
        return  # In close combat neither of the following counts.
    if here != fire.cell and any(not now.hidden(u) for u in now.enemies_at(here, unit.side)):
        text = f"{unit.id} has enemies in its own hex and cannot fire out of it"
        yield Violation("COH-7.7.3f", text, units=me, cells=(here,))
    fort = now.fort(unit)
    if fort is not None and fort.kind == "bunker" and counter.kind == "mortar":
        yield Violation("COH-18.1.2a", "mortars cannot fire from a bunker", units=me)


def weapon_objections(now: Situation, fire: Fire, action: Action) -> Iterator[Violation]:
    """Whether the leader has what it wants to fire with: a card, flames, smoke, a bonus."""
    unit, counter, me = fire.unit, now.counter(fire.unit), (fire.unit.id,)
    weapon = fire.weapon
    if action.given("weapon") is True and weapon is None:
        yield Violation("COH-8.4a", f"{unit.id} was given no weapon card", units=me)
    if weapon is not None:
        if fire.mode != "direct":
            text = f"{weapon.title} are used instead of the unit's own arms: no {fire.mode} fire"
            yield Violation("COH-8.4a", text, units=me, field="mode")
        if not counter.foot or camp(unit.side) != weapon.side:
            text = f"{weapon.title} are for foot units of the {weapon.side} side"
            yield Violation(weapon.rule, text, units=me)
        if weapon.vehicles_only and fire.supporters:
            yield Violation(weapon.rule, f"{weapon.title} is not for group fire", units=me)
    if fire.mode == "flame" and not counter.flame:
        yield Violation("COH-19.1a", f"{unit.id} has no flamethrower", units=me)
    if fire.mode == "smoke":
        if not may_smoke(now, unit):
            yield Violation("COH-13.1a", f"{unit.id} cannot lay smoke", units=me)
        if fire.supporters:
            yield Violation("COH-9.1.2a", "nobody supports smoke", units=me)
        if fire.aimed:
            yield Violation("COH-C09", "smoke always lands: no aimed fire", field="aimed")
    if fire.aimed and "09" not in now.hand(action.side):
        yield Violation("COH-C09", f"{action.side} has no card 09", field="aimed")


def may_smoke(now: Situation, unit: Unit) -> bool:
    """COH-13.1a: mortars of 8 cm and more and engineers; others as the firefight allows."""
    allowed = now.position.extras.get("smoke_units", ())
    named = isinstance(allowed, tuple) and unit.id in allowed
    barred = now.position.extras.get("no_smoke") is True
    return named or (now.counter(unit).smoke and not barred)
