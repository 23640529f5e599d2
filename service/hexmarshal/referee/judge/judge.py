"""The judge: takes the steps of a log one by one, and makes of them what players did."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING

from hexmarshal.referee.check.findings import IN_WORDS, Status
from hexmarshal.referee.drags.drag_run import Now
from hexmarshal.referee.drags.drag_under_way import DragUnderWay
from hexmarshal.referee.judge.changed_units import ChangedUnits
from hexmarshal.referee.judge.other_changes import OtherChanges
from hexmarshal.referee.judge.seen_changes import SeenChanges
from hexmarshal.referee.results.cut_short import leave_open
from hexmarshal.referee.tracker.tracker_moves import TrackerMoves

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from hexmarshal.errors import HexMarshalError
    from hexmarshal.referee.interpret.deed import Deed
    from hexmarshal.referee.interpret.log_dice import Throw
    from hexmarshal.referee.judge.court import Court
    from hexmarshal.rules.action import Action
    from hexmarshal.table.reading.bookkeeping import Item, Kept
    from hexmarshal.table.reading.turn_tracker import Moment

__all__ = ["Judge"]


class Judge:
    """Hears announcements, sees dice, pieces and the tracker, and judges what is over.

    A drag may go on with the next step, and dice may follow an announcement: so a thing is judged
    when another begins.
    """

    def __init__(self, court: Court) -> None:
        case = court.case
        self._case, self._is_by_things = case, court.is_by_things
        self.seen = SeenChanges(case)
        self._runner, self._results = court.runner, court.runner.results
        self._laid, self._tracker, self._window = court.laid, court.tracker, court.window
        self._turned_up, self._wrong = court.turned_up, court.wrong
        self._unspoken, self._announced = court.unspoken, court.announced
        self._otherwise = court.otherwise
        self._dragged, self._late = court.dragged, court.late
        self._changes = ChangedUnits(
            case,
            court.runner,
            court.interpreter,
            court.unspoken,
            court.window,
            court.wrong,
            court.attacks,
            court.dragged,
            court.late_results,
            lambda keep: self.close(keep=keep),
        )
        self._drag = DragUnderWay(court, self.close)
        self.moves = TrackerMoves(court, self._drag, self.close)
        self._others = OtherChanges(court, self._changes, self._drag)
        self._unexplained = False

    # What happens in a step

    def announce(self, action: Action, now: Now, in_words: Sequence[Action] | None = None) -> None:
        """A player said what is done; `in_words` of his own with these answers of others."""
        self._results.leave_refused()
        self._laid.read(now)
        if self._announced.is_no_more(action):
            # Who has laid all tokens puts none of them right any more.
            self._wrong.lay(action.side)
        # Who was dragged before was so without a word: what the table shows tells how.
        self._drag.end()
        self._tell_losses()
        action = self._announced.completed(action)
        self._announced.correct(action)
        if not self._unspoken.is_legal(self._case.mind.belief, action):
            self._window.retract(lambda p: self._unspoken.is_legal(p, action))
        self._window.marker.take_over(action.side, now)
        meant = self._announced.was_taken_for_done(action, now)
        if not meant and self._announced.is_unasked(action, now):
            return
        self._window.anchors.speak()
        if meant:
            return
        if self._announced.waits_on(action, now):
            return
        early = self._announced.finds_dice(action)
        if not self.is_legal(action):
            self._go_on(now)
        # What was changed before may be a part of this.
        waiting, self._case.mind.waiting = self._case.mind.waiting, ()
        self.close(keep=early)
        if early and self._case.mind.tray:
            # They may have been rolled for something else: then others follow.
            self._announced.with_dice_before(action, now)
        self._tracker.catch_up(fits=self._announced.fits(action))
        self._dragged.take_back(lambda position: self._unspoken.is_right_soon(position, action))
        self._results.drop_forced(lambda position: self._unspoken.is_legal(position, action))
        self._tracker.leave_behind(
            action.side, lambda position: self._unspoken.is_right_soon(position, action), now
        )
        if not self._unspoken.is_legal(self._case.mind.belief, action):
            self._unspoken.let_go_on(now)
        else:
            self._unspoken.let_go_on_to(action, now)
        if not self._announced.answers_rightly(action):
            # What something leaves is due when all that it asks is answered.
            self._results.settle()
        mind, sure = self._case.mind, True
        if not self._unspoken.is_legal(mind.belief, action):
            unsaid = self._unspoken.before(action)
            sure = unsaid is not None or not self._unspoken.is_right_but_for_marker(action)
            if unsaid is None and self._results.by_table.go(
                lambda position: self._unspoken.is_right_soon(position, action)
            ):
                unsaid = self._unspoken.before(action) or ()
            self._announced.fill_in(unsaid or (), action, now)
            if unsaid is None:
                waiting = self._changes.without_parts(waiting)
                if self._announced.is_idle(action, now):
                    return
                self._unspoken.look_before(action, now)
        known, what = self._unspoken.wrong_in_time(action), self._case.spoken(action)
        sure = sure and known is None
        what = what if in_words is None else f"{IN_WORDS}: {what}"
        self._runner.begin(action, now, now.step, what, known=known, sure=sure)
        self._announced.note(action, in_words, now)
        self._case.mind.waiting += waiting
        if self._case.mind.owed:
            # What was drawn for it may lie there already.
            self._results.redraw()
        if self._case.mind.tray and self._case.mind.pending is None:
            self._unspoken.roll(now)
        self._others.look_again()
        self._tracker.catch_up(fits=True)

    def is_legal(self, action: Action) -> bool:
        """Whether an action is right as things stand."""
        return self._unspoken.is_legal(self._case.mind.belief, action)

    def is_in_time(self, action: Action) -> bool:
        """Whether nothing is wrong with when an action is announced."""
        return self._unspoken.is_announced_in_time(self._case.mind.belief, action)

    def left_unsaid(self, action: Action) -> float:
        """How many decisions made in silence would let an action be right; endless if none do."""
        case, kept = self._case, self._case.mind
        case.mind = kept.copy()
        try:
            # As it will be when it is heard.
            self._laid.read(Now(kept.step, ""))
            self._drag.judge()
            self._tracker.catch_up(fits=self._announced.fits(action))
            unsaid = () if self.is_legal(action) else self._unspoken.before(action)
        finally:
            case.mind = kept
        return inf if unsaid is None else len(unsaid)

    def unreadable(self, what: str, why: HexMarshalError, now: Now) -> None:
        """A player said something that cannot be taken for an action."""
        self.close()
        told = self._case.entry(now, now.step, what, "announcement", Status.UNKNOWN)
        self._case.unknown(told, why.message, why.hint)

    def roll(self, throws: Iterable[Throw]) -> None:
        """Dice were rolled."""
        self._drag.end()
        self._drag.judge()
        self._tell_losses()
        if self._case.mind.pending is None:
            self._go_on(Now(self._case.mind.step, ""))
        self._window.settle()
        self._announced.take_early_dice_back()
        if self._case.mind.pending is None:
            self._results.leave_refused()
        rolled = tuple(throws)
        if rolled:
            self.moves.roll_on()
            self.moves.follow_words(rolled)
        if rolled and not self._case.acting:
            self._window.in_part.explains(Now(rolled[0].step, rolled[0].player))
        if rolled and self._case.mind.pending is None:
            # Who moves lies where he is when others fire at him.
            self._unspoken.let_go_on(Now(rolled[0].step, rolled[0].player))
        if self._case.mind.tray and rolled and rolled[0].step > self._case.mind.tray[-1].step:
            self._dragged.take_back_for_dice()
            self._unspoken.guesses.explain_dice()
            self._runner.dice_count.are_spoken_for(rolled)
        if rolled and self._case.mind.pending is None:
            # A token that was drawn before tells who rolls.
            self._laid.read(Now(rolled[0].step, rolled[0].player))
        mind = self._case.mind
        if mind.guess is not None:
            mind.guess = replace(mind.guess, throws=(*mind.guess.throws, *rolled))
        self._window.go_on()
        self._window.anchors.roll(rolled)
        mind.tray = (*mind.tray, *rolled)
        if mind.pending is not None:
            self._runner.attempt(mind.pending)
            self._others.look_again()
        elif mind.tray:
            throw = mind.tray[-1]
            self._unspoken.roll(Now(throw.step, throw.player))
        if rolled and self._case.mind.pending is None:
            self._window.explain_rest(Now(rolled[-1].step, rolled[-1].player))

    def _go_on(self, now: Now) -> None:
        """Something else begins: of what is half done the rest may still come."""
        if self._late.go_on(now):
            self._results.settle()
            self._window.close(cards=False)

    def hear_late(
        self, late: Callable[[tuple[Throw, ...]], tuple[Throw, ...]]
    ) -> Mapping[Throw, Throw]:
        """Something else follows: what was told right behind dice was of those."""
        return {} if self._case.mind.pending is not None else self._window.anchors.hear(late)

    def explains(
        self,
        deeds: Sequence[Deed],
        books: Mapping[Item, Kept],
        now: Now,
        *,
        handed_over: bool = False,
        cards: bool = False,
    ) -> bool:
        """Whether all that was done since rules and table last agreed is explained by this step.

        A drag by itself may go on, and tells no more than that.
        """
        window, sights = self._window, self._case.sights
        run = self._case.mind.run
        goes_on = run is not None and run.goes_on(deeds)
        handed_over = handed_over and window.marker.may_move
        turned = run is not None and bool(deeds) and self._drag.turns(run, deeds)
        if (
            run is not None
            and not goes_on
            and not turned
            and not (books and not deeds and not handed_over)
        ):
            # Who pays has not begun anything else.
            self._drag.end()
        if deeds and not goes_on:
            self._drag.begin_go(deeds, now)
        window.go_on(handed_over=handed_over)
        if handed_over:
            window.marker.hand_over()
            run = self._case.mind.run
            self._case.mind.run = None if run is None else replace(run, over=True)
        drags = {(deed.source, deed.cells) for deed in deeds}
        alone = len(drags) == 1 and all(deed.cells for deed in deeds) and not books
        over = not goes_on and (alone or window.anchors.was_paid_first(books))
        thrown = bool(self._case.mind.anchor and self._case.mind.anchor.throws) and over
        if thrown and not window.explained(now) and alone and not self._case.acting:
            window.in_part.explains(now)
        window.anchors.touch((deed.unit for deed in deeds), books, now.step, cards=cards)
        if (alone and not handed_over) or self.moves.has_ended:
            # Nor is anything explained by what was before the tracker moved on.
            return False
        old_units, old_books = sights.units.copy(), sights.books.copy()
        self.seen.see(deeds, books)
        if not (books or cards or handed_over) and self._others.is_waited_for(deeds, now):
            return True
        if not (cards or handed_over) and self._others.were_owed(deeds, books, now):
            return True
        still = turned and not (books or handed_over)
        alone = bool(books) and not (deeds or cards or handed_over)
        if self.moves.explains_late(deeds, books, now) or window.explained(
            now, goes_on=still, books=alone
        ):
            return True
        sights.units, sights.books = old_units, old_books
        if (books or cards) and not deeds and self._case.mind.run is not None:
            # Something was paid, or a card played: so whoever is dragged on begins anew.
            self._case.mind.run = replace(self._case.mind.run, over=True)
        self._unexplained = True
        return False

    def observe(self, deeds: Sequence[Deed], now: Now) -> None:
        """Pieces were moved or changed."""
        mind = self._case.mind
        run = mind.run
        if run is not None and run.goes_on(deeds):
            self.seen.see(deeds, {})
            mind.run = run.further(deeds[0].cells, now)
            return
        if run is not None and self._drag.turns(run, deeds):
            self.seen.see(deeds, {})
            return
        # Judged by what the table showed until now.
        self._laid.read(now)
        self._drag.judge()
        self._unspoken.go_on_from_placing(deed.unit for deed in deeds if deed.cells)
        deeds = [deed for deed in deeds if not self._drag.leaves_for_early(deed, now)]
        self._results.tell_left_lying(deed.unit for deed in deeds if deed.cells)
        mind = self._case.mind
        self.seen.see(deeds, {})
        self._results.late.carry_out(deed.unit for deed in deeds)
        if not any(self._leaves(deed) for deed in deeds):
            self._results.redraw(deed.unit for deed in deeds if self._case.apart(deed.unit))
            self._otherwise.marked([deed.unit for deed in deeds])
        drags: dict[tuple[str, str], list[Deed]] = {}
        others: list[Deed] = []
        for deed in deeds:
            owed = self._results.lay_out(deed.unit, now.step)
            if not self._case.apart(deed.unit):
                mind.owed.pop(deed.unit, None)
            elif owed and not self._leaves(deed):
                continue
            elif deed.cells and deed.before is not None:
                drags.setdefault((deed.source, deed.cells[-1]), []).append(deed)
            else:
                others.append(deed)
        for (source, _), group in drags.items():
            self._drag.begin(source, group, now)
        if others:
            self._others.judge(others, now)

    def see_draws(self, now: Now) -> None:
        """Cards or chits may have gone from pile to pile, or been turned up: they tell a draw."""
        if self._turned_up is not None and self._turned_up.is_any():
            self._results.leave_refused()
            self._laid.exchanged.follow(now)
            self.close(keep=True)
            self._unspoken.let_go_on(now)
            # Dice that lie there are for what was done before it.
            self._unspoken.guesses.explain_dice()
            self._turned_up.follow(now)
        self._drag.judge_before_draw()
        self._unspoken.guesses.explain_named(now)
        self._tracker.go_on_by_cards()
        self._results.redraw()
        if self._case.mind.run is None and not self._case.mind.tray:
            self._laid.read_draw(now)

    def observe_books(self, changes: Mapping[Item, Kept], now: Now) -> None:
        """Markers were placed or taken, or a track was moved."""
        self._results.books.tell_drags(changes.keys(), now)
        self.seen.see((), changes)
        self._results.late.carry_out(item.place for item in changes if item.of == "marker")
        self._otherwise.paid(changes)
        self._otherwise.begun_anew(changes)
        self._results.books.see(changes, now)

    def _leaves(self, deed: Deed) -> bool:
        """Whether the unit goes on from where the rules have it: that is a deed of its own."""
        known = self._case.mind.belief.units.get(deed.unit)
        return bool(deed.cells) and known is not None and known.cell == deed.source != ""

    def clock(self, before: Moment | None, moment: Moment, now: Now) -> None:
        """The turn tracker was moved."""
        self._tell_losses()
        self.moves.move(before, moment, now)

    def rest(self) -> None:
        """All of a step was seen: if a phase ended in it, its books are closed."""
        if self.moves.has_ended:
            self.moves.rest()
        else:
            self._window.settle(self._give_up if self._unexplained else None)
        self._unexplained = False

    def _give_up(self) -> None:
        """Tell what is wrong with what nothing explains."""
        self.close()
        self._results.settle()
        self._results.books.settle_but_for_late()

    def close(self, *, keep: bool = False) -> None:
        """Judge what is still going on: something else begins; `keep` the dice for that."""
        self._drag.judge()
        self._runner.give_up_waiting()
        self._changes.give_up_waiting()
        if not keep or self._runner.dice_count.are_spent():
            self._unspoken.guesses.explain_dice()
            self._runner.dice_count.left_over()

    def finish(self) -> None:
        """The log has ended."""
        self._laid.read(Now(self._case.mind.step, ""))
        self._tell_losses()
        self.close()
        self._tracker.catch_up()
        self._unspoken.let_go_on(Now(self._case.mind.step, ""))
        self._results.settle(ended=True)
        leave_open(self._case)
        self._results.unasked.settle_marks(ended=True)
        self._results.books.settle(self._case.mind.due.copy(), ended=True)
        if not self._is_by_things:
            self._window.close()

    def _tell_losses(self) -> None:
        if self._case.mind.losses:
            self._drag.judge()
            self._changes.tell_losses()
