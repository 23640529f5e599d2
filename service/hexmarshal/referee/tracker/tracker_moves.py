"""The turn tracker is moved: a phase is over, and what was done in it is judged."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Protocol

from hexmarshal.referee.case.mind import Fork, Otherwise
from hexmarshal.referee.results.left_on_map import tell_left_on_map

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from hexmarshal.referee.case.mind import Due
    from hexmarshal.referee.drags.drag_run import Now
    from hexmarshal.referee.drags.drag_under_way import DragUnderWay
    from hexmarshal.referee.interpret.deed import Deed
    from hexmarshal.referee.interpret.log_dice import Throw
    from hexmarshal.referee.judge.court import Court
    from hexmarshal.table.reading.bookkeeping import Item
    from hexmarshal.table.reading.turn_tracker import Moment

__all__ = ["TrackerMoves"]


class _Close(Protocol):
    def __call__(self, *, keep: bool) -> None: ...


class TrackerMoves:
    """Follows the tracker; the books of the phase that ended are closed when the step is over."""

    def __init__(self, court: Court, drag: DragUnderWay, close: _Close) -> None:
        """`close` judges what is still going on, and may keep the dice."""
        self._court, self._case, self._drag, self._close = court, court.case, drag, close
        self.ended: Mapping[Item, Due] | None = None
        """What was due in the books when a phase ended in this step; None if none did."""

    @property
    def has_ended(self) -> bool:
        """Whether a phase ended in this step."""
        return self.ended is not None

    def move(self, before: Moment | None, moment: Moment, now: Now, *, guess: bool = True) -> bool:
        """Follow it; without `guess`, dice that lie there are for what comes after it."""
        court, case = self._court, self._case
        court.laid.read(now)
        court.laid_again.read(now)
        court.wrong.lay()
        self._drag.end()
        start = case.mind.copy() if guess and case.mind.tray else None
        if guess and (case.mind.tray or case.mind.run is not None):
            court.window.explained(now)
        mind = case.mind
        # Dice that lie there may be for what is decided in silence now, or in the next phase by
        # those who moved the tracker late.
        early = bool(mind.tray) and mind.pending is None and not mind.belief.state
        if guess and early and any(throw.told for throw in mind.tray):
            self._end_words(before, moment, now)
            mind, early = case.mind, bool(case.mind.tray)
        # What was rolled with the dice of the last action is for nothing that is asked now.
        asks = bool(mind.belief.state) and not court.runner.dice_count.are_too_many()
        if court.late.go_on(now):
            court.runner.results.settle(late=True)
        self._close(keep=early or asks)
        if not early:
            court.unspoken.guesses.explain_dice()
        court.tracker.catch_up()
        court.unspoken.let_go_on(now)
        court.runner.results.settle(late=True)
        if court.tracker.waits(before, moment, now):
            if start is not None:
                again = partial(self.move, before, moment, now, guess=False)
                fork = Fork(start, case.mind.belief, again=again)
                case.mind.forks[Otherwise.EARLY_DICE] = fork
            return False
        mind = case.mind
        late = Fork(mind.copy(), again=partial(self._follow, before, moment, now))
        due = court.tracker.follow(before, moment, now)
        self.ended = self.ended if due is None else due
        self._close(keep=early)
        mind.doubt = False
        case.mind.forks.pop(Otherwise.LATE_RESULT, None)
        if early and late.before.tray:
            case.mind.forks[Otherwise.LATE_RESULT] = late
        return True

    def _end_words(self, before: Moment | None, moment: Moment, now: Now) -> None:
        """What was told in words before dice was done in this phase, unless it fits the next."""
        case, kept, spoken = self._case, self._case.mind, self._court.unspoken.guesses.spoken
        if spoken.explain():
            return
        case.mind = kept.copy()
        self._court.tracker.follow(before, moment, now)
        is_late = spoken.is_told_rightly()
        case.mind = kept
        if not is_late:
            spoken.refuse()

    def _follow(self, before: Moment | None, moment: Moment, now: Now) -> bool:
        self.ended = self._court.tracker.follow(before, moment, now)
        self.rest()
        return True

    def explains_late(self, deeds: Sequence[Deed], books: Collection[Item], now: Now) -> bool:
        """Whether what is seen now came of dice that were rolled before the tracker moved on.

        Then it was an attack of that phase, which the tracker was early to end.
        """
        case, kept = self._case, self._case.mind
        fork = kept.forks.pop(Otherwise.LATE_RESULT, None)
        if fork is None or fork.again is None or len(kept.tray) != len(fork.before.tray):
            return False
        case.mind = replace(fork.before.copy(), step=kept.step, kept=kept.kept)
        self._court.window.anchors.touch((deed.unit for deed in deeds), books, now.step)
        if self._court.window.explained(now) and fork.again():
            return True
        case.mind = kept
        kept.forks[Otherwise.LATE_RESULT] = fork
        return False

    def follow_words(self, rolled: tuple[Throw, ...]) -> None:
        """Follow a tracker that is ahead, if dice are for what was told of the phase it shows."""
        case, kept = self._case, self._case.mind
        told = any(throw.told for throw in rolled)
        if not told or kept.ahead is None or kept.tray or kept.pending is not None:
            return
        case.mind = kept.copy()
        self._court.tracker.catch_up()
        followed, case.mind = case.mind, replace(case.mind, tray=rolled)
        fits = self._court.unspoken.guesses.spoken.is_told_rightly()
        case.mind = followed if fits else kept

    def roll_on(self) -> None:
        """Dice are rolled in the next phase of a side: those before it were for that too.

        They were taken for something of which nothing was carried out.
        """
        case, kept = self._case, self._case.mind
        fork = case.fork(Otherwise.EARLY_DICE)
        if fork is None or fork.again is None:
            return
        case.mind = replace(fork.before.copy(), step=kept.step, kept=kept.kept)
        done = fork.again()
        if done and case.mind.tray and case.mind.belief.active == fork.before.belief.active:
            self.rest()
            return
        case.mind, self.ended = kept, None

    def rest(self) -> None:
        """The step is over in which a phase ended: close its books."""
        results = self._court.runner.results
        if self.ended is not None:
            results.unasked.settle_marks()
            results.unasked.settle_revealed()
            results.books.settle(self.ended)
            tell_left_on_map(self._case)
            self.ended = None
            # Who laid his cards a little early has chosen them for what is asked now.
            self._court.window.close(cards=not self._court.laid.is_begun())
