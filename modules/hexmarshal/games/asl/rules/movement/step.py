"""One expenditure of movement factors: a hex, a level, a hexside in bypass."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.concealment.cover import cloak, place_hidden, reveal
from hexmarshal.games.asl.rules.concealment.detection import detect, drop_dummies, show_bypassed
from hexmarshal.games.asl.rules.concealment.loss import expose_by_move
from hexmarshal.games.asl.rules.defensive_fire import first_fire
from hexmarshal.games.asl.rules.defensive_fire.residual import attack_by_residual
from hexmarshal.games.asl.rules.fire.encirclement import share_ring
from hexmarshal.games.asl.rules.heat_of_battle import charge
from hexmarshal.games.asl.rules.morale.results import chosen_by_lot
from hexmarshal.games.asl.rules.movement.bypass import bypass_step, vertex_exits
from hexmarshal.games.asl.rules.movement.costs import Price, bypass_price, is_road_step, price
from hexmarshal.games.asl.rules.movement.stack import (
    NOBODY,
    Moving,
    left_of,
    moving,
    place_of_group,
)
from hexmarshal.games.asl.state import marks
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.situation import other
from hexmarshal.rules.action import Action
from hexmarshal.rules.state.effects import ChangeFrame, ChangeUnit, MoveUnit, SetExtra
from hexmarshal.rules.values import FrozenMap, show_number
from hexmarshal.rules.verdict import Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Record, Value

__all__ = ["candidates", "check", "go_on", "spend", "step", "still_moving"]


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
        cost = _price_from(now, group, start, end)
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


def _price_from(now: Situation, group: list[Unit], start: Location, end: Location) -> Price:
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


def step(play: Play, action: Action) -> None:
    """ASL-DFF-1: the step is made; then residual fire, then the DEFENDER may fire."""
    now = play.now
    move = moving(now)
    assert move is not None
    start = place_of_group(now, move)
    end = Location(action.text("to"), action.number("level"))
    side = action.given("along")
    group = [now.unit(name) for name in move.units]
    place = ""
    road = is_road_step(now, start, end)
    if isinstance(side, int):
        from hexmarshal.games.asl.rules.movement.bypass import place_along

        place = place_along(now, group[0], start, end.cell, side)
        cost = bypass_price(now, end.cell)
    else:
        cost = _price_from(now, group, start, end)
    left = left_of(now, move, road=road)
    total = left if cost.all_mf or move.minimum else cost.total
    same = start == end
    if move.dash and now.people(end, other(now.phasing)):
        _stopped_on_the_road(play, move, start, cost.total)
        return
    if not isinstance(side, int) and not same and detect(play, end, move.units):
        _thrown_back(play, move, start, end, total)
        return
    if not still_moving(play, move):
        return
    move = replace(move, units=drop_dummies(play, move.units))
    play.do(
        ChangeFrame(
            "moving",
            FrozenMap(
                {
                    "left": start.cell or None,
                    "road": road,
                    "roads": move.roads and road,
                    "steps": move.steps + 1,
                }
            ),
        )
    )
    if not same:
        play.do(SetExtra("attacks"))
    charge.lighten(play, move.units)
    charge.note_goal(play, move.units, end)
    _overrun_by_charge(play, group, end)
    for name in move.units:
        place_hidden(play, name, "it moves")  # ASL-HIP-1
        unit = play.position.unit(name)
        if same:
            play.do(ChangeUnit(name, place=place))
        else:
            play.do(MoveUnit(name, end.cell, end.level, place=place))
            for weapon in play.now.weapons(unit):
                play.mark(weapon.id, marks.CARRIED)
            cloak(play, name)
        if not same:
            share_ring(play, name)
        terrain = now.ground.beneath(end.cell)
        if terrain.cx and not road:
            play.mark(name, marks.CX)
        if terrain.ford and not road:
            play.mark(name, marks.HAZARDOUS)  # ASL-HAZ-1
    alarm_adjacent(play, end)
    expose_by_move(play, move.units, quiet=move.assault)
    if still_moving(play, move):
        spend(play, total, end, fresh=not same)


def still_moving(play: Play, move: Moving) -> bool:
    """ASL-A12.15c: dummies that were found out are gone; False if nobody is left to move."""
    still = drop_dummies(play, move.units)
    if still != move.units:
        play.do(ChangeFrame("moving", FrozenMap({"units": still})))
        if not still:
            settle(play)
    return bool(still)


def _thrown_back(
    play: Play, move: Moving, start: Location, end: Location, amount: Fraction
) -> None:
    """ASL-A12.15a, ASL-A12.15e: back to where they came from; the factors are spent there.

    ASL-A12.15d: if a single man alone was found, they may overrun him first.
    """
    expose_by_move(play, drop_dummies(play, move.units), quiet=False)
    if not still_moving(play, move):
        return
    still = drop_dummies(play, move.units)
    shown = [
        unit
        for unit in play.now.people(end, other(play.now.phasing))
        if not unit.has(marks.CONCEALED)
    ]
    could = any(play.now.is_mmc(play.position.unit(name)) for name in still)
    if could and len(shown) == 1 and play.now.is_smc(shown[0]) and not move.assault:
        play.do(ChangeFrame("moving", FrozenMap({"found": end.cell})))
        return
    fall_back(play, start, amount)


def fall_back(play: Play, place: Location, amount: Fraction) -> None:
    """The factors are spent where they are, everything there attacks again, and the move ends."""
    go_on(play)  # whoever was lost by what went before
    move = moving(play.now)
    for name in move.units if move is not None else ():
        play.note(name, residual_met=None)  # ASL-A12.15e: residual fire attacks again
    spend(play, amount, place, fresh=False)
    _end_here(play)


def _end_here(play: Play) -> None:
    left = moving(play.now)
    if left is None:
        return
    for name in left.units:
        play.mark(name, marks.MOVED)
    play.do(ChangeFrame("moving", FrozenMap({"units": ()})))
    if play.position.frame("first_fire") is None:
        settle(play)


def _overrun_by_charge(play: Play, group: list[Unit], end: Location) -> None:
    """ASL-A15.43b: a single man is overrun without a check, at no extra cost, and has no choice."""
    there = play.now.people(end, other(play.now.phasing))
    lone = len(there) == 1 and play.now.is_smc(there[0])
    if lone and charge.is_charge(group) and any(play.now.is_mmc(unit) for unit in group):
        play.do(ChangeFrame("moving", FrozenMap({"overrun": there[0].id})))


def _stopped_on_the_road(play: Play, move: Moving, road: Location, amount: Fraction) -> None:
    """ASL-DASH-5: a concealed enemy beyond shows himself, and the dash ends on the road."""
    beyond = Location(move.dash[-1])
    names = [u.id for u in play.now.people(beyond, other(play.now.phasing))]
    shown = chosen_by_lot(play, names, 1, "who is revealed", play.now.opposing)
    for name in shown:
        reveal(play, name, "an enemy dashes at it", "ASL-DASH-5")
    play.do(ChangeFrame("moving", FrozenMap({"dash": None})))
    spend(play, amount, road, fresh=False)
    _end_here(play)


def alarm_adjacent(play: Play, place: Location) -> None:
    """ASL-DM-1: broken enemies despair when somebody in good order comes ADJACENT."""
    now = play.now
    side = other(now.phasing)
    for cell in (place.cell, *now.ground.near[place.cell]):
        for unit in now.position.at(cell):
            if unit.side == side and unit.has(marks.BROKEN) and not unit.has(marks.DM):
                at = now.at(unit)
                if at == place or now.adjacent(place, at):
                    play.mark(unit.id, marks.DM)


def spend(play: Play, amount: Fraction, place: Location, *, fresh: bool) -> None:
    """Factors are spent in a location: residual fire first, then a window for the enemy."""
    move = moving(play.now)
    assert move is not None
    here = amount if fresh else move.here + amount
    play.do(
        ChangeFrame(
            "moving",
            FrozenMap({"spent": _number(move.spent + amount), "here": _number(here)}),
        )
    )
    side = play.now.phasing
    targets = move.units
    attack_by_residual(play, place, targets, side)
    from hexmarshal.games.asl.rules.machine_guns.lanes import attack_by_lanes

    attack_by_lanes(play, place, targets, side)
    present = tuple(n for n in targets if n in play.position.units)
    go_on(play)
    if present:
        first_fire.open_window(play, place, present)
    if play.position.frame("first_fire") is None:
        settle(play)


def _number(value: Fraction) -> int | str:
    return int(value) if value.denominator == 1 else show_number(value)


def go_on(play: Play) -> None:
    """ASL-PIN-3: who is pinned, broken or gone goes no further; the rest of the stack may."""
    move = moving(play.now)
    if move is None:
        return
    units = play.position.units
    left = []
    for name in move.units:
        unit = units.get(name)
        if unit is None:
            continue
        if unit.flags & {marks.PINNED, marks.BROKEN}:
            play.mark(name, marks.MOVED)
            if unit.place.startswith("bypass:"):
                show_bypassed(play, play.now.at(unit))
        elif unit.has(marks.WOUNDED) and move.spent > 3 and "carried_by" not in unit.values:
            play.mark(name, marks.PINNED, marks.MOVED)
        else:
            left.append(name)
    if tuple(left) != move.units:
        play.do(ChangeFrame("moving", FrozenMap({"units": tuple(left)})))


def settle(play: Play) -> None:
    """When the enemy has fired: a minimum move exhausts and pins, an ended dash or move ends."""
    from hexmarshal.games.asl.rules.human_wave.impulse import after_fire
    from hexmarshal.games.asl.rules.overrun.overrun import strike

    if after_fire(play):
        return
    strike(play)
    move = moving(play.now)
    if move is None:
        return
    if move.units:
        place = place_of_group(play.now, move)
        group = [play.position.unit(name) for name in move.units]
        if charge.is_charge(group) and charge.arrive(play, move.units, place, play.now.phasing):
            play.do(ChangeFrame("moving", FrozenMap({"units": ()})))
            move = moving(play.now)
            assert move is not None
    if move.minimum and move.steps:
        for name in move.units:  # ASL-A4.134b
            play.mark(name, marks.CX, marks.PINNED, marks.MOVED)
        play.do(ChangeFrame("moving", FrozenMap({"units": ()})))
        move = moving(play.now)
        assert move is not None
    if move.dash and move.steps >= len(move.dash):
        for name in move.units:
            play.mark(name, marks.MOVED)
        play.do(ChangeFrame("moving", FrozenMap({"units": ()})))
        move = moving(play.now)
        assert move is not None
    if not move.units:
        from hexmarshal.games.asl.rules.movement.ending import next_group

        next_group(play)
