"""Lists of actions that a game makes of a kind by itself: made once, and read by many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.rules import engine
from hexmarshal.rules.choosing.walk import holds

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from hexmarshal.rules.plugin import GamePlugin, Offer
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record

__all__ = ["MadeLists"]

# So many lists are kept.
_KEPT: Final = 48


class MadeLists:
    """Keeps the last lists, each as far as somebody has read it.

    A game that lists a kind by itself lists all of it, whatever is wanted: who asks for the
    actions of one unit, and then of another, would have it made again and again.
    """

    def __init__(self, plugin: GamePlugin) -> None:
        self._plugin = plugin
        self._lists: dict[object, _List] = {}

    def are_made(self, kinds: Collection[str]) -> bool:
        """Whether the game lists all these kinds by itself."""
        known = self._plugin.game.actions
        return bool(kinds) and all(known[name].offers is not None for name in kinds)

    def holding(
        self, position: Position, side: str, kinds: Collection[str], held: Record
    ) -> Iterator[Offer]:
        """The actions of these kinds that have these values."""
        key = (position, side, tuple(kinds))
        found = self._lists.pop(key, None)
        if found is None:
            found = _List(engine.offers(self._plugin, position, side, kinds))
        while len(self._lists) >= _KEPT:
            del self._lists[next(iter(self._lists))]
        self._lists[key] = found
        try:
            for offer in found:
                if holds(offer.action, held):
                    yield offer
        except Exception:
            # What is left of it nobody can read.
            self._lists.pop(key, None)
            raise


class _List:
    """What comes of an iterator, for several who read it."""

    def __init__(self, more: Iterator[Offer]) -> None:
        self._read: list[Offer] = []
        self._more = more

    def __iter__(self) -> Iterator[Offer]:
        number = 0
        while True:
            while number < len(self._read):
                yield self._read[number]
                number += 1
            one = next(self._more, None)
            if one is None:
                return
            self._read.append(one)
