"""Every legal action, lazily.

Moves are offered by where they end, each with one cheapest path; a group of units as every part of
a stack that can move. Reinforcements are offered by the hex in which they enter: from there they
move on. Attackers are offered in every combination up to six units around a hex, beyond that by
whole stacks. Retreats and advances are offered unit by unit.
"""

from __future__ import annotations

from itertools import chain, combinations
from typing import TYPE_CHECKING

from hexmarshal.games.kharkov import (
    advance,
    air,
    breakdown,
    combat,
    disengagement,
    headquarters,
    losses,
    movement,
    overrun,
    rail,
    reinforcements,
    reserves,
    results,
    sequence,
    setup,
    stacking,
)
from hexmarshal.games.kharkov.engagement import current
from hexmarshal.games.kharkov.hand import in_hand
from hexmarshal.games.kharkov.situation import AXIS, other
from hexmarshal.rules.action import Action
from hexmarshal.rules.plugin import Offer
from hexmarshal.rules.values import FrozenMap, Value
from hexmarshal.rules.verdict import LEGAL, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hexmarshal.games.kharkov.situation import Situation
    from hexmarshal.rules.pieces import Unit

__all__ = ["offers"]


def _offer(kind: str, side: str, verdict: Verdict = LEGAL, **params: Value) -> Offer:
    return Offer(Action(kind, side, FrozenMap(params)), verdict)


def _ids(units: Iterable[Unit]) -> tuple[str, ...]:
    return tuple(u.id for u in units)


def offers(now: Situation, side: str) -> Iterator[Offer]:
    """What the side may do now."""
    match now.position.state:
        case "":
            yield from _open(now, side)
        case "air_defence":
            yield _offer("air_defence", side, use=False)
            if air.available(now, side):
                yield _offer("air_defence", side, use=True)
        case "result" | "retreat":
            yield from _result(now, side)
        case "displacement":
            hq = current(now).first.what
            for cell in headquarters.nearest(now, now.position.units[hq]):
                yield _offer("displace", side, unit=hq, cell=cell)
        case "advance":
            yield _offer("end_advance", side)
            for units, path in advance.offers(now):
                yield _offer("advance", side, units=_ids(units), path=path)
        case "pursuit":
            yield _offer("end_pursuit", side)
            for unit in disengagement.pursuers(now, disengagement.vacated(now)):
                yield _offer("pursue", side, unit=unit.id)
        case "alarm":
            yield _offer("alarm", side, accept=False)
            yield _offer("alarm", side, accept=True)
        case _:
            for unit in reserves.left_to_place(now):
                for cell in reserves.places(now, unit):
                    yield _offer("commit", side, unit=unit.id, cell=cell)


def _result(now: Situation, side: str) -> Iterator[Offer]:
    engagement = current(now)
    if not engagement.pending:
        for ids in losses.choices(results.affected(now, engagement), results.steps_due(engagement)):
            if ids:
                yield _offer("take_losses", side, units=ids)
    for units, path in results.retreat_offers(now):
        yield _offer("retreat", side, units=_ids(units), path=path)


def _open(now: Situation, side: str) -> Iterator[Offer]:
    if sequence.check_end(now, side).legal:
        yield _offer("end_phase", side)
    for cell, whose in stacking.crowded(now).items():
        if whose == side:
            for unit in now.fighters(cell, side):
                yield _offer("remove_excess", side, unit=unit.id)
    match now.position.phase:
        case "setup_axis" | "setup_soviet":
            for unit, cell, group in setup.offers(now, side):
                yield _offer("deploy", side, unit=unit.id, cell=cell, group=group)
            if side == AXIS:
                yield from _regiments(now)
        case "reserve_commitment":
            for unit in reserves.waiting(now):
                for cell in reserves.places(now, unit):
                    if reserves.check(now, unit, cell).legal:
                        yield _offer("commit", side, unit=unit.id, cell=cell)
        case "soviet_combat" | "axis_combat":
            yield from _attacks(now, side)
        case "air_support":
            if air.available(now, AXIS):
                for cell in now.board.names(now.occupied(AXIS)):
                    if air.check_supply(now, cell).legal:
                        yield _offer("air_supply", side, cell=cell)
        case _:
            yield from _movement(now, side)


def _attacks(now: Situation, side: str) -> Iterator[Offer]:
    flying = bool(air.available(now, side))
    for units, targets in combat.groups(now, side):
        yield _offer("attack", side, attackers=_ids(units), targets=targets, air=False)
        if flying:
            yield _offer("attack", side, attackers=_ids(units), targets=targets, air=True)


def _movement(now: Situation, side: str) -> Iterator[Offer]:
    stacks = list(_groups(now, side))
    parts = [_overruns(now, side, stacks), _moves(now, side, stacks)]
    if now.position.phase != movement.MECHANISED_PHASE:
        parts += [_entries(now, side), _rides(now, side)]
    if side == AXIS:
        parts.append(_disengagements(now, side, stacks))
        if now.position.phase == "axis_movement":
            parts.append(_regiments(now))
    yield from _in_turns(parts)


def _in_turns(parts: Sequence[Iterator[Offer]]) -> Iterator[Offer]:
    """One of each in turn, so that a short look at the list sees every kind."""
    left = list(parts)
    while left:
        for part in tuple(left):
            found = next(part, None)
            if found is None:
                left.remove(part)
            else:
                yield found


def _groups(now: Situation, side: str) -> Iterator[tuple[Unit, ...]]:
    """Every part of every stack that may move together, single units first."""
    held = set(in_hand(now).units)
    stacks: dict[str, list[Unit]] = {}
    for unit in now.on_map(side):
        if movement.movable(now, unit, side):
            stacks.setdefault(unit.cell, []).append(unit)
    several: list[tuple[Unit, ...]] = []
    for _, stack in sorted(stacks.items()):
        for size in range(1, len(stack) + 1):
            for units in combinations(stack, size):
                touched = held & {u.id for u in units}
                if touched and len(touched) < size:
                    continue
                if size == 1:
                    yield units
                else:
                    several.append(units)
    yield from several


def _moves(now: Situation, side: str, stacks: Sequence[tuple[Unit, ...]]) -> Iterator[Offer]:
    for units in stacks:
        for path in movement.reach(now, units, side).values():
            verdict = Verdict(cost=movement.bill(now, units, path))
            yield _offer("move", side, verdict, units=_ids(units), path=path)


def _overruns(now: Situation, side: str, stacks: Sequence[tuple[Unit, ...]]) -> Iterator[Offer]:
    enemies = now.occupied(other(side)) | now.garrisons()
    near = now.board.around(enemies)
    beside = [s for s in stacks if near & now.board.bit[s[0].cell]]
    for units, target, hq, verdict in overrun.groups(now, beside, side):
        params: dict[str, Value] = {"units": _ids(units), "target": target}
        if hq:
            params["hq"] = hq
        yield _offer("overrun", side, verdict, **params)


def _disengagements(
    now: Situation, side: str, stacks: Sequence[tuple[Unit, ...]]
) -> Iterator[Offer]:
    for units in stacks:
        for to in disengagement.destinations(now, units):
            verdict = disengagement.check(now, units, to)
            yield _offer("disengage", side, verdict, units=_ids(units), cell=to)


def _entries(now: Situation, side: str) -> Iterator[Offer]:
    for unit in reinforcements.due(now, side):
        ways = chain(
            ((path, False) for path in reinforcements.entries(now, unit, side)),
            ((path, True) for path in reinforcements.rides(now, unit, side)),
        )
        for path, train in ways:
            verdict = reinforcements.check(now, (unit,), path, side, train=train)
            yield _offer("enter", side, verdict, units=(unit.id,), path=path, rail=train)


def _rides(now: Situation, side: str) -> Iterator[Offer]:
    full = rail.allowed(now, side) < 1
    held = in_hand(now).units
    for unit in now.on_map(side):
        if not rail.network(now, side) & now.board.bit[unit.cell] or unit.type == "reserve":
            continue
        if not rail.ridden(now, unit) and (unit.id in held or (full and rail.counts(unit))):
            continue
        if now.zoc(other(side)) & now.board.bit[unit.cell]:
            continue
        if not movement.movable(now, unit, side):
            continue
        for path in rail.reach(now, unit, unit.cell, side).values():
            verdict = Verdict(cost=rail.fare(path))
            yield _offer("rail", side, verdict, unit=unit.id, path=path)


def _regiments(now: Situation) -> Iterator[Offer]:
    for unit in now.on_map(AXIS):
        if breakdown.check_break_down(now, unit).legal:
            yield _offer("break_down", AXIS, unit=unit.id)
        if now.position.phase == "axis_movement" and breakdown.check_dig_in(now, unit).legal:
            yield _offer("dig_in", AXIS, unit=unit.id)
    for units, division in breakdown.recombinations(now):
        if breakdown.check_recombine(now, units, division).legal:
            yield _offer("recombine", AXIS, units=_ids(units), division=division.id)
