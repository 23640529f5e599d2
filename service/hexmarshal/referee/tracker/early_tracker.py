"""A tracker that goes on before all is done, and waits to be followed; or is forgotten."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from hexmarshal.referee.case.mind import Ahead, Fork, Otherwise
from hexmarshal.referee.check.findings import Status
from hexmarshal.referee.drags.drag_run import Now
from hexmarshal.referee.tracker.phase_follower import PhaseFollower

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.case.mind import Due
    from hexmarshal.referee.judge.action_runner import ActionRunner
    from hexmarshal.referee.silence.other_numbers import OtherNumbers
    from hexmarshal.referee.silence.silent_decisions import SilentDecisions
    from hexmarshal.referee.tokens.laid_things import LaidThings
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.reading.bookkeeping import Item
    from hexmarshal.table.reading.turn_tracker import Moment, Tracker

__all__ = ["EarlyTracker"]

# So many questions are left unanswered on the way to a phase that players have gone on to.
_MOST_ANSWERS: Final = 6


class EarlyTracker:
    """Follows the tracker at once, or remembers where it is ahead until the rules can follow."""

    def __init__(
        self,
        case: Case,
        runner: ActionRunner,
        tracker: Tracker | None,
        silent: SilentDecisions,
        laid: LaidThings,
        numbers: OtherNumbers,
    ) -> None:
        self._case, self._runner, self._laid = case, runner, laid
        self._numbers = numbers
        self._follower = None if tracker is None else PhaseFollower(case, runner, tracker, silent)

    def waits(self, before: Moment | None, moment: Moment, now: Now) -> bool:
        """Whether something is still to be decided or rolled, which may be done late."""
        mind, follower = self._case.mind, self._follower
        mind.between = ""
        if not moment.known or follower is None:
            return False
        if follower.waits(mind.belief):
            piles = self._laid.lying()
            mind.ahead = Ahead(before, moment, now, chosen=self._laid.chosen(), piles=piles)
        elif follower.is_early(before, moment, now):
            if self._follow_numbers(follower, moment, now):
                return False
            mind.ahead = Ahead(before, moment, now, early=True)
        else:
            return False
        return True

    def _follow_numbers(self, follower: PhaseFollower, moment: Moment, now: Now) -> bool:
        """Whether the dice that lie there are enough with numbers that nobody said."""
        case = self._case
        answers = self._numbers.until(lambda here: follower.is_at(here, moment))
        for action in answers or ():
            self._runner.begin(action, now, now.step, case.in_silence(action), unsaid=True)
        return answers is not None

    def follow(self, before: Moment | None, moment: Moment, now: Now) -> Mapping[Item, Due] | None:
        """Go on with it; what was due then, None if it is nowhere that the rules know."""
        if not moment.known or self._follower is None:
            return None
        mind = self._case.mind
        due, start = mind.due.copy(), mind.copy() if mind.belief.state else None
        self._follower.follow(before, moment, now)
        mind.between = "" if moment.phase else moment.text
        if start is not None:
            again = partial(self._follow_again, before, moment, now)
            mind.forks[Otherwise.STILL_ASKED] = Fork(start, mind.belief, again=again)
        return due

    def _follow_again(self, before: Moment | None, moment: Moment, now: Now) -> bool:
        return self.follow(before, moment, now) is not None

    def leave_behind(
        self,
        side: str,
        is_right: Callable[[Position], bool],
        now: Now,
        moving: Collection[str] = (),
    ) -> None:
        """Go on to the next phase where players have, and have forgotten the tracker.

        Once may be a mistake, and is told; who does a second thing of that phase is in it. Of all
        but those who are `moving` the table is believed.
        """
        case, kept, follower = self._case, self._case.mind, self._follower
        here = kept.belief
        if follower is None or not here.state or not self._was_early(here) or is_right(here):
            return
        case.mind = kept.copy()
        for _ in range(_MOST_ANSWERS):
            at = case.mind.belief
            if (at.turn, at.phase) != (here.turn, here.phase) or not follower.end_phase(now):
                break
        found = case.mind.belief
        if not is_right(found) and side in self._sides(found.phase):
            # Who begins was decided on paper.
            found = replace(found, active=(side,))
        if found.state or found.turn != here.turn or not is_right(found):
            case.mind = kept
            return
        case.mind.belief, case.mind.doubt = found, True
        case.believe([unit for unit in case.sights.units if unit not in moving])
        case.believe_items(case.mind.due)
        case.mind.due, case.mind.owed = {}, {}

    def _sides(self, phase: str) -> tuple[str, ...]:
        """Who may act in a phase."""
        phases = self._case.rules.game.phases
        return next((one.sides for one in phases if one.key == phase), ())

    def _was_early(self, here: Position) -> bool:
        """Whether something was told in this phase that was not the time for."""
        rule, actions = self._case.rules.game.turn_rule, self._case.rules.game.actions
        return any(
            told.rule == rule
            for entry in self._case.mind.entries
            # Of a tracker alone nobody can tell that it was forgotten.
            if (entry.turn, entry.phase) == (here.turn, here.phase) and entry.kind in actions
            for told in entry.violations
        )

    def go_on_by_cards(self) -> None:
        """Follow it once cards that were chosen have gone on from where they were laid.

        What is drawn was chosen: nobody puts his choice right any more.
        """
        case = self._case
        ahead = case.mind.ahead
        if ahead is None or not ahead.piles:
            return
        belief, shown = case.mind.belief, case.sights.piles()
        now = {card: pile for pile, cards in shown.items() for card in cards}
        if any(
            now.get(card, pile) != pile and card not in belief.pile(now[card]).cards
            for pile, cards in ahead.piles.items()
            for card in cards
            if card not in belief.pile(pile).cards
        ):
            self.catch_up()

    def catch_up(self, *, fits: bool = False) -> None:
        """Follow a tracker that is ahead, unless what is done now `fits` what is still asked."""
        mind = self._case.mind
        ahead = mind.ahead
        if ahead is None or self._follower is None:
            return
        early = ahead.early and not self._follower.has_reached(ahead.moment)
        if fits and (mind.belief.state or early):
            return
        mind.ahead = None
        late, behind = bool(mind.belief.state), not self._follower.has_reached(ahead.moment)
        first = len(mind.entries)
        self._laid.choose(ahead.chosen, ahead.now)
        told = any(e.status is Status.VIOLATION for e in mind.entries[first:])
        self._follower.follow(ahead.before, ahead.moment, ahead.now, sure=not late)
        if ahead.piles and behind and (told or not ahead.chosen):
            # After a choice against the rules it is what was laid that lies there.
            mind.belief = self._case.with_piles(mind.belief, ahead.piles)
        # What was laid since belongs to the phase that it had gone on to.
        self._laid.read(Now(mind.step, ahead.now.player))
