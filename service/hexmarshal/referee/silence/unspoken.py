"""What was done without a word before something that is right only after it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.mind import Fork, Otherwise
from hexmarshal.referee.case.table_comparison import apart, believing, last_asked
from hexmarshal.referee.drags.drag_actions import named
from hexmarshal.referee.interpret.log_dice import LogDice
from hexmarshal.referee.interpret.rules_calls import RulesFailedError
from hexmarshal.referee.results.left_undone import LeftUndone
from hexmarshal.referee.silence.guesses import Guesses
from hexmarshal.rules.frames.frame import settled

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.drags.drag_run import Now
    from hexmarshal.referee.interpret.deed import Deed
    from hexmarshal.referee.interpret.interpreter import Interpreter
    from hexmarshal.referee.judge.action_runner import ActionRunner
    from hexmarshal.referee.silence.silent_decisions import SilentDecisions
    from hexmarshal.referee.silence.unsaid_actions import UnsaidActions
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.verdict import Verdict

__all__ = ["Unspoken"]

# So many questions in a row are answered by silence before a result is what the table shows.
_MOST_ANSWERS: Final = 4


class Unspoken:
    """Finds what players did in silence, and does it by the rules."""

    def __init__(
        self,
        case: Case,
        runner: ActionRunner,
        interpreter: Interpreter,
        silent: SilentDecisions,
        traceless: UnsaidActions | None,
    ) -> None:
        """`traceless` is for games in which the table does not tell enough."""
        self._case, self._runner, self._interpreter = case, runner, interpreter
        self._silent = silent
        self.guesses = Guesses(case, runner, silent, traceless, self)

    # Whether something is right

    def is_legal(self, position: Position, *reading: Action) -> bool:
        """Whether actions are right, one after the other."""
        try:
            return self._interpreter.verdict(position, reading, self._case.mind.tray).legal
        except RulesFailedError:
            return False

    def explains(self, position: Position, deeds: Sequence[Deed]) -> bool:
        """Whether a drag is right."""
        try:
            judged = self._interpreter.judged(position, deeds, self._case.mind.tray)
        except RulesFailedError:
            return False
        return judged is not None and judged.verdict.legal

    def is_announced_in_time(self, position: Position, action: Action) -> bool:
        """Whether nothing is wrong with when it was announced."""
        try:
            return self.is_asked(self._case.rules.check(position, action))
        except HexMarshalError:
            return False

    def is_dragged_in_time(self, position: Position, deeds: Sequence[Deed]) -> bool:
        """Whether nothing is wrong with when units were dragged."""
        try:
            judged = self._interpreter.judged(position, deeds, self._case.mind.tray)
        except RulesFailedError:
            return False
        return judged is not None and self.is_asked(judged.verdict)

    def is_asked(self, verdict: Verdict) -> bool:
        """Whether nothing is wrong with the time; something else may be."""
        turn = self._case.rules.game.turn_rule
        return all(violation.rule != turn for violation in verdict.violations)

    def is_unlikely(self, action: Action) -> bool:
        """Whether these players would have announced it, or shown it by a marker."""
        return self._case.habits.is_always_said(action) or self.still_acts(action)

    def still_acts(self, action: Action) -> bool:
        """Whether it is a pass, and the marker for whose go it is tells otherwise."""
        return self._silent.still_acts(action) or self._acts_on(action)

    def _acts_on(self, action: Action) -> bool:
        """Whether it is a pass of others who were not given the marker for whose go it is."""
        acts = self._case.acts_on
        return bool(acts) and self._silent.is_pass(action) and action.side != acts

    # What came before it

    def before(self, action: Action, at: Position | None = None) -> Sequence[Action] | None:
        """What was decided in silence, if that makes it right."""
        found = self._until(action, at)
        if found and (any(map(self._acts_on, found)) or self._opens(found, action, at)):
            return None
        return found

    def _opens(self, found: Sequence[Action], action: Action, at: Position | None) -> bool:
        """Whether somebody would be revealed whose token lies face down, and not who acts now."""
        here = self._case.mind.belief
        names = [name for name in named(action) if name in here.units]
        return (at is None or at is here) and self.guesses.opens(found, names)

    def is_right_but_for_marker(self, action: Action) -> bool:
        """Whether it is right after passes that the marker for whose go it is does not show.

        Or after tokens were revealed that lie face down.
        """
        acts = bool(self._case.acts_on)
        found = self._until(action) if acts or self.guesses.by_things else None
        return found is not None and (acts or self._opens(found, action, None))

    def _until(self, action: Action, at: Position | None = None) -> Sequence[Action] | None:
        mind = self._case.mind
        here = mind.belief if at is None else at
        names = [name for name in named(action) if name in here.units]
        units = [name for name in names if here.units[name].side == action.side]
        return self._silent.until(
            here, action.side, lambda p: self.is_legal(p, action), mind.tray, units
        )

    def before_one_of(
        self, readings: Iterable[tuple[Action, ...]]
    ) -> tuple[tuple[Action, ...], Sequence[Action]] | None:
        """The first of these actions that is right after decisions in silence, and those."""
        for reading in readings:
            unsaid = self.before(reading[0]) if len(reading) == 1 else None
            if unsaid is not None:
                return reading, unsaid
        return None

    def made_ready(
        self, side: str, units: Sequence[str], is_right: Callable[[Position], bool]
    ) -> Sequence[Action] | None:
        """What turns up the tokens of units of a side, and no others, before something is right."""
        mind = self._case.mind
        if not self.guesses.by_things:
            return None
        found = self._silent.until(mind.belief, side, is_right, mind.tray, units)
        return None if found is None or self.guesses.opens(found, units) else found

    def shows_ready(self, deed: Deed) -> bool:
        """Whether a unit is shown as its side leaves it that makes it ready, if it has its go."""
        here, unit, shown = self._case.mind.belief, deed.unit, deed.after
        if unit not in here.units or shown is None:
            return False
        side = here.units[unit].side
        own = replace(here, active=(side,))
        ready = self._silent.ready(own, side, (unit,))
        left = (self._silent.after(own, action) for action in ready)
        return any(at is not None and not apart(at, {unit: shown}, unit) for at in left)

    def after(self, here: Position, done: Iterable[Action]) -> Position | None:
        """What comes of decisions in silence; None if they cannot be made."""
        at: Position | None = here
        for action in done:
            at = None if at is None else self._silent.after(at, action, self._case.mind.tray)
        return at

    def is_right_soon(self, position: Position, action: Action) -> bool:
        """Whether it is right, perhaps after what was decided in silence."""
        return self.is_legal(position, action) or self.before(action, position) is not None

    def look_before(self, action: Action, now: Now) -> None:
        """Look for what left no trace, and makes it right, or at least the time for it."""
        about = (*named(action),)
        if self.guesses.before(lambda p: self.is_legal(p, action), about, now):
            return
        in_time = partial(self.is_announced_in_time, action=action)
        if self.leave_undone(lambda p: self.is_legal(p, action)):
            return
        if in_time(self._case.mind.belief) or not self.guesses.in_time_after(in_time, about, now):
            self.leave_behind(action.side, in_time)

    def wrong_in_time(self, action: Action) -> Verdict | None:
        """What is wrong with it besides the time, if silence ends what is asked before it.

        Whoever announces another attack does not advance any more; but silence ends no phase.
        """
        mind = self._case.mind
        here = (mind.belief.turn, mind.belief.phase)
        at: Position | None = mind.belief
        in_time = partial(self.is_announced_in_time, action=action)
        if not mind.belief.state or in_time(mind.belief):
            return None
        for _ in range(_MOST_ANSWERS):
            unsaid = None if at is None or not at.state else self._silent.answer(at)
            if at is None or unsaid is None:
                return None
            at = self._silent.after(at, unsaid, mind.tray)
            if at is None or (at.turn, at.phase) != here:
                return None
            if in_time(at):
                verdict = self._case.rules.check(at, action)
                return None if verdict.legal else verdict
        return None

    def leave_undone(self, is_right: Callable[[Position], bool]) -> bool:
        """Whether something is right but for what is still asked: then that is told, and left."""
        undone = LeftUndone(self._case, self._runner.results)
        free = undone.without()
        if free is None or not is_right(free):
            return False
        undone.tell("the game goes on")
        self._case.mind.belief = free
        return True

    def do(self, unsaid: Iterable[Action], now: Now) -> None:
        """Carry out what was decided in silence."""
        mind = self._case.mind
        for action in unsaid:
            before = mind.belief
            any_dice = self._silent.is_decided_by_any_dice(before, action)
            what = self._case.in_silence(action)
            self._runner.begin(action, now, now.step, what, unsaid=True, assume=any_dice)
            mind.belief = self._silent.unharmed(before, action, mind.belief)

    def roll(self, now: Now, units: Collection[str] = ()) -> bool:
        """Go on with what is asked, if silence answers it and dice are rolled then.

        Where `units` were changed, it has to be about one of them.
        """
        mind = self._case.mind
        unsaid = self._silent.answer(mind.belief)
        if unsaid is None or not self._silent.rolls(mind.belief, unsaid, mind.tray):
            return False
        if units and not self._runner.concerned(unsaid) & {*units}:
            return False
        before = mind.copy()
        before.anchor = None
        self.do((unsaid,), now)
        self._case.mind.forks[Otherwise.NOT_SILENCE] = Fork(before)
        return True

    def answer_rest(self, now: Now) -> None:
        """Dice were rolled, and silence answers what is asked until it is known what comes of them.

        Whether somebody rolls again.
        """
        mind = self._case.mind
        rolled = None if mind.rolled is None else mind.rolled.entry
        for _ in range(_MOST_ANSWERS):
            if rolled is None or any(entry.result for entry in mind.entries[rolled:]):
                return
            unsaid = self._silent.answer(mind.belief) if mind.belief.state else None
            if unsaid is None or not self.is_legal(mind.belief, unsaid):
                return
            self.do((unsaid,), now)

    def let_go_on(self, now: Now) -> None:
        """What is owed may come of what is still asked: silence answers that, if it does."""
        case, kept = self._case, self._case.mind
        if not kept.belief.state or not self._is_owed(kept.owed):
            return
        case.mind = kept.copy()
        for _ in range(_MOST_ANSWERS):
            unsaid = self._silent.answer(case.mind.belief)
            if unsaid is None or not self.is_legal(case.mind.belief, unsaid):
                break
            self.do((unsaid,), now)
            if case.mind.pending is not None:
                break
            if not self._is_owed(kept.owed):
                return
        case.mind = kept

    def let_go_on_to(self, action: Action, now: Now) -> None:
        """The same where something is right already, if it is right then as well.

        Who moves lies where he is when others fire at him.
        """
        case, kept = self._case, self._case.mind
        case.mind = kept.copy()
        self.let_go_on(now)
        if not self.is_legal(case.mind.belief, action):
            case.mind = kept

    def _is_owed(self, units: Iterable[str]) -> bool:
        reminded = self._runner.results.marks.is_only_reminded
        return any(self._case.apart(unit) and not reminded(unit) for unit in units)

    def ask_again(self, is_right: Callable[[Position], bool]) -> None:
        """What was taken for a wrong answer was none, if what follows is right only then."""
        mind = self._case.mind
        fork = self._case.fork(Otherwise.NO_ANSWER)
        if fork is not None and is_right(fork.before.belief) and not is_right(mind.belief):
            mind.belief = fork.before.belief

    def leave_behind(self, side: str, is_right: Callable[[Position], bool]) -> None:
        """What is asked only because of a violation nobody will answer, if others go on."""
        case, mind = self._case, self._case.mind
        free = case.released() if case.history.comes_of_violation else None
        if free is not None and (side not in mind.belief.active or is_right(free)):
            mind.belief = free
        elif case.history.comes_of_violation:
            mind.belief = self.freed(is_right) or self._placed(side) or mind.belief

    def go_on_from_placing(self, dragged: Iterable[str]) -> None:
        """Others are dragged: whoever was placed wrongly before that has been placed."""
        if not self._silent.ends_phases or not self._case.history.comes_of_violation:
            return
        units = self._case.mind.belief.units
        for side in dict.fromkeys(units[unit].side for unit in dragged if unit in units):
            self._case.mind.belief = self._placed(side) or self._case.mind.belief

    def _placed(self, side: str) -> Position | None:
        """As if who was placed wrongly last had been placed rightly, if others go on then.

        It lies where it lies: where no tracker tells that they do, nobody else would ever act.
        """
        case, here = self._case, self._case.mind.belief
        entry = case.history.last_violation
        if not self._silent.ends_phases or side in here.active or entry is None or not entry.path:
            return None
        was = () if entry.before is None else (entry.before.units.get(u) for u in entry.units)
        there = here.with_unit(*(unit for unit in was if unit is not None))
        try:
            for offer in case.rules.offers(there, entry.side, (entry.kind,)):
                if not {*entry.units} <= {*named(offer.action)}:
                    continue
                after = case.rules.apply(there, offer.action, LogDice(())).position
                found = believing(after, case.sights.units, entry.units)
                return found if side in found.active else None
        except HexMarshalError:
            return None
        return None

    def freed(self, is_right: Callable[[Position], bool]) -> Position | None:
        """Without the last of what is asked, if something is right then."""
        belief = self._case.mind.belief
        for left in range(len(belief.frames) - 1, -1, -1):
            free = settled(belief, belief.frames[:left])
            if is_right(free):
                return free
        return None

    def let_pass(self, side: str, is_right: Callable[[Position], bool], now: Now) -> None:
        """Whoever acts has passed, if it is only then that others do something in time."""
        belief = self._case.mind.belief
        passed = self._silent.passes(belief, side) if side else None
        if passed is None or self.is_unlikely(passed):
            return
        after = self._silent.after(belief, passed)
        if after is None or (after.turn, after.phase) != (belief.turn, belief.phase):
            return
        if is_right(after) and not is_right(belief):
            self.do((passed,), replace(now, side=passed.side))

    def let_end(
        self, about: Collection[str], in_time: Callable[[Position], bool], now: Now
    ) -> None:
        """Silence ends what is asked about others, if it is the time for something then.

        Who goes elsewhere than to the hex that was fought for does not advance, but moves.
        """
        here = self._case.mind.belief
        asked = last_asked(here)
        unsaid: list[Action] = []
        if not asked or not asked.isdisjoint(about):
            return
        at: Position | None = here
        for _ in range(_MOST_ANSWERS):
            answer = None if at is None or not at.state else self._silent.answer(at)
            if at is None or answer is None:
                return
            at = self._silent.after(at, answer)
            unsaid.append(answer)
            if at is None or (at.turn, at.phase) != (here.turn, here.phase):
                return
            if not (at.state and last_asked(at)) and in_time(at):
                self.do(unsaid, now)
                return
