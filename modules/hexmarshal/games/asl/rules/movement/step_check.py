"""Whether a stack may take its next step: a hex, a level, a hexside in bypass."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.heat_of_battle import charge
from hexmarshal.games.asl.rules.movement.bypass import bypass_step, vertex_exits
from hexmarshal.games.asl.rules.movement.costs import Price, bypass_price, is_road_step, price
from hexmarshal.games.asl.rules.movement.stack import (
    NOBODY,
    Moving,
    left_of,
    moving,
    place_of_group,
)
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.action import Action
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Record, Value

__all__ = ["candidates", "check", "price_from"]


def check(now: Situation, action: Action) -> Verdict:
    """ASL-MOVE-5 and what a step costs."""
    move = moving(now)
    if move is None:
        return Verdict()  # the kernel has told that it is out of turn
    if action.open("level") or action.open("along"):
        return _open_verdict(now, move, action)
    return _verdict(now, move, action)


def _verdict(now: Situation, move: Moving, action: Action) -> Verdict:
    found: list[Price] = []
    verdict = Verdict.of(_faults(now, move, action, found))
    return Verdict(verdict.violations, found[0].cost()) if found else verdict


def _open_verdict(now: Situation, move: Moving, action: Action) -> Verdict:
    """Of a hex whose level or hexside is not chosen yet: the first way in that is allowed."""
    cell, level = action.text("to"), action.given("level")
    wanted = (level,) if level is not None else candidates(now, action, "level") or (None,)
    first: Verdict | None = None
    for one in wanted:
        given: Record = FrozenMap({"to": cell, **({} if one is None else {"level": one})})
        begun = Action(action.kind, action.side, given)
        for side in candidates(now, begun, "along") or (None,):
            whole = begun if side is None else replace(begun, params=given.set("along", side))
            verdict = _verdict(now, move, whole)
            if verdict.legal:
                return verdict
            first = first or verdict
    return first or Verdict()


def _faults(
    now: Situation, move: Moving, action: Action, found: list[Price]
) -> Iterator[Violation]:
    if not move.units:
        yield NOBODY
        return
    if move.found:
        text = f"a single man was found in {move.found}: overrun him, or end the move"
        yield Violation("ASL-A12.15d", text, cells=(move.found,))
        return
    start = place_of_group(now, move)
    cell = action.text("to")
    level = action.number("level")
    side = action.given("along")
    group = [now.unit(name) for name in move.units]
    end = Location(cell, level)
    if level not in now.ground.levels(cell):
        yield Violation("ASL-MOVE-5", f"{cell} has no level {level}", cells=(cell,))
        return
    yield from _entry_faults(now, move, start, end)
    if isinstance(side, int):
        yield from bypass_step(now, group, start, cell, side)
        cost = bypass_price(now, cell)
    else:
        if group[0].place.startswith("bypass:") and end.cell != start.cell:
            yield from vertex_exits(now, group[0], start, cell)
        cost = price_from(now, group, start, end)
    found.append(cost)
    if cost.barred:
        rule = "ASL-A4.134c" if move.minimum else cost.rule or "ASL-MOVE-5"
        yield Violation(rule, f"{end} cannot be entered: {cost.barred}", cells=(cell,))
        return
    yield from _weapon_faults(now, group, start, end)
    yield from charge.step_faults(now, group, end)
    if not charge.is_charge(group):
        yield from _enemy_faults(now, end, action.side, bypass=isinstance(side, int))
    yield from _factor_faults(now, move, start, end, cost, bypass=isinstance(side, int))


def _weapon_faults(
    now: Situation, group: list[Unit], start: Location, end: Location
) -> Iterator[Violation]:
    """ASL-SW-3: what somebody else has carried in this phase stays where it is."""
    if start == end:
        return
    for unit in group:
        for weapon in now.weapons(unit):
            if weapon.has(marks.STAYS):
                text = f"{weapon.id} has been moved in this phase already"
                yield Violation("ASL-SW-3", text, units=(weapon.id, unit.id))


def price_from(now: Situation, group: list[Unit], start: Location, end: Location) -> Price:
    """ASL-BYP-2: out of bypass into the obstacle of the same hex, its full cost."""
    if group[0].place.startswith("bypass:") and start == end:
        from hexmarshal.rules.verdict import CostPart

        row = now.ground.terrain(end.cell)
        return Price([CostPart(row.cost or Fraction(0), row.key, "ASL-BYP-2", end.cell)])
    cost = price(now, start, end, group)
    if start.cell and any(now.encircled(u) for u in group) and not cost.barred:
        from hexmarshal.rules.verdict import CostPart

        extra = CostPart(cost.total, "out of encirclement", "ASL-ENC-2", end.cell)
        return Price([*cost.parts, extra], all_mf=cost.all_mf, minimum=cost.minimum)
    return cost


def _entry_faults(
    now: Situation, move: Moving, start: Location, end: Location
) -> Iterator[Violation]:
    if not start.cell:
        entry = now.unit(move.units[0]).values.get("entry", ())
        if isinstance(entry, tuple) and entry and end.cell not in entry:
            yield Violation("ASL-MOVE-1", f"{end.cell} is not where they enter", cells=(end.cell,))
    if move.dash:
        wanted = move.dash[min(move.steps, len(move.dash) - 1)]
        if end.cell != wanted:
            yield Violation("ASL-DASH-1", f"the dash goes to {wanted}", cells=(end.cell,))
    if move.minimum and move.steps:
        yield Violation("ASL-A4.134a", "a minimum move is one hex", units=move.units)
    if move.assault and move.steps:
        yield Violation("ASL-AM-1", "assault movement is one location", units=move.units)


def _enemy_faults(now: Situation, end: Location, side: str, *, bypass: bool) -> Iterator[Violation]:
    """ASL-MOVE-5, ASL-BYP-3: not into a hex of the enemy's, unless he is disrupted or unarmed."""
    move = moving(now)
    if move is not None and any(_is_bare(now, name) for name in move.units):
        there = now.people(end, other(side))
        if there and not bypass:
            text = f"the unarmed do not enter {end}, where {there[0].id} is"
            yield Violation("ASL-A20.54a", text, cells=(end.cell,), units=(there[0].id,))
            return
    enemies = [
        unit
        for unit in now.people(end, other(side))
        # ASL-A12.15a: who is concealed is found out by trying.
        if not unit.flags & {marks.DISRUPTED, marks.UNARMED, *marks.UNSEEN}
    ]
    if enemies:
        rule = "ASL-BYP-3" if bypass else "ASL-MOVE-5"
        names = tuple(unit.id for unit in enemies)
        yield Violation(
            rule, f"{end} is held by {', '.join(names)}", cells=(end.cell,), units=names
        )


def _is_bare(now: Situation, name: str) -> bool:
    unit = now.unit(name)
    return unit.has(marks.UNARMED) and not now.is_armed(unit)


def _factor_faults(
    now: Situation, move: Moving, start: Location, end: Location, cost: Price, *, bypass: bool
) -> Iterator[Violation]:
    road = move.roads and is_road_step(now, start, end)
    left = left_of(now, move, road=road)
    if move.minimum:
        if left <= 0:  # ASL-A4.134c: what is barred has been told already
            yield Violation("ASL-A4.134a", "no MF are left for a minimum move", units=move.units)
        return
    if cost.minimum:
        text = f"the hexside to {end.cell} is crossed by a minimum move alone"
        yield Violation("ASL-A4.134a", text, cells=(end.cell,))
    if cost.all_mf:
        if move.spent:
            text = f"{end.cell} costs all MF, and {move.spent} are spent"
            yield Violation("ASL-MOVE-4", text, cells=(end.cell,))
        if move.double_time or any(now.unit(n).has(marks.CX) for n in move.units):
            yield Violation("ASL-CX-5", f"{end.cell} costs all MF of a CX unit", cells=(end.cell,))
        if move.assault:
            yield Violation("ASL-AM-1", f"{end.cell} costs all MF", cells=(end.cell,))
        return
    if cost.total > left:
        text = f"{end.cell} costs {cost.total} MF, and {left} are left"
        yield Violation("ASL-MOVE-4", text, cells=(end.cell,), units=move.units)
    elif move.assault and cost.total >= left:
        text = f"assault movement may not use all {left} MF"
        yield Violation("ASL-AM-1", text, cells=(end.cell,), units=move.units)
    elif bypass and cost.total >= left:
        text = "no MF would be left to get out of bypass"
        yield Violation("ASL-BYP-1", text, cells=(end.cell,), units=move.units)


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Where a step may lead: the hexes around, other levels, hexsides to pass along."""
    move = moving(now)
    if move is None or not move.units:
        return ()
    start = place_of_group(now, move)
    if slot == "to":
        if not start.cell:
            entry = now.unit(move.units[0]).values.get("entry", ())
            return entry if isinstance(entry, tuple) and entry else tuple(now.ground.names)
        return (*now.ground.near[start.cell], start.cell)
    if slot == "level":
        cell = str(action.given("to", ""))
        if cell == start.cell:
            others = tuple(n for n in now.ground.levels(cell) if n != start.level)
            # ASL-BYP-2: out of bypass the hex itself can be entered, too
            bypassing = now.unit(move.units[0]).place.startswith("bypass:")
            return (None, *others) if bypassing or not others else others
        levels = tuple(n for n in now.ground.levels(cell) if n) if start.level else ()
        return (None, *levels)
    if slot == "along":
        cell = str(action.given("to", ""))
        if not cell or not now.ground.terrain(cell).bypass or action.given("level"):
            return (None,)
        return (None, *range(6))
    return None
