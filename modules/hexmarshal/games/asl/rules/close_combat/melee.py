"""Melee: who is held in it, and who is let go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.close_combat.units import fighters
from hexmarshal.games.asl.state.situation import SIDES, other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.vehicles import vehicles_in

if TYPE_CHECKING:
    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.ground import Location
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["hold", "let_go"]


def _sides(play: Play, place: Location) -> tuple[dict[str, list[Unit]], dict[str, bool]]:
    """Who of each side can be held, and whether the side holds the enemy.

    ASL-MELEE-1: the concealed neither hold nor are held. ASL-A11.71: vehicles, and whom they
    carry, are never held; one that stays holds the enemy's infantry.
    """
    now = play.now
    foot = {
        side: [
            unit
            for unit in fighters(now, place, side)
            if not now.is_hidden(unit) and not unit.carrier
        ]
        for side in SIDES
    }
    holds = {
        side: bool(foot[side])
        or any(
            not one.abandoned and not now.is_hidden(one.unit)
            for one in vehicles_in(now, place, side)
        )
        for side in SIDES
    }
    return foot, holds


def hold(play: Play, place: Location) -> None:
    """ASL-MELEE-1, ASL-A11.71: survivors of both sides."""
    foot, holds = _sides(play, place)
    for side in SIDES:
        for unit in foot[side]:
            if holds[other(side)]:
                play.mark(unit.id, marks.MELEE)
            else:
                play.unmark(unit.id, marks.MELEE)


def let_go(play: Play) -> None:
    """ASL-MELEE-1, ASL-A11.71: a melee ends where one side is left, or the vehicle is gone."""
    places = {
        play.now.at(unit)
        for unit in play.position.units.values()
        if unit.has(marks.MELEE) and unit.cell
    }
    for place in sorted(places):
        _, holds = _sides(play, place)
        for side in SIDES:
            if not holds[other(side)]:
                for unit in fighters(play.now, place, side):
                    play.unmark(unit.id, marks.MELEE)
