"""Drags that may have been several things: the one that moves the tracks as players moved them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.interpret.log_dice import LogDice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.drags.drag_run import DragRun
    from hexmarshal.referee.interpret.deed import Deed
    from hexmarshal.referee.interpret.interpreter import Interpreter
    from hexmarshal.rules.action import Action
    from hexmarshal.table.reading.bookkeeping import Item

__all__ = ["DragsByBooks"]


class DragsByBooks:
    """Reads a drag by the track that was moved with it, and for which nothing else asks.

    A headquarters dropped far off may have marched there, or have relocated, which is counted.
    """

    def __init__(self, case: Case, interpreter: Interpreter) -> None:
        self._case, self._interpreter = case, interpreter

    def reading(
        self, run: DragRun, deeds: Sequence[Deed], likeliest: tuple[Action, ...]
    ) -> tuple[Action, ...]:
        """What a drag was that is right: the likeliest, unless the tracks tell of another kind."""
        moved = self._moved_with(run)
        if not moved or self._explains(likeliest, moved):
            return likeliest
        kinds = {action.kind for action in likeliest}
        for other in self._interpreter.read.readings(self._case.mind.belief, deeds):
            if kinds.isdisjoint(action.kind for action in other) and self._explains(other, moved):
                return other
        return likeliest

    def _moved_with(self, run: DragRun) -> list[Item]:
        """The tracks that were moved since a drag began, and for nothing that is known yet."""
        due = self._case.mind.due.items()
        return [
            item
            for item, one in due
            if item.of == "track" and one.entry is None and one.now.step >= run.first
        ]

    def _explains(self, reading: Sequence[Action], moved: Sequence[Item]) -> bool:
        """Whether it is right, and leaves tracks as they are shown."""
        case, at = self._case, self._case.mind.belief
        try:
            for action in reading:
                if not case.rules.check(at, action).legal:
                    return False
                at = case.rules.apply(at, action, LogDice(case.mind.tray)).position
        except HexMarshalError:
            return False
        return not any(case.books.apart(at, case.sights.books, item) for item in moved)
