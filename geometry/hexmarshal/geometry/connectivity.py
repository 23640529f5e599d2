"""Which cells hang together: flood areas and connected components."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from hexmarshal.geometry.stategraph import Exits

__all__ = ["components", "flood"]

C = TypeVar("C", bound=Hashable)
S = TypeVar("S")


def flood(
    start: C, exits: Exits[C, S], passes: Callable[[C, C, S], bool] | None = None
) -> tuple[C, ...]:
    """The cells that can be come to from `start`, nearest first; `passes` says which steps go."""
    seen = {start: None}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        for to, side in exits(here):
            if to not in seen and (passes is None or passes(here, to, side)):
                seen[to] = None
                waiting.append(to)
    return tuple(seen)


def components(
    cells: Iterable[C], exits: Exits[C, S], passes: Callable[[C, C, S], bool] | None = None
) -> list[tuple[C, ...]]:
    """The groups of `cells` that hang together within `cells`, in order of their first cell.

    `passes` must hold both ways: where a step goes one way only, groups depend on the order.
    """
    inside = dict.fromkeys(cells)
    groups: list[tuple[C, ...]] = []
    grouped: set[C] = set()

    def within(here: C, to: C, side: S) -> bool:
        return to in inside and (passes is None or passes(here, to, side))

    for cell in inside:
        if cell not in grouped:
            groups.append(flood(cell, exits, within))
            grouped.update(groups[-1])
    return groups
