"""Who attacks, with what, at which hex or enemy, and who supports it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.candidates.menu import (
    LEFT_OUT,
    OR_NOT,
    chosen,
    if_so,
    menu_of,
    unit_of,
)
from hexmarshal.games.conflict_of_heroes.rules.fire import aiming, firers
from hexmarshal.games.conflict_of_heroes.rules.offer_lists import FACINGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.values import Value


def shooters(now: Situation, action: Action) -> Iterable[str]:
    """Those who have something to attack with."""
    return [u.id for u in menu_of(now, action.side).shooters]


def fighters(now: Situation, action: Action) -> Iterator[str]:
    """Those of them with an enemy or a work in their hex."""
    side = action.side
    for unit in menu_of(now, side).shooters:
        cell = now.cell(unit)
        if now.enemies_at(cell, side) or any(_breakable(now, cell, side)):
            yield unit.id


def _breakable(now: Situation, cell: str, side: str) -> Iterator[str]:
    """The works in a hex that can be destroyed; not those with friends in them (COH-18.4d)."""
    manned = {u.values.get("fort") for u in now.friends_at(cell, side)}
    for marker, work in now.works(cell):
        own = marker.id in manned and not now.option("own_works")
        if work.rating is not None and not own:
            yield marker.id


def arms(now: Situation, action: Action) -> Iterator[Value]:
    """Direct fire, and what else the unit can do."""
    unit = unit_of(now, action)
    counter = now.counter(unit)
    yield None
    if counter.flame:
        yield "flame"
    if action.kind == "fire":
        if counter.indirect is not None:
            yield "indirect"
        if firers.may_smoke(now, unit):
            yield "smoke"


def weapons(now: Situation, action: Action) -> Iterable[Value]:
    """COH-8.4a: the weapon card in place of the unit's own arms."""
    unit = unit_of(now, action)
    return if_so(aiming.weapon_of(now, unit) is not None and not action.text("mode"), OR_NOT)


def aims(now: Situation, action: Action) -> Sequence[str]:
    """The hexes that the unit could aim at, in sight or not."""
    return menu_of(now, action.side).hexes_in_range(unit_of(now, action))


def observers(now: Situation, action: Action) -> Iterable[Value]:
    """COH-12.0b."""
    spots = menu_of(now, action.side).observers(unit_of(now, action))
    match action.text("mode"):
        case "indirect":
            return spots
        case "smoke":
            return (None, *spots)
        case _:
            return LEFT_OUT


def facings_of_the_hidden(now: Situation, action: Action) -> Iterable[Value]:
    """COH-10.0a: who comes to light with the shot may say where he looks."""
    return if_so(now.hidden(unit_of(now, action)), (None, *FACINGS))


def supporters(now: Situation, action: Action) -> Iterator[str]:
    """COH-9.1.2b: those beside the leader who have something to attack with."""
    menu, leader = menu_of(now, action.side), unit_of(now, action)
    if action.text("mode") == "smoke":
        return
    named = (leader.id, *action.so_far("supporters"))
    for unit in menu.shooters:
        near = unit.cell == leader.cell or (action.kind == "fire" and menu.beside(leader, unit))
        if near and unit.id not in named:
            yield unit.id


def throwers(now: Situation, action: Action) -> Iterator[str]:
    """The supporters who were given weapon cards."""
    thrown = action.so_far("thrown")
    for unit in chosen(now, action, "supporters"):
        if aiming.weapon_of(now, unit) is not None and unit.id not in thrown:
            yield unit.id


def aimed(now: Situation, action: Action) -> Iterable[Value]:
    """COH-C09."""
    holds = "09" in menu_of(now, action.side).hand
    return if_so(holds and action.text("mode") != "smoke", OR_NOT)


def enemies_here(now: Situation, action: Action) -> Iterator[Value]:
    """The enemies in the unit's hex, or none: then a work."""
    here = now.cell(unit_of(now, action))
    yield None
    if here:
        yield from (enemy.id for enemy in now.enemies_at(here, action.side))


def works_here(now: Situation, action: Action) -> Iterable[Value]:
    """The works in the unit's hex that can be destroyed, where no enemy is the target."""
    here = now.cell(unit_of(now, action))
    return LEFT_OUT if action.text("target") else tuple(_breakable(now, here, action.side))
