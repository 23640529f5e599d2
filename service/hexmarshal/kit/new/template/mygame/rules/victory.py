"""Chapter 4: victory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.rules.verdict import Outcome

if TYPE_CHECKING:
    from mygame.state.situation import Situation

__all__ = ["holder", "outcome"]

RULE = "MG-4"


def holder(situation: Situation) -> str:
    """The side that stands in the village; empty if nobody does."""
    here = situation.position.at(situation.tables.village)
    return next((unit.side for unit in here), "")


def outcome(situation: Situation) -> Outcome | None:
    """How the game ended; None while it goes on."""
    position = situation.position
    alive = tuple(side for side in position.sides if position.of_side(side))
    if len(alive) == 1:
        return Outcome(alive, "the other side has no units left", RULE)
    if position.turn <= situation.tables.numbers["turns"]:
        return None
    won = holder(situation)
    text = f"{won} holds the village" if won else "nobody holds the village"
    return Outcome((won,) if won else (), text, RULE)
