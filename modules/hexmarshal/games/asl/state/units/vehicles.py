"""A vehicle as a position describes it: armour, machine guns, who mans it, what it is doing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.state.units import marks

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.games.asl.state.ground import Location
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = [
    "CREWS", "SEATS", "VEHICLE", "Vehicle", "aboard", "is_vehicle", "passes_for_infantry",
    "riders_in", "vehicle_of", "vehicles_in",
]  # fmt: skip

VEHICLE: Final = "vehicle"
CREWS: Final = ("crew", "infantry_crew", "half_squad", "smc", "driver")
"""Who mans a vehicle: its own crew; of a captured one whom the captor has put in (A21.2)."""
SEATS: Final = ("rider", "passenger", "driver")
"""How a unit is aboard: on it, in it, or driving a captured one by himself (A21.2)."""
_SMALL: Final = 15
"""A main armament of at most so many millimetres counts as a machine gun (A11.62)."""


@dataclass(frozen=True, slots=True)
class Vehicle:
    """What the rules ask of a vehicle; what its position does not say is not so, or not there."""

    unit: Unit
    armored: bool
    partly_armored: bool
    open_topped: bool
    half_track: bool
    bow: int
    coaxial: int
    coaxial_fixed: bool
    """Whether the coaxial machine gun fires within the vehicle's own arc alone."""
    anti_aircraft: int
    rear: int
    ife: int
    calibre: int
    close_defence: int
    mp: int
    crew: str

    @property
    def name(self) -> str:
        """Its id."""
        return self.unit.id

    @property
    def abandoned(self) -> bool:
        """Nobody mans it (A11.5)."""
        return self.unit.has(marks.ABANDONED)

    @property
    def buttoned_up(self) -> bool:
        """Its crew is under cover; else exposed (CE)."""
        return self.unit.has(marks.BUTTONED_UP)

    @property
    def exposed(self) -> bool:
        """CE; an abandoned one counts as that (A21.2)."""
        return not self.buttoned_up

    @property
    def in_motion(self) -> bool:
        """In motion, or not stopped."""
        return self.unit.has(marks.IN_MOTION) or bool(self.unit.values.get("moving"))

    @property
    def immobile(self) -> bool:
        """Immobilized, bogged, or without anybody to drive it."""
        return bool(self.unit.flags & {marks.IMMOBILE, marks.BOGGED, marks.ABANDONED})

    @property
    def dazed(self) -> bool:
        """Its crew is stunned or shocked and does nothing."""
        return bool(self.unit.flags & {marks.STUNNED, marks.SHOCKED})

    @property
    def armed(self) -> bool:
        """Whether it has any weapon (A21.2)."""
        return any((self.bow, self.coaxial, self.anti_aircraft, self.rear, self.ife, self.calibre))

    @property
    def small_main_armament(self) -> int:
        """The firepower of a main armament that counts as a machine gun."""
        return self.ife if self.ife and self.calibre <= _SMALL else 0


def is_vehicle(unit: Unit) -> bool:
    """Whether a unit is a vehicle that its side shows, or that one's own side knows."""
    return unit.type == VEHICLE


def vehicle_of(unit: Unit) -> Vehicle:
    """A vehicle, read from its unit."""

    def number(name: str) -> int:
        value = unit.values.get(name)
        return value if isinstance(value, int) and not isinstance(value, bool) else 0

    def holds(name: str) -> bool:
        return unit.values.get(name) is True

    return Vehicle(
        unit,
        unit.values.get("armored") is not False,
        holds("partly_armored"),
        holds("open_topped"),
        holds("half_track"),
        number("bmg"),
        number("cmg"),
        holds("cmg_fixed"),
        number("aamg"),
        number("rmg"),
        number("ife"),
        number("calibre"),
        number("close_defence"),
        number("mp"),
        str(unit.values.get("crew") or CREWS[0]),
    )


def vehicles_in(now: Situation, place: Location, side: str = "") -> list[Vehicle]:
    """The vehicles of a hex, of one side or of both; they are on the ground."""
    if place.level:
        return []
    return [
        vehicle_of(unit)
        for unit in now.position.at(place.cell)
        if is_vehicle(unit) and not unit.level and (not side or unit.side == side)
    ]


def aboard(now: Situation, vehicle: Unit) -> list[Unit]:
    """The personnel that a vehicle carries: riders and passengers, not its own crew."""
    return [unit for unit in now.position.carried_by(vehicle.id) if now.is_personnel(unit)]


def passes_for_infantry(now: Situation, unit: Unit) -> bool:
    """A11.5: riders, and who sits in an unarmoured vehicle, fight and are fought like infantry."""
    carrier = now.position.units.get(unit.carrier)
    if carrier is None or not is_vehicle(carrier) or unit.values.get("seat") == "driver":
        return False
    return unit.values.get("seat") == "rider" or not vehicle_of(carrier).armored


def riders_in(now: Situation, vehicles: Iterable[Vehicle], side: str) -> list[Unit]:
    """Of those whom vehicles carry, those who fight like infantry."""
    return [
        unit
        for vehicle in vehicles
        for unit in aboard(now, vehicle.unit)
        if unit.side == side and passes_for_infantry(now, unit)
    ]
