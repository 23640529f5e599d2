"""Interdiction: who can stop those who rout through the open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.fire.modifiers import terrain_modifier
from hexmarshal.games.asl.rules.fire.shot import FARTHEST, firepower_of, reach_of
from hexmarshal.games.asl.rules.prisoners.guards import is_tied_down
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks

if TYPE_CHECKING:
    from hexmarshal.games.asl.state.ground import Location
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["interdictors", "interdiction_range", "is_open_to"]


def interdiction_range(now: Situation, unit: Unit) -> int:
    """ASL-A10.53b: how far a unit interdicts; 0 if it does not at all."""
    bar = {
        marks.CX,
        marks.MELEE,
        marks.PINNED,
        marks.BROKEN,
        marks.TI,
        marks.UNARMED,
    }
    if unit.flags & bar or not now.is_personnel(unit) or now.is_hidden(unit):
        return 0
    if now.encircled(unit):
        return 0
    if is_tied_down(now, unit):
        return 0  # ASL-A20.5b
    own = now.counter(unit).range if now.counter(unit).fp else 0
    ranges = [own]
    for weapon in now.weapons(unit):
        if weapon.has(marks.MALFUNCTION) or not firepower_of(now, weapon):
            continue  # ASL-A9.8: some fire when they are dismantled, too
        if now.is_smc(unit) and not now.is_hero(unit) and now.counter(weapon).is_machine_gun:
            continue  # a leader alone with a machine gun
        far = min(reach_of(now, weapon), FARTHEST)
        ranges.append(FARTHEST if now.option("short_weapons_interdict_16") is True else far)
    return max(ranges)


def is_open_to(now: Situation, place: Location, enemy: Unit) -> bool:
    """ASL-A10.53a: Open Ground to a unit: FFMO would count, nothing hinders his fire."""
    if place.level or not now.ground.terrain(place.cell).open:
        return False
    at = now.at(enemy)
    line = now.line(at, place)
    if line.blocked or line.hindrance:
        return False
    terrain = terrain_modifier(now, at, place)
    return terrain is None or terrain.amount <= 0


def interdictors(now: Situation, place: Location, side: str) -> list[Unit]:
    """ASL-A10.53a: the enemies who interdict whoever enters a location."""
    found = []
    for enemy in now.on_map(other(side)):
        reach = interdiction_range(now, enemy)
        near = reach and now.ground.distance(enemy.cell, place.cell) <= reach
        if near and is_open_to(now, place, enemy):
            found.append(enemy)
    return found
