"""Fire: who may shoot at which hex, in which way, alone or as a group."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from hexmarshal.games.conflict_of_heroes.rules.fire import attack
from hexmarshal.games.conflict_of_heroes.rules.fire.aiming import (
    aim,
    fire_cost,
    fire_of,
    may_swing,
    out_of_arc,
    rolls_of,
    targets_at,
    weapon_of,
    works_at,
)
from hexmarshal.games.conflict_of_heroes.rules.fire.attack import reach_of
from hexmarshal.games.conflict_of_heroes.rules.fire.attack_kinds import Assault, colour_of
from hexmarshal.games.conflict_of_heroes.rules.turn import payment
from hexmarshal.games.conflict_of_heroes.rules.turn.rolling import roll_objections, total_cap
from hexmarshal.games.conflict_of_heroes.state.situation import camp
from hexmarshal.rules.verdict import Cost, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from hexmarshal.games.conflict_of_heroes.rules.fire.aiming import Fire
    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit

__all__ = [
    "OBSERVER_REACH",
    "check_fire",
    "firer_objections",
    "group_objections",
    "may_smoke",
    "may_throw",
    "place_objections",
    "weapon_objections",
]

OBSERVER_REACH = 2


def check_fire(now: Situation, action: Action) -> Verdict:
    """Every objection to a shot; how often a target was shot at is none (COH-7.0c)."""
    if action.open("cell"):
        return Verdict.of(_readying(now, action))
    fire = fire_of(now, action)
    if action.open("observer") and fire.mode in ("indirect", "smoke"):
        return Verdict(tuple(firer_objections(now, fire, fire.unit)))
    shot = _shot(now, fire, action)
    found = [
        *shot.objections,
        *roll_objections(now, action, shot.rolls),
        *payment.objections(now, action, fire.all, shot.cost, total_cap(action, shot.rolls)),
    ]
    return Verdict(tuple(found), payment.bill(now, action, shot.cost))


class _Shot(NamedTuple):
    """What there is to say of a shot however it is paid for."""

    objections: tuple[Violation, ...]
    rolls: list[str]
    cost: Cost


def _shot(now: Situation, fire: Fire, action: Action) -> _Shot:
    """The last one is kept: one shot after the other is tried with every way to pay for it."""
    last: dict[object, _Shot] = now.position.remember("last shot", dict)
    supporters = tuple(unit.id for unit in fire.supporters)
    armed = (fire.weapon is not None, action.given("weapon") is True, action.open("thrown"))
    who = (action.side, fire.unit.id, supporters, fire.thrown)
    key = (who, armed, fire.cell, fire.mode, fire.observer, fire.aimed, fire.facing)
    shot = last.get(key)
    if shot is None:
        shot = _looked_at(now, fire, action)
        last.clear()
        last[key] = shot
    return shot


def _looked_at(now: Situation, fire: Fire, action: Action) -> _Shot:
    cost = fire_cost(now, fire)
    found = list(firer_objections(now, fire, fire.unit))
    found += place_objections(now, fire)
    found += weapon_objections(now, fire, action)
    if fire.supporters or fire.thrown:
        about = group_objections(now, fire, _colours(now, fire))
        found += may_throw(now, about)
        found += may_throw(now, _support_place_objections(now, fire))
    found += _facing_objections(now, fire)
    rolls = rolls_of(now, fire, action.side)
    if not found and not action.open("thrown"):
        found += _target_objections(now, fire, action.side)
    return _Shot(tuple(found), rolls, cost)


def _readying(now: Situation, action: Action) -> Iterator[Violation]:
    """What is wrong wherever the shot goes: the firer, the price, the arms."""
    unit = now.position.unit(action.text("unit"))
    yield from _absent(now, unit)
    poor = tuple(payment.objections(now, action, [unit], Cost()))
    yield from poor
    fire = fire_of(now, action)
    if fire.mode != "smoke":
        if not any(_absent(now, unit)):
            yield from firer_objections(now, fire, unit)
        if not poor:  # Towards no hex in particular no turret turns: it is never cheaper.
            yield from payment.objections(now, action, [unit], fire_cost(now, fire))
    yield from weapon_objections(now, fire, action)


def _absent(now: Situation, unit: Unit) -> Iterator[Violation]:
    if not now.cell(unit) or unit.box:
        yield Violation("COH-7.0a", f"{unit.id} is not on the map", units=(unit.id,))


def may_throw(now: Situation, objections: Iterable[Violation]) -> Iterator[Violation]:
    """What is wrong with supporters, but for those who could still use their weapon cards."""
    for broken in objections:
        armed = any(weapon_of(now, now.position.unit(u)) is not None for u in broken.units)
        cure = ("thrown",) if armed else ()
        yield replace(broken, cured_by=(*broken.cured_by, *cure)) if cure else broken


def _facing_objections(now: Situation, fire: Fire) -> Iterator[Violation]:
    """COH-10.0a: only who comes to light with the shot chooses where he looks."""
    if fire.facing is None:
        return
    if not now.hidden(fire.unit):
        text = f"{fire.unit.id} does not turn with a shot: a pivot is an action"
        yield Violation("COH-5.3a", text, units=(fire.unit.id,), field="facing")
    elif not 0 <= fire.facing <= 5:
        yield Violation("COH-5.1a", f"no hexside {fire.facing}", field="facing")


# The firer and his arms


def firer_objections(now: Situation, fire: Fire, unit: Unit) -> Iterator[Violation]:
    """Why a unit cannot fire at all, at whatever it is."""
    me = (unit.id,)
    here = now.cell(unit)
    counter = now.counter(unit)
    if not here or unit.box:
        yield from _absent(now, unit)
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


# The way to the target


def place_objections(now: Situation, fire: Fire) -> Iterator[Violation]:
    """Arc, sight and range of the leader."""
    unit, here, cell = fire.unit, now.cell(fire.unit), fire.cell
    me, places = (unit.id,), (here, cell)
    if not here:
        return
    counter = now.counter(unit)
    if here == cell:
        if fire.mode != "smoke":
            text = "an enemy in the same hex is fought in close combat"
            yield Violation("COH-7.7.3a", text, units=me, cells=(cell,))
        elif counter.kind != "engineers" and not now.option("smoke_at_home"):
            rule = "COH-12.0c" if counter.min_range else "COH-13.1a"
            yield Violation(rule, "no smoke on one's own hex", units=me, cells=(cell,))
        return
    if out_of_arc(now, fire) and not may_swing(counter, fire):
        yield _arc_violation(now, fire)
    if fire.observer and fire.mode not in ("indirect", "smoke"):
        text = f"{fire.mode} fire has no observer"
        yield Violation("COH-12.0a", text, cells=(fire.observer,), field="observer")
    if fire.indirect:
        yield from _observer_objections(now, fire)
    elif now.judged(here, cell).blocked:
        yield Violation("COH-6.0a", f"no line of sight from {here} to {cell}", cells=places)
    distance = now.board.distance(here, cell)
    yield from _range_objections(now, fire, distance)


def _arc_violation(now: Situation, fire: Fire) -> Violation:
    unit, counter = fire.unit, now.counter(fire.unit)
    fort = now.fort(unit)
    if fort is not None and fort.kind == "bunker":
        rule, text = "COH-18.1.2a", "the target is outside the bunker's arc"
    elif fire.mode == "flame" and counter.turret:
        rule, text = "COH-19.1b", "a flamethrower in the hull fires into the arc alone"
    elif counter.vehicle:
        rule, text = "COH-15.4c", f"{unit.id} has no turret: it must pivot first"
    else:
        rule, text = "COH-6.1a", f"{fire.cell} is outside the arc of {unit.id}"
    return Violation(rule, text, cells=(fire.cell,), units=(unit.id,))


def _range_objections(now: Situation, fire: Fire, distance: int) -> Iterator[Violation]:
    unit, counter = fire.unit, now.counter(fire.unit)
    me, cells = (unit.id,), (fire.cell,)
    if fire.weapon is not None:
        if distance > fire.weapon.reach:
            text = f"{fire.weapon.title} reach {fire.weapon.reach} hexes"
            yield Violation(fire.weapon.rule, text, units=me, cells=cells)
        return
    if fire.mode == "flame":
        if distance > now.tables.flame("range"):
            yield Violation("COH-19.1a", "flames reach one hex", units=me, cells=cells)
        return
    if fire.mode == "smoke" and counter.kind == "engineers":
        if distance > 1:
            text = "engineers lay smoke in their own hex or the next"
            yield Violation("COH-19.0b", text, units=me, cells=cells)
        return
    if distance > 2 * reach_of(now, unit):
        rule = "COH-16.0a" if counter.transport else "COH-7.7.1a"
        text = f"{distance} hexes are more than twice the range of {reach_of(now, unit)}"
        yield Violation(rule, text, units=me, cells=cells)
    if distance < counter.min_range:
        rule = "COH-12.0d" if distance == 1 else "COH-12.0c"
        text = f"{distance} hexes are less than the minimum range of {counter.min_range}"
        yield Violation(rule, text, units=me, cells=cells)


def _observer_objections(now: Situation, fire: Fire) -> Iterator[Violation]:
    """COH-12.0b: a hex near the mortar, in its sight, without enemies, that sees the target."""
    unit, here, spot = fire.unit, now.cell(fire.unit), fire.observer
    me = (unit.id,)
    counter = now.counter(unit)
    if counter.indirect is None:
        yield Violation("COH-12.0a", f"{counter.title} has no indirect fire", units=me)
    if not spot:
        yield Violation("COH-12.0b", "indirect fire needs an observer's hex", field="observer")
        return
    rule = "COH-12.0b"
    if now.board.distance(here, spot) > OBSERVER_REACH:
        yield Violation(rule, f"{spot} is more than 2 hexes from the mortar", cells=(spot,))
    if spot != here and now.judged(here, spot).blocked:
        yield Violation(rule, f"the mortar does not see {spot}", cells=(here, spot))
    if now.enemies_at(spot, unit.side):
        yield Violation(rule, f"an enemy is in {spot}", cells=(spot,))
    if spot != fire.cell and now.judged(spot, fire.cell).blocked:
        text = f"no line of sight from the observer in {spot}"
        yield Violation(rule, text, cells=(spot, fire.cell))


# Groups


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
    assault = Assault(fire.unit, "", fire.cell, close=close, thrown=fire.thrown)
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


def _colours(now: Situation, fire: Fire) -> set[str]:
    """The colours of the defences in the target hex; of a hex that seems empty, either."""
    assault = aim(now, fire)
    targets = targets_at(now, fire.cell, fire.unit.side)
    colours = {colour_of(now, assault, u) for u in targets}
    if works_at(now, assault):
        colours.add("red")
    return colours or {"red", "blue"}


def _support_place_objections(now: Situation, fire: Fire) -> Iterator[Violation]:
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


# The target


def _target_objections(now: Situation, fire: Fire, side: str) -> Iterator[Violation]:
    if fire.mode == "smoke":
        return
    targets = targets_at(now, fire.cell, side)
    assault = aim(now, fire)
    if targets and not any(now.hostile(side, u) for u in targets):
        if not works_at(now, assault):
            text = f"there are only friends in {fire.cell}"
            yield Violation("COH-7.0a", text, cells=(fire.cell,))
        return
    shots = [attack.on_unit(now, assault, u) for u in targets]
    lost = [shot.barred for shot in shots if shot.barred]
    if shots and len(lost) == len(shots) and not works_at(now, assault):
        text = f"{fire.unit.id} cannot harm anything there: its gun is damaged"
        yield Violation(lost[0], text, units=(fire.unit.id,))
