"""What players are offered, slot by slot.

A function of a slot either narrows what may be chosen at all, or says what a list of actions shows.
Moves are listed by where they end, each with one cheapest path; a group of units as every part of a
stack that can move. Reinforcements are listed by the hex in which they enter: from there they move
on.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.rules.command import breakdown, headquarters
from hexmarshal.games.kharkov.rules.movement import (
    disengagement,
    movement,
    rail,
    reachable_hexes,
    reserves,
    stacking,
)
from hexmarshal.games.kharkov.rules.movement.moving_group import in_hand
from hexmarshal.games.kharkov.rules.turn import reinforcements, setup
from hexmarshal.games.kharkov.state.situation import SOVIET, other

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from hexmarshal.games.kharkov.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

Ids = tuple[str, ...]


def ids_of(units: Iterable[Unit]) -> Ids:
    """Their ids."""
    return tuple([u.id for u in units])


def chosen_units(now: Situation, action: Action, name: str = "units") -> tuple[Unit, ...]:
    """The units that a slot holds."""
    return tuple(map(now.position.unit, action.texts(name)))


def own(now: Situation, action: Action) -> Ids:
    """The side's own units."""
    return ids_of(now.position.of_side(action.side))


def more_of(name: str) -> Callable[[Situation, Action], Ids]:
    """The side's own units that may join those chosen: all, then those of the same hex."""

    def units(now: Situation, action: Action) -> Ids:
        so_far = action.so_far(name)
        if not so_far:
            return own(now, action)
        together = now.position.at(now.position.unit(so_far[0]).cell)
        return tuple(u.id for u in together if u.side == action.side and u.id not in so_far)

    return units


def beside_enemies(now: Situation, action: Action) -> Sequence[str]:
    """The side's own units beside an enemy, or beside those chosen."""
    if action.so_far("units"):
        return more_of("units")(now, action)
    near = now.board.around(now.occupied(other(action.side)) | now.garrisons())
    return _within(now, action.side, near)


def in_enemy_zones(now: Situation, action: Action) -> Sequence[str]:
    """The side's own units in an enemy zone of control, then those of the same hex."""
    if action.so_far("units"):
        return more_of("units")(now, action)
    return _within(now, action.side, now.zoc(other(action.side)))


def _within(now: Situation, side: str, hexes: int) -> Sequence[str]:
    bit = now.board.bit
    return [unit.id for unit in now.on_map(side) if hexes & bit[unit.cell]]


def crowded(now: Situation, action: Action) -> Iterator[str]:
    """The side's combat units in hexes that hold too many."""
    for cell, side in stacking.crowded(now).items():
        if side == action.side:
            yield from ids_of(now.fighters(cell, side))


# Set-up


def lines(now: Situation, action: Action) -> Iterator[Value]:
    """The lines of the set-up by which a unit may be placed; without one it is the first."""
    yield None
    yield from listed_lines(now, action)


def listed_lines(now: Situation, action: Action) -> Iterator[Value]:
    """The lines that place the unit."""
    unit = now.position.unit(action.text("unit"))
    for key, group in setup.groups(now, action.side).items():
        if setup.lists(group, unit):
            yield key


def not_set_up(now: Situation, action: Action) -> Ids:
    """The units that wait to be set up."""
    return tuple(u.id for u in now.position.in_box("deploy") if u.side == action.side)


def set_up_hexes(now: Situation, action: Action) -> Ids:
    """The hexes of the line chosen."""
    unit = now.position.unit(action.text("unit"))
    line = setup.group_of(now, unit, action.text("group"))
    return () if line is None else setup.hexes(now, line, action.side)


# Reserves


def in_reserve(now: Situation, _: Action) -> Ids:
    """The units that may be committed."""
    if now.position.state:
        return ids_of(reserves.left_to_place(now))
    return ids_of(reserves.waiting(now))


def reserve_hexes(now: Situation, action: Action) -> Ids:
    """Where a unit of a reserve may be placed."""
    return reserves.places(now, now.position.unit(action.text("unit")))


# Movement


def stacks(now: Situation, action: Action) -> Iterator[Ids]:
    """Every part of every stack that may move together, single units first."""
    side = action.side
    return iter(now.position.remember(f"stacks of {side}", lambda: tuple(_stacks(now, side))))


def _stacks(now: Situation, side: str) -> Iterator[Ids]:
    held = set(in_hand(now).units)
    here: dict[str, list[str]] = {}
    for unit in now.on_map(side):
        if movement.movable(now, unit, side):
            here.setdefault(unit.cell, []).append(unit.id)
    several: list[Ids] = []
    for _, stack in sorted(here.items()):
        for size in range(1, len(stack) + 1):
            for units in combinations(stack, size):
                touched = held & set(units)
                if touched and len(touched) < size:
                    continue
                if size == 1:
                    yield units
                else:
                    several.append(units)
    yield from several


def reach(now: Situation, action: Action) -> Iterable[Ids]:
    """One cheapest path to each hex."""
    return reachable_hexes.reach(now, chosen_units(now, action), action.side).values()


def stacks_beside_enemies(now: Situation, action: Action) -> Iterator[Ids]:
    """The groups that could overrun somebody."""
    side = action.side
    near = now.board.around(now.occupied(other(side)) | now.garrisons())
    for units in stacks(now, action):
        if near & now.board.bit[now.position.units[units[0]].cell]:
            yield units


def beside(name: str) -> Callable[[Situation, Action], Ids]:
    """The hexes around the units chosen."""

    def cells(now: Situation, action: Action) -> Ids:
        chosen = action.texts(name)
        near = now.board.near.get(now.position.unit(chosen[0]).cell, ()) if chosen else ()
        taken = action.so_far("targets")
        return tuple(cell for cell in near if cell not in taken)

    return cells


def leaders(now: Situation, action: Action) -> Iterable[Value]:
    """The headquarters that may lead an overrun: Soviet ones need one, Axis ones none."""
    if action.side != SOVIET:
        return (None,)
    return tuple(u.id for u in headquarters.active(now, SOVIET) if not u.has("overran"))


def riders(now: Situation, action: Action) -> Sequence[str]:
    """The units that could ride: on the network, and not on the march."""
    side = action.side
    held, unit_of = in_hand(now).units, now.position.unit
    near = _within(now, side, rail.network(now, side))
    return [name for name in near if name not in held or rail.ridden(now, unit_of(name))]


def rides(now: Situation, action: Action) -> Iterable[Ids]:
    """One shortest way along the line to each hex."""
    unit = now.position.unit(action.text("unit"))
    return rail.reach(now, unit, unit.cell, action.side).values()


def arrivals(now: Situation, action: Action) -> Ids:
    """The reinforcements that are due."""
    return ids_of(reinforcements.due(now, action.side))


def more_arrivals(now: Situation, action: Action) -> Ids:
    """Those that may come in with the units chosen."""
    so_far = action.so_far("units")
    return tuple(u for u in arrivals(now, action) if u not in so_far)


def single_arrivals(now: Situation, action: Action) -> Iterator[Ids]:
    """One by one."""
    return ((unit,) for unit in arrivals(now, action))


def by_rail_or_not(_: Situation, __: Action) -> tuple[bool, bool]:
    """Both ways to come."""
    return (False, True)


def ways_in(now: Situation, action: Action) -> Iterable[Value] | None:
    """First a hex of the edge, then as any path."""
    if action.so_far("path"):
        return None
    units = chosen_units(now, action)
    return tuple(now.board.names(reinforcements.gates(now, units[0]))) if units else ()


def entries(now: Situation, action: Action) -> Iterator[Ids]:
    """The hexes by which a unit enters, or the line that it comes along."""
    (unit,) = chosen_units(now, action)
    find = reinforcements.rides if action.flag("rail") else reinforcements.entries
    return find(now, unit, action.side)


def pursuers(now: Situation, _: Action) -> Ids:
    """The Soviet units around the hex that was left."""
    near = now.board.near.get(disengagement.vacated(now), ())
    return tuple(u.id for cell in near for u in now.fighters(cell, SOVIET))


# Regiments


def regiments(now: Situation, _: Action) -> Iterator[Ids]:
    """The groups that form some division."""
    yield from dict.fromkeys(ids_of(units) for units, _ in breakdown.recombinations(now))


def broken_down(now: Situation, _: Action) -> Ids:
    """The divisions that regiments took the place of."""
    return ids_of(now.position.in_box("broken-down"))


def divisions(now: Situation, action: Action) -> Iterator[str]:
    """The divisions that break down."""
    for unit in now.on_map(action.side):
        if breakdown.regiments_for(now, unit):
            yield unit.id


def single_regiments(now: Situation, action: Action) -> Iterator[str]:
    """The regiments on the map."""
    return (unit.id for unit in now.position.of_type(action.side, "regiment") if unit.cell)
