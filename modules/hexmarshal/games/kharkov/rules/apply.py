"""Carrying out, kind by kind: each effect is one call into the rules that know it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.rules.combat import advance, air, combat, losses, results
from hexmarshal.games.kharkov.rules.command import breakdown
from hexmarshal.games.kharkov.rules.movement import move_execution, overrun, reserves
from hexmarshal.games.kharkov.rules.turn import sequence, setup

if TYPE_CHECKING:
    from hexmarshal.games.kharkov.state.execution import Play
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit


def _units(play: Play, action: Action, name: str = "units") -> tuple[Unit, ...]:
    return tuple(play.unit(u) for u in action.texts(name))


def _unit(play: Play, action: Action) -> Unit:
    return play.unit(action.text("unit"))


# Movement


def move(play: Play, action: Action) -> None:
    """KHA-6.0-P."""
    move_execution.move(play, _units(play, action), action.texts("path"))


def ride(play: Play, action: Action) -> None:
    """KHA-6.41."""
    move_execution.ride(play, _unit(play, action), action.texts("path"))


def run_over(play: Play, action: Action) -> None:
    """KHA-7.0-P."""
    units, target = _units(play, action), action.text("target")
    overrun.start(play, units, target, action.text("hq"), action.side)


def disengage(play: Play, action: Action) -> None:
    """KHA-6.6."""
    move_execution.disengage(play, _units(play, action), action.text("cell"))


def enter(play: Play, action: Action) -> None:
    """KHA-16.0."""
    move_execution.enter(
        play, _units(play, action), action.texts("path"), train=action.flag("rail")
    )


def pursue(play: Play, action: Action) -> None:
    """KHA-6.62."""
    move_execution.pursue(play, _unit(play, action))


def end_pursuit(play: Play, _: Action) -> None:
    """KHA-6.62."""
    move_execution.end_pursuit(play)


# Reserves, regiments, set-up


def commit(play: Play, action: Action) -> None:
    """KHA-6.73."""
    reserves.commit(play, _unit(play, action), action.text("cell"))
    placing = play.now.position.state == "alarm_placement"
    if placing and not reserves.left_to_place(play.now):
        reserves.silence(play)


def alarm(play: Play, action: Action) -> None:
    """KHA-6.75."""
    reserves.answer(play, accept=action.flag("accept"))


def break_down(play: Play, action: Action) -> None:
    """KHA-15.11."""
    breakdown.break_down(play, _unit(play, action))


def recombine(play: Play, action: Action) -> None:
    """KHA-15.12."""
    breakdown.recombine(play, _units(play, action), play.unit(action.text("division")))


def dig_in(play: Play, action: Action) -> None:
    """KHA-15.21."""
    breakdown.dig_in(play, _unit(play, action))


def deploy(play: Play, action: Action) -> None:
    """KHA-5.2, KHA-5.3."""
    setup.deploy(play, _unit(play, action), action.text("cell"), action.text("group"))


def remove_excess(play: Play, action: Action) -> None:
    """KHA-8.1."""
    losses.eliminate(play, action.text("unit"))


def end_phase(play: Play, _: Action) -> None:
    """KHA-4.1."""
    sequence.next_phase(play)


# Combat, and the decisions about it


def attack(play: Play, action: Action) -> None:
    """KHA-9.0-P."""
    attackers, targets = _units(play, action, "attackers"), action.texts("targets")
    combat.declare(play, attackers, targets, action.side, use_air=action.flag("air"))


def air_supply(play: Play, action: Action) -> None:
    """KHA-13.2."""
    air.drop(play, action.text("cell"))


def air_defence(play: Play, action: Action) -> None:
    """KHA-13.12."""
    combat.fight(play, defended=action.flag("use"))


def take_losses(play: Play, action: Action) -> None:
    """KHA-9.57."""
    results.take(play, action.texts("units"))


def fall_back(play: Play, action: Action) -> None:
    """KHA-9.62."""
    results.fall_back(play, _units(play, action), action.texts("path"))


def displace(play: Play, action: Action) -> None:
    """KHA-10.17."""
    results.displace(play, _unit(play, action), action.text("cell"))
    results.proceed(play)


def follow(play: Play, action: Action) -> None:
    """KHA-9.71."""
    advance.follow(play, _units(play, action), action.texts("path"))
    if play.now.position.state == "advance" and not any(advance.offers(play.now)):
        results.end_advance(play)


def end_advance(play: Play, _: Action) -> None:
    """KHA-9.73."""
    results.end_advance(play)
