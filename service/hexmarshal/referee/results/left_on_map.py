"""Units that fell, and whose counters nobody took off the map."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.referee.check.findings import Certainty, Status
from hexmarshal.referee.results.result_words import rule_of_result

if TYPE_CHECKING:
    from hexmarshal.referee.case.case import Case

__all__ = ["tell_left_on_map"]


def tell_left_on_map(case: Case) -> None:
    """A phase is over: a marker says of each who still lies there that he is gone by something.

    It stands for his removal until then, and no longer.
    """
    mind = case.mind
    for unit in sorted(case.sights.fallen()):
        number = _lost_by(case, unit)
        if number is None or case.history.has_no_time(mind.entries[number]):
            continue
        entry = mind.entries[number]
        told = [f"{unit} is out of the game, and its counter was left on the map"]
        rule = rule_of_result(case.rules.game, entry, (unit,))
        case.amend_result(number, told, Certainty.LIKELY, (unit,), rule=rule)


def _lost_by(case: Case, unit: str) -> int | None:
    """The last entry by which a unit left the map, if nothing is wrong with that."""
    for number in range(len(case.mind.entries) - 1, -1, -1):
        entry = case.mind.entries[number]
        if entry.before is None or entry.after is None or entry.status is not Status.LEGAL:
            continue
        old, new = entry.before.units.get(unit), entry.after.units.get(unit)
        if old is not None and old.cell and (new is None or not new.cell):
            return number
    return None
