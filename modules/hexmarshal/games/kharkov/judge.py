"""Legality: each kind of action goes to the rules that know it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.kharkov import (
    advance,
    air,
    breakdown,
    combat,
    disengagement,
    headquarters,
    movement,
    overrun,
    rail,
    reinforcements,
    reserves,
    results,
    sequence,
    setup,
    stacking,
)
from hexmarshal.games.kharkov.engagement import current
from hexmarshal.games.kharkov.frames import ENGAGEMENT
from hexmarshal.games.kharkov.situation import SOVIET
from hexmarshal.rules.verdict import LEGAL, Verdict, Violation

if TYPE_CHECKING:
    from hexmarshal.games.kharkov.situation import Situation
    from hexmarshal.rules.action import Action

__all__ = ["check"]

# Decisions that make no sense while nothing of the kind is under way.
ABOUT_AN_ENGAGEMENT = {
    "air_defence",
    "take_losses",
    "retreat",
    "displace",
    "advance",
    "end_advance",
}


def check(now: Situation, action: Action) -> Verdict:
    """The verdict on any action."""
    if action.kind in ABOUT_AN_ENGAGEMENT:
        return _engaged(now, action)
    side = action.side
    units = tuple(now.position.unit(u) for u in action.texts("units"))
    match action.kind:
        case "move":
            return movement.check(now, units, action.texts("path"), side)
        case "overrun":
            return overrun.check(now, units, action.text("target"), action.text("hq"), side)
        case "disengage":
            return disengagement.check(now, units, action.text("cell"))
        case "enter":
            path = action.texts("path")
            return reinforcements.check(now, units, path, side, train=action.flag("rail"))
        case "attack":
            attackers = tuple(now.position.unit(u) for u in action.texts("attackers"))
            targets = action.texts("targets")
            return combat.check(now, attackers, targets, side, use_air=action.flag("air"))
        case "recombine":
            division = now.position.unit(action.text("division"))
            return breakdown.check_recombine(now, units, division)
        case "air_supply":
            return air.check_supply(now, action.text("cell"))
        case "end_phase":
            return sequence.check_end(now, side)
        case "alarm":
            return LEGAL
        case "end_pursuit":
            return LEGAL
        case _:
            return _single(now, action)


def _single(now: Situation, action: Action) -> Verdict:
    """Actions of one unit."""
    unit = now.position.unit(action.text("unit"))
    side, cell = action.side, action.text("cell")
    match action.kind:
        case "rail":
            return rail.check(now, unit, action.texts("path"), side)
        case "commit":
            return _commit(now, action)
        case "break_down":
            return breakdown.check_break_down(now, unit)
        case "dig_in":
            return breakdown.check_dig_in(now, unit)
        case "pursue":
            if not (vacated := disengagement.vacated(now)):
                return Verdict((Violation("KHA-6.62", "no hex was left to be occupied"),))
            return Verdict(tuple(disengagement.pursuit_violations(now, unit, vacated)))
        case "deploy":
            return setup.check(now, unit, cell, side, action.text("group"))
        case _:
            found = tuple(stacking.excess(now, unit))
            if unit.side != side:
                theirs = Violation("KHA-8.1", f"{unit.id} is not {side}'s", units=(unit.id,))
                found = (theirs, *found)
            return Verdict(found)


def _commit(now: Situation, action: Action) -> Verdict:
    unit = now.position.unit(action.text("unit"))
    verdict = reserves.check(now, unit, action.text("cell"))
    right_time = now.position.phase == "reserve_commitment" or now.position.state
    if right_time and action.side == SOVIET:
        return verdict
    text = "reserves are committed in their own phase, or on alarm"
    early = Violation("KHA-4.2.A1", text, units=(unit.id,))
    return Verdict((early, *verdict.violations), verdict.cost)


def _engaged(now: Situation, action: Action) -> Verdict:
    """Decisions about the combat or overrun in progress."""
    if now.position.frame(ENGAGEMENT) is None:
        return Verdict((Violation("KHA-9.0-G", "no combat is being settled"),))
    units = tuple(now.position.unit(u) for u in action.texts("units"))
    theirs = tuple(
        Violation("KHA-9.62", f"{u.id} is not {action.side}'s", units=(u.id,))
        for u in units
        if u.side != action.side
    )
    verdict = _decision(now, action)
    return Verdict((*theirs, *verdict.violations), verdict.cost) if theirs else verdict


def _decision(now: Situation, action: Action) -> Verdict:
    units = tuple(now.position.unit(u) for u in action.texts("units"))
    path = action.texts("path")
    state = now.position.state
    match action.kind:
        case "air_defence":
            return Verdict(tuple(air.violations(now, action.side)) if action.flag("use") else ())
        case "take_losses" if state == "result":
            return results.check_losses(now, units)
        case "retreat" if state in ("result", "retreat"):
            return results.check_retreat(now, units, path)
        case "displace" if state == "displacement":
            return _displace(now, action)
        case "advance" if state == "advance":
            return advance.check(now, units, path)
        case _:
            return LEGAL


def _displace(now: Situation, action: Action) -> Verdict:
    hq = current(now).first.what
    found = []
    if action.text("unit") != hq:
        found.append(Violation("KHA-10.17", f"{hq} is displaced, not that one", units=(hq,)))
    elif action.text("cell") not in headquarters.nearest(now, now.position.units[hq]):
        text = f"{action.text('cell')} is not a nearest friendly unit"
        found.append(Violation("KHA-10.17", text, cells=(action.text("cell"),), units=(hq,)))
    return Verdict(tuple(found))
