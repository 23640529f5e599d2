"""Movement factors are spent: what the enemy may do about it, and who goes on then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.concealment.detection import drop_dummies, show_bypassed
from hexmarshal.games.asl.rules.defensive_fire import first_fire
from hexmarshal.games.asl.rules.defensive_fire.residual import attack_by_residual
from hexmarshal.games.asl.rules.heat_of_battle import charge
from hexmarshal.games.asl.rules.movement.stack import (
    Moving,
    moving,
    place_of_group,
)
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.state.effects import ChangeFrame
from hexmarshal.rules.values import FrozenMap, show_number

if TYPE_CHECKING:
    from fractions import Fraction

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.ground import Location

__all__ = ["end_here", "fall_back", "go_on", "settle", "spend", "still_moving"]


def still_moving(play: Play, move: Moving) -> bool:
    """ASL-A12.15c: dummies that were found out are gone; False if nobody is left to move."""
    still = drop_dummies(play, move.units)
    if still != move.units:
        play.do(ChangeFrame("moving", FrozenMap({"units": still})))
        if not still:
            settle(play)
    return bool(still)


def fall_back(play: Play, place: Location, amount: Fraction) -> None:
    """The factors are spent where they are, everything there attacks again, and the move ends."""
    go_on(play)  # whoever was lost by what went before
    move = moving(play.now)
    for name in move.units if move is not None else ():
        play.note(name, residual_met=None)  # ASL-A12.15e: residual fire attacks again
    spend(play, amount, place, fresh=False)
    end_here(play)


def end_here(play: Play) -> None:
    """Whoever is left of the stack goes no further."""
    left = moving(play.now)
    if left is None:
        return
    for name in left.units:
        play.mark(name, marks.MOVED)
    play.do(ChangeFrame("moving", FrozenMap({"units": ()})))
    if play.position.frame("first_fire") is None:
        settle(play)


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
