"""Which pixels lines touch, exactly and for many lines at once, the same from either end.

A pixel counts when the line passes through its inside; a line that runs along the edge between
two rows or columns of pixels touches both. In each row of pixels a line touches one stretch.
Which stretches these are depends only on how far and where the line goes and on where in its
pixel it begins, so that all lines of a map share some thousands of patterns of offsets. Only whole
numbers are used.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from hexmarshal.errors import GeometryError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]
    Points = tuple[Ints, Ints]

__all__ = ["Patterns", "Raster", "Runs", "patterns", "spread", "stretches"]

_MOST = 2_000_000
"""So many stretches are kept; then the store starts anew."""

_FAR = 1 << 24
_FINE = 1 << 12
_PHASES = 1 << 13
"""So many places in their pixels where lines begin can be told apart."""
_CHUNK = 1 << 17
"""So many stretches are looked at together: few enough to stay close to the processor."""
_FIELDS = ("value", "first", "last", "counts")


class Raster:
    """A flat raster of numbers, with the runs of equal numbers in each of its rows."""

    def __init__(self, values: npt.NDArray[np.integer], stride: int) -> None:
        self.values, self.stride = values, stride

    @cached_property
    def starts(self) -> npt.NDArray[np.int32]:
        """Where each run begins."""
        fresh = np.empty(self.values.size, np.bool_)
        np.not_equal(self.values[1:], self.values[:-1], out=fresh[1:])
        fresh[:: self.stride] = True
        return np.flatnonzero(fresh).astype(np.int32)

    @cached_property
    def run(self) -> npt.NDArray[np.int32]:
        """The number of the run of each pixel."""
        lengths = np.diff(self.starts, append=np.int32(self.values.size))
        return np.repeat(np.arange(self.starts.size, dtype=np.int32), lengths)

    @cached_property
    def value(self) -> npt.NDArray[np.integer]:
        """The number that each run shows."""
        return self.values.take(self.starts)


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """Runs of touched pixels that show the same number, line after line and in order of travel."""

    value: npt.NDArray[np.integer]
    first: Ints
    """The first and the last pixel of each run."""
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


def stretches(dx: int, dy: int, x: int, y: int, scale: int) -> tuple[Ints, Ints, Ints]:
    """The pixels touched from a point x, y by dx, dy, in order of travel.

    Rows, and the first and the last column touched in each. All in 1/scale of a pixel, and
    dx > 0, or dx == 0 and dy > 0.
    """
    left, right = x // scale, -(-(x + dx) // scale) - 1
    if dx == dy == 0:
        none = np.empty(0, np.int64)
        return none, none, none
    if dy == 0 and y % scale == 0:
        # Along an edge between rows: pixel by pixel, the one above the edge, then the one below.
        column = np.repeat(np.arange(left, right + 1), 2)
        return y // scale - 1 + np.arange(column.size) % 2, column, column
    if dy == 0:
        return np.array([y // scale]), np.array([left]), np.array([right])
    top, bottom = min(y, y + dy) // scale, -(-max(y, y + dy) // scale)
    row = np.arange(top, bottom) if dy > 0 else np.arange(bottom - 1, top - 1, -1)
    if dx == 0:
        # Along an edge between columns: both sides of it.
        return row, np.full_like(row, -(-x // scale) - 1), np.full_like(row, left)
    # How far down or up the edges between the rows are, and where the line crosses them.
    inside = y % scale if dy > 0 else -y % scale
    edge = (np.arange(row.size + 1) * scale - inside).clip(0, abs(dy))
    unit = scale * abs(dy)
    place = x * abs(dy) + edge * dx
    column = place // unit
    return row, column[:-1], column[1:] - (column * unit == place)[1:]


@lru_cache(maxsize=4)
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
        self._known: dict[int, tuple[Ints, Ints]] = {}
        self._phases: dict[int, int] = {}
        self._size = 0

    def runs(self, a: Points, b: Points, raster: Raster) -> Runs:
        """What lines from points a to points b meet in a raster."""
        parts = list(self.walk(a, b, raster))
        starts, counts = np.zeros((2, a[0].size), np.int64)
        if not parts:
            none = np.empty(0, np.int64)
            return Runs(none, none, none, counts)
        order = np.concatenate([lines for lines, _ in parts])
        found = Runs(*(np.concatenate([getattr(p, n) for _, p in parts]) for n in _FIELDS))
        starts[order], counts[order] = np.cumsum(found.counts) - found.counts, found.counts
        where = spread(starts, counts)
        return Runs(found.value[where], found.first[where], found.last[where], counts)

    def walk(self, a: Points, b: Points, raster: Raster) -> Iterator[tuple[Ints, Runs]]:
        """The same bit by bit, those of one pattern together: the lines, and what they meet.

        Lines without a length meet nothing and are left out.
        """
        (ax, ay), (bx, by) = a, b
        back = (bx < ax) | ((bx == ax) & (by < ay))
        x, y = np.where(back, bx, ax), np.where(back, by, ay)
        which, known = self._find(np.where(back, ax, bx) - x, np.where(back, ay, by) - y, x, y)
        base = y // self.scale * self.stride + x // self.scale
        lengths = np.array([first.size for first, _ in known], np.int64).take(which)
        order = np.argsort(which, kind="stable")
        order = order[lengths[order] > 0]
        sizes = lengths[order]
        cuts = np.flatnonzero(np.diff(np.cumsum(sizes) // _CHUNK)) + 1
        for low, high in pairwise((0, *cuts.tolist(), order.size)):
            lines = order[low:high]
            if not lines.size:
                continue
            first, last = np.empty((2, int(sizes[low:high].sum())), np.int64)
            at = 0
            groups = which[lines]
            heads = (0, *(np.flatnonzero(np.diff(groups)) + 1).tolist(), lines.size)
            for one, two in pairwise(heads):
                starts, ends = known[groups[one]]
                shift = base[lines[one:two], None]
                end = at + starts.size * (two - one)
                np.add(starts, shift, out=first[at:end].reshape(two - one, -1))
                np.add(ends, shift, out=last[at:end].reshape(two - one, -1))
                at = end
            found = _together(first, last, sizes[low:high], raster)
            turned = back[lines]
            yield lines, _reversed(found, turned) if turned.any() else found

    def _find(self, dx: Ints, dy: Ints, x: Ints, y: Ints) -> tuple[Ints, list[tuple[Ints, Ints]]]:
        """The patterns as offsets of first and last pixels, and which one each line has."""
        if dx.size and max(int(dx.max()), int(np.abs(dy).max())) >= _FAR:
            raise GeometryError("a line of sight longer than any map")
        x, y = x % self.scale, y % self.scale
        begins, phase = np.unique(x * self.scale + y, return_inverse=True)
        if begins.size > _PHASES:
            raise GeometryError("the lines begin at too many places in their pixels")
        if self._size > _MOST or len(self._phases) + begins.size > _PHASES:
            self._clear()
        numbers = [self._phases.setdefault(key, len(self._phases)) for key in begins.tolist()]
        keys = ((dx + _FAR) << 38) | ((dy + _FAR) << 13) | np.array(numbers, np.int64)[phase]
        wanted, at, which = np.unique(keys, return_index=True, return_inverse=True)
        found = []
        for key, i in zip(wanted.tolist(), at.tolist(), strict=True):
            pattern = self._known.get(key)
            if pattern is None:
                pattern = self._make(int(dx[i]), int(dy[i]), int(x[i]), int(y[i]))
                self._known[key] = pattern
            found.append(pattern)
        return which, found

    def _make(self, dx: int, dy: int, x: int, y: int) -> tuple[Ints, Ints]:
        row, first, last = stretches(dx, dy, x, y, self.scale)
        self._size += row.size
        row *= self.stride
        return row + first, row + last


def _together(first: Ints, last: Ints, counts: Ints, raster: Raster) -> Runs:
    """The runs on lines with these stretches; `counts` says how many each line has."""
    one, two = raster.run.take(first), raster.run.take(last)
    value = raster.value.take(one)
    split = np.flatnonzero(one != two)
    out = value.copy()
    out[split] = raster.value.take(two.take(split))
    head = np.zeros(value.size, np.bool_)
    head[np.cumsum(counts) - counts] = True
    # Most stretches only go on with what the one before ended in.
    fresh = head.copy()
    fresh[split] = True
    fresh[1:] |= value[1:] != out[:-1]
    chosen = np.flatnonzero(fresh)
    start, amount = one.take(chosen), two.take(chosen) - one.take(chosen) + 1
    run, stretch = spread(start.astype(np.int64), amount), np.repeat(chosen, amount)
    leads = np.ones(run.size, np.bool_)
    np.not_equal(stretch[1:], stretch[:-1], out=leads[1:])
    opens = leads & head.take(stretch)
    value = raster.value.take(run)
    new = opens.copy()
    new[1:] |= value[1:] != value[:-1]
    kept = np.flatnonzero(new)
    value, stretch, leads = value.take(kept), stretch.take(kept), leads.take(kept)
    begin = np.where(leads, first.take(stretch), raster.starts.take(run.take(kept)))
    # A run ends where the next begins: in the same row, or where the row before was left.
    end = np.empty_like(begin)
    end[-1:] = last[-1:]
    end[:-1] = np.where(leads[1:], last.take(stretch[1:] - 1), begin[1:] - 1)
    begins = np.flatnonzero(opens.take(kept))
    return Runs(value, begin, end, np.diff(begins, append=kept.size))


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
