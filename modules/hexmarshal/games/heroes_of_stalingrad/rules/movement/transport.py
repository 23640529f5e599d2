"""HOS-5.90 to HOS-5.93, HOS-5.5: boarding and leaving vehicles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.rules.movement.states import has_crew_ability
from hexmarshal.games.heroes_of_stalingrad.state.kinds import INFANTRY
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["boardable", "boarding_cost", "boarding_faults", "leaving_faults", "load", "room_faults"]


def load(now: Situation, unit: Unit) -> int:
    """HOS-5.90: what a unit counts in a transport; HOS-5.5: a crew counts nothing."""
    if now.is_crew(unit):
        return 0
    return now.face(unit).load


def boarding_cost(now: Situation) -> int:
    """HOS-5.91: to enter a vehicle is to enter its cell, as we read it."""
    return 1 if now.option("boarding") == "cell" else 0


def room_faults(
    now: Situation, unit: Unit, vehicle: Unit, *, crew: bool = False
) -> Iterator[Violation]:
    """Whether a vehicle has room for a unit, or needs a crew."""
    both = (unit.id, vehicle.id)
    if now.family(unit) != INFANTRY:
        yield Violation("HOS-5.90", f"{unit.id} is no infantry", units=both)
        return
    aboard = [one for one in now.passengers(vehicle) if one.id != unit.id]
    capacity = now.ability(vehicle, "transport")
    if crew:
        if not isinstance(capacity, int) and any(now.is_crew(one) for one in aboard):
            yield Violation("HOS-5.5", f"{vehicle.id} has a crew aboard already", units=both)
        return
    if not isinstance(capacity, int) or isinstance(capacity, bool):
        yield Violation("HOS-5.90", f"{vehicle.id} is no transport", units=both)
        return
    total = sum(load(now, one) for one in aboard) + load(now, unit)
    if total > capacity:
        text = f"{vehicle.id} carries {capacity}, not {total}"
        yield Violation("HOS-5.90", text, units=both)
    large = [one for one in (*aboard, unit) if now.counter(one).oversized]
    if len(large) > 1:
        text = f"{vehicle.id} carries one oversized counter at the most"
        yield Violation("HOS-5.90", text, units=tuple(one.id for one in large))


def boarding_faults(
    now: Situation, unit: Unit, vehicle: Unit, at: str, *, flip: bool
) -> Iterator[Violation]:
    """HOS-5.91: from a cell beside the vehicle, at the end of the move."""
    both = (unit.id, vehicle.id)
    if vehicle.side != unit.side or not now.is_live(vehicle) or not now.is_vehicle(vehicle):
        yield Violation("HOS-5.91", f"{vehicle.id} is no vehicle of its side", units=both)
        return
    crew = flip and has_crew_ability(now, unit) and now.face(unit).name == "inactive"
    yield from room_faults(now, unit, vehicle, crew=crew)
    near = (*now.ground.near.get(at, ()), at)
    if not any(cell in near for cell in vehicle.cells):
        text = f"{vehicle.id} is not beside {at}"
        yield Violation("HOS-5.91", text, cells=(at,), units=both, cured_by=("path",))


def leaving_faults(now: Situation, unit: Unit, flip: str) -> Iterator[Violation]:
    """HOS-5.5: a crew leaves its vehicle by flipping first."""
    if now.is_crew(unit) and flip != "start":
        text = f"{unit.id} leaves its vehicle by changing its state first"
        yield Violation("HOS-5.5", text, units=(unit.id,))


def boardable(now: Situation, unit: Unit) -> Iterator[str]:
    """Friendly vehicles that a unit might board."""
    if now.family(unit) != INFANTRY:
        return
    crew = has_crew_ability(now, unit)
    for one in now.live(unit.side):
        if one.cell and now.is_vehicle(one) and (now.has(one, "transport") or crew):
            yield one.id
