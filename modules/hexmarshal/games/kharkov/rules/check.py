"""Legality, kind by kind: each check reads what is chosen so far, and no more than it needs.

An action may be partial: to read a slot that is still empty ends the check there, with what was
found until then. So each check goes through its slots in the order in which players choose them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.frames import ENGAGEMENT
from hexmarshal.games.kharkov.rules.combat import advance, air, combat, results, retreat
from hexmarshal.games.kharkov.rules.combat.engagement import current
from hexmarshal.games.kharkov.rules.command import breakdown, headquarters
from hexmarshal.games.kharkov.rules.movement import (
    disengagement,
    movement,
    overrun,
    rail,
    reserves,
    stacking,
)
from hexmarshal.games.kharkov.rules.turn import reinforcements, sequence, setup
from hexmarshal.games.kharkov.state.situation import AXIS, SOVIET
from hexmarshal.rules.verdict import FREE, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from hexmarshal.games.kharkov.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit


def _units(now: Situation, action: Action, name: str = "units") -> tuple[Unit, ...]:
    return tuple(map(now.position.unit, action.texts(name)))


def _unit(now: Situation, action: Action) -> Unit:
    return now.position.unit(action.text("unit"))


# Movement


def move(now: Situation, action: Action) -> Verdict:
    """KHA-6.0-P."""
    units = _units(now, action)
    path = action.so_far("path")
    cost = movement.bill(now, units, path) if _on_map(units) else FREE
    return Verdict.of(_move(now, units, action), cost)


def _on_map(units: Sequence[Unit]) -> bool:
    return bool(units) and all(u.cell for u in units)


def _move(now: Situation, units: Sequence[Unit], action: Action) -> Iterator[Violation]:
    yield from movement.movers_violations(now, units, action.side)
    if not _on_map(units):
        return
    path = action.texts("path")
    for found in movement.way_violations(now, units, path, action.side):
        if found.rule == "KHA-6.24" and action.side == AXIS:
            yield from disengagement.instead(now, units, path)
        yield found


def ride(now: Situation, action: Action) -> Verdict:
    """KHA-6.41."""
    unit = _unit(now, action)
    return Verdict.of(_ride(now, unit, action), rail.fare(action.so_far("path")))


def _ride(now: Situation, unit: Unit, action: Action) -> Iterator[Violation]:
    yield from rail.rider_violations(now, unit, action.side)
    if unit.cell:
        yield from rail.way_violations(now, unit, action.texts("path"), action.side)


def run_over(now: Situation, action: Action) -> Verdict:
    """KHA-7.0-P."""
    return Verdict.of(_overrun(now, action), overrun.cost(now, _chosen(action, "target")))


def _chosen(action: Action, name: str) -> str:
    """A name that may not be chosen yet."""
    return "" if action.open(name) else action.text(name)


def _overrun(now: Situation, action: Action) -> Iterator[Violation]:
    units, side = _units(now, action), action.side
    yield from movement.movers_violations(now, units, side)
    if not _on_map(units):
        return
    yield from overrun.group_violations(now, units, side)
    yield from overrun.target_violations(now, units, action.text("target"), side)
    if side == SOVIET:
        yield from overrun.leader_violations(now, units, action.text("hq"))


def disengage(now: Situation, action: Action) -> Verdict:
    """KHA-6.6."""
    units = _units(now, action)
    to = _chosen(action, "cell")
    cost = disengagement.bill(now, units, to) if _on_map(units) and to else FREE
    return Verdict.of(_disengage(now, units, action), cost)


def _disengage(now: Situation, units: Sequence[Unit], action: Action) -> Iterator[Violation]:
    yield from movement.group_violations(now, units, AXIS)
    if _on_map(units):
        yield from disengagement.group_violations(now, units)
        yield from disengagement.way_violations(now, units, action.text("cell"))


def enter(now: Situation, action: Action) -> Verdict:
    """KHA-16.0."""
    units = _units(now, action)
    path = action.so_far("path")
    ready = bool(units and path)
    cost = reinforcements.bill(now, units, path, train=action.flag("rail")) if ready else FREE
    return Verdict.of(_enter(now, units, action), cost)


def _enter(now: Situation, units: Sequence[Unit], action: Action) -> Iterator[Violation]:
    yield from reinforcements.group_violations(now, units, action.side)
    train = action.flag("rail")
    if train:
        yield from reinforcements.train_violations(now, units, action.side)
    path = action.texts("path")
    yield from reinforcements.way_violations(now, units, path, action.side, train=train)


def pursue(now: Situation, action: Action) -> Verdict:
    """KHA-6.62."""
    if not (vacated := disengagement.vacated(now)):
        return Verdict((Violation("KHA-6.62", "no hex was left to be occupied"),))
    return Verdict(tuple(disengagement.pursuit_violations(now, _unit(now, action), vacated)))


# Reserves, regiments, set-up


def commit(now: Situation, action: Action) -> Verdict:
    """KHA-6.73."""
    return Verdict.of(_commit(now, action))


def _commit(now: Situation, action: Action) -> Iterator[Violation]:
    right_time = now.position.phase == "reserve_commitment" or now.position.state
    if not right_time or action.side != SOVIET:
        text = "reserves are committed in their own phase, or on alarm"
        yield Violation("KHA-4.2.A1", text)
    unit = _unit(now, action)
    yield from reserves.unit_violations(now, unit)
    if reserves.marker_of(now, unit) is not None:
        yield from reserves.place_violations(now, unit, action.text("cell"))


def break_down(now: Situation, action: Action) -> Verdict:
    """KHA-15.11."""
    return breakdown.check_break_down(now, _unit(now, action))


def dig_in(now: Situation, action: Action) -> Verdict:
    """KHA-15.21."""
    return breakdown.check_dig_in(now, _unit(now, action))


def recombine(now: Situation, action: Action) -> Verdict:
    """KHA-15.12."""
    return Verdict.of(_recombine(now, action))


def _recombine(now: Situation, action: Action) -> Iterator[Violation]:
    units = _units(now, action)
    yield from breakdown.regiments_violations(units)
    yield from breakdown.division_violations(now, units, now.position.unit(action.text("division")))


def deploy(now: Situation, action: Action) -> Verdict:
    """KHA-5.2, KHA-5.3."""
    return Verdict.of(_deploy(now, action))


def _deploy(now: Situation, action: Action) -> Iterator[Violation]:
    unit, side = _unit(now, action), action.side
    if not setup.deployable(unit, side):
        yield Violation("KHA-5.0-P", f"{unit.id} is not {side}'s to set up", units=(unit.id,))
        return
    line = setup.group_of(now, unit, action.text("group"))
    yield from setup.line_violations(now, unit, line, side)
    if line is not None and setup.lists(line, unit):
        yield from setup.place_violations(now, unit, action.text("cell"), line, side)


def remove_excess(now: Situation, action: Action) -> Verdict:
    """KHA-8.1."""
    unit = _unit(now, action)
    found = tuple(stacking.excess(now, unit))
    if unit.side != action.side:
        theirs = Violation("KHA-8.1", f"{unit.id} is not {action.side}'s", units=(unit.id,))
        found = (theirs, *found)
    return Verdict(found)


def end_phase(now: Situation, action: Action) -> Verdict:
    """KHA-4.1."""
    return sequence.check_end(now, action.side)


# Combat


def attack(now: Situation, action: Action) -> Verdict:
    """KHA-9.0-P."""
    return Verdict.of(_attack(now, action))


def _attack(now: Situation, action: Action) -> Iterator[Violation]:
    attackers, side = _units(now, action, "attackers"), action.side
    yield from combat.group_violations(now, attackers, side)
    yield from combat.aim_violations(now, attackers, action.texts("targets"), side)
    if action.flag("air"):
        yield from air.violations(now, side)


def air_supply(now: Situation, action: Action) -> Verdict:
    """KHA-13.2."""
    found = tuple(air.violations(now, AXIS))
    if found and action.open("cell"):
        return Verdict(found)
    return air.check_supply(now, action.text("cell"))


# Decisions about the combat or overrun in progress


def engaged(check: Callable[[Situation, Action], Iterator[Violation]]) -> Callable[..., Verdict]:
    """A check of a decision that makes no sense while no combat is being settled."""

    def checked(now: Situation, action: Action) -> Verdict:
        if now.position.frame(ENGAGEMENT) is None:
            return Verdict((Violation("KHA-9.0-G", "no combat is being settled"),))
        return Verdict.of(check(now, action))

    return checked


def _theirs(units: Sequence[Unit], side: str) -> Iterator[Violation]:
    for unit in units:
        if unit.side != side:
            yield Violation("KHA-9.62", f"{unit.id} is not {side}'s", units=(unit.id,))


def _air_defence(now: Situation, action: Action) -> Iterator[Violation]:
    if action.flag("use"):
        yield from air.violations(now, action.side)


def _take_losses(now: Situation, action: Action) -> Iterator[Violation]:
    if now.position.state != "result":
        return
    nothing = results.no_losses(now)
    if nothing is not None:
        yield nothing
    units = _units(now, action)
    yield from _theirs(units, action.side)
    if nothing is None:
        yield from results.losses_violations(now, units)


def _retreat(now: Situation, action: Action) -> Iterator[Violation]:
    if now.position.state not in ("result", "retreat"):
        return
    barred = results.no_retreat(now)
    if barred is not None:
        yield barred
    units = _units(now, action)
    yield from _theirs(units, action.side)
    if barred is None:
        after = results.retreating(now)
        yield from retreat.group_violations(after, units)
        yield from retreat.way_violations(after, units, action.texts("path"))


def _displace(now: Situation, action: Action) -> Iterator[Violation]:
    if now.position.state != "displacement":
        return
    hq = current(now).first.what
    if action.text("unit") != hq:
        yield Violation("KHA-10.17", f"{hq} is displaced, not that one", units=(hq,))
        return
    cell = action.text("cell")
    if cell not in headquarters.nearest(now, now.position.units[hq]):
        text = f"{cell} is not a nearest friendly unit"
        yield Violation("KHA-10.17", text, cells=(cell,), units=(hq,))


def _advance(now: Situation, action: Action) -> Iterator[Violation]:
    if now.position.state != "advance":
        return
    units = _units(now, action)
    yield from _theirs(units, action.side)
    yield from advance.group_violations(now, units)
    yield from advance.way_violations(now, units, action.texts("path"))


def _end_advance(now: Situation, action: Action) -> Iterator[Violation]:
    del now, action
    return iter(())


air_defence = engaged(_air_defence)
take_losses = engaged(_take_losses)
fall_back = engaged(_retreat)
displace = engaged(_displace)
follow = engaged(_advance)
end_advance = engaged(_end_advance)
