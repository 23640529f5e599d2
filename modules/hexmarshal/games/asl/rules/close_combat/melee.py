"""Melee: who is held in it, and who is let go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.close_combat.units import fighters
from hexmarshal.games.asl.state import marks
from hexmarshal.games.asl.state.situation import SIDES

if TYPE_CHECKING:
    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.ground import Location

__all__ = ["hold", "let_go"]


def hold(play: Play, place: Location) -> bool:
    """ASL-MELEE-1: survivors of both sides; the concealed neither hold nor are held."""
    sides = [
        [unit for unit in fighters(play.now, place, side) if not play.now.is_hidden(unit)]
        for side in SIDES
    ]
    held = all(sides)
    for unit in (*sides[0], *sides[1]):
        if held:
            play.mark(unit.id, marks.MELEE)
        else:
            play.unmark(unit.id, marks.MELEE)
    return held


def let_go(play: Play) -> None:
    """ASL-MELEE-1: a melee ends where one side alone is left."""
    places = {
        play.now.at(unit)
        for unit in play.position.units.values()
        if unit.has(marks.MELEE) and unit.cell
    }
    for place in sorted(places):
        here = {side: fighters(play.now, place, side) for side in SIDES}
        if all(any(not play.now.is_hidden(u) for u in units) for units in here.values()):
            continue
        for units in here.values():
            for unit in units:
                play.unmark(unit.id, marks.MELEE)
