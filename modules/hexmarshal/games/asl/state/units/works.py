"""Guns and fortifications as positions describe them: what they are, and who is with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = [
    "FORTIFICATION", "GUN", "MINEFIELD", "ROADBLOCK", "WIRE", "WORKS", "crew_of", "gun_served",
    "is_emplaced_gun", "is_gun", "is_work", "work_of",
]  # fmt: skip

GUN: Final = "gun"
FORTIFICATION: Final = "fortification"
MINEFIELD: Final = "minefield"
ROADBLOCK: Final = "roadblock"
WIRE: Final = "wire"
WORKS: Final = (
    "foxhole", "trench", "pillbox", WIRE, ROADBLOCK, MINEFIELD, "fortified_building",
)  # fmt: skip


def is_gun(unit: Unit) -> bool:
    """A gun that is no vehicle's."""
    return unit.type == GUN


def is_emplaced_gun(unit: Unit) -> bool:
    """A gun that was set up emplaced (A12.34)."""
    return is_gun(unit) and unit.values.get("emplaced") is True


def is_work(unit: Unit) -> bool:
    """A fortification."""
    return unit.type == FORTIFICATION


def work_of(unit: Unit) -> str:
    """What a fortification is: one of `WORKS`."""
    return str(unit.values.get("works") or WORKS[0])


def gun_served(now: Situation, unit: Unit) -> Unit | None:
    """The gun that a unit mans, if it is where the gun is."""
    gun = now.position.units.get(str(unit.values.get("serves") or ""))
    if gun is None or not is_gun(gun) or now.at(gun) != now.at(unit):
        return None
    return gun


def crew_of(now: Situation, gun: Unit) -> list[Unit]:
    """Who mans a gun."""
    return [unit for unit in now.people(now.at(gun), gun.side) if gun_served(now, unit) is gun]
