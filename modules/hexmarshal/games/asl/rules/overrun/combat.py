"""The close combat that an overrun ends in: both attack at once, by their ratio."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.close_combat.blow import Blow
from hexmarshal.games.asl.rules.close_combat.outcomes import take_losses
from hexmarshal.games.asl.rules.close_combat.single import roll_for
from hexmarshal.games.asl.state.units import marks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["fight"]


def fight(play: Play, attackers: Sequence[Unit], defender: Unit) -> None:
    """ASL-A4.15d: both sides roll, and losses count for both; who is left is in melee."""
    place = play.now.at(defender)
    rule = "ASL-A4.15d"
    losses = roll_for(play, Blow(attackers[0].side, tuple(attackers), (defender,)), rule)
    if play.now.good_order(defender):
        losses += roll_for(play, Blow(defender.side, (defender,), tuple(attackers)), rule)
    take_losses(play, place, losses)
    left = [u.id for u in attackers if u.id in play.position.units]
    if defender.id in play.position.units and left:
        for name in (*left, defender.id):
            play.mark(name, marks.MELEE)
