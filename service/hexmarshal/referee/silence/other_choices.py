"""What was chosen in silence, chosen otherwise: found when what follows is right only then."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.check.findings import Status
from hexmarshal.referee.interpret.drag_actions import named
from hexmarshal.referee.judge.table_comparison import changed
from hexmarshal.rules.codec import RECORD
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.values import thaw

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.referee.check.findings import Entry
    from hexmarshal.referee.judge.case import Case
    from hexmarshal.referee.judge.mind import Mind
    from hexmarshal.referee.silence.silent_decisions import SilentDecisions
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position

__all__ = ["OtherChoices"]

# So many others are tried instead of who was thought to be made ready.
_MOST: Final = 6


class OtherChoices:
    """Goes back to who was made ready in silence, and does all since then after another choice.

    Two headquarters may command the units of an attack that nobody announced: which it was, the
    next attack tells.
    """

    def __init__(self, case: Case, silent: SilentDecisions) -> None:
        self._case, self._silent = case, silent

    def minds(self) -> Iterator[Mind]:
        """What the referee could think instead, everything since then being right as well."""
        case, kept = self._case, self._case.mind
        number = self._last_choice()
        if number is None:
            return
        chosen = kept.entries[number]
        start, used = chosen.before, self._action(chosen)
        if start is None:
            return
        try:
            offers = case.rules.offers(start, used.side, (used.kind,))
            others = [offer.action for offer in islice(offers, _MOST) if offer.action != used]
        except HexMarshalError:
            return
        for other in others:
            position = self._since(start, other, kept.entries[number + 1 :])
            if position is None:
                continue
            mind = kept.copy()
            mind.belief = position
            what = f"in silence: {case.spoken(other)}"
            units = tuple(unit for unit in named(other) if unit in start.units)
            mind.entries[number] = replace(
                chosen, what=what, action=RECORD.decode(other.to_json()), units=units, result=""
            )
            yield mind

    def _last_choice(self) -> int | None:
        mind = self._case.mind
        here = mind.belief.turn, mind.belief.phase
        for number in sorted(mind.unsaid, reverse=True):
            entry = mind.entries[number]
            if (entry.turn, entry.phase) != here:
                return None
            if self._silent.makes_ready(self._action(entry)):
                return number
        return None

    def _since(self, start: Position, other: Action, entries: list[Entry]) -> Position | None:
        """As it would be now after another choice; None if something since were wrong then."""
        rules, belief = self._case.rules, self._case.mind.belief
        try:
            position = rules.apply(start, other, Dice(None, given=())).position
            if any(changed(start, position)):
                # It would show on the table.
                return None
            for entry in entries:
                before = entry.before
                if not entry.action or before is None or self._did_not_happen(entry):
                    continue
                position = _with_pieces(position, before)
                action = self._action(entry)
                if not rules.check(position, action).legal:
                    return None
                position = rules.apply(position, action, Dice(None, given=entry.dice)).position
        except HexMarshalError:
            return None
        return replace(_with_pieces(position, belief), generator=None)

    def _did_not_happen(self, entry: Entry) -> bool:
        """Whether it was taken back, or against the rules."""
        if entry.status is Status.TAKEN_BACK or entry.before is None:
            return True
        wrong = entry.status is Status.VIOLATION
        return wrong and not self._case.rules.check(entry.before, self._action(entry)).legal

    def _action(self, entry: Entry) -> Action:
        return self._case.rules.game.actions.decode(thaw(entry.action))


def _with_pieces(position: Position, shown: Position) -> Position:
    """What is decided in one position, with the pieces of another."""
    return replace(
        position, units=shown.units, markers=shown.markers, piles=shown.piles, tracks=shown.tracks
    )
