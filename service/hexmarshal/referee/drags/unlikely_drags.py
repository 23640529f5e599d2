"""Explanations of drags by what players in silence would hardly have done, or not unseen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.referee.check.findings import Status

if TYPE_CHECKING:
    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.drags.drag_run import DragRun
    from hexmarshal.referee.silence.explained_drags import ExplainedDrag
    from hexmarshal.referee.silence.unspoken import Unspoken

__all__ = ["UnlikelyDrags"]


class UnlikelyDrags:
    """Knows which explanations to doubt, by what these players announce, show and pay."""

    def __init__(self, case: Case, unspoken: Unspoken) -> None:
        self._case, self._unspoken = case, unspoken

    def has(self, explained: ExplainedDrag, run: DragRun) -> bool:
        """Whether something in silence is needed that these players always announce or show."""
        unsaid = [one.action for one in explained.actions if one.unsaid]
        every = [one.action for one in explained.actions]
        if unsaid and self._unspoken.guesses.opens(every, run.units):
            return True
        # What others did between is looked at by itself.
        begun = next((n for n, one in enumerate(explained.actions) if not one.unsaid), 0)
        acts = any(map(self._unspoken.still_acts, every[:begun])) and not self._goes_on_paid(run)
        if acts or self._acts_between(explained):
            return True
        return self._case.habits.is_unlikely(every, unsaid)

    def _goes_on_paid(self, run: DragRun) -> bool:
        """Whether units go on that moved just before, and were paid for: others waited between.

        So it is with players who do not hand the marker over for nothing.
        """
        mind = self._case.mind
        last = mind.entries[-1] if mind.entries else None
        if last is None or last.status is not Status.LEGAL or not last.path:
            return False
        steps = (step for each in mind.paid.values() for step in each)
        paid = any(last.last <= step < run.first for step in steps)
        handed = any(last.last < step < run.first for step in self._case.sights.hands)
        return paid and not handed and {*run.units} <= {*last.units}

    def _acts_between(self, explained: ExplainedDrag) -> bool:
        """Whether others would have acted between, and nothing on the table tells of it.

        A drag is one thing to players who move the marker for whose go it is, and to those who
        pay for what they do, if not all of it is paid. Where each cell is, others waited.
        """
        own = [at for at, one in enumerate(explained.actions) if not one.unsaid]
        between = explained.actions[own[0] : own[-1]] if own else ()
        if not any(one.unsaid for one in between):
            return False
        actions, habits = [one.action for one in explained.actions], self._case.habits
        if habits.are_paid([one.action for one in explained.actions if not one.unsaid]):
            return False
        return bool(self._case.acting) or habits.leaves_unpaid(actions)
