"""Sections 4.4 and 13: when the game is over, and who has won."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.traces_of_war.rules.victory.score import (
    CAMPAIGN,
    RACE,
    campaign,
    needed,
    points,
    race,
)
from hexmarshal.games.traces_of_war.state.kinds import AXIS, SOVIET
from hexmarshal.rules.state.effects import SetExtra
from hexmarshal.rules.values import FrozenMap, Value
from hexmarshal.rules.verdict import Outcome, Resolution, Step, amount_to_json

if TYPE_CHECKING:
    from hexmarshal.games.traces_of_war.state.execution import Play
    from hexmarshal.games.traces_of_war.state.situation import Situation

__all__ = ["judge_turn", "last_turn", "outcome", "victory_of"]

TURNS = 8


def victory_of(now: Situation) -> str:
    """How this game is won: the race, or the campaign."""
    return RACE if now.position.extras.get("victory") == RACE else CAMPAIGN


def last_turn(now: Situation) -> int:
    """The last turn of the scenario."""
    turns = now.position.extras.get("turns")
    return turns if isinstance(turns, int) else TURNS


def outcome(now: Situation) -> Outcome | None:
    """How the game ended; None while it goes on."""
    for cell, city in now.board.cities.items():
        # TOW-12.2c, TOW-13.1: at once, in either scenario.
        if city.major and now.controller(cell) == SOVIET and now.ordered(cell):
            text = f"{city.name}, under a Supreme Command order, fell to the Soviets"
            return Outcome((SOVIET,), text, "TOW-13.1")
    ended = now.position.extras.get("ended")
    if not isinstance(ended, FrozenMap):
        return None
    winner, text, rule = (str(ended.get(name, "")) for name in ("winner", "text", "rule"))
    return Outcome((winner,), text, rule, FrozenMap[Value]({SOVIET: ended.get("points")}))


def judge_turn(play: Play) -> bool:
    """The scenario's victory check at the end of a turn; whether the game is over."""
    now = play.now
    last = now.position.turn >= last_turn(now)
    victory = victory_of(now)
    if victory == RACE:
        if not last:
            return False
        items, rule = race(now), "TOW-13.2a"
    else:
        items, rule = campaign(now, final=last), "TOW-13.3a"
    scored, wanted = points(items), needed(now, victory)
    steps = [
        Step(f"{i.label}: {i.count} at {i.each} = {i.total}", i.rule) for i in items if i.count
    ]
    text = f"the Soviets have {scored} victory points and need {wanted}"
    steps.append(Step(text, rule))
    play.decide(Resolution("victory", str(scored), steps=tuple(steps)))
    if scored < wanted and not last:
        return False
    winner = SOVIET if scored >= wanted else AXIS
    ended = {"winner": winner, "text": text, "rule": rule, "points": amount_to_json(scored)}
    play.do(SetExtra("ended", FrozenMap(ended)))
    return True
