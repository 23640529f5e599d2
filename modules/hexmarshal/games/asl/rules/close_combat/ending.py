"""The end of a close combat: who gets away, who is lost, who is held in melee."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.close_combat import melee
from hexmarshal.games.asl.rules.close_combat.frame import combat_of, store
from hexmarshal.games.asl.rules.close_combat.leaving.withdrawal import barred, leave
from hexmarshal.games.asl.rules.close_combat.units import contested, fighters, fighting
from hexmarshal.games.asl.rules.morale.casualties import eliminate
from hexmarshal.games.asl.rules.prisoners.capture import can_guard, capture
from hexmarshal.games.asl.rules.prisoners.surrender import gives_no_quarter
from hexmarshal.games.asl.rules.vehicles.street import go_back
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.situation import SIDES, other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.state.effects import ChangeFrame, SetExtra
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from hexmarshal.games.asl.state.execution import Play

__all__ = ["finish", "over"]


def finish(play: Play) -> None:
    """All is fought: those who withdraw go, ambushers may, the rest are in melee."""
    found = combat_of(play.now)
    assert found is not None
    frame = play.position.frame("combat")
    assert frame is not None
    for entry in found.entries("leaving"):
        name = str(entry["unit"])
        if name in play.position.units:
            level = entry.get("level", 0)
            end = Location(str(entry["to"]), level if isinstance(level, int) else 0)
            leave(play, name, end)
    store(play, ())
    go_back(play, found.place)
    both = all(fighters(play.now, found.place, side) for side in SIDES)
    if found.ambush and both and frame.value("asked") is not True:  # ASL-AMB-2
        play.do(ChangeFrame("combat", FrozenMap({"asked": True})))
        names = [
            unit.id
            for unit in fighters(play.now, found.place, found.ambush)
            if not barred(unit) and not unit.has(marks.BROKEN) and not unit.carrier
        ]
        if names:
            play.ask("slip_away", found.ambush, about={"units": tuple(names)})
            return
    over(play, found.place)


def over(play: Play, place: Location) -> None:
    """ASL-CC-7, ASL-MELEE-1: the broken who did not get away are lost, others in melee."""
    if play.position.frame("combat") is not None:
        play.answered("combat")
    both = contested(play.now, place)
    for side in SIDES:
        for unit in fighters(play.now, place, side) if both else ():
            if unit.has(marks.MELEE) and unit.has(marks.DISRUPTED):
                _take_disrupted(play, unit.id, place)
            elif _cannot_stay(play, unit.id):
                step = Step(f"{unit.id} is broken and did not get away", "ASL-CC-7")
                play.decide(Resolution("close combat", "eliminated", steps=(step,)))
                eliminate(play, unit.id)
    melee.hold(play, place)
    for side in SIDES:
        for unit in fighting(play.now, place, side):
            play.unmark(unit.id, marks.STRENGTH_SHOWN)
            if unit.values.get("beside") is not None:
                play.note(unit.id, beside=None)
    old = play.position.extras.get("fought", ())
    play.do(SetExtra("fought", (*(old if isinstance(old, tuple) else ()), str(place))))


def _take_disrupted(play: Play, name: str, place: Location) -> None:
    """ASL-CC-7: the disrupted who are still in melee are captured, or lost."""
    side = other(play.position.unit(name).side)
    captors = [u.id for u in fighters(play.now, place, side) if can_guard(play.now, u)]
    if captors and not gives_no_quarter(play.now, side):
        capture(play, name, captors, place, "ASL-CC-7")
    else:
        eliminate(play, name)


def _cannot_stay(play: Play, name: str) -> bool:
    """ASL-CC-7: the broken that were in melee before, unless they are disrupted or guards."""
    unit = play.position.unit(name)
    return (
        unit.has(marks.BROKEN)
        and unit.has(marks.MELEE)
        and not unit.has(marks.DISRUPTED)
        and not play.now.prisoners(unit)
    )
