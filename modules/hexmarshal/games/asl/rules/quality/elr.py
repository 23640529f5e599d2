"""Experience level: who fails a check by more than it is replaced by a lesser unit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.morale.checks import Fate
from hexmarshal.games.asl.rules.quality.substitution import levels_of_leaders, lower
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.traits import elr_of, is_commissar, never_disrupted
from hexmarshal.rules.copying import copied
from hexmarshal.rules.state.effects import AddUnit, ChangeUnit
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["Replacement", "beyond_elr", "is_subject", "replace_unit", "replaced", "replacement"]


@dataclass(frozen=True, slots=True)
class Replacement:
    """What becomes of a unit that falls below its experience level."""

    type: str = ""
    """Its new counter; '' if it keeps its own."""
    disrupted: bool = False
    twice: bool = False
    """Whether a squad becomes two half-squads of the same quality (ASL-A19.13e)."""

    @property
    def nothing(self) -> bool:
        """Whether nothing changes."""
        return not self.type and not self.disrupted


def is_subject(now: Situation, unit: Unit) -> bool:
    """ASL-A19.13e: not crews, commissars, heroes, the unarmed and those who are broken already."""
    counter = now.counter(unit)
    if counter.kind == "crew" or now.is_hero(unit) or is_commissar(now, unit):
        return False
    return not unit.flags & {marks.BROKEN, marks.UNARMED}


def beyond_elr(now: Situation, unit: Unit, total: int, fate: Fate) -> bool:
    """ASL-A19.13a: whether a check is failed by more than the ELR."""
    if fate not in (Fate.BROKEN, Fate.REDUCED_AND_BROKEN) or not is_subject(now, unit):
        return False
    elr = elr_of(now, unit)
    return elr is not None and total - now.morale(unit) > elr


def replacement(now: Situation, unit: Unit) -> Replacement:
    """ASL-A19.13b to ASL-A19.13f: the lesser unit, two half-squads, or disruption."""
    counter = now.counter(unit)
    disrupts = not never_disrupted(now, unit)
    if counter.elr_5 and counter.is_mmc:
        if counter.kind == "squad":
            return Replacement(counter.half, twice=True)
        return Replacement(disrupted=disrupts)
    below = lower(now, unit)
    if below:
        return Replacement(below)
    if counter.kind == "leader":
        lowest = levels_of_leaders(now, unit)[0] == "leader_6+1" == unit.type
        return Replacement(disrupted=disrupts and lowest)
    return Replacement(disrupted=disrupts)


def replaced(now: Situation, unit: Unit) -> Unit:
    """The unit as it is after its replacement."""
    found = replacement(now, unit)
    flags = unit.flags | ({marks.DISRUPTED} if found.disrupted else frozenset())
    return copied(unit, type=found.type or unit.type, flags=flags)


def replace_unit(play: Play, name: str, rule: str, *, alone: bool = False) -> Replacement:
    """Let it happen; `alone` if the second half-squad is lost at once (ASL-A19.13d)."""
    now = play.now
    unit = now.unit(name)
    found = replacement(now, unit)
    if found.nothing:
        return found
    flags = frozenset({marks.DISRUPTED} if found.disrupted else ())
    play.do(ChangeUnit(name, type=found.type, flags=flags))
    told, result = f"{now.named(unit)} becomes {found.type}", "replaced"
    if found.disrupted:
        told, result = f"{now.named(unit)} is disrupted", "disrupted"
    elif found.twice and not alone:
        told = f"{now.named(unit)} becomes two of {found.type}"
        second = free_name(play, name)
        twin = replace(play.position.unit(name), id=second, bonds=FrozenMap())
        play.do(AddUnit(second, twin))
    play.decide(Resolution("elr", result, steps=(Step(told, rule),)))
    return found


def free_name(play: Play, name: str, suffix: str = "") -> str:
    """A name for a unit that comes from another."""
    number = 2
    while f"{name}.{suffix}{number}" in play.position.units:
        number += 1
    return f"{name}.{suffix}{number}"
