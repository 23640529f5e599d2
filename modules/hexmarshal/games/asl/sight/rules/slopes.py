"""Slopes: who looks down a slope hexside is half a level up, as far as that matters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from hexmarshal.games.asl.sight.hit import Amount, Truth
    from hexmarshal.vassal.vasl.grid import HexGrid

    Ints = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]

__all__ = ["down_slope", "sides_left_by"]


def sides_left_by(right: Amount, down: Amount) -> Iterator[tuple[int, Truth]]:
    """The hexsides by which lines leave their hex: two of them for a line through a vertex.

    `right` and `down` say where they go, in columns and half hexes; numbers or arrays of them.
    """
    steep, flat = abs(down) >= 3 * abs(right), abs(down) <= 3 * abs(right)
    yield 0, steep & (down < 0)
    yield 1, flat & (right > 0) & (down <= 0)
    yield 2, flat & (right > 0) & (down >= 0)
    yield 3, steep & (down > 0)
    yield 4, flat & (right < 0) & (down >= 0)
    yield 5, flat & (right < 0) & (down <= 0)


def down_slope(slope: Flags, grid: HexGrid, viewer: Ints, target: Ints) -> Flags:
    """Which lines leave the hexes of their viewers down a slope."""
    right: Any = grid.column[target] - grid.column[viewer]
    down: Any = grid.half_row[target] - grid.half_row[viewer]
    found = np.zeros(viewer.shape, np.bool_)
    for side, leaves in sides_left_by(right, down):
        found |= leaves & slope[viewer, side]
    return found
