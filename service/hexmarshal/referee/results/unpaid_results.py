"""Results of which nothing was carried out when the game went on: told, until they are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.referee.case.table_comparison import asked_about
from hexmarshal.referee.check.findings import Certainty, Status
from hexmarshal.referee.results.result_words import headed

if TYPE_CHECKING:
    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.case.mind import Late, Unpaid
    from hexmarshal.referee.check.findings import Entry

__all__ = ["forgive_unpaid", "may_be_paid", "tell_unpaid", "tell_unpaid_again"]


def tell_unpaid(case: Case, one: Unpaid) -> None:
    """Tell it of the dice that it came of."""
    entries, at = case.mind.entries, one.at
    if one.broken is None:
        return
    told = headed(case.rules.game, entries, one.entry)
    own = (unit for unit in sorted(asked_about(at)) if at.units[unit].side in at.active)
    entries[one.entry] = replace(
        told,
        status=Status.VIOLATION,
        certainty=Certainty.LIKELY,
        violations=(*told.violations, one.broken),
        right=told.right or "; ".join(filter(None, (told.result, case.asked_for(at)))),
        units=tuple(dict.fromkeys((*told.units, *own))),
    )


def forgive_unpaid(case: Case, one: Unpaid) -> None:
    """It was done later: then nothing is wrong with that."""
    entries = case.mind.entries
    entry = entries[one.entry]
    rest = tuple(broken for broken in entry.violations if broken is not one.broken)
    if len(rest) < len(entry.violations):
        entries[one.entry] = replace(entry, violations=rest) if rest else one.before


def tell_unpaid_again(case: Case, number: int, told: Entry) -> None:
    """What else was wrong with an entry is not any more: this still is."""
    mind = case.mind
    mind.entries[number] = told
    mind.unpaid = tuple(
        replace(one, before=told) if one.entry == number else one for one in mind.unpaid
    )
    for one in mind.unpaid:
        if one.entry == number:
            tell_unpaid(case, one)


def may_be_paid(case: Case) -> frozenset[int]:
    """The entries of which nothing is wrong but that players still have to do something."""
    mind = case.mind
    asked = {
        one.entry
        for one in mind.unpaid
        if mind.entries[one.entry].violations == (one.broken,) and one.broken is not None
    }
    late = {one.entry for one in mind.late.values()} - asked
    open_ends = {
        number
        for number in late
        if all(_is_begun(case, u, one) for u, one in mind.late.items() if one.entry == number)
    }
    return frozenset(asked | open_ends)


def _is_begun(case: Case, unit: str, late: Late) -> bool:
    """Whether a unit lost some of the steps that it loses."""
    before = None if late.told.before is None else late.told.before.units.get(unit)
    shown = case.mind.belief.units.get(unit)
    if before is None or shown is None or shown.cell != before.cell:
        return False
    left = late.unit.steps if late.unit is not None and late.unit.cell else 0
    return left < shown.steps < before.steps
