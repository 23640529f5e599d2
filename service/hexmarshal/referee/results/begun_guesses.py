"""What only silence tells, and players have begun to lay out on the table: they owe the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.referee.case.table_comparison import changed

if TYPE_CHECKING:
    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.check.findings import Entry

__all__ = ["is_owed_by_guess", "was_left_lying"]

# What no player forgets to show as he forgets a sign.
_STRENGTHS: Final = ("steps", "value")


def is_owed_by_guess(case: Case, entry: Entry, unit: str) -> bool:
    """Whether a unit is owed although nobody said what was done, since other things show it."""
    return _was_laid_otherwise(case, entry, unit) or was_left_lying(case, entry, unit)


def _was_laid_otherwise(case: Case, entry: Entry, unit: str) -> bool:
    """Whether a unit was put where an action puts it, and has other strengths there."""
    known, seen = case.mind.belief.units.get(unit), case.sights.units.get(unit)
    before = None if entry.before is None else entry.before.units.get(unit)
    if known is None or seen is None or before is None or not known.cell:
        return False
    laid = before.cell != known.cell and seen.at_place_of(known)
    return laid and any(right.of in _STRENGTHS for right, _ in seen.against(known))


def was_left_lying(case: Case, entry: Entry, unit: str) -> bool:
    """Whether a unit still lies where others took its place, who lie there now."""
    if entry.before is None or entry.after is None:
        return False
    before, seen = entry.before.units.get(unit), case.sights.units.get(unit)
    known, after = case.mind.belief.units.get(unit), entry.after.units
    if before is None or seen is None or not before.cell or not seen.at_place_of(before):
        return False
    if known is not None and known.cell:
        return False
    others = (one for one in changed(entry.before, entry.after) if one in after and one != unit)
    return any(after[one].cell == before.cell and not case.apart(one) for one in others)
