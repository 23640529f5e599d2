"""What is asked now: the units and cells that it is about, with the business that it belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.rules.plugin import Game
    from hexmarshal.rules.state.position import Position

__all__ = ["concerned_names", "names_in"]


def concerned_names(game: Game, position: Position) -> frozenset[str]:
    """All units and cells named by the last question, and by the business in progress below it.

    A retreat is asked for in a combat: its attackers belong to it, and the hex; those who have
    been activated for it, and did not fight, do not.
    """
    told: list[object] = []
    for frame in reversed(position.frames):
        kind = game.frames.get(frame.kind)
        if told and (kind is None or kind.asks):
            break
        told += (frame.about, *frame.agenda)
    return frozenset(names_in(told))


def names_in(values: Iterable[object]) -> Iterator[str]:
    """Every word in values of any depth."""
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, FrozenMap):
            yield from names_in(value.values())
        elif isinstance(value, tuple):
            yield from names_in(value)
