"""What the rules write into: the ledger of one action with the map and the tables around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.traces_of_war.state.situation import Situation
from hexmarshal.rules.state.ledger import Ledger

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hexmarshal.games.traces_of_war.state.board import Board
    from hexmarshal.games.traces_of_war.state.tables import Tables
    from hexmarshal.rules.dice import Dice
    from hexmarshal.rules.state.lifetimes import Lifetime
    from hexmarshal.rules.state.position import Position

__all__ = ["Play"]


class Play(Ledger):
    """One action being carried out; `now` is always the situation so far."""

    __slots__ = ("_board_of", "_now", "tables")

    def __init__(
        self,
        position: Position,
        dice: Dice,
        lifetimes: Sequence[Lifetime],
        board_of: Callable[[Position], Board],
        tables: Tables,
    ) -> None:
        super().__init__(position, dice, lifetimes)
        self.tables = tables
        self._board_of = board_of
        self._now: Situation | None = None

    @property
    def now(self) -> Situation:
        """The situation so far."""
        position = self.position
        if self._now is None or self._now.position is not position:
            self._now = Situation(position, self._board_of(position), self.tables)
        return self._now
