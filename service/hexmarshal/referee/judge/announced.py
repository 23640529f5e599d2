"""What players announce: whether it was done already, and the dice that lie there for it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.mind import Fork, Otherwise
from hexmarshal.referee.case.table_comparison import apart, changed
from hexmarshal.referee.check.findings import Certainty, Status
from hexmarshal.referee.drags.drag_actions import named
from hexmarshal.referee.interpret.left_out import LeftOut
from hexmarshal.referee.interpret.log_dice import LogDice
from hexmarshal.rules.action import ParamType
from hexmarshal.rules.codec import RECORD
from hexmarshal.rules.values import thaw

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.drags.drag_run import Now
    from hexmarshal.referee.judge.action_runner import ActionRunner
    from hexmarshal.referee.silence.silent_decisions import SilentDecisions
    from hexmarshal.referee.silence.unspoken import Unspoken
    from hexmarshal.rules.action import Action

__all__ = ["Announced"]


class Announced:
    """Sees an announcement beside what was thought to be done in silence, and beside its dice."""

    def __init__(
        self,
        case: Case,
        runner: ActionRunner,
        silent: SilentDecisions,
        unspoken: Unspoken,
        drags: Collection[str],
    ) -> None:
        """`drags` are the kinds that dragging can be."""
        self._case, self._runner, self._drags = case, runner, drags
        self._silent, self._unspoken = silent, unspoken
        self._left_out = LeftOut(case.rules)

    def completed(self, action: Action) -> Action:
        """What was announced, with what was left out filled in if less is wrong then."""
        return self._left_out.filled_in(self._case.mind.belief, action)

    def is_no_more(self, action: Action) -> bool:
        """Whether a side says that it does no more of what it is asked for."""
        belief = self._case.mind.belief
        if action.params or not belief.state or action.side not in belief.active:
            return False
        return self._case.rules.silence(belief, action.side) == action

    def correct(self, action: Action) -> None:
        """Whoever says something again otherwise, before anything came of it, meant only that."""
        case, mind = self._case, self._case.mind
        spoken = (n for n in range(len(mind.entries) - 1, -1, -1) if n not in mind.unsaid)
        number = next(spoken, None)
        if mind.tray or number is None or self._unspoken.is_legal(mind.belief, action):
            return
        entry, since = mind.entries[number], mind.entries[number:]
        then = entry.before
        if then is None or (entry.kind, entry.side) != (action.kind, action.side) or entry.path:
            return
        if entry.status is not Status.LEGAL or any(one.dice for one in since):
            return
        said = case.rules.game.actions.decode(thaw(entry.action))
        if said == action or {*named(said)}.isdisjoint(named(action)):
            return
        shown = case.sights.units
        untouched = not any(apart(then, shown, unit) for unit in changed(then, mind.belief))
        # Nor is anything laid for it, or paid.
        untouched = untouched and not any(case.books.changed(then, mind.belief))
        if untouched and self._unspoken.is_legal(then, action):
            if mind.pending is not None and mind.pending.entry >= number:
                mind.pending = None
            for one in range(number, len(mind.entries)):
                self._runner.results.forgive(one)
            taken = (replace(one, status=Status.TAKEN_BACK) for one in since)
            mind.entries[number:] = taken
            mind.belief = then

    def was_taken_for_done(self, action: Action, now: Now) -> bool:
        """Whether it only says what was filled in for him who says it now, in some way."""
        return (
            self._was_meant(action, now)
            or self._was_before_dice(action, now)
            or self._was_said_later(action, now)
        )

    def _was_meant(self, action: Action, now: Now) -> bool:
        """Whether it says what was taken for done in silence just before.

        Players who decide at the same time speak in any order: where it is not asked for now, it
        may be what was filled in for the one who spoke first.
        """
        mind = self._case.mind
        if self._is_owed(action):
            return True
        meant, last = RECORD.decode(action.to_json()), len(mind.entries) - 1
        for number in range(last, -1, -1):
            entry = mind.entries[number]
            if number != last and (
                entry.kind != action.kind or self._unspoken.is_legal(mind.belief, action)
            ):
                return False
            if number in mind.unsaid and entry.action == meant:
                mind.unsaid -= {number}
                step = max(now.step, entry.last)
                mind.entries[number] = replace(entry, what=self._case.spoken(action), last=step)
                return True
        return False

    def _is_owed(self, action: Action) -> bool:
        """Whether it names those who have to be dragged by what was done, and where to."""
        known, shown = self._case.mind.belief.units, self._case.sights.units
        names = {*named(action)}
        own = [known[name] for name in names & known.keys()]
        return (
            action.kind in self._drags
            and bool(own)
            and names == {one.id for one in own} | {one.cell for one in own}
            and all(one.id in shown and not shown[one.id].at_place_of(one) for one in own)
            and not self._unspoken.is_legal(self._case.mind.belief, action)
        )

    def _was_before_dice(self, action: Action, now: Now) -> bool:
        """Whether it answers what silence answered when the dice were rolled; then it has.

        Who rolls first and says then with what he supports, meant it before he rolled.
        """
        case, mind = self._case, self._case.mind
        fork, rolled = mind.forks.get(Otherwise.NOT_SILENCE), mind.rolled
        if fork is None or rolled is None or not case.history.follows_assumption:
            return False
        then = fork.before.belief
        if rolled.entry != len(fork.before.entries) or not then.state:
            return False
        is_legal = self._unspoken.is_legal
        if is_legal(mind.belief, action) or not is_legal(then, action):
            return False
        left = mind.tray
        case.mind = case.since(fork.before)
        case.mind.tray = (*rolled.throws, *left)
        self._runner.begin(action, now, now.step, case.spoken(action))
        case.mind.said += (action.kind,)
        return True

    def note(self, action: Action, in_words: Sequence[Action] | None, now: Now) -> None:
        """It was announced, or somebody meant it by his words, with these answers of others.

        What he meant is not certain.
        """
        case, mind = self._case, self._case.mind
        if in_words is None:
            mind.said += (action.kind,)
            return
        mind.guessed = True
        if mind.entries[-1].status is Status.LEGAL:
            mind.entries[-1] = replace(mind.entries[-1], certainty=Certainty.LIKELY)
        for answer in in_words:
            if self._unspoken.is_legal(case.mind.belief, answer):
                by, what = replace(now, player="", side=answer.side), case.in_silence(answer)
                self._runner.begin(answer, by, now.step, what, unsaid=True)

    def fill_in(self, unsaid: Sequence[Action], action: Action, now: Now) -> None:
        """Do what was left unsaid before an announcement; others may still say it otherwise."""
        case, before = self._case, self._case.mind.copy()
        self._unspoken.do(unsaid, now)
        if unsaid:
            again = partial(self._say_again, action, now)
            case.mind.forks[Otherwise.SAID_LATER] = Fork(before, again=again)

    def _was_said_later(self, action: Action, now: Now) -> bool:
        """Whether a side says now what silence was taken to say for it; then that was never so.

        Players who decide at the same time speak in any order, and of more than silence means.
        """
        case, mind = self._case, self._case.mind
        fork = mind.forks.get(Otherwise.SAID_LATER)
        if fork is None or self._unspoken.is_legal(mind.belief, action):
            return False
        first = len(fork.before.entries)
        since = mind.entries[first:]
        filled_in = any(
            (entry.kind, entry.side) == (action.kind, action.side) and number in mind.unsaid
            for number, entry in enumerate(since, first)
        )
        if not filled_in or any(entry.dice for entry in since):
            return False
        case.mind = case.since(fork.before)
        is_right = self._unspoken.is_legal(case.mind.belief, action)
        unsaid = () if is_right else self._unspoken.before(action)
        if unsaid is not None:
            self._unspoken.do(unsaid, now)
            self._runner.begin(action, now, now.step, case.spoken(action))
            if fork.again is not None and fork.again():
                case.mind.said += (action.kind,)
                return True
        case.mind = mind
        return False

    def _say_again(self, action: Action, now: Now) -> bool:
        """Judge an announcement as it was made, after what was said later."""
        if not self._unspoken.is_legal(self._case.mind.belief, action):
            return False
        self._runner.begin(action, now, now.step, self._case.spoken(action))
        self._case.mind.said += (action.kind,)
        return True

    def waits_on(self, action: Action, now: Now) -> bool:
        """Whether it answers what nobody asks, while another announcement waits for its dice.

        Then it is told, and the dice are still for the other.
        """
        mind = self._case.mind
        kind = self._case.rules.game.actions.get(action.kind)
        if mind.pending is None or mind.pending.unsaid or not mind.pending.legal or mind.tray:
            return False
        if kind is None or not kind.states or "" in kind.states:
            return False
        if self._unspoken.is_announced_in_time(mind.belief, action):
            return False
        self._go_by_books(action)
        if self._unspoken.is_legal(self._case.mind.belief, action):
            return False
        self._runner.begin(action, now, now.step, self._case.spoken(action), refused=True)
        return True

    def is_on_its_way(self, units: Sequence[str], cells: Sequence[str]) -> bool:
        """Whether units are dragged as was announced, and the dice for that are still to come."""
        pending = self._case.mind.pending
        if pending is None or pending.unsaid or not pending.legal:
            return False
        names = {*named(pending.action)}
        return names.issuperset(units) and cells[-1] in names

    def is_idle(self, action: Action, now: Now) -> bool:
        """Whether it only declines what is not asked, since something went wrong before.

        Whoever took a result for another says so too, and nothing more comes of it.
        """
        case = self._case
        game, belief = case.rules.game, case.mind.belief
        declines = any(
            frame.silence is not None and frame.silence.kind == action.kind
            for frame in game.frames.values()
        )
        if not declines or game.actions[action.kind].params or not case.history.has_strayed:
            return False
        if self._unspoken.is_announced_in_time(belief, action):
            return False
        if self._is_asked_further_out(action):
            return False
        entry = case.entry(now, now.step, case.spoken(action), action.kind, Status.UNKNOWN)
        case.unknown(entry, "it is about a result that was taken for another")
        return True

    def _is_asked_further_out(self, action: Action) -> bool:
        """Whether it is asked, and only something else is still to be done before it."""
        states = self._case.rules.game.actions[action.kind].states
        return any(frame.kind in states for frame in self._case.mind.belief.frames)

    def is_unasked(self, action: Action, now: Now) -> bool:
        """Whether it only says yes or no to what nobody has asked, as far as anybody spoke.

        By itself it does nothing; what it answers may have been done without a word.
        """
        case, mind = self._case, self._case.mind
        kind = case.rules.game.actions.get(action.kind)
        if kind is None or not kind.states or "" in kind.states or mind.pending is not None:
            return False
        given = [param.type for param in kind.params if param.name in action.params]
        if not given or any(of is not ParamType.BOOL for of in given):
            # Who says that something is over goes on, whatever was asked.
            return False
        if self._is_asked_further_out(action):
            return False
        if self._unspoken.is_announced_in_time(mind.belief, action):
            return False
        if self._unspoken.before(action) is not None:
            return False
        entry = case.entry(now, now.step, case.spoken(action), action.kind, Status.UNKNOWN)
        case.unknown(replace(entry, side=action.side), "nobody has asked this, as far as was said")
        return True

    def _go_by_books(self, action: Action) -> None:
        """Where players keep the books otherwise, and it is right by those: go on from there."""
        case, kept, books = self._case, self._case.mind, self._runner.results.books
        pending = kept.pending
        before = {} if pending is None else books.before(pending.entry)
        moved = {item: due for item, due in before.items() if due.moved}
        if pending is None or not moved:
            return
        case.mind = kept.copy()
        books.settle(moved)
        self._runner.attempt(pending)
        if not self._unspoken.is_legal(case.mind.belief, action):
            case.mind = kept

    def fits(self, action: Action) -> bool:
        """Whether it may be what is still to be done, where the tracker is ahead."""
        mind = self._case.mind
        if mind.ahead is None or self._unspoken.is_legal(mind.belief, action):
            return True
        return mind.ahead.early and self._unspoken.before(action) is not None

    def finds_dice(self, action: Action) -> bool:
        """Whether dice that lie there are for this, and not more than the last action needed."""
        if self._case.mind.tray and self._runner.dice_count.are_others():
            return False
        return self._answers(action) or self._has_dice(action)

    def answers_rightly(self, action: Action) -> bool:
        """Whether it is a right answer to what the last thing done asks, and that alone is owed."""
        mind = self._case.mind
        last = len(mind.entries) - 1
        if not mind.owed or any(number != last for number in mind.owed.values()):
            return False
        before, after = mind.entries[last].before, mind.entries[last].after
        if before is None or after is None or len(after.frames) <= len(before.frames):
            return False
        return self._unspoken.is_legal(mind.belief, action)

    def _answers(self, action: Action) -> bool:
        """Whether dice that lie there were rolled for the question that this answers."""
        belief = self._case.mind.belief
        if not belief.state or self._runner.dice_count.are_spent():
            return False
        return self._unspoken.is_legal(belief, action)

    def _has_dice(self, action: Action) -> bool:
        """Whether the dice for it lie there already, and no others."""
        mind = self._case.mind
        if not mind.tray or mind.pending is not None:
            return False
        position, dice = mind.belief, LogDice(mind.tray)
        unsaid = () if self._unspoken.is_legal(position, action) else self._unspoken.before(action)
        for one in (*(unsaid or ()), action):
            try:
                if not self._case.rules.check(position, one).legal:
                    return False
                position = self._case.rules.apply(position, one, dice).position
                answer = self._silent.answer(position) if one is action else None
                if answer is not None and not dice.used:
                    self._case.rules.apply(position, answer, dice)
            except HexMarshalError:
                return False
        mind.doubt |= not dice.left
        return not dice.left

    def with_dice_before(self, action: Action, now: Now) -> None:
        """Dice that lie there are taken for it; were they for something else, others follow."""
        mind = self._case.mind
        again = partial(self._without_old_dice, action, now)
        mind.forks[Otherwise.OLD_DICE] = Fork(mind.copy(), again=again)

    def take_early_dice_back(self) -> None:
        """Dice follow an announcement for which those before it were taken: they were not."""
        case, mind = self._case, self._case.mind
        fork = case.fork(Otherwise.OLD_DICE)
        if fork is not None and mind.step <= fork.before.step + 1 and mind.pending is None:
            case.go_back(fork)

    def _without_old_dice(self, action: Action, now: Now) -> bool:
        self._runner.dice_count.left_over()
        self._case.mind.tray = ()
        self._runner.begin(action, now, now.step, self._case.spoken(action))
        return True
