"""Results that players had begun to carry out when the log ended."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.referee.check.findings import Certainty, Status
from hexmarshal.referee.results.result_words import headed

if TYPE_CHECKING:
    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.case.mind import Late

__all__ = ["leave_open"]

_HINT: Final = "the log of what was played next may show the rest"


def leave_open(case: Case) -> None:
    """Tell of nobody as wrong who takes a unit off step by step, and whose log ends on the way.

    Who moves the tracker first may carry a result out later in the turn.
    """
    mind = case.mind
    results: dict[int, dict[str, Late]] = {}
    for unit, late in mind.late.items():
        results.setdefault(late.entry, {})[unit] = late
    for number, units in results.items():
        if all(_is_begun(case, unit, late) for unit, late in units.items()):
            told = next(iter(units.values())).told
            mind.entries[number] = told
            mind.entries[number] = replace(
                headed(case.rules.game, mind.entries, number),
                status=Status.UNKNOWN,
                certainty=Certainty.CANNOT_TELL,
                result=f"{told.result}: the log ends when a part of it is carried out",
                hint=_HINT,
            )


def _is_begun(case: Case, unit: str, late: Late) -> bool:
    """Whether a unit is to be eliminated and has lost some steps as the log ends."""
    before = None if late.told.before is None else late.told.before.units.get(unit)
    shown = case.mind.belief.units.get(unit)
    if late.step < case.mind.step or before is None or shown is None or shown.cell != before.cell:
        return False
    eliminated = late.unit is None or not late.unit.cell
    return eliminated and 0 < shown.steps < before.steps
