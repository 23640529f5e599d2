"""A choice that was made in silence was another, if more is right then."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.check.findings import Certainty, Status
from hexmarshal.rules.action import ParamType
from hexmarshal.rules.codec import RECORD
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.frames.frame import settled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.check.findings import Entry
    from hexmarshal.referee.silence.silent_decisions import SilentDecisions
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.frames.frame import Frame
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.verdict import Violation

__all__ = ["OtherChoices"]

# So many others are looked at, and so many answers of silence after each.
_CHOICES: Final = 8
_ANSWERS: Final = 3

_Frames = tuple["Frame", ...]


class OtherChoices:
    """Goes on from another choice than was guessed, where fewer drags are wrong then.

    Whoever says nothing of how his units act shows it by what they do. The first drag may have been
    the one against the rules: if so, that is told of it, and no more of the others.
    """

    def __init__(self, case: Case, silent: SilentDecisions) -> None:
        self._case, self._silent = case, silent

    def go(self, is_right: Callable[[Position], bool]) -> bool:
        """Whether something is right after another choice; then things stand so."""
        number = self._last()
        if number is None or not any(map(_is_wrong, self._since(number))):
            return False
        mind = self._case.mind
        entry = mind.entries[number]
        for other, first, frames in self._others(entry):
            found = settled(mind.belief, frames)
            if not is_right(found):
                continue
            told = self._told_again(number, first, frames)
            # With what is to be right now.
            if _wrong(told) < _wrong(mind.entries) + 1:
                told[number] = replace(
                    entry,
                    what=self._case.in_silence(other),
                    action=RECORD.decode(other.to_json()),
                    result="",
                    certainty=Certainty.LIKELY,
                )
                mind.belief, mind.entries = found, told
                return True
        return False

    def _last(self) -> int | None:
        """The last choice in this phase, if nobody announced it, and it still matters."""
        mind = self._case.mind
        here = mind.belief
        for number in range(len(mind.entries) - 1, -1, -1):
            entry = mind.entries[number]
            if (entry.turn, entry.phase) != (here.turn, here.phase):
                return None
            kind = self._case.rules.game.actions.get(entry.kind) if entry.action else None
            required = [] if kind is None else [p.type for p in kind.params if p.required]
            if required == [ParamType.CHOICE] and entry.before is not None:
                return number if number in mind.unsaid else None
        return None

    def _since(self, number: int) -> Iterator[Entry]:
        return islice(self._case.mind.entries, number + 1, None)

    def _others(self, entry: Entry) -> Iterator[tuple[Action, _Frames, _Frames]]:
        """Each other choice, with what would have been asked first after it, and then."""
        rules, start = self._case.rules, entry.before
        assert start is not None
        used = self._case.action_of(entry)
        try:
            offers = rules.offers(start, used.side, (used.kind,))
            others = [one.action for one in islice(offers, _CHOICES) if one.action != used]
        except HexMarshalError:
            return
        for other in others:
            try:
                after = rules.apply(start, other, Dice(None, given=())).position
            except HexMarshalError:
                continue
            at: Position | None = after
            for _ in range(_ANSWERS):
                if at is None or (at.turn, at.phase) != (start.turn, start.phase):
                    break
                yield other, after.frames, at.frames
                unsaid = self._silent.answer(at)
                at = None if unsaid is None else self._silent.after(at, unsaid)

    def _told_again(self, number: int, first: _Frames, frames: _Frames) -> list[Entry]:
        """The entries with what was dragged since then as it is after the other choice."""
        entries, began = self._case.mind.entries.copy(), False
        for at in range(number + 1, len(entries)):
            entry = entries[at]
            began = began or bool(entry.dice)
            if not entry.path or not entry.action or entry.before is None:
                continue
            action = self._case.action_of(entry)
            if _is_wrong(entry):
                if not self._faults(settled(entry.before, frames), action):
                    entries[at] = replace(entry, status=Status.LEGAL, violations=(), right="")
            elif entry.status is Status.LEGAL and not began:
                wrong = self._faults(settled(entry.before, first), action)
                if wrong:
                    placed = (self._case.placed(v.rule, v.text, entry.units) for v in wrong)
                    entries[at] = replace(
                        entry,
                        status=Status.VIOLATION,
                        certainty=Certainty.LIKELY,
                        violations=tuple(placed),
                    )
        return entries

    def _faults(self, position: Position, action: Action) -> tuple[Violation, ...]:
        try:
            return self._case.rules.check(position, action).violations
        except HexMarshalError:
            return ()


def _wrong(entries: Sequence[Entry]) -> int:
    return sum(entry.status is Status.VIOLATION for entry in entries)


def _is_wrong(entry: Entry) -> bool:
    return bool(entry.path) and entry.status is Status.VIOLATION
