"""What a move that a log shows costs at the least, and what its unit can have had for it.

A drag shows two hexes and not the way between them, nor bypass, nor who went along. So the
cheapest way counts against the most that the unit can have had; what is dearer cannot have been.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.rules.movement.allowance import allowance
from hexmarshal.games.asl.rules.movement.costs import bypass_price, is_road_step, price
from hexmarshal.games.asl.rules.movement.stack import unit_faults
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.values import FrozenMap, show_number
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.games.asl.vasl.logs.log_tables import ShownTable
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["WalkCost", "cheapest", "judge_advance", "judge_rout", "judge_walk"]

_DOUBLE_TIME: Final = 2
_ROUT: Final = 6
_MOST: Final = Fraction(13)
"""More than anybody on foot has; ways are not looked for beyond it."""


@dataclass(frozen=True, slots=True)
class WalkCost:
    """A move in words, and what is wrong with it if something is."""

    told: str
    faults: tuple[Violation, ...] = ()


def judge_walk(
    shown: ShownTable, piece: str, cells: Sequence[str], carried: Collection[str]
) -> WalkCost | None:
    """A move in its own movement phase, from the table as the phase began.

    `carried` are the counters of weapons that went along. None if nothing can be said.
    """
    unit = shown.unit(piece)
    if unit is None or unit.side != shown.phasing or _is_strange(shown, unit):
        return None
    now = _without_what_stayed(shown, unit, carried)
    unit = now.unit(unit.id)
    if now.at(unit).cell != cells[0]:
        return None
    faults = [_named(shown, fault) for fault in unit_faults(now, unit.id, unit.side)]
    if faults:
        return WalkCost("", tuple(faults))
    spent = _spent(now, cells, unit)
    has = _factors(now, unit)
    if len(cells) == 2 and now.ground.side_to(*cells) is not None and spent > has.most:
        return WalkCost(f"{_number(spent)} MF: a Minimum Move (A4.134)")
    name = shown.name(unit)
    if spent <= has.plain:
        return WalkCost(f"at least {_number(spent)} of {_number(has.plain)} MF")
    if spent <= has.plain + 1 and _by_road(now, cells, unit) <= has.plain + 1:
        return WalkCost(f"{_number(spent)} of {_number(has.plain)} MF, with the road bonus")
    if spent <= has.most:
        return WalkCost(
            f"at least {_number(spent)} MF: more than {_number(has.plain)}, by Double Time alone"
        )
    if _by_road(now, cells, unit) <= has.most + 1:
        return WalkCost(f"{_number(spent)} MF: by Double Time and with the road bonus alone")
    dear = f"at least {_number(spent)}" if spent <= _MOST else f"more than {_number(_MOST)}"
    text = f"{name}: {' - '.join(cells)} costs {dear} MF; it can have {_number(has.most)} at most"
    cells_of = (cells[0], cells[-1])
    return WalkCost("", (Violation("ASL-MOVE-4", text, cells=cells_of, units=(piece,)),))


def judge_advance(shown: ShownTable, piece: str, cells: Sequence[str]) -> WalkCost | None:
    """An advance to the next hex, by the rules of the phase."""
    from hexmarshal.games.asl.rules.movement.advance import check
    from hexmarshal.rules.action import Action

    unit = shown.unit(piece)
    if unit is None or unit.side != shown.phasing or _is_strange(shown, unit):
        return None
    now = shown.now
    if now.at(unit).cell != cells[0] or now.ground.side_to(cells[0], cells[-1]) is None:
        return None
    if unit.level:
        return None
    action = Action("advance", unit.side, FrozenMap({"unit": unit.id, "to": cells[-1], "level": 0}))
    verdict = check(now, action)
    faults = [_named(shown, fault) for fault in verdict.violations]
    if faults:
        return WalkCost("", tuple(faults))
    cost = price(now, now.at(unit), Location(cells[-1]), (unit,))
    return WalkCost(f"one hex, {_number(cost.total)} MF")


def judge_rout(shown: ShownTable, piece: str, cells: Sequence[str]) -> WalkCost | None:
    """A broken unit's rout: six factors."""
    unit = shown.unit(piece)
    if unit is None or not unit.has(marks.BROKEN) or shown.now.at(unit).cell != cells[0]:
        return None
    spent = _spent(shown.now, cells, unit)
    if spent <= _ROUT:
        return WalkCost(f"at least {_number(spent)} of {_ROUT} MF; where it may go is not judged")
    dear = f"at least {_number(spent)}" if spent <= _MOST else f"more than {_number(_MOST)}"
    text = f"{shown.name(unit)}: {' - '.join(cells)} costs {dear} MF; a rout has {_ROUT}"
    fault = Violation("ASL-ROUT-2", text, cells=(cells[0], cells[-1]), units=(piece,))
    return WalkCost("", (fault,))


def cheapest(now: Situation, start: str, end: str, unit: Unit, *, roads: bool = False) -> Fraction:
    """The least that the way from one hex to another can cost; more than can be if there is none.

    Hexes of the enemy are passed as if he were not there: the log may know better.
    """
    costs = {start: Fraction(0)}
    queue = [(Fraction(0), start)]
    while queue:
        spent, cell = heapq.heappop(queue)
        if cell == end:
            return spent
        if spent > costs[cell]:
            continue
        for after, cost in _steps(now, cell, unit, roads=roads):
            total = spent + cost
            if total <= _MOST and total < costs.get(after, _MOST + 1):
                costs[after] = total
                heapq.heappush(queue, (total, after))
    return _MOST + 1


def _steps(now: Situation, cell: str, unit: Unit, *, roads: bool) -> Iterator[tuple[str, Fraction]]:
    here = Location(cell)
    for after in now.ground.near[cell]:
        there = Location(after)
        if roads and not is_road_step(now, here, there):
            continue
        cost = price(now, here, there, (unit,), crowd=False)
        least = None if cost.barred else Fraction(1) if cost.all_mf or cost.minimum else cost.total
        if now.ground.terrain(after).bypass:
            passing = bypass_price(now, after).total
            least = passing if least is None else min(least, passing)
        if least is not None:
            yield after, least


def _spent(now: Situation, cells: Sequence[str], unit: Unit) -> Fraction:
    total = sum((cheapest(now, one, two, unit) for one, two in pairwise(cells)), Fraction(0))
    return min(total, _MOST + 1)


def _by_road(now: Situation, cells: Sequence[str], unit: Unit) -> Fraction:
    ways = (cheapest(now, one, two, unit, roads=True) for one, two in pairwise(cells))
    return sum(ways, Fraction(0))


@dataclass(frozen=True, slots=True)
class _Factors:
    plain: Fraction
    """With a leader who stood with it."""
    most: Fraction
    """By Double Time, if it can."""


def _factors(now: Situation, unit: Unit) -> _Factors:
    group = [one for one in now.people(now.at(unit), unit.side) if now.is_leader(one)]
    group = [unit, *(one for one in group if one.id != unit.id)]
    plain = allowance(now, unit, group)
    tired = unit.flags & {marks.CX, marks.WOUNDED, marks.BERSERK}
    most = plain if tired else max(plain, allowance(now, unit, group, double_time=_DOUBLE_TIME))
    return _Factors(plain, most)


def _is_strange(shown: ShownTable, unit: Unit) -> bool:
    """Whether the rules know too little of a unit: another counter, or beside a hex's centre."""
    known = unit.type in shown.now.tables.counters
    return not known or bool(unit.values.get("vertex")) or bool(unit.values.get("crest"))


def _without_what_stayed(shown: ShownTable, unit: Unit, carried: Collection[str]) -> Situation:
    """The situation without the weapons that the unit left behind."""
    now = shown.now
    left = [w.id for w in now.weapons(unit) if w.id.removeprefix("c") not in carried]
    if not left:
        return now
    return type(now)(now.position.without_unit(*left), now.ground, now.tables)


def _named(shown: ShownTable, fault: Violation) -> Violation:
    """The fault with the unit as the table calls it."""
    text = fault.text
    for name in fault.units:
        counter = shown.read.units.get(name)
        if counter is not None:
            text = text.replace(name, counter.face.text)
    pieces = tuple(name.removeprefix("c") for name in fault.units)
    return replace(fault, text=text, units=pieces)


def _number(amount: Fraction) -> str:
    return show_number(amount)
