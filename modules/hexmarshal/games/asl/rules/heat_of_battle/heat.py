"""Heat of battle: what an original 2 does to those who check their morale or are rallied."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.heat_of_battle import berserk, heroes
from hexmarshal.games.asl.rules.quality import disruption
from hexmarshal.games.asl.rules.quality.substitution import higher
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.traits import (
    is_commissar,
    is_elite,
    nation_of,
    never_disrupted,
    never_surrenders,
)
from hexmarshal.rules.copying import copied
from hexmarshal.rules.rolling.modifiers import tally
from hexmarshal.rules.state.effects import ChangeUnit
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Modifier, Resolution, Step

if TYPE_CHECKING:
    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["LUCKY", "Heat", "after", "heat_of", "is_exempt", "kindle", "modifiers_of"]

LUCKY = 2
"""The original roll that brings it."""
_MENDED = frozenset({marks.BROKEN, marks.DM, marks.PINNED, marks.DISRUPTED})


@dataclass(frozen=True, slots=True)
class Heat:
    """A result of the table."""

    hero: bool = False
    hardening: bool = False
    berserk: bool = False
    surrender: bool = False

    def __str__(self) -> str:
        found = {
            "hero": self.hero,
            "hardening": self.hardening,
            "berserk": self.berserk,
            "surrender": self.surrender,
        }
        return " and ".join(word for word, happens in found.items() if happens)


def is_exempt(now: Situation, unit: Unit) -> bool:
    """ASL-A15.1a: heroes, crews, the unarmed, berserk, carried, in a wave or in the water."""
    counter = now.counter(unit)
    if counter.kind in ("crew", "hero") or now.is_hero(unit) or unit.carrier:
        return True
    if unit.flags & {marks.UNARMED, marks.BERSERK} or now.in_wave(unit):
        return True
    terrain = now.ground.terrain(now.at(unit).cell)
    return terrain.water or terrain.ford


def modifiers_of(now: Situation, unit: Unit, *, broken: bool) -> list[Modifier]:
    """ASL-A15.1c: elite, broken, inexperienced, and the nation."""
    amounts = now.tables.heat["heat_of_battle"]["modifiers"]
    found = []
    if is_elite(now, unit):
        found.append(Modifier("elite", amounts["elite"], "ASL-A15.1c"))
    if broken:
        found.append(Modifier("broken", amounts["broken"], "ASL-A15.1c"))
    if now.is_inexperienced(unit):
        found.append(Modifier("inexperienced", amounts["inexperienced"], "ASL-A15.1c"))
    amount = nation_of(now, unit).heat
    if amount:
        name = now.nation(unit).replace("_", " ")
        found.append(Modifier(name, amount, "ASL-A15.1c"))
    return found


def heat_of(now: Situation, unit: Unit, total: int) -> Heat:
    """ASL-A15.1b: what a final roll means for this unit."""
    rows = now.tables.heat["heat_of_battle"]["results"]
    row = next(row for row in rows if total <= row["to"])
    names = ("hero", "hardening", "berserk", "surrender")
    heat = Heat(**{name: row.get(name) is True for name in names})
    if not is_elite(now, unit) and total >= nation_of(now, unit).surrenders_below_elite_on:
        heat = Heat(surrender=True)
    if heat.surrender and never_surrenders(now, unit):
        heat = Heat(berserk=True)
    if heat.berserk and not berserk.has_enemy(now, unit):
        heat = Heat(hardening=True)
    return heat


def hardened(now: Situation, unit: Unit) -> tuple[str, bool]:
    """ASL-BH-1: what a unit hardens into, or whether it becomes fanatic instead; it may refuse."""
    if now.position.extras.get(f"{unit.side}_refuses_hardening") is True:
        return "", False
    above = higher(now, unit)
    return above, not above and not is_commissar(now, unit)


def after(now: Situation, unit: Unit, heat: Heat) -> Unit:
    """The unit as it is after a result, without the men that come of it: for the odds."""
    if heat.surrender:
        flags = unit.flags - {marks.PINNED} | {marks.BROKEN, marks.DM}
        if disruption.captors_of(now, unit):
            return copied(unit, flags=flags | {marks.CAPTURED})
        return copied(
            unit, flags=flags if never_disrupted(now, unit) else flags | {marks.DISRUPTED}
        )
    if heat.berserk:
        return copied(unit, flags=unit.flags - berserk.ENDED | {marks.BERSERK})
    if heat.hero:
        if now.is_leader(unit):
            unit = copied(unit, flags=unit.flags - _MENDED | {marks.HEROIC})
        else:
            unit = copied(unit, values=FrozenMap({**unit.values, "hero": True}))
    if heat.hardening:
        above, fanatic = hardened(now, unit)
        if above or fanatic:
            flags = unit.flags - _MENDED | ({marks.FANATIC} if fanatic else frozenset())
            unit = copied(unit, type=above or unit.type, flags=flags)
    return unit


def kindle(play: Play, name: str, *, broken: bool) -> Heat | None:
    """ASL-A15.1a: the new roll at once, and what comes of it; `broken` as it was when it rolled."""
    now = play.now
    unit = now.position.units.get(name)
    if unit is None or is_exempt(now, unit):
        return None
    found = tally(modifiers_of(now, unit, broken=broken))
    dice, rolls = play.roll_two(f"heat of battle of {name}", unit.side)
    total = sum(dice) + int(found.total())
    heat = heat_of(now, unit, total)
    told = (
        f"{now.named(unit)}: {dice[0]} + {dice[1]}"
        + "".join(f" {m.amount:+} {m.label}" for m in found.counted)
        + f" = {total}: {heat}"
    )
    play.decide(
        Resolution(
            "heat of battle",
            str(heat),
            modifiers=found.modifiers,
            dice=rolls,
            steps=(Step(told, "ASL-A15.1b"),),
        )
    )
    if heat.hero:
        heroes.create(play, name)
    if heat.hardening:
        harden(play, name)
    if heat.berserk:
        berserk.go_berserk(play, name)
    if heat.surrender:
        disruption.surrender(play, name)
    return heat


def harden(play: Play, name: str) -> None:
    """ASL-BH-1: the next better unit, unbroken and unpinned; who is the best becomes fanatic."""
    now = play.now
    unit = now.unit(name)
    above, fanatic = hardened(now, unit)
    if not above and not fanatic:
        told, result = f"{now.named(unit)} is not hardened", "none"
    elif above:
        told, result = f"{now.named(unit)} becomes {above}", "hardened"
    else:
        told, result = f"{now.named(unit)} becomes fanatic", "fanatic"
    play.decide(Resolution("hardening", result, steps=(Step(told, "ASL-BH-1"),)))
    if above or fanatic:
        flags = frozenset({marks.FANATIC} if fanatic else ())
        play.do(ChangeUnit(name, type=above, flags=flags, unflags=_MENDED & unit.flags))
