"""Exact odds of an attack on a vehicle: courage, the roll, a leader who comes, third dice."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.rules.quality.promotion import (
    LUCKY,
    base_of,
    leader_for,
    modifiers_of,
    new_leader,
)
from hexmarshal.games.asl.rules.vehicles.assault import NONE, aim
from hexmarshal.games.asl.rules.vehicles.courage import chance_to_face, is_feared
from hexmarshal.games.asl.state.situation import Situation
from hexmarshal.games.asl.state.units.traits import nation_of
from hexmarshal.rules.rolling.modifiers import tally

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.asl.rules.vehicles.assault import Assault, Ready

__all__ = ["NO_ATTACK", "assault_odds"]

NO_ATTACK: Final = "no attack"
_DIE: Final = range(1, 7)


def assault_odds(now: Situation, assault: Assault) -> dict[str, Fraction]:
    """ASL-A11.6, ASL-CCV-1, ASL-CCV-3: what becomes of the vehicle, before anybody has dared."""
    dares = Fraction(1)
    if is_feared(assault.vehicle):
        for unit in assault.attackers:
            dares *= chance_to_face(now, unit)
    found: dict[str, Fraction] = defaultdict(Fraction)
    if dares < 1:
        found[NO_ATTACK] = 1 - dares
    ready = aim(now, assault)
    for total in (a + b for a in _DIE for b in _DIE):
        chance = dares / 36
        if total != LUCKY:
            found[_result(ready, assault, total)] += chance
            continue
        for part, led in _led(now, assault, ready):
            for result, share in _lucky(now, assault, led):
                found[result] += chance * part * share
    return {result: chance for result, chance in found.items() if chance}


def _result(ready: Ready, assault: Assault, total: int) -> str:
    return ready.result(total + int(ready.added.total()), capture=assault.capture)


def _lucky(now: Situation, assault: Assault, ready: Ready) -> Iterator[tuple[str, Fraction]]:
    result = _result(ready, assault, LUCKY)
    if result != NONE or assault.capture:
        yield result, Fraction(1)
        return
    table = now.tables.vehicle_combat.unlikely_kill
    for rolled in _DIE:
        yield (table[rolled - 1] if rolled <= len(table) else NONE), Fraction(1, 6)


def _led(now: Situation, assault: Assault, ready: Ready) -> Iterator[tuple[Fraction, Ready]]:
    """ASL-A18.2: the attack by every die for a leader."""
    men = [
        unit.id
        for unit in assault.attackers
        if now.is_mmc(unit) and nation_of(now, unit).promotion is not None
    ]
    if not men:
        yield Fraction(1), ready
        return
    base = now.unit(base_of(now, men))
    armour = assault.vehicle.armored
    extra = int(tally(modifiers_of(now, base, broken=False, vehicle=armour)).total())
    for rolled in _DIE:
        key = leader_for(now, rolled + extra)
        if not key:
            yield Fraction(1, 6), ready
            continue
        man = new_leader(now, base, f"{base.id}.leader", key)
        after = Situation(now.position.with_unit(man), now.ground, now.tables)
        yield Fraction(1, 6), aim(after, replace(assault, attackers=(*assault.attackers, man)))
