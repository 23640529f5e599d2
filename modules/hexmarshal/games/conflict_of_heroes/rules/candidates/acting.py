"""Who may be chosen: the units that could do it at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.candidates.menu import chosen, menu_of
from hexmarshal.games.conflict_of_heroes.state.execution import listed, mapped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.rules.action import Action


def own(now: Situation, action: Action) -> Iterator[str]:
    """The side's own units in play."""
    return (u.id for u in menu_of(now, action.side).units)


def at_forts(now: Situation, action: Action) -> Iterator[str]:
    """Own units in hexes with a trench or bunker."""
    for unit in menu_of(now, action.side).units:
        if unit.cell and any(work.fortification for _, work in now.works(unit.cell)):
            yield unit.id


def at_exits(now: Situation, action: Action) -> Iterator[str]:
    """COH-5.6a: own units where they may leave the map."""
    exits = listed(mapped(now.position.extras.get("exits")).get(action.side, ()))
    return (u.id for u in menu_of(now, action.side).units if now.cell(u) in exits)


def together(now: Situation, action: Action) -> Iterator[str]:
    """COH-9.1a: own units, then those beside the ones chosen."""
    menu, so_far = menu_of(now, action.side), chosen(now, action)
    for unit in menu.units:
        near = not so_far or any(menu.beside(one, unit) for one in so_far if now.cell(unit))
        if near and now.cell(unit) and unit not in so_far:
            yield unit.id


def hit_ones(now: Situation, action: Action) -> Iterator[str]:
    """Of those the ones with a hit."""
    units = now.position.units
    return (u for u in together(now, action) if now.hit_marker(units[u]) is not None)


def light_ones(now: Situation, action: Action) -> Iterator[str]:
    """Of those the light foot units in the open."""
    for unit_id in together(now, action):
        unit = now.position.units[unit_id]
        if now.counter(unit).light and not now.hidden(unit):
            yield unit_id


def hiding_places(now: Situation, action: Action) -> Sequence[str]:
    """For the next unit its own hex and those around it."""
    units, cells = chosen(now, action), action.so_far("cells")
    if len(cells) >= len(units):
        return ()
    return now.board.within(now.cell(units[len(cells)]), 1)


def empty_vehicles(now: Situation, action: Action) -> Iterator[str]:
    """The vehicles with somebody of theirs in the hex."""
    for vehicle in menu_of(now, action.side).vehicles:
        if len(now.friends_at(vehicle.cell, action.side)) > 1:
            yield vehicle.id


def full_vehicles(now: Situation, action: Action) -> Iterator[str]:
    """The vehicles with somebody aboard."""
    return (v.id for v in menu_of(now, action.side).vehicles if now.passengers(v))


def to_load(now: Situation, action: Action) -> Iterator[str]:
    """Who stands beside the vehicle."""
    vehicle = now.position.unit(action.text("vehicle"))
    named = (vehicle.id, *action.so_far("units"))
    for unit in menu_of(now, action.side).units:
        if unit.cell == vehicle.cell and unit.id not in named:
            yield unit.id


def aboard(now: Situation, action: Action) -> Iterator[str]:
    """Who is aboard the vehicle."""
    vehicle = now.position.unit(action.text("vehicle"))
    named = action.so_far("units")
    return (u.id for u in now.passengers(vehicle) if u.id not in named)
