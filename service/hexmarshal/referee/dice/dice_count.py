"""Dice that lie there when something else begins: too many, too few, or for nothing known."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.table_comparison import asked_about
from hexmarshal.referee.check.findings import ROLL, TABLE_RULE, Certainty, Status
from hexmarshal.referee.drags.drag_run import Now
from hexmarshal.referee.interpret.log_dice import LogDice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.case.mind import Pending
    from hexmarshal.referee.check.findings import Entry
    from hexmarshal.referee.interpret.log_dice import Throw

__all__ = ["DiceCount"]


class DiceCount:
    """Says what is wrong with how many dice were rolled, as far as the log tells what they are for.

    Who rolls for an action, and at once the same dice again, has rolled too many; dice that lie
    there alone may be for anything, and nobody can tell.
    """

    def __init__(self, case: Case) -> None:
        self._case = case

    def left_over(self) -> None:
        """Something else begins: what lies there belongs to nothing that comes."""
        mind = self._case.mind
        tray, mind.tray = mind.tray, ()
        if not tray:
            return
        if self.are_spent():
            # Rolled for what may not be done: the dice belong there.
            last = mind.entries[-1]
            dice = (*last.dice, *(throw.value for throw in tray))
            mind.entries[-1] = replace(last, dice=dice, last=tray[-1].step)
            return
        more = self._of_the_last(tray)
        self._tell_of(more)
        if len(more) == len(tray):
            return
        alike = groupby(tray[len(more) :], lambda throw: (throw.step, throw.player, throw.sides))
        for (step, player, sides), throws in alike:
            values = tuple(throw.value for throw in throws)
            rolled = f"{len(values)}d{sides} = {', '.join(map(str, values))}"
            text = f"rolls {rolled}, and no action asks for it"
            entry = self._case.entry(Now(step, player), step, text, ROLL, Status.UNKNOWN)
            why = "no action was announced for it"
            self._case.unknown(replace(entry, dice=values), why)
        # Something was done that nobody spoke of: what follows may come of it.
        mind.doubt = True

    def are_spoken_for(self, rolled: Sequence[Throw]) -> None:
        """Others are rolled: where players spoke of something else before them, those are over."""
        tray = self._case.mind.tray
        spoken = {throw.about for throw in (*tray, *rolled)}
        if tray and self._case.mind.pending is None and len(spoken) > 1 and () not in spoken:
            self.left_over()

    def _tell_of(self, more: Sequence[Throw]) -> None:
        mind = self._case.mind
        if not more or mind.rolled is None:
            return
        done = mind.entries[mind.rolled.entry]
        if done.status is Status.LEGAL:
            self._too_many(done, more)
            mind.doubt = True

    def are_spent(self) -> bool:
        """Whether the last thing done was announced against the rules: what is rolled is for it."""
        last = self._case.mind.entries[-1] if self._case.mind.entries else None
        if last is None or last.status is not Status.VIOLATION or last.path:
            return False
        wrong_result = bool(last.result)
        if last.kind not in self._case.rules.game.actions or wrong_result:
            return False
        return not self.are_of_others()

    def are_of_others(self) -> bool:
        """Whether players spoke of something else before what lies there than before the last."""
        mind = self._case.mind
        if mind.rolled is None or mind.rolled.entry != len(mind.entries) - 1:
            return False
        spoken = {throw.about for throw in mind.tray} - {()}
        return bool(spoken) and spoken.isdisjoint(throw.about for throw in mind.rolled.throws)

    # Too many

    def are_others(self) -> bool:
        """Whether what lies there was rolled for the last action, or together with its dice."""
        mind = self._case.mind
        last = mind.entries[-1] if mind.entries else None
        # A drag against the rules takes none.
        wrong = last is not None and last.status is Status.VIOLATION and not last.path
        return wrong or bool(self._of_the_last(mind.tray))

    def are_too_many(self) -> bool:
        """Whether all that lies there was rolled together with the dice of the last action."""
        mind = self._case.mind
        return bool(mind.tray) and len(self._of_the_last(mind.tray)) == len(mind.tray)

    def _of_the_last(self, tray: Sequence[Throw]) -> tuple[Throw, ...]:
        """Those rolled together with the dice of the last action, or right behind them."""
        mind = self._case.mind
        done = mind.rolled
        if done is None:
            return ()
        used = done.throws[-1]
        found: list[Throw] = []
        # Of what is only guessed nobody knows what the next dice are for.
        known = not mind.guessed or done.entry not in mind.unsaid
        known = known and done.entry == len(mind.entries) - 1
        for step, throws in groupby(tray, lambda throw: throw.step):
            some = list(throws)
            alike = all((t.player, t.sides) == (used.player, used.sides) for t in some)
            behind = known and step == (found[-1].step if found else used.step) + 1
            if not alike or not (step == used.step or behind):
                break
            found += some
        return tuple(found)

    def _too_many(self, last: Entry, more: Sequence[Throw]) -> None:
        case = self._case
        due = len(last.dice)
        values = ", ".join(str(throw.value) for throw in more)
        kind = case.rules.game.actions.get(last.kind)
        rule = last.decided_by or (kind.rules[0] if kind is not None and kind.rules else TABLE_RULE)
        text = f"{_dice(due + len(more))} rolled here, and {_due(due)}"
        now = Now(more[-1].step, more[-1].player, last.side)
        entry = case.entry(now, more[0].step, f"rolls {values} too many", ROLL, Status.VIOLATION)
        case.add(
            replace(
                entry,
                certainty=Certainty.LIKELY,
                violations=(case.placed(rule, text, last.units),),
                right=f"the result of {', '.join(map(str, last.dice))}: {last.result}".rstrip(": "),
                dice=tuple(throw.value for throw in more),
                units=last.units,
            )
        )

    # Too few

    def too_few(self, pending: Pending) -> bool:
        """Whether some dice were rolled for an action, and not all; then that is told."""
        case, mind = self._case, self._case.mind
        entry = mind.entries[pending.entry]
        if not mind.tray or mind.tray[-1].step >= mind.step:
            # None at all, or no time for more.
            return False
        dice = LogDice(mind.tray, pending.picks, assume=True)
        try:
            found = case.rules.apply(mind.belief, pending.action, dice).resolutions
        except HexMarshalError:
            return False
        if not dice.used or not dice.assumed:
            return False
        mind.tray = dice.left
        kind = case.rules.game.actions[pending.action.kind]
        # The rule that they decide by, if it is known, and what each is for.
        decided = [step.rule for one in found if one.dice for step in one.steps if step.rule]
        rule = next(iter((*decided[-1:], *kind.rules)), TABLE_RULE)
        labels = dict.fromkeys(die.label for one in found for die in one.dice if die.label)
        rolled, due = len(dice.used), len(dice.used) + dice.assumed
        text = f"{_dice(rolled)} rolled for it, and {_due(due)}"
        text += f": {', '.join(labels)}" if len(labels) == due else ""
        mind.entries[pending.entry] = replace(
            entry,
            last=max(entry.last, dice.used[-1].step),
            status=Status.VIOLATION,
            certainty=Certainty.LIKELY,
            violations=(case.placed(rule, text, entry.units),),
            right=f"the log shows {due} dice" if due > 1 else "the log shows a die",
            dice=tuple(throw.value for throw in dice.used),
            units=tuple(dict.fromkeys((*entry.units, *sorted(asked_about(mind.belief))))),
        )
        # What comes of it nobody can tell, and nothing more is asked for it.
        mind.belief = case.released() or mind.belief
        return True

    def before_words(self, entry: int) -> None:
        """What was announced got no dice: so those before it were not too many, but for it."""
        mind = self._case.mind
        if not entry:
            return
        before = mind.entries[entry - 1]
        if before.kind == ROLL and before.status is Status.VIOLATION:
            text = f"rolls {', '.join(map(str, before.dice))} before it is said what for"
            mind.entries[entry - 1] = replace(
                before,
                what=text,
                status=Status.UNKNOWN,
                certainty=Certainty.CANNOT_TELL,
                violations=(),
                right="",
                result="the action was announced behind it",
            )


def _dice(number: int) -> str:
    return "1 die was" if number == 1 else f"{number} dice were"


def _due(number: int) -> str:
    return "1 is due" if number == 1 else f"{number} are due"
