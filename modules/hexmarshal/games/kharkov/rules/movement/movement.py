"""Sections 6.1 to 6.3: moving from hex to hex, what it costs, where it must end."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.rules.movement import (
    infiltration,
    reserves,
    southern_sector,
    stacking,
)
from hexmarshal.games.kharkov.rules.movement.moving_group import Hand, in_hand
from hexmarshal.games.kharkov.state.situation import AXIS, SOVIET, halves, other
from hexmarshal.rules.verdict import Cost, CostPart, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.games.kharkov.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = [
    "bill",
    "halves_of",
    "movable",
    "movers_violations",
    "off_map",
    "price",
    "restrictions",
    "step_prices",
    "step_violations",
    "way_violations",
]

MECHANISED_PHASE = "mechanised_movement"


def price(now: Situation, moves: str, here: str, to: str) -> tuple[CostPart, ...]:
    """What one step costs a class of units, item by item."""
    return _priced(now, moves, _prices(now, moves), here, to)


Prices = dict[tuple[str, str], tuple[CostPart, ...]]


def _prices(now: Situation, moves: str) -> Prices:
    """The steps priced so far, for one class: each is worked out once."""
    return now.board.kept(f"prices {moves} {now.option('road_bridges')}", dict)


def _priced(now: Situation, moves: str, prices: Prices, here: str, to: str) -> tuple[CostPart, ...]:
    parts = prices.get((here, to))
    if parts is None:
        parts = prices[here, to] = tuple(_parts(now, moves, here, to))
    return parts


def _parts(now: Situation, moves: str, here: str, to: str) -> Iterator[CostPart]:
    """The terrain effects chart (KHA-6.21, KHA-6.3).

    A road counts where it joins the two hexes. KHA-10.12: a headquarters moves as infantry, on
    roads as a mechanised unit. KHA-6.46: a railway changes nothing. KHA-8.22: nor does a zone.
    """
    side = now.board.side(here, to)
    foot = "infantry" if moves == "hq" else moves
    terrain = now.board.terrain.get(to, "clear")
    if side.road:
        wheels = "other" if moves == "hq" else moves
        yield CostPart(now.tables.hex_cost["road", wheels], "road", "KHA-6.3", to)
    else:
        rule = "KHA-6.21" if terrain == "clear" else "KHA-6.3"
        yield CostPart(now.tables.hex_cost[terrain, foot], terrain, rule, to)
    bridged = side.road and now.option("road_bridges")
    if side.river and not bridged and (extra := now.tables.side_cost[side.river, foot]):
        yield CostPart(extra, side.river, "KHA-6.3", to)


def step_prices(now: Situation, moves: str, here: str) -> dict[str, int]:
    """The steps from a hex by where they lead, with their price in half points, for one class."""
    known: dict[str, dict[str, int]] = now.board.kept(
        f"step prices {moves} {now.option('road_bridges')}", dict
    )
    found = known.get(here)
    if found is None:
        side = now.board.side
        ways = (to for to in now.board.near[here] if not side(here, to).barred)
        found = known[here] = {to: halves_of(now, moves, here, (to,)) for to in ways}
    return found


def out_of_phase(now: Situation, units: Sequence[Unit]) -> Iterator[Violation]:
    """KHA-6.13: nobody moves in the enemy's movement phase; plans are another matter."""
    whose = {"soviet_movement": SOVIET, "axis_movement": AXIS, MECHANISED_PHASE: AXIS}
    phasing = whose.get(now.position.phase)
    for unit in units:
        if phasing and unit.side != phasing:
            text = f"{unit.id} does not move in the enemy's movement phase"
            yield Violation("KHA-6.13", text, units=(unit.id,))


def restrictions(now: Situation, unit: Unit, side: str) -> Iterator[Violation]:
    """Why this unit may not move at all now."""
    mine = (unit.id,)
    if unit.side != side:
        # KHA-6.13: only the phasing player's units move.
        yield Violation("KHA-6.13", f"{unit.id} is not {side}'s", units=mine)
        return
    if unit.has("disrupted"):
        yield Violation("KHA-7.32", f"{unit.id} is disrupted", units=mine)
    if unit.has("moved"):
        yield Violation("KHA-6.0-P", f"{unit.id} has finished its movement", units=mine)
    kind = now.kind(unit)
    if now.position.phase == MECHANISED_PHASE and not kind.mechanised:
        text = f"{unit.id} is no panzer or panzergrenadier unit"
        yield Violation("KHA-6.0-G", text, units=mine)
    yield from southern_sector.violations(now, unit)


def group_violations(
    now: Situation, units: Sequence[Unit], side: str, *, train: bool = False
) -> Iterator[Violation]:
    """What a group needs to move together: one hex, one hand, one kind of movement."""
    ids = tuple(u.id for u in units)
    if not units:
        yield Violation("KHA-6.0-P", "somebody must move", field="units")
        return
    if len(set(ids)) < len(ids):
        yield Violation("KHA-6.0-P", "a unit is named twice", units=ids, field="units")
    for unit in units:
        if not unit.cell:
            yield off_map(unit)
        yield from restrictions(now, unit, side)
    if len({u.cell for u in units}) > 1:
        yield Violation("KHA-6.0-P", "a group moves from one hex", units=ids)
    hand = in_hand(now)
    held = set(hand.units)
    if held & set(ids) and hand.ridden and not train:
        text = "a unit that rides does not leave the railway in that phase"
        yield Violation("KHA-6.41", text, units=ids)
    if held & set(ids) and not held >= set(ids):
        text = "a group that is moving cannot take others along"
        yield Violation("KHA-6.0-P", text, units=ids)


def off_map(unit: Unit) -> Violation:
    """Why a unit beside the map cannot move: dead, not yet come, or kept in reserve."""
    match unit.box:
        case "eliminated":
            rule, why = "KHA-9.55", "has been eliminated"
        case "arrivals":
            rule, why = "KHA-16.0", f"is a reinforcement of turn {unit.number('turn')}"
        case box if box.startswith("reserve-"):
            # KHA-6.73: only from there it acts as others do.
            rule, why = "KHA-4.2.A1", "is in reserve, and comes onto the map by its commitment"
        case "regiments":
            rule = "KHA-15.11"
            why = "comes onto the map only in the hex and in place of a division that breaks down"
        case "broken-down":
            rule, why = "KHA-15.12", "comes back only in the hex and in place of its regiments"
        case _:
            rule, why = "KHA-6.0-P", "is not on the map"
    return Violation(rule, f"{unit.id} {why}", units=(unit.id,))


def hand_of(now: Situation, units: Sequence[Unit]) -> Hand:
    """The hand in which these units already are, or a new one."""
    hand = in_hand(now)
    if units and all(u.id in hand.units for u in units):
        return hand
    return Hand(tuple(u.id for u in units), units[0].cell if units else "")


def step_violations(
    now: Situation, units: Sequence[Unit], here: str, to: str, side: str
) -> Iterator[Violation]:
    """What one step breaks, whatever came before it."""
    board, ids, pair = now.board, tuple(u.id for u in units), (here, to)
    if not board.adjacent(here, to):
        text = f"{to} is not adjacent to {here}"
        yield Violation("KHA-6.0-P", text, cells=pair, units=ids)
        return
    if board.bit[to] & now.barring(other(side)):
        yield Violation("KHA-6.22", f"the enemy is in {to}", cells=(to,), units=ids)
    if side == SOVIET and board.bit[to] & now.garrisons():
        yield Violation("KHA-15.3", f"the garrison of {to} still stands", cells=(to,), units=ids)
    between = board.side(here, to)
    if between.barred:
        yield Violation("KHA-6.3", "the Dnieper has no bridge here", cells=pair, units=ids)
    if between.river == "donets" and _river_watched(now, to, side, frozenset(ids)):
        text = f"an enemy on the Donets controls {to}, and no friend is there"
        yield Violation("KHA-6.25", text, cells=pair, units=ids)
    yield from reserves.step_violations(now, units, here, to)


def _river_watched(now: Situation, to: str, side: str, movers: frozenset[str]) -> bool:
    """KHA-6.25: the hex is in the zone of an enemy that is itself beside the Donets."""
    if not now.board.bit[to] & now.zoc(other(side)):
        return False
    if any(u.id not in movers for u in now.at(to, side)):
        return False
    river = now.board.region("donets")
    watching = (now.position.units[u].cell for u in now.controllers(to, side))
    return any(now.board.bit[cell] & river for cell in watching)


def path_violations(
    now: Situation, units: Sequence[Unit], path: Sequence[str], side: str
) -> Iterator[Violation]:
    """The whole path: each step, zones of control, and where it ends."""
    if not path:
        yield Violation("KHA-6.0-P", "a path has at least one hex", field="path")
        return
    hand = hand_of(now, units)
    ids = tuple(u.id for u in units)
    here = units[0].cell
    for i, to in enumerate(path):
        yield from step_violations(now, units, here, to, side)
        yield from _leaving(now, units, here, hand, first=i == 0, side=side)
        if i == 0 and here == hand.began:
            yield from infiltration.first_hex(now, units, here, to)
        here = to
    if any(u.has("stopped") for u in units) and not hand.won:
        # KHA-6.23: whoever entered an enemy zone goes no further in this game turn.
        yield Violation("KHA-6.23", "it entered an enemy zone of control this turn", units=ids)
    if here in now.board.bit:
        yield from stacking.violations(now, units, here, side, cured_by=("path",))


def _leaving(
    now: Situation, units: Sequence[Unit], here: str, hand: Hand, *, first: bool, side: str
) -> Iterator[Violation]:
    """KHA-6.23 and KHA-6.24: enemy zones stop and hold; KHA-8.24: one's own do nothing."""
    if not can_leave(now, units, here, hand, first=first, side=side):
        ids = tuple(u.id for u in units)
        fresh = first and here == hand.began
        rule = "KHA-6.24" if fresh else "KHA-6.23"
        text = "cannot leave" if fresh else "must stop in"
        yield Violation(
            rule, f"{text} the enemy zone of control in {here}", cells=(here,), units=ids
        )


def can_leave(
    now: Situation, units: Sequence[Unit], here: str, hand: Hand, *, first: bool, side: str
) -> bool:
    """Whether a group may walk on from a hex as far as zones of control go (KHA-8.23)."""
    if not now.board.bit[here] & now.zoc(other(side)):
        return True
    if first and hand.won and now.option("overrun_frees"):
        return True
    return all(infiltration.slips(now, u, here, hand.began) for u in units)


def movers_violations(now: Situation, units: Sequence[Unit], side: str) -> Iterator[Violation]:
    """What is wrong with these moving at all, wherever they go; found out once for a position."""
    found: dict[object, tuple[Violation, ...]] = now.position.remember("movers", dict)
    key = (side, *[unit.id for unit in units])
    known = found.get(key)
    if known is None:
        known = (*out_of_phase(now, units), *group_violations(now, units, side))
        found[key] = known
    return iter(known)


def way_violations(
    now: Situation, units: Sequence[Unit], path: Sequence[str], side: str
) -> Iterator[Violation]:
    """What is wrong with the way that units on the map take."""
    yield from path_violations(now, units, path, side)
    yield from _allowances(now, units, path)


def _walk(now: Situation, moves: str, start: str, path: Sequence[str]) -> Iterator[CostPart]:
    here = start
    prices = _prices(now, moves)
    for to in path:
        if now.board.adjacent(here, to):
            yield from _priced(now, moves, prices, here, to)
        here = to


def bill(now: Situation, units: Sequence[Unit], path: Sequence[str]) -> Cost:
    """The dearest way to count it: units of a mixed stack pay by their own class."""
    classes = sorted({now.moves_as(u) for u in units})
    bills = [Cost(tuple(_walk(now, moves, units[0].cell, path)), "MP") for moves in classes]
    return bills[0] if len(bills) == 1 else max(bills, key=lambda bill: bill.total)


def _allowances(now: Situation, units: Sequence[Unit], path: Sequence[str]) -> Iterator[Violation]:
    """KHA-6.11: never more than the allowance; KHA-6.12: nothing is saved or lent."""
    hand = hand_of(now, units)
    for unit in units:
        spent = hand.spent.get(unit.id, 0) + halves_of(now, now.moves_as(unit), unit.cell, path)
        if spent > 2 * now.allowance(unit):
            yield from over_budget(now, unit, Fraction(spent, 2))


def halves_of(now: Situation, moves: str, start: str, path: Sequence[str]) -> int:
    """What a way costs a class of units, in half points; a step to elsewhere costs nothing."""
    known: dict[tuple[str, str], int] = now.board.kept(
        f"half prices {moves} {now.option('road_bridges')}", dict
    )
    total, here = 0, start
    for to in path:
        step = known.get((here, to))
        if step is None and now.board.adjacent(here, to):
            parts = price(now, moves, here, to)
            step = known[here, to] = sum(halves(part.amount) for part in parts)
        total += step or 0
        here = to
    return total


def over_budget(now: Situation, unit: Unit, total: Fraction) -> Iterator[Violation]:
    """The unit would spend so much in all, this phase."""
    allowance = now.allowance(unit)
    if total > allowance:
        short = unit.has("unsupplied")
        rule = "KHA-6.26" if short else "KHA-6.11"
        why = ", half for lack of supply" if short else ""
        text = f"{unit.id} would spend {_plain(total)} MP and has {allowance}{why}"
        yield Violation(rule, text, units=(unit.id,))


def _plain(points: Fraction) -> str:
    """Movement points as people write them: 25 1/2, and not 51/2."""
    whole, rest = divmod(points, 1)
    return str(whole) if not rest else f"{whole} {rest}" if whole else str(rest)


def movable(now: Situation, unit: Unit, side: str) -> bool:
    """Whether the unit may move at all now."""
    return bool(unit.cell) and next(restrictions(now, unit, side), None) is None


def phase_of(side: str) -> str:
    """The phase in which the side's units all may move."""
    return "axis_movement" if side == AXIS else "soviet_movement"
