"""Carrying out: each kind of action goes to the rules that do it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.kharkov import (
    advance,
    air,
    breakdown,
    combat,
    losses,
    march,
    overrun,
    reserves,
    results,
    sequence,
    setup,
)

if TYPE_CHECKING:
    from hexmarshal.games.kharkov.play import Play
    from hexmarshal.rules.action import Action

__all__ = ["carry_out"]


def carry_out(play: Play, action: Action) -> None:
    """Do a legal action."""
    units = tuple(play.unit(u) for u in action.texts("units"))
    path, side = action.texts("path"), action.side
    match action.kind:
        case "move":
            march.move(play, units, path)
        case "overrun":
            overrun.start(play, units, action.text("target"), action.text("hq"), side)
        case "disengage":
            march.disengage(play, units, action.text("cell"))
        case "enter":
            march.enter(play, units, path, train=action.flag("rail"))
        case "recombine":
            breakdown.recombine(play, units, play.unit(action.text("division")))
        case "attack":
            attackers = tuple(play.unit(u) for u in action.texts("attackers"))
            targets = action.texts("targets")
            combat.declare(play, attackers, targets, side, use_air=action.flag("air"))
        case "air_supply":
            air.drop(play, action.text("cell"))
        case "end_phase":
            sequence.next_phase(play)
        case "air_defence" | "take_losses" | "retreat" | "advance" | "end_advance":
            _decide(play, action)
        case _:
            _single(play, action)


def _decide(play: Play, action: Action) -> None:
    units = tuple(play.unit(u) for u in action.texts("units"))
    path = action.texts("path")
    match action.kind:
        case "air_defence":
            combat.fight(play, defended=action.flag("use"))
        case "take_losses":
            results.take(play, action.texts("units"))
        case "retreat":
            results.fall_back(play, units, path)
        case "advance":
            advance.follow(play, units, path)
            if play.now.position.state == "advance" and not any(advance.offers(play.now)):
                results.end_advance(play)
        case _:
            results.end_advance(play)


def _single(play: Play, action: Action) -> None:
    cell = action.text("cell")
    match action.kind:
        case "end_pursuit":
            march.end_pursuit(play)
            return
        case "alarm":
            reserves.answer(play, accept=action.flag("accept"))
            return
    unit = play.unit(action.text("unit"))
    match action.kind:
        case "rail":
            march.ride(play, unit, action.texts("path"))
        case "commit":
            reserves.commit(play, unit, cell)
            if play.now.position.state == "alarm_placement" and not reserves.left_to_place(
                play.now
            ):
                reserves.silence(play)
        case "break_down":
            breakdown.break_down(play, unit)
        case "dig_in":
            breakdown.dig_in(play, unit)
        case "pursue":
            march.pursue(play, unit)
        case "deploy":
            setup.deploy(play, unit, cell, action.text("group"))
        case "displace":
            results.displace(play, unit, cell)
            results.proceed(play)
        case _:
            losses.eliminate(play, unit.id)
