"""Minefields: the owner's roll when somebody is in them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.fire import casualties
from hexmarshal.games.conflict_of_heroes.rules.movement import move_execution
from hexmarshal.games.conflict_of_heroes.rules.movement.barriers import able_to_move
from hexmarshal.games.conflict_of_heroes.rules.terrain import hiding
from hexmarshal.games.conflict_of_heroes.rules.turn import victory
from hexmarshal.games.conflict_of_heroes.rules.turn.rolling import (
    Roller,
    roll_objections,
    total_cap,
)
from hexmarshal.games.conflict_of_heroes.rules.turn.turn_order import add_last, advance
from hexmarshal.rules.action import Action
from hexmarshal.rules.verdict import Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from hexmarshal.games.conflict_of_heroes.state.execution import Play
    from hexmarshal.games.conflict_of_heroes.state.situation import Situation

__all__ = ["apply_mines", "check_mines"]

ROLL = "mines"


def check_mines(now: Situation, action: Action) -> Verdict:
    """COH-18.3.3b: the owner may buy points for the roll."""
    found = list(roll_objections(now, action, [ROLL]))
    if total_cap(action, [ROLL]) > now.cap(action.side):
        text = f"{action.side} has {now.cap(action.side)} CAP"
        found.append(Violation("COH-3.2.3a", text, field="cap"))
    return Verdict(tuple(found))


def apply_mines(play: Play, action: Action) -> None:
    """8 or more hits, whatever the ground; then who is left goes on with his way."""
    way = move_execution.Way.of(play.settled())
    play.spend_cap(action.side, total_cap(action, [ROLL]))
    need = play.now.tables.number("fire", "mines")
    rolled = Roller(play, action.side, action).two("mines", ROLL, (need,))
    hit = rolled.total >= need
    who = "somebody hidden" if play.now.hidden(play.unit(way.unit)) else way.unit
    play.decide(
        Resolution(
            "mines",
            "hit" if hit else "miss",
            modifiers=rolled.modifiers,
            dice=rolled.dice,
            steps=(Step(f"{rolled.total} of {need} against {who}", "COH-18.3.3b"),),
        )
    )
    if hit:
        hiding.reveal(play, way.unit, "COH-10.0d")
        casualties.apply_hits(play, way.unit, 1, action.side)
    own = play.unit(way.unit)
    if own.cell and way.rest and not any(able_to_move(play.now, own)):
        roller = Roller(play, own.side, Action("move", own.side))
        move_execution.march(play, replace(way, hidden=play.now.hidden(own)), roller)
    elif own.cell:
        move_execution.arrive(play, replace(way, occupy=way.occupy and not way.rest))
    add_last(play, own.side)
    victory.settle_control(play)
    advance(play)
