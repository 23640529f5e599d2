"""What lies on the line between every two hexes of a board, found once when it is loaded.

Whatever the levels of its ends, the line between two hex centres meets the same cells; a board of
ordinary size has some sixty thousand such lines, and a few megabytes hold all that can matter on
them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hexmarshal.games.asl.sight.walk import patterns, spread

if TYPE_CHECKING:
    import numpy.typing as npt

    from hexmarshal.games.asl.sight.ground import Ground

    Ints = npt.NDArray[np.int64]
    Points = tuple[Ints, Ints]

__all__ = ["MOST_HEXES", "Found", "Profiles", "look", "profiles_of"]

MOST_HEXES = 450
"""Larger maps have too many pairs of hexes; their lines are walked one by one."""


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What lines meet, from end a to end b."""

    cell: npt.NDArray[np.integer]
    order: npt.NDArray[np.integer]
    """Its number among all that the line meets, those left out included."""
    counts: Ints
    """How many meetings of each line are here."""
    totals: Ints
    """How many meetings each line has, those left out included."""


@dataclass(frozen=True, slots=True, eq=False)
class Profiles:
    """The lines between all pairs of hexes, each from the hex that comes first by name.

    What reaches no higher than the ground of the lower hex is left out, and so is what was met
    before, but for buildings: they must be known without a gap from either end.
    """

    cell: npt.NDArray[np.integer]
    order: npt.NDArray[np.int16]
    starts: npt.NDArray[np.int32]
    totals: npt.NDArray[np.int16]
    position: Ints
    """The place of every hex in the order of names."""

    def find(self, a: Ints, b: Ints) -> Found:
        """The lines from hexes a to other hexes b, which come after them by name."""
        low = self.position.take(a)
        row = low * (2 * self.position.size - low - 1) // 2 + self.position.take(b) - low - 1
        starts = self.starts.take(row).astype(np.int64)
        counts = self.starts.take(row + 1) - starts
        where = spread(starts, counts)
        totals = self.totals.take(row).astype(np.int64)
        return Found(self.cell.take(where), self.order.take(where), counts, totals)

    def one(self, a: int, b: int) -> tuple[list[int], list[int], int]:
        """The line from hex a to hex b: its cells, in which order, and of how many."""
        low = int(self.position[a])
        row = low * (2 * self.position.size - low - 1) // 2 + int(self.position[b]) - low - 1
        part = slice(int(self.starts[row]), int(self.starts[row + 1]))
        return self.cell[part].tolist(), self.order[part].tolist(), int(self.totals[row])


def profiles_of(ground: Ground) -> Profiles:
    """Look along all pairs of hexes."""
    named = np.argsort(ground.ranks)
    first, second = np.triu_indices(named.size, 1)
    a, b = named[first], named[second]
    # No end is lower than the ground of its hex.
    floor = np.minimum(ground.hex_base.take(a), ground.hex_base.take(b))
    found = look(ground, a, b, floor=floor)
    return Profiles(
        found.cell,
        found.order.astype(np.int16),
        np.concatenate([[0], np.cumsum(found.counts)]).astype(np.int32),
        found.totals.astype(np.int16),
        ground.ranks,
    )


def look(
    ground: Ground,
    a: Ints,
    b: Ints,
    points: tuple[Points, Points] | None = None,
    floor: Ints | None = None,
) -> Found:
    """Walk the lines from hexes a to hexes b, between their centres or between other points.

    With a floor for each line only what reaches above it is told, and only once.
    """
    grid, pad = ground.board.grid, ground.pad
    (ax, ay), (bx, by) = points or ((grid.x[a], grid.y[a]), (grid.x[b], grid.y[b]))
    ends = ((ax + pad, ay + pad), (bx + pad, by + pad))
    totals = np.zeros(a.size, np.int64)
    parts = []
    for lines, runs in patterns(grid.scale, ground.stride).walk(*ends, ground.raster):
        totals[lines] = runs.counts
        cell, line, order = runs.value, runs.line, runs.order
        if floor is not None:
            kept = np.flatnonzero(ground.cell_reach.take(cell) > floor[lines].take(line))
            cell, line, order = cell.take(kept), line.take(kept), order.take(kept)
            kept = _once(ground, line, cell)
            cell, line, order = cell.take(kept), line.take(kept), order.take(kept)
        parts.append((cell, order.astype(np.int32), lines.astype(np.int32).take(line)))
    none = np.empty(0, np.int32)
    parts.append((none.astype(ground.raster.values.dtype), none, none))
    cell, order, line = (np.concatenate(values) for values in zip(*parts, strict=True))
    into = np.argsort(line, kind="stable")
    counts = np.bincount(line, minlength=a.size)
    return Found(cell.take(into), order.take(into), counts, totals)


def _once(ground: Ground, line: Ints, cell: npt.NDArray[np.integer]) -> Ints:
    """Where something is met for the first time, or a building again."""
    key = line * ground.cell_reach.size + cell
    number = np.arange(key.size, dtype=np.int32)
    met = np.empty(int(key.max(initial=0)) + 1, np.int32)
    # Written from behind, so that the first one stays.
    met[key[::-1]] = number[::-1]
    first = met.take(key) == number
    return np.flatnonzero(first | ground.cell_is_building.take(cell))
