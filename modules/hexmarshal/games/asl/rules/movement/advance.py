"""The advance phase: one location, without fire."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.concealment.cover import cloak, place_hidden
from hexmarshal.games.asl.rules.concealment.loss import expose_by_move
from hexmarshal.games.asl.rules.fire.encirclement import share_ring
from hexmarshal.games.asl.rules.movement.allowance import allowance
from hexmarshal.games.asl.rules.movement.costs import price
from hexmarshal.games.asl.rules.movement.step import alarm_adjacent
from hexmarshal.games.asl.rules.vehicles.courage import face, feared_in
from hexmarshal.games.asl.rules.vehicles.street import comes_out_of
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.action import Action
from hexmarshal.rules.state.effects import MoveUnit
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.asl.rules.movement.costs import Price
    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Record, Value

__all__ = ["advance", "candidates", "check", "is_difficult"]

DIFFICULT = 4


def is_difficult(now: Situation, unit: Unit, cost: Price) -> bool:
    """ASL-A4.72a, ASL-DEF-7: four factors or more, smoke apart, or all that the unit has."""
    has = allowance(now, unit, (unit,))
    return cost.all_mf or cost.without_smoke >= DIFFICULT or cost.without_smoke >= has


def check(now: Situation, action: Action) -> Verdict:
    """ASL-APH-1, ASL-A4.72a."""
    if action.open("level"):
        return _open_verdict(now, action)
    found: list[Price] = []
    verdict = Verdict.of(_faults(now, action, found))
    return Verdict(verdict.violations, found[0].cost()) if found else verdict


def _open_verdict(now: Situation, action: Action) -> Verdict:
    """Of a hex whose level is not chosen yet: the first one that is allowed."""
    first: Verdict | None = None
    params = {"unit": action.text("unit"), "to": action.text("to")}
    for level in candidates(now, action, "level") or (None,):
        given: Record = FrozenMap({**params, **({} if level is None else {"level": level})})
        verdict = check(now, Action(action.kind, action.side, given))
        if verdict.legal:
            return verdict
        first = first or verdict
    return first or Verdict()


def _faults(now: Situation, action: Action, found: list[Price]) -> Iterator[Violation]:
    if action.side != now.phasing:
        yield Violation("ASL-APH-1", f"{action.side} does not advance in this player turn")
        return
    unit = now.unit(action.text("unit"))
    name = unit.id
    if unit.side != action.side or not now.is_personnel(unit) or not unit.cell:
        yield Violation("ASL-APH-1", f"{name} is no infantry of yours on the map", units=(name,))
        return
    for flag, rule, words in (
        (marks.BROKEN, "ASL-APH-1", "is broken"),
        (marks.PINNED, "ASL-PIN-3", "is pinned"),
        (marks.TI, "ASL-TI-1", "is TI"),
        (marks.MELEE, "ASL-APH-1", "is in melee"),
        (marks.ADVANCED, "ASL-APH-1", "has advanced"),
        (marks.CLOSE, "ASL-A25.23e", "shares its location with the enemy"),
        (marks.BERSERK, "ASL-A15.43a", "is berserk and does not advance"),
    ):
        if unit.has(flag):
            yield Violation(rule, f"{name} {words}", units=(name,))
    end = Location(action.text("to"), action.number("level"))
    start = now.at(unit)
    if end.level not in now.ground.levels(end.cell):
        yield Violation("ASL-APH-1", f"{end.cell} has no level {end.level}", cells=(end.cell,))
        return
    cost = price(now, start, end, (unit,))
    found.append(cost)
    if cost.barred:
        yield Violation("ASL-APH-1", f"{end} cannot be entered: {cost.barred}", cells=(end.cell,))
        return
    row = now.ground.beneath(end.cell)
    if row.all_mf and cost.all_mf:
        yield Violation("ASL-APH-1", f"nobody advances into {row.key}", cells=(end.cell,))
    enemies = now.people(end, other(action.side))
    if enemies and not now.is_armed(unit):
        text = f"the unarmed do not enter {end}, where {enemies[0].id} is"
        yield Violation("ASL-A20.54a", text, cells=(end.cell,), units=(name,))
    has = allowance(now, unit, (unit,))
    if has <= 0:
        yield Violation("ASL-A4.72b", f"{name} carries too much to move", units=(name,))
    elif is_difficult(now, unit, cost) and unit.has(marks.CX):
        text = f"{name} is CX, and {end.cell} is difficult terrain for it"
        yield Violation("ASL-A4.72a", text, units=(name,), cells=(end.cell,))


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Who can advance, and the locations next to him."""
    if slot == "unit":
        bar = {marks.BROKEN, marks.PINNED, marks.TI, marks.MELEE, marks.ADVANCED, marks.BERSERK}
        return tuple(u.id for u in now.on_map(action.side) if not u.flags & bar)
    unit = now.position.units.get(str(action.given("unit")))
    if unit is None or not unit.cell:
        return ()
    if slot == "to":
        return (*now.ground.near[unit.cell], unit.cell)
    if slot == "level":
        cell = str(action.given("to", ""))
        if cell == unit.cell:
            return tuple(n for n in now.ground.levels(cell) if n != unit.level) or (None,)
        return (None, *(n for n in now.ground.levels(cell) if n)) if unit.level else (None,)
    return None


def _fears_armour(play: Play, unit: Unit, end: Location) -> bool:
    """ASL-APH-2: who advances on armour takes a task check first, and is pinned if he fails."""
    if not feared_in(play.now, end, other(unit.side)) or face(play, unit.id, "ASL-APH-2"):
        return False
    play.mark(unit.id, marks.ADVANCED)
    return True


def advance(play: Play, action: Action) -> None:
    """ASL-APH-1, ASL-A4.72b: who goes into difficult terrain is CX when the phase is over."""
    now = play.now
    unit = now.unit(action.text("unit"))
    end = Location(action.text("to"), action.number("level"))
    cost = price(now, now.at(unit), end, (unit,))
    difficult = is_difficult(now, unit, cost)
    if _fears_armour(play, unit, end):
        return
    place_hidden(play, unit.id, "it advances")  # ASL-HIP-1
    if comes_out_of(now, unit, end):  # ASL-SF-1
        play.note(unit.id, street_from=str(now.at(unit)))
    play.do(MoveUnit(unit.id, end.cell, end.level))
    play.mark(unit.id, marks.ADVANCED)
    share_ring(play, unit.id)
    for weapon in now.weapons(unit):
        play.mark(weapon.id, marks.CARRIED)
    cloak(play, unit.id)
    if difficult:
        play.note(unit.id, exhausted=True)
    alarm_adjacent(play, end)
    expose_by_move(play, (unit.id,), quiet=True)  # ASL-CONL-2: an advance is no move
