"""Infantry attacks a vehicle in close combat: its value, what is added, what a roll does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.rules.close_combat.blow import leader_among
from hexmarshal.games.asl.rules.movement.stacking import overstack
from hexmarshal.games.asl.rules.vehicles.values import value_of
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.vehicles import is_vehicle, vehicle_of, vehicles_in
from hexmarshal.rules.rolling.modifiers import tally
from hexmarshal.rules.verdict import Modifier

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.games.asl.state.units.vehicles import Vehicle
    from hexmarshal.rules.rolling.modifiers import Tally
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.verdict import Strength

__all__ = [
    "BURNING", "CAPTURED", "ELIMINATED", "IMMOBILIZED", "NONE", "Assault", "Ready", "aim",
    "assault_of", "has_usable_gun",
]  # fmt: skip

BURNING: Final = "burning"
ELIMINATED: Final = "eliminated"
IMMOBILIZED: Final = "immobilized"
CAPTURED: Final = "captured"
NONE: Final = "none"
_ABSENT: Final = frozenset({marks.BROKEN, marks.PINNED})


@dataclass(frozen=True, slots=True)
class Assault:
    """Who attacks which vehicle, and how."""

    side: str
    attackers: tuple[Unit, ...]
    vehicle: Vehicle
    capture: bool = False
    ambush: str = ""
    """The side that has laid an ambush."""


@dataclass(frozen=True, slots=True)
class Ready:
    """An assault before its roll: the value, how it came about, and what is added."""

    value: int
    strengths: tuple[Strength, ...]
    added: Tally

    def result(self, final: int, *, capture: bool) -> str:
        """ASL-CCV-1, ASL-CAPT-3a: what a final roll does to the vehicle."""
        if final > self.value:
            return NONE
        if capture:
            return CAPTURED
        if 2 * final <= self.value:
            return BURNING
        return ELIMINATED if final < self.value else IMMOBILIZED


# What is added


def has_usable_gun(vehicle: Vehicle) -> bool:
    """ASL-CCV-2: a machine gun that its crew can use, the bow's too; not stunned or shocked."""
    if vehicle.abandoned or vehicle.dazed:
        return False
    overhead = vehicle.anti_aircraft if vehicle.exposed else 0
    return any((vehicle.bow, vehicle.coaxial, vehicle.rear, vehicle.small_main_armament, overhead))


def aim(now: Situation, assault: Assault) -> Ready:
    """ASL-CCV-1, ASL-CCV-2: the value of the attackers, and what is added to their roll."""
    hidden = ("concealed vehicle",) if assault.vehicle.unit.has(marks.CONCEALED) else ()
    value, strengths = value_of(now, assault.attackers, hidden)
    added = tally([*_of_the_vehicle(now, assault), *_of_the_attack(now, assault)])
    return Ready(value, strengths, added)


def _of_the_vehicle(now: Situation, assault: Assault) -> list[Modifier]:
    """ASL-CCV-2, ASL-CAPT-3a: armour counts in no other way."""
    vehicle = assault.vehicle
    amount = now.tables.vehicle_combat.modifiers
    found = []

    def add(label: str, name: str, times: int = 1, rule: str = "ASL-CCV-2") -> None:
        found.append(Modifier(label, times * amount[name], rule))

    if not vehicle.armored:
        add("unarmoured", "unarmored")
    elif vehicle.open_topped or vehicle.partly_armored:
        label = "open-topped" if vehicle.open_topped else "partly armoured"
        add(label, "open_topped")
    elif vehicle.abandoned:
        add("abandoned", "exposed", rule="ASL-CAPT-3a")
    elif vehicle.exposed:
        add("crew exposed", "exposed")
    if not has_usable_gun(vehicle):
        add("no usable machine gun", "no_machine_gun")
    if vehicle.immobile and vehicle.armored:
        add("immobile", "immobile")
    if vehicle.in_motion and not vehicle.abandoned:
        add("in motion", "in_motion")
    for unit in escorts(now, assault):
        squad = now.counter(unit).kind == "squad"
        add(f"escort {unit.id}", "escort_squad" if squad else "escort")
    return found


def escorts(now: Situation, assault: Assault) -> list[Unit]:
    """ASL-CCV-2, ASL-CAPT-3a: enemy MMC here, neither broken nor pinned, not under cover."""
    enemy = other(assault.side)
    place = now.at(assault.vehicle.unit)
    found = list(now.people(place, enemy))
    for vehicle in vehicles_in(now, place):
        if not (vehicle.half_track and vehicle.buttoned_up):
            found += [u for u in now.position.carried_by(vehicle.name) if u.side == enemy]
    return [
        unit
        for unit in found
        if now.is_mmc(unit) and not unit.flags & _ABSENT and now.is_armed(unit)
    ]


def _of_the_attack(now: Situation, assault: Assault) -> list[Modifier]:
    """ASL-CCV-2, ASL-AMB-1, ASL-SF-1: what is so of who attacks."""
    amount = now.tables.combat_modifier
    own = now.tables.vehicle_combat.modifiers
    units = assault.attackers
    found = []
    if assault.capture:
        found.append(Modifier("to capture", own["capture"], "ASL-CCV-4"))
    if assault.ambush == assault.side:
        found.append(Modifier("ambush", amount("ambushing"), "ASL-AMB-1"))
    elif assault.ambush:
        found.append(Modifier("against the ambushers", amount("ambushed"), "ASL-AMB-1"))
    elif any(unit.values.get("street_from") for unit in units):
        found.append(Modifier("street fighting", own["street"], "ASL-SF-1"))
    if any(unit.has(marks.CX) for unit in units):
        found.append(Modifier("CX", amount("by_cx"), "ASL-CX-2"))
    if any(unit.has(marks.TI) for unit in units):
        found.append(Modifier("TI", amount("by_ti"), "ASL-CC-1"))
    leader = leader_among(now, units)
    if heroes := sum(now.is_hero(unit) for unit in units if unit is not leader):
        found.append(Modifier("heroic", heroes * amount("heroic"), "ASL-A15.2c"))
    if too_many := overstack(now, now.at(units[0]), assault.side):
        found.append(Modifier("overstacked", too_many * amount("by_overstacked"), "ASL-STACK-4"))
    if leader is not None and now.leadership(leader):
        found.append(Modifier(f"leadership of {leader.id}", now.leadership(leader), "ASL-CCV-2"))
    return found


def assault_of(
    now: Situation,
    side: str,
    attackers: Sequence[str],
    targets: Sequence[str],
    *,
    capture: bool = False,
    ambush: str = "",
) -> Assault | None:
    """An attack on a vehicle, by those who are named; None if it is none."""
    units = now.position.units
    found = [units[name] for name in targets if name in units and is_vehicle(units[name])]
    men = tuple(units[name] for name in attackers if name in units)
    if not found or not men:
        return None
    return Assault(side, men, vehicle_of(found[0]), capture, ambush)
