"""Arrays of sight say exactly what the single calls say, for every rule and however degenerate."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_maps import random_map
from test_line_of_sight import PLAIN, random_rule

from hexmarshal.errors import GeometryError
from hexmarshal.geometry.lattice.hexes import Hex
from hexmarshal.geometry.sight.contacts import Meeting
from hexmarshal.geometry.sight.fields import packed_map, visible_from
from hexmarshal.geometry.sight.line_batch import _Batch, judge_lines
from hexmarshal.geometry.sight.line_of_sight import line_of_sight
from hexmarshal.geometry.sight.sight_rule import Profile, SightRule
from hexmarshal.geometry.terrain.outlines import Polygon
from hexmarshal.geometry.terrain.points import Affine

SEEDS = st.integers(0, 10**9)


def arrays(terrain, pairs, rule):
    field = packed_map(terrain)
    start, end = (np.array([field.position[c] for c in ends]) for ends in zip(*pairs, strict=True))
    judged = judge_lines(field, start, end, rule)
    return list(zip(judged.blocked.tolist(), judged.hindrance.tolist(), strict=True))


def singles(terrain, pairs, rule):
    sights = [line_of_sight(terrain, a, b, rule) for a, b in pairs]
    return [(s.blocked, s.hindrance) for s in sights]


@given(SEEDS)
def test_arrays_equal_single_calls(seed):
    rng = random.Random(seed)
    terrain = random_map(seed, shapes=rng.choice((0, 6, 12)), hills=rng.random() < 0.5)
    rule = replace(random_rule(rng), end_cells=False)
    cells = list(terrain.cells())
    pairs = [(rng.choice(cells), rng.choice(cells)) for _ in range(150)]
    assert arrays(terrain, pairs, rule) == singles(terrain, pairs, rule)


@given(SEEDS)
def test_coordinates_that_no_float_can_hold_change_nothing(seed):
    rng = random.Random(seed)
    terrain = random_map(seed, hills=False, shapes=10)
    tiny = Fraction(1, 10**25 + rng.randint(1, 9))
    nudge = Affine.shift(rng.choice((-tiny, 0, tiny)), rng.choice((-tiny, 0, tiny)))
    terrain = replace(
        terrain, shapes=tuple(replace(s, outline=s.outline.mapped(nudge)) for s in terrain.shapes)
    )
    cells = list(terrain.cells())
    pairs = [(rng.choice(cells), rng.choice(cells)) for _ in range(60)]
    rule = SightRule(profile=Profile.FLAT)
    assert arrays(terrain, pairs, rule) == singles(terrain, pairs, rule)


@given(SEEDS)
def test_a_line_is_blocked_by_shapes_exactly_if_its_trace_goes_into_one_between_the_end_cells(seed):
    rng = random.Random(seed)
    terrain = random_map(seed, hills=False, cells=0)
    opaque = replace(terrain.types["woods"], name="marsh")
    terrain = replace(terrain, types={**terrain.types, "marsh": opaque})
    terrain = replace(terrain, shapes=tuple(replace(s, terrain="marsh") for s in terrain.shapes))
    for _ in range(20):
        a, b = rng.sample(list(terrain.cells()), 2)
        sight = line_of_sight(terrain, a, b, SightRule(profile=Profile.FLAT))
        line = sight.trace
        out = max(p.end for p in line.pieces if p[0] == a)
        into = min(p.start for p in line.pieces if p[0] == b)
        entered = {
            name
            for name, c in line.contacts
            if (c.meeting is Meeting.INSIDE and max(c.start, out) < min(c.end, into))
            or (c.meeting is Meeting.CROSS and out < c.start < into)
        }
        found = {f.place for f in sight.obstacles}
        assert entered <= found
        # What else is found is squeezed between two shapes whose edges the line runs along.
        along = {name for name, c in line.contacts if c.meeting is Meeting.ALONG}
        assert found - entered <= along


def test_most_lines_are_settled_by_the_arrays_alone():
    terrain = random_map(3, columns=12, rows=10, shapes=20, cells=0, hills=False)
    off = Affine.shift(Fraction(1, 97), Fraction(1, 89))
    shapes = [s for s in terrain.shapes if isinstance(s.outline, Polygon)]
    shapes = [replace(s, outline=s.outline.mapped(off)) for s in shapes]
    terrain = replace(terrain, shapes=tuple(shapes))
    field = packed_map(terrain)
    start, end = np.triu_indices(len(field.cells_in_order))
    batch = _Batch.of(field, start, end, SightRule(profile=Profile.FLAT))
    batch.judge()
    assert batch.open.mean() < 0.02


def test_who_is_seen_from_a_cell_sees_it():
    terrain = random_map(11)
    fields = [visible_from(terrain, cell) for cell in terrain.cells()]
    visible = np.array([field.visible for field in fields])
    hindrance = np.array([field.hindrance for field in fields])
    assert (visible == visible.T).all()
    assert (hindrance == hindrance.T).all()
    assert all(cell in field.seen() for cell, field in zip(terrain.cells(), fields, strict=True))


def test_results_are_kept_by_the_maps_version_and_cannot_be_written():
    terrain, same = random_map(5), random_map(5)
    assert visible_from(terrain, Hex(0, 0)) is visible_from(same, Hex(0, 0))
    assert terrain.version == same.version
    changed = replace(terrain, levels={})
    assert changed.version != terrain.version
    assert visible_from(changed, Hex(0, 0)) is not visible_from(terrain, Hex(0, 0))
    with pytest.raises(ValueError, match="read-only"):
        visible_from(terrain, Hex(0, 0)).visible[0] = True


def test_cells_off_the_map_are_refused():
    with pytest.raises(GeometryError) as error:
        visible_from(PLAIN, Hex(50, 0))
    assert error.value.place.cell == "(50,0)"
