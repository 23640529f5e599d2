"""Which pixels lines touch, exactly: row by row the stretch of pixels that each one passes.

A pixel counts when the line passes through its inside; a line that runs along the edge between
two rows or columns of pixels touches both. Which stretches these are depends only on how far and
where the line goes and on where in its pixel it begins, so that all lines of a map share some
thousands of patterns of offsets. Only whole numbers are used.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from hexmarshal.errors import GeometryError
from hexmarshal.vassal.vasl.outlines.ranges import ranges

if TYPE_CHECKING:
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]
    Pattern = npt.NDArray[np.int32]
    """The offsets of the first pixels of stretches, and how much farther each of them goes."""

__all__ = ["Patterns", "patterns", "quotient", "stretches"]

_MOST = 6_000_000
"""So many stretches are kept; then the store starts anew."""

_TOGETHER = 300
"""So many patterns are made together: few enough to stay close to the processor."""

_FAR = 1 << 24
_FINE = 1 << 12
_PHASES = 1 << 13
"""So many places in their pixels where lines begin can be told apart."""


def stretches(dx: Ints, dy: Ints, x: Ints, y: Ints, scale: int) -> tuple[Ints, Ints, Ints, Ints]:
    """The pixels touched from points x, y by dx, dy, line after line and in order of travel.

    Rows, the first and the last column touched in each, and how many of these each line has. All
    in 1/scale of a pixel, and dx > 0, or dx == 0 and dy >= 0.
    """
    level = dy == 0
    along = level & (y % scale == 0)
    left, right = x // scale, -(-(x + dx) // scale) - 1
    down = np.maximum(np.abs(dy), 1)  # a level line has one row all the same
    inside = np.where(level, 0, np.where(dy < 0, -y, y) % scale)
    counts = np.where(along, 2 * (right + 1 - left), -(-(inside + down) // scale))
    counts[(dx == 0) & level] = 0
    line = np.repeat(np.arange(dx.size), counts)
    step = ranges(np.zeros_like(counts), counts)
    # How far down or up the edges of the row are, and where the line crosses them.
    edge = step * scale - inside.take(line)
    near = np.maximum(edge, 0)
    far = np.minimum(edge + scale, down.take(line))
    across, start, unit = dx.take(line), (x * down).take(line), (scale * down).take(line)
    first = quotient(near * across + start, unit)
    last = -quotient(-(far * across + start), unit) - 1
    row = (
        np.where(dy < 0, -(-y // scale) - 1, y // scale).take(line) + np.sign(dy).take(line) * step
    )
    if not dx.all():
        # Along an edge between columns: both sides of it.
        first, last = np.minimum(first, last), np.maximum(first, last)
    if along.any():
        aside = along.take(line)
        # Along an edge between rows: pixel by pixel, the one above the edge, then the one below.
        first = np.where(aside, left[line] + step // 2, first)
        last = np.where(aside, first, last)
        row = np.where(aside, y[line] // scale - 1 + step % 2, row)
    return row, first, last, counts


def quotient(number: Ints, unit: Ints) -> Ints:
    """The whole part of number / unit, rounded down: exact for numbers below 2**52, and quick.

    Those are floats without loss; a quotient that is not whole is 1 / unit or more off the next
    whole one, and rounding it changes it by less than that.
    """
    return np.floor(number / unit).astype(np.int64)


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
        self._known: dict[int, Pattern] = {}
        self._single: dict[tuple[int, int, int, int], Pattern] = {}
        self._phases: dict[int, int] = {}
        self._size = 0

    def find(self, dx: Ints, dy: Ints, x: Ints, y: Ints) -> tuple[Ints, list[Pattern]]:
        """The patterns of lines from x, y by dx, dy, and which one each line has."""
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
        names, known = wanted.tolist(), self._known
        missing = np.array([name not in known for name in names], np.bool_)
        if missing.any():
            at = at[missing]
            self._make(wanted[missing].tolist(), dx[at], dy[at], x[at], y[at])
        return which, [known[name] for name in names]

    def one(self, dx: int, dy: int, x: int, y: int) -> Pattern:
        """The pattern of a single line; it begins in the first pixel."""
        key = (dx, dy, x, y)
        pattern = self._single.get(key)
        if pattern is None:
            which, known = self.find(*(np.array([value]) for value in key))
            pattern = self._single[key] = known[int(which[0])]
        return pattern

    def _make(self, names: list[int], dx: Ints, dy: Ints, x: Ints, y: Ints) -> None:
        for at in range(0, len(names), _TOGETHER):
            some = slice(at, at + _TOGETHER)
            row, first, last, counts = stretches(dx[some], dy[some], x[some], y[some], self.scale)
            offsets = np.stack([row * self.stride + first, last - first]).astype(np.int32)
            ends = np.cumsum(counts)
            bounds = zip((ends - counts).tolist(), ends.tolist(), strict=True)
            self._known |= {
                name: offsets[:, start:end]
                for name, (start, end) in zip(names[some], bounds, strict=True)
            }
            self._size += row.size
