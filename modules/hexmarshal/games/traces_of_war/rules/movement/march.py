"""Section 9.0: moves of single units, and how far a unit can go."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

from hexmarshal.games.traces_of_war.rules.ground.control import enter, sweep
from hexmarshal.games.traces_of_war.rules.ground.stacking import crowded, overfull
from hexmarshal.games.traces_of_war.rules.movement.costs import leg, ours
from hexmarshal.games.traces_of_war.rules.sequence.agenda import go_on
from hexmarshal.rules.state.effects import ChangeFrame, MoveUnit
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Cost, Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.traces_of_war.state.execution import Play
    from hexmarshal.games.traces_of_war.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value
    from hexmarshal.rules.verdict import Amount, CostPart

__all__ = ["COMING", "candidates", "check", "listed", "may_move", "mark_moved", "move", "reach"]

# How those come who wait beside the map: by a token, or bought.
COMING = {"arrivals": "TOW-11.1a", "reserve": "TOW-11.2"}
Reach = dict[str, tuple["Amount", tuple[str, ...]]]


def may_move(now: Situation, unit: Unit, side: str) -> Iterator[Violation]:
    """TOW-9.0a: only activated units move, each once, one after the other."""
    active = now.activation
    mine = (unit.id,)
    if unit.side != side:
        yield Violation("TOW-9.0a", f"{unit.id} is not {side}'s", units=mine)
    elif unit.box in COMING:
        text = f"{unit.id} is a reinforcement that has not come yet"
        yield Violation(COMING[unit.box], text, units=mine)
    elif active is None or unit.id not in active.texts("units"):
        yield Violation("TOW-9.0a", f"{unit.id} is not activated", units=mine)
    elif unit.id in active.texts("moved"):
        yield Violation("TOW-9.0a", f"{unit.id} has moved in this activation", units=mine)
    elif not unit.cell:
        yield Violation("TOW-9.0a", f"{unit.id} is not on the map", units=mine)


def check(now: Situation, action: Action) -> Verdict:
    """All that a move breaks, and its bill."""
    bill: list[CostPart] = []
    found = Verdict.of(_faults(now, action, bill))
    return Verdict(found.violations, Cost(tuple(bill), "MP"))


def _faults(now: Situation, action: Action, bill: list[CostPart]) -> Iterator[Violation]:
    unit = now.unit(action.text("unit"))
    mine = (unit.id,)
    barred = list(may_move(now, unit, action.side))
    yield from barred
    if barred and not unit.cell:
        return
    strategic = action.flag("strategic")
    if strategic:
        yield from _strategic_start(now, unit)
    path = action.texts("path")
    if not path:
        yield Violation(
            "TOW-9.0a", "a move enters at least one hex", field="path", cured_by=("path",)
        )
        return
    here, stopped = unit.cell, False
    for i, cell in enumerate(path):
        if stopped:
            text = f"it must stop in the marsh {here}"
            yield Violation("TOW-9.3c", text, cells=(here,), units=mine)
        step = leg(now, unit, here, cell, strategic=strategic, first=i == 0)
        bill.extend(step.parts)
        yield from step.faults
        here, stopped = cell, step.stops
        if here not in now.board.hexes:
            return
    total = sum((part.amount for part in bill), start=0)
    if total > (has := now.allowance(unit)):
        # No unit has a hex for free: there is no least move.
        yield Violation("TOW-9.1a", f"the move costs {total} MP, it has {has}", units=mine)
    elif not has:
        yield Violation("TOW-9.1a", "it has no movement points", units=mine)
    if rule := crowded(now, unit, here):
        # TOW-9.0b, TOW-5.0b: judged where it ends, not on the way.
        yield from overfull(now, unit, here, rule, "TOW-9.0b", "path")


def _strategic_start(now: Situation, unit: Unit) -> Iterator[Violation]:
    mine, here = (unit.id,), (unit.cell,)
    if not now.board.has_road(unit.cell):
        yield Violation("TOW-9.2b", f"{unit.cell} is not on a road", cells=here, units=mine)
    if now.in_enemy_zone(unit.cell, unit.side):
        text = f"it starts in an enemy zone of control at {unit.cell}"
        yield Violation("TOW-9.2c", text, cells=here, units=mine)


def reach(now: Situation, unit: Unit, *, strategic: bool = False) -> Reach:
    """Every hex that a unit can end in, with the cheapest cost and its path."""
    if strategic and any(True for _ in _strategic_start(now, unit)):
        return {}
    allowance = now.allowance(unit)
    done: set[tuple[str, bool]] = set()
    found: Reach = {}
    frontier: list[tuple[Amount, tuple[str, ...], bool]] = [(0, (), False)]
    while frontier:
        spent, path, stopped = heapq.heappop(frontier)
        here = path[-1] if path else unit.cell
        if (here, stopped) in done:
            continue
        done.add((here, stopped))
        if path and here not in found and not crowded(now, unit, here):
            found[here] = (spent, path)
        if stopped:
            continue
        for near in now.board.near.get(here, ()):
            if (near, False) in done:
                continue
            step = leg(now, unit, here, near, strategic=strategic, first=not path)
            if not step.faults and 0 < spent + step.cost <= allowance:
                heapq.heappush(frontier, (spent + step.cost, (*path, near), step.stops))
    found.pop(unit.cell, None)
    return found


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """The units that may still move; strategic movement or not."""
    del action
    if slot == "strategic":
        return (None, True)
    if slot == "unit":
        active = now.activation
        return () if active is None else active.texts("units")
    return None


def listed(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """One cheapest path to every hex that the unit can end in."""
    if slot != "path":
        return None
    unit = now.unit(action.text("unit"))
    found = reach(now, unit, strategic=action.flag("strategic"))
    return [path for _, path in found.values()]


def mark_moved(play: Play, unit: Unit) -> None:
    """The unit has had its move."""
    active = play.now.activation
    if active is not None:
        moved = (*active.texts("moved"), unit.id)
        play.do(ChangeFrame("activation", about=FrozenMap({"moved": moved})))


def move(play: Play, action: Action) -> None:
    """Carry out a move."""
    unit, path = play.now.unit(action.text("unit")), action.texts("path")
    cost = check(play.now, action).cost
    play.do(MoveUnit(unit.id, path[-1]))
    mark_moved(play, unit)
    steps = [Step(f"{play.now.name(unit)} goes to {path[-1]} for {cost.total} MP", "TOW-9.1a")]
    if not action.flag("strategic") and (kinds := ours(play.now, unit.cell, path)):
        text = f"what {' and '.join(kinds)} costs to enter is ours, not the rulebook's"
        steps.append(Step(text, "TOW-9.1a"))
    steps += enter(play, unit, path)
    steps += sweep(play)
    play.decide(Resolution("move", f"ends in {path[-1]}", steps=tuple(steps)))
    go_on(play)
