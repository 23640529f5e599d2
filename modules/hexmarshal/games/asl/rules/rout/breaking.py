"""Breaking of one's own will, and who must leave where he is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.morale.casualties import break_unit
from hexmarshal.games.asl.rules.rout.interdiction import interdictors
from hexmarshal.games.asl.rules.rout.routes import (
    known_enemies,
    near_enemy,
)
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.verdict import Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["break_voluntarily", "check_break", "must_leave"]


def must_leave(now: Situation, unit: Unit) -> str:
    """ASL-ROUT-1: why a broken unit may not end the phase where it is; '' if it may."""
    place = now.at(unit)
    if unit.has(marks.MELEE):
        return ""
    if any(now.good_order(enemy) for enemy in now.people(place, other(unit.side))):
        return f"it is in {place} with the enemy"
    if near_enemy(now, place, unit.side):
        return f"it is adjacent to a known enemy in {place}"
    if unit.has(marks.CRAWLED):
        return ""
    by = interdictors(now, place, unit.side)
    return f"it is in the open in {place}, in sight of {by[0].id}" if by else ""


def check_break(now: Situation, action: Action) -> Verdict:
    """ASL-VB-1: in sight and range of a known unbroken armed enemy, or ADJACENT to one."""
    return Verdict.of(_break_faults(now, action))


def _break_faults(now: Situation, action: Action) -> Iterator[Violation]:
    unit = now.unit(action.text("unit"))
    name = unit.id
    if unit.side != action.side or not now.is_personnel(unit) or not unit.cell:
        yield Violation("ASL-VB-1", f"{name} is no unit of yours on the map", units=(name,))
        return
    if unit.flags & {marks.BROKEN, marks.BERSERK, marks.MELEE} or now.is_hero(unit):
        yield Violation("ASL-VB-1", f"{name} cannot break of its own will", units=(name,))
    if any(one.has(marks.ROUTED) for one in now.on_map(unit.side)):
        yield Violation("ASL-VB-1", "units break at the start of the phase alone", units=(name,))
    at = now.at(unit)
    for enemy in known_enemies(now, at, unit.side):
        there = now.at(enemy)
        if there == at or now.adjacent(at, there):
            return
        reach = max((now.counter(enemy).range, *(now.counter(w).range for w in now.weapons(enemy))))
        if not enemy.has(marks.BROKEN) and now.ground.distance(at.cell, there.cell) <= reach:
            return
    text = f"no known enemy is ADJACENT to {name}, or sees it within his range"
    yield Violation("ASL-VB-1", text, units=(name,))


def break_voluntarily(play: Play, action: Action) -> None:
    """ASL-VB-1: it may rout then, and loses nobody by it."""
    break_unit(play, action.text("unit"), dm=True)
