"""Results of which nobody carried anything out when the game went on: players may do it later."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.mind import Unpaid
from hexmarshal.referee.interpret.rules_calls import RulesFailedError
from hexmarshal.referee.results.unpaid_results import forgive_unpaid, tell_unpaid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.drags.drag_run import DragRun, Now
    from hexmarshal.referee.interpret.deed import Deed
    from hexmarshal.referee.interpret.interpreter import Interpreter
    from hexmarshal.referee.judge.action_runner import ActionRunner
    from hexmarshal.referee.silence.late_answers import LateAnswers
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position

__all__ = ["LateResults"]


class LateResults:
    """Answers what was asked when the game went on, once the table shows an answer to it.

    Who fights all combats first, or moves the tracker, loses his steps and goes back after that.
    """

    def __init__(
        self, case: Case, runner: ActionRunner, interpreter: Interpreter, late: LateAnswers
    ) -> None:
        self._case, self._runner, self._interpreter = case, runner, interpreter
        self._late = late

    def drag(self, run: DragRun, deeds: Sequence[Deed]) -> bool:
        """Whether a drag is such an answer; then it is done."""
        for one in self._open(run.units):
            reading = self._legal(self._back_at(one), deeds)
            if reading is not None:
                self._do(one, reading, run.now, run)
                return True
        return False

    def change(self, deeds: Sequence[Deed], now: Now) -> bool:
        """Whether units were changed as such an answer changes them, or are on their way there."""
        units = [deed.unit for deed in deeds]
        for one in self._open(units):
            there = self._back_at(one)
            reading = self._legal(there, deeds)
            if reading is None and (answer := self._late.answer(there, units)) is not None:
                reading = (answer,)
            if reading is not None:
                self._do(one, reading, now)
                return True
        return False

    def _open(self, units: Sequence[str]) -> list[Unpaid]:
        """What is open of this turn, and about units."""
        mind = self._case.mind
        if not any(map(self._case.apart, units)):
            return []
        mind.unpaid = tuple(one for one in mind.unpaid if one.at.turn == mind.belief.turn)
        return [*mind.unpaid]

    def _back_at(self, one: Unpaid) -> Position:
        """As things stand, with what was asked then."""
        at = one.at
        return replace(
            self._case.mind.belief,
            phase=at.phase,
            state=at.state,
            frames=at.frames,
            active=at.active,
        )

    def _legal(self, there: Position, deeds: Sequence[Deed]) -> Sequence[Action] | None:
        try:
            return self._interpreter.legal(there, deeds)
        except (RulesFailedError, HexMarshalError):
            return None

    def _do(
        self, one: Unpaid, reading: Sequence[Action], now: Now, run: DragRun | None = None
    ) -> None:
        """Carry it out where it was asked, and go on from here."""
        case, here = self._case, self._case.mind.belief
        first = len(case.mind.entries)
        case.mind.belief = self._back_at(one)
        for action in reading:
            what = case.spoken(action) if run is None else str(run)
            self._runner.begin(action, now, now.step if run is None else run.first, what, run)
        mind = case.mind
        after = mind.belief
        mind.belief = replace(
            after,
            turn=here.turn,
            phase=here.phase,
            state=here.state,
            frames=here.frames,
            active=here.active,
        )
        for number in range(first, len(mind.entries)):
            entry = replace(mind.entries[number], turn=here.turn, phase=here.phase)
            mind.entries[number] = replace(entry, before=here, after=mind.belief)
        # Of steps that are taken off one by one, the others are still owed.
        mind.owed = {u: one.entry if n >= first else n for u, n in mind.owed.items()}
        forgive_unpaid(case, one)
        mind.unpaid = tuple(other for other in mind.unpaid if other is not one)
        if len(after.frames) >= len(one.at.frames):
            self._ask_further(one, after)

    def _ask_further(self, one: Unpaid, after: Position) -> None:
        """What is asked behind an answer is open as well; of what is no choice, that is told."""
        case, game = self._case, self._case.rules.game
        frame = game.frames.get(after.state)
        asked = frame is not None and frame.silence is None
        broken = case.still_asked(after, "the game went on") if asked and one.broken else None
        further = Unpaid(after, one.entry, case.mind.entries[one.entry], broken)
        case.mind.unpaid += (further,)
        tell_unpaid(case, further)
