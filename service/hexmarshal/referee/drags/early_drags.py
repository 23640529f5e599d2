"""Drags that came too early: right once the others have done what they are asked to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.referee.case.mind import Fork, Otherwise
from hexmarshal.referee.check.findings import Status

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.case.mind import Mind
    from hexmarshal.referee.check.findings import Entry
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
        """A drag was judged: where it is against the rules, it may have come too early.

        Or it is right only if others lost steps first, and nobody has taken those off.
        """
        mind, run = self._case.mind, before.run
        told = mind.entries[len(before.entries) :]
        if run is None or not told:
            return
        if told[-1].status is not Status.VIOLATION and not self._is_owed_by_others(
            before, told[-1]
        ):
            return
        mind.forks[Otherwise.TOO_EARLY] = Fork(before, mind.belief, run.units)

    def _is_owed_by_others(self, before: Mind, drag: Entry) -> bool:
        """Whether it was taken for done what others would have to do before a drag."""
        mind = self._case.mind
        first = len(before.entries)
        return any(
            number in mind.unsaid and entry.side not in ("", drag.side)
            for number, entry in enumerate(mind.entries[first:], first)
        ) and any(
            mind.belief.units[u].side != drag.side for u in mind.owed if u in mind.belief.units
        )

    def waits_for_loser(self, unit: str, do: Callable[[str], None]) -> bool:
        """Whether the drag before is right once a unit was dragged away that was taken for lost.

        `do` drags it from a cell.
        """
        mind = self._case.mind
        fork = mind.forks.get(Otherwise.TOO_EARLY)
        known = None if fork is None else fork.before.belief.units.get(unit)
        if fork is None or known is None or unit not in mind.owed:
            return False
        if self.waits((unit,), lambda: do(known.cell)):
            return True
        # It may be on its way.
        self._case.mind.forks[Otherwise.TOO_EARLY] = fork
        return False

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
