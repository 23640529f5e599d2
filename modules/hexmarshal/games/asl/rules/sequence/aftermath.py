"""What follows from an action before anybody else acts: rage that spreads, surrender, snipers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.heat_of_battle import berserk
from hexmarshal.games.asl.rules.quality import disruption

if TYPE_CHECKING:
    from hexmarshal.games.asl.state.play import Play

__all__ = ["follow_up"]


def follow_up(play: Play) -> None:
    """ASL-A15.42b, ASL-A19.12, ASL-SAN-2: in this order."""
    berserk.carry_away(play)
    disruption.give_up_together(play)
