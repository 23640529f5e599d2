"""A game's own values for some slots of an action: each by a function of its own, or in groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from hexmarshal.rules.action import Action, Candidates
    from hexmarshal.rules.values import Value

__all__ = ["Grouped", "by_slot"]

K = TypeVar("K")


class Grouped(Generic[K]):
    """Values in groups that are made when their turn comes: what each of several units may do.

    Whoever lists them gets all of them in order; whoever draws one draws a group first, and no
    other group is made.
    """

    __slots__ = ("keys", "of")

    def __init__(self, keys: Iterable[K], of: Callable[[K], Iterable[Value]]) -> None:
        self.keys = tuple(keys)
        self.of = of

    def __iter__(self) -> Iterator[Value]:
        for key in self.keys:
            yield from self.of(key)


def by_slot(**slots: Callable[[Any, Action], Iterable[Value] | None]) -> Candidates:
    """`candidates` or `listed` of an action type: for these slots what the functions give."""

    def values(situation: Any, action: Action, slot: str) -> Iterable[Value] | None:  # noqa: ANN401
        find = slots.get(slot)
        return None if find is None else find(situation, action)

    return values
