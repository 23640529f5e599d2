"""An action being carried out: the kernel's ledger with the situation so far."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from hexmarshal.rules.state.ledger import Ledger

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hexmarshal.rules.dice import Dice
    from hexmarshal.rules.state.lifetimes import Lifetime
    from hexmarshal.rules.state.position import Position

__all__ = ["Execution"]

S = TypeVar("S")


class Execution(Ledger, Generic[S]):
    """What the effects of a game write into; `now` is always the situation so far."""

    __slots__ = ("_as_of", "_now", "situation_of")

    def __init__(
        self,
        position: Position,
        dice: Dice,
        lifetimes: Sequence[Lifetime],
        situation_of: Callable[[Position], S],
    ) -> None:
        super().__init__(position, dice, lifetimes)
        self.situation_of = situation_of
        self._now = situation_of(position)
        self._as_of = position

    @property
    def now(self) -> S:
        """The situation so far."""
        position = self.position
        if self._as_of is not position:
            self._now, self._as_of = self.situation_of(position), position
        return self._now
