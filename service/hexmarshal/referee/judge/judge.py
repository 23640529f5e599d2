"""The judge: takes the steps of a log one by one, and makes of them what players did."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.referee.check.findings import Status
from hexmarshal.referee.interpret.drag_actions import named
from hexmarshal.referee.interpret.drag_run import DragRun, Now
from hexmarshal.referee.interpret.interpreter import Deed, Judged
from hexmarshal.referee.interpret.rules_calls import RulesFailedError
from hexmarshal.referee.judge.action_runner import ActionRunner
from hexmarshal.referee.judge.case import Ahead
from hexmarshal.referee.judge.explaining import ExplainedDrag, Explainer
from hexmarshal.referee.judge.laid_things import LaidThings
from hexmarshal.referee.judge.phase_follower import PhaseFollower
from hexmarshal.referee.judge.silent_decisions import SilentDecisions
from hexmarshal.referee.judge.table_comparison import changed
from hexmarshal.referee.traces.open_window import OpenWindow
from hexmarshal.referee.traces.trace_search import TraceSearch
from hexmarshal.rules.codec import RECORD
from hexmarshal.rules.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from hexmarshal.errors import HexMarshalError
    from hexmarshal.referee.check.findings import Entry
    from hexmarshal.referee.interpret.interpreter import Interpreter
    from hexmarshal.referee.interpret.log_dice import Throw
    from hexmarshal.referee.interpret.routes import Routes
    from hexmarshal.referee.judge.case import Case, Due
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.reading.bookkeeping import Item, Kept
    from hexmarshal.table.reading.turn_tracker import Moment, Tracker

__all__ = ["Judge"]

_END_PHASE: Final = "end_phase"


class Judge:
    """Hears announcements, sees dice, pieces and the tracker, and judges what is over.

    A drag may go on with the next step, and dice may follow an announcement: so a thing is judged
    when another begins.
    """

    def __init__(
        self,
        case: Case,
        interpreter: Interpreter,
        routes: Routes,
        tracker: Tracker | None,
        laid: Sequence[str] = (),
    ) -> None:
        self._case = case
        self._interpreter = interpreter
        self._runner = ActionRunner(case, interpreter)
        self._results = self._runner.results
        # Where no tracker shows them, phases end in silence.
        advance = tracker.rule.advance if tracker is not None else _END_PHASE
        self._silent = SilentDecisions(case.rules, advance, phases=tracker is None)
        self._explainer = Explainer(case.rules, interpreter, routes, self._silent)
        self._follower = (
            PhaseFollower(case, self._runner, tracker, self._silent)
            if tracker is not None
            else None
        )
        self._laid = LaidThings(case, self._runner, self._silent, laid)
        search = TraceSearch(case.rules, routes, self._silent, interpreter.drags, advance)
        # Where tokens and cards are laid, those tell what was done.
        self._window = OpenWindow(case, self._runner, None if laid else search)
        self._closing: Mapping[Item, Due] | None = None
        self._unexplained = False

    # What happens in a step

    def announce(self, action: Action, now: Now) -> None:
        """A player said what is done."""
        self._laid.read(now)
        self._window.speak()
        if self._was_meant(action, now):
            return
        self.close(keep=self._answers(action))
        self._catch_up(fits=self._fits(action))
        self._results.drop_forced(lambda position: self._is_legal(position, action))
        self._results.settle()
        mind = self._case.mind
        if not self._is_legal(mind.belief, action):
            unsaid = self._unsaid_before(action)
            self._do(unsaid or (), now)
            if unsaid is None:
                self._leave_behind(action.side, lambda p: self._is_legal(p, action))
        self._runner.begin(action, now, now.step, self._case.spoken(action))
        self._catch_up(fits=True)

    def _unsaid_before(self, action: Action) -> Sequence[Action] | None:
        """What was decided in silence, if that makes it right."""
        mind = self._case.mind
        units = [name for name in named(action) if name in mind.belief.units]
        return self._silent.until(
            mind.belief, action.side, lambda p: self._is_legal(p, action), mind.tray, units
        )

    def _fits(self, action: Action) -> bool:
        """Whether it may be what is still to be done, where the tracker is ahead."""
        mind = self._case.mind
        if mind.ahead is None or self._is_legal(mind.belief, action):
            return True
        return mind.ahead.early and self._unsaid_before(action) is not None

    def _leave_behind(self, side: str, is_right: Callable[[Position], bool]) -> None:
        """What is asked only because of a violation nobody will answer, if others go on."""
        case, mind = self._case, self._case.mind
        wrong = mind.entries and mind.entries[-1].status is Status.VIOLATION
        free = case.released() if wrong else None
        if free is not None and (side not in mind.belief.active or is_right(free)):
            mind.belief = free

    def _do(self, unsaid: Iterable[Action], now: Now) -> None:
        """Carry out what was decided in silence."""
        mind = self._case.mind
        for action in unsaid:
            before = mind.belief
            self._runner.begin(
                action, now, now.step, f"in silence: {self._case.spoken(action)}", unsaid=True
            )
            mind.belief = self._silent.unharmed(before, action, mind.belief)

    def _was_meant(self, action: Action, now: Now) -> bool:
        """Whether it says what was taken for done in silence just before.

        Players who decide at the same time speak in any order: where it is not asked for now, it
        may be what was filled in for the one who spoke first.
        """
        mind = self._case.mind
        meant, last = RECORD.decode(action.to_json()), len(mind.entries) - 1
        for number in range(last, -1, -1):
            entry = mind.entries[number]
            if number != last and (
                entry.kind != action.kind or self._is_legal(mind.belief, action)
            ):
                return False
            if number in mind.unsaid and entry.action == meant:
                mind.unsaid -= {number}
                step = max(now.step, entry.last)
                mind.entries[number] = replace(entry, what=self._case.spoken(action), last=step)
                return True
        return False

    def _answers(self, action: Action) -> bool:
        """Whether dice that lie there were rolled for the question that this answers."""
        belief = self._case.mind.belief
        return bool(belief.state) and self._is_legal(belief, action)

    def unreadable(self, what: str, why: HexMarshalError, now: Now) -> None:
        """A player said something that cannot be taken for an action."""
        self.close()
        entry = self._case.entry(now, now.step, what, "announcement", Status.UNKNOWN)
        self._case.unknown(entry, why.message, why.hint)

    def roll(self, throws: Iterable[Throw]) -> None:
        """Dice were rolled."""
        self._end_drag()
        self._judge_drag()
        self._window.settle()
        mind, rolled = self._case.mind, tuple(throws)
        self._window.roll(rolled)
        mind.tray = (*mind.tray, *rolled)
        if mind.pending is not None:
            self._runner.attempt(mind.pending)
        elif mind.tray:
            throw = mind.tray[-1]
            self._roll_in_silence(Now(throw.step, throw.player))

    def _roll_in_silence(self, now: Now) -> bool:
        """Go on with what is asked, if silence answers it and dice are rolled then."""
        mind = self._case.mind
        unsaid = self._silent.answer(mind.belief)
        if unsaid is None or not self._silent.rolls(mind.belief, unsaid, mind.tray):
            return False
        self._do((unsaid,), now)
        return True

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
        if run is not None and not run.goes_on(deeds) and not (deeds and run.turns(deeds)):
            self._end_drag()
        if handed_over:
            window.hand_over()
        drags = {(deed.source, deed.cells) for deed in deeds}
        alone = len(drags) == 1 and all(deed.cells for deed in deeds) and not books
        thrown = bool(self._case.mind.anchor and self._case.mind.anchor.throws)
        if alone and thrown:
            window.explained(now)
        window.touch((deed.unit for deed in deeds), books, now.step, cards=cards)
        if alone and not handed_over:
            return False
        old_units, old_books = sights.units.copy(), sights.books.copy()
        self.see(deeds, books)
        if window.explained(now):
            return True
        sights.units, sights.books = old_units, old_books
        self._unexplained = True
        return False

    def _end_drag(self) -> None:
        """Judge a drag that is over, if it is all that was done since rules and table agreed."""
        case = self._case
        if case.mind.run is None or (case.mind.anchor and case.mind.anchor.spoken):
            return
        kept = case.mind
        case.mind = kept.copy()
        self._judge_drag()
        if not self._window.settle():
            self._window.let_be(kept)

    def see(self, deeds: Iterable[Deed], books: Mapping[Item, Kept]) -> None:
        """Look at what the table shows now, without a thought."""
        units = self._case.sights.units
        for deed in deeds:
            if deed.after is not None:
                units[deed.unit] = deed.after
            else:
                units.pop(deed.unit, None)
        self._case.sights.books.update(books)

    def observe(self, deeds: Sequence[Deed], now: Now) -> None:
        """Pieces were moved or changed."""
        mind = self._case.mind
        run = mind.run
        if run is not None and run.goes_on(deeds):
            self.see(deeds, {})
            mind.run = run.further(deeds[0].cells, now)
            return
        if run is not None and run.turns(deeds):
            self.see(deeds, {})
            return
        # Judged by what the table showed until now.
        self._laid.read(now)
        self._judge_drag()
        mind = self._case.mind
        self.see(deeds, {})
        self._results.carry_out_late(deed.unit for deed in deeds)
        if not any(self._leaves(deed) for deed in deeds):
            self._results.redraw(deed.unit for deed in deeds if self._case.apart(deed.unit))
        drags: dict[tuple[str, str], list[Deed]] = {}
        others: list[Deed] = []
        for deed in deeds:
            if not self._case.apart(deed.unit):
                mind.owed.pop(deed.unit, None)
            elif deed.unit in mind.owed and not self._leaves(deed):
                continue
            elif deed.cells and deed.before is not None:
                drags.setdefault((deed.source, deed.cells[-1]), []).append(deed)
            elif mind.pending is None:
                others.append(deed)
        for (source, _), group in drags.items():
            self._drag(source, group, now)
        if others:
            self._other(others, now)

    def see_draws(self) -> None:
        """Cards or chits may have gone from pile to pile: they tell what was drawn."""
        self._results.redraw()

    def observe_books(self, changes: Mapping[Item, Kept], now: Now) -> None:
        """Markers were placed or taken, or a track was moved."""
        self._results.see_books(changes, now)

    def _leaves(self, deed: Deed) -> bool:
        """Whether the unit goes on from where the rules have it: that is a deed of its own."""
        known = self._case.mind.belief.units.get(deed.unit)
        return bool(deed.cells) and known is not None and known.cell == deed.source != ""

    def clock(self, before: Moment | None, moment: Moment, now: Now) -> None:
        """The turn tracker was moved."""
        self._laid.read(now)
        self._end_drag()
        if self._case.mind.tray or self._case.mind.run is not None:
            self._window.explained(now)
        mind = self._case.mind
        # Dice that lie there may be for what is decided in silence now.
        self.close(keep=bool(mind.belief.state))
        self._catch_up()
        self._results.settle(late=True)
        mind.between = ""
        if moment.known and self._follower is not None:
            if self._follower.waits(mind.belief):
                mind.ahead = Ahead(before, moment, now)
                return
            if self._follower.is_early(before, moment, now):
                mind.ahead = Ahead(before, moment, now, early=True)
                return
            self._closing = mind.due.copy()
            self._follower.follow(before, moment, now)
            mind.between = "" if moment.phase else moment.text
        self.close()
        mind.doubt = False

    def _catch_up(self, *, fits: bool = False) -> None:
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
        self._follower.follow(ahead.before, ahead.moment, ahead.now, sure=not late)

    def rest(self) -> None:
        """All of a step was seen: if a phase ended in it, its books are closed."""
        if self._closing is not None:
            self._results.settle_books(self._closing)
            self._closing = None
            self._window.close()
        else:
            self._window.settle(self._give_up if self._unexplained else None)
        self._unexplained = False

    def _give_up(self) -> None:
        """Tell what is wrong with what nothing explains."""
        self.close()
        self._results.settle()
        self._results.settle_books(self._case.mind.due.copy())

    def close(self, *, keep: bool = False) -> None:
        """Judge what is still going on: something else begins; `keep` the dice for that."""
        self._judge_drag()
        self._runner.give_up_waiting()
        case, mind = self._case, self._case.mind
        if keep:
            return
        if mind.tray and mind.entries and self._is_forbidden(mind.entries[-1]):
            # Rolled for what may not be done: the dice belong there.
            dice = tuple(throw.value for throw in mind.tray)
            mind.entries[-1] = replace(mind.entries[-1], dice=dice, last=mind.tray[-1].step)
            mind.tray = ()
        for throw in mind.tray:
            now = Now(throw.step, throw.player)
            text = f"rolls {throw.value} on a die of {throw.sides}, and no action asks for it"
            entry = case.entry(now, throw.step, text, "roll", Status.UNKNOWN)
            case.unknown(replace(entry, dice=(throw.value,)), "no action was announced for it")
            # Something was done that nobody spoke of: what follows may come of it.
            mind.doubt = True
        mind.tray = ()

    def _is_forbidden(self, last: Entry) -> bool:
        """Whether the last thing done was announced against the rules, and got no dice yet."""
        announced = last.kind in self._case.rules.game.actions and not last.path
        return announced and last.status is Status.VIOLATION and not last.dice

    def finish(self) -> None:
        """The log has ended."""
        self._laid.read(Now(self._case.mind.step, ""))
        self.close()
        self._catch_up()
        self._results.settle(ended=True)
        self._results.settle_books(self._case.mind.due.copy(), ended=True)

    # Drags

    def _drag(self, source: str, group: list[Deed], now: Now) -> None:
        units = tuple(sorted(deed.unit for deed in group))
        cells = group[0].cells
        self.close()
        if not self._put_back(units, cells[-1]):
            self._case.mind.run = DragRun(units, source, cells, now.step, now)

    def _put_back(self, units: tuple[str, ...], cell: str) -> bool:
        """Whether the last thing done was moving these units from the cell that they are on now."""
        mind = self._case.mind
        if not mind.entries:
            return False
        last = mind.entries[-1]
        then = last.before
        if then is None or tuple(sorted(last.units)) != units or not last.path or last.dice:
            return False
        if last.after is not None and not set(changed(then, last.after)) <= set(units):
            return False
        same = (then.turn, then.phase) == (mind.belief.turn, mind.belief.phase)
        if not same or any(u not in then.units or then.units[u].cell != cell for u in units):
            return False
        mind.belief = then
        mind.owed.clear()
        self._results.forgive(len(mind.entries) - 1)
        mind.entries[-1] = replace(last, status=Status.TAKEN_BACK)
        return True

    def _judge_drag(self) -> None:
        case, mind = self._case, self._case.mind
        run, mind.run = mind.run, None
        if run is None:
            return
        deeds = [Deed(u, None, case.sights.units.get(u), run.cells) for u in run.units]
        self._catch_up(fits=self._explains(mind.belief, deeds))
        self._judge_run(run, deeds)
        self._catch_up(fits=True)

    def _judge_run(self, run: DragRun, deeds: Sequence[Deed]) -> None:
        case, mind = self._case, self._case.mind
        self._results.drop_forced(lambda position: self._explains(position, deeds))
        self._results.settle()
        explained = ExplainedDrag(())
        try:
            reading = self._interpreter.legal(mind.belief, deeds, mind.tray)
            judged = Judged(reading, Verdict()) if reading is not None else None
            if judged is None:
                explained = self._explainer.drag(mind.belief, deeds, mind.tray)
            if judged is None and not explained.actions:
                own = mind.belief.units.get(run.units[0])
                side = own.side if own is not None else ""
                self._leave_behind(side, lambda p: self._explains(p, deeds))
                judged = self._interpreter.judged(mind.belief, deeds, mind.tray)
        except RulesFailedError as error:
            self._runner.failed(str(run), error, run.now, run.first, run)
            return
        if explained.actions:
            self._carry_out(explained, run)
            return
        if (judged is None or not judged.verdict.legal) and self._unspoken_drag(run, deeds):
            return
        if judged is None:
            entry = case.entry(run.now, run.first, str(run), "drag", Status.UNKNOWN)
            case.unknown(entry, "the rules know no action that takes them there")
            case.believe(run.units)
            return
        if judged.verdict.legal and not judged.sure:
            # Where it was to go on to, nobody knows.
            mind.doubt = True
        known = judged.verdict if len(judged.reading) == 1 else None
        for action in judged.reading:
            sure = judged.sure and explained.searched
            self._runner.begin(action, run.now, run.first, str(run), run, known, sure=sure)

    def _unspoken_drag(self, run: DragRun, deeds: Sequence[Deed]) -> bool:
        """Whether something that nobody spoke of puts the units there, or lets them go there."""
        case = self._case
        case.mind.run = run
        if self._window.explained(run.now):
            return True
        case.mind.run = None
        return self._window.begun(deeds, run.now)

    def _carry_out(self, explained: ExplainedDrag, run: DragRun) -> None:
        """A drag with what was done in silence before it, and between its cells."""
        for action, unsaid in explained.actions:
            if unsaid:
                self._do((action,), replace(run.now, side=action.side))
            else:
                self._runner.begin(action, run.now, run.first, str(run), run)

    def _explains(self, position: Position, deeds: Sequence[Deed]) -> bool:
        try:
            judged = self._interpreter.judged(position, deeds, self._case.mind.tray)
        except RulesFailedError:
            return False
        return judged is not None and judged.verdict.legal

    def _is_legal(self, position: Position, *reading: Action) -> bool:
        try:
            return self._interpreter.verdict(position, reading, self._case.mind.tray).legal
        except RulesFailedError:
            return False

    # What the table shows otherwise

    def _other(self, deeds: Sequence[Deed], now: Now) -> None:
        """Changes that nothing asks for, unless they are an action by themselves."""
        self.close(keep=True)
        case, mind = self._case, self._case.mind
        still = [deed for deed in deeds if case.apart(deed.unit)]
        if not still:
            return
        try:
            readings = self._interpreter.readings(mind.belief, still)
            found = next((r for r in readings if self._is_legal(mind.belief, *r)), None)
        except RulesFailedError as error:
            told = "; ".join(line for deed in still for line in case.differences(deed.unit))
            self._runner.failed(told, error, now, now.step)
            case.believe(deed.unit for deed in still)
            return
        if found is None:
            self._deduce(still, now)
            return
        self.close()
        for action in found:
            self._runner.begin(action, now, now.step, self._case.spoken(action))

    def _deduce(self, deeds: Sequence[Deed], now: Now) -> None:
        """Nothing was said: dice that are still to come, or a tracker that was early."""
        if self._case.mind.ahead is not None:
            self._catch_up()
            self._deduce(deeds, now)
            return
        if not self._window.begun(deeds, now) and not self._roll_in_silence(now):
            self.close()
            self._results.unasked(tuple(deed.unit for deed in deeds), now)
        self._catch_up(fits=True)
