"""How things stood before dice that nothing explains, or not what they were taken for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.referee.case.table_comparison import believing
from hexmarshal.referee.check.findings import ROLL, Status

if TYPE_CHECKING:
    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.case.mind import Mind
    from hexmarshal.referee.drags.drag_run import DragRun

__all__ = ["before_dice", "before_guess"]


def before_dice(case: Case) -> Mind | None:
    """As it was before the dice that nothing explains, with those; None if there are none."""
    mind = case.mind
    anchor = mind.anchor
    if mind.pending is not None:
        return None
    if mind.tray or anchor is None or not anchor.throws:
        return mind.copy() if mind.tray else None
    first = len(anchor.before.entries)
    since = mind.entries[first:]
    if not since or any(e.kind != ROLL or e.status is not Status.UNKNOWN for e in since):
        return None
    before = mind.copy()
    before.tray, before.entries = anchor.throws, mind.entries[:first]
    return before


def before_guess(case: Case, run: DragRun) -> Mind | None:
    """As it was before dice that were taken for something of which this is no part.

    With who was turned up on the table since then.
    """
    mind = case.mind
    origin = None if mind.anchor is None else mind.anchor.origin
    if origin is None or not origin.throws or mind.tray or mind.pending is not None:
        return None
    since = range(len(origin.before.entries), len(mind.entries))
    if not since or any(number not in mind.unsaid for number in since):
        return None
    before = origin.before.copy()
    turned = origin.units.difference(run.units)
    before.belief = case.with_piles(believing(before.belief, case.sights.units, turned))
    before.tray, before.step = origin.dice, mind.step
    before.ahead, before.kept = mind.ahead, mind.kept
    before.anchor = replace(origin, origin=None)
    return before
