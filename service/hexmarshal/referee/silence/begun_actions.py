"""Actions that nobody announced, and of which only a part lies on the table yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.referee.case.table_comparison import apart
from hexmarshal.referee.interpret.deed import Deed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.drags.drag_run import Now
    from hexmarshal.referee.judge.action_runner import ActionRunner
    from hexmarshal.referee.traces.anchor_keeper import AnchorKeeper
    from hexmarshal.referee.traces.trace_search import TraceSearch
    from hexmarshal.rules.action import Action

__all__ = ["BegunActions"]


class BegunActions:
    """Finds the action of which deeds are a part; others may tell that it was another one."""

    def __init__(
        self, case: Case, runner: ActionRunner, search: TraceSearch, anchors: AnchorKeeper
    ) -> None:
        self._case, self._runner = case, runner
        self._search, self._anchors = search, anchors

    def begin(self, deeds: Sequence[Deed], now: Now) -> bool:
        """Whether an action was found, and carried out, of which these deeds are a part."""
        mind, view = self._case.mind, self._anchors.view(self._anchors.anchor())
        found = self._search.begun(mind.belief, deeds, view, mind.tray)
        if self._case.habits.is_unlikely(found, found, begun=True):
            return False
        self._do(found, now)
        return bool(found) or self._begin_again(deeds, now)

    def _begin_again(self, deeds: Sequence[Deed], now: Now) -> bool:
        """The same with all that was done since the last guess of this kind, and without that.

        One that was taken away tells less than what is put in its place.
        """
        case, kept, anchor = self._case, self._case.mind, self._anchors.anchor()
        first, dragged = len(anchor.before.entries), {deed.unit for deed in deeds}
        guessed = range(first, len(kept.entries))
        if anchor.spoken or anchor.throws or not guessed or not kept.unsaid.issuperset(guessed):
            return False
        shown, start = case.sights.units, anchor.before.belief
        others = sorted(u for u in anchor.units if u not in dragged and apart(start, shown, u))
        if not others or any(kept.entries[number].dice for number in guessed):
            return False
        view = self._anchors.view(anchor)
        every = [*deeds, *(Deed(unit, None, shown.get(unit)) for unit in others)]
        found = self._search.begun(start, every, view, anchor.before.tray)
        if not found or case.habits.is_unlikely(found, found, begun=True):
            return False
        case.mind = anchor.before.copy()
        case.mind.step, case.mind.ahead = kept.step, kept.ahead
        case.mind.kept, case.mind.anchor = kept.kept, anchor
        self._do(found, now)
        return True

    def _do(self, found: Sequence[Action], now: Now) -> None:
        mind, first = self._case.mind, len(self._case.mind.entries)
        for action in found:
            before, what = mind.belief, self._case.in_silence(action)
            self._runner.begin(action, now, now.step, what, unsaid=True)
            if action is not found[-1]:
                mind.belief = self._search.unharmed(before, action, mind.belief)
        if found:
            self._case.guess(first)
