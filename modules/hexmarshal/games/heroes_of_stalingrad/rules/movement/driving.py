"""HOS-2.40 to HOS-2.50, HOS-3.8: vehicles of two cells: driving, turning, crushing, pushing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.rules.assault.launch import target_faults
from hexmarshal.games.heroes_of_stalingrad.rules.movement import march, wrecks
from hexmarshal.games.heroes_of_stalingrad.rules.movement.steps import (
    allowance,
    difficult,
    end_faults,
    entry_faults,
)
from hexmarshal.games.heroes_of_stalingrad.rules.sequence.agenda import go_on
from hexmarshal.games.heroes_of_stalingrad.rules.sequence.whose import mover_faults, movers
from hexmarshal.geometry.lattice.footprints import Footprint
from hexmarshal.rules.state.effects import MoveUnit
from hexmarshal.rules.verdict import Cost, CostPart, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.heroes_of_stalingrad.state.execution import Play
    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

__all__ = [
    "WORDS",
    "advance",
    "candidates",
    "check",
    "check_on",
    "drive",
    "drive_on",
    "listed",
    "on_candidates",
    "reach",
    "straight",
]

# HOS-2.40, HOS-2.41: one cell ahead or back; an eighth to the left or right, about front or rear.
WORDS = ("ahead", "back", "left", "right", "left_rear", "right_rear")


@dataclass(frozen=True, slots=True)
class Stage:
    """Where a vehicle is after some steps: its cells, and whether it must stop."""

    front: str
    rear: str
    facing: int
    lead: str = ""
    stopped: bool = False


def _stage(unit: Unit) -> Stage:
    rear = unit.footprint[0] if unit.footprint else unit.cell
    return Stage(unit.cell, rear, (unit.facing or 0) % 8)


def _after(now: Situation, stage: Stage, word: str) -> Stage:
    """The stage after one step; a cell off the board is ''."""
    ground = now.ground
    print_ = Footprint(ground.square(stage.front), stage.facing)
    if word in ("ahead", "back"):
        moved = print_.driven(1 if word == "ahead" else -1)
        lead = moved.front if word == "ahead" else moved.rear
    else:
        turn = -1 if word.startswith("left") else 1
        about_rear = word.endswith("_rear")
        moved = print_.turned(turn, about_rear=about_rear)
        lead = moved.front if about_rear else moved.rear
    front, rear = ground.name(moved.front), ground.name(moved.rear)
    return Stage(front, rear, moved.facing % 8, ground.name(lead))


def _step_faults(
    now: Situation, unit: Unit, stage: Stage, word: str, target: str, push: str
) -> Iterator[Violation]:
    after = _after(now, stage, word)
    mine = (unit.id,)
    if not after.front or not after.rear:
        yield Violation("HOS-2.40", "it would leave the board", cells=(stage.front,), units=mine)
        return
    if stage.stopped:
        text = f"the move ends in {stage.lead}"
        yield Violation("HOS-3.7", text, cells=(stage.lead,), units=mine)
        if difficult(now, stage.lead):
            text = f"its leading edge is in {stage.lead}, and not past it"
            yield Violation("HOS-3.8", text, cells=(stage.lead,), units=mine)
    origin = stage.rear if word == "back" else stage.front
    if word not in ("ahead", "back"):
        # It swings about the end that stays: its other end goes from cell to adjacent cell.
        origin = stage.rear if word.endswith("_rear") else stage.front
    pushed = push if word in ("ahead", "back") else ""
    wreck = next((w for w in now.wrecks(after.lead) if w.id == pushed), None)
    if wreck is not None:
        direction = after.facing if word == "ahead" else after.facing + 4
        yield from wrecks.push_faults(now, unit, wreck, after.lead, direction % 8)
    else:
        barred = list(entry_faults(now, unit, origin, after.lead))
        yield from barred
        if barred and after.facing % 2 and word in ("ahead", "back"):
            text = "diagonally it passes between forbidden cells, never into one"
            yield Violation("HOS-2.42", text, cells=(after.lead,), units=mine)
    for one in now.occupants(after.lead):
        if one.id in (unit.id, target) or not now.is_vehicle(one):
            continue  # HOS-2.43: it drives through infantry of either side
        if now.option("vehicles_pass") and one.side == unit.side:
            continue
        text = f"it cannot drive through {one.id} in {after.lead}"
        yield Violation("HOS-2.43", text, cells=(after.lead,), units=(unit.id, one.id))


def _next(now: Situation, stage: Stage, word: str, target: str, push: str) -> Stage:
    after = _after(now, stage, word)
    stop = bool(after.lead) and (
        difficult(now, after.lead)
        or any(one.id == target for one in now.occupants(after.lead))
        or any(w.id == push for w in now.wrecks(after.lead))  # HOS-2.48: then it stops
    )
    return Stage(after.front, after.rear, after.facing, after.lead, stop)


def check(now: Situation, action: Action) -> Verdict:
    """All that a drive breaks, and its bill."""
    bill: list[CostPart] = []
    found = Verdict.of(_faults(now, action, bill))
    return Verdict(found.violations, Cost(tuple(bill), "cells"))


def _faults(now: Situation, action: Action, bill: list[CostPart]) -> Iterator[Violation]:
    unit = now.unit(action.text("unit"))
    yield from mover_faults(now, unit, action.side)
    if not now.is_live(unit):
        return
    if now.counter(unit).cells < 2 or not unit.footprint:
        yield Violation("HOS-2.39", f"{unit.id} covers one cell: it moves", units=(unit.id,))
        return
    target = action.text("assault")
    if target:
        yield from target_faults(now, unit, target, unit.steps)
    push = action.text("push")
    if push:
        yield from wrecks.may_push(now, unit, now.unit(push))
    yield from _path(now, unit, action, (allowance(now, unit), 0), bill, target, push)


def _path(
    now: Situation,
    unit: Unit,
    action: Action,
    points_spent: tuple[int | None, int],
    bill: list[CostPart],
    target: str,
    push: str,
) -> Iterator[Violation]:
    points, spent = points_spent
    stage, mine = _stage(unit), (unit.id,)
    words = action.texts("steps")
    if points is None and words:
        yield Violation("HOS-2.37", f"{unit.id} has movement X", units=mine)
        return
    for word in words:
        if word not in WORDS:
            text = f"{word!r} is not one of {', '.join(WORDS)}"
            yield Violation("HOS-2.40", text, units=mine, field="steps")
            return
        faults = list(_step_faults(now, unit, stage, word, target, push))
        yield from faults
        stage = _next(now, stage, word, target, push)
        if not stage.front or not stage.rear:
            return
        rule = "HOS-2.40" if word in ("ahead", "back") else "HOS-2.41"
        bill.append(CostPart(1, word, rule, stage.lead))
    total = spent + len(words)
    if total > (points or 0):
        text = f"{total} cells, and {unit.id} goes {points}"
        yield Violation("HOS-2.40", text, units=mine)
        if now.suppressed(unit):
            yield Violation("HOS-2.33", text, units=mine)
    if action.given("pause") is not True:
        for cell in (stage.front, stage.rear):
            if not (target and any(o.id == target for o in now.occupants(cell))):
                yield from end_faults(now, unit, cell, cured_by="steps")


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """What may be chosen for a slot of a drive."""
    if slot == "unit":
        return movers(now, action.side, cells=2)
    unit = now.position.units.get(str(action.given("unit", "")))
    if unit is None:
        return None
    if slot == "assault":
        from hexmarshal.games.heroes_of_stalingrad.rules.assault.launch import assault_targets

        return (
            (None, *assault_targets(now, unit)) if now.position.phase == "activation" else (None,)
        )
    if slot == "push":
        return (None, *wrecks.pushable(now, unit))
    return _common(now, slot)


def _common(now: Situation, slot: str) -> Iterable[Value] | None:
    if slot == "steps":
        return WORDS
    if slot == "pause":
        return (None, True) if now.position.phase == "activation" else (None,)
    return None


def reach(
    now: Situation, unit: Unit, points: int, *, push: str = "", target: str = ""
) -> dict[tuple[str, int], tuple[str, ...]]:
    """Every front cell and facing in which a vehicle can end, with a shortest way."""
    start = _stage(unit)
    found: dict[tuple[str, int], tuple[str, ...]] = {}
    seen = {(start.front, start.facing)}
    waiting: list[tuple[Stage, tuple[str, ...]]] = [(start, ())]
    for stage, way in waiting:
        if len(way) >= points or stage.stopped:
            continue
        for word in WORDS:
            if any(True for _ in _step_faults(now, unit, stage, word, target, push)):
                continue
            after = _next(now, stage, word, target, push)
            key = after.front, after.facing
            if key in seen:
                continue
            seen.add(key)
            longer = (*way, word)
            ends = (after.front, after.rear)
            if not any(f for cell in ends for f in end_faults(now, unit, cell)):
                found[key] = longer
            waiting.append((after, longer))
    return found


def straight(now: Situation, unit: Unit, end: str, most: int) -> tuple[str, ...]:
    """The steps ahead or back that end in a cell, whatever bars them; none if it is elsewhere."""
    for word in ("ahead", "back"):
        stage = _stage(unit)
        for count in range(1, most + 1):
            stage = _after(now, stage, word)
            if stage.front == end:
                return (word,) * count
            if not stage.front:
                break
    return ()


def listed(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """One shortest way to every place in which the vehicle can end."""
    if slot == "pause":
        return (None,)
    unit = now.position.units.get(str(action.given("unit", "")))
    if slot == "steps" and unit is not None:
        push, target = (str(action.given(name) or "") for name in ("push", "assault"))
        return [(), *reach(now, unit, allowance(now, unit) or 0, push=push, target=target).values()]
    return None


def drive(play: Play, action: Action) -> None:
    """The Move Action begins."""
    unit = play.unit(action.text("unit"))
    march.begin(play, unit, action, plan=action.texts("steps"))
    go_on(play)


def check_on(now: Situation, action: Action) -> Verdict:
    """What is wrong with the rest of a drive."""
    bill: list[CostPart] = []
    found = Verdict.of(_on_faults(now, action, bill))
    return Verdict(found.violations, Cost(tuple(bill), "cells"))


def _on_faults(now: Situation, action: Action, bill: list[CostPart]) -> Iterator[Violation]:
    frame = now.moving
    if frame is None:
        return
    unit = now.unit(frame.text("unit"))
    if now.counter(unit).cells < 2:
        yield Violation("HOS-2.39", f"{unit.id} covers one cell: it moves", units=(unit.id,))
        return
    words = action.texts("steps")
    entered = frame.texts("path")
    if words and entered and difficult(now, entered[-1]):
        text = f"difficult passage in {entered[-1]} ends the move"
        yield Violation("HOS-3.7", text, cells=entered[-1:], units=(unit.id,))
        yield Violation("HOS-3.8", text, cells=entered[-1:], units=(unit.id,))
    points, spent = (
        n if isinstance(n := frame.value(k), int) else 0 for k in ("allowance", "spent")
    )
    assault, push = frame.text("assault"), frame.text("push")
    yield from _path(now, unit, action, (points, spent), bill, assault, push)


def on_candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """What may be chosen for the rest of a drive."""
    del action
    return _common(now, slot)


def drive_on(play: Play, action: Action) -> None:
    """The driver goes on, or ends the move."""
    play.answered("step")
    play.change("moving", plan=action.texts("steps"), pause=action.flag("pause"))
    play.first({"kind": "march"})
    go_on(play)


def advance(play: Play, unit: Unit, word: str) -> None:
    """One step of a vehicle: it may push a wreck, crush one, or come upon its target."""
    now, frame = play.now, play.now.moving
    assert frame is not None
    target, push = frame.text("assault"), frame.text("push")
    stage = _stage(unit)
    spent = frame.value("spent", 0)
    count = (spent if isinstance(spent, int) else 0) + 1
    if any(True for _ in _step_faults(now, unit, stage, word, target, push)):
        play.change("moving", plan=(), pause=True)
        play.first({"kind": "march"})
        return
    after = _next(now, stage, word, target, push)
    if target and any(one.id == target for one in now.occupants(after.lead)):
        play.change("moving", spent=count, plan=(), reached=True)
        play.first({"kind": "finish_move"})
        return
    wreck = next((w for w in now.wrecks(after.lead) if w.id == push), None)
    entries: list[dict[str, object]] = []
    if wreck is not None and word in ("ahead", "back"):
        direction = after.facing if word == "ahead" else (after.facing + 4) % 8
        entries += wrecks.push(play, unit, wreck, direction)
        play.change("moving", stopped=True)
    play.do(MoveUnit(unit.id, after.front, footprint=(after.rear,), facing=after.facing))
    play.change("moving", spent=count, path=(*frame.texts("path"), after.lead))
    entries += wrecks.crushed(play, unit, after.lead)
    play.first(*entries, {"kind": "window", "unit": unit.id, "trigger": "move"}, {"kind": "march"})
