"""Which pixels lines touch, exactly and for many lines at once, the same from either end.

A pixel counts when the line passes through its inside; a line that runs along the edge between
two rows or columns of pixels touches both. Which pixels these are depends only on how far and
where the line goes and on where in its pixel it begins, so that all lines of a map share some
thousands of patterns of offsets. Only whole numbers are used.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from hexmarshal.errors import GeometryError

if TYPE_CHECKING:
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]
    Points = tuple[Ints, Ints]

__all__ = ["Patterns", "Runs", "patterns", "spread", "touched"]

_MOST = 12_000_000
"""So many offsets are kept; then the store starts anew."""

_FAR = 1 << 19
_FINE = 1 << 12
_BATCH = 64
_FIELDS = ("value", "first", "last", "counts")


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """Runs of touched pixels that show the same number, line after line and in order of travel."""

    value: npt.NDArray[np.integer]
    first: Ints
    """The first and the last pixel of each run, as places in the flat raster."""
    last: Ints
    counts: Ints
    """How many runs each line has."""

    @property
    def line(self) -> Ints:
        """The line of each run."""
        return np.repeat(np.arange(self.counts.size), self.counts)

    @property
    def order(self) -> Ints:
        """The number of each run on its line, from 0."""
        return spread(np.zeros_like(self.counts), self.counts)


def spread(starts: Ints, counts: Ints) -> Ints:
    """start, start + 1, ... for every start, as many as its count says."""
    before = np.cumsum(counts) - counts
    total = int(before[-1] + counts[-1]) if counts.size else 0
    places: Ints = np.arange(total) + np.repeat(starts - before, counts)
    return places


def touched(dx: Ints, dy: Ints, x: Ints, y: Ints, scale: int) -> tuple[Ints, Ints, Ints]:
    """The pixels touched from points x, y by dx, dy: columns, rows, and how many for each line.

    All in 1/scale of a pixel, and dx > 0, or dx == 0 and dy > 0; in order of travel.
    """
    tall = dx == 0
    along, run = np.where(tall, y, x), np.where(tall, dy, dx)
    across, rise = np.where(tall, x, y), np.where(tall, 0, dy)
    first = along // scale
    steps = -(-(along + run) // scale) - first
    line = np.repeat(np.arange(dx.size), steps)
    column = spread(first, steps)
    # Where the line enters and leaves each column, and its height there in 1/(scale * run).
    start, length = along[line], run[line]
    enter = np.maximum(column * scale, start) - start
    leave = np.minimum((column + 1) * scale, start + length) - start
    foot, slope, unit = (across * run)[line], rise[line], scale * length
    one, two = foot + enter * slope, foot + leave * slope
    low, high = np.minimum(one, two) // unit, -(-np.maximum(one, two) // unit)
    flat = slope == 0
    # Along an edge between pixels: both sides of it.
    low, high = np.where(flat, high - 1, low), np.where(flat, low + 1, high)
    counts = high - low
    number = spread(np.zeros_like(counts), counts)
    row = np.where(
        np.repeat(slope < 0, counts),
        np.repeat(high, counts) - 1 - number,
        np.repeat(low, counts) + number,
    )
    column = np.repeat(column, counts)
    turned = np.repeat(tall[line], counts)
    totals = np.bincount(line, weights=counts, minlength=dx.size).astype(np.int64)
    return np.where(turned, row, column), np.where(turned, column, row), totals


@lru_cache(maxsize=8)
def patterns(scale: int, stride: int) -> Patterns:
    """The store of patterns for rasters of that many pixels a row, shared by all boards."""
    return Patterns(scale, stride)


class Patterns:
    """Patterns of lines as offsets in a flat raster, made when first asked for."""

    def __init__(self, scale: int, stride: int) -> None:
        if scale >= _FINE:
            raise GeometryError(f"a hex grid in 1/{scale} of a pixel is too fine to look along")
        self.scale, self.stride = scale, stride
        self._clear()

    def _clear(self) -> None:
        self._known: dict[int, int] = {}
        self._offsets = np.empty(1 << 16, np.int64)
        self._starts = np.zeros(1, np.int64)

    def runs(self, a: Points, b: Points, raster: npt.NDArray[np.integer]) -> Runs:
        """What lines from points a to points b meet in the flat `raster`."""
        (ax, ay), (bx, by) = a, b
        back = (bx < ax) | ((bx == ax) & (by < ay))
        x, y = np.where(back, bx, ax), np.where(back, by, ay)
        which = self._find(np.where(back, ax, bx) - x, np.where(back, ay, by) - y, x, y)
        base = y // self.scale * self.stride + x // self.scale
        # Lines of one pattern are looked along together.
        order = np.argsort(which, kind="stable")
        cuts = np.flatnonzero(np.diff(which[order])) + 1
        parts = [
            self._together(int(which[group[0]]), base[group], raster)
            for group in np.split(order, cuts)
            if group.size
        ]
        if not parts:
            none = np.empty(0, np.int64)
            return Runs(none, none, none, none)
        counts = np.concatenate([part.counts for part in parts])
        found = Runs(*(np.concatenate([getattr(p, n) for p in parts]) for n in _FIELDS))
        if np.any(order[1:] < order[:-1]):
            place = np.empty_like(order)
            place[order] = np.cumsum(counts) - counts
            by_line = np.empty_like(counts)
            by_line[order] = counts
            where = spread(place, by_line)
            found = Runs(found.value[where], found.first[where], found.last[where], by_line)
        return _reversed(found, back) if back.any() else found

    def _together(self, which: int, base: Ints, raster: npt.NDArray[np.integer]) -> Runs:
        offsets = self._offsets[self._starts[which] : self._starts[which + 1]]
        places = base[:, None] + offsets
        values = raster.take(places)
        fresh = np.empty(values.shape, np.bool_)
        fresh[:, :1] = True
        np.not_equal(values[:, 1:], values[:, :-1], out=fresh[:, 1:])
        first = np.flatnonzero(fresh)
        last = np.empty_like(first)
        last[:-1], last[-1] = first[1:] - 1, values.size - 1
        flat = places.ravel()
        return Runs(
            values.ravel().take(first), flat.take(first), flat.take(last), fresh.sum(axis=1)
        )

    def _find(self, dx: Ints, dy: Ints, x: Ints, y: Ints) -> Ints:
        """The numbers of the patterns; missing ones are made."""
        if dx.size and max(int(dx.max()), int(np.abs(dy).max())) >= _FAR:
            raise GeometryError("a line of sight longer than any map")
        x, y = x % self.scale, y % self.scale
        keys = ((dx + _FAR) << 44) | ((dy + _FAR) << 24) | (x << 12) | y
        wanted, at, back = np.unique(keys, return_index=True, return_inverse=True)
        if int(self._starts[-1]) > _MOST:
            self._clear()
        known = self._known
        fresh = [i for i, key in enumerate(wanted.tolist()) if key not in known]
        if fresh:
            number = self._starts.size - 1
            known.update((int(wanted[i]), number + n) for n, i in enumerate(fresh))
            for low in range(0, len(fresh), _BATCH):
                some = at[fresh[low : low + _BATCH]]
                self._add(*touched(dx[some], dy[some], x[some], y[some], self.scale))
        return np.array([known[key] for key in wanted.tolist()], np.int64)[back]

    def _add(self, columns: Ints, rows: Ints, counts: Ints) -> None:
        end = int(self._starts[-1])
        while end + rows.size > self._offsets.size:
            self._offsets = np.concatenate([self._offsets, np.empty_like(self._offsets)])
        self._offsets[end : end + rows.size] = rows * self.stride + columns
        self._starts = np.concatenate([self._starts, end + np.cumsum(counts)])


def _reversed(runs: Runs, back: npt.NDArray[np.bool_]) -> Runs:
    """The same with some lines travelled the other way."""
    ends = np.cumsum(runs.counts)
    turned = np.repeat(back, runs.counts)
    mirror = np.repeat(2 * ends - runs.counts - 1, runs.counts) - np.arange(turned.size)
    order = np.where(turned, mirror, np.arange(turned.size))
    first, last = runs.first[order], runs.last[order]
    return Runs(
        runs.value[order], np.where(turned, last, first), np.where(turned, first, last), runs.counts
    )
