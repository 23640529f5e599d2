"""Vehicles, guns and fortifications under cover: when the enemy comes to see them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.concealment.cover import (
    NEAR,
    in_concealment_terrain,
    observers,
    place_hidden,
    reveal,
)
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.vehicles import is_vehicle
from hexmarshal.games.asl.state.units.works import (
    MINEFIELD,
    crew_of,
    gun_served,
    is_emplaced_gun,
    is_gun,
    is_work,
    work_of,
)

if TYPE_CHECKING:
    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["is_exposed_large", "is_hidden_with_gun", "place_seen_guns", "seen_work", "sweep_large"]

_MOVES = frozenset({marks.IN_MOTION, marks.MOVED, marks.STARTED})


def sweep_large(play: Play) -> None:
    """ASL-CONV-1, ASL-HIP-2, ASL-HIP-3: what an enemy sees now, and hides no longer."""
    for name in [u.id for u in play.position.units.values() if u.flags & marks.UNSEEN and u.cell]:
        unit = play.position.units.get(name)
        if unit is None or not play.now.is_hidden(unit):
            continue
        if is_exposed_large(unit):
            _sweep_exposed(play, unit)
        elif is_work(unit):
            if why := seen_work(play.now, unit):
                reveal(play, name, why, "ASL-HIP-2")
        elif unit.has(marks.HIDDEN) and is_hidden_with_gun(play.now, unit):
            _sweep_gun(play, unit)
        elif is_gun(unit) and play.now.people(play.now.at(unit), other(unit.side)):
            reveal(play, name, "an enemy is in its location", "ASL-CONV-1")
    _show_together(play)


def _show_together(play: Play) -> None:
    """What is seen with another: vehicle and passengers, gun and crew, men and their trench."""
    again = True
    while again:
        again = False
        for unit in tuple(play.position.units.values()):
            if not unit.flags & marks.UNSEEN:
                continue
            if why := _beside_shown(play.now, unit):
                reveal(play, unit.id, why, "ASL-HIP-2" if is_work(unit) else "ASL-CONV-1")
                again = True


def _beside_shown(now: Situation, unit: Unit) -> str:
    """With whom a unit is seen; '' if with nobody."""
    units: list[Unit] = []
    if unit.carrier:
        units = [one for one in (now.position.units.get(unit.carrier),) if one is not None]
    elif is_gun(unit):
        units = crew_of(now, unit)
    elif is_work(unit):
        here = now.people(now.at(unit), unit.side)
        units = [one for one in here if one.values.get("entrenched") is True]
    elif now.is_personnel(unit):
        gun = gun_served(now, unit)
        units = [] if gun is None else [gun]
    shown = [one.id for one in units if not now.is_hidden(one)]
    return f"it is seen with {shown[0]}" if shown else ""


def is_exposed_large(unit: Unit) -> bool:
    """ASL-CONV-1: a vehicle, or a gun that is not emplaced."""
    return is_vehicle(unit) or (is_gun(unit) and not is_emplaced_gun(unit))


def _sweep_exposed(play: Play, unit: Unit) -> None:
    """ASL-CONV-1: outside of concealment terrain at any range, and within 16 hexes if it moves."""
    now = play.now
    if now.people(now.at(unit), other(unit.side)):
        reveal(play, unit.id, "an enemy is in its location", "ASL-CONV-1")
        return
    covered = in_concealment_terrain(now, now.at(unit))
    if covered and not (unit.flags & _MOVES or unit.values.get("moving")):
        return
    if seen := observers(now, unit, within=NEAR if covered else None):
        how = "moves" if covered else "is in the open"
        reveal(play, unit.id, f"it {how} in sight of {seen[0].id}", "ASL-CONV-1")


# Guns


def is_hidden_with_gun(now: Situation, unit: Unit) -> bool:
    """ASL-HIP-3: an emplaced gun, or who mans one."""
    if is_emplaced_gun(unit):
        return True
    gun = gun_served(now, unit) if now.is_personnel(unit) else None
    return gun is not None and is_emplaced_gun(gun)


def _sweep_gun(play: Play, unit: Unit) -> None:
    """ASL-HIP-3: in the open it is hidden until an enemy sees it, from however far."""
    now = play.now
    if unit.has(marks.SEEN) or in_concealment_terrain(now, now.at(unit)):
        return
    if observers(now, unit, within=None):
        play.mark(unit.id, marks.SEEN)


def place_seen_guns(play: Play) -> None:
    """ASL-HIP-3: those that were seen are put under a "?" when the next rally phase begins."""
    for unit in tuple(play.position.units.values()):
        if unit.has(marks.SEEN):
            play.unmark(unit.id, marks.SEEN)
            place_hidden(play, unit.id, "it was seen in the open", "ASL-HIP-3")


# Fortifications


def seen_work(now: Situation, unit: Unit) -> str:
    """ASL-HIP-2: why a fortification is hidden no longer; '' if it is. Not minefields."""
    if work_of(unit) == MINEFIELD:
        return ""
    within = NEAR if in_concealment_terrain(now, now.at(unit)) else None
    seen = observers(now, unit, within=within)
    return f"it is in sight of {seen[0].id}" if seen else ""
