"""Commissars: how they rally, and what becomes of those who will not be rallied."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.morale import casualties
from hexmarshal.games.asl.rules.quality.substitution import lower
from hexmarshal.rules.state.effects import ChangeUnit
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from hexmarshal.games.asl.state.play import Play

__all__ = ["punish"]


def punish(play: Play, name: str) -> None:
    """ASL-NAT-COM: who fails to rally is replaced, else reduced; who is a half-squad is shot."""
    now = play.now
    unit = now.unit(name)
    below = lower(now, unit)
    if below:
        play.do(ChangeUnit(name, type=below))
        result, told = "replaced", f"{now.named(unit)} becomes {below}"
    elif now.counter(unit).kind == "squad":
        result, told = "reduced", f"{now.named(unit)} loses men"
    else:
        result, told = "eliminated", f"{now.named(unit)} is lost"
    play.decide(Resolution("commissar", result, steps=(Step(told, "ASL-NAT-COM"),)))
    if result == "reduced":
        casualties.reduce(play, name)
    elif result == "eliminated":
        casualties.eliminate(play, name)
