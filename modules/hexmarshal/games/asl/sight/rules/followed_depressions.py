"""Depressions followed by a line: how many of their hexsides it crosses one after another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hexmarshal.games.asl.sight.ground.ground_tables import Trait
from hexmarshal.vassal.vasl.grid import NONE

if TYPE_CHECKING:
    import numpy.typing as npt

    from hexmarshal.games.asl.sight.ground.ground_tables import Ground

    Ints = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]

__all__ = ["sunken_sides"]

_VERTICES = ((-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0))
"""Around a hex, in thirds of a column and half hexes."""


def sunken_sides(ground: Ground, start: Ints, end: Ints) -> Ints:
    """How many hexsides of depressions lines cross from their start, up to the first other one.

    A line through a vertex crosses no hexside.
    """
    grid, facts = ground.board.grid, ground.board.facts
    sunken = (ground.traits.take(facts.side_ground) & int(Trait.DEPRESSION)) != 0
    found = np.zeros(start.size, np.int64)
    lines, here = np.arange(start.size), start
    while lines.size:
        side = _way_out(ground, start[lines], end[lines], here)
        goes_on = (side >= 0) & sunken[here, side] & (here != end[lines])
        lines = lines[goes_on]
        here = grid.neighbours[here[goes_on], side[goes_on]]
        found[lines] += 1
        lines, here = lines[here != NONE], here[here != NONE]
    return found


def _way_out(ground: Ground, start: Ints, end: Ints, here: Ints) -> Ints:
    """The hexside by which lines leave a hex on their way, or -1 where it is a vertex."""
    grid = ground.board.grid
    right, down = (
        3 * (grid.column[end] - grid.column[start]),
        grid.half_row[end] - grid.half_row[start],
    )
    x, y = 3 * (grid.column[here] - grid.column[start]), grid.half_row[here] - grid.half_row[start]
    hands = [right * (y + dy) - down * (x + dx) for dx, dy in _VERTICES]
    side = np.full(here.size, -1, np.int64)
    for k in range(6):
        side[(hands[k] < 0) & (hands[(k + 1) % 6] > 0)] = k
    return side
