"""Leaving a close combat: withdrawal from melee, out of an ambush, and on lucky rolls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.concealment.cover import place_hidden, remove_dummy, reveal
from hexmarshal.games.asl.rules.concealment.loss import expose_by_move
from hexmarshal.games.asl.rules.morale.casualties import eliminate
from hexmarshal.games.asl.rules.morale.results import chosen_by_lot
from hexmarshal.games.asl.rules.movement.advance import is_difficult
from hexmarshal.games.asl.rules.movement.allowance import burden, capacity
from hexmarshal.games.asl.rules.movement.costs import price
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.state.effects import MoveUnit
from hexmarshal.rules.verdict import Resolution, Step, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["barred", "leave", "way_faults", "ways_out"]

RULE = "ASL-A11.21a"


def barred(unit: Unit) -> str:
    """ASL-A11.21a: why a unit may not withdraw at all; '' if it may."""
    for flag, words in (
        (marks.PINNED, "is pinned"),
        (marks.TI, "is TI"),
        (marks.BERSERK, "is berserk"),
        (marks.DISRUPTED, "is disrupted"),
    ):
        if unit.has(flag):
            return words
    return ""


def way_faults(now: Situation, unit: Unit, end: Location) -> Iterator[Violation]:
    """ASL-A11.21a: to where it could advance, with what it can carry, not to a known enemy."""
    name = unit.id
    if end.level not in now.ground.levels(end.cell):
        yield Violation(RULE, f"{end.cell} has no level {end.level}", cells=(end.cell,))
        return
    start = now.at(unit)
    cost = price(now, start, end, (unit,))
    row = now.ground.beneath(end.cell)
    if start == end or cost.barred or cost.minimum or (row.all_mf and cost.all_mf):
        why = cost.barred or "nobody could advance there"
        yield Violation(RULE, f"{end} cannot be reached: {why}", cells=(end.cell,), units=(name,))
        return
    known = [one.id for one in now.people(end, other(unit.side)) if not now.is_hidden(one)]
    if known:
        text = f"{end} is held by {', '.join(known)}"
        yield Violation(RULE, text, cells=(end.cell,), units=(name,))
    if burden(now, unit) > capacity(now, unit):
        text = f"{name} carries {burden(now, unit)} PP and may carry {capacity(now, unit)}"
        yield Violation(RULE, text, units=(name,))
        if unit.has(marks.BROKEN):
            text = f"{name} is broken and goes nowhere with more than it can carry"
            yield Violation("ASL-SW-2", text, units=(name,))
    if is_difficult(now, unit, cost) and unit.has(marks.CX):
        text = f"{name} is CX, and {end.cell} is difficult terrain for it"
        yield Violation("ASL-A4.72a", text, units=(name,), cells=(end.cell,))


def ways_out(now: Situation, unit: Unit) -> list[Location]:
    """Where a unit could go."""
    place = now.at(unit)
    near = [
        Location(cell, level)
        for cell in now.ground.near[place.cell]
        for level in (dict.fromkeys((0, place.level)))
        if level in now.ground.levels(cell)
    ]
    near += [
        Location(place.cell, level)
        for level in now.ground.levels(place.cell)
        if abs(level - place.level) == 1
    ]
    return [end for end in near if next(way_faults(now, unit, end), None) is None]


def leave(play: Play, name: str, end: Location, rule: str = RULE) -> None:
    """ASL-A11.21a: it goes; a "?" that is no dummy is its end, and shows one of those there."""
    now = play.now
    unit = now.unit(name)
    play.decide(Resolution("withdrawal", str(end), steps=(Step(f"{name} leaves to {end}", rule),)))
    for enemy in now.people(end, other(unit.side)):
        place_hidden(play, enemy.id, f"{name} comes upon it")
    waiting = [one for one in play.now.people(end, other(unit.side)) if play.now.is_hidden(one)]
    real = [one.id for one in waiting if not play.now.is_dummy(one)]
    if real:
        for shown in chosen_by_lot(play, real, 1, "who is revealed", other(unit.side)):
            reveal(play, shown, f"{name} runs into it", RULE)
        eliminate(play, name)
        return
    for dummy in waiting:
        remove_dummy(play, dummy.id, f"{name} comes upon it", RULE)
    cost = price(now, now.at(unit), end, (unit,))
    tired = is_difficult(now, unit, cost)
    play.unmark(name, marks.MELEE, marks.STRENGTH_SHOWN)
    play.do(MoveUnit(name, end.cell, end.level))
    if tired and not unit.has(marks.BROKEN):
        play.mark(name, marks.CX)
    if unit.has(marks.CONCEALED):
        expose_by_move(play, (name,), quiet=True)
