"""Drags that are over: what they were, and what is wrong with them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.books.drags_by_books import DragsByBooks
from hexmarshal.referee.case.table_comparison import asked_about, last_asked
from hexmarshal.referee.check.findings import Status
from hexmarshal.referee.drags.answering_drags import AnsweringDrags
from hexmarshal.referee.drags.drag_actions import named
from hexmarshal.referee.drags.joined_drags import JoinedDrags
from hexmarshal.referee.drags.unlikely_drags import UnlikelyDrags
from hexmarshal.referee.interpret.deed import Deed
from hexmarshal.referee.interpret.interpreter import Judged
from hexmarshal.referee.interpret.log_dice import LogDice
from hexmarshal.referee.interpret.rules_calls import RulesFailedError
from hexmarshal.referee.judge.after_silence import AfterSilence
from hexmarshal.referee.judge.refused_changes import RefusedChanges
from hexmarshal.referee.results.drags_by_result import by_result, wrong_result_before
from hexmarshal.referee.silence.explained_drags import ExplainedDrag
from hexmarshal.rules.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from hexmarshal.referee.attacks.silent_attacks import SilentAttacks
    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.check.findings import Entry
    from hexmarshal.referee.drags.drag_run import DragRun
    from hexmarshal.referee.drags.readied_drags import ReadiedDrags
    from hexmarshal.referee.interpret.interpreter import Interpreter
    from hexmarshal.referee.judge.action_runner import ActionRunner
    from hexmarshal.referee.silence.explained_drags import Explainer
    from hexmarshal.referee.silence.late_answers import LateAnswers
    from hexmarshal.referee.silence.unspoken import Unspoken
    from hexmarshal.referee.traces.open_window import OpenWindow
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.verdict import Violation

__all__ = ["Dragged"]


class Dragged:
    """Judges units that went some way, with what was left unsaid before and between."""

    def __init__(
        self,
        case: Case,
        runner: ActionRunner,
        interpreter: Interpreter,
        explainer: Explainer,
        unspoken: Unspoken,
        window: OpenWindow,
        attacks: SilentAttacks,
        late: LateAnswers,
        readied: ReadiedDrags,
    ) -> None:
        self._case, self._runner, self._results = case, runner, runner.results
        self._interpreter, self._explainer = interpreter, explainer
        self._unspoken, self._window = unspoken, window
        self._attacks, self._late, self._readied = attacks, late, readied
        self._unlikely = UnlikelyDrags(case, unspoken)
        self._by_books = DragsByBooks(case, interpreter)
        self._joined = JoinedDrags(case, interpreter, runner.results, unspoken)
        self._refused = RefusedChanges(case, runner)
        self._answering = AnsweringDrags(case, interpreter)
        self._after_silence = AfterSilence(case, runner, self._begin_again)

    def judge(self, run: DragRun, deeds: Sequence[Deed]) -> None:
        """Say what a drag was, and carry it out."""
        case = self._case
        self.take_back(lambda position: self._unspoken.explains(position, deeds))
        self._results.drop_forced(lambda position: self._unspoken.explains(position, deeds))
        if case.mind.owed and not self._unspoken.explains(case.mind.belief, deeds):
            if case.history.comes_of_violation:
                # What comes of something wrong players may carry out as well.
                self._late.go(lambda p: self._unspoken.explains(p, deeds), run)
            self._unspoken.let_go_on(run.now)
        if not (self._results.is_under_way and self._unspoken.explains(case.mind.belief, deeds)):
            self._results.settle(dragged=run.units)
        mind = case.mind
        if self._was_corrected(run, deeds):
            deeds = [replace(deed, cells=run.cells[-1:]) for deed in deeds]
            run = replace(run, cells=run.cells[-1:], whole=run.whole or run.cells)
        explained, before = ExplainedDrag(()), None
        try:
            reading = self._interpreter.legal(mind.belief, deeds, mind.tray)
            if reading is not None:
                reading = self._by_books.reading(run, deeds, reading)
            judged = Judged(reading, Verdict()) if reading is not None else None
            if judged is None:
                explained = self._explainer.drag(mind.belief, deeds, mind.tray)
            if judged is None and not explained.actions:
                whole = self._joined.whole(run, deeds)
                if whole is not None:
                    self.judge(whole, [replace(deed, cells=whole.cells) for deed in deeds])
                    return
            if judged is None and not explained.actions and self._answering.answers(run, deeds):
                return
            if (
                judged is None
                and not explained.actions
                and self._results.by_table.go(lambda p: self.is_right_soon(p, deeds))
            ):
                reading = self._interpreter.legal(mind.belief, deeds, mind.tray)
                judged = Judged(reading, Verdict()) if reading is not None else None
                if judged is None:
                    explained = self._explainer.drag(mind.belief, deeds, mind.tray)
            if judged is None and not explained.actions:
                first = mind.belief.units.get(run.units[0])
                side = first.side if first is not None else ""
                in_time = partial(self._unspoken.is_dragged_in_time, deeds=deeds)
                self._unspoken.leave_behind(side, in_time)
                before = mind.copy()
                self._unspoken.let_pass(side, in_time, run.now)
                self._unspoken.let_end((*run.units, *run.cells), in_time, run.now)
                judged = self._interpreter.judged(mind.belief, deeds, mind.tray)
        except RulesFailedError as error:
            self._runner.failed(str(run), error, run.now, run.first, run)
            return
        if explained.actions and self._marks_tell(explained, run):
            return
        if explained.actions and self._answers_another_guess(explained, run, deeds):
            self.judge(run, deeds)
            return
        if explained.actions and not self._unlikely.has(explained, run):
            if mind.tray and self._unspoken.guesses.explains_dice_before(
                lambda p: self.is_right_soon(p, deeds)
            ):
                self.judge(run, deeds)
                return
            self._carry_out(explained, run)
            return
        if explained.actions:
            judged = self._interpreter.judged(mind.belief, deeds, mind.tray)
            explained = ExplainedDrag((), searched=False)
        elif judged is None or not judged.verdict.legal:
            if self._unspoken_drag(run, deeds):
                return
            if self.takes_back_for(
                lambda position: self._unspoken.explains(position, deeds),
                (*run.units, run.start, *run.cells),
            ):
                self.judge(run, deeds)
                return
            if self._attacks.strike(run, lambda p: self._unspoken.explains(p, deeds)):
                self._carry_out_wrongly(run, deeds)
                return
            if not self._was_on_map(run) and self._refused.begin(run.units, run.now):
                return
        if judged is not None and not self._unspoken.is_asked(judged.verdict):
            about = (*run.units, run.start, *run.cells)
            if self._unspoken.guesses.in_time_after(
                lambda p: self._unspoken.is_dragged_in_time(p, deeds), about, run.now
            ):
                judged = self._interpreter.judged(mind.belief, deeds, mind.tray) or judged
        if (
            judged is not None
            and not judged.verdict.legal
            and self._unspoken.guesses.choose_otherwise(lambda p: self._unspoken.explains(p, deeds))
        ):
            judged = self._interpreter.judged(mind.belief, deeds, mind.tray) or judged
        if (
            judged is not None
            and not judged.verdict.legal
            and self._late.go(lambda p: self._unspoken.explains(p, deeds), run)
        ):
            judged = self._interpreter.judged(case.mind.belief, deeds, mind.tray) or judged
        if (
            judged is not None
            and not judged.verdict.legal
            and self._attacks.enter(run, lambda p: self._unspoken.explains(p, deeds))
        ):
            self.judge(run, deeds)
            return
        if judged is None:
            self._cannot_tell(run, "the rules know no action that takes them there")
            return
        cause = None if judged.verdict.legal else self._cause_of(run)
        if cause is not None:
            self._cannot_tell(run, f"it comes of what was told of step {cause.first}")
            # And nothing more is asked for it.
            mind.belief = case.released() or mind.belief
            return
        if judged.verdict.legal and not judged.sure:
            # Where it was to go on to, nobody knows.
            mind.doubt = True
        judged = by_result(case, self._readied.judged(judged, run, deeds), run)
        self._begin_drag(judged, run, sure=judged.sure and explained.searched)
        silent = before is not None and len(before.entries) + 1 < len(mind.entries)
        if before is not None and silent and not judged.verdict.legal:
            self._after_silence.note(before, run, deeds)

    def _was_on_map(self, run: DragRun) -> bool:
        known = self._case.mind.belief.units
        return any(unit in known and known[unit].cell for unit in run.units)

    def _carry_out_wrongly(self, run: DragRun, deeds: Sequence[Deed]) -> None:
        """Say what is wrong with a drag that is taken for the result of an attack."""
        case = self._case
        asked = asked_about(case.mind.belief).issuperset(run.units)
        # Of those who are to go somewhere, where they lie is judged as their way.
        self._results.settle(dragged=run.units if asked else ())
        if not any(map(case.apart, run.units)):
            # It was told as the result that it should have been.
            return
        if self._unspoken.is_dragged_in_time(case.mind.belief, deeds):
            self.judge(run, deeds)
        else:
            self._results.unasked.note(run.units, run.now)

    def _was_corrected(self, run: DragRun, deeds: Sequence[Deed]) -> bool:
        """Whether who carries a result out was put from one right cell to another.

        All of the way is wrong then, and each of its cells by itself is right.
        """
        mind = self._case.mind
        if len(run.cells) == 1 or self._results.unasked.asking(run.units) is None:
            return False
        alone = ([replace(deed, cells=(cell,)) for deed in deeds] for cell in run.cells)
        try:
            return self._interpreter.legal(mind.belief, deeds, mind.tray) is None and all(
                self._interpreter.legal(mind.belief, one, mind.tray) is not None for one in alone
            )
        except RulesFailedError:
            return False

    def is_right_soon(self, position: Position, deeds: Sequence[Deed]) -> bool:
        """Whether a drag is right, perhaps after what was decided in silence."""
        tray = self._case.mind.tray
        if self._interpreter.legal(position, deeds, tray) is not None:
            return True
        return bool(self._explainer.drag(position, deeds, tray).actions)

    def turns_over(self, run: DragRun, deeds: Sequence[Deed]) -> bool:
        """Whether who was dragged is turned over where he is, which belongs to the way he went."""
        is_own = {deed.unit for deed in deeds} <= {*run.units}
        if not is_own or not self._interpreter.read.has_choices:
            return False
        old = {deed.unit: deed.before for deed in deeds if deed.before is not None}
        new = {deed.unit: deed.after for deed in deeds if deed.after is not None}
        if len(old) < len(deeds) or len(new) < len(deeds) or any(deed.cells for deed in deeds):
            return False
        shown = self._case.sights.units
        shown.update(new)
        belongs = self._leaves_so(run.units, run.cells)
        shown.update(old)
        return belongs

    def _leaves_so(self, units: Sequence[str], cells: tuple[str, ...]) -> bool:
        """Whether a drag is right, and units look as they do when it is over."""
        case, mind = self._case, self._case.mind
        deeds = [Deed(unit, None, case.sights.units.get(unit), cells) for unit in units]
        try:
            found = self._interpreter.legal(mind.belief, deeds, mind.tray)
            if found is None:
                explained = self._explainer.drag(mind.belief, deeds, mind.tray).actions
                found = tuple(one.action for one in explained)
            at = mind.belief
            for action in found:
                at = case.rules.apply(at, action, LogDice(mind.tray)).position
        except HexMarshalError:
            return False
        return bool(found) and self._results.by_table.come_to(at, units) is not None

    def take_back(self, is_right: Callable[[Position], bool]) -> None:
        """After a drag against the rules: what it was taken for, if what follows tells otherwise.

        It was no answer to what was asked; or nothing was done in silence before it.
        """
        self._unspoken.ask_again(is_right)
        self._after_silence.take_back(is_right)

    def takes_back_for(self, is_right: Callable[[Position], bool], about: Collection[str]) -> bool:
        """The same, if something is right only after what left no trace either, and dice lie there.

        Who drags a unit wrongly before the next attack has not ended the attacks by that.
        """
        guesses = self._unspoken.guesses
        return bool(self._case.mind.tray) and self._after_silence.takes_back(
            lambda position: guesses.finds(position, is_right, about)
        )

    def take_back_for_dice(self) -> None:
        """The same, if dice that lie there are only for what may be done then."""
        mind = self._case.mind
        if mind.tray and mind.pending is None:
            self._after_silence.take_back(self._unspoken.guesses.are_explained)

    def _begin_again(self, run: DragRun, deeds: Sequence[Deed]) -> bool:
        self._unspoken.ask_again(lambda position: self._unspoken.explains(position, deeds))
        mind = self._case.mind
        try:
            judged = self._interpreter.judged(mind.belief, deeds, mind.tray)
        except RulesFailedError:
            return False
        if judged is None:
            return False
        self._begin_drag(judged, run, sure=False)
        return True

    def _cannot_tell(self, run: DragRun, why: str) -> None:
        case = self._case
        case.unknown(case.entry(run.now, run.first, str(run), "drag", Status.UNKNOWN), why)
        case.believe(run.units)

    def _cause_of(self, run: DragRun) -> Entry | None:
        """What was told as wrong, and asks units to be dragged, or lets them follow the beaten."""
        case, told = self._case, self._case.history.last_violation
        did = told is not None and told.kind in case.rules.game.actions and not told.path
        if did and told is not None and case.mind.belief.state and {*run.units} <= {*told.units}:
            return told
        return wrong_result_before(case, run)

    def _marks_tell(self, explained: ExplainedDrag, run: DragRun) -> bool:
        """Whether units are marked otherwise than by this, and something else explains all of it.

        Who is turned over before he is dragged was not activated for that.
        """
        case, every = self._case, [one.action for one in explained.actions]
        if not case.habits.marks_otherwise(every, run.units):
            return False
        case.mind.run = run
        if self._window.explained(run.now):
            return True
        case.mind.run = None
        return False

    def _answers_another_guess(
        self, explained: ExplainedDrag, run: DragRun, deeds: Sequence[Deed]
    ) -> bool:
        """Whether a drag answers what is asked, and only the guess by which it is was wrong.

        Who goes into the hex that was fought for advances rather than moves there later.
        """
        fought = {*last_asked(self._case.mind.belief), *self._unspoken.guesses.named}
        if not explained.actions[0].unsaid or run.cells[-1] not in fought:
            return False
        return self._unspoken.guesses.again(
            lambda position: self._unspoken.explains(position, deeds),
            (*run.units, run.start, *run.cells),
            run.now,
        )

    def _begin_drag(self, judged: Judged, run: DragRun, *, sure: bool) -> None:
        """Carry out what a drag is taken for; what is wrong with several units is one thing."""
        if len(judged.reading) == 1:
            (action,) = judged.reading
            self._runner.begin(action, run.now, run.first, str(run), run, judged.verdict, sure=sure)
            return
        wrong: dict[str, Action] = {}
        found: dict[tuple[str, str], Violation] = {}
        for action in judged.reading:
            own = self._run_of(action, run)
            verdict = self._interpreter.verdict(self._case.mind.belief, (action,))
            if verdict.legal:
                self._runner.begin(action, run.now, run.first, str(own), own, sure=sure)
                continue
            wrong |= dict.fromkeys(own.units, action)
            found |= {(v.rule, v.text): v for v in verdict.violations}
        if wrong:
            all_of_it = Verdict(tuple(found.values()))
            own, action = replace(run, units=tuple(wrong)), next(iter(wrong.values()))
            self._runner.begin(action, run.now, run.first, str(own), own, all_of_it, sure=sure)

    def _run_of(self, action: Action, run: DragRun) -> DragRun:
        """The part of a run that an action is about: units may go each by itself."""
        own = tuple(unit for unit in run.units if unit in named(action))
        return replace(run, units=own) if own else run

    def _unspoken_drag(self, run: DragRun, deeds: Sequence[Deed]) -> bool:
        """Whether something that nobody spoke of puts the units there, or lets them go there."""
        case = self._case
        case.mind.run = run
        if self._window.explained(run.now):
            return True
        case.mind.run = None
        if self._window.begun(deeds, run.now):
            return True
        about = (*run.units, run.start, *run.cells)
        if not self._unspoken.guesses.before(
            lambda p: self._unspoken.explains(p, deeds), about, run.now
        ):
            return False
        reading = self._interpreter.legal(case.mind.belief, deeds, case.mind.tray) or ()
        for action in reading:
            own = self._run_of(action, run)
            self._runner.begin(action, run.now, run.first, str(own), own)
        return True

    def _carry_out(self, explained: ExplainedDrag, run: DragRun) -> None:
        """A drag with what was done in silence before it, and between its cells."""
        for action, unsaid in explained.actions:
            if unsaid:
                self._unspoken.do((action,), replace(run.now, side=action.side))
            else:
                own = self._run_of(action, run)
                self._runner.begin(action, run.now, run.first, str(own), own)
