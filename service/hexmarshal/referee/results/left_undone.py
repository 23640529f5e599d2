"""What was asked of somebody after dice, and nobody did before the game went on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.referee.case.mind import Unpaid
from hexmarshal.referee.check.findings import Status
from hexmarshal.referee.results.result_words import headed
from hexmarshal.referee.results.unpaid_results import tell_unpaid
from hexmarshal.rules.frames.frame import settled

if TYPE_CHECKING:
    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.check.findings import Entry
    from hexmarshal.referee.results.pending_results import PendingResults
    from hexmarshal.rules.state.position import Position

__all__ = ["LeftUndone"]


class LeftUndone:
    """Tells it of what the dice were rolled for: who loses no step, or does not go back."""

    def __init__(self, case: Case, results: PendingResults) -> None:
        self._case, self._results = case, results

    def without(self) -> Position | None:
        """As it is without what is asked, and all that it belongs to; None if nothing is."""
        here, number = self._case.mind.belief, self._case.history.asked_by
        if not here.state or number is None:
            return None
        before = self._case.mind.entries[number].before
        return settled(here, here.frames[: len(before.frames) if before is not None else 0])

    def is_due(self) -> bool:
        """Whether what was told as wrong in this phase is no part of what asks for it.

        Or it is only that another part of the same result was not carried out yet.
        """
        mind, number = self._case.mind, self._decided
        wrong = self._case.history.last_violation
        if number is None or wrong is None:
            return False
        first = headed(self._case.rules.game, mind.entries, number).first
        return wrong.last < first or (wrong is mind.entries[number] and self._is_late(number))

    @property
    def _decided(self) -> int | None:
        """The entry of which it comes: what was rolled decides."""
        number, rolled = self._case.history.asked_by, self._case.mind.rolled
        return number if number is None or rolled is None else max(number, rolled.entry)

    def _is_late(self, number: int) -> bool:
        return any(late.entry == number for late in self._case.mind.late.values())

    def remember(self) -> None:
        """It may still be done, but nobody is told."""
        mind, number = self._case.mind, self._decided
        if number is not None:
            mind.unpaid += (Unpaid(mind.belief, number, mind.entries[number]),)

    def tell(self, text: str) -> bool:
        """Whether somebody owed it, who is told by that; `text` says how the game went on."""
        case, mind, number = self._case, self._case.mind, self._decided
        if number is None:
            return False
        entry, here = mind.entries[number], mind.belief
        if not self._is_owed(number):
            self.remember()
            return False
        if any(
            one.status is Status.VIOLATION and self._answers(one)
            for one in mind.entries[number + 1 :]
        ):
            # It was done, and told what is wrong with that.
            return True
        one = Unpaid(here, number, entry, case.still_asked(here, text))
        mind.unpaid += (one,)
        if entry.status is Status.LEGAL:
            # Of a result that is wrong already more is told once that was put right.
            tell_unpaid(case, one)
        mind.strayed = (here.turn, here.phase)
        return True

    def _is_owed(self, number: int) -> bool:
        mind, history = self._case.mind, self._case.history
        legal = mind.entries[number].status is Status.LEGAL or self._is_late(number)
        if not legal or history.is_slight(number):
            return False
        # Nobody owes the result of what he may not do.
        return not self._results.comes_of_violation(number) or self._is_begun(number)

    def _answers(self, entry: Entry) -> bool:
        """Whether something was done for what is asked now."""
        here, before = self._case.mind.belief, entry.before
        kind = self._case.rules.game.actions.get(entry.kind)
        if kind is None or here.state not in kind.states or before is None:
            return False
        return (before.state, before.active) == (here.state, here.active)

    def _is_begun(self, number: int) -> bool:
        """Whether players have carried some of a result out: then it counts to them."""
        mind = self._case.mind
        asked = mind.entries[number].after
        frames = len(asked.frames) if asked is not None else 0
        return any(
            entry.status is Status.LEGAL
            and at not in mind.unsaid
            and entry.before is not None
            and 0 < frames <= len(entry.before.frames)
            for at, entry in enumerate(mind.entries[number + 1 :], number + 1)
        )
