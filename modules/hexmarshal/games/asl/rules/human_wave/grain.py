"""Hex grains: the row of hexes that a human wave makes for, and how far it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.games.asl.state.ground import Ground

__all__ = ["grain_through", "range_to"]

_STRAIGHT = 3


def _beyond(ground: Ground, cell: str, side: int) -> str:
    """The hex across a vertex: past the hexsides on both sides of it."""
    for one, two in ((side, side + 1), (side + 1, side)):
        half = ground.across(cell, one)
        if half and (far := ground.across(half, two)):
            return far
    return ""


def grain_through(ground: Ground, cell: str, line: int) -> tuple[str, ...]:
    """ASL-A25.23b: the hexes of a line through a hex: 0 to 2 by hexsides, 3 to 5 by vertices.

    An alternate grain runs along a hexside between two hexes now and then: both belong to it.
    """
    found = [cell]
    for turn in (0, 3):
        side, here = line % _STRAIGHT + turn, cell
        while here:
            if line < _STRAIGHT:
                here = ground.across(here, side)
            else:
                found += [one for n in (0, 1) if (one := ground.across(here, side + n))]
                here = _beyond(ground, here, side)
            if here:
                found.append(here)
    return tuple(dict.fromkeys(found))


def range_to(ground: Ground, cell: str, grain: Sequence[str]) -> int:
    """How many hexes a hex is from the nearest one of the grain."""
    return min(ground.distance(cell, one) for one in grain)
