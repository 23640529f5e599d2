"""A vehicle attacks in close combat: which of its weapons count, and with what firepower."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.vehicles import is_vehicle, vehicle_of
from hexmarshal.rules.verdict import Strength

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.games.asl.state.units.vehicles import Vehicle
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["attacking_vehicle", "cannot_attack", "fights_from", "vehicle_strengths", "weapons_of"]

HALF: Final = Fraction(1, 2)


def attacking_vehicle(attackers: Sequence[Unit]) -> Unit | None:
    """The vehicle among those who attack."""
    return next((unit for unit in attackers if is_vehicle(unit)), None)


def weapons_of(vehicle: Vehicle) -> tuple[tuple[str, int], ...]:
    """ASL-CCAFV-1, ASL-CAPT-4c: the weapons that count in close combat; the bow's never does."""
    if vehicle.abandoned or vehicle.dazed:
        return ()
    overhead = ("AAMG", vehicle.anti_aircraft if vehicle.exposed else 0)
    coaxial = ("CMG", 0 if vehicle.coaxial_fixed else vehicle.coaxial)
    if vehicle.crew == "smc":
        rows = [overhead if vehicle.exposed else coaxial]
    else:
        rows = [overhead, coaxial, ("RMG", vehicle.rear), ("IFE", vehicle.small_main_armament)]
    return tuple((name, power) for name, power in rows if power)


def cannot_attack(vehicle: Vehicle) -> str:
    """ASL-CCAFV-1, ASL-CAPT-4c: why a vehicle does not attack; '' if it may."""
    if vehicle.abandoned:
        return "is abandoned"
    if vehicle.dazed:
        return "is stunned or shocked"
    if vehicle.crew == "smc" and vehicle.unit.has(marks.STARTED):
        return "is manned by one man, who has driven"
    return ""


def fights_from(now: Situation, vehicle: Vehicle, unit: Unit) -> bool:
    """ASL-CCAFV-1: riders, and the passengers of a half-track whose crew is exposed."""
    if unit.carrier != vehicle.name or not now.is_personnel(unit) or unit.has(marks.BROKEN):
        return False
    if unit.values.get("seat") == "rider":
        return True
    seated = unit.values.get("seat") != "driver"
    return seated and vehicle.half_track and vehicle.exposed


def vehicle_strengths(
    attackers: Sequence[Unit], targets: Sequence[Unit], printed: dict[str, int]
) -> tuple[Strength, ...]:
    """ASL-CCAFV-1, ASL-CCAFV-2: halved in motion, against the concealed, and for the pinned."""
    unit = attacking_vehicle(attackers)
    assert unit is not None
    vehicle = vehicle_of(unit)
    hidden = any(target.has(marks.CONCEALED) for target in targets)
    common = [
        why for why, so in (("in motion", vehicle.in_motion), ("concealed target", hidden)) if so
    ]
    rows = [(f"{unit.id} {name}", power, unit.id, common) for name, power in weapons_of(vehicle)]
    for man in attackers:
        if man is not unit:
            own = [*common, "pinned"] if man.has(marks.PINNED) else common
            rows.append((man.id, printed[man.id], man.id, own))
    return tuple(
        Strength(
            ", ".join((label, *(f"{why} x1/2" for why in causes))),
            power,
            power * HALF ** len(causes),
            ("ASL-CCAFV-2",) if causes else ("ASL-CCAFV-1",),
            (name,),
            "attack",
        )
        for label, power, name, causes in rows
    )
