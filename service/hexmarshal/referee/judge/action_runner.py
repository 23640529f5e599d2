"""Actions on their way through the rules: verdict, the dice they wait for, what comes of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.mind import Done, Fork, Otherwise, Pending, Rolled
from hexmarshal.referee.case.table_comparison import asked_about, changed
from hexmarshal.referee.check.findings import Certainty, Status
from hexmarshal.referee.dice.dice_count import DiceCount
from hexmarshal.referee.drags.drag_actions import named
from hexmarshal.referee.drags.drag_run import DragRun, Now
from hexmarshal.referee.drags.wrong_drags import go_on_from_table
from hexmarshal.referee.interpret.deed import Deed
from hexmarshal.referee.interpret.log_dice import LogDice
from hexmarshal.referee.interpret.rules_calls import RulesFailedError
from hexmarshal.referee.interpret.told_rules import in_order
from hexmarshal.referee.interpret.what_is_right import WhatIsRight
from hexmarshal.referee.interpret.words import the_phase, told_result
from hexmarshal.referee.judge.beside_its_time import BesideItsTime
from hexmarshal.referee.judge.what_is_certain import WhatIsCertain
from hexmarshal.referee.results.pending_results import PendingResults
from hexmarshal.rules.codec import RECORD
from hexmarshal.rules.dice import NeedsDiceError
from hexmarshal.rules.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.check.findings import Entry
    from hexmarshal.referee.interpret.interpreter import Interpreter
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.verdict import Applied, Violation

__all__ = ["ActionRunner"]


def _concerned(action: Action, run: DragRun | None, before: Position) -> tuple[str, ...]:
    names = (*named(action), *(run.units if run is not None else ()))
    return tuple(name for name in dict.fromkeys(names) if name in before.units)


NO_DICE: Final = "the game went on, and the log shows no dice for this"


class ActionRunner:
    """Carries actions out by the rules, as soon as the log has shown the dice for them."""

    def __init__(
        self,
        case: Case,
        interpreter: Interpreter,
        *,
        silent_turns: bool = False,
        advance: str = "",
    ) -> None:
        """With `silent_turns`, whose turn it is may change without a trace on the table.

        `advance` is the action that ends a phase.
        """
        self._case = case
        self.certainty = WhatIsCertain(
            case, interpreter, silent_turns=silent_turns, advance=advance
        )
        self._interpreter = interpreter
        self._right = WhatIsRight(case.rules, interpreter)
        self._beside = BesideItsTime(case, interpreter, advance)
        self.results = PendingResults(
            case,
            self._finish,
            self._moves_on,
            self.certainty.is_result_sure,
            tokens=silent_turns,
        )
        self.dice_count = DiceCount(case)

    def begin(
        self,
        action: Action,
        now: Now,
        first: int,
        what: str,
        run: DragRun | None = None,
        known: Verdict | None = None,
        *,
        sure: bool = True,
        ends_phase: bool = False,
        unsaid: bool = False,
        assume: bool = False,
        refused: bool = False,
        picks: tuple[int, ...] = (),
    ) -> None:
        """Judge an action and carry it out; without `sure`, a violation is only likely.

        A verdict that is `known` already is not asked for again. What is `unsaid` only follows
        from what was done after it; with `assume`, dice that the log does not show are made up;
        `picks` are the draws out of cups and decks, as far as they are known. What is `refused`
        is told, and changes nothing.
        """
        case, before = self._case, self._case.mind.belief
        entry = case.entry(now, first, what, action.kind, Status.LEGAL)
        entry = replace(
            entry,
            side=action.side,
            action=RECORD.decode(action.to_json()),
            units=_concerned(action, run, before),
            path=run.cells if run is not None else (),
        )
        try:
            verdict = known if known is not None else case.rules.check(before, action)
        except RulesFailedError as error:
            self.failed(entry.what, error, now, first, run)
            return
        except HexMarshalError as error:
            # It cannot even be asked of the rules: a unit that is not there, a cell of no map.
            case.unknown(replace(entry, kind="announcement"), error.message, error.hint)
            return
        early = verdict.legal and self._is_early(action)
        if early:
            sure, text = False, f"the tracker shows {case.mind.between}, and nobody moves then"
            verdict = Verdict((case.placed(case.rules.game.turn_rule, text, entry.units),))
        if verdict.legal and not unsaid:
            # Who forgets to mark a unit has had its action all the same.
            marked = self.results.marks.as_marked(before, entry.units)
            if marked is not before:
                sure, verdict = False, self._checked_again(marked, action)
        violations = verdict.violations
        if ends_phase:
            # What was wrong at the end of the last phase, and still is, was told then.
            violations = tuple(v for v in violations if (v.rule, v.text) not in case.mind.standing)
            case.mind.standing = frozenset((v.rule, v.text) for v in verdict.violations)
        if not early:
            violations = (*violations, *self._beside.its_time(before, action, violations, run))
        drawn = self.certainty.drawn_otherwise(entry, action, run) if violations else None
        if drawn is not None:
            entry, case.mind.belief = drawn
            verdict, violations = Verdict(), ()
        if violations:
            phase = the_phase(case.rules.game, before.phase)
            right = f"{phase} goes on" if ends_phase else ""
            if early:
                right = f"the tracker is moved on to {phase} first"
            entry = self._as_wrong(entry, action, run, violations, right, sure=sure)
        number = case.add(entry)
        if refused:
            return
        shown = case.by_books(before)
        case.mind.by_books = None if shown is before else (number, shown)
        if unsaid:
            case.mind.unsaid |= {number}
        # Who is too early for the tracker has done it all the same.
        counts = verdict.legal or early
        self.attempt(Pending(action, counts, number, unsaid, picks), assume=assume)
        if run is not None and not counts:
            # Dice that follow are hardly for what may not be done.
            case.mind.pending = None
            turn = case.rules.game.turn_rule
            answers = bool(before.state) and all(v.rule != turn for v in verdict.violations)
            # Who is not asked does not answer for others.
            asked = asked_about(replace(before, frames=before.frames[-1:]))
            answers = answers and not (asked and asked.isdisjoint(run.units))
            go_on_from_table(case, self.results, before, run, answers=answers)

    def _as_wrong(
        self,
        entry: Entry,
        action: Action,
        run: DragRun | None,
        violations: Sequence[Violation],
        right: str,
        *,
        sure: bool,
    ) -> Entry:
        """The entry of what breaks rules, or to which something told already stands in the way.

        What is `right` is asked of the rules where nothing else tells it.
        """
        case, before, game = self._case, self._case.mind.belief, self._case.rules.game
        told = self._told_before(before, action, violations, run)
        if told is not None:
            # A violation is told once: what it stands in the way of is none by itself.
            why = f"what was told of step {told.first} stands in its way"
            certainty = Certainty.CANNOT_TELL
            return replace(entry, status=Status.UNKNOWN, certainty=certainty, result=why)
        certainty = case.sure(
            entry.path,
            (before.units[unit].cell for unit in entry.units),
            *(violation.cells for violation in violations),
        )
        # What is doubtful anyhow is looked into no further.
        sure = sure and certainty is Certainty.CERTAIN
        sure = sure and self.certainty.is_sure(before, action, violations, run)
        return replace(
            entry,
            status=Status.VIOLATION,
            certainty=Certainty.CERTAIN if sure else Certainty.LIKELY,
            violations=in_order(game, violations, game.actions[action.kind], before.phase),
            right=right or self._right.of(before, action, run, violations, self._done(entry)),
        )

    def _done(self, entry: Entry) -> frozenset[str]:
        """The kinds of action that units of an entry had a part in before, in its phase."""
        mind, units = self._case.mind, {*entry.units}
        here = (mind.belief.turn, mind.belief.phase)
        return frozenset(
            one.kind
            for one in mind.entries
            if (one.turn, one.phase) == here and not units.isdisjoint(one.units)
        )

    def _told_before(
        self,
        before: Position,
        action: Action,
        violations: Sequence[Violation],
        run: DragRun | None,
    ) -> Entry | None:
        """What was told already, if nothing else is wrong with this."""
        if not _concerned(action, run, before):
            told = [self._case.history.told_by(violation) for violation in violations]
            if all(told):
                return told[0]
        return self.certainty.in_the_way(before, action, run)

    def _checked_again(self, position: Position, action: Action) -> Verdict:
        """What is wrong with it there; nothing, if the rules cannot tell."""
        try:
            return self._case.rules.check(position, action)
        except HexMarshalError:
            return Verdict()

    def _is_early(self, action: Action) -> bool:
        """Whether it is a move of the next phase, and the tracker is not there yet."""
        mind = self._case.mind
        asked = bool(mind.belief.state)
        return bool(mind.between) and not asked and action.kind in self._interpreter.drags

    def _moves_on(self, unit: str, done: Entry) -> bool:
        """Whether a unit may have gone on to where it lies from where an action put it."""
        case, seen = self._case, self._case.sights.units.get(unit)
        start, end = case.mind.belief.units[unit].cell, seen.where.cell if seen is not None else ""
        deeds = [Deed(unit, None, seen, (end,))]
        try:
            found = self._interpreter.legal(case.mind.belief, deeds) if start and end else None
        except RulesFailedError:
            return False
        now = Now(done.last, done.player, done.side)
        run = DragRun((unit,), start, (end,), done.last, now)
        for action in found or ():
            self.begin(action, now, done.last, str(run), run)
        return found is not None

    def failed(
        self, what: str, error: HexMarshalError, now: Now, first: int, run: DragRun | None = None
    ) -> None:
        """The rules failed on it: a fault of theirs. The game goes on from the table."""
        case = self._case
        kind = "drag" if run is not None else "announcement"
        entry = case.entry(now, first, what, kind, Status.UNKNOWN)
        case.unknown(entry, error.message, error.hint)
        case.mind.doubt = True
        if run is not None:
            case.believe(run.units)

    def concerned(self, action: Action) -> frozenset[str]:
        """The units that an action names, or may change, whatever its dice are."""
        case, before = self._case, self._case.mind.belief
        found = {name for name in named(action) if name in before.units}
        try:
            dice = LogDice(case.mind.tray, assume=True)
            found.update(changed(before, case.rules.apply(before, action, dice).position))
        except HexMarshalError:
            pass
        return frozenset(found)

    def attempt(self, pending: Pending, *, assume: bool = False) -> None:
        """Carry an action out with the dice seen so far; if they do not suffice, wait."""
        case, mind = self._case, self._case.mind
        before = mind.belief
        dice = LogDice(mind.tray, pending.picks, assume=assume)
        mind.pending = None
        try:
            applied = case.rules.apply(before, pending.action, dice)
        except NeedsDiceError:
            mind.pending = pending
            return
        except HexMarshalError as error:
            self._not_carried_out(pending, error)
            return
        mind.tray = dice.left
        self._finish(pending.entry, before, pending.action, dice, applied, legal=pending.legal)
        if dice.assumed:
            mind.entries[pending.entry] = replace(
                mind.entries[pending.entry],
                status=Status.UNKNOWN,
                certainty=Certainty.CANNOT_TELL,
                result=NO_DICE,
            )
        if not pending.legal and not dice.used and not mind.entries[pending.entry].path:
            units = tuple(u for u in changed(before, mind.belief) if case.apart(u))
            before_it = replace(mind, belief=before)
            mind.forks[Otherwise.NOT_DONE] = Fork(before_it, mind.belief, units)

    def _not_carried_out(self, pending: Pending, error: HexMarshalError) -> None:
        mind = self._case.mind
        entry = replace(mind.entries[pending.entry], after=mind.belief)
        if pending.legal:
            # What a plugin does with an action that it refuses is not defined; this one it allowed.
            entry = replace(
                entry,
                status=Status.UNKNOWN,
                certainty=Certainty.CANNOT_TELL,
                result=error.message,
                hint=error.hint,
            )
            mind.doubt = True
            self._believe_all(pending.entry)
        mind.entries[pending.entry] = entry

    def _finish(
        self,
        number: int,
        before: Position,
        action: Action,
        dice: LogDice,
        applied: Applied,
        *,
        legal: bool = True,
    ) -> None:
        mind = self._case.mind
        after = replace(applied.position, generator=None)
        mind.belief = after
        throws = tuple(dice.used)
        if dice.counts:
            mind.unseen |= {one.id for one in self._case.books.unseen(before, after)}
        done = Done(before, after, action, throws, tuple(dice.picks), tuple(dice.counts), number)
        mind.draw(done)
        if throws:
            mind.rolled = Rolled(number, throws, tuple(dice.alike))
        entry = mind.entries[number]
        result = told_result(applied.resolutions, dice.drawn)
        # What was rolled decides; where nothing was, what was counted.
        rolled = [r for r in applied.resolutions if r.dice] or applied.resolutions
        decided = [step.rule for r in rolled for step in r.steps if step.rule]
        # Who did it in silence did it when he rolled, whenever that was understood.
        rolled_at = [throw.step for throw in throws] if number in mind.unsaid else []
        mind.entries[number] = replace(
            entry,
            first=min(entry.first, *rolled_at, entry.last),
            last=max(entry.last, *(t.step for t in throws)) if throws else entry.last,
            dice=tuple(throw.value for throw in throws),
            result=result if legal else entry.result,
            decided_by=decided[-1] if decided else "",
            drawn=next(filter(None, dice.drawn), ""),
            after=after,
        )
        self.results.incur(number, before, after, Now(entry.last, entry.player, entry.side))

    def give_up_waiting(self) -> None:
        """Something else begins, and the log has shown no dice for what was announced."""
        mind = self._case.mind
        pending, mind.pending = mind.pending, None
        if pending is None:
            return
        if pending.unsaid:
            # Nothing bears it out, so nobody did it.
            self.take_out(pending)
            return
        if pending.legal and self.dice_count.too_few(pending):
            mind.doubt = True
        elif pending.legal:
            self.dice_count.before_words(pending.entry)
            mind.entries[pending.entry] = replace(
                mind.entries[pending.entry],
                status=Status.UNKNOWN,
                certainty=Certainty.CANNOT_TELL,
                result="the log shows no dice for it",
                hint="if the roll is there in other words, add them to dice in the binding",
            )
            # What follows may be right although it does not look so.
            mind.doubt = True
        self._believe_all(pending.entry)

    def take_out(self, pending: Pending) -> None:
        """What was taken for done in silence, and waits for dice, was not done."""
        mind = self._case.mind
        mind.pending = None
        mind.entries.pop(pending.entry)
        mind.unsaid -= {pending.entry}

    def _believe_all(self, first: int) -> None:
        case = self._case
        case.believe([unit for unit in case.sights.units if case.apart(unit)])
        self.results.books.believe(first)
