"""Sets of cells as numbers say what sets of cells as sets say."""

from __future__ import annotations

import random
from collections import deque
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexmarshal.geometry.lattice.cellsets import HexSets, SquareSets
from hexmarshal.geometry.lattice.hexes import Hex
from hexmarshal.geometry.lattice.squares import Square

HEXES = HexSets({f"h{c}.{r}": Hex.from_offset(c, r) for c in range(-3, 6) for r in range(7)})
SQUARES = SquareSets({f"s{c}.{r}": Square(c, r) for c in range(8) for r in range(-2, 5)})
SEEDS = st.integers(0, 10**9)
KINDS = pytest.mark.parametrize("sets", [HEXES, SQUARES], ids=["hexes", "squares"])


def random_ways(sets, rng):
    closed = {(a, b) for a in sets.near for b in sets.near[a] if rng.random() < 0.3}
    return sets.ways(lambda a, b: (a, b) not in closed), closed


@KINDS
@given(seed=SEEDS)
def test_what_is_around_and_one_step_away(sets, seed):
    rng = random.Random(seed)
    some = set(rng.sample(sorted(sets.near), 9))
    mask = sets.mask(some)
    assert set(sets.names(mask)) == some
    assert set(sets.names(sets.around(mask))) == {b for a in some for b in sets.near[a]}
    ways, closed = random_ways(sets, rng)
    expected = {b for a in some for b in sets.near[a] if (a, b) not in closed}
    assert set(sets.names(sets.step(mask, ways))) == expected


def walked(sets, start, through, closed):
    """How far each cell is, by walking."""
    far = dict.fromkeys(start, 0)
    waiting = deque(start)
    while waiting:
        here = waiting.popleft()
        for to in sets.near[here]:
            if to in through and to not in far and (here, to) not in closed:
                far[to] = far[here] + 1
                waiting.append(to)
    return far


@KINDS
@given(seed=SEEDS, limit=st.integers(0, 12))
def test_a_set_spreads_through_open_cells(sets, seed, limit):
    rng = random.Random(seed)
    names = sorted(sets.near)
    start, through = rng.sample(names, 2), set(rng.sample(names, 45))
    ways, closed = random_ways(sets, rng)
    far = walked(sets, start, through, closed)
    found = sets.spread(sets.mask(start), sets.mask(through), ways, limit)
    assert set(sets.names(found)) == {name for name, steps in far.items() if steps <= limit}


@KINDS
@given(seed=SEEDS)
def test_a_path_is_shortest_and_open(sets, seed):
    rng = random.Random(seed)
    names = sorted(sets.near)
    start, through = rng.choice(names), set(rng.sample(names, 45))
    goals = {name: rng.randint(0, 9) for name in rng.sample(names, 3)}
    ways, closed = random_ways(sets, rng)
    far = walked(sets, [start], through, closed)
    within = [far[g] for g, limit in goals.items() if g in far and far[g] <= limit]
    path = sets.path(start, goals, sets.mask(through), ways)
    if not within:
        assert path == ()
        return
    assert len(path) - 1 == min(within)
    assert path[0] == start
    for here, to in pairwise(path):
        assert to in sets.near[here]
        assert to in through
        assert (here, to) not in closed


@KINDS
def test_a_disk_is_what_lies_near(sets):
    cell = sorted(sets.near)[20]
    for radius in range(4):
        far = walked(sets, [cell], set(sets.near), set())
        near = {name for name, steps in far.items() if steps <= radius}
        assert set(sets.names(sets.disk(cell, radius))) == near


def test_the_first_step_may_be_by_other_ways():
    nothing = HEXES.ways(lambda a, b: False)
    everything = HEXES.ways(lambda a, b: True)
    start = "h0.3"
    goal = HEXES.near[start][2]
    assert HEXES.path(start, {goal: 5}, HEXES.all, nothing) == ()
    assert HEXES.path(start, {goal: 5}, HEXES.all, nothing, everything) == (start, goal)
    assert HEXES.path(start, {}, HEXES.all, everything) == ()
