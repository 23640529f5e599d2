"""A tracker that goes on before all is done: the rules wait, and follow when it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.referee.interpret.drag_run import Now
from hexmarshal.referee.judge.mind import Ahead
from hexmarshal.referee.judge.phase_follower import PhaseFollower

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.referee.judge.action_runner import ActionRunner
    from hexmarshal.referee.judge.case import Case
    from hexmarshal.referee.judge.mind import Due
    from hexmarshal.referee.silence.laid_things import LaidThings
    from hexmarshal.referee.silence.silent_decisions import SilentDecisions
    from hexmarshal.table.reading.bookkeeping import Item
    from hexmarshal.table.reading.turn_tracker import Moment, Tracker

__all__ = ["EarlyTracker"]


class EarlyTracker:
    """Follows the tracker at once, or remembers where it is ahead until the rules can follow."""

    def __init__(
        self,
        case: Case,
        runner: ActionRunner,
        tracker: Tracker | None,
        silent: SilentDecisions,
        laid: LaidThings,
    ) -> None:
        self._case, self._laid = case, laid
        self._follower = None if tracker is None else PhaseFollower(case, runner, tracker, silent)

    def waits(self, before: Moment | None, moment: Moment, now: Now) -> bool:
        """Whether something is still to be decided or rolled, which may be done late."""
        mind, follower = self._case.mind, self._follower
        mind.between = ""
        if not moment.known or follower is None:
            return False
        if follower.waits(mind.belief):
            mind.ahead = Ahead(before, moment, now, chosen=self._laid.chosen())
        elif follower.is_early(before, moment, now):
            mind.ahead = Ahead(before, moment, now, early=True)
        else:
            return False
        return True

    def follow(self, before: Moment | None, moment: Moment, now: Now) -> Mapping[Item, Due] | None:
        """Go on with it; what was due then, None if it is nowhere that the rules know."""
        if not moment.known or self._follower is None:
            return None
        due = self._case.mind.due.copy()
        self._follower.follow(before, moment, now)
        self._case.mind.between = "" if moment.phase else moment.text
        return due

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
        late = bool(mind.belief.state)
        self._laid.choose(ahead.chosen, ahead.now)
        self._follower.follow(ahead.before, ahead.moment, ahead.now, sure=not late)
        # What was laid since belongs to the phase that it had gone on to.
        self._laid.read(Now(mind.step, ahead.now.player))
