"""What these players are used to: what they announce, pay and mark whenever they do it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.table_comparison import changed
from hexmarshal.referee.interpret.log_dice import LogDice

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.reading.bookkeeping import Item

__all__ = ["Habits"]

# Who has announced something so often announces it always; who has said all, and more than that.
_SEVERAL: Final = 3
_OFTEN: Final = 3


class Habits:
    """Knows how the players of a case have spoken until now."""

    def __init__(self, case: Case) -> None:
        self._case = case

    def is_always_said(self, action: Action) -> bool:
        """Whether these players announce such an action whenever they do it."""
        mind = self._case.mind
        if any(mind.entries[number].kind == action.kind for number in mind.unsaid):
            return False
        everything = not mind.unsaid and len(mind.said) >= _OFTEN * _SEVERAL
        return everything or mind.said.count(action.kind) >= _SEVERAL

    def is_lapse(self, actions: Sequence[Action]) -> bool:
        """Whether players who always speak would have left out no more than one thing here.

        What is asked belongs to what it is asked for.
        """
        kinds = self._case.rules.game.actions
        own = [one for one in actions if not kinds[one.kind].states or "" in kinds[one.kind].states]
        return len([one for one in own if self.is_always_said(one)]) <= 1

    def is_unlikely(
        self, actions: Sequence[Action], unsaid: Sequence[Action], *, begun: bool = False
    ) -> bool:
        """Whether players who speak would have announced some of this, and it is not shown either.

        Who forgets to say something once still pays for it, and marks his units; where it is only
        `begun`, that may come yet.
        """
        says_all = not begun and not self._case.mind.unsaid and len(self._case.mind.said) > _SEVERAL
        if not any(says_all or self.is_always_said(one) for one in unsaid):
            return False
        return self._leaves_unshown(actions)

    def _leaves_unshown(self, actions: Sequence[Action]) -> bool:
        """Whether actions leave marks on units, or tracks that are kept, otherwise than shown."""
        after, books = self._after(actions), self._case.books
        if after is None:
            return False
        return self._is_marked_otherwise(after) or any(
            books.apart(after, self._case.sights.books, item) for item in self._kept(after)
        )

    def leaves_unpaid(self, actions: Sequence[Action]) -> bool:
        """Whether nothing is paid for actions on tracks that are kept, or units tell otherwise.

        Who has paid a part may pay the rest yet.
        """
        after, case = self._after(actions), self._case
        tracks = () if after is None else [i for i in self._kept(after) if i.of == "track"]
        shown, start = case.sights.books, case.mind.belief
        if after is None or not any(case.books.apart(after, shown, item) for item in tracks):
            return False
        unpaid = not any(case.books.apart(start, shown, item) for item in tracks)
        return unpaid or self._is_marked_otherwise(after)

    def are_paid(self, actions: Sequence[Action]) -> bool:
        """Whether actions cost something on tracks that are kept, and all of that is paid."""
        after, shown = self._after(actions), self._case.sights.books
        tracks = () if after is None else [i for i in self._kept(after) if i.of == "track"]
        return (
            after is not None
            and bool(tracks)
            and not any(self._case.books.apart(after, shown, item) for item in tracks)
        )

    def marks_otherwise(self, actions: Sequence[Action], units: Sequence[str]) -> bool:
        """Whether some of these units are marked otherwise than actions leave them."""
        marked = [unit for unit in units if unit in self._case.mind.marked]
        after = self._after(actions) if marked else None
        return after is not None and self._is_marked_otherwise(after, marked)

    def _is_marked_otherwise(self, after: Position, units: Sequence[str] = ()) -> bool:
        """Whether these units, or those that are changed, are marked otherwise on the table."""
        case = self._case
        units = units or tuple(changed(case.mind.belief, after))
        pairs = ((after.units.get(unit), case.sights.units.get(unit)) for unit in units)
        return any(known and seen and seen.contradicts(known) for known, seen in pairs)

    def _kept(self, after: Position) -> Iterator[Item]:
        """What is changed in the books, of what players were seen to keep."""
        changes = self._case.books.changed(self._case.mind.belief, after)
        return (item for item in changes if self._case.is_kept(item))

    def _after(self, actions: Sequence[Action]) -> Position | None:
        """What comes of actions; None if that cannot be told."""
        after, dice = self._case.mind.belief, LogDice(self._case.mind.tray)
        try:
            for action in actions:
                after = self._case.rules.apply(after, action, dice).position
        except HexMarshalError:
            return None
        return after
