"""Pieces on the table: which lie open, and what those on a track show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.vassal.state.placed import PlacedPiece, PlacedStack

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hexmarshal.table.binding import Spot, TrackRule
    from hexmarshal.vassal.state.game_state import GameState

__all__ = ["loose", "shown_on"]


def shown_on(rule: TrackRule, lying: Mapping[Spot, Sequence[int]]) -> int | None:
    """The number on a track, by the pieces on its spots; None where a digit is missing."""
    if rule.count is not None:
        return len(lying.get(rule.count, ()))
    total = 0
    for spot in rule.digits:
        numbers = lying.get(spot, ())
        if not numbers:
            return None
        total = total * 10 + numbers[0]
    return total


def loose(state: GameState, on: str | None = None) -> Iterator[PlacedPiece]:
    """Every piece on a map, or on this one, and in no deck; stacks from bottom to top.

    In drawing order.
    """
    for item in list(state.table.items.values()):
        if on is not None and item.map != on:  # what is in a stack lies where the stack does
            continue
        if isinstance(item, PlacedStack):
            for member in state.members(item.id):
                if member.map is not None:
                    yield member
        elif isinstance(item, PlacedPiece):
            held = state.table.holders.get(item.id)
            if held is None and item.map is not None:
                yield item
