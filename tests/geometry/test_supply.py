"""Supply lines, connectivity and retreats."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexmarshal.errors import GeometryError
from hexmarshal.geometry.connectivity import components, flood
from hexmarshal.geometry.hexes import Hex, Hexside
from hexmarshal.geometry.reach import Movement
from hexmarshal.geometry.retreat import retreats
from hexmarshal.geometry.supply import LineRule, Stage, trace_supply

BOARD = frozenset(Hex(0, 0).disk(4))
HEXES = sorted(BOARD)
UNIT, SOURCE = Hex(-3, 0), Hex(3, 0)
LINE = UNIT.line(SOURCE)
ROAD = frozenset(Hexside.between(a, b) for a, b in pairwise(LINE[3:]))


def exits(cell: Hex) -> list[tuple[Hex, Hexside]]:
    return [(to, cell.side(d)) for d, to in enumerate(cell.neighbours()) if to in BOARD]


def stage(name="line", ends=frozenset([SOURCE]), length=None, **rule) -> Stage[Hex, Hexside]:
    return Stage(name, Movement(exits, LineRule(**rule)), ends, length)


def test_a_line_within_its_length_is_given_cell_by_cell():
    line = trace_supply(UNIT, [stage(length=6)])
    assert line.found
    assert line.cells == LINE
    assert line.cost == 6


def test_a_line_that_is_too_long_says_so():
    line = trace_supply(UNIT, [stage(length=5)])
    assert not line.found
    assert line.failed == "line"
    assert SOURCE not in line.searched
    assert SOURCE in line.blockers()["would cost 6 of 5"]


def test_a_line_goes_round_what_blocks_it():
    blocked = {Hex(0, 0): "an enemy unit"}
    line = trace_supply(UNIT, [stage(blocked=blocked)])
    assert line.found
    assert line.cost == 7
    assert Hex(0, 0) not in line.cells


def test_a_closed_ring_names_the_blockers():
    ring = dict.fromkeys(UNIT.neighbours(), "an enemy zone of control")
    line = trace_supply(UNIT, [stage(blocked=ring)])
    assert not line.found
    assert line.searched == (UNIT,)
    assert set(line.blockers()["an enemy zone of control"]) == set(UNIT.neighbours()) & BOARD


def test_hexsides_block_too():
    river = dict.fromkeys(UNIT.sides(), "an unbridged river")
    line = trace_supply(UNIT, [stage(blocked_sides=river)])
    assert {edge.why for edge in line.frontier} == {"an unbridged river"}


def test_a_unit_that_stands_in_a_blocked_cell_still_traces():
    assert trace_supply(UNIT, [stage(blocked={UNIT: "an enemy zone of control"})]).found


def test_two_stages_join_at_the_road():
    road_cells = frozenset(cell for side in ROAD for cell in side.hexes)
    off_road = stage("to the road", road_cells, length=3)
    on_road = stage("along the road", along=ROAD)
    line = trace_supply(UNIT, [off_road, on_road])
    assert [path.cost for path in line.paths] == [3, 3]
    assert line.cells == LINE
    assert line.paths[1].start == LINE[3]


def test_a_broken_road_fails_in_its_own_stage():
    road_cells = frozenset(cell for side in ROAD for cell in side.hexes)
    off_road = stage("to the road", road_cells, length=3)
    cut = ROAD - {Hexside.between(LINE[4], LINE[5])}
    line = trace_supply(UNIT, [off_road, stage("along the road", along=cut)])
    assert line.failed == "along the road"
    assert LINE[4] in line.searched
    assert Hex(2, 0) in line.blockers()["no road"]


def test_a_headquarters_in_reach_of_the_unit_but_not_of_the_source_is_passed_over():
    near, far = Hex(-3, 1), Hex(-1, 0)
    to_headquarters = stage("to a headquarters", frozenset([near, far]), length=2)
    to_source = stage("to the source", length=4)
    line = trace_supply(UNIT, [to_headquarters, to_source])
    assert line.paths[0].end == far


def test_a_line_without_stages_is_an_error():
    with pytest.raises(GeometryError, match="stage"):
        trace_supply(UNIT, [])


@given(st.frozensets(st.sampled_from(HEXES)))
def test_components_divide_the_cells_and_no_two_touch(cells):
    groups = components(sorted(cells), exits)
    assert sorted(cell for group in groups for cell in group) == sorted(cells)
    home = {cell: i for i, group in enumerate(groups) for cell in group}
    for cell in cells:
        for to, _ in exits(cell):
            assert to not in home or home[to] == home[cell]
    for group in groups:
        inside = set(group)
        assert set(flood(group[0], exits, lambda a, b, s, i=inside: b in i)) == inside


def test_a_flood_stops_at_the_hexsides_that_do_not_pass():
    wall = {side for side in Hex(0, 0).sides() if side != Hexside(Hex(0, 0), 0)}
    area = flood(
        Hex(0, 0), exits, lambda here, to, side: side not in wall and to.distance(Hex(0, -1)) <= 1
    )
    assert area[:2] == (Hex(0, 0), Hex(0, -1))
    assert set(area) == {Hex(0, 0), *Hex(0, -1).disk(1)}


def test_retreats_lead_away_from_the_enemy_best_first():
    enemy = Hex(0, -1)
    movement = Movement(exits, LineRule(blocked={Hex(0, 2): "occupied"}))
    found = retreats(
        movement,
        Hex(0, 0),
        2,
        distance=Hex.distance,
        enemies=[enemy],
        prefer=[lambda path: -enemy.distance(path.end), lambda path: path.end],
    )
    assert [r.cell for r in found if r.ranks[0] == -3] == [
        Hex(-2, 2),
        Hex(-1, 2),
        Hex(1, 1),
        Hex(2, 0),
    ]
    assert [r.ranks for r in found] == sorted(r.ranks for r in found)
    assert Hex(0, -2) not in {r.cell for r in found}  # behind the enemy


def test_a_surrounded_unit_has_no_retreat():
    ring = dict.fromkeys(Hex(0, 0).neighbours(), "an enemy zone of control")
    movement = Movement(exits, LineRule(blocked=ring))
    assert retreats(movement, Hex(0, 0), 1, distance=Hex.distance) == []


@given(st.sampled_from(HEXES), st.integers(0, 3), st.frozensets(st.sampled_from(HEXES), max_size=4))
def test_no_step_of_a_retreat_comes_nearer_to_an_enemy(start, steps, enemies):
    enemies = enemies - {start}
    movement = Movement(exits, LineRule(blocked=dict.fromkeys(enemies, "an enemy unit")))
    for retreat in retreats(movement, start, steps, distance=Hex.distance, enemies=sorted(enemies)):
        assert len(retreat.path.legs) == start.distance(retreat.cell) == steps
        for leg in retreat.path.legs:
            assert not enemies or min(map(leg.end.distance, enemies)) >= min(
                map(leg.start.distance, enemies)
            )


def test_a_retreat_of_less_than_nothing_is_an_error():
    with pytest.raises(GeometryError, match="-1"):
        retreats(Movement(exits, LineRule()), UNIT, -1, distance=Hex.distance)
