"""What calls a sniper, and whether it answers: attack, or a try to move it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.rules.snipers import strike
from hexmarshal.games.asl.rules.snipers.whereabouts import san_of, sniper_of
from hexmarshal.games.asl.state.situation import other
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.rules.action import Action

__all__ = ["answer_calls", "relocate", "snipe"]

PHASES: Final = frozenset({"prep_fire", "movement", "defensive_fire", "advancing_fire"})
_ACTIVE: Final = 2


def answer_calls(play: Play) -> None:
    """ASL-SAN-2: each original roll that equals the enemy's SAN is answered by a die."""
    calls, play.calls = play.calls, []
    if play.position.phase not in PHASES:
        return
    for side, total in reversed(calls):
        enemy = other(side)
        san = san_of(play.now, enemy)
        if not san or total != san:
            continue
        marker = sniper_of(play.now, enemy)
        if marker is None or marker.values.get("pinned") is True:
            continue
        rolled, roll = play.roll_one("sniper activation", enemy)
        awake = rolled <= _ACTIVE
        told = f"{total} is the SAN of {enemy}: {rolled}: {'active' if awake else 'nothing'}"
        result = "active" if awake else "none"
        play.decide(Resolution("sniper", result, dice=(roll,), steps=(Step(told, "ASL-SAN-2"),)))
        if awake:
            play.ask("sniper", enemy, about={"result": rolled})


def snipe(play: Play, action: Action) -> None:
    """ASL-SAN-3: coloured the direction, white the distance."""
    frame = play.answered("sniper")
    marker = sniper_of(play.now, action.side)
    if marker is None or marker.values.get("pinned") is True:
        return
    dice, rolls = play.roll_two("sniper location", action.side)
    cell = marker.cell
    for _ in range(dice[1]):
        cell = play.now.ground.across(cell, dice[0] - 1) or cell
    told = f"from {marker.cell} {dice[1]} hexes to side {dice[0]}: {cell}"
    play.decide(Resolution("sniper", cell, dice=rolls, steps=(Step(told, "ASL-SAN-3"),)))
    result = frame.value("result", 1)
    strike.aim(play, action.side, cell, result if isinstance(result, int) else 1)


def relocate(play: Play, action: Action) -> None:
    """ASL-SAN-1: instead of an attack, a roll equal to its SAN moves it."""
    play.answered("sniper")
    san = san_of(play.now, action.side)
    dice, rolls = play.roll_two("sniper relocation", action.side)
    moved = sum(dice) == san
    told = f"{dice[0]} + {dice[1]} against a SAN of {san}: {'moved' if moved else 'stays'}"
    result = "moved" if moved else "stays"
    play.decide(Resolution("sniper", result, dice=rolls, steps=(Step(told, "ASL-SAN-1"),)))
    if moved:
        play.ask("place_sniper", action.side)
