"""Drags that belong to the one before them: one move, with something small between."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.referee.case.table_comparison import changed
from hexmarshal.referee.check.findings import Status

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.check.findings import Entry
    from hexmarshal.referee.drags.drag_run import DragRun
    from hexmarshal.referee.interpret.deed import Deed
    from hexmarshal.referee.interpret.interpreter import Interpreter
    from hexmarshal.referee.results.pending_results import PendingResults
    from hexmarshal.referee.silence.unspoken import Unspoken

__all__ = ["JoinedDrags"]


class JoinedDrags:
    """Finds the move that a drag goes on with.

    Who turns his counter over and then drags it, or goes a cell, turns up the token by which he
    goes and goes on, makes one move; nobody else has done anything between.
    """

    def __init__(
        self,
        case: Case,
        interpreter: Interpreter,
        results: PendingResults,
        unspoken: Unspoken,
    ) -> None:
        self._case, self._interpreter = case, interpreter
        self._results, self._unspoken = results, unspoken

    def whole(self, run: DragRun, deeds: Sequence[Deed]) -> DragRun | None:
        """All of the move, if that is one and in time; then nothing of it has been done yet."""
        mind = self._case.mind
        number = len(mind.entries) - 1
        while number >= 0 and self._case.history.is_slight(number):
            if _moves_others(mind.entries[number], run.units):
                return None
            number -= 1
        if number < 0 or not self._is_begun(mind.entries[number], run):
            return None
        entry = mind.entries[number]
        then = entry.before
        start = "" if then is None else then.units[run.units[0]].cell
        cells = (*entry.path, *run.cells)
        whole = replace(run, start=start, cells=cells, first=entry.first, whole=())
        deeds = [replace(deed, cells=cells) for deed in deeds]
        if then is None or not self._unspoken.is_dragged_in_time(then, deeds):
            return None
        cards = max(self._case.sights.touched.values(), default=0)
        if entry.last < cards < run.first and not self._unspoken.explains(then, deeds):
            # A card has gone between: he may have his go again.
            return None
        for one in range(number, len(mind.entries)):
            self._results.forgive(one)
        del mind.entries[number:]
        mind.unsaid = frozenset(one for one in mind.unsaid if one < number)
        mind.late = {unit: one for unit, one in mind.late.items() if one.entry < number}
        mind.marked = {u: one for u, one in mind.marked.items() if (one.entry or 0) < number}
        mind.belief, mind.done, mind.by_books = then, None, None
        return whole

    def _is_begun(self, entry: Entry, run: DragRun) -> bool:
        """Whether an entry is of a move of these units that ends where they are dragged on from."""
        then, belief = entry.before, self._case.mind.belief
        if (
            entry.status is not Status.LEGAL
            or entry.dice
            or tuple(sorted(entry.units)) != run.units
        ):
            return False
        if then is None or entry.kind not in self._interpreter.drags:
            return False
        if (then.turn, then.phase) != (belief.turn, belief.phase):
            return False
        _, way = self._interpreter.way_of(self._case.action_of(entry))
        here = [belief.units[unit].cell if unit in belief.units else "" for unit in run.units]
        return way == entry.path and all(cell == run.start for cell in here)


def _moves_others(entry: Entry, units: Collection[str]) -> bool:
    """Whether others came to lie elsewhere by it than before."""
    before, after = entry.before, entry.after
    if before is None or after is None:
        return False
    return any(
        unit not in units and before.units[unit].cell != after.units[unit].cell
        for unit in changed(before, after)
        if unit in before.units and unit in after.units
    )
