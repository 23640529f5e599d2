"""A close combat attack by itself, outside of the phase's order: overrun, escape, recapture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.close_combat.blow import aim, fates
from hexmarshal.games.asl.rules.close_combat.new_leader import come_forward
from hexmarshal.games.asl.rules.close_combat.outcomes import (
    CAPTURED,
    ELIMINATED,
    HALF_CAPTURED,
    REDUCED,
    Loss,
)
from hexmarshal.games.asl.rules.morale.results import chosen_by_lot
from hexmarshal.games.asl.state.situation import other
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.games.asl.rules.close_combat.blow import Blow
    from hexmarshal.games.asl.state.execution import Play

__all__ = ["roll_for"]


def roll_for(play: Play, blow: Blow, rule: str) -> list[Loss]:
    """Roll for an attack: what it does to whom, without doing it yet."""
    ready = aim(play.now, blow)
    dice, rolls = play.roll_two("close combat", blow.side)
    blow, ready = come_forward(play, blow, ready, sum(dice))
    by = tuple(unit.id for unit in blow.attackers)
    losses = []
    for fate, names, found, final in fates(ready, sum(dice)):
        result = _fate(play, fate, blow, names)
        told = f"{ready.power} against {ready.against}: {final} against {ready.number}: {result}"
        play.decide(
            Resolution(
                "close combat",
                result,
                strengths=ready.strengths,
                base_column=ready.odds.label,
                column=ready.odds.label,
                modifiers=found.modifiers,
                dice=rolls,
                steps=(Step(told, rule),),
            )
        )
        hit: Sequence[str] = () if fate == "none" else names
        if fate == "one":
            hit = chosen_by_lot(play, names, 1, "who is hit", other(blow.side))
        losses += [Loss(name, result, by, dice[0], ready.odds.black) for name in hit]
    return losses


def _fate(play: Play, fate: str, blow: Blow, names: Sequence[str]) -> str:
    if fate == "none":
        return fate
    if not blow.capture:
        return ELIMINATED if fate == "all" else REDUCED
    squad = play.now.counter(play.now.unit(names[0])).kind == "squad"
    return HALF_CAPTURED if fate == "one" and squad and len(names) == 1 else CAPTURED
