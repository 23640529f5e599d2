"""The candidates of a slot that a quick look at flags and sets of hexes does not rule out.

Whoever looks for whole actions tries these alone. What is left out leads to no legal action; what
is left is still put to the check.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.rules import combat_offers, offers
from hexmarshal.games.kharkov.rules.combat import advance, combat, results, retreat
from hexmarshal.games.kharkov.rules.combat.engagement import current
from hexmarshal.games.kharkov.rules.command import breakdown, headquarters
from hexmarshal.games.kharkov.rules.movement import movement, overrun, rail
from hexmarshal.games.kharkov.rules.movement import southern_sector as south
from hexmarshal.games.kharkov.rules.movement.moving_group import in_hand
from hexmarshal.games.kharkov.rules.turn import reinforcements
from hexmarshal.games.kharkov.state.situation import AXIS, SOVIET, other

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from hexmarshal.games.kharkov.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit

    Test = Callable[[Unit], bool]

STILL = frozenset({"disrupted", "moved"})
SPENT = frozenset({"fought", "advanced", "disrupted"})
UNSUPPLIED = frozenset({"unsupplied"})
TIRED = UNSUPPLIED | {"overran"}


def _chosen(now: Situation, action: Action, name: str = "units") -> list[Unit]:
    return list(map(now.position.unit, action.so_far(name)))


def _those(now: Situation, ids: Iterable[str], holds: Test) -> list[str]:
    units = now.position.units
    return [name for name in ids if holds(units[name])]


# Movement


def _movable(now: Situation, ids: Iterable[str], side: str) -> list[Unit]:
    """Those of the side's units that may move at all now: see `movement.restrictions`."""
    units = now.position.units
    found = [u for u in map(units.__getitem__, ids) if u.cell and STILL.isdisjoint(u.flags)]
    found = [u for u in found if u.side == side]
    if now.position.phase == movement.MECHANISED_PHASE:
        kinds = now.tables.kinds
        found = [u for u in found if kinds[u.type].mechanised]
    if side == AXIS and not south.awake(now):
        found = [u for u in found if not south.dormant(now, u)]
    return found


def _joining(now: Situation, action: Action, ids: Iterable[str]) -> list[Unit]:
    """The same of one more of a group: those in their hex, and in hand if they are."""
    movable = _movable(now, ids, action.side)
    group = _chosen(now, action)
    if not group:
        return movable
    held = in_hand(now).units
    here, all_held = group[0].cell, group[0].id in held
    return [u for u in movable if u.cell == here and (u.id in held) == all_held]


def movers(now: Situation, action: Action) -> list[str]:
    """The units that may move, and that no enemy zone holds where they are."""
    hand, side = in_hand(now), action.side
    ids = offers.more_of("units")(now, action)
    if hand.ridden:
        return [name for name in ids if name not in hand.units]
    # Soviet units may slip out of a zone.
    zone, bit, held = 0 if side == SOVIET else now.zoc(other(side)), now.board.bit, hand.units
    return [
        u.id
        for u in _joining(now, action, ids)
        if (
            hand.won or "stopped" not in u.flags
            if u.id in held
            else "stopped" not in u.flags and not zone & bit[u.cell]
        )
    ]


def steps(now: Situation, action: Action) -> list[str] | None:
    """The hexes that a group on its way can pay for, and that nobody bars."""
    units, path, side = _chosen(now, action), action.so_far("path"), action.side
    if not units or not all(u.cell for u in units):
        return None
    hand = movement.hand_of(now, units)
    here = path[-1] if path else units[0].cell
    if not movement.can_leave(now, units, here, hand, first=not path, side=side):
        return []
    if not hand.won and any(u.has("stopped") for u in units):
        return []
    left: dict[str, int] = {}
    for unit in units:
        moves = now.moves_as(unit)
        spent = hand.spent.get(unit.id, 0) + movement.halves_of(now, moves, unit.cell, path)
        points = 2 * now.allowance(unit) - spent
        left[moves] = min(left.get(moves, points), points)
    bit, closed = now.board.bit, now.closed(side)
    (moves, points), *others = left.items()
    found = [
        to
        for to, price in movement.step_prices(now, moves, here).items()
        if price <= points and not bit[to] & closed
    ]
    for moves, points in others:
        prices = movement.step_prices(now, moves, here)
        found = [to for to in found if prices[to] <= points]
    return found


def riders(now: Situation, action: Action) -> list[str]:
    """The units for which there is a train."""
    side = action.side
    if now.position.phase != movement.phase_of(side):
        return []
    zone, bit = now.zoc(other(side)), now.board.bit
    trains = rail.allowed(now, side) > 0
    return [
        u.id
        for u in _movable(now, offers.riders(now, action), side)
        if u.type != "reserve"
        and not zone & bit[u.cell]
        and (trains or not rail.counts(u) or rail.ridden(now, u))
    ]


def along_the_line(now: Situation, action: Action) -> list[str]:
    """The hexes to which a ride may go on."""
    unit, path, side = now.position.unit(action.text("unit")), action.so_far("path"), action.side
    longest: int = now.tables.schedule["rail"]["hexes"]
    if not unit.cell or rail.ridden(now, unit) + len(path) >= longest:
        return []
    return _next_on_rails(now, path[-1] if path else unit.cell, side)


def _next_on_rails(now: Situation, here: str, side: str) -> list[str]:
    board = now.board
    through = rail.network(now, side) & ~now.closed(side) & ~now.zoc(other(side))
    return [to for to in board.near[here] if board.side(here, to).rail and through & board.bit[to]]


def overrunners(now: Situation, action: Action) -> list[str]:
    """The units that may overrun somebody, as far as they, their points and their leaders go."""
    side = action.side
    if now.position.phase not in (movement.phase_of(side), movement.MECHANISED_PHASE):
        return []
    hand, kinds = in_hand(now), now.tables.kinds
    if hand.ridden:
        return []
    price: int = 2 * now.tables.schedule["overrun_cost"]
    group = _chosen(now, action)
    began = overrun.began(group[0]) if group else ""
    led = side == SOVIET
    ready = {hq.id for hq in headquarters.active(now, SOVIET) if "overran" not in hq.flags}
    if led and not ready:
        return []
    tired = TIRED if led else UNSUPPLIED

    def holds(unit: Unit) -> bool:
        if began and overrun.began(unit) != began:
            return False
        spent = hand.spent.get(unit.id, 0) if unit.id in hand.units else 0
        if spent + price > 2 * now.allowance(unit):
            return False
        return not led or not ready.isdisjoint(overrun.commanders(now, unit))

    able = _joining(now, action, offers.beside_enemies(now, action))
    able = [u for u in able if tired.isdisjoint(u.flags) and kinds[u.type].combat]
    return [u.id for u in able if holds(u)]


def overrun_hexes(now: Situation, action: Action) -> list[str]:
    """The hexes with somebody to overrun."""
    return _enemies(now, offers.beside("units")(now, action), _chosen(now, action), action.side)


def _enemies(now: Situation, cells: Iterable[str], units: Sequence[Unit], side: str) -> list[str]:
    """Those beside all of these units, no river in between, with an enemy or his garrison."""
    board, at, enemy = now.board, now.position.at, other(side)
    around = {unit.cell for unit in units}

    def holds(to: str) -> bool:
        if not any(u.side == enemy and u.type != "reserve" for u in at(to)) and not (
            side == SOVIET and now.garrison(to)
        ):
            return False
        return all(board.adjacent(c, to) and not board.side(c, to).barred for c in around)

    return [to for to in cells if holds(to)]


def leaders(now: Situation, action: Action) -> list[str] | None:
    """The headquarters in whose radius all of them began."""
    if action.side != SOVIET:
        return None
    found = [hq.id for hq in headquarters.active(now, SOVIET) if not hq.has("overran")]
    for unit in _chosen(now, action):
        known = overrun.commanders(now, unit)
        found = [hq for hq in found if hq in known]
    return found


def ways_in(now: Situation, action: Action) -> list[str] | None:
    """The hexes of the edge that are open to reinforcements, or to their train."""
    units, path, side = _chosen(now, action), action.so_far("path"), action.side
    if not units:
        return None
    if action.flag("rail"):
        if path:
            longest: int = now.tables.schedule["rail"]["hexes"]
            return _next_on_rails(now, path[-1], side) if len(path) <= longest else []
        through = rail.network(now, side) & ~now.zoc(other(side))
    elif path:
        return None
    else:
        through = now.board.all
    return list(now.board.names(reinforcements.gates(now, units[0]) & through & ~now.closed(side)))


def leavers(now: Situation, action: Action) -> list[str]:
    """The German units that may break off."""
    if now.turn in now.tables.schedule["no_disengagement"]:
        return []
    mechanised = now.position.phase == movement.MECHANISED_PHASE
    if mechanised and not now.option("disengagement_mechanised"):
        return []
    held = in_hand(now).units
    able = _joining(now, action, offers.in_enemy_zones(now, action))
    return [u.id for u in able if u.id not in held and now.german(u)]


def ways_off(now: Situation, action: Action) -> list[str]:
    """The hexes to which units may break off."""
    board, units = now.board, _chosen(now, action)
    shut = now.zoc(SOVIET) | now.closed(AXIS)

    def holds(to: str) -> bool:
        side = board.side(units[0].cell, to)
        return not shut & board.bit[to] and not side.barred and side.river != "donets"

    return [to for to in offers.beside("units")(now, action) if holds(to)]


# Regiments


def breaking_down(now: Situation, action: Action) -> list[str]:
    """The divisions that have not moved, while there are regiments."""
    if not now.position.in_box("regiments"):
        return []
    held = in_hand(now).units
    unmoved = (u for u in now.on_map(action.side) if u.id not in held and "moved" not in u.flags)
    return [u.id for u in unmoved if breakdown.regiments_for(now, u)]


def diggers(now: Situation, action: Action) -> list[str]:
    """The regiments that are alone and have not moved."""
    held = in_hand(now).units
    return _those(
        now,
        offers.single_regiments(now, action),
        lambda u: (
            u.id not in held
            and u.flags.isdisjoint({"strongpoint", "moved", "disrupted"})
            and len(now.position.at(u.cell)) == 1
        ),
    )


def _formations(now: Situation) -> tuple[tuple[frozenset[str], str], ...]:
    """Every group of regiments that makes up a division, and which."""
    return now.position.remember(
        "formations",
        lambda: tuple(
            (frozenset(u.id for u in units), division.id)
            for units, division in breakdown.recombinations(now)
        ),
    )


def regiments(now: Situation, action: Action) -> list[str]:
    """The regiments that form some division with those chosen."""
    so_far = frozenset(action.so_far("units"))
    useful = {u for units, _ in _formations(now) if units >= so_far for u in units - so_far}
    return [name for name in offers.own(now, action) if name in useful] if useful else []


def divisions(now: Situation, action: Action) -> list[str]:
    """The divisions that those chosen make up."""
    chosen = frozenset(action.so_far("units"))
    useful = {division for units, division in _formations(now) if units == chosen}
    return [name for name in offers.broken_down(now, action) if name in useful]


# Combat


def attackers(now: Situation, action: Action) -> list[str]:
    """The units that may attack: see `combat.attacker_violations`."""
    side, kinds, bit = action.side, now.tables.kinds, now.board.bit
    if now.position.phase != combat.phase_of(side):
        return []
    sleeps = side == AXIS and not south.awake(now)
    command = headquarters.command(now, side)

    def holds(unit: Unit) -> bool:
        if not unit.flags.isdisjoint(SPENT) or not kinds[unit.type].combat:
            return False
        if now.commanded(unit) and not command & bit[unit.cell]:
            return False
        return not (sleeps and south.dormant(now, unit))

    return _those(now, combat_offers.more_attackers(now, action), holds)


def targets(now: Situation, action: Action) -> list[str]:
    """The hexes with somebody to attack, beside all attackers."""
    units = _chosen(now, action, "attackers")
    return _enemies(now, offers.beside("attackers")(now, action), units, action.side)


def ways_back(now: Situation, action: Action) -> list[str]:
    """Where a retreat may go on: some way of each of them does."""
    units, path = _chosen(now, action), action.so_far("path")
    if results.no_retreat(now) is not None:
        return []
    onward = retreat.onward(results.retreating(now), units, path)
    here = path[-1] if path else units[0].cell
    return [to for to in now.board.near.get(here, ()) if to in onward]


def ways_on(now: Situation, action: Action) -> list[str]:
    """Where an advance may go on: along the way of those who fell back."""
    units, path = _chosen(now, action), action.so_far("path")
    engagement = current(now)
    done = max((advance.gone(engagement, u.id) for u in units), key=len)
    onward = advance.onward(now, engagement, (*done, *path))
    here = path[-1] if path else units[0].cell
    return [to for to in now.board.near.get(here, ()) if to in onward]
