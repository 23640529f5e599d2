"""Drags that came too early: right once the others have done what they are asked to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.referee.case.mind import Fork, Otherwise
from hexmarshal.referee.check.findings import Status

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.case.mind import Mind
    from hexmarshal.referee.results.pending_results import PendingResults

__all__ = ["EarlyDrags"]


class EarlyDrags:
    """Lets a drag wait for what others do next, if both are right in that order.

    The winner of a combat may be dragged into a hex before the loser has left it.
    """

    def __init__(self, case: Case, results: PendingResults, judge: Callable[[], None]) -> None:
        """`judge` judges the drag that is in mind."""
        self._case, self._results, self._judge = case, results, judge

    def note(self, before: Mind) -> None:
        """A drag was judged: where it is against the rules, it may have come too early."""
        mind, run = self._case.mind, before.run
        told = mind.entries[len(before.entries) :]
        if run is None or not told or told[-1].status is not Status.VIOLATION:
            return
        mind.forks[Otherwise.TOO_EARLY] = Fork(before, mind.belief, run.units)

    def waits(self, units: Sequence[str], do: Callable[[], None]) -> bool:
        """Whether the drag before waits for what is to be `do`ne with units of others.

        Then that is done, and the drag after it.
        """
        case, kept = self._case, self._case.mind
        fork = case.fork(Otherwise.TOO_EARLY)
        if fork is None or not self._are_others(units, fork) or kept.said != fork.before.said:
            return False
        if kept.tray != fork.before.tray:
            return False
        case.mind = case.since(fork.before)
        early, case.mind.run = case.mind.run, None
        do()
        if self._is_right(fork.before) and self._results.unasked.asking(fork.units) is not None:
            still, case.mind.run = case.mind.copy(), early
            self._judge()
            if self._is_right(fork.before):
                return True
            if len(case.mind.entries) == len(still.entries) + 1:
                # There may be more who have to leave first.
                still.run = early
                case.mind.forks[Otherwise.TOO_EARLY] = Fork(still, case.mind.belief, fork.units)
                return True
        case.mind = kept
        return False

    def _are_others(self, units: Sequence[str], fork: Fork) -> bool:
        """Whether units are none of the side of those that came too early."""
        known = fork.before.belief.units
        sides = {known[unit].side for unit in units if unit in known}
        own = {known[unit].side for unit in fork.units if unit in known}
        return bool(sides and own) and not sides & own

    def _is_right(self, before: Mind) -> bool:
        mind = self._case.mind
        done = mind.entries[len(before.entries) :]
        return mind.pending is None and all(entry.status is Status.LEGAL for entry in done)
