"""Sight over squares: exact, both ways, wherever the board lies, as a naive model has it."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import naive_squares as naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_maps import TYPES
from test_line_of_sight import random_rule, told
from test_sight_fields import arrays, singles

from hexmarshal.errors import GeometryError
from hexmarshal.geometry.lattice.squares import Square
from hexmarshal.geometry.sight.fields import packed_map, visible_from
from hexmarshal.geometry.sight.line_of_sight import line_of_sight, passed
from hexmarshal.geometry.sight.sight_rule import Profile, SidePolicy, SightRule
from hexmarshal.geometry.sight.trace import trace
from hexmarshal.geometry.sight.vantage import vantage_points
from hexmarshal.geometry.terrain.outlines import Polygon
from hexmarshal.geometry.terrain.points import Affine, Point
from hexmarshal.geometry.terrain.terrain_map import Shape, TerrainMap

# One example is many comparisons: half as many of them.
HALF_AS_MANY = settings(max_examples=settings().max_examples // 2, deadline=None)

SEEDS = st.integers(0, 10**9)
FLAT = SightRule(profile=Profile.FLAT)
MORE = SightRule(profile=Profile.FLAT, sides=SidePolicy.MORE_BLOCKING)
HALF = Fraction(1, 2)


def board(columns=7, rows=7, offset=(), **layers) -> TerrainMap:
    cells = [Square(c, r) for c in range(columns) for r in range(rows)]
    cells += [Square.at(*tile) for tile in offset]
    return TerrainMap({cell: str(cell) for cell in cells}, TYPES, **layers)


def random_tiles(rng) -> list[Square]:
    found: dict[Square, None] = {}
    for _ in range(rng.randint(1, 4)):
        x, y = rng.randint(1, 11), rng.randint(1, 11)
        tile = Square.at(Fraction(x, 2), Fraction(y, 2))
        if tile.is_offset and all(max(tile.apart(other)) >= 1 for other in found):
            found[tile] = None
    return list(found)


def random_board(seed: int, *, tiles=False, shapes=4, hills=True, sides=True) -> TerrainMap:
    rng = random.Random(seed)
    offset = random_tiles(rng) if tiles else []
    plain = board(offset=[(t.column, t.row) for t in offset])
    cells, kinds = list(plain.cells()), list(TYPES)
    walls = {
        frozenset((cell, beside)): (rng.choice(kinds),)
        for cell in rng.sample(cells[:49], 8)
        for beside in (cell.neighbour(rng.choice((0, 2, 4, 6))),)
    }
    return replace(
        plain,
        levels={c: Fraction(rng.choice((1, 1, 2, -1, HALF))) for c in rng.sample(cells, 8)}
        if hills
        else {},
        cell_terrain={c: (rng.choice(kinds),) for c in rng.sample(cells, 9)},
        side_terrain=walls if sides else {},
        vertex_terrain={c.corner(rng.randrange(4)): ("wall",) for c in rng.sample(cells[:49], 2)}
        if sides
        else {},
        shapes=tuple(Shape(f"s{k}", rng.choice(kinds), random_outline(rng)) for k in range(shapes)),
    )


def random_outline(rng) -> Polygon:
    over = rng.choice((1, 2, 4))
    while True:
        points = [
            (Fraction(rng.randint(-1, 7 * over), over), Fraction(rng.randint(-1, 7 * over), over))
            for _ in range(rng.randint(3, 5))
        ]
        try:
            return Polygon.of(points)
        except GeometryError:
            continue


def random_place(rng, terrain):
    """Mostly a square; else a corner, the middle of a side or any point in a square."""
    cell = rng.choice(list(terrain.cells()))
    choice = rng.random()
    if choice < 0.6:
        return cell
    if choice < 0.8:
        return cell.corner(rng.randrange(4))
    return Point(
        cell.column + Fraction(rng.randint(-2, 2), 4), cell.row + Fraction(rng.randint(-2, 2), 4)
    )


def test_a_straight_line_crosses_the_squares_between():
    terrain = board(cell_terrain={Square(3, 2): ("woods",)})
    sight = line_of_sight(terrain, Square(0, 2), Square(6, 2))
    assert sight.reasons == ("(3,2): woods blocks",)
    assert sight.range == 6
    assert line_of_sight(terrain, Square(0, 2), Square(3, 2)).visible


def test_at_a_corner_the_line_is_blocked_only_between_two_that_block():
    one, other = Square(2, 1), Square(1, 2)
    a, b = Square(0, 0), Square(4, 4)
    assert line_of_sight(board(cell_terrain={one: ("woods",)}), a, b).visible
    both = board(cell_terrain={one: ("woods",), other: ("house",)})
    sight = line_of_sight(both, a, b)
    assert sight.reasons == ("(1,1)@SE: house or woods blocks",)
    hindered = board(cell_terrain={one: ("woods",), other: ("grain",)})
    assert line_of_sight(hindered, a, b).hindrance == 1
    assert line_of_sight(hindered, a, b, MORE).blocked
    # It holds between neighbours too: there is no gap between two houses that meet at a corner.
    assert line_of_sight(both, Square(1, 1), Square(2, 2)).blocked


def test_walls_that_meet_at_a_corner_leave_no_gap_either():
    wall = ("wall",)
    north = frozenset((Square(2, 1), Square(2, 2)))
    west = frozenset((Square(1, 2), Square(2, 2)))
    a, b = Square(0, 0), Square(4, 4)
    assert line_of_sight(board(side_terrain={north: wall}), a, b).visible
    assert line_of_sight(board(side_terrain={north: wall, west: wall}), a, b).blocked


def test_an_aimed_corner_is_seen_past_the_squares_around_it():
    corner = Square(3, 3).corner(1)
    around = dict.fromkeys((Square(3, 3), Square(4, 3), Square(3, 4), Square(4, 4)), ("house",))
    assert line_of_sight(board(cell_terrain=around), Square(0, 0), corner).visible
    far = board(cell_terrain={Square(2, 2): ("house",)})
    assert line_of_sight(far, Square(0, 0), corner).blocked
    along = line_of_sight(far, Square(1, 1).corner(1), Square(5, 1).corner(1))
    assert along.visible
    assert [sorted(map(str, run.cells)) for run in along.trace.along][1] == ["(3,1)", "(3,2)"]


def test_along_a_grid_line_walls_across_it_count_where_both_sides_have_one():
    a, b = Square(0, 1).corner(1), Square(5, 1).corner(1)
    above = frozenset((Square(2, 1), Square(3, 1)))
    below = frozenset((Square(2, 2), Square(3, 2)))
    assert line_of_sight(board(side_terrain={above: ("wall",)}), a, b).visible
    assert line_of_sight(board(side_terrain={above: ("wall",), below: ("wall",)}), a, b).blocked


def test_what_is_passed_tells_squares_and_pairs_in_order():
    found = passed(board(), Square(0, 0), Square(3, 3))
    assert found == (
        (Square(1, 0), Square(0, 1)),
        (Square(1, 1),),
        (Square(2, 1), Square(1, 2)),
        (Square(2, 2),),
        (Square(3, 2), Square(2, 3)),
    )
    assert passed(board(), Square(0, 0), Square(2, 1)) == ((Square(1, 0),), (Square(1, 1),))


def test_a_tile_across_the_grid_lies_on_top():
    tile = Square.at("2.5", "2.5")
    terrain = board(offset=[("2.5", "2.5")], cell_terrain={tile: ("house",)})
    # Through the quarter of (2,2) that the tile covers, and through what is left of it.
    assert line_of_sight(terrain, Square(1, 4), Square(4, 1)).blocked
    assert line_of_sight(terrain, Square(0, 2), Square(1, 2)).visible
    # Along its left edge the open ground beside it counts.
    assert line_of_sight(terrain, Square(2, 0), Square(2, 5)).visible
    assert line_of_sight(terrain, Square(2, 0), Square(2, 5), MORE).blocked
    covered = replace(terrain, cell_terrain={Square(2, 2): ("house",)})
    assert line_of_sight(covered, Square(2, 0), Square(2, 5)).blocked
    assert line_of_sight(covered, Square.at(3, 2), Square.at(2, 3)).visible


def test_from_a_tile_its_own_ground_does_not_count():
    tile = Square.at("2.5", "2.5")
    terrain = board(offset=[("2.5", "2.5")], cell_terrain={tile: ("house",)})
    assert line_of_sight(terrain, tile, Square(5, 3)).visible
    assert line_of_sight(terrain, tile, Square(5, 3)).range == 2
    # The remnant of a square that the tile leaves over is a square like others.
    woods = replace(terrain, cell_terrain={Square(3, 3): ("woods",)})
    assert line_of_sight(woods, tile, Square(5, 3)).blocked


@HALF_AS_MANY
@given(SEEDS)
def test_who_sees_is_seen(seed):
    rng = random.Random(seed)
    terrain, rule = random_board(seed, tiles=rng.random() < 0.4), random_rule(rng)
    for _ in range(30):
        a, b = random_place(rng, terrain), random_place(rng, terrain)
        assert told(line_of_sight(terrain, a, b, rule)) == told(line_of_sight(terrain, b, a, rule))


class Move:
    """Mirrored, turned by quarters, shifted; of squares, sides, points and whole maps."""

    def __init__(self, rng) -> None:
        self.mirror, self.turns = rng.random() < 0.5, rng.randrange(4)
        self.by = (rng.randint(-40, 40), rng.randint(-40, 40))

    def square(self, square: Square) -> Square:
        turned = (square.mirrored() if self.mirror else square).rotated(self.turns)
        return Square(turned.column + self.by[0], turned.row + self.by[1])

    @property
    def affine(self) -> Affine:
        turned = Affine.of(-1, 0, 0, 0, 1, 0) if self.mirror else Affine.shift(0, 0)
        for _ in range(self.turns):
            turned = turned.then(Affine.of(0, -1, 0, 1, 0, 0))
        return turned.then(Affine.shift(*self.by))

    def __call__(self, place):
        if isinstance(place, Square):
            return self.square(place)
        if isinstance(place, frozenset):
            return frozenset(map(self.square, place))
        return self.affine(place) if isinstance(place, Point) else place

    def map(self, terrain: TerrainMap) -> TerrainMap:
        layers = ("names", "levels", "cell_terrain", "side_terrain", "vertex_terrain")
        return replace(
            terrain,
            **{n: {self(p): v for p, v in getattr(terrain, n).items()} for n in layers},
            shapes=tuple(replace(s, outline=s.outline.mapped(self.affine)) for s in terrain.shapes),
        )


@HALF_AS_MANY
@given(SEEDS)
def test_sight_does_not_depend_on_where_the_board_lies_or_how_it_is_turned(seed):
    rng = random.Random(seed)
    terrain, rule = random_board(seed, tiles=rng.random() < 0.4), random_rule(rng)
    move = Move(rng)
    moved = move.map(terrain)
    for _ in range(25):
        a, b = random_place(rng, terrain), random_place(rng, terrain)
        there = line_of_sight(moved, move(a), move(b), rule)
        here = line_of_sight(terrain, a, b, rule)
        assert told(there, spelt) == told(here, lambda place: spelt(move(place)))


def spelt(place):
    """A set of squares has no order of its own."""
    return sorted(place) if isinstance(place, frozenset) else place


@HALF_AS_MANY
@given(SEEDS, st.booleans(), st.booleans())
def test_the_naive_model_agrees(seed, tiled, more):
    rng = random.Random(seed)
    terrain = random_board(seed, tiles=tiled, shapes=0, hills=False, sides=False)
    cells = list(terrain.cells())
    tiles = {(c.column, c.row) for c in cells if c.is_offset}
    solid = {(c.column, c.row) for c, (kind,) in terrain.cell_terrain.items() if blocks(kind)}
    soft = {
        (c.column, c.row): TYPES[kind].hindrance
        for c, (kind,) in terrain.cell_terrain.items()
        if kind in ("grain", "smoke")
    }
    for _ in range(25):
        a, b = rng.choice(cells), rng.choice(cells)
        if a == b:
            continue
        sight = line_of_sight(terrain, a, b, MORE if more else FLAT)
        start, end = (tuple(map(Fraction, c)) for c in (a, b))
        blocked, hindrance = naive.sight(start, end, tiles, solid, soft, more=more)
        assert (sight.blocked, sight.hindrance) == (blocked, hindrance), (a, b)
        crossed, _ = naive.crossed(start, end, tiles)
        assert {tuple(map(Fraction, c)) for c in trace(terrain, a, b).cells} == crossed


def blocks(kind: str) -> bool:
    return kind in ("woods", "house", "wall")


@HALF_AS_MANY
@given(SEEDS)
def test_squares_cut_one_by_one_by_their_outlines_say_the_same(seed):
    rng = random.Random(seed)
    terrain = random_board(seed, shapes=2)
    outlined = replace(terrain, outlines={c: Polygon((c.corners(),)) for c in terrain.cells()})
    rule = replace(random_rule(rng), profile=rng.choice((Profile.FLAT, Profile.SLOPE)))
    cells = list(terrain.cells())
    for _ in range(4):
        a, b = rng.choice(cells), rng.choice(cells)
        on_grid, cut = line_of_sight(terrain, a, b, rule), line_of_sight(outlined, a, b, rule)
        assert told(on_grid, spelt)[::2] == told(cut, spelt)[::2]


@HALF_AS_MANY
@given(SEEDS)
def test_arrays_equal_single_calls(seed):
    rng = random.Random(seed)
    terrain = random_board(seed, shapes=rng.choice((0, 4, 9)), hills=rng.random() < 0.5)
    rule = replace(random_rule(rng), end_cells=False)
    cells = list(terrain.cells())
    pairs = [(rng.choice(cells), rng.choice(cells)) for _ in range(120)]
    assert arrays(terrain, pairs, rule) == singles(terrain, pairs, rule)


def test_a_field_of_sight_is_that_of_its_lines():
    terrain = random_board(4)
    field = visible_from(terrain, Square(3, 3))
    lines = [line_of_sight(terrain, Square(3, 3), cell).visible for cell in terrain.cells()]
    assert (field.visible == np.array(lines)).all()
    with pytest.raises(GeometryError, match="hexes or squares"):
        packed_map(random_board(4, tiles=True))


def test_who_covers_two_squares_has_neither_in_the_way():
    terrain = board(cell_terrain={Square(1, 2): ("house",)})
    assert line_of_sight(terrain, Square(0, 2), Square(4, 2)).blocked
    own = (Square(0, 2), Square(1, 2))
    assert line_of_sight(terrain, Square(0, 2), Square(4, 2), a_cells=own).visible
    assert passed(terrain, Square(0, 2), Square(4, 2), a_cells=own) == (
        (Square(2, 2),),
        (Square(3, 2),),
    )


@given(SEEDS)
@settings(max_examples=40)
def test_vantage_points_stand_for_all_points_between(seed):
    rng = random.Random(seed)
    terrain = random_board(seed, shapes=2, hills=False)
    front = Square(rng.randint(0, 6), rng.randint(0, 5))
    rear = front.neighbour(4)
    target = rng.choice([c for c in terrain.cells() if c not in (front, rear)])
    own = (front, rear)

    def seen(point):
        sight = line_of_sight(terrain, point, target, FLAT, a_cells=own)
        return sight.blocked, sight.hindrance

    points = vantage_points(terrain, front, rear, target)
    assert points[0] == front.middle
    assert points[-1] == rear.middle
    answers = {seen(point) for point in points}
    for _ in range(12):
        share = Fraction(rng.randint(0, 997), 997)
        assert seen(front.middle.towards(rear.middle, share)) in answers


def test_a_vehicle_sees_past_a_house_from_between_its_squares():
    terrain = board(cell_terrain={Square(3, 2): ("house",), Square(3, 4): ("house",)})
    front, rear, target = Square(0, 2), Square(0, 3), Square(6, 4)
    own = (front, rear)
    points = vantage_points(terrain, front, rear, target)
    clear = [p for p in points if line_of_sight(terrain, p, target, FLAT, a_cells=own).visible]
    assert clear
    assert not line_of_sight(terrain, rear, target, FLAT, a_cells=own).visible
