"""Street fighting: infantry comes out of a house beside a street, attacks a vehicle, goes back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.rules.close_combat.units import fighters, place_named
from hexmarshal.games.asl.state.situation import SIDES, other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.vehicles import vehicles_in
from hexmarshal.rules.state.effects import MoveUnit
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.ground import Location
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["comes_out_of", "go_back", "is_street"]

RULE: Final = "ASL-SF-1"
_SIDES: Final = 6


def is_street(now: Situation, cell: str) -> bool:
    """ASL-SF-1: a road through the hex, and a building beside it on either hand."""
    ground = now.ground
    roads = [side for side in range(_SIDES) if ground.is_way(cell, side)]
    if len(roads) < 2 or ground.terrain(cell).building:
        return False
    houses = [
        side
        for near in ground.near[cell]
        if (side := ground.side_to(cell, near)) is not None
        and side not in roads
        and ground.terrain(near).building
    ]
    return any(
        {_hand(side, one, two) for side in houses} == {True, False}
        for one in roads
        for two in roads
        if one < two
    )


def _hand(side: int, one: int, two: int) -> bool:
    """On which hand of the way from hexside one to hexside two another hexside lies."""
    return one < side < two


def comes_out_of(now: Situation, unit: Unit, end: Location) -> bool:
    """ASL-SF-1: from the ground floor of a house into the street, where an enemy vehicle is."""
    start = now.at(unit)
    return (
        not start.level
        and now.ground.in_building(start)
        and is_street(now, end.cell)
        and any(
            not one.abandoned and not now.is_hidden(one.unit)
            for one in vehicles_in(now, end, other(unit.side))
        )
    )


def go_back(play: Play, place: Location) -> None:
    """ASL-SF-1: who has come out of a house goes back; not the pinned and the broken."""
    for side in SIDES:
        for unit in fighters(play.now, place, side):
            home = unit.values.get("street_from")
            if not isinstance(home, str):
                continue
            play.note(unit.id, street_from=None)
            if unit.flags & {marks.PINNED, marks.BROKEN}:
                continue
            end = place_named(home)
            play.unmark(unit.id, marks.MELEE)
            play.do(MoveUnit(unit.id, end.cell, end.level))
            step = Step(f"{unit.id} goes back to {end}", RULE)
            play.decide(Resolution("street fighting", str(end), steps=(step,)))
