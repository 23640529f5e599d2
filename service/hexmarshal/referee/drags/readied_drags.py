"""Drags against the rules by whoever was made ready for them, as a track shows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.referee.interpret.rules_calls import RulesFailedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.drags.drag_run import DragRun
    from hexmarshal.referee.interpret.deed import Deed
    from hexmarshal.referee.interpret.interpreter import Interpreter, Judged
    from hexmarshal.referee.judge.action_runner import ActionRunner
    from hexmarshal.referee.silence.silent_decisions import SilentDecisions

__all__ = ["ReadiedDrags"]


class ReadiedDrags:
    """Makes a unit ready in silence that was dragged wrongly, where less is wrong with it then.

    Only if the track was moved up for that: else nobody knows what was meant.
    """

    def __init__(
        self, case: Case, runner: ActionRunner, interpreter: Interpreter, silent: SilentDecisions
    ) -> None:
        self._case, self._runner = case, runner
        self._interpreter, self._silent = interpreter, silent

    def judged(self, judged: Judged, run: DragRun, deeds: Sequence[Deed]) -> Judged:
        """What is wrong with a drag, if anything is, once its unit was made ready."""
        mind = self._case.mind
        unit = mind.belief.units.get(run.units[0]) if len(run.units) == 1 else None
        raised = self._raised(run)
        if judged.verdict.legal or unit is None or not raised:
            return judged
        known = {broken.rule for broken in judged.verdict.violations}
        for ready in self._silent.ready(mind.belief, unit.side, run.units):
            after = self._silent.after(mind.belief, ready)
            if after is None or not any(after.track(n) > mind.belief.track(n) for n in raised):
                continue
            try:
                found = self._interpreter.judged(after, deeds, mind.tray)
            except RulesFailedError:
                continue
            rules = {broken.rule for broken in found.verdict.violations} if found else known
            if found is not None and not found.verdict.legal and rules < known:
                now = replace(run.now, side=unit.side)
                what = self._case.in_silence(ready)
                self._runner.begin(ready, now, run.first, what, unsaid=True)
                return found
        return judged

    def _raised(self, run: DragRun) -> list[str]:
        """The tracks that were moved up since it was dragged, and nothing asks for it."""
        return [
            item.name
            for item, due in self._case.mind.due.items()
            if item.of == "track" and due.entry is None and due.now.step >= run.first
            if due.off is not None and due.off > 0
        ]
