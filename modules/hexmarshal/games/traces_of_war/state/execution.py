"""What the rules write into: the ledger of one action with the map and the tables around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.traces_of_war.state.situation import Situation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from hexmarshal.games.traces_of_war.state.board import Board
    from hexmarshal.games.traces_of_war.state.tables import Tables
    from hexmarshal.rules.dice import Dice
    from hexmarshal.rules.frames import Frame
    from hexmarshal.rules.state.effects import Effect
    from hexmarshal.rules.state.ledger import Ledger
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.verdict import Applied, Resolution

__all__ = ["Play"]


class Play:
    """One action being carried out; `now` is always the situation so far."""

    __slots__ = ("_board_of", "_now", "ledger", "tables")

    def __init__(
        self,
        ledger: Ledger,
        board_of: Callable[[Position], Board],
        tables: Tables,
    ) -> None:
        self.ledger, self.tables = ledger, tables
        self._board_of = board_of
        self._now: Situation | None = None

    @property
    def position(self) -> Position:
        """The position so far."""
        return self.ledger.position

    @property
    def dice(self) -> Dice:
        """The dice of this action."""
        return self.ledger.dice

    @property
    def now(self) -> Situation:
        """The situation so far."""
        position = self.ledger.position
        if self._now is None or self._now.position is not position:
            self._now = Situation(position, self._board_of(position), self.tables)
        return self._now

    def do(self, *effects: Effect) -> None:
        """Let these happen now."""
        self.ledger.do(*effects)

    def decide(self, resolution: Resolution) -> None:
        """Write down what was decided, and let its effects happen now."""
        self.ledger.decide(resolution)

    def ask(
        self,
        kind: str,
        *sides: str,
        about: Mapping[str, object] | None = None,
        agenda: Iterable[Mapping[str, object]] = (),
    ) -> None:
        """Ask these sides to decide something; without sides it is business in progress."""
        self.ledger.ask(kind, *sides, about=about, agenda=agenda)

    def answered(self, kind: str) -> Frame:
        """The decision of this kind is made."""
        return self.ledger.answered(kind)

    def close(self) -> Applied:
        """The account."""
        return self.ledger.close()
