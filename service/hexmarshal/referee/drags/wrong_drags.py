"""What is left of a drag against the rules: where the pieces lie, and that somebody has acted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.referee.books.begun_tracks import believe_paid
from hexmarshal.referee.case.mind import Fork, Otherwise
from hexmarshal.referee.case.table_comparison import asked_about

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.drags.drag_run import DragRun
    from hexmarshal.referee.results.pending_results import PendingResults
    from hexmarshal.rules.state.position import Position

__all__ = ["go_on_from_table", "not_done"]


def not_done(before: Position, after: Position) -> Position:
    """As it was before a drag against the rules, but whoever did it has acted."""
    same = (after.turn, after.phase, after.frames) == (before.turn, before.phase, before.frames)
    if not same:
        return before
    return replace(before, state=after.state, active=after.active, extras=after.extras)


def go_on_from_table(
    case: Case, results: PendingResults, before: Position, run: DragRun, *, answers: bool
) -> None:
    """After a drag against the rules nothing of it counts but where the pieces lie.

    If it `answers` what was asked, wrongly, that is asked no more.
    """
    mind = case.mind
    number = len(mind.entries) - 1
    results.forgive(number)
    after = mind.belief
    same = (after.turn, after.phase) == (before.turn, before.phase)
    mind.belief = not_done(before, after)
    if same and all(not before.units[unit].cell for unit in run.units):
        # Who was brought onto the map counts as that, wherever he was put down.
        mind.belief = replace(mind.belief, tracks=after.tracks)
    case.believe(run.units)
    believe_paid(case, number, run.first)
    asked = (after.state, len(after.frames)) == (before.state, len(before.frames))
    if answers and same and (not asked or _is_done_with(before, after, run.units)):
        still = mind.belief
        mind.belief = replace(
            still,
            frames=after.frames,
            state=after.state,
            active=after.active,
            extras=after.extras,
        )
        before_it = replace(mind, belief=still)
        mind.forks[Otherwise.NO_ANSWER] = Fork(before_it, mind.belief)
    mind.entries[number] = replace(mind.entries[number], after=mind.belief)


def _is_done_with(before: Position, after: Position, units: Sequence[str]) -> bool:
    """Whether units are no more among those that the last question is about."""
    old, new = (asked_about(replace(at, frames=at.frames[-1:])) for at in (before, after))
    return old.issuperset(units) and new.isdisjoint(units)
