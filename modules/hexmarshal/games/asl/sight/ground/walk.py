"""What lines meet on a raster, for many lines at once and the same from either end."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from hexmarshal.games.asl.sight.ground.touched_pixels import patterns, stretches
from hexmarshal.vassal.vasl.outlines.ranges import ranges

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from hexmarshal.games.asl.sight.ground.raster import Raster
    from hexmarshal.games.asl.sight.ground.touched_pixels import Pattern

    Ints = npt.NDArray[np.int64]
    Small = npt.NDArray[np.int32]
    Flags = npt.NDArray[np.bool_]
    Points = tuple[Ints, Ints]

__all__ = ["Runs", "pixels", "walk", "walk_one"]

_CHUNK = 1 << 17
"""So many stretches are looked at together: few enough to stay close to the processor."""


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """Runs of touched pixels that show the same number, line after line and in order of travel."""

    value: npt.NDArray[np.integer]
    counts: Ints
    """How many runs each line has."""

    @property
    def line(self) -> Ints:
        """The line of each run."""
        return np.repeat(np.arange(self.counts.size), self.counts)

    @property
    def order(self) -> Ints:
        """The number of each run on its line, from 0."""
        return ranges(np.zeros_like(self.counts), self.counts)


def walk(raster: Raster, scale: int, a: Points, b: Points) -> Iterator[tuple[Ints, Runs]]:
    """What lines from points a to points b meet, bit by bit: the lines, and what they meet.

    Points are in 1/scale of a pixel. Lines without a length meet nothing and are left out.
    """
    (ax, ay), (bx, by) = a, b
    # The fewer rows a line crosses, the fewer stretches it has.
    steep = np.abs(by - ay) > np.abs(bx - ax)
    for lines, turned in ((np.flatnonzero(~steep), False), (np.flatnonzero(steep), True)):
        if not lines.size:
            continue
        ends = [(x[lines], y[lines]) for x, y in (a, b)]
        if turned:
            ends = [(y, x) for x, y in ends]
        for some, found in _walk(raster.turned if turned else raster, scale, *ends):
            yield lines[some], found


def walk_one(raster: Raster, scale: int, a: tuple[int, int], b: tuple[int, int]) -> list[int]:
    """What a single line from a to b meets, without the trouble of many."""
    if abs(b[1] - a[1]) > abs(b[0] - a[0]):
        raster, a, b = raster.turned, a[::-1], b[::-1]
    (x, y), (end_x, end_y) = sorted((a, b))
    pattern = patterns(scale, raster.stride).one(end_x - x, end_y - y, x % scale, y % scale)
    if not pattern.size:
        return []
    first = pattern[0] + (y // scale * raster.stride + x // scale)
    found: list[int] = _together(first, pattern[1], np.array([first.size]), raster).value.tolist()
    return found[::-1] if b < a else found


def pixels(scale: int, a: tuple[int, int], b: tuple[int, int]) -> list[tuple[int, int]]:
    """The columns and rows of the pixels that a single line touches, from a to b."""
    back = b < a
    (x, y), (end_x, end_y) = sorted((a, b))
    dx, dy, left, top = (np.array([value]) for value in (end_x - x, end_y - y, x, y))
    row, first, last, _ = stretches(dx, dy, left, top, scale)
    stretch = zip(row.tolist(), first.tolist(), last.tolist(), strict=True)
    found = [(column, at) for at, left, right in stretch for column in range(left, right + 1)]
    return found[::-1] if back else found


def _walk(raster: Raster, scale: int, a: Points, b: Points) -> Iterator[tuple[Ints, Runs]]:
    (ax, ay), (bx, by) = a, b
    back = (bx < ax) | ((bx == ax) & (by < ay))
    x, y = np.where(back, bx, ax), np.where(back, by, ay)
    store = patterns(scale, raster.stride)
    which, known = store.find(np.where(back, ax, bx) - x, np.where(back, ay, by) - y, x, y)
    base = (y // scale * raster.stride + x // scale).astype(np.int32)
    lengths = np.array([pattern.shape[1] for pattern in known], np.int64).take(which)
    order = np.argsort(which, kind="stable")
    order = order[lengths[order] > 0]
    sizes = lengths[order]
    cuts = np.flatnonzero(np.diff(np.cumsum(sizes) // _CHUNK)) + 1
    for low, high in pairwise((0, *cuts.tolist(), order.size)):
        lines, counts = order[low:high], sizes[low:high]
        if not lines.size:
            continue
        touched = _touched(which[lines], known, base[lines], int(counts.sum()))
        found = _together(*touched, counts, raster)
        turned = back[lines]
        yield lines, _reversed(found, turned) if turned.any() else found


def _touched(which: Ints, known: list[Pattern], base: Small, total: int) -> tuple[Small, Small]:
    """The stretches of lines with those patterns: first pixels, and how much farther they go."""
    touched = np.empty((2, total), np.int32)
    shift = np.zeros((2, base.size, 1), np.int32)
    shift[0, :, 0] = base
    at = 0
    # Those of one pattern come together.
    for one, two in pairwise((0, *(np.flatnonzero(np.diff(which)) + 1).tolist(), which.size)):
        pattern = known[which[one]]
        end = at + pattern.shape[1] * (two - one)
        np.add(
            pattern[:, None],
            shift[:, one:two],
            out=touched[:, at:end].reshape(2, two - one, pattern.shape[1]),
        )
        at = end
    return touched[0], touched[1]


def _together(first: Small, beyond: Small, counts: Ints, raster: Raster) -> Runs:
    """The runs on lines with these stretches; `counts` says how many each line has."""
    packed = raster.packed.take(first)
    several = (packed & ((1 << raster.bits) - 1)) <= beyond
    value = packed >> raster.bits
    split = np.flatnonzero(several)
    last = value.copy()
    last[split] = raster.values.take(first.take(split) + beyond.take(split))
    # Most stretches only go on with what the one before ended in.
    fresh = several
    fresh[1:] |= value[1:] != last[:-1]
    heads = np.cumsum(counts) - counts
    fresh[heads] = True
    chosen = np.flatnonzero(fresh)
    begin = first.take(chosen)
    start = raster.run.take(begin)
    amount = raster.run.take(begin + beyond.take(chosen)) - start + 1
    met = raster.value.take(ranges(start, amount))
    begins = (np.cumsum(amount) - amount).take(np.searchsorted(chosen, heads))
    new = np.empty(met.size, np.bool_)
    np.not_equal(met[1:], met[:-1], out=new[1:])
    new[begins] = True
    kept = np.flatnonzero(new)
    counts = np.diff(np.searchsorted(kept, begins), append=kept.size)
    return Runs(met.take(kept), counts)


def _reversed(runs: Runs, back: Flags) -> Runs:
    """The same with some lines travelled the other way."""
    ends = np.cumsum(runs.counts)
    turned = np.repeat(back, runs.counts)
    mirror = np.repeat(2 * ends - runs.counts - 1, runs.counts) - np.arange(turned.size)
    return Runs(runs.value[np.where(turned, mirror, np.arange(turned.size))], runs.counts)
