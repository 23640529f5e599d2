"""TUT-1: the sequence of play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.rules.state.effects import Proceed
from hexmarshal.rules.state.lifetimes import Lifetime, Until

if TYPE_CHECKING:
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.ledger import Ledger

SIDES = ("blue", "red")
# Who has moved or fought may do so again when his side's turn comes round: the kernel sees to it.
LIFETIMES = (Lifetime(Until.PLAYER_TURN, flags=frozenset({"moved", "fought"}), rule="TUT-1"),)


def next_phase(ledger: Ledger, action: Action) -> None:
    """TUT-1: move, combat, then the other side; after both, the next turn."""
    position = ledger.position
    if position.phase == "move":
        ledger.do(Proceed(phase="combat"))
        return
    blue, red = SIDES
    if action.side == blue:
        ledger.do(Proceed(phase="move", active=(red,)))
    else:
        ledger.do(Proceed(phase="move", active=(blue,), turn=position.turn + 1))
