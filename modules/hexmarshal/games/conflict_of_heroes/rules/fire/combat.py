"""Carrying out fire and close combat, smoke and weapon cards."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.fire import (
    aiming,
    attack,
    attack_resolution,
    casualties,
    fire_groups,
    firers,
)
from hexmarshal.games.conflict_of_heroes.rules.fire.attack_kinds import Assault, colour_of
from hexmarshal.games.conflict_of_heroes.rules.terrain import hiding
from hexmarshal.games.conflict_of_heroes.rules.turn import payment, solitaire
from hexmarshal.games.conflict_of_heroes.rules.turn.rolling import (
    Roller,
    roll_objections,
    total_cap,
)
from hexmarshal.games.conflict_of_heroes.rules.turn.turn_order import end_action
from hexmarshal.rules.state.effects import AddMarker, ChangeUnit
from hexmarshal.rules.state.pieces import Marker
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Cost, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.conflict_of_heroes.rules.fire.aiming import Fire
    from hexmarshal.games.conflict_of_heroes.state.execution import Play
    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["apply_close", "apply_fire", "check_close", "lay_smoke", "melee"]


def apply_fire(play: Play, action: Action) -> None:
    """Shoot at a hex."""
    now = play.now
    fire = aiming.fire_of(now, action)
    cost = aiming.fire_cost(now, fire)
    rolls = aiming.rolls_of(now, fire, action.side)
    action = solitaire.attack_points(play, action, rolls)
    payment.settle(play, action, [u.id for u in fire.all], cost, total_cap(action, rolls))
    _come_to_light(play, fire)
    roller = Roller(play, action.side, action)
    if fire.mode == "smoke":
        _show_hits(play, action, fire, ())
        lay_smoke(play, fire.cell)
    else:
        play.fired[now.cell(fire.unit)] = fire.cell
        assault = aiming.aim(play.now, fire)
        targets = aiming.targets_at(play.now, fire.cell, action.side)
        works = aiming.works_at(play.now, assault)
        colours = {colour_of(play.now, assault, unit) for unit in targets}
        # COH-18.4a: works have a red rating; who hides in a hex that seems empty may have either.
        also = ("red",) if aiming.works_before(play.now, assault) else ()
        _show_hits(play, action, fire, {*colours, *also} if targets else ("red", "blue"))
        attack_resolution.strike(play, assault, targets, works, roller, action.side)
        if not targets:
            attack_resolution.shell_hidden(play, assault, roller, action.side)
    _use_up(play, action, fire)
    end_action(play, action.side)


def _come_to_light(play: Play, fire: Fire) -> None:
    """COH-10.0b: who fires is seen; it faces its target unless it was told otherwise."""
    hexes = play.now.board.hexes
    hidden = [unit for unit in fire.all if unit.seen_by is not None]
    for unit in hidden:
        here = play.now.cell(unit)
        facing = fire.facing if unit is fire.unit else None
        if facing is None and here != fire.cell:
            facing = hexes[here].direction_to(hexes[fire.cell])
        # Before anybody is seen, for who lies beside one that fires comes to light with it.
        if facing is not None:
            play.do(ChangeUnit(unit.id, facing=facing))
    for unit in hidden:
        hiding.reveal_actor(play, unit.id, None)


def _show_hits(play: Play, action: Action, fire: Fire, colours: Iterable[str]) -> None:
    """COH-7.5c: a marker is shown when a value of the firer that it changes is used.

    A card and a flamethrower have a range of their own, a card a cost of its own too.
    """
    paid = payment.way(action) in ("ap", "command") and fire.weapon is None
    ranged = play.now.cell(fire.unit) != fire.cell
    for unit in fire.all:
        hit = play.now.hit(unit)
        if hit is None:
            continue
        used = False
        bare = unit.id not in fire.thrown
        if unit is fire.unit:
            used = any(hit.power(c) or c in hit.no_fire for c in colours)
            used = used or (paid and bool(hit.fire))
            bare = fire.weapon is None and fire.mode != "flame"
        if used or (ranged and bare and hit.range is not None):
            casualties.show(play, play.unit(unit.id))


def _use_up(play: Play, action: Action, fire: Fire) -> None:
    """COH-8.4a, COH-8.2a: weapon and bonus cards are gone after use."""
    users = set(fire.thrown)
    if fire.weapon is not None:
        users.add(fire.unit.id)
    keep = play.position.extras.get("keep_weapons") is True
    for user in sorted(users):
        if not keep:
            play.do(ChangeUnit(user, values=FrozenMap({"weapon": None})))
    if fire.aimed:
        payment.discard(play, action.side, "09")


def lay_smoke(play: Play, cell: str) -> None:
    """COH-13.1b: smoke always lands; it harms nobody (COH-13.0g)."""
    names = (f"smoke-{cell}-{number}" for number in count(1))
    name = next(name for name in names if name not in play.position.markers)
    points = play.now.tables.supply("smoke", "points")
    play.do(AddMarker(name, Marker(name, "smoke", cell=cell, values=FrozenMap({"points": points}))))
    play.tell("smoke", f"smoke in {cell}", "COH-13.1b")


# Close combat


def check_close(now: Situation, action: Action) -> Verdict:
    """Every objection to an attack in the same hex (COH-7.7.3a).

    There is no minimum range (COH-7.7.3g), and a fort may be empty (COH-18.4d).
    """
    unit = _leader(now, action)
    if action.open("weapon") or action.open("mode"):
        return Verdict.of(payment.objections(now, action, [unit], Cost()))
    fire = replace(aiming.fire_of(now, action), cell=now.cell(unit))
    cost = aiming.fire_cost(now, fire)
    if not fire.cell:  # Off the map there is no hex to fight in.
        return Verdict(tuple(firers.firer_objections(now, fire, unit)))
    return payment.verdict(now, _close_objections(now, action, fire, cost), action, cost)


def _close_objections(
    now: Situation, action: Action, fire: Fire, cost: Cost
) -> Iterator[Violation]:
    yield from firers.firer_objections(now, fire, fire.unit)
    yield from firers.weapon_objections(now, fire, action)
    rolls = [str(action.given("target") or action.given("work"))]
    yield from payment.objections(now, action, fire.all, cost, total_cap(action, rolls))
    yield from _target_objections(now, action, fire)
    yield from fire_groups.may_throw(now, _support_objections(now, action, fire))
    yield from roll_objections(now, action, rolls)


def _leader(now: Situation, action: Action) -> Unit:
    return now.position.unit(action.text("unit"))


def _target_objections(now: Situation, action: Action, fire: Fire) -> Iterator[Violation]:
    target, work = action.text("target"), action.text("work")
    # COH-7.7.3d: exactly one.
    if bool(target) == bool(work):
        text = "close combat is against one unit, or one fortification or obstacle"
        yield Violation("COH-7.7.3d", text, field="target")
        return
    if fire.mode not in ("direct", "flame"):
        yield Violation("COH-7.7.3a", f"no {fire.mode} fire in close combat", field="mode")
    assault = melee(now, fire)
    if work:
        marker = now.position.markers[work]
        if marker not in aiming.works_at(now, assault):
            text = f"{fire.unit.id} cannot destroy {work} from where it is"
            yield Violation("COH-18.4a", text, units=(fire.unit.id,))
        inside = [u for u in now.friends_at(fire.cell, action.side) if u.values.get("fort") == work]
        if inside and not now.option("own_works"):
            text = f"friends are in the {marker.kind}"
            ids = tuple(u.id for u in inside)
            yield Violation("COH-18.4d", text, units=ids, cells=(fire.cell,))
        return
    enemy = now.position.unit(target)
    if now.cell(enemy) != fire.cell:
        text = f"{target} is not in the same hex"
        yield Violation("COH-7.7.3a", text, units=(fire.unit.id, target))
    if not now.hostile(action.side, enemy):
        yield Violation("COH-7.7.3a", f"{target} is no enemy", units=(target,))
    if now.cell(enemy) != fire.cell or not now.hostile(action.side, enemy):
        return
    shot = attack.on_unit(now, assault, enemy)
    if shot.barred:
        text = f"{fire.unit.id} has lost its {shot.colour} firepower"
        yield Violation(shot.barred, text, units=(fire.unit.id,))
    weapon = fire.weapon
    if weapon is not None and weapon.vehicles_only and not now.counter(enemy).vehicle:
        yield Violation(weapon.rule, f"{weapon.title} is for vehicles alone", units=(target,))


def _support_objections(now: Situation, action: Action, fire: Fire) -> Iterator[Violation]:
    target = now.position.units.get(action.text("target"))
    colour = colour_of(now, melee(now, fire), target) if target is not None else "red"
    yield from fire_groups.group_objections(now, fire, {colour})
    for unit in fire.supporters:
        # COH-7.7.3e
        if now.cell(unit) != fire.cell:
            text = f"{unit.id} is not in the hex of the close combat"
            yield Violation("COH-7.7.3e", text, units=(unit.id,))


def melee(now: Situation, fire: Fire) -> Assault:
    """The attack at arm's length."""
    return Assault(
        fire.unit,
        now.cell(fire.unit),
        now.cell(fire.unit),
        close=True,
        flame=fire.mode == "flame",
        supporters=fire.supporters,
        thrown=fire.thrown,
        aimed=fire.aimed,
        weapon=fire.weapon,
    )


def apply_close(play: Play, action: Action) -> None:
    """One roll against one enemy; nobody else in the hex is in danger."""
    now = play.now
    fire = replace(aiming.fire_of(now, action), cell=now.cell(_leader(now, action)))
    cost = aiming.fire_cost(now, fire)
    rolls = [action.text("target") or action.text("work")]
    action = solitaire.attack_points(play, action, rolls)
    payment.settle(play, action, [u.id for u in fire.all], cost, total_cap(action, rolls))
    for unit in fire.all:
        hiding.reveal_actor(play, unit.id, None)
    roller = Roller(play, action.side, action)
    target, work = action.text("target"), action.text("work")
    targets = [play.unit(target)] if target else []
    colours = [colour_of(play.now, melee(play.now, fire), unit) for unit in targets]
    _show_hits(play, action, fire, colours or ("red",))
    works = [play.position.markers[work]] if work else []
    attack_resolution.strike(play, melee(play.now, fire), targets, works, roller, action.side)
    _use_up(play, action, fire)
    end_action(play, action.side)
