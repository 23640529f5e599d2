"""Which hexes lie straight behind a vertex: lines to them run along hexsides."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from hexmarshal.vassal.vasl.grid import HexGrid

    Ints = npt.NDArray[np.int64]

__all__ = ["NO_VERTEX", "vertex_towards"]

NO_VERTEX = -1


def vertex_towards(grid: HexGrid, start: Ints, end: Ints) -> Ints:
    """The vertices through which lines from centre to centre leave their first hexes, or -1."""
    right = grid.column[end] - grid.column[start]
    down = grid.half_row[end] - grid.half_row[start]
    level = np.where(right > 0, 2, 5)
    steep = np.where(down > 0, np.where(right > 0, 3, 4), np.where(right > 0, 1, 0))
    along = ((down == 0) | (np.abs(down) == 3 * np.abs(right))) & (right != 0)
    return np.where(along, np.where(down == 0, level, steep), NO_VERTEX)
