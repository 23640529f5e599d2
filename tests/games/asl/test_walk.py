"""Which pixels a line touches: checked against fractions, pixel by pixel."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hexmarshal.games.asl.sight.walk import Patterns, Raster, stretches

SCALE = 4
POINT = st.tuples(st.integers(0, 60), st.integers(0, 60))


def inside(x1: Fraction, y1: Fraction, x2: Fraction, y2: Fraction, column: int, row: int) -> bool:
    """Whether the line passes through the inside of a pixel: clip it, and look at what is left."""
    low, high = Fraction(0), Fraction(1)
    for start, end, edge in ((x1, x2, column), (y1, y2, row)):
        if start == end:
            if not edge < start < edge + 1:
                return False
            continue
        near, far = sorted(((edge - start) / (end - start), (edge + 1 - start) / (end - start)))
        low, high = max(low, near), min(high, far)
    return low < high


@given(POINT, POINT)
def test_the_touched_pixels_are_those_that_the_line_passes_through(a, b):
    a, b = sorted((a, b))
    if a == b:
        return
    parts = stretches(b[0] - a[0], b[1] - a[1], *a, SCALE)
    rows = zip(*(part.tolist() for part in parts), strict=True)
    pixels = [(column, row) for row, first, last in rows for column in range(first, last + 1)]
    found = set(pixels)
    assert len(pixels) == len(found)
    x1, y1, x2, y2 = (Fraction(v, SCALE) for v in (*a, *b))
    expected = {(c, r) for c in range(16) for r in range(16) if inside(x1, y1, x2, y2, c, r)}
    if (a[0] == b[0] and a[0] % SCALE == 0) or (a[1] == b[1] and a[1] % SCALE == 0):
        # Along an edge between pixels: both sides of it.
        half = Fraction(1, 100)
        for dx, dy in ((half, 0), (-half, 0)) if a[0] == b[0] else ((0, half), (0, -half)):
            expected |= {
                (c, r)
                for c in range(-1, 17)
                for r in range(-1, 17)
                if inside(x1 + dx, y1 + dy, x2 + dx, y2 + dy, c, r)
            }
    assert found == expected


@given(st.lists(st.tuples(POINT, POINT), min_size=1, max_size=12), st.integers(0, 99))
def test_many_lines_at_once_and_from_either_end_meet_the_same(pairs, seed):
    pairs = [(a, b) for a, b in pairs if a != b] or [((0, 0), (5, 9))]
    raster = Raster(np.random.default_rng(seed).integers(0, 3, 20 * 20), 20)
    store = Patterns(SCALE, 20)
    shift = 2 * SCALE
    a, b = ([np.array([p[end][axis] for p in pairs]) + shift for axis in (0, 1)] for end in (0, 1))
    there, back = store.runs(tuple(a), tuple(b), raster), store.runs(tuple(b), tuple(a), raster)
    assert there.counts.tolist() == back.counts.tolist()
    ends = np.cumsum(there.counts)
    for i, end in enumerate(ends.tolist()):
        part = slice(end - int(there.counts[i]), end)
        assert there.value[part].tolist() == back.value[part][::-1].tolist()
        assert there.first[part].tolist() == back.last[part][::-1].tolist()
        single = Patterns(SCALE, 20).runs(
            (a[0][i : i + 1], a[1][i : i + 1]), (b[0][i : i + 1], b[1][i : i + 1]), raster
        )
        assert single.value.tolist() == there.value[part].tolist()


def test_a_line_without_a_length_meets_nothing():
    raster = Raster(np.arange(400), 20)
    for point in ((20, 20), (21, 22), (20, 23)):
        here = (np.array([point[0], 8]), np.array([point[1], 8]))
        runs = Patterns(SCALE, 20).runs(here, (here[0] + [0, 9], here[1]), raster)
        assert runs.counts.tolist()[0] == 0
        assert runs.counts.tolist()[1] == runs.value.size > 0
