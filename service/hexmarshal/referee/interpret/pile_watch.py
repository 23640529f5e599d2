"""Watches the piles on the table: which cards and chits went from one to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hexmarshal.referee.case.mind import Sights
    from hexmarshal.table.reading import TableReader
    from hexmarshal.vassal.state.game_state import GameState

__all__ = ["PileWatch"]


class PileWatch:
    """Remembers what the piles held when they were last looked at."""

    def __init__(self, table: TableReader, state: Callable[[], GameState]) -> None:
        """`state` is the table as it is now."""
        self._table, self._state = table, state
        self._read: tuple[int, Mapping[str, tuple[str, ...]]] = (-1, {})
        self._lay = self.now()

    def now(self) -> Mapping[str, tuple[str, ...]]:
        """What the piles hold; read again when something has happened on the table."""
        state = self._state()
        if self._read[0] != state.done:
            self._read = (state.done, self._table.piles(state))
        return self._read[1]

    def go(self, step: int, sights: Sights) -> bool:
        """Whether a card or chit went from pile to pile in this step, which is noted then."""
        before, self._lay = self._lay, self.now()
        if before == self._lay:
            return False
        for name, cards in self._lay.items():
            new = (card for card in cards if card not in before.get(name, ()))
            sights.went.update(dict.fromkeys(new, step))
            if cards != before.get(name, ()):
                sights.touched[name] = step
        return True

    def go_back(self) -> None:
        """A step was undone: they hold what they held before it."""
        self._lay = self.now()
