"""A step is taken: into a location, thrown back from it, or past it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.concealment.cover import cloak, place_hidden, reveal
from hexmarshal.games.asl.rules.concealment.detection import detect, drop_dummies
from hexmarshal.games.asl.rules.concealment.loss import expose_by_move
from hexmarshal.games.asl.rules.fire.encirclement import share_ring
from hexmarshal.games.asl.rules.heat_of_battle import charge
from hexmarshal.games.asl.rules.morale.results import chosen_by_lot
from hexmarshal.games.asl.rules.movement.costs import bypass_price, is_road_step
from hexmarshal.games.asl.rules.movement.spending import end_here, fall_back, spend, still_moving
from hexmarshal.games.asl.rules.movement.stack import (
    Moving,
    left_of,
    moving,
    place_of_group,
)
from hexmarshal.games.asl.rules.movement.step_check import price_from
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.state.effects import ChangeFrame, ChangeUnit, MoveUnit, SetExtra
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from fractions import Fraction

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["alarm_adjacent", "step"]


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
        cost = price_from(now, group, start, end)
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
    end_here(play)


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
