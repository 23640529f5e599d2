"""HOS-2.30 to HOS-2.39, HOS-9.1: Move Actions of units of one cell, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.rules.assault.launch import (
    assault_targets,
    must_assault,
    start_faults,
    target_faults,
)
from hexmarshal.games.heroes_of_stalingrad.rules.movement.states import flip_faults
from hexmarshal.games.heroes_of_stalingrad.rules.movement.steps import (
    allowance,
    difficult,
    end_faults,
    reach,
    step_faults,
)
from hexmarshal.games.heroes_of_stalingrad.rules.movement.transport import (
    boardable,
    boarding_cost,
    boarding_faults,
    leaving_faults,
)
from hexmarshal.games.heroes_of_stalingrad.rules.sequence.agenda import go_on
from hexmarshal.games.heroes_of_stalingrad.rules.sequence.whose import mover_faults, movers
from hexmarshal.games.heroes_of_stalingrad.state.ground.ground import WINDOW
from hexmarshal.rules.copying import copied
from hexmarshal.rules.verdict import Cost, CostPart, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.heroes_of_stalingrad.state.execution import Play
    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.frames import Frame
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

__all__ = [
    "begin",
    "candidates",
    "check",
    "check_on",
    "go_on_moving",
    "listed",
    "listed_on",
    "move",
    "on_candidates",
]


def check(now: Situation, action: Action) -> Verdict:
    """All that a Move Action breaks, and its bill."""
    bill: list[CostPart] = []
    found = Verdict.of(_faults(now, action, bill))
    return Verdict(found.violations, Cost(tuple(bill), "cells"))


def _faults(now: Situation, action: Action, bill: list[CostPart]) -> Iterator[Violation]:
    unit = now.unit(action.text("unit"))
    barred = list(mover_faults(now, unit, action.side))
    yield from barred
    if not now.is_live(unit):
        return
    if now.counter(unit).cells > 1:
        text = f"{unit.id} covers two cells: it is driven"
        yield Violation("HOS-2.40", text, units=(unit.id,))
        return
    flip = action.text("flip")
    yield from flip_faults(now, unit, flip)
    steps = 3 - unit.steps if flip == "start" else unit.steps
    target = action.text("assault")
    if target:
        yield from target_faults(now, unit, target, steps)
    points = allowance(now, unit, steps)
    path = action.texts("path")
    yield from _leaving(now, unit, flip, path)
    yield from _walk(now, unit, action, (_starts(now, unit), points, 0), path, bill, target)


def _starts(now: Situation, unit: Unit) -> tuple[str, ...]:
    return tuple(c for c in now.cells(unit) if now.ground.has(c))


def _leaving(now: Situation, unit: Unit, flip: str, path: tuple[str, ...]) -> Iterator[Violation]:
    if unit.carrier and path:
        yield from leaving_faults(now, unit, flip)


def _walk(
    now: Situation,
    unit: Unit,
    action: Action,
    begin_with: tuple[tuple[str, ...], int | None, int],
    path: tuple[str, ...],
    bill: list[CostPart],
    target: str,
    *,
    begun: bool = False,
) -> Iterator[Violation]:
    """The path itself, and how it ends; `begun`: it is the rest of a Move Action."""
    starts, points, spent = begin_with
    mine = (unit.id,)
    if points is None:
        if path:
            yield Violation("HOS-2.37", f"{unit.id} has movement X", units=mine)
            return
        points = 0
    elif not points and not path and not now.option("immobilised_null_move"):
        yield Violation("HOS-2.33", f"{unit.id} is immobilised", units=mine)
        yield Violation("HOS-2.31", f"{unit.id} is immobilised: no null move either", units=mine)
    here = ""
    stopped = False
    windows = _windows(now, unit)
    for cell in path:
        if not now.ground.has(cell):
            return
        if stopped:
            text = f"difficult passage in {here} ends the move"
            yield Violation("HOS-3.7", text, cells=(here,), units=mine)
        near = (here,) if here else starts
        faults = [
            list(step_faults(now, unit, a, cell, target=target, windows=windows)) for a in near
        ]
        yield from min(faults, key=len)
        beside = [one for one in near if cell in now.ground.near[one]]
        if any(now.ground.passage(one, cell) == WINDOW for one in beside):
            windows -= 1
        bill.append(CostPart(1, "cell", "HOS-2.30", cell))
        here, stopped = cell, difficult(now, cell)
        if target and any(one.id == target for one in now.occupants(cell)):
            if len(path) > 1 or not unit.carrier:
                yield from start_faults(now, unit, path[-2] if len(path) > 1 else near[0])
            stopped = True  # HOS-5.43: the step into the defender's cell is the last one
    total = spent + len(path)
    if total > points:
        text = f"{total} cells, and {unit.id} goes {points}"
        rules = ["HOS-2.30"]
        if now.suppressed(unit):
            rules.append("HOS-2.33")
        if begun and points != (allowance(now, unit) or 0):
            rules.append("HOS-2.34")  # it goes as far as when it set out, neither less nor more
        if target and any(one.id == target for one in now.occupants(path[-1])):
            rules.append("HOS-5.43")
        for rule in rules:
            yield Violation(rule, text, cells=path[-1:], units=mine)
    at = here or (starts[0] if starts else "")
    yield from _end(now, unit, action, at, points - total, target)


def _windows(now: Situation, unit: Unit) -> int:
    """HOS-6.5: through how many windows a unit may go in this Move Action."""
    found = now.kept("windows").get(unit.id, 0)
    return found if isinstance(found, int) else 0


def _end(
    now: Situation, unit: Unit, action: Action, at: str, left: int, target: str
) -> Iterator[Violation]:
    vehicle = action.text("board")
    if vehicle:
        yield from boarding_faults(
            now, unit, now.unit(vehicle), at, flip=action.given("flip") == "end"
        )
        if boarding_cost(now) > left:
            text = "it has no movement left to board"
            yield Violation("HOS-5.91", text, units=(unit.id, vehicle))
    pause = action.given("pause") is True
    at_target = bool(target) and any(one.id == target for one in now.occupants(at))
    stays_aboard = bool(unit.carrier) and at in now.cells(unit)
    if not vehicle and not at_target and not pause and not stays_aboard:
        yield from end_faults(now, unit, at)
    if action.given("flip") == "end" and at_target:
        text = "an assault ends the move: there is no state to change"
        yield Violation("HOS-5.1", text, units=(unit.id,))


# Choosing


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """What may be chosen for a slot of a move."""
    if slot == "unit":
        return movers(now, action.side, cells=1)
    unit = now.position.units.get(str(action.given("unit", "")))
    if unit is None:
        return None
    if slot == "flip":
        return (None, "start", "end") if now.counter(unit).changes_state else (None,)
    if slot == "assault":
        return (
            (None, *assault_targets(now, unit)) if now.position.phase == "activation" else (None,)
        )
    return _common(now, unit, action, slot)


def _common(now: Situation, unit: Unit, action: Action, slot: str) -> Iterable[Value] | None:
    if slot == "path":
        so_far = action.so_far("path")
        ground = now.ground
        if so_far:
            return ground.near.get(so_far[-1], ())
        return dict.fromkeys(near for c in _starts(now, unit) for near in ground.near[c])
    if slot == "board":
        return (None, *boardable(now, unit))
    if slot == "facing":
        # HOS-5.1: what it will show counts, if it is turned over on the way.
        turned = action.given("flip") in ("start", "end")
        after = copied(unit, steps=3 - unit.steps) if turned else unit
        return (None, *range(8)) if now.face(after).arc < 360 else (None,)
    if slot == "pause":
        return (None, True) if now.position.phase == "activation" else (None,)
    return None


def listed(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """One shortest path to every cell that the unit can end in; no pauses, no turning."""
    unit = now.position.units.get(str(action.given("unit", "")))
    if slot == "pause" or (slot == "facing" and unit is not None and now.face(unit).arc >= 360):
        return (None,)
    if slot == "path" and unit is not None:
        flip = action.given("flip")
        points = allowance(now, unit, 3 - unit.steps if flip == "start" else None)
        target = str(action.given("assault") or "")
        found = reach(now, unit, points or 0, starts=_starts(now, unit))
        if target:
            return [p for p in _onto(now, unit, found, target) if len(p) <= (points or 0)]
        return [(), *found.values()]
    return None


def _onto(
    now: Situation, unit: Unit, found: dict[str, tuple[str, ...]], target: str
) -> Iterator[tuple[str, ...]]:
    """Paths that end in the cell of the unit assaulted."""
    ways = {**dict.fromkeys(_starts(now, unit), ()), **found}
    for goal in now.cells(now.unit(target)):
        near = [w for cell, w in ways.items() if goal in now.ground.near[cell]]
        if near:
            yield (*min(near, key=len), goal)


# Carrying it out


def move(play: Play, action: Action) -> None:
    """HOS-9.1: the Move Action begins."""
    unit = play.unit(action.text("unit"))
    begin(play, unit, action)
    go_on(play)


def begin(play: Play, unit: Unit, action: Action, plan: tuple[str, ...] | None = None) -> None:
    """A Move Action begins: what was announced is kept, and carried out step by step."""
    from hexmarshal.games.heroes_of_stalingrad.rules.movement.states import turn_over
    from hexmarshal.games.heroes_of_stalingrad.rules.sequence.activation import take_up

    take_up(play, unit, "move")
    flip = action.text("flip")
    if flip == "start":
        turn_over(play, unit.id)
    # HOS-2.34: what comes on the way does not change how far this move goes.
    points = allowance(play.now, play.unit(unit.id))
    about: dict[str, object] = {
        "unit": unit.id,
        "side": unit.side,
        "start": play.now.cells(unit),
        "allowance": points or 0,
        "spent": 0,
        "path": (),
        "plan": action.texts("path") if plan is None else plan,
        "flip": "end" if flip == "end" else "",
        "flipped": flip == "start",
        "assault": action.text("assault"),
        "push": action.text("push"),
        "board": action.text("board"),
        "pause": action.flag("pause"),
        "fired": False,
        "stopped": False,
        "spotted": False,
    }
    if action.params.get("facing") is not None:
        about["facing"] = action.number("facing")
    play.keep("moving", about)
    play.first({"kind": "march"})


# Going on


def check_on(now: Situation, action: Action) -> Verdict:
    """What is wrong with the rest of a Move Action."""
    bill: list[CostPart] = []
    found = Verdict.of(_on_faults(now, action, bill))
    return Verdict(found.violations, Cost(tuple(bill), "cells"))


def _on_faults(now: Situation, action: Action, bill: list[CostPart]) -> Iterator[Violation]:
    frame = now.moving
    if frame is None:
        return
    unit = now.unit(frame.text("unit"))
    if now.counter(unit).cells > 1:
        yield Violation("HOS-2.40", f"{unit.id} covers two cells: it is driven", units=(unit.id,))
        return
    path = action.texts("path")
    entered = frame.texts("path")
    if entered and path and difficult(now, entered[-1]):
        text = f"difficult passage in {entered[-1]} ends the move"
        yield Violation("HOS-3.7", text, cells=entered[-1:], units=(unit.id,))
    points, spent = (
        n if isinstance(n := frame.value(k), int) else 0 for k in ("allowance", "spent")
    )
    target = _named_target(now, frame)
    fresh = action.given("assault")
    if isinstance(fresh, str) and fresh:
        if target or not frame.text("assault"):
            text = "another target is chosen only for one that was destroyed on the way"
            yield Violation("HOS-5.44", text, units=(unit.id, fresh), field="assault")
        else:
            yield from target_faults(now, unit, fresh, unit.steps)
            target = fresh
    begin_with = (_starts(now, unit), points, spent)
    if action.text("flip") == "end" and frame.value("flipped") is True:
        text = f"{unit.id} has changed its state in this Move Action"
        yield Violation("HOS-5.1", text, units=(unit.id,))
    elif action.text("flip") and frame.value("spotted") is True:
        text = f"{unit.id} was spotted: it is turned over once in a Move Action"
        yield Violation("HOS-5.4", text, units=(unit.id,))
    elif action.text("flip"):
        yield from flip_faults(now, unit, "end")
    yield from _walk(now, unit, action, begin_with, path, bill, target, begun=True)
    others = now.occupants(path[-1]) if target and path and now.ground.has(path[-1]) else ()
    for one in others:
        if one.side != unit.side and one.id != target:
            text = f"the assault was announced on {target}, not on {one.id}"
            yield Violation("HOS-5.44", text, units=(unit.id, one.id))
    if target and action.given("pause") is not True:
        yield from must_assault(now, unit, target, path, points - spent)


def _named_target(now: Situation, frame: Frame) -> str:
    """The unit that the assault was announced on, as long as it is there."""
    target = now.position.units.get(frame.text("assault"))
    return target.id if target is not None and now.is_live(target) else ""


def on_candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """What may be chosen for the rest of a move."""
    frame = now.moving
    unit = None if frame is None else now.position.units.get(frame.text("unit"))
    if unit is None:
        return ()
    if slot == "flip":
        return (None, "end") if now.counter(unit).changes_state else (None,)
    if slot == "assault":
        lost = frame is not None and frame.text("assault") and not _named_target(now, frame)
        return (None, *assault_targets(now, unit)) if lost else (None,)
    return _common(now, unit, action, slot)


def listed_on(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """One shortest path to every cell that is left, and none."""
    del action
    frame = now.moving
    unit = None if frame is None else now.position.units.get(frame.text("unit"))
    if slot == "pause":
        return (None,)
    if slot == "path" and unit is not None and frame is not None:
        points, spent = (
            n if isinstance(n := frame.value(k), int) else 0 for k in ("allowance", "spent")
        )
        found = reach(now, unit, points - spent, starts=_starts(now, unit))
        target = _named_target(now, frame)
        onto = list(_onto(now, unit, found, target)) if target else []
        return [(), *found.values(), *(p for p in onto if len(p) <= points - spent)]
    return None


def go_on_moving(play: Play, action: Action) -> None:
    """The mover goes on, or ends its move where it is."""
    play.answered("step")
    changes: dict[str, object] = {
        "plan": action.texts("path"),
        "pause": action.flag("pause"),
        "board": action.text("board"),
        "flip": action.text("flip"),
    }
    if action.params.get("facing") is not None:
        changes["facing"] = action.number("facing")
    if action.text("assault"):
        changes["assault"] = action.text("assault")
    play.change("moving", **changes)
    play.first({"kind": "march"})
    go_on(play)
