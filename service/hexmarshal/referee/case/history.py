"""What the entries so far tell about what happens now."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.referee.case.mind import Otherwise
from hexmarshal.referee.check.findings import TABLE_RULE, Status
from hexmarshal.referee.drags.drag_actions import named

if TYPE_CHECKING:
    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.check.findings import Entry
    from hexmarshal.rules.verdict import Violation

__all__ = ["History"]


class History:
    """Looks back over the entries of a case."""

    def __init__(self, case: Case) -> None:
        self._case = case

    @property
    def _here(self) -> tuple[int, str]:
        """The turn and the phase that it is."""
        return self._case.mind.belief.turn, self._case.mind.belief.phase

    @property
    def has_lost_thread(self) -> bool:
        """Whether nobody can say for sure any more whose go it is in this phase.

        Something was done out of turn, or lay otherwise than by the rules, or a go went by in
        which nobody was seen to do anything.
        """
        here, gone = self._here, set[object]()
        entries, unsaid = self._case.mind.entries, self._case.mind.unsaid
        for number in range(len(entries) - 1, -1, -1):
            entry = entries[number]
            if (entry.turn, entry.phase) != here:
                break
            if entry.status is Status.VIOLATION and self._is_about_turns(entry):
                return True
            begun = () if entry.before is None else entry.before.frames[:1]
            if number not in unsaid:
                gone.difference_update(begun)
            elif entry.after is not None and entry.after.frames[:1] != begun:
                gone.update(begun)
        return bool(gone)

    def _is_about_turns(self, entry: Entry) -> bool:
        rules = {violation.rule for violation in entry.violations}
        game = self._case.rules.game
        return not rules.isdisjoint((game.turn_rule, TABLE_RULE, *game.timing_rules))

    @property
    def has_strayed(self) -> bool:
        """Whether players took a result for another in this phase, and go on from there."""
        return self._case.mind.strayed == self._here

    @property
    def last_violation(self) -> Entry | None:
        """The last thing done in this phase, or what silence was about, if that was wrong."""
        here = self._here
        for number in range(len(self._case.mind.entries) - 1, -1, -1):
            entry = self._case.mind.entries[number]
            if entry.status is Status.VIOLATION or number not in self._case.mind.unsaid:
                wrong = entry.status is Status.VIOLATION and (entry.turn, entry.phase) == here
                return entry if wrong else None
        return None

    def told_by(self, violation: Violation) -> Entry | None:
        """What was done in this phase that broke the same rule at the same place."""
        here, units = self._here, self._case.mind.belief.units.values()
        for entry in reversed(self._case.mind.entries):
            if (entry.turn, entry.phase) != here:
                return None
            if any(u.cell in violation.cells and self._leaves_gone(entry, u.id) for u in units):
                return entry
            for told in entry.violations if entry.status is Status.VIOLATION else ():
                places = {*entry.path[-1:], *entry.units, *told.cells, *told.units}
                if told.rule == violation.rule and places & {*violation.cells, *violation.units}:
                    return entry
        return None

    def was_told(self, line: str) -> bool:
        """Whether something was told in this turn already, or in the last one."""
        here = [
            entry
            for entry in self._case.mind.entries
            if entry.turn >= self._here[0] - 1 and entry.status is Status.VIOLATION
        ]
        return any(
            line in entry.what or any(line in told.text for told in entry.violations)
            for entry in here
        )

    @property
    def comes_of_violation(self) -> bool:
        """Whether what is asked now may be asked only because of something wrong.

        What was asked before that already, and is still, is not, unless it came of a guess.
        """
        here, mind = self._here, self._case.mind
        if self.asked_by in mind.unsaid:
            return self.last_violation is not None
        for number in range(len(mind.entries) - 1, -1, -1):
            entry = mind.entries[number]
            if (entry.turn, entry.phase) != here:
                return False
            if entry.status is Status.VIOLATION and not self._leaves_open(entry):
                return True
            if entry.status is not Status.VIOLATION and number not in mind.unsaid:
                return False
        return False

    def _leaves_open(self, entry: Entry) -> bool:
        """Whether just the same is asked after it as before, and it was no answer to that.

        Who places the last unit where it may not stand has placed it.
        """
        before, after, game = entry.before, entry.after, self._case.rules.game
        if before is None or after is None or not before.state or before.frames != after.frames:
            return False
        kind = game.actions.get(entry.kind)
        answers = bool(entry.path) and kind is not None and before.state in kind.states
        return not answers or any(v.rule == game.turn_rule for v in entry.violations)

    @property
    def comes_of_wrong_result(self) -> bool:
        """Whether the last thing done was wrong while a result was carried out.

        Players may have taken it for another result, of which this is a part.
        """
        cause = self.last_violation
        around = () if cause is None else (cause.before, cause.after)
        return any(then is not None and then.state for then in around)

    @property
    def asked_by(self) -> int | None:
        """The entry of which came what is asked now, or what that belongs to."""
        asked = len(self._case.mind.belief.frames)
        for number in range(len(self._case.mind.entries) - 1, -1, -1):
            entry = self._case.mind.entries[number]
            old, new = (() if at is None else at.frames for at in (entry.before, entry.after))
            if len(old) < asked <= len(new):
                return number
        return None

    @property
    def follows_assumption(self) -> bool:
        """Whether dice were just rolled for what silence was taken to say, rightly or not."""
        fork = self._case.mind.forks.get(Otherwise.NOT_SILENCE)
        return fork is not None and len(fork.before.entries) == len(self._case.mind.entries) - 1

    def is_slight(self, number: int) -> bool:
        """Whether it was only taken for done: what it would have left on the table, nobody owes."""
        mind = self._case.mind
        return number in mind.unsaid and not mind.entries[number].dice

    def is_unpaid_for(self, number: int) -> bool:
        """Whether nobody owes the price of it: it was only taken for done, and nobody saw it.

        Who turns a counter without a word has turned it, and pays for that.
        """
        entry = self._case.mind.entries[number]
        before, after = entry.before, entry.after
        if not self.is_slight(number) or before is None or after is None:
            return False
        old, new = (
            [replace(at.units[u], flags=frozenset()) for u in entry.units if u in at.units]
            for at in (before, after)
        )
        return old == new

    def may_wait(self, number: int | None) -> bool:
        """Whether a new turn brought it about: who lays that out does so some time in that turn."""
        brought = None if number is None else self._case.mind.entries[number]
        if number is None or brought is None or brought.before is None or brought.after is None:
            return False
        if brought.after.turn != self._case.mind.belief.turn:
            return False
        return brought.before.turn < brought.after.turn or self._opens_turn(number)

    def _opens_turn(self, number: int) -> bool:
        """Whether it is what a turn begins with by itself: nobody decides anything in it."""
        entries, actions = self._case.mind.entries, self._case.rules.game.actions
        kind = actions.get(entries[number].kind)
        if kind is None or kind.params:
            return False
        done = (entry for entry in entries[:number] if entry.kind in actions)
        return all(entry.turn < entries[number].turn for entry in done)

    def rolled_about(self, unit: str, step: int) -> int | None:
        """The entry of the last dice of this phase until a step, if they were about a unit."""
        case, mind = self._case, self._case.mind
        open_dice = () if mind.anchor is None else mind.anchor.dice
        others = [throw.step for throw in (*mind.tray, *open_dice) if throw.step <= step]
        for number in range(len(mind.entries) - 1, -1, -1):
            entry = mind.entries[number]
            if (entry.turn, entry.phase) != self._here:
                return None
            if not entry.dice or entry.first > step:
                continue
            if any(one > entry.last for one in others):
                # Rolled for something that nobody knows yet.
                return None
            known = None if entry.before is None else entry.before.units.get(unit)
            shown = case.sights.units.get(unit)
            if known is None or entry.kind not in case.rules.game.actions:
                return None
            if shown is not None and shown.where.cell != known.cell:
                # What it left behind as it went on is no result of theirs.
                return None
            return number if {unit, known.cell} & {*named(case.action_of(entry))} else None
        return None

    def is_told_gone(self, unit: str) -> bool:
        """Whether it was told that a unit is off the map by the rules, and was left there."""
        return any(self._leaves_gone(entry, unit) for entry in self._case.mind.entries)

    def _leaves_gone(self, entry: Entry, unit: str) -> bool:
        told = entry.status is Status.VIOLATION and unit in entry.units
        # Of dice for what may not be done nobody was told what comes of them.
        told = told and bool(entry.result or not entry.dice)
        if not told or entry.before is None or entry.after is None:
            return False
        known, left = entry.before.units.get(unit), entry.after.units.get(unit)
        return known is not None and bool(known.cell) and (left is None or not left.cell)

    def goes_on(self, entry: Entry) -> bool:
        """Whether it is still the phase in which something was done."""
        return (entry.turn, entry.phase) == self._here

    def has_no_time(self, entry: Entry) -> bool:
        """Whether the log shows nothing after it, so that nobody could carry it out."""
        return entry.last >= self._case.mind.step
