"""What these players are used to: what they announce, pay and mark whenever they do it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.table_comparison import changed
from hexmarshal.referee.interpret.log_dice import LogDice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.rules.action import Action

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
        start, dice = self._case.mind.belief, LogDice(self._case.mind.tray)
        after = start
        try:
            for action in actions:
                after = self._case.rules.apply(after, action, dice).position
        except HexMarshalError:
            return False
        for unit in changed(start, after):
            known, seen = after.units.get(unit), self._case.sights.units.get(unit)
            if known is not None and seen is not None and seen.contradicts(known):
                return True
        return any(
            self._case.books.apart(after, self._case.sights.books, item)
            for item in self._case.books.changed(start, after)
            if (item.of, item.name) in self._case.mind.kept
        )
