"""What lies on the line between every two hexes of a board, found once when it is loaded.

Whatever the levels of its ends, the line between two hex centres meets the same cells; a board of
ordinary size has some sixty thousand such lines, and a few megabytes hold all that can matter on
them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hexmarshal.games.asl.sight.ground.walk import walk, walk_one
from hexmarshal.vassal.vasl.outlines.ranges import ranges

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from hexmarshal.games.asl.sight.ground.ground_tables import Ground
    from hexmarshal.games.asl.sight.ground.raster import Raster
    from hexmarshal.games.asl.sight.ground.walk import Runs

    Ints = npt.NDArray[np.int64]
    Points = tuple[Ints, Ints]
    Part = tuple[npt.NDArray[np.integer], Ints, Ints]
    """Cells, their order on their lines, and the lines."""

__all__ = ["MOST_HEXES", "Found", "Profiles", "look", "look_one", "profiles_of"]

MOST_HEXES = 450
"""Larger maps have too many pairs of hexes; their lines are walked one by one."""

_PAYING = 6000
"""For so many lines it pays to leave out beforehand all that is below them."""


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

    What reaches no higher than the ground of the lower hex is left out for the most part, and so
    is what was met before, but for buildings: they must be known without a gap from either end.
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
        where = ranges(starts, counts)
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
    levels, lines_of = np.unique(floor, return_counts=True)
    levels = levels[(lines_of >= _PAYING) | (levels == levels[0])]
    floor = levels[np.searchsorted(levels, floor, side="right") - 1]
    totals = np.zeros(a.size, np.int64)
    parts = []
    for level in levels.tolist():
        some = np.flatnonzero(floor == level)
        raster = ground.raster.only(ground.cell_reach > level)
        for chosen, runs in _look(ground, raster, a[some], b[some]):
            lines = some[chosen]
            totals[lines] = runs.counts
            kept = np.flatnonzero(runs.value)
            cell, line = runs.value.take(kept), runs.line.take(kept)
            once = _once(ground, line, cell)
            order = runs.order.take(kept.take(once))
            parts.append((cell.take(once), order, lines.take(line.take(once))))
    found = _in_order(parts, totals, ground.raster.values.dtype)
    return Profiles(
        found.cell,
        found.order.astype(np.int16),
        np.concatenate([[0], np.cumsum(found.counts)]).astype(np.int32),
        found.totals.astype(np.int16),
        ground.ranks,
    )


def look(ground: Ground, a: Ints, b: Ints, points: tuple[Points, Points] | None = None) -> Found:
    """Walk the lines from hexes a to hexes b, between their centres or between other points."""
    totals = np.zeros(a.size, np.int64)
    parts = []
    for lines, runs in _look(ground, ground.raster, a, b, points):
        totals[lines] = runs.counts
        parts.append((runs.value, runs.order, lines.take(runs.line)))
    return _in_order(parts, totals, ground.raster.values.dtype)


def look_one(ground: Ground, a: int, b: int) -> list[int]:
    """The cells on the line from the centre of hex a to that of hex b."""
    grid, pad = ground.board.grid, ground.pad
    ends = ((int(grid.x[i]) + pad, int(grid.y[i]) + pad) for i in (a, b))
    return walk_one(ground.raster, grid.scale, *ends)


def _look(
    ground: Ground,
    raster: Raster,
    a: Ints,
    b: Ints,
    points: tuple[Points, Points] | None = None,
) -> Iterator[tuple[Ints, Runs]]:
    grid, pad = ground.board.grid, ground.pad
    (ax, ay), (bx, by) = points or ((grid.x[a], grid.y[a]), (grid.x[b], grid.y[b]))
    return walk(raster, grid.scale, (ax + pad, ay + pad), (bx + pad, by + pad))


def _in_order(parts: list[Part], totals: Ints, kind: np.dtype[np.integer]) -> Found:
    """Meetings by their lines; in the parts those of each line are together."""
    counts = np.zeros(totals.size, np.int64)
    for _, _, line in parts:
        counts += np.bincount(line, minlength=totals.size)
    starts = np.cumsum(counts) - counts
    cells, orders = np.empty(int(counts.sum()), kind), np.empty(int(counts.sum()), np.int32)
    for cell, order, line in parts:
        fresh = np.flatnonzero(np.diff(line, prepend=-1))
        where = ranges(starts.take(line.take(fresh)), np.diff(fresh, append=line.size))
        cells[where], orders[where] = cell, order
    return Found(cells, orders, counts, totals)


def _once(ground: Ground, line: Ints, cell: npt.NDArray[np.integer]) -> Ints:
    """Where something is met for the first time, or a building again."""
    key = line * ground.cell_reach.size + cell
    number = np.arange(key.size, dtype=np.int32)
    met = np.empty(int(key.max(initial=0)) + 1, np.int32)
    # Written from behind, so that the first one stays.
    met[key[::-1]] = number[::-1]
    first = met.take(key) == number
    return np.flatnonzero(first | ground.cell_is_building.take(cell))
