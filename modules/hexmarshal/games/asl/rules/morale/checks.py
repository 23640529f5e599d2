"""Morale and task checks: what a roll means for a unit, without doing anything about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.traits import commissar_with, is_commissar, leads, nation_of
from hexmarshal.rules.verdict import Modifier

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["Fate", "Test", "fate_of_check", "fate_of_task", "leader_helping", "modifiers_of"]

_WORST = 12


class Fate(StrEnum):
    """What a check does to a unit."""

    PASSED = "passed"
    PINNED = "pinned"
    BROKEN = "broken"
    REDUCED = "reduced"
    """Casualty reduction: a squad to a half-squad, a half-squad or crew gone, an SMC wounded."""
    REDUCED_AND_BROKEN = "reduced and broken"
    ELIMINATED = "eliminated"


@dataclass(frozen=True, slots=True)
class Test:
    """One check: what it is, and what is added to the roll."""

    name: str
    worse: int = 0
    """The number of a #MC, or what a lost leader's modifier comes to."""
    rule: str = "ASL-IFT-4"
    pins: bool = True
    """Whether passing with the highest roll pins (ASL-PIN-2): checks of the fire table alone."""
    led: bool = True
    """Whether leaders help: not against the loss of one (ASL-MOR-2)."""
    critical: int = 0
    """What a coloured 6 adds (ASL-A24.1b)."""


def leader_helping(now: Situation, unit: Unit, among: Iterable[Unit] | None = None) -> Unit | None:
    """ASL-MOR-2, ASL-LDR-2: the leader whose modifier counts for a check of this unit.

    An unbroken, unpinned one in its location; for a leader one of higher morale. Of several the
    owner takes the best; a single one counts even if he is a hindrance.
    """
    if unit.has(marks.BERSERK) or is_commissar(now, unit):
        return None  # ASL-A15.42a, ASL-NAT-COM
    if commissar_with(now, now.at(unit), unit.side) is not None:
        return None
    mine = now.morale(unit)
    found = [
        one
        for one in (now.people(now.at(unit), unit.side) if among is None else among)
        if one.id != unit.id
        and now.is_leader(one)
        and not one.flags & {marks.BROKEN, marks.PINNED, marks.BERSERK}
        and leads(now, one, unit)
        and (not now.is_leader(unit) or now.morale(one) > mine)
    ]
    return min(found, key=lambda one: (now.leadership(one, unit), one.id), default=None)


def modifiers_of(now: Situation, unit: Unit, test: Test) -> tuple[Modifier, ...]:
    """ASL-MOR-2: the number of the check, and one leader's modifier."""
    found = []
    if test.worse:
        found.append(Modifier(test.name, test.worse, test.rule))
    leader = leader_helping(now, unit) if test.led else None
    if leader is not None:
        amount = now.leadership(leader, unit)
        if amount:
            found.append(Modifier(f"leadership of {leader.id}", amount, "ASL-MOR-2"))
    return tuple(found)


def fate_of_check(
    now: Situation, unit: Unit, original: int, total: int, *, pins: bool = True
) -> Fate:
    """ASL-MOR-3, ASL-A10.31, ASL-PIN-2: what the roll of a morale check means."""
    morale = now.morale(unit)
    broken = unit.has(marks.BROKEN)
    if original == _WORST:
        return Fate.REDUCED_AND_BROKEN if can_break(now, unit) else Fate.ELIMINATED
    if total > morale:
        if now.is_hero(unit) and unit.has(marks.WOUNDED):  # ASL-A15.2a
            return Fate.ELIMINATED
        return Fate.BROKEN if can_break(now, unit) and not broken else Fate.REDUCED
    if pins and total == morale and not broken and now.can_be_pinned(unit):
        return Fate.PASSED if unit.has(marks.PINNED) else Fate.PINNED
    return Fate.PASSED


def can_break(now: Situation, unit: Unit) -> bool:
    """ASL-IFT-2: berserk, heroic, broken and unarmed units cannot be broken."""
    if now.counter(unit).kind in nation_of(now, unit).unbreaking:
        return False
    return not now.is_hero(unit) and not unit.flags & {marks.BERSERK, marks.BROKEN, marks.UNARMED}


def fate_of_task(now: Situation, unit: Unit, total: int) -> Fate:
    """ASL-IFT-5, ASL-LLTC-1: who fails a pin task check is pinned, if he can be."""
    if total <= now.morale(unit) or not exposed_to_pin(now, unit):
        return Fate.PASSED
    return Fate.PINNED


def exposed_to_pin(now: Situation, unit: Unit) -> bool:
    """ASL-IFT-5, ASL-PIN-4: broken units and those pinned already take no pin task check."""
    return now.can_be_pinned(unit) and not unit.flags & {marks.BROKEN, marks.PINNED}
