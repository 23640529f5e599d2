"""Surrender in the rout phase: who gives up, to whom, and whether he is taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.morale.casualties import eliminate
from hexmarshal.games.asl.rules.prisoners.capture import can_guard, capture
from hexmarshal.games.asl.rules.rout import rout_check
from hexmarshal.games.asl.rules.rout.breaking import must_leave
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.traits import never_surrenders  # ASL-A20.21c
from hexmarshal.rules.action import Action
from hexmarshal.rules.state.effects import SetExtra
from hexmarshal.rules.values import FrozenMap, Value
from hexmarshal.rules.verdict import Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.ground import Location
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = [
    "ask_captor", "captors", "check_take", "gives_no_quarter", "must_surrender",
    "refuse", "surrenders", "take", "take_candidates",
]  # fmt: skip


def gives_no_quarter(now: Situation, side: str) -> bool:
    """ASL-PRIS-6: whether a side has refused to take prisoners."""
    found = now.position.extras.get("no_quarter", ())
    return isinstance(found, tuple) and side in found


def captors(now: Situation, unit: Unit) -> list[Unit]:
    """ASL-A20.21a, ASL-A20.21b: known armed enemies in good order ADJACENT to it, on foot."""
    at = now.at(unit)
    found = []
    for cell in (at.cell, *now.ground.near[at.cell]):
        for enemy in now.position.at(cell):
            if enemy.side == unit.side or not enemy.cell or not now.is_personnel(enemy):
                continue
            if now.is_hidden(enemy) or not now.good_order(enemy) or not can_guard(now, enemy):
                continue
            there = now.at(enemy)
            if there == at or now.adjacent(at, there):
                found.append(enemy)
    return found


def must_surrender(unit: Unit) -> bool:
    """ASL-A20.21a: disrupted or encircled units give up even if they could rout."""
    return bool(unit.flags & {marks.DISRUPTED, marks.ENCIRCLED})


def surrenders(now: Situation, unit: Unit) -> bool:
    """ASL-A20.21a: beside an enemy who could take it, and no way out but crawling."""
    if not unit.has(marks.BROKEN) or unit.has(marks.MELEE) or unit.has(marks.ROUTED):
        return False
    if not captors(now, unit) or never_surrenders(now, unit):
        return False
    return must_surrender(unit) or not _has_way(now, unit)


def _has_way(now: Situation, unit: Unit) -> bool:
    for path in rout_check.ways(now, unit):
        params = FrozenMap[Value]({"unit": unit.id, "path": path})
        if rout_check.check(now, Action("rout", unit.side, params)).legal:
            return True
    return False


def _thrown_back(now: Situation, unit: Unit) -> bool:
    """ASL-A12.15b: it has routed, in vain, and ends beside those who could take it."""
    return (
        unit.has(marks.ROUTED)
        and unit.has(marks.BROKEN)
        and bool(must_leave(now, unit))
        and bool(captors(now, unit))
        and not never_surrenders(now, unit)
    )


def ask_captor(play: Play, side: str) -> bool:
    """The stacks that surrender, one after the other; whether the captor was asked about one."""
    now = play.now
    for unit in now.on_map(side):
        if not surrenders(now, unit) and not _thrown_back(now, unit):
            continue
        place = now.at(unit)
        stack = [
            one.id for one in now.people(place, side) if one.id == unit.id or surrenders(now, one)
        ]
        guards = tuple(one.id for one in captors(now, unit))
        play.ask(
            "surrender",
            other(side),
            about={"units": tuple(stack), "guards": guards, "side": side},
        )
        return True
    return False


def check_take(now: Situation, action: Action) -> Verdict:
    """ASL-A20.21a: one of those ADJACENT to the stack."""
    return Verdict.of(_take_faults(now, action))


def _take_faults(now: Situation, action: Action) -> Iterator[Violation]:
    frame = now.position.frame("surrender")
    guard = action.given("guard")
    if frame is not None and isinstance(guard, str) and guard not in frame.texts("guards"):
        text = f"{guard} is not ADJACENT to those who surrender"
        yield Violation("ASL-A20.21a", text, units=(guard,))


def take_candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Who can take them."""
    del action
    frame = now.position.frame("surrender")
    return frame.texts("guards") if frame is not None and slot == "guard" else ()


def take(play: Play, action: Action) -> None:
    """ASL-A20.21b: the stack is taken as a whole, by the unit that the captor names."""
    from hexmarshal.games.asl.rules.sequence.turn import end_phase

    frame = play.answered("surrender")
    named = action.given("guard")
    first = str(named) if named else frame.texts("guards")[0]
    place = play.now.at(play.position.unit(first))
    near = [first, *(g for g in frame.texts("guards") if g != first and _at(play, g) == place)]
    for name in frame.texts("units"):
        capture(play, name, near, place, "ASL-A20.21a")
    end_phase(play, Action("end_phase", frame.text("side")))


def _at(play: Play, name: str) -> Location:
    return play.now.at(play.position.unit(name))


def refuse(play: Play, action: Action) -> None:
    """ASL-PRIS-6: no quarter: they are killed, and nobody surrenders to this side any more."""
    from hexmarshal.games.asl.rules.sequence.turn import end_phase

    frame = play.answered("surrender")
    old = play.position.extras.get("no_quarter", ())
    sides = old if isinstance(old, tuple) else ()
    if action.side not in sides:
        play.do(SetExtra("no_quarter", (*sides, action.side)))
    step = Step(f"{action.side} gives no quarter", "ASL-PRIS-6")
    play.decide(Resolution("surrender", "no quarter", steps=(step,)))
    for name in frame.texts("units"):
        eliminate(play, name)
    end_phase(play, Action("end_phase", frame.text("side")))
