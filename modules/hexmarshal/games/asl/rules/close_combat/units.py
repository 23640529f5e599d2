"""Who takes part in the close combat of a location, and which single men fight with whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.situation import SIDES
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.vehicles import is_vehicle, riders_in, vehicles_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = [
    "beside", "contested", "fighters", "fighting", "group_of", "lies_abandoned", "open_places",
    "place_named", "places_to_fight", "with_groups",
]  # fmt: skip


def place_named(text: str) -> Location:
    """A location as positions write it: K5, or K5 level 1."""
    cell, _, level = text.partition(" level ")
    return Location(cell, int(level) if level else 0)


def fighters(now: Situation, place: Location, side: str) -> list[Unit]:
    """The personnel of a side in a location, riders too; prisoners do not fight."""
    riding = riders_in(now, vehicles_in(now, place), side)
    return [*now.people(place, side), *riding] if riding else now.people(place, side)


def fighting(now: Situation, place: Location, side: str) -> list[Unit]:
    """All that a side has in a close combat: personnel, then vehicles that somebody mans."""
    manned = [one.unit for one in vehicles_in(now, place, side) if not one.abandoned]
    return [*fighters(now, place, side), *manned]


def contested(now: Situation, place: Location) -> bool:
    """ASL-CC-1, ASL-CCV-1b: both sides are there, one of them with men; not two vehicles alone."""
    here = {side: fighters(now, place, side) for side in SIDES}
    if all(here.values()):
        return True
    return any(here.values()) and all(fighting(now, place, side) for side in SIDES)


def lies_abandoned(now: Situation, place: Location) -> bool:
    """ASL-CCV-1b: an abandoned vehicle, and somebody who could attack it."""
    found = vehicles_in(now, place)
    return any(one.abandoned for one in found) and any(fighters(now, place, side) for side in SIDES)


def _not_yet_fought(now: Situation) -> Iterator[Location]:
    fought = now.position.extras.get("fought", ())
    over = {str(name) for name in fought} if isinstance(fought, tuple) else set()
    for cell, units in now.position.occupied.items():
        levels = sorted({unit.level for unit in units if unit.cell and now.is_personnel(unit)})
        for level in levels or ([0] if any(is_vehicle(unit) for unit in units) else []):
            place = Location(cell, level)
            if str(place) not in over:
                yield place


def open_places(now: Situation) -> list[Location]:
    """ASL-CC-1: locations with units of both sides whose close combat was not yet fought.

    Told by what the asking side knows; a "?" may be a dummy, and is found out there.
    """
    return sorted(place for place in _not_yet_fought(now) if contested(now, place))


def places_to_fight(now: Situation) -> list[Location]:
    """ASL-CCV-1b: those, and where an abandoned vehicle may be attacked; nobody has to."""
    return sorted(
        place
        for place in _not_yet_fought(now)
        if contested(now, place) or lies_abandoned(now, place)
    )


def beside(now: Situation, man: Unit) -> Unit | None:
    """ASL-CC-6, ASL-CC-6b: the MMC that a single man fights with; None if he is alone.

    Where nobody has said otherwise it is the strongest of his side in the location.
    """
    if not now.is_smc(man):
        return None
    named = man.values.get("beside")
    if named == man.id:
        return None
    leaving = _leaving(now)  # who withdraws without the others, or stays without them, is alone
    mates = [
        unit
        for unit in fighters(now, now.at(man), man.side)
        if now.is_mmc(unit)
        and unit.has(marks.CONCEALED) == man.has(marks.CONCEALED)
        and (unit.id in leaving) == (man.id in leaving)
    ]
    for mate in mates:
        if mate.id == named:
            return mate
    able = [mate for mate in mates if not mate.flags & {marks.BROKEN, marks.UNARMED}] or mates
    return min(able, key=lambda one: (-now.counter(one).fp, one.id), default=None)


def _leaving(now: Situation) -> set[str]:
    frame = now.position.frame("combat")
    entries = () if frame is None else frame.agenda
    return {str(entry["unit"]) for entry in entries if entry.get("kind") == "leaving"}


def group_of(now: Situation, unit: Unit) -> tuple[Unit, ...]:
    """ASL-CC-6b: the smallest that can be attacked: an MMC with its single men, or one of these."""
    head = beside(now, unit) or unit
    return (
        head,
        *(
            one
            for one in fighters(now, now.at(head), head.side)
            if one.id != head.id and (mate := beside(now, one)) is not None and mate.id == head.id
        ),
    )


def with_groups(now: Situation, names: Iterable[str]) -> set[str]:
    """The names with all who would have to be attacked with them."""
    return {one.id for name in names for one in group_of(now, now.unit(name))}
