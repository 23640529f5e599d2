"""Chapter 1: whose turn it is, and what for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.rules.state.effects import ChangeUnit, Proceed

if TYPE_CHECKING:
    from hexmarshal.rules.action import Action
    from mygame.state.situation import Play

__all__ = ["SIDES", "end_phase"]

SIDES = ("blue", "red")


def end_phase(play: Play, action: Action) -> None:
    """MG-1: movement, combat, then the other side; after both, the next turn."""
    del action
    ledger, position = play.ledger, play.ledger.position
    if position.phase == "movement":
        ledger.do(Proceed(phase="combat"))
        return
    for unit in position.units.values():
        if unit.flags:
            ledger.do(ChangeUnit(unit.id, unflags=unit.flags))
    first, second = SIDES
    if position.active == (first,):
        ledger.do(Proceed(phase="movement", active=(second,)))
    else:
        ledger.do(Proceed(phase="movement", active=(first,), turn=position.turn + 1))
