"""Lines of sight: obstacles, hindrances, heights and the choices that a rule makes."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from placement import Placement, beside
from random_maps import TYPES, random_map, random_place

from hexmarshal.errors import GeometryError
from hexmarshal.geometry.lattice.hex_route import lattice_point
from hexmarshal.geometry.lattice.hexes import Hex, Hexside
from hexmarshal.geometry.sight.blind_hexes import BlindHexes
from hexmarshal.geometry.sight.line_of_sight import Sight, line_of_sight
from hexmarshal.geometry.sight.sight_rule import Profile, SidePolicy, SightRule
from hexmarshal.geometry.terrain.outlines import Polygon, Polyline
from hexmarshal.geometry.terrain.points import Point
from hexmarshal.geometry.terrain.terrain_map import Shape, TerrainMap

PLAIN = TerrainMap({h: f"{h.q},{h.r}" for h in Hex(0, 0).disk(8)}, TYPES)
SEEDS = st.integers(0, 10**9)
A, B = Hex(0, 0), Hex(0, 4)
LEFT, RIGHT = Hex(1, -1), Hex(1, 0)
ALONG = Hex(2, -1)


def on_plain(**layers):
    return replace(PLAIN, **layers)


def hex_polygon(cell):
    return Polygon((tuple(lattice_point(v) for v in cell.vertices()),))


def test_woods_between_block_and_say_where():
    sight = line_of_sight(on_plain(cell_terrain={Hex(0, 2): ("woods",)}), A, B)
    assert sight.blocked
    assert sight.reasons == ("0,2: woods blocks",)
    assert sight.range == 4


def test_woods_at_the_ends_do_not_block_unless_the_rule_says_so():
    terrain = on_plain(cell_terrain={A: ("woods",), B: ("woods",)})
    assert line_of_sight(terrain, A, B).visible
    assert line_of_sight(terrain, A, B, SightRule(end_cells=True)).blocked


def test_hindrances_add_up_and_too_many_block():
    terrain = on_plain(cell_terrain={Hex(0, 1): ("grain",), Hex(0, 2): ("smoke",)})
    sight = line_of_sight(terrain, A, B)
    assert (sight.blocked, sight.hindrance) == (False, 3)
    limited = line_of_sight(terrain, A, B, SightRule(hindrance_limit=3))
    assert limited.blocked
    assert "3 or more" in limited.reasons[-1]


def test_range_can_end_sight():
    assert line_of_sight(PLAIN, A, B, SightRule(max_range=3)).blocked
    assert line_of_sight(PLAIN, A, B, SightRule(max_range=4)).visible


def test_along_a_hexside_the_less_blocking_neighbour_counts():
    one = on_plain(cell_terrain={LEFT: ("woods",)})
    both = on_plain(cell_terrain={LEFT: ("woods",), RIGHT: ("house",)})
    assert line_of_sight(one, A, ALONG).visible
    assert line_of_sight(one, A, ALONG, SightRule(sides=SidePolicy.MORE_BLOCKING)).blocked
    sight = line_of_sight(both, A, ALONG)
    assert sight.blocked
    assert sight.obstacles[0].place == Hexside.between(LEFT, RIGHT)
    assert sight.obstacles[0].terrain == "house or woods"
    hindered = on_plain(cell_terrain={LEFT: ("woods",), RIGHT: ("grain",)})
    assert line_of_sight(hindered, A, ALONG).hindrance == 1


def test_between_two_houses_wall_to_wall_there_is_no_open_side():
    alone = on_plain(shapes=(Shape("left", "house", hex_polygon(LEFT)),))
    row = replace(alone, shapes=(*alone.shapes, Shape("right", "house", hex_polygon(RIGHT))))
    assert line_of_sight(alone, A, ALONG).visible
    assert line_of_sight(row, A, ALONG).blocked


def test_a_shape_that_is_only_touched_does_not_count_unless_the_rule_says_so():
    post = Shape("post", "house", Polygon.of([(0, 5), (1, 4), (1, 6)]))
    terrain = on_plain(shapes=(post,))
    assert line_of_sight(terrain, A, B).visible
    assert line_of_sight(terrain, A, B, SightRule(touch_counts=True)).blocked


def test_a_shape_in_an_end_cell_counts_only_where_it_leaves_that_cell():
    inside = Shape("hut", "house", Polygon.of([(-1, "0.5"), (1, "0.5"), (1, 1), (-1, 1)]))
    straddling = Shape("hut", "house", Polygon.of([(-1, "0.5"), (1, "0.5"), (1, 2), (-1, 2)]))
    assert line_of_sight(on_plain(shapes=(inside,)), A, B).visible
    assert line_of_sight(on_plain(shapes=(straddling,)), A, B).blocked


def test_walls_on_hexsides_block_away_from_the_ends():
    near, far = Hex(0, 0).side(3), Hex(0, 1).side(3)
    assert line_of_sight(on_plain(side_terrain={near: ("wall",)}), A, B).visible
    assert line_of_sight(on_plain(side_terrain={far: ("wall",)}), A, B).blocked
    strict = SightRule(near_sides=True)
    assert line_of_sight(on_plain(side_terrain={near: ("wall",)}), A, B, strict).blocked


def test_a_wall_drawn_as_a_line_blocks_what_crosses_it():
    wall = Shape("wall", "wall", Polyline.of([(-2, "3.5"), (2, "4.5")]))
    assert line_of_sight(on_plain(shapes=(wall,)), A, B).blocked
    short = Shape("wall", "wall", Polyline.of([(0, 4), (2, 4)]))
    assert line_of_sight(on_plain(shapes=(short,)), A, B).visible


def test_higher_ground_blocks_and_high_viewers_see_over_low_woods():
    hill = on_plain(levels={Hex(0, 2): Fraction(1)})
    assert line_of_sight(hill, A, B).reasons == ("0,2: higher ground blocks",)
    woods = on_plain(levels={A: Fraction(2), B: Fraction(2)}, cell_terrain={Hex(0, 2): ("woods",)})
    assert line_of_sight(woods, A, B).visible
    assert line_of_sight(woods, A, B, SightRule(profile=Profile.FLAT)).blocked
    assert line_of_sight(woods, A, B, a_level=0, b_level=0).blocked


def test_ground_as_high_as_the_viewers_does_not_block_but_woods_as_high_do():
    ridge = on_plain(levels={h: Fraction(1) for h in (A, Hex(0, 2), B)})
    assert line_of_sight(ridge, A, B).visible
    woods = on_plain(levels={A: Fraction(1), B: Fraction(1)}, cell_terrain={Hex(0, 2): ("woods",)})
    assert line_of_sight(woods, A, B).blocked
    assert line_of_sight(woods, A, B, SightRule(equal_blocks=False)).visible


def test_from_a_hill_the_hexes_behind_an_obstacle_are_blind():
    terrain = on_plain(levels={A: Fraction(2)}, cell_terrain={Hex(0, 2): ("woods",)})
    seen = [line_of_sight(terrain, A, Hex(0, r)).visible for r in range(3, 7)]
    assert seen == [False, True, True, True]


@pytest.mark.parametrize(
    ("viewer", "top", "distance", "count"),
    [(2, 1, 2, 1), (2, 1, 5, 2), (2, 1, 10, 3), (4, 1, 5, 1), (3, 2, 0, 2), (1, 0, 3, 0)],
)
def test_blind_hexes_grow_with_range_and_height_and_shrink_with_advantage(
    viewer, top, distance, count
):
    found = BlindHexes().count(viewer=viewer, top=top, lower=0, distance=distance)
    assert found == count


def test_a_slope_is_exact():
    rule = SightRule(profile=Profile.SLOPE, equal_blocks=False)
    terrain = on_plain(levels={A: Fraction(4), Hex(0, 2): Fraction(3, 2)})
    # The line falls from 4 to 0; over the hex from 3/8 to 5/8 of the way it is at 3/2 or more.
    assert line_of_sight(terrain, A, B, rule).visible
    higher = replace(
        terrain, levels={A: Fraction(4), Hex(0, 2): Fraction(3, 2) + Fraction(1, 10**9)}
    )
    assert line_of_sight(higher, A, B, rule).blocked


def test_sight_between_names_vertices_and_points():
    terrain = on_plain(cell_terrain={Hex(0, 2): ("woods",)})
    assert line_of_sight(terrain, "0,0", "0,4").blocked
    assert line_of_sight(terrain, A.vertex(2), Hex(0, 4).vertex(2)).visible
    assert line_of_sight(terrain, Point.of(0, 0), Point.of(0, 8)).blocked
    assert line_of_sight(terrain, A, A).visible


def test_a_hex_off_the_map_is_refused_by_name():
    with pytest.raises(GeometryError) as error:
        line_of_sight(PLAIN, A, Hex(20, 20))
    assert error.value.place.cell == "(20,20)"
    with pytest.raises(GeometryError, match="no cell 0,9"):
        line_of_sight(PLAIN, "0,0", "0,9")


def random_rule(rng):
    return SightRule(
        profile=rng.choice(list(Profile)),
        equal_blocks=rng.random() < 0.5,
        sides=rng.choice(list(SidePolicy)),
        end_cells=rng.random() < 0.2,
        near_sides=rng.random() < 0.3,
        along_sides=rng.random() < 0.3,
        touch_counts=rng.random() < 0.3,
        hindrance_limit=rng.choice((None, 2)),
    )


def told(sight: Sight, place=lambda place: place):
    """The findings without their order, which is the order of the line."""
    found = [
        (f.effect, place(f.place), f.terrain, f.value) for f in sight.obstacles + sight.hindrances
    ]
    return sight.blocked, sight.range, sorted(map(repr, found))


@given(SEEDS)
def test_who_sees_is_seen(seed):
    rng = random.Random(seed)
    terrain, rule = random_map(seed), random_rule(rng)
    for _ in range(40):
        a, b = random_place(rng, terrain), random_place(rng, terrain)
        assert told(line_of_sight(terrain, a, b, rule)) == told(line_of_sight(terrain, b, a, rule))


@given(SEEDS)
def test_sight_does_not_depend_on_where_the_map_lies(seed):
    rng = random.Random(seed)
    terrain, rule = random_map(seed), random_rule(rng)
    move = Placement(
        Hex(rng.randint(-40, 40), rng.randint(-40, 40)), rng.randrange(6), rng.random() < 0.5
    )
    moved = move.map(terrain)

    def placed(place):
        if isinstance(place, str):
            return place
        return move.point(place) if isinstance(place, Point) else move.place(place)

    for _ in range(30):
        a, b = random_place(rng, terrain), random_place(rng, terrain)
        there = line_of_sight(moved, placed(a), placed(b), rule)
        assert told(there) == told(line_of_sight(terrain, a, b, rule), placed)


@given(SEEDS)
def test_sight_does_not_depend_on_the_board_beside(seed):
    rng = random.Random(seed)
    terrain, rule = random_map(seed), random_rule(rng)
    # Far enough that no shape of the other board reaches over to this one.
    other = Placement(Hex(rng.choice((-14, 14)), rng.randint(-4, 4))).map(random_map(seed + 1))
    both = beside(terrain, other, "b")
    for _ in range(20):
        a, b = random_place(rng, terrain), random_place(rng, terrain)
        assert told(line_of_sight(both, a, b, rule)) == told(line_of_sight(terrain, a, b, rule))
