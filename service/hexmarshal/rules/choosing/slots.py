"""A game's own values for some slots of an action, each by a function of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hexmarshal.rules.action import Action, Candidates
    from hexmarshal.rules.values import Value

__all__ = ["by_slot"]


def by_slot(**slots: Callable[[Any, Action], Iterable[Value] | None]) -> Candidates:
    """`candidates` or `listed` of an action type: for these slots what the functions give."""

    def values(situation: Any, action: Action, slot: str) -> Iterable[Value] | None:  # noqa: ANN401
        find = slots.get(slot)
        return None if find is None else find(situation, action)

    return values
