"""Section 7: overruns, which are movement (KHA-7.0-G), and disruption."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, cast

from hexmarshal.games.kharkov.rules.combat import combat, odds, results, unrevealed
from hexmarshal.games.kharkov.rules.combat.engagement import Engagement, close, save
from hexmarshal.games.kharkov.rules.command import headquarters
from hexmarshal.games.kharkov.rules.movement import movement, reserves, southern_sector
from hexmarshal.games.kharkov.rules.movement.moving_group import Hand, hold, in_hand, let_go
from hexmarshal.games.kharkov.state.situation import SOVIET, other
from hexmarshal.rules.state.effects import ChangeUnit
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Cost, CostPart, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.games.kharkov.state.execution import Play
    from hexmarshal.games.kharkov.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = [
    "battle",
    "check",
    "commanders",
    "conclude",
    "cost",
    "group_violations",
    "leader_violations",
    "start",
    "target_violations",
]


def began(unit: Unit) -> str:
    """Where the unit was at the start of the phase."""
    return str(unit.value("began") or unit.cell)


def commanders(now: Situation, unit: Unit) -> tuple[str, ...]:
    """The headquarters in whose radius a Soviet unit began the phase (KHA-7.17).

    A reinforcement was not on the map then: it needs one where it stands.
    """
    if unit.has("arrived"):
        return headquarters.commanders(now, unit)
    known = unit.values.get("command")
    return cast("tuple[str, ...]", known) if isinstance(known, tuple) else ()


def cost(now: Situation, target: str) -> Cost:
    """It costs 3 MP whatever the terrain."""
    price: int = now.tables.schedule["overrun_cost"]
    return Cost((CostPart(price, "overrun", "KHA-7.0-P", target),), "MP")


def check(now: Situation, units: Sequence[Unit], target: str, hq: str, side: str) -> Verdict:
    """Everything wrong with an overrun."""
    found = list(movement.movers_violations(now, units, side))
    if units and all(u.cell for u in units):
        found += group_violations(now, units, side)
        found += target_violations(now, units, target, side)
        if side == SOVIET:
            found += leader_violations(now, units, hq)
    return Verdict(tuple(found), cost(now, target))


def target_violations(
    now: Situation, units: Sequence[Unit], target: str, side: str
) -> Iterator[Violation]:
    """What is wrong with this hex."""
    board, here = now.board, units[0].cell
    ids = tuple(u.id for u in units)
    if not board.adjacent(here, target):
        text = f"{target} is not adjacent to {here}"
        yield Violation("KHA-7.0-P", text, cells=(here, target), units=ids)
    elif board.side(here, target).barred:
        yield Violation("KHA-6.3", "the Dnieper has no bridge here", cells=(target,), units=ids)
    if board.adjacent(here, target):
        yield from reserves.out_of_the_south(now, units, here, target)
    there = tuple(u for u in now.at(target, other(side)) if u.type != "reserve")
    if not there and not (side == SOVIET and now.garrison(target)):
        # KHA-7.14: exactly one hex; KHA-7.15: however often it was overrun before
        yield Violation("KHA-7.14", f"no enemy is in {target}", cells=(target,), units=ids)


def group_violations(now: Situation, units: Sequence[Unit], side: str) -> Iterator[Violation]:
    """What is wrong with these overrunning anything."""
    ids = tuple(u.id for u in units)
    hand = movement.hand_of(now, units)
    price: int = now.tables.schedule["overrun_cost"]
    if now.position.phase not in (movement.phase_of(side), movement.MECHANISED_PHASE):
        # KHA-6.14, KHA-7.11: a function of movement, never of combat.
        yield Violation("KHA-7.11", "overruns belong in a movement phase")
    for unit in units:
        if not now.fights(unit):
            yield Violation("KHA-10.14", f"{unit.id} has no combat strength", units=(unit.id,))
        if unit.has("unsupplied"):
            # KHA-7.12, KHA-10.26, KHA-11.41: as it was when the phase began
            yield Violation("KHA-7.12", f"{unit.id} began the phase unsupplied", units=(unit.id,))
        spent = hand.spent.get(unit.id, 0) + 2 * price
        if spent > 2 * now.allowance(unit):
            yield from movement.over_budget(now, unit, Fraction(spent, 2))
    starts = {began(u) for u in units}
    if len(starts) > 1:
        yield Violation("KHA-18.4", "they did not begin the phase in one hex", units=ids)
    for early in (u for cell in starts for u in _movers(now, side).get(cell, ())):
        if early not in ids:
            text = f"{early} began in the same hex and has moved already"
            yield Violation("KHA-7.13", text, units=(early,), cured_by=("units",))
    if side == SOVIET:
        for unit in units:
            if unit.has("overran"):
                text = f"{unit.id} has made its overrun in this phase"
                yield Violation("KHA-7.16", text, units=(unit.id,))


def _movers(now: Situation, side: str) -> dict[str, tuple[str, ...]]:
    """The units that have moved this phase, by the hex in which they began."""
    return now.position.remember(f"movers of {side}", lambda: _find_movers(now, side))


def _find_movers(now: Situation, side: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for unit in now.on_map(side):
        if start := unit.value("began"):
            found[str(start)] = (*found.get(str(start), ()), unit.id)
    return found


def leader_violations(now: Situation, units: Sequence[Unit], hq: str) -> Iterator[Violation]:
    """KHA-7.17: one for each Soviet headquarters and game turn."""
    chosen = now.position.units.get(hq)
    if chosen is None or chosen.type != "hq" or chosen.side != SOVIET:
        yield Violation("KHA-7.17", "an overrun needs a Soviet headquarters", field="hq")
        return
    if chosen.has("inactive") or chosen.has("overran"):
        text = f"{hq} is inactive, or has led its overrun this turn"
        yield Violation("KHA-7.17", text, units=(hq,))
    for unit in units:
        if hq not in commanders(now, unit):
            text = f"{unit.id} did not begin the phase in the radius of {hq}"
            yield Violation("KHA-7.17", text, units=(unit.id, hq))


def battle(units: Sequence[Unit], target: str, side: str) -> odds.Battle:
    """The overrun as the arithmetic needs it: no air points (KHA-13.15), no morale."""
    return odds.Battle("overrun", side, tuple(units), (target,))


def start(play: Play, units: Sequence[Unit], target: str, hq: str, side: str) -> None:
    """Pay, reveal, roll, and begin to apply the result."""
    now = play.now
    hand = movement.hand_of(now, units)
    ids = tuple(u.id for u in units)
    price = 2 * now.tables.schedule["overrun_cost"]
    spent = {unit_id: hand.spent.get(unit_id, 0) + price for unit_id in ids}
    hold(play, Hand(ids, hand.began, spent))
    for unit in units:
        if unit.value("began") is None:
            play.do(ChangeUnit(unit.id, values=FrozenMap({"began": hand.began})))
    if side == SOVIET:
        play.flag((*ids, hq), "overran")
    play.unflag(ids, "strongpoint")
    engagement = Engagement("overrun", side, ids, (target,))
    save(play, engagement)
    told = unrevealed.reveal(play, [play.unit(u) for u in ids])
    told += unrevealed.reveal(play, play.now.at(target, other(side)))
    if side == SOVIET:
        southern_sector.attacked(play, (target,), overrun=True)
    fought = battle([play.unit(u) for u in ids], target, side)
    combat.resolve(play, engagement, fought, told)
    results.proceed(play)


def conclude(play: Play, engagement: Engagement) -> None:
    """Disruption, and the way on if the hex is clear.

    KHA-7.23: not cleared, they stop; KHA-7.24: hurt, they stop too; KHA-7.25: else they must enter,
    free and whatever the zones; KHA-7.26: the defender never advances.
    """
    _disrupt(play, engagement)
    close(play)
    now = play.now
    (target,) = engagement.targets
    alive = tuple(u for u in engagement.attackers if now.position.units[u].cell)
    cleared = not now.closed(engagement.side) & now.board.bit[target]
    if not alive or not cleared or engagement.hurt:
        let_go(play)
        return
    hand = in_hand(now)
    here = now.position.units[alive[0]].cell
    play.enter(alive, target)
    play.settle(target)
    play.unflag(alive, "stopped")
    hold(play, Hand(alive, hand.began, hand.spent, won=True))
    play.note("overrun", f"{', '.join(alive)} enter {target}", "KHA-7.25")
    reserves.ring(play, reserves.alarmed(play.now, engagement.side, here, target))


def _disrupt(play: Play, engagement: Engagement) -> None:
    """KHA-7.31: defenders that lost steps or fell back; KHA-7.34: never headquarters.

    KHA-7.32: a second disruption adds nothing, but losses and retreats still count.
    """
    for unit_id in dict.fromkeys(engagement.shaken):
        unit = play.unit(unit_id)
        if unit_id in engagement.defenders and unit.cell and play.now.fights(unit):
            play.flag((unit_id,), "disrupted")
