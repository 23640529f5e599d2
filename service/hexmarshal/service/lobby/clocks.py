"""The clocks of a match: worked out from the times of its events, so that they need no keeping."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.service.lobby.terms import duration
from hexmarshal.v1 import match_terms_pb2 as terms_pb

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.service.lobby.terms import Terms

__all__ = ["Clocks"]


class Clocks:
    """One for each side; those run whose turn it is, as far as all can see. Microseconds."""

    def __init__(self, terms: Terms, sides: Iterable[str]) -> None:
        self._increment = terms.increment
        self._left = dict.fromkeys(sides, terms.main)
        self._running: frozenset[str] = frozenset()
        self._since = 0

    def run(self, sides: Iterable[str], now: int) -> None:
        """Let these run from now on, and no others."""
        self._left = {side: self.left(side, now) for side in self._left}
        self._running = frozenset(sides)
        self._since = now

    def acted(self, side: str, now: int) -> None:
        """Give a side back what it gets for an action."""
        if self.left(side, now) > 0:
            self._left[side] += self._increment

    def left(self, side: str, now: int) -> int:
        """What a side has left."""
        spent = max(0, now - self._since) if side in self._running else 0
        return max(0, self._left[side] - spent)

    def late(self, now: int) -> list[str]:
        """The sides whose time is up."""
        return [side for side in self._left if side in self._running and not self.left(side, now)]

    def messages(self, now: int) -> list[terms_pb.Clock]:
        """As they stand now."""
        return [
            terms_pb.Clock(
                side=side,
                left=duration(self.left(side, now)),
                running=side in self._running,
            )
            for side in self._left
        ]
