"""What may not be declared in close combat where a vehicle attacks or is attacked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.rules.vehicles.armament import (
    attacking_vehicle,
    fights_from,
    weapons_of,
)
from hexmarshal.games.asl.rules.vehicles.seizing import capture_faults
from hexmarshal.games.asl.state.units.vehicles import is_vehicle, passes_for_infantry, vehicle_of
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["vehicle_faults"]

_MOST: Final = 2


def vehicle_faults(
    now: Situation, action: Action, attackers: Sequence[Unit], targets: Sequence[Unit]
) -> Iterator[Violation]:
    """ASL-A11.6, ASL-CCV-1b, ASL-CCAFV-1: attacks by vehicles, on them, and by whom they carry."""
    armour = attacking_vehicle(attackers)
    struck = [unit for unit in targets if is_vehicle(unit)]
    if armour is not None:
        yield from _by_vehicle(now, action, armour, attackers, struck)
        return
    yield from _mixed_seats(now, attackers, struck)
    if not struck:
        return
    yield from _on_vehicle(now, action, attackers, struck, targets)


def _mixed_seats(
    now: Situation, attackers: Sequence[Unit], struck: Sequence[Unit]
) -> Iterator[Violation]:
    """Whom a vehicle carries attacks from it alone, and no vehicle."""
    for unit in attackers:
        if not unit.carrier:
            continue
        if not passes_for_infantry(now, unit):
            text = f"{unit.id} is inside of {unit.carrier}, and attacks with it"
            rule = "ASL-CCAFV-1"
            yield Violation(rule, text, units=(unit.id,), cured_by=("attackers",))
        elif struck:
            text = f"{unit.id} is on {unit.carrier} and attacks no vehicle"
            yield Violation("ASL-CCV-1b", text, units=(unit.id,))


def _on_vehicle(
    now: Situation,
    action: Action,
    attackers: Sequence[Unit],
    struck: Sequence[Unit],
    targets: Sequence[Unit],
) -> Iterator[Violation]:
    names = tuple(unit.id for unit in targets)
    if len(targets) > 1:
        text = f"one attack does not strike {', '.join(names)} together: a vehicle is by itself"
        yield Violation("ASL-CCV-1b", text, units=names)
    men = tuple(unit.id for unit in attackers)
    if len(attackers) > _MOST:
        text = f"{', '.join(men)}: no more than two attack a vehicle together"
        yield Violation("ASL-A11.6", text, units=men)
    elif len(attackers) == _MOST and not any(now.is_smc(unit) for unit in attackers):
        text = f"{', '.join(men)}: of two who attack a vehicle one is a single man"
        yield Violation("ASL-A11.6", text, units=men)
    if action.given("hand_to_hand") is True:
        yield Violation("ASL-CC-3", "hand-to-hand is not fought with a vehicle", units=names)
    for unit in struck:
        if action.given("capture") is True:
            yield from capture_faults(now, vehicle_of(unit), action.side)
        elif unit.side == action.side:
            text = f"{unit.id} is your own: it is taken, not destroyed"
            yield Violation("ASL-CAPT-3a", text, units=(unit.id,), cured_by=("capture",))


def _by_vehicle(
    now: Situation,
    action: Action,
    armour: Unit,
    attackers: Sequence[Unit],
    struck: Sequence[Unit],
) -> Iterator[Violation]:
    vehicle = vehicle_of(armour)
    with_it = [unit for unit in attackers if unit is not armour]
    for unit in with_it:
        if not fights_from(now, vehicle, unit):
            text = f"{unit.id} does not attack together with {armour.id}"
            yield Violation("ASL-CCAFV-1", text, units=(unit.id, armour.id))
    if not weapons_of(vehicle) and not with_it:
        text = f"{armour.id} has no weapon that counts in close combat"
        yield Violation("ASL-CCAFV-1", text, units=(armour.id,), cured_by=("attackers",))
    for unit in struck:
        text = f"{armour.id} does not attack the vehicle {unit.id} in close combat"
        yield Violation("ASL-CCAFV-1", text, units=(armour.id, unit.id))
    if action.given("capture") is True:
        text = f"{armour.id} captures nobody"
        yield Violation("ASL-PRIS-3", text, units=(armour.id,))
    if action.given("hand_to_hand") is True:
        text = f"{armour.id} does not fight hand-to-hand"
        yield Violation("ASL-CC-3", text, units=(armour.id,))
