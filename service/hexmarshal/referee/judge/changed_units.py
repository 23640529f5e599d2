"""Units that were changed where they lie: an action by itself, a part of one, or for nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.referee.case.table_comparison import apart, asked_about
from hexmarshal.referee.check.findings import Status
from hexmarshal.referee.drags.drag_actions import named
from hexmarshal.referee.interpret.deed import is_turned
from hexmarshal.referee.interpret.rules_calls import RulesFailedError
from hexmarshal.referee.judge.refused_changes import RefusedChanges

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from hexmarshal.referee.attacks.silent_attacks import SilentAttacks
    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.drags.drag_run import Now
    from hexmarshal.referee.drags.dragged import Dragged
    from hexmarshal.referee.interpret.deed import Deed
    from hexmarshal.referee.interpret.interpreter import Interpreter
    from hexmarshal.referee.judge.action_runner import ActionRunner
    from hexmarshal.referee.judge.late_results import LateResults
    from hexmarshal.referee.silence.unspoken import Unspoken
    from hexmarshal.referee.silence.wrong_in_silence import WrongInSilence
    from hexmarshal.referee.traces.open_window import OpenWindow
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.reading.bookkeeping import Item

__all__ = ["ChangedUnits"]


class ChangedUnits:
    """Says what it was that changed units, or that nothing asks for it.

    While an action waits for its dice, what it may have changed is looked at behind them.
    """

    def __init__(
        self,
        case: Case,
        runner: ActionRunner,
        interpreter: Interpreter,
        unspoken: Unspoken,
        window: OpenWindow,
        wrong: WrongInSilence,
        attacks: SilentAttacks,
        dragged: Dragged,
        late_results: LateResults,
        close: Callable[[bool], None],
    ) -> None:
        """`close` judges what is still going on, and may keep the dice for what begins."""
        self._case, self._runner, self._interpreter = case, runner, interpreter
        self._unspoken, self._window = unspoken, window
        self._wrong, self._attacks, self._dragged = wrong, attacks, dragged
        self._late_results = late_results
        self._close, self._refused = close, RefusedChanges(case, runner)

    def judge(self, deeds: Sequence[Deed], now: Now) -> bool:
        """Look at changes that no result asks for; False if nothing is known yet that does."""
        deeds = [deed for deed in deeds if not self._puts_right(deed.unit)]
        deeds = [deed for deed in deeds if not self._shows_itself(deed)]
        if not deeds or self._late_results.change(deeds, now):
            return True
        pending = self._case.mind.pending
        if pending is None:
            return self._alone(deeds, now)
        parts = self._runner.concerned(pending.action) | asked_about(self._case.mind.belief)
        self._wait([deed for deed in deeds if deed.unit in parts], now)
        others = tuple(deed.unit for deed in deeds if deed.unit not in parts)
        self._runner.results.unasked.note(others, now)
        return True

    def _puts_right(self, unit: str) -> bool:
        """Whether a unit is as before a change that nothing asked for: then that was none."""
        case, mind = self._case, self._case.mind
        about = (n for n in range(len(mind.entries) - 1, -1, -1) if unit in mind.entries[n].units)
        number = next(about, None)
        entry = None if number is None else mind.entries[number]
        if number is None or entry is None or entry.before is None or entry.units != (unit,):
            return False
        told = entry.status is Status.VIOLATION and entry.kind == "change"
        same = (entry.turn, entry.phase) == (mind.belief.turn, mind.belief.phase)
        if not told or not same or apart(entry.before, case.sights.units, unit):
            return False
        mind.entries[number] = replace(entry, status=Status.TAKEN_BACK)
        mind.belief = mind.belief.with_unit(entry.before.units[unit])
        return True

    def _shows_itself(self, deed: Deed) -> bool:
        """Whether a hidden unit of who has his go is shown to all, as it will be when it acts.

        How it looks nobody knew before.
        """
        case, mind = self._case, self._case.mind
        known, seen = mind.belief.units.get(deed.unit), deed.after
        if known is None or seen is None or known.seen_by is None or mind.pending is not None:
            return False
        shown = {right.of: other.value for right, other in seen.against(known)}
        if shown.get("seen_by", known) is not None or not shown.keys() <= {"seen_by", "facing"}:
            return False
        if not seen.at_place_of(known) or mind.belief.active != (known.side,):
            return False
        if mind.entries and deed.unit in mind.entries[-1].units:
            # It was made ready already: how it looks is a part of what it does.
            return False
        case.believe((deed.unit,))
        return True

    def was_owed(self, deeds: Sequence[Deed], books: Iterable[Item]) -> bool:
        """Whether units are marked now as they should have been before: then that was no action."""
        case, units = self._case, [deed.unit for deed in deeds]
        if any(deed.cells or deed.unit not in case.mind.late for deed in deeds):
            return False
        self._runner.results.late.carry_out(units)
        return not any(map(case.apart, units)) and not any(map(case.item_apart, books))

    def _alone(self, deeds: Sequence[Deed], now: Now) -> bool:
        case, deeds = self._case, self._with_waiting(deeds)
        self._close(True)
        mind = case.mind
        case.believe([deed.unit for deed in deeds if self._is_being_placed(deed.unit)])
        still = [deed for deed in deeds if case.apart(deed.unit)]
        if not still:
            return True
        try:
            readings = tuple(self._interpreter.read.readings(mind.belief, still))
            found = self._reading(mind.belief, still)
            unsaid = self._unspoken.before_one_of(readings) if found is None else None
            if found is None and unsaid is None and case.history.comes_of_violation:
                # What is asked only because of a violation nobody will answer.
                free = self._unspoken.freed(lambda p: self._reading(p, still) is not None)
                mind.belief = mind.belief if free is None else free
                found = None if free is None else self._reading(free, still)
        except RulesFailedError as error:
            told = "; ".join(line for deed in still for line in case.differences(deed.unit))
            self._runner.failed(told, error, now, now.step)
            case.believe(deed.unit for deed in still)
            return True
        if found is None and unsaid is None:
            unsaid = self._after_made_ready(still)
        if unsaid is not None:
            found, before = unsaid
            self._unspoken.do(before, now)
        if found is None:
            self._wait(still, now)
            return False
        self._close(False)
        for action in found:
            self._runner.begin(action, now, now.step, case.spoken(action))
        return True

    def _after_made_ready(
        self, deeds: Sequence[Deed]
    ) -> tuple[tuple[Action, ...], Sequence[Action]] | None:
        """What turns are once silence has made those ready who are due next, and that.

        Whoever is due next and turns is activated, though his token lies face down.
        """
        here, units = self._case.mind.belief, [deed.unit for deed in deeds]
        side = here.units[units[0]].side if units[0] in here.units else ""
        if not here.state or not side or not all(map(is_turned, deeds)):
            return None
        before = self._unspoken.made_ready(
            side, units, lambda at: self._reading(at, deeds) is not None
        )
        at = None if before is None else self._unspoken.after(here, before)
        found = None if at is None else self._reading(at, deeds)
        return None if found is None or before is None else (found, before)

    def _is_being_placed(self, unit: str) -> bool:
        """Whether a unit is placed in this phase, or was: its owner chooses how it lies there."""
        case, mind = self._case, self._case.mind
        known, kinds = mind.belief.units.get(unit), self._interpreter.placing(mind.belief)
        if known is None or not kinds:
            return False
        since = (e for e in reversed(mind.entries) if unit in e.units and e.path)
        last = next(since, None)
        here = (mind.belief.turn, mind.belief.phase)
        placed = last is not None and last.kind in kinds and (last.turn, last.phase) == here
        seen = case.sights.units.get(unit)
        return seen is not None and seen.at_place_of(known) and (placed or not known.cell)

    def _reading(self, position: Position, deeds: Sequence[Deed]) -> tuple[Action, ...] | None:
        """What changes may have been, if that is right."""
        readings = self._interpreter.read.readings(position, deeds)
        return next((one for one in readings if self._unspoken.is_legal(position, *one)), None)

    def deduce(self, deeds: Sequence[Deed], now: Now) -> None:
        """Nothing was said: they are a part of something whose dice are still to come, or wrong."""
        self._mark_as_acted(deed.unit for deed in deeds)
        still = [deed for deed in self._with_waiting(deeds) if self._case.apart(deed.unit)]
        if not still:
            return
        units = tuple(deed.unit for deed in still)
        if self._window.begun(still, now) or self._unspoken.roll(now, units):
            if self._case.mind.pending is not None:
                self.judge(still, now)
            return
        if self._unspoken.guesses.show_changes(units, now):
            return
        if self._dragged.takes_back_for(lambda at: not self._apart(at, units), units):
            self.deduce(still, now)
            return
        results = self._runner.results
        if self._unspoken.guesses.refuses_words():
            # What is done behind that is looked at by itself.
            self.deduce(still, now)
            return
        if self._comes_of_wrong(units):
            units = tuple(unit for unit in units if not self._comes_of_wrong((unit,)))
            self._case.believe(deed.unit for deed in still if deed.unit not in units)
            if not any(map(self._case.apart, units)):
                return
        if not self._unspoken.guesses.spoken.is_told_rightly() and self._wrong.shoot(units, now):
            return
        if self._attacks.hit(units):
            if not any(map(self._case.apart, units)):
                return
            if results.unasked.asking(units) is not None and self._window.carry_on(units, now):
                return
        if self._attacks.fewer.cost(units, now):
            return
        if results.unasked.asking(units) is not None:
            # A part of what is asked: the rest may come.
            self._wait(still, now)
            return
        if self._refused.begin(units, now):
            return
        # Dice that lie there may be for what a unit was turned up for.
        self._close(all(map(results.marks.is_revealed, units)))
        if self._may_go_back(units):
            self._case.mind.losses += tuple((deed, now) for deed in still)
        else:
            if results.unasked.is_result(units):
                self._unspoken.answer_rest(now)
            results.unasked.note(units, now)

    def _apart(self, at: Position, units: Sequence[str]) -> bool:
        return any(apart(at, self._case.sights.units, unit) for unit in units)

    def _comes_of_wrong(self, units: Sequence[str]) -> bool:
        """Whether units are shown so after something against the rules, done to them just now.

        Nobody knows what comes of that.
        """
        mind = self._case.mind
        last = mind.entries[-1] if mind.entries else None
        if last is None or last.status is not Status.VIOLATION or last.path or last.result:
            return False
        if last.kind not in self._case.rules.game.actions or not last.dice:
            return False
        aims, known = {*named(self._case.action_of(last))}, mind.belief.units
        return all(unit in aims or known[unit].cell in aims for unit in units if unit in known)

    def _may_go_back(self, units: Sequence[str]) -> bool:
        """Whether units lost steps after dice for what was only guessed: a retreat may follow.

        Who goes back through a zone of others loses a step by that: some take it off first.
        """
        mind = self._case.mind
        rolled = None if mind.rolled is None else mind.rolled.entry
        if mind.guess is None or rolled not in mind.unsaid or mind.tray:
            return False
        entry = mind.entries[rolled]
        if (entry.turn, entry.phase) != (mind.belief.turn, mind.belief.phase):
            return False
        known, shown = mind.belief.units, self._case.sights.units
        return all(
            unit in known
            and unit in shown
            and [right.of for right, _ in shown[unit].against(known[unit])] == ["steps"]
            and shown[unit].at_place_of(known[unit])
            for unit in units
        )

    def tell_losses(self) -> None:
        """Something else begins: who lost steps, and did not go back, lost them for nothing."""
        mind = self._case.mind
        losses, mind.losses = mind.losses, ()
        for deed, now in losses:
            if self._case.apart(deed.unit):
                self._runner.results.unasked.note((deed.unit,), now)

    def _mark_as_acted(self, units: Iterable[str]) -> None:
        """Whoever acted against the rules is marked as one who has acted: that belongs to it."""
        case, cause = self._case, self._case.history.last_violation
        marks = self._runner.results.marks
        if cause is not None and case.mind.belief.active == (cause.side,):
            # By the rules he has his go still: then it may be what he does with it.
            return
        own = [u for u in units if cause is not None and u in cause.units and case.apart(u)]
        case.believe([unit for unit in own if marks.is_only_marked(unit)])

    # Until the dice are there

    def _wait(self, deeds: Iterable[Deed], now: Now) -> None:
        self._case.mind.waiting += tuple((deed, now) for deed in deeds)

    def _with_waiting(self, deeds: Sequence[Deed]) -> list[Deed]:
        """Deeds, with those before them that may be parts of the same."""
        case, mind = self._case, self._case.mind
        waiting, mind.waiting = mind.waiting, ()
        all_of_them = {deed.unit: deed for deed, _ in waiting if case.apart(deed.unit)}
        for deed in deeds:
            first = all_of_them.get(deed.unit, deed)
            all_of_them[deed.unit] = replace(deed, before=first.before)
        return list(all_of_them.values())

    def seen_before_dice(self) -> tuple[tuple[Deed, Now], ...]:
        """What waited for dice that are there now, and is none of their results; waits no more."""
        case, mind = self._case, self._case.mind
        waiting, mind.waiting = mind.waiting, ()
        return tuple(
            (deed, now)
            for deed, now in waiting
            if case.apart(deed.unit) and deed.unit not in mind.owed
        )

    def without_parts(self, waiting: Sequence[tuple[Deed, Now]]) -> tuple[tuple[Deed, Now], ...]:
        """What waits, but for parts of a result of which no more comes: those are told."""
        unasked = self._runner.results.unasked
        left: list[tuple[Deed, Now]] = []
        for deed, now in waiting:
            if self._case.apart(deed.unit) and unasked.asking((deed.unit,)) is not None:
                unasked.note((deed.unit,), now)
            else:
                left.append((deed, now))
        return tuple(left)

    def give_up_waiting(self) -> None:
        """What was waited for was not done: so it was for nothing."""
        for deed, now in self.seen_before_dice():
            self._runner.results.unasked.note((deed.unit,), now)
