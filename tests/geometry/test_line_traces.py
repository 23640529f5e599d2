"""Traces: what a line crosses, in order, and that the answer depends on nothing but the line."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from placement import Placement, beside
from random_maps import random_map, random_place

from hexmarshal.errors import GeometryError
from hexmarshal.geometry.lattice.hex_route import (
    CellSpan,
    SideCross,
    SideRun,
    VertexPass,
    hex_pieces,
    lattice_point,
)
from hexmarshal.geometry.lattice.hexes import Hex, Hexside, Vertex
from hexmarshal.geometry.lattice.subdivision import cell_pieces
from hexmarshal.geometry.sight.trace import EventKind, ShapeContact, Trace, trace
from hexmarshal.geometry.terrain.outlines import Polygon
from hexmarshal.geometry.terrain.points import Point
from hexmarshal.geometry.terrain.terrain_map import Shape, TerrainMap, TerrainType

# One example is many comparisons: half as many of them.
HALF_AS_MANY = settings(max_examples=settings().max_examples // 2, deadline=None)

OPEN = TerrainMap({h: str(h) for h in Hex(0, 0).disk(6)})
NEAR = TerrainMap({h: str(h) for h in Hex(0, 0).disk(2)})
OUTLINES = {h: OPEN.outline(h) for h in Hex(0, 0).disk(4)}
SEEDS = st.integers(0, 10**9)


def test_a_line_to_the_second_hex_in_a_row_crosses_two_hexsides():
    line = trace(OPEN, Hex(0, 0), Hex(0, 2))
    assert line.cells == (Hex(0, 0), Hex(0, 1), Hex(0, 2))
    assert line.crossed == (Hexside(Hex(0, 0), 3), Hexside(Hex(0, 1), 3))
    assert line.point(line.pieces[2].end) == Point.of(0, 3)
    assert line.vertices == ()


def test_a_line_along_a_hexside_names_both_neighbours_and_both_vertices():
    line = trace(OPEN, Hex(0, 0), Hex(2, -1))
    assert line.cells == (Hex(0, 0), Hex(2, -1))
    (run,) = line.along
    assert set(run.cells) == {Hex(1, -1), Hex(1, 0)}
    assert (line.point(run.start), line.point(run.end)) == (Point.of(2, 0), Point.of(4, 0))
    assert line.vertices == (Hex(0, 0).vertex(2), Hex(2, -1).vertex(5))


def test_a_line_may_start_at_a_vertex_or_in_the_middle_of_a_hexside():
    corner = Hex(0, 0).vertex(2)
    line = trace(OPEN, corner, Hex(2, -1))
    assert [type(p) for p in line.pieces] == [VertexPass, SideRun, VertexPass, CellSpan]
    side = Hex(0, 0).side(3)
    line = trace(OPEN, side, Hex(0, 1))
    assert [type(p) for p in line.pieces] == [SideCross, CellSpan]
    assert line.crossed == (side,)


def test_shapes_are_entered_left_and_touched_in_order():
    kinds = {"house": TerrainType("house")}
    house = Shape("house", "house", Polygon.of([(-1, 2), (1, 2), (1, 3), (-1, 3)]))
    post = Shape("post", "house", Polygon.of([(0, 5), (2, 4), (2, 6)]))
    line = trace(replace(OPEN, types=kinds, shapes=(house, post)), Hex(0, 0), Hex(0, 4))
    happened = [(e.kind, e.at, e.what) for e in line.events() if e.what in ("house", "post")]
    assert happened == [
        (EventKind.ENTER_SHAPE, Point.of(0, 2), "house"),
        (EventKind.LEAVE_SHAPE, Point.of(0, 3), "house"),
        (EventKind.TOUCH_SHAPE, Point.of(0, 5), "post"),
    ]


@pytest.mark.parametrize(
    "place", [Hex(9, 9), Vertex(Hex(9, 9), 1), Hexside(Hex(9, 9), 1), Point.of(99, 99), "99"]
)
def test_places_off_the_map_are_refused(place):
    with pytest.raises(GeometryError) as error:
        trace(OPEN, Hex(0, 0), place)
    assert error.value.place.cell


@given(SEEDS)
def test_the_walk_on_the_lattice_agrees_with_cutting_every_hex_on_its_own(seed):
    rng = random.Random(seed)
    for _ in range(6):
        start, end = (lattice_point(random_place(rng, NEAR)) for _ in range(2))
        assert normal(hex_pieces(start, end)) == normal(cell_pieces(OUTLINES, start, end))


def normal(pieces):
    """Vertices as points and neighbours as sets, whose order the two tracers differ in."""
    told = []
    for piece in pieces:
        if isinstance(piece, VertexPass):
            place = piece.vertex if isinstance(piece.vertex, Point) else lattice_point(piece.vertex)
            told.append(("vertex", place, frozenset(piece.cells), piece.at))
        elif isinstance(piece, SideRun):
            told.append(("run", frozenset(piece.cells), piece.start, piece.end))
        else:
            told.append(piece if isinstance(piece, CellSpan) else ("cross", piece.side, piece.at))
    return told


@HALF_AS_MANY
@given(SEEDS)
def test_the_way_back_is_the_same_trace_reversed(seed):
    rng = random.Random(seed)
    terrain = random_map(seed)
    for _ in range(40):
        a, b = random_place(rng, terrain), random_place(rng, terrain)
        assert trace(terrain, b, a) == trace(terrain, a, b).reversed()


@HALF_AS_MANY
@given(SEEDS)
def test_shifting_turning_or_mirroring_the_map_does_the_same_to_the_trace(seed):
    rng = random.Random(seed)
    terrain = random_map(seed)
    move = Placement(
        Hex(rng.randint(-50, 50), rng.randint(-50, 50)), rng.randrange(6), rng.random() < 0.5
    )
    moved = move.map(terrain)
    for _ in range(30):
        a, b = random_place(rng, terrain), random_place(rng, terrain)
        there = trace(moved, placed(move, a), placed(move, b))
        assert there == placed_trace(move, trace(terrain, a, b))


@HALF_AS_MANY
@given(SEEDS)
def test_a_board_put_beside_changes_nothing(seed):
    rng = random.Random(seed)
    terrain = random_map(seed)
    other = Placement(Hex(rng.choice((-9, 9)), rng.randint(-4, 4))).map(random_map(seed + 1))
    both = beside(terrain, other, "b")
    for _ in range(20):
        a, b = random_place(rng, terrain), random_place(rng, terrain)
        alone, together = trace(terrain, a, b), trace(both, a, b)
        assert together.pieces == alone.pieces
        own = tuple(c for c in together.contacts if not c.shape.startswith("b"))
        assert own == alone.contacts


def placed(move, place):
    return move.point(place) if isinstance(place, Point) else move.place(place)


def placed_trace(move, line):
    pieces = []
    for piece in line.pieces:
        if isinstance(piece, CellSpan):
            pieces.append(CellSpan(move.hex(piece.cell), piece.start, piece.end))
        elif isinstance(piece, VertexPass):
            vertex = move.vertex(piece.vertex)
            pieces.append(VertexPass(vertex, vertex.hexes, piece.at))
        elif isinstance(piece, SideRun):
            side = move.side(piece.side)
            pieces.append(SideRun(side, side.hexes, piece.start, piece.end))
        else:
            side = move.side(piece.side)
            pieces.append(SideCross(side, side.hexes, piece.at))
    # A mirror swaps the two hands of a line; turns and shifts keep them.
    sign = -1 if move.mirror else 1
    contacts = tuple(
        ShapeContact(name, c._replace(hand=sign * c.hand)) for name, c in line.contacts
    )
    return Trace(move.point(line.start), move.point(line.end), tuple(pieces), contacts)


def test_on_squares_a_diagonal_passes_the_corner_between_four():
    squares = {
        (c, r): Polygon.of([(c, r), (c + 1, r), (c + 1, r + 1), (c, r + 1)])
        for c in range(3)
        for r in range(3)
    }
    board = TerrainMap({cell: f"{cell[0]}{cell[1]}" for cell in squares}, outlines=squares)
    line = trace(board, "00", "22")
    assert line.cells == ((0, 0), (1, 1), (2, 2))
    assert line.vertices == (Point.of(1, 1), Point.of(2, 2))
    assert trace(board, "22", "00") == line.reversed()
    straight = trace(board, "00", "20")
    assert straight.crossed == (frozenset({(0, 0), (1, 0)}), frozenset({(1, 0), (2, 0)}))
    assert straight.point(straight.pieces[0].end) == Point.of(1, Fraction(1, 2))
