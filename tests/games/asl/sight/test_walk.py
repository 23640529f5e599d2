"""Which pixels a line touches: checked against fractions, pixel by pixel."""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hexmarshal.games.asl.sight.ground.raster import Raster
from hexmarshal.games.asl.sight.ground.touched_pixels import quotient, stretches
from hexmarshal.games.asl.sight.ground.walk import pixels, walk, walk_one

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
    touched = pixels(SCALE, a, b)
    found = set(touched)
    assert len(touched) == len(found)
    assert pixels(SCALE, b, a) == touched[::-1]
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


PAIRS = st.lists(st.tuples(POINT, POINT), min_size=1, max_size=12)


@given(PAIRS)
def test_the_stretches_of_many_lines_are_those_of_each(pairs):
    pairs = [sorted(pair) for pair in pairs]
    x, y, end_x, end_y = (np.array([p[i][j] for p in pairs]) for i in (0, 1) for j in (0, 1))
    row, first, last, counts = stretches(end_x - x, end_y - y, x, y, SCALE)
    assert (first <= last).all()
    ends = np.cumsum(counts).tolist()
    for (a, b), count, end in zip(pairs, counts.tolist(), ends, strict=True):
        some = slice(end - count, end)
        parts = zip(row[some].tolist(), first[some].tolist(), last[some].tolist(), strict=True)
        expected = pixels(SCALE, a, b)
        assert [(c, r) for r, left, right in parts for c in range(left, right + 1)] == expected


@given(st.integers(1, 2**25), st.integers(0, 2**26), st.integers(-2, 2))
def test_quotients_of_whole_numbers_are_exact_also_beside_whole_ones(unit, whole, beside):
    number = whole * unit + beside
    assert quotient(np.array([number]), np.array([unit])).tolist() == [number // unit]


@given(PAIRS, st.integers(0, 99), st.integers(1, 60))
def test_lines_meet_what_their_pixels_show_in_order_and_from_either_end(pairs, seed, kinds):
    wide, high, shift = 24, 20, 2 * SCALE
    numbers = np.random.default_rng(seed).integers(0, kinds, wide * high)
    raster = Raster(numbers, wide)
    a, b = (
        tuple(np.array([p[end][axis] for p in pairs]) + shift for axis in (0, 1)) for end in (0, 1)
    )
    met = {}
    for lines, runs in walk(raster, SCALE, a, b):
        ends = np.cumsum(runs.counts)
        for i, end in enumerate(ends.tolist()):
            part = slice(end - int(runs.counts[i]), end)
            met[int(lines[i])] = runs.value[part].tolist()
            assert (runs.line[part] == i).all()
            assert runs.order[part].tolist() == list(range(int(runs.counts[i])))
    for i in range(len(pairs)):
        one, two = ((int(x[i]), int(y[i])) for x, y in (a, b))
        shown = [int(numbers[row * wide + column]) for column, row in pixels(SCALE, one, two)]
        assert met.get(i, []) == [number for number, _ in groupby(shown)]
        assert walk_one(raster, SCALE, one, two) == met.get(i, [])


@given(st.integers(0, 99), st.integers(1, 9))
def test_a_raster_packs_numbers_and_what_is_left_of_their_runs(seed, kinds):
    wide = 13
    numbers = np.random.default_rng(seed).integers(0, kinds, wide * 7)
    for raster in (Raster(numbers, wide), Raster(numbers << 40, wide)):
        left = raster.packed & ((1 << raster.bits) - 1)
        assert (raster.packed >> raster.bits == raster.values).all()
        for i, go_on in enumerate(left.tolist()):
            row = raster.values[i : (i // wide + 1) * wide].tolist()
            assert go_on == len(next(list(run) for _, run in groupby(row)))


def test_a_raster_with_only_some_numbers_shows_nothing_for_the_others():
    raster = Raster(np.array([0, 1, 2, 3, 2, 1], np.int16), 3)
    some = raster.only(np.array([True, False, True, False]))
    assert some.values.tolist() == [0, 0, 2, 0, 2, 0]
    assert some.values.dtype == np.int16
    assert some.turned.values.tolist() == [0, 0, 0, 2, 2, 0]
    assert some.turned.stride == 2


def test_a_line_without_a_length_meets_nothing():
    raster = Raster(np.arange(400), 20)
    for point in ((20, 20), (21, 22), (20, 23)):
        here = (np.array([point[0], 8]), np.array([point[1], 8]))
        found = list(walk(raster, SCALE, here, (here[0] + [0, 9], here[1])))
        assert [lines.tolist() for lines, _ in found] == [[1]]
        assert found[0][1].value.size > 0
        assert pixels(SCALE, point, point) == []
