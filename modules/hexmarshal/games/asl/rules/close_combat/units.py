"""Who takes part in the close combat of a location, and which single men fight with whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.state import marks
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.situation import SIDES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["beside", "fighters", "group_of", "open_places", "place_named", "with_groups"]


def place_named(text: str) -> Location:
    """A location as positions write it: K5, or K5 level 1."""
    cell, _, level = text.partition(" level ")
    return Location(cell, int(level) if level else 0)


def fighters(now: Situation, place: Location, side: str) -> list[Unit]:
    """The personnel of a side in a location; prisoners do not fight."""
    return now.people(place, side)


def open_places(now: Situation) -> list[Location]:
    """ASL-CC-1: locations with units of both sides whose close combat was not yet fought.

    Told by what the asking side knows; a "?" may be a dummy, and is found out there.
    """
    fought = now.position.extras.get("fought", ())
    over = {str(name) for name in fought} if isinstance(fought, tuple) else set()
    found = []
    for cell, units in now.position.occupied.items():
        levels = sorted({unit.level for unit in units if unit.cell and now.is_personnel(unit)})
        for level in levels:
            place = Location(cell, level)
            if str(place) not in over and all(fighters(now, place, side) for side in SIDES):
                found.append(place)
    return sorted(found)


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
