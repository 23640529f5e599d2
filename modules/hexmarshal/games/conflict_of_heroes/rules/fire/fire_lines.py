"""The way to the target: arc, sight, range and the observer of indirect fire."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.fire.aiming import may_swing, out_of_arc
from hexmarshal.games.conflict_of_heroes.rules.fire.attack import reach_of
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.conflict_of_heroes.rules.fire.aiming import Fire
    from hexmarshal.games.conflict_of_heroes.state.situation import Situation

__all__ = ["OBSERVER_REACH", "place_objections"]

OBSERVER_REACH = 2


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
