"""The hex grid of boards: names, neighbours, ranges, and a hex for every pixel."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from hexmarshal.vassal.vasl.grid import NONE, SIDES, grid_of, hex_name, owners
from hexmarshal.vassal.vasl.metadata import BoardMetadata, read_metadata, write_metadata


def metadata(**more) -> BoardMetadata:
    plain = {"building_types": {}, "slopes": {}, "embankments": {}, "partial_orchards": {}}
    return BoardMetadata(name="1", image="1.gif", width=33, height=10, **(plain | more))


GEO = grid_of(metadata(), 33, 10, 1800, 645)


def test_a_geomorphic_board_has_its_hexes():
    assert len(GEO.names) == 346
    assert GEO.names[:2] == ("A1", "A2")
    assert {"B0", "Z10", "AA1", "GG10"} <= set(GEO.names)


@pytest.mark.parametrize(
    ("column", "row", "first", "name"),
    [(0, 1, "A", "A1"), (26, 3, "A", "AA3"), (52, 0, "A", "AAA0"), (10, 7, "Q", "AA7")],
)
def test_columns_go_from_a_to_zz(column, row, first, name):
    assert hex_name(column, row, first) == name


def test_the_neighbours_of_e8_are_those_of_the_rulebook():
    index = GEO.by_name["E8"]
    assert [GEO.names[n] for n in GEO.neighbours[index]] == ["E7", "F7", "F8", "E9", "D8", "D7"]


def test_neighbours_are_mutual():
    for side in range(6):
        there = GEO.neighbours[:, side]
        known = there != NONE
        back = GEO.neighbours[there[known], (side + 3) % 6]
        assert np.array_equal(back, np.flatnonzero(known))
    assert len(SIDES) == 6


def test_range_counts_steps():
    start = GEO.by_name["K5"]
    reached, steps, edge = {start: 0}, 0, [start]
    while edge:
        steps += 1
        edge = [
            n for i in edge for n in GEO.neighbours[i].tolist() if n != NONE and n not in reached
        ]
        reached |= dict.fromkeys(edge, steps)
        edge = list(dict.fromkeys(edge))
    every = np.arange(len(GEO.names))
    assert GEO.range(every, np.full_like(every, start)).tolist() == [reached[i] for i in every]


def test_every_pixel_belongs_to_the_hex_whose_centre_is_nearest():
    owner = owners(GEO)
    assert owner.min() >= 0
    rng = np.random.default_rng(5)
    for row, column in rng.integers((0, 0), owner.shape, (300, 2)).tolist():
        # Hexes of VASL are a little wider than high: measure in hex sizes.
        x = (column + 0.5 - GEO.x / GEO.scale) / 56.25 * 3**0.5 / 2
        y = (row + 0.5 - GEO.y / GEO.scale) / 64.5
        away = np.hypot(x, y)
        assert away[owner[row, column]] <= away.min() + 1e-9


def test_metadata_survive_the_round():
    full = metadata(
        hex_width=Fraction("56.3125"),
        hex_height=Fraction("64.5"),
        a1_x=Fraction(-901),
        a1_y=Fraction("32.25"),
        building_types={"A1": "Stone Building"},
        slopes={"B2": frozenset({0, 5})},
    )
    assert read_metadata(write_metadata(full)) == full


def test_the_second_half_of_a_board_starts_at_q():
    half = grid_of(metadata(a1_x=Fraction(-901), hex_width=Fraction("56.3125")), 17, 20, 901, 1290)
    assert half.names[0] == "Q1"
    assert half.names[-1] == "GG20"
