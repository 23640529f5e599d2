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
    """The lines between all pairs of hexes, each from the hex farther left or, in a column, up.

    What reaches no higher than the ground of the lower hex is left out.
    """

    cell: npt.NDArray[np.integer]
    order: npt.NDArray[np.int16]
    starts: npt.NDArray[np.int32]
    totals: npt.NDArray[np.int16]
    position: Ints
    """The place of every hex in that order."""

    def find(self, a: Ints, b: Ints) -> Found:
        """The lines from hexes a to other hexes b."""
        one, two = self.position.take(a), self.position.take(b)
        back = one > two
        low, high = np.minimum(one, two), np.maximum(one, two)
        row = low * (2 * self.position.size - low - 1) // 2 + high - low - 1
        starts, ends = self.starts.take(row), self.starts.take(row + 1)
        counts, totals = (ends - starts).astype(np.int64), self.totals.take(row).astype(np.int64)
        if not back.any():
            where = spread(starts, counts)
            return Found(self.cell.take(where), self.order.take(where), counts, totals)
        # A line asked for from its other end is read backwards: its places count from below 0.
        where = spread(np.where(back, 1 - ends, starts), counts)
        turned = np.repeat(back, counts)
        np.negative(where, out=where, where=turned)
        order = self.order.take(where)
        order = np.where(turned, np.repeat(totals, counts) - 1 - order, order)
        return Found(self.cell.take(where), order, counts, totals)

    def one(self, a: int, b: int) -> tuple[list[int], list[int], int]:
        """The line from hex a to hex b: its cells, in which order, and of how many."""
        i, j = int(self.position[a]), int(self.position[b])
        low, high = (i, j) if i < j else (j, i)
        row = low * (2 * self.position.size - low - 1) // 2 + high - low - 1
        part = slice(int(self.starts[row]), int(self.starts[row + 1]))
        cells, order = self.cell[part].tolist(), self.order[part].tolist()
        total = int(self.totals[row])
        if i > j:
            cells.reverse()
            order = [total - 1 - number for number in reversed(order)]
        return cells, order, total


def profiles_of(ground: Ground) -> Profiles:
    """Look along all pairs of hexes."""
    grid = ground.board.grid
    ranked = np.lexsort((grid.y, grid.x))
    position = np.empty_like(ranked)
    position[ranked] = np.arange(ranked.size)
    first, second = np.triu_indices(ranked.size, 1)
    a, b = ranked[first], ranked[second]
    # No end is lower than the ground of its hex.
    floor = np.minimum(ground.hex_base.take(a), ground.hex_base.take(b))
    found = look(ground, a, b, floor=floor)
    return Profiles(
        found.cell,
        found.order.astype(np.int16),
        np.concatenate([[0], np.cumsum(found.counts)]).astype(np.int32),
        found.totals.astype(np.int16),
        position,
    )


def look(
    ground: Ground,
    a: Ints,
    b: Ints,
    points: tuple[Points, Points] | None = None,
    floor: Ints | None = None,
) -> Found:
    """Walk the lines from hexes a to hexes b, between their centres or between other points.

    With a floor for each line only what reaches above it is told.
    """
    grid, pad = ground.board.grid, ground.pad
    (ax, ay), (bx, by) = points or ((grid.x[a], grid.y[a]), (grid.x[b], grid.y[b]))
    # Two hexes may share the vertex that is both ends of a line: there is nothing between.
    apart = np.flatnonzero((ax != bx) | (ay != by))
    one, two = ((x[apart] + pad, y[apart] + pad) for x, y in ((ax, ay), (bx, by)))
    totals = np.zeros(a.size, np.int64)
    if not apart.size:
        return Found(totals[:0], totals[:0], totals, totals)
    parts = []
    for some, runs in patterns(grid.scale, ground.stride).walk(one, two, ground.raster):
        lines = apart[some]
        totals[lines] = runs.counts
        line, order = np.repeat(lines, runs.counts), runs.order
        cell = runs.value
        if floor is not None:
            kept = np.flatnonzero(ground.cell_reach.take(cell) > floor.take(line))
            line, order, cell = line.take(kept), order.take(kept), cell.take(kept)
        parts.append((cell, order.astype(np.int32), line.astype(np.int32)))
    cell, order, line = (np.concatenate(values) for values in zip(*parts, strict=True))
    into = np.argsort(line, kind="stable")
    counts = np.bincount(line, minlength=a.size)
    return Found(cell.take(into), order.take(into), counts, totals)
