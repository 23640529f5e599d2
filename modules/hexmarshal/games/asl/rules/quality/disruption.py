"""Disruption and surrender: who has had enough, and to whom he gives himself up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.morale import casualties
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.traits import faces_no_quarter, never_disrupted
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["captors_of", "give_up_together", "surrender"]


def captors_of(now: Situation, unit: Unit, *, here: bool = False) -> list[Unit]:
    """ASL-A15.1d, ASL-A19.12: known enemies in good order ADJACENT to it, or in its location."""
    place = now.at(unit)
    return [
        enemy
        for enemy in now.on_map(other(unit.side))
        if now.good_order(enemy)
        and now.is_armed(enemy)
        and not enemy.flags & {*marks.UNSEEN, marks.BERSERK}
        and (
            now.at(enemy) == place
            or (
                not here
                and now.ground.distance(place.cell, enemy.cell) <= 1
                and now.adjacent(place, now.at(enemy))
            )
        )
    ]


def surrender(play: Play, name: str) -> None:
    """ASL-A15.1d: broken and DM it goes over to the enemy beside it; with none it is disrupted."""
    if not play.position.unit(name).has(marks.BROKEN):
        casualties.break_unit(play, name, dm=True)
    play.mark(name, marks.DM)
    unit = play.position.unit(name)
    captors = captors_of(play.now, unit)
    if captors:
        casualties.give_up(play, name, captors[0].id, "ASL-A15.1d")
    elif not never_disrupted(play.now, unit):
        play.mark(name, marks.DISRUPTED)
        step = Step(f"{name} is disrupted: no enemy is ADJACENT", "ASL-A15.1d")
        play.decide(Resolution("surrender", "disrupted", steps=(step,)))


def give_up_together(play: Play) -> None:
    """ASL-A19.12: the disrupted give up to an enemy in good order in their location, any time."""
    for unit in tuple(play.position.units.values()):
        if not unit.has(marks.DISRUPTED) or not unit.cell or unit.has(marks.UNARMED):
            continue
        if faces_no_quarter(play.now, unit):
            continue
        captors = captors_of(play.now, unit, here=True)
        if captors:
            casualties.give_up(play, unit.id, captors[0].id, "ASL-A19.12")
