"""One attack in close combat: firepower, the odds column, what is added to the roll."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.rules.movement.stacking import overstack
from hexmarshal.games.asl.rules.vehicles.armament import (
    attacking_vehicle,
    cannot_attack,
    vehicle_strengths,
)
from hexmarshal.games.asl.rules.vehicles.values import defence_values
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.traits import is_elite, nation_of
from hexmarshal.games.asl.state.units.vehicles import is_vehicle, passes_for_infantry, vehicle_of
from hexmarshal.rules.rolling.modifiers import tally
from hexmarshal.rules.verdict import Modifier, Strength

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.games.asl.state.tables import Odds
    from hexmarshal.rules.rolling.modifiers import Tally
    from hexmarshal.rules.state.pieces import Unit

__all__ = [
    "Aim", "Blow", "aim", "attack_strengths", "can_attack", "defence_strengths", "fates",
    "leader_among",
]  # fmt: skip

HALF: Final = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Blow:
    """Who attacks whom, and how; what stands around it is not part of it."""

    side: str
    attackers: tuple[Unit, ...]
    targets: tuple[Unit, ...]
    capture: bool = False
    hand_to_hand: bool = False
    ambush: str = ""
    """The side that has laid an ambush."""
    leaving: frozenset[str] = frozenset()
    """Those of the targets who withdraw (ASL-A11.21b)."""
    staying: int = 0
    """How many of the targets' friends stay and cover them."""


@dataclass(frozen=True, slots=True)
class Aim:
    """An attack before its roll: the column, and the modifiers for each class of targets."""

    power: Fraction
    against: Fraction
    odds: Odds
    number: int
    classes: tuple[tuple[Tally, tuple[str, ...]], ...]
    strengths: tuple[Strength, ...]


def own_power(now: Situation, unit: Unit) -> int:
    """ASL-CC-6, ASL-A20.54a: a single man has one, and so have the unarmed; others what they print.

    ASL-CC-7: the broken defend with the firepower of their other side.
    """
    if now.is_smc(unit) or (unit.has(marks.UNARMED) and not now.is_armed(unit)):
        return 1
    return now.counter(unit).fp


def attack_strengths(now: Situation, blow: Blow) -> tuple[Strength, ...]:
    """ASL-CC-8, ASL-A20.5b: what each attacker brings, and what halves it."""
    if attacking_vehicle(blow.attackers) is not None:
        men = {unit.id: own_power(now, unit) for unit in blow.attackers if now.is_personnel(unit)}
        return vehicle_strengths(blow.attackers, blow.targets, men)
    hidden = any(unit.has(marks.CONCEALED) for unit in blow.targets)
    found = []
    for unit in blow.attackers:
        printed = own_power(now, unit)
        factors: list[tuple[str, str]] = []
        if unit.has(marks.PINNED):
            factors.append(("pinned", "ASL-PIN-3"))
        own = {one.id for one in now.prisoners(unit)}
        if own and not {target.id for target in blow.targets} <= own:
            factors.append(("guards prisoners", "ASL-A20.5b"))
        if hidden:
            factors.append(("concealed target", "ASL-CC-8"))
        label = ", ".join((unit.id, *(f"{why} x1/2" for why, _ in factors)))
        rules = tuple(rule for _, rule in factors) or ("ASL-CC-2",)
        counted = printed * HALF ** len(factors)
        found.append(Strength(label, printed, counted, rules, (unit.id,), "attack"))
    return tuple(found)


def defence_strengths(now: Situation, blow: Blow) -> tuple[Strength, ...]:
    """ASL-CC-2, ASL-CC-7: the targets with all that they have."""
    return tuple(
        Strength(u.id, own_power(now, u), own_power(now, u), ("ASL-CC-2",), (u.id,), "defence")
        for u in blow.targets
    )


def can_attack(now: Situation, unit: Unit) -> str:
    """Why a unit does not attack; '' if it may."""
    if is_vehicle(unit):
        return cannot_attack(vehicle_of(unit))
    if now.is_dummy(unit):
        return "is a dummy"
    if unit.has(marks.BROKEN):
        return "is broken and only defends"  # ASL-CC-7
    if unit.has(marks.ESCAPING):
        return "has attacked its guards"  # ASL-ESC-1
    return ""


def aim(now: Situation, blow: Blow) -> Aim:
    """ASL-CC-2, ASL-CC-3: ratio, column, kill number, and the modifiers by classes of targets."""
    strengths = attack_strengths(now, blow)
    more: tuple[Modifier, ...] = ()
    if attacking_vehicle(blow.attackers) is not None:
        defence, more = defence_values(now, blow.targets)
    else:
        defence = defence_strengths(now, blow)
    power = sum((Fraction(s.counted) for s in strengths), start=Fraction(0))
    against = sum((Fraction(s.counted) for s in defence), start=Fraction(0))
    whole = now.option("beyond_ten_from_eleven") is True
    odds = now.tables.odds(power / against if against else Fraction(99), whole=whole)
    common = [*_common(now, blow), *more]
    classes: dict[int, tuple[Tally, list[str]]] = {}
    for unit in blow.targets:
        found = tally([*common, *_against(now, blow, unit)])
        classes.setdefault(int(found.total()), (found, []))[1].append(unit.id)
    return Aim(
        power,
        against,
        odds,
        odds.red if blow.hand_to_hand else odds.black,
        tuple((found, tuple(names)) for found, names in classes.values()),
        (*strengths, *defence),
    )


def _common(now: Situation, blow: Blow) -> list[Modifier]:
    """What is added for whoever is attacked."""
    amount = now.tables.combat_modifier
    found = []
    if blow.ambush == blow.side:
        found.append(Modifier("ambush", amount("ambushing"), "ASL-AMB-1"))
    elif blow.ambush:
        found.append(Modifier("against the ambushers", amount("ambushed"), "ASL-AMB-1"))
    if any(unit.has(marks.CX) for unit in blow.attackers):
        found.append(Modifier("CX", amount("by_cx"), "ASL-CX-2"))
    if any(unit.has(marks.TI) for unit in blow.attackers):
        found.append(Modifier("TI", amount("by_ti"), "ASL-CC-1"))
    for seat in ("rider", "passenger"):  # ASL-CCV-2, ASL-CCV-4
        if any(_seated(now, unit) == seat for unit in blow.attackers):
            rule = "ASL-CCV-2" if seat == "rider" else "ASL-CCV-4"
            found.append(Modifier(f"by a {seat}", amount(f"by_{seat}"), rule))
    leader = leader_among(now, blow.attackers)
    # ASL-A15.2b, ASL-A15.2c: a heroic leader who leads is no hero besides
    if heroes := sum(now.is_hero(unit) for unit in blow.attackers if unit is not leader):
        found.append(Modifier("heroic", heroes * amount("heroic"), "ASL-CC-1"))
    if blow.attackers and (too_many := overstack(now, now.at(blow.attackers[0]), blow.side)):
        found.append(Modifier("overstacked", too_many * amount("by_overstacked"), "ASL-STACK-4"))
    if blow.hand_to_hand and any(_likes_steel(now, unit) for unit in blow.attackers):
        found.append(Modifier("hand-to-hand", amount("hand_to_hand"), "ASL-CC-3"))
    if leader is not None and now.leadership(leader):
        found.append(Modifier(f"leadership of {leader.id}", now.leadership(leader), "ASL-LDR-1"))
    return found


def leader_among(now: Situation, attackers: Sequence[Unit]) -> Unit | None:
    """The leader whose modifier counts: not one alone or pinned, and none among the berserk."""
    if len(attackers) < 2 or any(unit.has(marks.BERSERK) for unit in attackers):
        return None
    leaders = [unit for unit in attackers if now.is_leader(unit) and not unit.has(marks.PINNED)]
    if len(leaders) == len(attackers):
        return None
    heroic = now.tables.combat_modifier("heroic")
    leaders = [u for u in leaders if not now.is_hero(u) or now.leadership(u) < heroic]
    return min(leaders, key=lambda one: (now.leadership(one), one.id), default=None)


def _likes_steel(now: Situation, unit: Unit) -> bool:
    """Japanese and Gurkhas, armed and not pinned."""
    fierce = now.nation(unit) == "japanese" or unit.values.get("branch") == "gurkha"
    return fierce and now.is_armed(unit) and not unit.has(marks.PINNED)


def _seated(now: Situation, unit: Unit) -> str:
    """How somebody sits on or in a vehicle and fights like infantry; '' if he does not."""
    if not passes_for_infantry(now, unit):
        return ""
    return "rider" if unit.values.get("seat") == "rider" else "passenger"


def _against(now: Situation, blow: Blow, unit: Unit) -> list[Modifier]:
    """What is added for one target."""
    amount = now.tables.combat_modifier
    found = []
    if seat := _seated(now, unit):
        rule = "ASL-CCV-2" if seat == "rider" else "ASL-CCV-4"
        found.append(Modifier(f"against a {seat}", amount(f"against_{seat}"), rule))
    armour = attacking_vehicle(blow.attackers)
    if armour is not None and not blow.ambush and unit.values.get("street_from"):
        street = now.tables.vehicle_combat.modifiers["against_street"]
        found.append(Modifier("street fighting", street, "ASL-SF-1"))
    if unit.has(marks.CX):
        found.append(Modifier("against CX", amount("against_cx"), "ASL-CX-2"))
    if unit.has(marks.TI):
        found.append(Modifier("against TI", amount("against_ti"), "ASL-CC-1"))
    if unit.has(marks.BROKEN):
        found.append(Modifier("against the broken", amount("against_broken"), "ASL-CC-7"))
    if too_many := overstack(now, now.at(unit), unit.side):
        found.append(
            Modifier(
                "against the overstacked", too_many * amount("against_overstacked"), "ASL-STACK-4"
            )
        )
    if unit.id in blow.leaving:  # ASL-A11.21b: for those alone who withdraw
        found.append(
            Modifier("against who withdraws", amount("against_withdrawing"), "ASL-A11.21b")
        )
        if blow.staying:
            found.append(Modifier("covered", blow.staying * amount("covering"), "ASL-A11.21b"))
    if blow.capture:
        found.append(_capturing(now, unit))
    return found


def _capturing(now: Situation, unit: Unit) -> Modifier:
    """ASL-PRIS-3: harder; easier with the inexperienced, no harder with most Italians."""
    if now.is_inexperienced(unit):
        name = "capture_inexperienced"
    elif nation_of(now, unit).captured_freely_below_elite and not is_elite(now, unit):
        name = "capture_italian"
    else:
        name = "capture"
    return Modifier("to capture", now.tables.combat_modifier(name), "ASL-PRIS-3")


def fates(found: Aim, total: int) -> tuple[tuple[str, tuple[str, ...], Tally, int], ...]:
    """ASL-CC-3: what a roll of two dice means for each class of targets."""
    return tuple(
        (_fate(total + int(one.total()), found.number), names, one, total + int(one.total()))
        for one, names in found.classes
    )


def _fate(final: int, number: int) -> str:
    return "all" if final < number else "one" if final == number else "none"
