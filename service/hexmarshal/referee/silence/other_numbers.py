"""Numbers that nobody said, such as points on a roll: those with which dice come to what is shown.

Silence means none of them. Where the dice that were rolled then come to something else than the
tracker shows, some were added; how many a track tells, perhaps a while later.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.interpret.log_dice import LogDice
from hexmarshal.rules.action import ParamType
from hexmarshal.rules.codec import RECORD
from hexmarshal.rules.dice import Dice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.check.findings import Entry
    from hexmarshal.referee.interpret.log_dice import Throw
    from hexmarshal.referee.silence.silent_decisions import SilentDecisions, Unsaid
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.reading.bookkeeping import Item

__all__ = ["OtherNumbers"]

# So many questions in a row are answered so.
_MOST: Final = 6


class OtherNumbers:
    """Answers questions for a number otherwise than silence does, where the dice fit then."""

    def __init__(self, case: Case, silent: SilentDecisions) -> None:
        self._case, self._silent = case, silent

    def until(self, is_there: Callable[[Position], bool]) -> Unsaid | None:
        """Answers after which play is as far as wanted, by just the dice that lie there.

        Rather with numbers that were said; as few as may be are otherwise than silence has them.
        """
        mind = self._case.mind
        if not mind.tray or not mind.belief.state or mind.pending is not None:
            return None
        ways = self._ways(mind.belief, mind.tray, is_there, _MOST)
        found = min(ways, key=lambda way: way[0], default=None)
        return None if found is None or not found[0][1] else found[1]

    def _ways(
        self,
        here: Position,
        tray: Sequence[Throw],
        is_there: Callable[[Position], bool],
        left: int,
    ) -> Iterator[tuple[tuple[int, int], Unsaid]]:
        """Each with how many numbers nobody said, and by how much they are not what silence is."""
        if is_there(here):
            if not tray:
                yield (0, 0), ()
            return
        unsaid = self._silent.answer(here) if here.state and left else None
        for more, action in () if unsaid is None else self._answers(here, unsaid):
            dice = LogDice(tray)
            try:
                after = self._case.rules.apply(here, action, dice).position
            except HexMarshalError:
                continue
            unheard = 0
            if more:
                number = action.params.get(self._number(action))
                heard = isinstance(number, int) and self._case.numbers.has(action.side, number)
                unheard = 0 if heard else 1
            for (others, other), way in self._ways(after, dice.left, is_there, left - 1):
                yield (unheard + others, more + other), (action, *way)

    def _answers(self, here: Position, unsaid: Action) -> Iterator[tuple[int, Action]]:
        """What silence means, and then the same with other numbers."""
        yield 0, unsaid
        name = self._number(unsaid)
        try:
            values = self._case.rules.others(here, unsaid, name) if name else ()
        except HexMarshalError:
            return
        for value in values:
            old = unsaid.params.get(name)
            if isinstance(value, int) and isinstance(old, int) and value != old:
                yield abs(value - old), _with(unsaid, name, value)

    def _number(self, action: Action) -> str:
        """The one thing that has to be said with an action, if that is a number."""
        params = self._case.rules.game.actions[action.kind].params
        required = [param for param in params if param.required]
        numbers = [param.name for param in required if param.type is ParamType.INT]
        return numbers[0] if len(numbers) == len(required) == 1 else ""

    def paid(self, item: Item, seen: object) -> None:
        """A track was moved: if numbers were added in silence, perhaps it was by just this one.

        With the same dice it has to come to the same.
        """
        case, mind = self._case, self._case.mind
        if item.of != "track" or not isinstance(seen, int):
            return
        known = mind.belief.track(item.name)
        for number in range(len(mind.entries) - 1, -1, -1):
            entry = mind.entries[number]
            if entry.turn != mind.belief.turn:
                return
            if number not in mind.unsaid or not entry.action or entry.before is None:
                continue
            action = case.action_of(entry)
            name = self._number(action)
            if not name or not action.params.get(name) or entry.after is None:
                continue
            off = entry.after.track(item.name) - known + seen
            for _, other in self._answers(entry.before, action):
                if other != action and self._comes_to_the_same(number, other, item, off):
                    mind.entries[number] = replace(
                        entry, what=case.in_silence(other), action=RECORD.decode(other.to_json())
                    )
                    case.believe_items((item,))
                    return

    def _comes_to_the_same(self, number: int, other: Action, item: Item, track: int) -> bool:
        """Whether who acts then is the same, with a track that shows so much after it."""
        entries, rules = self._case.mind.entries, self._case.rules
        here, action = entries[number].before, other
        assert here is not None
        for at in range(number, len(entries)):
            entry = entries[at]
            if at > number:
                if entry.before is None or not entry.action or entry.before.phase != here.phase:
                    break
                action = self._case.action_of(entry)
            try:
                dice = Dice(None, given=entry.dice)
                here = rules.apply(here, action, dice).position
            except HexMarshalError:
                return False
            if at == number and here.track(item.name) != track:
                return False
            if not _is_like(here, entry):
                return False
            if entry.before is None or here.phase != entry.before.phase:
                break
        return True


def _with(action: Action, name: str, value: int) -> Action:
    return replace(action, params=action.params.set(name, value))


def _is_like(here: Position, entry: Entry) -> bool:
    """Whether play goes on as after an entry."""
    then = entry.after
    return then is not None and (
        (here.turn, here.phase, here.state, here.active)
        == (then.turn, then.phase, then.state, then.active)
    )
