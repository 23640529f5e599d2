"""Units that are turned right behind a move that is paid: that may be a part of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.mind import Fork, Otherwise
from hexmarshal.referee.interpret.log_dice import LogDice
from hexmarshal.rules.codec import RECORD

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hexmarshal.referee.drags.drag_run import Now
    from hexmarshal.referee.interpret.deed import Deed
    from hexmarshal.referee.judge.court import Court
    from hexmarshal.referee.judge.other_changes import OtherChanges
    from hexmarshal.table.reading.bookkeeping import Item, Kept

__all__ = ["FreeTurns"]


class FreeTurns:
    """Takes them for parts of the move, as long as nobody pays for them."""

    def __init__(self, court: Court, others: OtherChanges) -> None:
        """`others` judges a turn by itself."""
        self._case, self._marks = court.case, court.runner.results.marks
        self._others, self._anchors = others, court.window.anchors

    def see(self, deeds: Sequence[Deed], books: Mapping[Item, Kept], now: Now) -> bool:
        """Whether such a turn was seen; if one is paid for now, that was a deed by itself."""
        if books and not deeds:
            self._be_paid(books, now)
        return len(deeds) == 1 and not books and self._belongs(deeds[0], now)

    def _belongs(self, deed: Deed, now: Now) -> bool:
        """Whether a unit is turned as its move, that was the last thing done, would have let it."""
        case, mind = self._case, self._case.mind
        if not mind.entries or mind.run is not None or mind.pending is not None or mind.tray:
            return False
        done, fork = mind.entries[-1], mind.forks.get(Otherwise.TURNED)
        if not done.path or done.after is not mind.belief or done.before is None:
            return False
        faced = self._marks.turned_freely(done, deed.unit)
        if faced is None:
            return False
        try:
            after = case.rules.apply(done.before, faced, LogDice(())).position
        except HexMarshalError:
            return False
        after = replace(after, generator=None)
        if any(case.books.changed(mind.belief, after)):
            return False
        before = fork.before if fork is not None and fork.after is mind.belief else mind.copy()
        mind.belief = after
        mind.entries[-1] = replace(
            done, last=now.step, action=RECORD.decode(faced.to_json()), after=after
        )
        mind.forks[Otherwise.TURNED] = Fork(
            before, after, (deed.unit,), lambda: self._alone(deed, now)
        )
        return True

    def _be_paid(self, books: Mapping[Item, Kept], now: Now) -> None:
        """If this pays for the turn that was seen last, judge that by itself."""
        case, kept = self._case, self._case.mind
        fork = case.fork(Otherwise.TURNED)
        if fork is None or fork.again is None or kept.run is not None or kept.tray:
            return
        case.mind = case.since(fork.before)
        case.mind.anchor = fork.before.anchor
        self._anchors.touch(fork.units, books, now.step)
        if not fork.again() or any(map(case.item_apart, books)):
            case.mind = kept

    def _alone(self, deed: Deed, now: Now) -> bool:
        self._others.judge((deed,), now)
        return not self._case.apart(deed.unit)
