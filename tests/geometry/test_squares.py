"""Squares: neighbours, distances, arcs, turns; squares across the grid; footprints, templates."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexmarshal.errors import GeometryError
from hexmarshal.geometry.lattice.footprints import Footprint
from hexmarshal.geometry.lattice.squares import STEPS, Square
from hexmarshal.geometry.lattice.templates import Blast, Template
from hexmarshal.geometry.movement.terrain_costs import exits_of
from hexmarshal.geometry.sight.line_of_sight import line_of_sight
from hexmarshal.geometry.terrain.outlines import Polygon
from hexmarshal.geometry.terrain.points import Point
from hexmarshal.geometry.terrain.terrain_file import dump, loads
from hexmarshal.geometry.terrain.terrain_map import TerrainMap

# One example is many comparisons: half as many of them.
HALF_AS_MANY = settings(max_examples=settings().max_examples // 2, deadline=None)

WHOLE = st.integers(-20, 20)
SQUARES = st.builds(Square, WHOLE, WHOLE)
HALVES = st.builds(lambda x, y: Square.at(Fraction(x, 2), Fraction(y, 2)), WHOLE, WHOLE)
POINTS = st.builds(lambda x, y: Point(Fraction(x, 4), Fraction(y, 4)), WHOLE, WHOLE)
TURNS = st.integers(0, 3)


def board(columns: int, rows: int, *offset: tuple[str, str]) -> TerrainMap:
    cells = [Square(c, r) for c in range(columns) for r in range(rows)]
    cells += [Square.at(*at) for at in offset]
    return TerrainMap({cell: str(cell) for cell in cells})


@given(st.builds(Square, st.integers(-5, 5), st.integers(-5, 5)))
def test_the_distance_is_what_walking_takes(goal):
    seen, edge, steps = {Square(0, 0)}, {Square(0, 0)}, 0
    while goal not in seen:
        edge = {beside for square in edge for beside in square.neighbours()} - seen
        seen |= edge
        steps += 1
    assert Square(0, 0).distance(goal) == goal.distance(Square(0, 0)) == steps


@given(HALVES, st.integers(0, 6))
def test_rings_lie_at_their_distance(square, radius):
    ring = list(square.ring(radius))
    assert len(ring) == len(set(ring)) == max(1, 8 * radius)
    assert {square.distance(other) for other in ring} == {radius}
    assert len(set(square.disk(radius))) == (2 * radius + 1) ** 2


@given(HALVES, HALVES, TURNS)
def test_turns_and_mirrors_keep_distances_and_turn_directions(one, other, turns):
    turned = one.rotated(turns), other.rotated(turns)
    assert one.distance(other) == turned[0].distance(turned[1])
    assert one.distance(other) == one.mirrored().distance(other.mirrored())
    assert one.rotated(turns).rotated(-turns) == one == one.mirrored().mirrored()
    for direction in range(8):
        beside = one.neighbour(direction)
        assert one.direction_to(beside) == direction
        assert turned[0].direction_to(beside.rotated(turns)) == (direction + 2 * turns) % 8
        assert one.is_diagonal(beside) == bool(direction % 2)


def degrees_off(one: Square, other: Square, facing: int) -> int:
    """How far off a direction another square lies, in eighths of a circle and between them."""
    x, y = other.column - one.column, other.row - one.row
    # By signs alone: which directions it lies exactly in, or between which two.
    for k in range(8):
        fx, fy = STEPS[k]
        gx, gy = STEPS[(k + 1) % 8]
        if fx * y == fy * x and fx * x + fy * y > 0:
            off = (2 * (k - facing)) % 16
            return min(off, 16 - off)
        if fx * y - fy * x > 0 and gx * y - gy * x < 0:
            off = (2 * (k - facing) + 1) % 16
            return min(off, 16 - off)
    return 0


@given(SQUARES, SQUARES, st.integers(0, 7), st.sampled_from([90, 180, 270, 360]))
def test_an_arc_holds_what_lies_within_it_and_its_edges(one, other, facing, degrees):
    off = degrees_off(one, other, facing)
    assert one.in_arc(other, facing, degrees) == (one == other or off * 45 <= degrees)
    with pytest.raises(GeometryError, match="degrees"):
        one.in_arc(other, facing, 60)


def test_on_a_map_there_are_eight_exits_as_far_as_it_goes():
    terrain = board(3, 3)
    middle = exits_of(terrain)(Square(1, 1))
    assert [to for to, _ in middle] == list(Square(1, 1).neighbours())
    assert middle[0][1] == frozenset((Square(1, 1), Square(1, 0)))
    assert len(exits_of(terrain)(Square(0, 0))) == 3


def test_a_tile_is_entered_straight_on_from_the_eight_whole_squares_before_it():
    terrain = board(6, 6, ("2.5", "2.5"))
    tile = Square.at("2.5", "2.5")
    expected = {(1, 2), (1, 3), (4, 2), (4, 3), (2, 1), (3, 1), (2, 4), (3, 4)}
    assert set(terrain.neighbours(tile)) == {Square(*at) for at in expected}
    assert tile in terrain.neighbours(Square(1, 2))
    for part in (Square(2, 2), Square(3, 2), Square(2, 3), Square(3, 3), Square(1, 1)):
        assert tile not in terrain.neighbours(part)


def test_tiles_side_by_side_are_neighbours_and_leave_fewer_ways_in():
    terrain = board(7, 6, ("2.5", "2.5"), ("3.5", "2.5"))
    left, right = Square.at("2.5", "2.5"), Square.at("3.5", "2.5")
    assert right in terrain.neighbours(left)
    assert set(terrain.neighbours(left)) - {right} == {
        Square(*at) for at in ((1, 2), (1, 3), (2, 1), (3, 1), (2, 4), (3, 4))
    }


def test_a_tile_off_by_half_one_way_only_touches_the_squares_beside_it():
    terrain = board(6, 6, ("2.5", "2"))
    expected = {(1, 2), (4, 2), (2, 1), (3, 1), (2, 3), (3, 3)}
    found = set(terrain.neighbours(Square.at("2.5", "2")))
    assert found == {Square(*at) for at in expected}


@HALF_AS_MANY
@given(st.sets(st.tuples(st.integers(1, 11), st.integers(1, 11)), max_size=5))
def test_one_comes_back_the_way_one_came(spots):
    tiles = [Square.at(Fraction(x, 2), Fraction(y, 2)) for x, y in spots]
    tiles = [t for t in tiles if t.is_offset]
    apart = all(max(a.apart(b)) >= 1 for i, a in enumerate(tiles) for b in tiles[:i])
    offset = [(str(float(t.column)), str(float(t.row))) for t in tiles]
    if not apart:
        with pytest.raises(GeometryError, match="overlap"):
            board(7, 7, *offset).neighbours(Square(0, 0))
        return
    terrain = board(7, 7, *offset)
    for cell in terrain.cells():
        for beside in terrain.neighbours(cell):
            assert cell in terrain.neighbours(beside)


def test_a_vehicle_drives_and_turns_about_its_ends():
    tank = Footprint.of(Square(2, 2), Square(2, 3))
    assert tank == Footprint(Square(2, 2), 0)
    assert tank.driven(1).squares == (Square(2, 1), Square(2, 2))
    assert tank.driven(-1).squares == (Square(2, 3), Square(2, 4))
    assert tank.turned(1).squares == (Square(2, 2), Square(1, 3))
    assert tank.turned(1, about_rear=True).squares == (Square(3, 2), Square(2, 3))
    assert tank.distance(Square(2, 7)) == 4
    with pytest.raises(GeometryError, match="not neighbours"):
        Footprint.of(Square(0, 0), Square(0, 2))


@given(SQUARES, st.integers(0, 7), st.integers(-8, 8), st.booleans())
def test_turning_keeps_one_end_and_eight_turns_make_none(front, facing, turn, about_rear):
    tank = Footprint(front, facing)
    turned = tank.turned(turn, about_rear=about_rear)
    assert turned.turned(-turn, about_rear=about_rear) == tank
    assert turned.rear == tank.rear if about_rear else turned.front == tank.front
    assert Footprint.of(*turned.squares) == turned
    assert tank.driven(3).driven(-3) == tank


def test_a_blast_on_a_corner_covers_the_squares_around_it():
    terrain = board(6, 6)
    corner = Square(2, 2).corner(1)
    around = {Square(2, 2), Square(3, 2), Square(2, 3), Square(3, 3)}
    assert set(Blast.of("0.5").squares(terrain.cells(), corner)) == around
    # A disc as wide as four squares only touches those beyond.
    assert set(Blast.of(1).squares(terrain.cells(), corner)) == around
    assert len(Blast.of("1.01").squares(terrain.cells(), corner)) == 12
    with pytest.raises(GeometryError):
        Blast.of(0)


@given(POINTS, st.fractions(Fraction(1, 8), 3, max_denominator=8), SQUARES)
def test_a_blast_touches_what_has_a_point_within_its_radius(anchor, radius, square):
    steps = [Fraction(k, 64) for k in range(-32, 33)]
    nearest = min(
        (square.column + dx - anchor.x) ** 2 + (square.row + dy - anchor.y) ** 2
        for dx in (*steps[:: 1 if abs(square.column - anchor.x) < 2 else 64],)
        for dy in (*steps[:: 1 if abs(square.row - anchor.y) < 2 else 64],)
    )
    assert Blast.of(radius).touches(square, anchor) == (nearest < radius * radius)


@given(POINTS, st.fractions(Fraction(1, 8), 3, max_denominator=8), st.lists(HALVES))
def test_a_blast_finds_all_that_it_touches(anchor, radius, squares):
    blast = Blast.of(radius)
    found = blast.squares(squares, anchor)
    assert found == tuple(square for square in squares if blast.touches(square, anchor))


FLAME = Template(
    Polygon.of([(0, 0), ("-0.75", -3), ("0.75", -3)]),
    Polygon.of([(0, 0), (2, "-2.5"), ("2.5", -2)]),
)


def test_a_flame_reaches_where_it_points():
    terrain = board(7, 7)
    up = FLAME.squares(terrain.cells(), Square(3, 5).middle)
    assert set(up) == {Square(3, 5), Square(3, 4)} | {
        Square(c, r) for c in (2, 3, 4) for r in (2, 3)
    }
    aslant = FLAME.squares(terrain.cells(), Square(3, 5).middle, 1)
    assert {Square(4, 4), Square(5, 3)} <= set(aslant)
    with pytest.raises(GeometryError, match="diagonally"):
        Template(FLAME.straight).laid(Point.of(0, 0), 3)


@given(SQUARES, st.integers(0, 7), TURNS)
def test_a_template_turns_with_the_board(square, direction, turns):
    around = list(square.disk(4))
    here = FLAME.squares(around, square.middle, direction)
    turned = square.rotated(turns)
    there = FLAME.squares([s.rotated(turns) for s in around], turned.middle, direction + 2 * turns)
    assert there == tuple(s.rotated(turns) for s in here)


TOWN = """\
format: hexmarshal-terrain/1
grid: {kind: squares, columns: 8, rows: 6, width: 40, offset: {H1: [2.5, 1.5], H2: [3.5, 1.5]}}
terrain:
  house: {sight: obstacle, cost: {foot: 2}}
  wall: {sight: obstacle}
  road: {cost: {foot: 0.5}}
cells: {H1: house, H2: house, 0805: {terrain: house, level: 1}}
sides: {0105/N: wall, 0201|0301: wall}
vertices: {0505@SE: wall}
paths: [{terrain: road, cells: [0104, 0203, 0302]}]
shapes: [{name: shed, terrain: house, polygon: [[200, 180], [230, 180], [230, 200]]}]
"""


def test_a_file_of_squares_reads_and_writes_back():
    town = loads(TOWN)
    assert town.cell("H1") == Square.at("2.5", "1.5")
    assert town.cell_terrain[Square.at("3.5", "1.5")] == ("house",)
    assert frozenset((Square(0, 4), Square(0, 3))) in town.side_terrain
    assert Point.of("4.5", "4.5") in town.vertex_terrain
    assert town.describe(Point.of("4.5", "4.5")) == "0505@SE"
    assert loads(dump(town)) == town
    assert loads(dump(replace(town, grid=None))) == town
    assert town.polygon(Square(1, 1)).bounds == (40, 40, 80, 80)
    assert line_of_sight(town, "0201", "0604").blocked


@pytest.mark.parametrize(
    ("change", "says", "field"),
    [
        (("offset: {H1: [2.5, 1.5]", "offset: {H1: [2, 1]"), "on the grid", "grid.offset.H1"),
        (("H2: [3.5, 1.5]", "H2: [3, 1.5]"), "overlap", "grid.offset"),
        (("H2: [3.5, 1.5]", "0101: [3.5, 1.5]"), "another square", "grid.offset.0101"),
        (("H2: [3.5, 1.5]", "H2: [3.25, 1.5]"), "neither whole nor a half", "grid.offset.H2"),
        (("0201|0301", "0201|0302"), "meet at a corner", None),
        (("0105/N", "0105/NE"), "a square has no 'NE'", "sides.0105/NE"),
        (("0505@SE", "0505@S"), "a square has no 'S'", "vertices.0505@S"),
        (("[0104, 0203, 0302]", "[0104, 0302]"), "not neighbours", "paths.0.cells.1"),
        (("rows: 6,", "rows: 6, heigth: 9,"), "did you mean height", "grid.heigth"),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(change, says, field):
    assert change[0] in TOWN
    with pytest.raises(GeometryError) as caught:
        loads(TOWN.replace(*change))
    assert says in caught.value.message
    if field is not None:
        assert caught.value.place.field == field


@pytest.mark.parametrize(
    ("grid", "field"),
    [
        ("{kind: hex, width: 100, height: 100, numbring: {}}", "grid.numbring"),
        ("{kind: square, width: 100, height: 100, grid: {dz: 4}, numbering: {}}", "grid.grid.dz"),
        ("{kind: hex, width: 100, height: 100, numbering: {hof: 1}}", "grid.numbering.hof"),
        ("{kind: zoned, width: 9, height: 9, zones: [{nome: a}]}", "grid.zones.0.nome"),
        (
            "{kind: zoned, width: 9, height: 9, background: {kind: hex, grd: {}}}",
            "grid.background.grd",
        ),
        ("{kind: region, width: 9, height: 9, regions: [{nam: a}]}", "grid.regions.0.nam"),
    ],
)
def test_an_unknown_key_inside_the_grid_is_refused(grid, field):
    with pytest.raises(GeometryError, match="not known here") as caught:
        loads(f"format: hexmarshal-terrain/1\ngrid: {grid}\n")
    assert caught.value.place.field == field


def test_the_squares_of_a_vassal_grid_are_squares_too():
    terrain = loads(
        "format: hexmarshal-terrain/1\n"
        "grid: {kind: square, width: 240, height: 144, numbering: {}}\n"
        "terrain: {house: {sight: obstacle}}\n"
    )
    assert len(terrain.neighbours(terrain.cell("0202"))) == 8
    assert terrain.polygon(terrain.cell("0101")).bounds == (0, 0, 48, 48)
