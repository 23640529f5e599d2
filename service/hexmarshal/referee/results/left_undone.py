"""What was asked of somebody after dice, and nobody did before the game went on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.referee.case.table_comparison import asked_about
from hexmarshal.referee.check.findings import Certainty, Status
from hexmarshal.referee.results.result_words import headed
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

    def tell(self, text: str) -> bool:
        """Whether somebody owed it, who is told by that; `text` says how the game went on."""
        case, mind = self._case, self._case.mind
        number, here = case.history.asked_by, mind.belief
        if number is None:
            return False
        # What was rolled decides.
        number = number if mind.rolled is None else max(number, mind.rolled.entry)
        entry = mind.entries[number]
        if entry.status is not Status.LEGAL or case.history.is_slight(number):
            return False
        if self._results.comes_of_violation(number) and not self._is_begun(number):
            # Nobody owes the result of what he may not do.
            return False
        if any(
            one.status is Status.VIOLATION and self._answers(one)
            for one in mind.entries[number + 1 :]
        ):
            # It was done, and told what is wrong with that.
            return True
        known = here.units
        own = (u for u in sorted(asked_about(here)) if known[u].side in here.active)
        told = headed(case.rules.game, mind.entries, number)
        mind.entries[number] = replace(
            told,
            status=Status.VIOLATION,
            certainty=Certainty.LIKELY,
            violations=(case.still_asked(here, text),),
            right="; ".join(filter(None, (entry.result, case.asked_for(here)))),
            units=tuple(dict.fromkeys((*entry.units, *own))),
        )
        mind.strayed = (here.turn, here.phase)
        return True

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
