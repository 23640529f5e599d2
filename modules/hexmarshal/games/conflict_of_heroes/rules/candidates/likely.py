"""What a quick look does not rule out: who can act at all, and where it could lead.

Each look leaves out only what the check would refuse; who wants the reasons asks for all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.candidates import acting, attacking, cards, moving
from hexmarshal.games.conflict_of_heroes.rules.candidates.means import (
    arms_prices,
    can_pay,
    covers,
    playable,
    price_of,
)
from hexmarshal.games.conflict_of_heroes.rules.candidates.menu import (
    LEFT_OUT,
    Menu,
    menu_of,
    unit_of,
)
from hexmarshal.games.conflict_of_heroes.rules.fire import aiming, firers
from hexmarshal.games.conflict_of_heroes.rules.fire.attack import reach_of
from hexmarshal.games.conflict_of_heroes.rules.movement import reach
from hexmarshal.games.conflict_of_heroes.rules.turn import payment
from hexmarshal.games.conflict_of_heroes.state.execution import listed
from hexmarshal.rules.choosing.slots import Grouped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value


def _pays_somehow(now: Situation, menu: Menu, unit: Unit, kind: str) -> bool:
    if now.fresh(unit):
        return True
    price = price_of(menu, unit, kind)
    return any(can_pay(menu, unit, kind, way, price) for way in ("command", "ap", "card"))


def _payers(now: Situation, action: Action, units: Iterable[str]) -> Iterator[str]:
    menu, known = menu_of(now, action.side), now.position.units
    return (unit for unit in units if _pays_somehow(now, menu, known[unit], action.kind))


# Who


def fresh_ones(now: Situation, action: Action) -> Iterator[str]:
    """COH-3.0a: who may be activated."""
    turn = now.position.turn
    for unit in menu_of(now, action.side).units:
        if now.fresh(unit) and (now.cell(unit) or turn >= unit.number("arrives")):
            yield unit.id


def movers(now: Situation, action: Action) -> Iterator[str]:
    """Who can move by himself, and pay for it."""
    menu = menu_of(now, action.side)
    for unit in menu.units:
        if _pays_somehow(now, menu, unit, "move") and menu.able(unit):
            yield unit.id


def turners(now: Situation, action: Action) -> Iterator[str]:
    """COH-5.3a: of those on the map who has a facing of his own."""
    menu = menu_of(now, action.side)
    for unit in menu.units:
        if not _pays_somehow(now, menu, unit, "pivot") or not menu.able(unit):
            continue
        fort = now.fort(unit)
        fixed = fort is not None and fort.kind == "bunker"
        if not fixed and now.cell(unit) and not now.hidden(unit):
            yield unit.id


def shooters(now: Situation, action: Action) -> Iterator[str]:
    """Who can fire at all, at whatever it is, and pay for it."""
    menu = menu_of(now, action.side)
    for unit in menu.shooters:
        if unit.carrier or not _pays_somehow(now, menu, unit, "fire"):
            continue
        hit = menu.hit(unit)
        if hit is not None and (hit.only_rally or hit.no_fire >= {"red", "blue"}):
            continue
        engaged = any(not now.hidden(u) for u in now.enemies_at(now.cell(unit), unit.side))
        if not engaged or firers.may_smoke(now, unit):
            yield unit.id


def fighters(now: Situation, action: Action) -> Iterator[str]:
    """COH-7.7.3a: who can pay for a close combat."""
    return _payers(now, action, attacking.fighters(now, action))


def at_forts(now: Situation, action: Action) -> Iterator[str]:
    """COH-18.2a: who can pay for going in or out."""
    return _payers(now, action, acting.at_forts(now, action))


def at_exits(now: Situation, action: Action) -> Iterator[str]:
    """COH-5.6a: who can pay for leaving the map."""
    return _payers(now, action, acting.at_exits(now, action))


# Groups


def ways_together(now: Situation, action: Action) -> list[str]:
    """COH-2.2b: the ways in which there is anybody who may act, alone or in a group."""
    menu, kind = menu_of(now, action.side), action.kind
    rule, missing = _ABLE[kind], list(payment.WAYS)
    price = price_of(menu, menu.units[0], kind) if menu.units else 0
    for unit in menu.struck if kind == "rally" else menu.units:
        paid = [way for way in missing if can_pay(menu, unit, kind, way, price)]
        if paid and rule(now, menu, unit):
            missing = [way for way in missing if way not in paid]
    return [way for way in payment.WAYS if way not in missing]


def _paying(now: Situation, action: Action, units: Iterable[str]) -> Iterator[str]:
    """Of these who could do it, paid for as it was chosen."""
    menu, kind, way = menu_of(now, action.side), action.kind, payment.way(action)
    rule, known = _ABLE[kind], now.position.units
    for name in units:
        unit = known[name]
        if can_pay(menu, unit, kind, way, price_of(menu, unit, kind)) and rule(now, menu, unit):
            yield name


def _digs(now: Situation, _: Menu, unit: Unit) -> bool:
    """COH-18.1.3a: on the map, not in water, without a hasty defence; COH-C11: even a vehicle."""
    cell = unit.cell
    return bool(cell) and not unit.has("hasty") and now.kind(cell).key != "water"


def _hides(now: Situation, menu: Menu, unit: Unit) -> bool:
    """COH-10.2a: a light foot unit that is whole, and seen by nobody."""
    if not unit.cell or not now.counter(unit).light or now.hidden(unit):
        return False
    return now.hit_marker(unit) is None and menu.dark(unit.cell)


def _rallies(now: Situation, menu: Menu, unit: Unit) -> bool:
    """COH-7.6a: a hit that can be rallied, and no enemy in the hex."""
    hit, cell = menu.hit(unit), now.cell(unit)
    if hit is None or hit.rally is None or not cell:
        return False
    return all(map(now.hidden, now.enemies_at(cell, unit.side)))


_ABLE = {"dig_in": _digs, "hide": _hides, "rally": _rallies}


def diggers(now: Situation, action: Action) -> Iterator[str]:
    """Who digs in; by card alone those who are no foot units."""
    by_card, units = payment.way(action) == "card", now.position.units
    names = _paying(now, action, acting.together(now, action))
    return (name for name in names if by_card or now.counter(units[name]).foot)


def hiders(now: Situation, action: Action) -> Iterator[str]:
    """Who goes into hiding."""
    return _paying(now, action, acting.light_ones(now, action))


def ralliers(now: Situation, action: Action) -> Iterator[str]:
    """Who rallies."""
    return _paying(now, action, acting.hit_ones(now, action))


def hiding_places(now: Situation, action: Action) -> Iterator[str]:
    """COH-10.2a: the hexes that no enemy sees, for the next unit."""
    menu = menu_of(now, action.side)
    return (cell for cell in acting.hiding_places(now, action) if menu.dark(cell))


def ways_to_march(now: Situation, action: Action) -> Iterator[str]:
    """COH-9.1.1a: the ways in which there are two who may move together."""
    menu = menu_of(now, action.side)
    return (way for way in payment.WAYS if len(_marchers(now, menu, way)) > 1)


def _marchers(now: Situation, menu: Menu, way: str) -> list[Unit]:
    """COH-9.1.1c: who can move, and has another beside him who can."""
    price = price_of(menu, menu.units[0], "group_move") if menu.units else 0
    able = [u for u in menu.units if can_pay(menu, u, "group_move", way, price) and menu.able(u)]
    if len(able) < 2:
        return []
    cells = [now.cell(unit) for unit in able]
    near = now.board.neighbours
    return [
        unit
        for unit, cell in zip(able, cells, strict=True)
        if cells.count(cell) > 1 or (cell and any(beside in cells for beside in near[cell]))
    ]


def entries(now: Situation, action: Action) -> Grouped[Unit]:
    """One more unit of the group with what it does."""
    every, menu, way = moving.entries(now, action), menu_of(now, action.side), payment.way(action)
    able = _marchers(now, menu, way)
    rapid = way == "card" and action.text("card") == "05"

    def of(unit: Unit) -> Iterable[Value]:
        stepwise = unit.cell and now.counter(unit).foot and not rapid
        return _steps_of(now, menu, unit, way) if stepwise else every.of(unit)

    return Grouped((unit for unit in every.keys if unit in able), of)


def _steps_of(now: Situation, menu: Menu, unit: Unit, way: str) -> Grouped[tuple[str, str]]:
    """What a foot unit may do in a group, by the hex that it enters; at last it stays."""
    ways = [(mode, cell) for mode in menu.modes(unit) for cell in _next(now, menu, unit, mode, way)]

    def of(step: tuple[str, str]) -> Iterator[Value]:
        mode, cell = step
        return menu.step_entries(unit, mode, cell) if cell else menu.stays(unit)

    return Grouped((*ways, ("normal", "")), of)


# Where to


def steps(now: Situation, action: Action) -> Iterable[Value] | None:
    """The hexes that the unit may enter, as far as terrain and points tell."""
    unit, so_far = unit_of(now, action), action.so_far("path")
    counter, mode = now.counter(unit), action.text("mode", "normal")
    way = payment.way(action)
    rapid = way == "card" and action.text("card") == "05"
    if so_far:
        longest = 2 if rapid else 1 if counter.foot or mode == "hidden" else 1 + counter.bonus
        return None if len(so_far) < longest else ()
    here = now.cell(unit)
    if not here:
        return _entries(now, unit)
    return _next(now, menu_of(now, action.side), unit, mode, way)


def _next(now: Situation, menu: Menu, unit: Unit, mode: str, way: str) -> list[str]:
    """The hexes beside it that a unit may enter, as far as terrain and points tell."""
    counter, hit, here = now.counter(unit), menu.hit(unit), now.cell(unit)
    if mode == "hidden":  # COH-10.1a: the ground adds nothing.
        return [cell for cell, _ in reach.prices(now, counter, here)]
    pool = covers(menu, way) - counter.move - (0 if hit is None else hit.move)
    return [cell for cell, price in reach.prices(now, counter, here) if price <= pool]


def _entries(now: Situation, unit: Unit) -> Sequence[str]:
    """COH-5.5a: where a reinforcement comes in; where an enemy stands, also beside it."""
    if unit.box != "reinforcements" or now.position.turn < unit.number("arrives"):
        return ()
    stated = [cell for cell in listed(unit.values.get("entry", ())) if cell in now.board.hexes]
    if any(now.enemies_at(cell, unit.side) for cell in stated):
        return reach.first_steps(now, unit)
    return stated


# Fire


def arms(now: Situation, action: Action) -> Iterator[Value]:
    """The ways to fire that can be paid."""
    pool = covers(menu_of(now, action.side), payment.way(action))
    prices = arms_prices(menu_of(now, action.side), unit_of(now, action))
    for mode in attacking.arms(now, action):
        dear = prices.get(str(mode or "direct"), 0) > pool
        if not dear or (mode is None and prices.get("weapon", pool + 1) <= pool):
            yield mode


def weapons(now: Situation, action: Action) -> Iterator[Value]:
    """The unit's own arms, or its card, as far as they can be paid."""
    pool = covers(menu_of(now, action.side), payment.way(action))
    prices = arms_prices(menu_of(now, action.side), unit_of(now, action))
    for weapon in attacking.weapons(now, action):
        arm = "weapon" if weapon else action.text("mode", "direct")
        if prices.get(arm, 0) <= pool:
            yield weapon


def aims(now: Situation, action: Action) -> list[str]:
    """The hexes in range of these arms, if they can be paid."""
    unit = unit_of(now, action)
    menu, counter, here = menu_of(now, action.side), now.counter(unit), now.cell(unit)
    mode = action.text("mode", "direct")
    card = aiming.weapon_of(now, unit) if action.flag("weapon") else None
    if _arm_price(menu, unit, mode, thrown=card is not None) > covers(menu, payment.way(action)):
        return []
    near = menu.hexes_in_range(unit)
    if mode == "smoke":
        return list(near)
    distance = now.board.distance
    most = card.reach if card is not None else 1 if mode == "flame" else 2 * reach_of(now, unit)
    least = counter.min_range if card is None and mode != "flame" else 1
    return [cell for cell in near if cell != here and least <= distance(here, cell) <= most]


def _arm_price(menu: Menu, unit: Unit, mode: str, *, thrown: bool) -> int:
    return arms_prices(menu, unit).get("weapon" if thrown else mode, 0)


def targets(now: Situation, action: Action) -> list[str] | None:
    """Of those the hexes with enemies that are seen there, if there are any."""
    if action.text("mode") == "smoke":
        return None
    near, side = aims(now, action), action.side
    manned = [cell for cell in near if now.enemies_at(cell, side)]
    if action.text("mode") != "indirect":
        here = now.cell(unit_of(now, action))
        manned = [cell for cell in manned if now.sees(here, cell)]
    return manned or None


def observers(now: Situation, action: Action) -> Iterable[Value]:
    """COH-12.0b: those who see the target."""
    cell = action.text("cell")
    spots = attacking.observers(now, action)
    return [
        spot for spot in spots if not isinstance(spot, str) or spot == cell or now.sees(spot, cell)
    ]


def facings(now: Situation, action: Action) -> Iterable[Value]:
    """COH-10.0a: who comes to light looks at his target, unless a turret does."""
    unit, cell = unit_of(now, action), action.text("cell")
    here, ways = now.cell(unit), attacking.facings_of_the_hidden(now, action)
    if ways is LEFT_OUT or now.counter(unit).turret or here == cell:
        return ways
    arc = now.board.in_arc
    return [way for way in ways if not isinstance(way, int) or arc(here, way, cell)]


# Cards


def cards_played(now: Situation, action: Action) -> Iterator[str]:
    """Those that can be paid."""
    return playable(now, action, cards.playable(now, action))


def cleared(now: Situation, action: Action) -> Iterable[Value]:
    """Whom the card is played on: who clears something stands at something."""
    units = cards.card_units(now, action)
    if action.text("card") != "41":
        return units
    known, at = now.position.units, now.position.markers_at
    return [name for name in units if isinstance(name, str) and at(known[name].cell)]
