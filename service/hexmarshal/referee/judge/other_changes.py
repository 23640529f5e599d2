"""What the table shows otherwise than the rules have it, and no drag made so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.referee.judge.free_turns import FreeTurns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hexmarshal.referee.drags.drag_run import Now
    from hexmarshal.referee.drags.drag_under_way import DragUnderWay
    from hexmarshal.referee.interpret.deed import Deed
    from hexmarshal.referee.judge.changed_units import ChangedUnits
    from hexmarshal.referee.judge.court import Court
    from hexmarshal.table.reading.bookkeeping import Item, Kept

__all__ = ["OtherChanges"]


class OtherChanges:
    """Judges changed units by themselves, or keeps them for what they are a part of."""

    def __init__(self, court: Court, changes: ChangedUnits, drag: DragUnderWay) -> None:
        self._case, self._tracker, self._exchanged = court.case, court.tracker, court.exchanged
        self._results, self._changes, self._drag = court.runner.results, changes, drag
        self._turns = FreeTurns(court, self)

    def judge(self, deeds: Sequence[Deed], now: Now) -> None:
        """Changes that nothing asks for, unless they are an action by themselves."""
        units = [deed.unit for deed in deeds]
        if self._exchanged.is_second_half(units, now):
            return
        if not self._drag.early.waits(units, lambda: self._alone(deeds, now)):
            before = self._case.mind.copy()
            self._alone(deeds, now)
            self._exchanged.note(before, units)

    def is_waited_for(self, deeds: Sequence[Deed], now: Now) -> bool:
        """Whether changes are what a drag against the rules had to wait for."""
        units = [deed.unit for deed in deeds]
        alone = self._case.mind.run is None and not any(deed.cells for deed in deeds)
        return alone and self._drag.early.waits(units, lambda: self._alone(deeds, now))

    def were_owed(self, deeds: Sequence[Deed], books: Mapping[Item, Kept], now: Now) -> bool:
        """Whether changes are what was still to be done of something: signs, or a free turn."""
        owed = bool(deeds) and self._changes.was_owed(deeds, books)
        return owed or self._turns.see(deeds, books, now)

    def _alone(self, deeds: Sequence[Deed], now: Now) -> None:
        if self._changes.judge(deeds, now):
            return
        if self._case.mind.ahead is not None:
            # The tracker was early.
            self._tracker.catch_up()
        self._changes.deduce(deeds, now)
        self._tracker.catch_up(fits=True)

    def look_again(self) -> None:
        """Dice came: what was seen before them may have been done for something else."""
        if self._case.mind.pending is not None or not self._case.mind.waiting:
            return
        self._results.redraw()
        for deed, now in self._changes.seen_before_dice():
            self.judge((deed,), now)
