"""The turn tracker: the rules follow it phase by phase, and say where it goes wrong."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.mind import Otherwise
from hexmarshal.referee.check.findings import Certainty, Status
from hexmarshal.referee.drags.drag_actions import named
from hexmarshal.referee.drags.drag_run import Now
from hexmarshal.referee.interpret.words import side_title, the_phase
from hexmarshal.referee.judge.action_runner import NO_DICE
from hexmarshal.referee.results.left_undone import LeftUndone
from hexmarshal.rules.action import Action
from hexmarshal.rules.frames.frame import settled
from hexmarshal.rules.verdict import Verdict

if TYPE_CHECKING:
    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.judge.action_runner import ActionRunner
    from hexmarshal.referee.silence.silent_decisions import SilentDecisions
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.reading.turn_tracker import Moment, Tracker

__all__ = ["PhaseFollower"]

# A tracker that goes on further than this has not just ended phases.
_MOST_PHASES: Final = 40
# So many of whom something is left to be done are named, found among so many things to do.
_FEW, _OFFERS = 8, 200


class PhaseFollower:
    """Ends phases by the rules until they are as far as the tracker."""

    def __init__(
        self, case: Case, runner: ActionRunner, tracker: Tracker, silent: SilentDecisions
    ) -> None:
        self._case = case
        self._runner = runner
        self._silent = silent
        self._tracker = tracker
        self._advance = tracker.rule.advance
        self._sure = True
        # What may be done at any time, nobody waits for.
        actions = case.rules.game.actions.values()
        self._asked = tuple(kind.name for kind in actions if not kind.anytime)

    def waits(self, position: Position) -> bool:
        """Whether something is asked that silence does not answer: players may do it late."""
        if not position.state or self._case.history.comes_of_violation:
            return False
        return self._silent.answer(position) is None

    def is_early(self, before: Moment | None, moment: Moment, now: Now) -> bool:
        """Whether the rules could follow only by dice that nobody has rolled yet."""
        case, kept = self._case, self._case.mind
        case.mind = kept.copy()
        try:
            self.follow(before, moment, now)
            return any(e.result == NO_DICE for e in case.mind.entries[len(kept.entries) :])
        finally:
            case.mind = kept

    def has_reached(self, moment: Moment) -> bool:
        """Whether the rules are as far as the tracker."""
        return self.is_at(self._case.mind.belief, moment)

    def is_at(self, position: Position, moment: Moment) -> bool:
        """Whether a position is as far as the tracker."""
        return self._tracker.order_of(position) >= moment.order

    def follow(self, before: Moment | None, moment: Moment, now: Now, *, sure: bool = True) -> None:
        """End phases until the rules are as far as the tracker; a phase they skip does no harm."""
        self._sure = sure
        mind, order_of = self._case.mind, self._tracker.order_of
        start, passed, last = mind.belief, [], len(mind.entries)
        for _ in range(_MOST_PHASES):
            here = mind.belief
            if order_of(here) >= moment.order:
                break
            if not here.state and not _is_same(start, here):
                passed.append(here)
            if not self.end_phase(now):
                break
        reached = order_of(mind.belief)
        backwards = before is not None and before.known and moment.order < before.order
        others = [p for p in passed if p.active not in (start.active, mind.belief.active)]
        if start.active == mind.belief.active:
            others = [p for p in passed if p.active != start.active]
        if reached < moment.order and mind.belief.state and self._case.history.comes_of_violation:
            self._obey(moment, now)
        elif (
            reached < moment.order
            and moment.phase
            and not backwards
            and self._ends_by_itself(mind.belief)
        ):
            self._set(moment)
            if now.step == mind.step:
                # What such a phase does, the rules have not done: the table shows it.
                self._case.believe_piles()
        elif backwards or reached < moment.order:
            # Where the rules cannot end a phase, something in it was not done, or not understood;
            # and who puts the tracker back may only mend what he did by mistake.
            self._sure = False
            self._wrong_turn(moment, mind.belief, start, now)
            if moment.phase:
                self._set(moment)
        elif others:
            # Who has broken a rule in this phase may have had his go with that, or not.
            self._sure = self._sure and not self._was_broken_in(start)
            self._wrong_turn(moment, others[0], start, now)
        went_on = (mind.belief.turn, mind.belief.phase) != (start.turn, start.phase)
        if went_on and moment.phase and _still_asked(start, mind.belief):
            # What was asked in a phase that is over, nobody will answer.
            self._set(moment)
        if went_on:
            self._runner.certainty.doubt_before_tracker(last)

    def _was_broken_in(self, phase: Position) -> bool:
        """Whether a rule was broken in a phase."""
        return any(
            entry.status is Status.VIOLATION
            and (entry.turn, entry.phase) == (phase.turn, phase.phase)
            for entry in self._case.mind.entries
        )

    def _ends_by_itself(self, here: Position) -> bool:
        """Whether nothing is asked in a phase, and no action ends it: so it is over."""
        return not here.state and self._advance not in self._case.rules.game.actions

    def end_phase(self, now: Now) -> bool:
        """Whether the phase could be ended, rightly or not."""
        mind = self._case.mind
        here = mind.belief
        if not here.active:
            return False
        # Not every game has an action that ends a phase: some end with their last decision.
        ends = self._advance in self._case.rules.game.actions
        action = Action(self._advance, here.active[0])
        if not ends or not self._may(here, action):
            unsaid = self._silent.answer(here)
            if unsaid is None and not ends:
                unsaid = self._silent.unused(here)
            if unsaid is not None and self._may(here, unsaid):
                # What was still to be decided, players who go on have decided in silence.
                what = self._case.in_silence(unsaid)
                self._runner.begin(unsaid, now, now.step, what, unsaid=True, assume=True)
                self._runner.results.redraw()
                return mind.belief is not here and mind.pending is None
            if unsaid is not None and not ends and self._is_left_out(here, unsaid):
                # Who goes on says so too, and it is wrong by its own rule.
                what = self._case.spoken(unsaid)
                by = now if now.side == unsaid.side else Now(now.step, "", unsaid.side)
                self._runner.begin(unsaid, by, now.step, what, sure=False)
                mind.forks.pop(Otherwise.NOT_DONE, None)
                return mind.belief is not here and mind.pending is None
            if not ends or (here.state and self._case.history.comes_of_violation):
                # What is still asked for belongs to what was done wrongly: no fault by itself.
                return False
        what = f"ends {the_phase(self._case.rules.game, here.phase)}"
        known = self._left_undone(here, action)
        self._runner.begin(
            Action(self._advance, mind.belief.active[0]),
            now,
            now.step,
            what,
            known=known,
            ends_phase=True,
            sure=self._sure,
        )
        # The tracker has gone on, rightly or not: it cannot turn out not to have happened.
        mind.forks.pop(Otherwise.NOT_DONE, None)
        return mind.belief is not here and mind.pending is None

    def _is_left_out(self, position: Position, action: Action) -> bool:
        """Whether it is the time to do no more, and something else is wrong with it."""
        try:
            broken = self._case.rules.check(position, action).violations
        except HexMarshalError:
            return False
        rule = self._case.rules.game.turn_rule
        return not action.params and all(violation.rule != rule for violation in broken)

    def _left_undone(self, here: Position, action: Action) -> Verdict | None:
        """What is wrong with going on although something is asked, which nobody answers now."""
        case, rule = self._case, self._case.rules.game.turn_rule
        free = case.released() if here.state and not self._may(here, action) else None
        if free is None:
            return None
        try:
            others = case.rules.check(free, Action(self._advance, free.active[0])).violations
        except HexMarshalError:
            return None
        if any(violation.rule == rule for violation in others):
            return None
        told = LeftUndone(case, self._runner.results).tell("the phase ends")
        case.mind.belief = free
        return Verdict(others if told else (case.still_asked(here, "the phase ends"), *others))

    def _may(self, position: Position, action: Action) -> bool:
        try:
            return self._case.rules.check(position, action).legal
        except HexMarshalError:
            return False

    def _wrong_turn(self, moment: Moment, due: Position, start: Position, now: Now) -> None:
        case = self._case
        text = f"the tracker goes from {self._words(start)} to {moment.text}"
        if moment.turn is not None:
            text += f" of turn {moment.turn}"
        rule, ends = case.rules.game.turn_rule, self._advance in case.rules.game.actions
        right, goes_on = self._words(due), moment.order > self._tracker.order_of(due)
        units = self._units_left(due) if goes_on else ()
        broken = case.placed(rule, f"{text}, and {right} comes before that")
        if units:
            broken = replace(case.still_asked(due, text), units=units)
            right += f": {case.asked_for(due)}, {', '.join(units)}"
        case.add(
            replace(
                case.entry(now, now.step, text, "turn", Status.VIOLATION),
                violations=(broken,),
                units=units,
                # Where decisions end a phase, they may have been made without a trace.
                certainty=case.sure() if self._sure and ends else Certainty.LIKELY,
                right=right,
                before=start,
            )
        )

    def _units_left(self, due: Position) -> tuple[str, ...]:
        """The units of which something is still to be done, if that cannot be left out."""
        found = dict[str, None]()
        for side in due.active if due.state else ():
            try:
                offers = self._case.rules.offers(due, side, self._asked)
                actions = [offer.action for offer in islice(offers, _OFFERS)]
            except HexMarshalError:
                continue
            names = (name for action in actions for name in named(action))
            found.update(dict.fromkeys(n for n in names if n in due.units))
        return (*found,) if len(found) <= _FEW else ()

    def _words(self, position: Position) -> str:
        game = self._case.rules.game
        sides = " and ".join(side_title(game, side) for side in position.active)
        where = f"turn {position.turn}, {the_phase(game, position.phase)}"
        return f"{where} ({sides})" if sides and not position.state else where

    def _obey(self, moment: Moment, now: Now) -> None:
        """The players have gone on: so do the rules, and say what they skip."""
        case, here = self._case, self._case.mind.belief
        undone = LeftUndone(case, self._runner.results)
        if undone.is_due():
            undone.tell("the phase ends")
        elif not case.history.comes_of_wrong_result:
            undone.remember()
            text = f"the tracker goes on to {moment.text}"
            entry = case.entry(now, now.step, text, "turn", Status.UNKNOWN)
            case.unknown(entry, f"not judged: {case.asked_for(here)}, which was still asked for")
        # As little as may be of what was asked is left out, so that phases end as they do.
        ways = (settled(here, here.frames[:left]) for left in range(len(here.frames) - 1, 0, -1))
        free = next((way for way in ways if self._on_trial(way, moment, now)), None)
        if free is None and moment.phase:
            self._set(moment)
            return
        # Where there is no phase to the rules, they are in the next one.
        case.mind.belief = free or case.released() or settled(here, ())
        self._go_on(moment, now)

    def _on_trial(self, start: Position, moment: Moment, now: Now) -> bool:
        """Whether the rules come to where the tracker is from there, without a fault."""
        case, kept = self._case, self._case.mind
        case.mind = kept.copy()
        case.mind.belief = start
        try:
            self._go_on(moment, now)
            new = case.mind.entries[len(kept.entries) :]
            right = all(one.status is not Status.VIOLATION for one in new)
            return right and self._tracker.order_of(case.mind.belief) >= moment.order
        finally:
            case.mind = kept

    def _go_on(self, moment: Moment, now: Now) -> None:
        """End phases until the rules are as far as the tracker, if they can."""
        for _ in range(_MOST_PHASES):
            far = self._tracker.order_of(self._case.mind.belief)
            if far >= moment.order or not self.end_phase(now):
                break

    def _set(self, moment: Moment) -> None:
        mind = self._case.mind
        begun = replace(
            mind.belief,
            turn=mind.belief.turn if moment.turn is None else moment.turn,
            phase=moment.phase,
            state="",
            frames=(),
            active=moment.active or mind.belief.active,
        )
        mind.belief = self._case.rules.opened(begun)


def _still_asked(start: Position, here: Position) -> bool:
    """Whether something is asked that was asked in an earlier phase already."""
    if not here.state:
        return False
    return here.state == start.state or any(frame in start.frames for frame in here.frames)


def _is_same(start: Position, here: Position) -> bool:
    """Whether it is still the phase of the start, which the next side may have passed in too."""
    return (start.turn, start.phase) == (here.turn, here.phase)
