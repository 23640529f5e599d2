"""Guards: how many prisoners one holds, who takes over, and prisoners who go free."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.state.effects import ChangeUnit, MoveUnit
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.ground import Location
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["MOST", "free", "held_by", "is_tied_down", "lose_guard", "room_of", "shed_excess"]

MOST: Final = 5
"""ASL-A20.5c: a guard holds prisoners of five times its own size."""


def held_by(now: Situation, guard: Unit) -> int:
    """The US# of all whom a unit guards."""
    return sum(now.size(one) for one in now.prisoners(guard))


def room_of(now: Situation, guard: Unit) -> int:
    """ASL-A20.5c: the US# of those whom it could still guard."""
    return MOST * now.size(guard) - held_by(now, guard)


def is_tied_down(now: Situation, guard: Unit) -> bool:
    """ASL-A20.5b: whether a guard is smaller than his prisoners."""
    return now.size(guard) < held_by(now, guard)


def free(play: Play, name: str, place: Location) -> None:
    """ASL-A20.5d: a prisoner is a prisoner no longer; its own side moves it, unarmed."""
    bonds: FrozenMap[tuple[str, ...]] = FrozenMap({marks.GUARDS: ()})
    play.do(MoveUnit(name, place.cell, place.level), ChangeUnit(name, bonds=bonds))


def lose_guard(play: Play, guard: Unit) -> None:
    """ASL-A20.5d: friends in the location take the prisoners over; else they are free."""
    from hexmarshal.games.asl.rules.prisoners.capture import can_guard

    now = play.now
    place = now.at(guard)
    for prisoner in now.prisoners(guard):
        friends = [
            unit
            for unit in play.now.people(place, guard.side)
            if unit.id != guard.id
            and can_guard(play.now, unit)
            and room_of(play.now, unit) >= play.now.size(prisoner)
        ]
        if friends:
            bonds: FrozenMap[tuple[str, ...]] = FrozenMap({marks.GUARDS: (friends[0].id,)})
            play.do(ChangeUnit(prisoner.id, bonds=bonds))
            text = f"{friends[0].id} guards {prisoner.id} from now on"
            result = "taken over"
        else:
            free(play, prisoner.id, place)
            text = f"nobody guards {prisoner.id} any more: it is free"
            result = "freed"
        play.decide(Resolution("guard", result, steps=(Step(text, "ASL-A20.5d"),)))


def shed_excess(play: Play) -> None:
    """ASL-A20.5c: a guard who has grown too small lets the last of his prisoners go."""
    for unit in tuple(play.position.units.values()):
        guard = play.now.guard(unit)
        if guard is None or room_of(play.now, guard) >= 0:
            continue
        for prisoner in reversed(play.now.prisoners(guard)):
            if room_of(play.now, guard) >= 0:
                break
            free(play, prisoner.id, play.now.at(guard))
            text = f"{guard.id} cannot hold {prisoner.id}: it is free"
            play.decide(Resolution("guard", "freed", steps=(Step(text, "ASL-A20.5c"),)))
