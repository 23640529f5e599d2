"""Units that are dragged back to where they began: their drag was a mistake."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.table_comparison import apart, changed
from hexmarshal.referee.check.findings import Status
from hexmarshal.rules.dice import Dice, NeedsDiceError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.check.findings import Entry
    from hexmarshal.referee.results.pending_results import PendingResults
    from hexmarshal.rules.dice import RollRequest
    from hexmarshal.rules.state.position import Position

__all__ = ["PutBack"]


class PutBack:
    """Takes a drag back, and keeps what others did since."""

    def __init__(self, case: Case, results: PendingResults) -> None:
        self._case, self._results = case, results

    def is_so(self, units: tuple[str, ...], cell: str) -> bool:
        """Whether the last thing done with these units was moving them from where they are now."""
        mind = self._case.mind
        numbers = range(len(mind.entries) - 1, -1, -1)
        about = (n for n in numbers if {*mind.entries[n].units}.intersection(units))
        number = next(about, None)
        if number is None:
            return False
        last = mind.entries[number]
        then = last.before
        if then is None or tuple(sorted(last.units)) != units or not last.path or last.dice:
            return False
        others = () if last.after is None else {*changed(then, last.after)}.difference(units)
        if any(apart(then, self._case.sights.units, unit) for unit in others):
            return False
        same = (then.turn, then.phase) == (mind.belief.turn, mind.belief.phase)
        if not same or any(u not in then.units or then.units[u].cell != cell for u in units):
            return False
        dropped: list[int] = []
        without = self._without(number, then, dropped)
        if without is None:
            return False
        if number == len(mind.entries) - 1:
            mind.owed.clear()
        mind.belief = without
        for one in (number, *dropped):
            self._results.forgive(one)
            mind.entries[one] = replace(mind.entries[one], status=Status.TAKEN_BACK)
        return True

    def _without(self, number: int, then: Position, dropped: list[int]) -> Position | None:
        """As it would be if only what came after an entry had been done; None if that is unsure.

        What was taken for done in silence only for its sake is `dropped`.
        """
        rules, at, mind = self._case.rules, then, self._case.mind
        was_wrong = mind.entries[number].status is Status.VIOLATION
        for later in range(number + 1, len(mind.entries)):
            entry = mind.entries[later]
            if entry.status is Status.TAKEN_BACK:
                continue
            if entry.status is Status.VIOLATION and entry.path and entry.after is not None:
                # Nothing of it counts but where the pieces lie.
                there = (entry.after.units.get(unit) for unit in entry.units)
                at = at.with_unit(*(unit for unit in there if unit is not None))
                continue
            if entry.status is not Status.LEGAL or not entry.action:
                return None
            if entry.dice and not was_wrong:
                # Who moved rightly, and was seen there when dice were rolled, has moved.
                return None
            try:
                action = self._case.action_of(entry)
                if rules.check(at, action).legal:
                    at = rules.apply(at, action, _OldDice(entry)).position
                elif was_wrong and later in mind.unsaid and not entry.dice:
                    dropped.append(later)
                else:
                    return None
            except HexMarshalError:
                return None
        return at


class _OldDice(Dice):
    """The dice of an entry once more; what was drawn then nobody knows."""

    __slots__ = ("_old",)

    def __init__(self, entry: Entry) -> None:
        super().__init__(None)
        self._old: Sequence[int] = entry.dice

    def value(self, request: RollRequest, index: int, known: tuple[int, ...]) -> int:
        """The next of them."""
        if request.pick or not self._old or self._old[0] > request.dice[index]:
            raise NeedsDiceError(replace(request, known=known), "not known any more", field="dice")
        value, *self._old = self._old
        return value

    def finish(self) -> None:
        """Whatever is left over was not asked for."""
