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
    position = play.position
    if position.phase == "movement":
        play.do(Proceed(phase="combat"))
        return
    for unit in position.units.values():
        if unit.flags:
            play.do(ChangeUnit(unit.id, unflags=unit.flags))
    first, second = SIDES
    if position.active == (first,):
        play.do(Proceed(phase="movement", active=(second,)))
    else:
        play.do(Proceed(phase="movement", active=(first,), turn=position.turn + 1))
