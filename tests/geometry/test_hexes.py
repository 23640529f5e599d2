"""Hex arithmetic against brute force, and hexsides and vertices as values."""

import math
import pickle
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexmarshal.errors import GeometryError
from hexmarshal.geometry.lattice.hexes import (
    CORNER_OFFSETS,
    DIRECTIONS,
    ORIGIN,
    Hex,
    Hexside,
    Offset,
    Orientation,
    Vertex,
    centre_lattice,
    hexside_lattice_doubled,
    vertex_lattice,
)

HEXES = st.builds(Hex, st.integers(-40, 40), st.integers(-40, 40))
STEPS = st.integers(-7, 7)


def drawn(hex):
    """The centre of a hex of side 1, flat top, y down."""
    return 1.5 * hex.q, math.sqrt(3) * (hex.r + hex.q / 2)


def bearing(one, other):
    """Degrees clockwise from straight up."""
    (ax, ay), (bx, by) = drawn(one), drawn(other)
    return math.degrees(math.atan2(bx - ax, ay - by)) % 360


def flood(start, radius):
    """Distances by walking from neighbour to neighbour."""
    found, edge = {start: 0}, [start]
    for steps in range(1, radius + 1):
        edge = [n for h in edge for n in h.neighbours() if n not in found]
        found.update(dict.fromkeys(edge, steps))
    return found


def test_distance_rings_and_disks_are_what_walking_finds():
    start = Hex(3, -5)
    walked = flood(start, 6)
    assert walked == {cell: start.distance(cell) for cell in start.disk(6)}
    for radius in range(7):
        ring = list(start.ring(radius))
        assert len(ring) == len(set(ring)) == max(1, 6 * radius)
        assert set(ring) == {cell for cell, steps in walked.items() if steps == radius}
        assert all(one.distance(other) == 1 for one, other in pairwise(ring))


def test_directions_run_clockwise_from_the_top():
    bearings = [bearing(ORIGIN, step) for step in DIRECTIONS]
    assert bearings == pytest.approx([0, 60, 120, 180, 240, 300])


@given(HEXES, HEXES)
def test_the_direction_is_the_nearest_of_the_six(one, other):
    if one == other:
        with pytest.raises(GeometryError):
            one.direction_to(other)
        return
    share = bearing(one, other) / 60
    nearest = [d % 6 for d in range(7) if abs(share - d) <= 0.5 + 1e-9]
    assert set(one.directions_to(other)) == set(nearest)


@given(HEXES, HEXES, STEPS)
def test_rotation_turns_bearings(hex, about, steps):
    turned = hex.rotated(steps, about)
    assert turned.rotated(-steps, about) == hex
    assert about.distance(turned) == about.distance(hex)
    if hex != about:
        expected = bearing(about, hex) + 60 * steps - bearing(about, turned)
        assert math.isclose((expected + 180) % 360, 180, abs_tol=1e-6)


@given(HEXES, HEXES, STEPS)
def test_a_mirror_image_mirrors_directions(hex, about, axis):
    image = hex.mirrored(axis, about)
    assert image.mirrored(axis, about) == hex
    for direction in range(6):
        beyond = hex.neighbour(direction).mirrored(axis, about)
        assert beyond == image.neighbour(2 * axis - direction)


@given(HEXES, HEXES, STEPS, st.sampled_from(range(60, 361, 60)), st.booleans())
def test_arcs_hold_what_their_angle_holds(one, other, facing, degrees, corner):
    middle = 60 * facing - (30 if corner else 0)
    off = abs((bearing(one, other) - middle + 180) % 360 - 180)
    assert one.in_arc(other, facing, degrees, corner=corner) == (
        one == other or off <= degrees / 2 + 1e-9
    )


@pytest.mark.parametrize("degrees", [0, 30, 61, 420, -60])
def test_other_arcs_are_refused(degrees):
    with pytest.raises(GeometryError, match="degrees"):
        ORIGIN.in_arc(Hex(1, 0), 0, degrees)


@given(HEXES, st.sampled_from(Offset))
def test_offset_coordinates_go_there_and_back(hex, offset):
    assert Hex.from_offset(*hex.to_offset(offset), offset) == hex


@pytest.mark.parametrize(
    ("offset", "upper_right_of_0_0"),
    [(Offset.ODD_Q, (1, -1)), (Offset.EVEN_Q, (1, 0))],
)
def test_odd_or_even_columns_are_shoved_down(offset, upper_right_of_0_0):
    assert Hex.from_offset(0, 0, offset).neighbour(1).to_offset(offset) == upper_right_of_0_0


@pytest.mark.parametrize(
    ("offset", "lower_right_of_0_0"), [(Offset.ODD_R, (0, 1)), (Offset.EVEN_R, (1, 1))]
)
def test_odd_or_even_rows_are_shoved_right(offset, lower_right_of_0_0):
    assert Hex.from_offset(0, 0, offset).neighbour(3).to_offset(offset) == lower_right_of_0_0


@given(HEXES, STEPS)
def test_a_hexside_is_the_same_from_both_sides(hex, direction):
    side = hex.side(direction)
    beyond = hex.neighbour(direction)
    assert side == beyond.side(direction + 3) == Hexside.between(beyond, hex)
    assert hash(side) == hash(beyond.side(direction + 3))
    assert set(side.hexes) == {hex, beyond}
    assert side.beyond(hex) == beyond
    assert side.seen_from(hex) == direction % 6
    assert pickle.loads(pickle.dumps(side)) == side
    assert set(side.vertices) == {hex.vertex(direction), hex.vertex(direction + 1)}


@given(HEXES, STEPS)
def test_a_vertex_is_the_same_from_its_three_hexes(hex, corner):
    vertex = hex.vertex(corner)
    assert hex in vertex.hexes
    assert len(set(vertex.hexes)) == 3
    assert {owner.vertex(vertex.seen_from(owner)) for owner in vertex.hexes} == {vertex}
    assert all(vertex in side.vertices for side in vertex.sides)
    assert vertex.seen_from(hex) == corner % 6
    assert pickle.loads(pickle.dumps(vertex)) == vertex


def test_hexes_hexsides_and_vertices_never_collide_as_keys():
    area = list(ORIGIN.disk(2))
    sides = {side for cell in area for side in cell.sides()}
    vertices = {vertex for cell in area for vertex in cell.vertices()}
    assert (len(sides), len(vertices)) == (72, 54)
    assert len({*area, *sides, *vertices}) == len(area) + len(sides) + len(vertices)


@given(HEXES)
def test_the_lattice_is_an_affine_image_of_the_drawing(hex):
    x, y = centre_lattice(hex)
    assert (x / 2, y * math.sqrt(3) / 2) == pytest.approx(drawn(hex))
    for corner, (dx, dy) in enumerate(CORNER_OFFSETS):
        assert vertex_lattice(hex.vertex(corner)) == (x + dx, y + dy)
    for direction, side in enumerate(hex.sides()):
        (ax, ay), (bx, by) = (vertex_lattice(v) for v in side.vertices)
        assert hexside_lattice_doubled(side) == (ax + bx, ay + by)
        assert side == hex.side(direction)


def test_sides_and_vertices_have_names_from_a_hex_that_has_one():
    names = {Hex(0, 0): "0101", Hex(0, -1): "0100"}
    by_name = {name: cell for cell, name in names.items()}
    side = Hex(0, 0).side(0)
    assert side.name(names.get) in ("0101/N", "0100/S")
    assert Hexside.named("0101/N", by_name.__getitem__) == side
    assert Hexside.named("0100/s", by_name.__getitem__) == side
    lonely = Hex(0, 0).side(3)
    assert lonely.name(names.get) == "0101/S"
    corner = Hex(0, 0).vertex(2)
    assert corner.name(names.get) == "0101@E"
    assert Vertex.named("0101@E", by_name.__getitem__) == corner
    assert corner.name(names.get, Orientation.POINTY) == "0101@NE"
    with pytest.raises(GeometryError, match="no hex"):
        Hex(9, 9).side(0).name(names.get)


@pytest.mark.parametrize("name", ["0101", "0101/X", "/", "", "0101/E"])
def test_what_is_no_hexside_is_refused_with_the_choices(name):
    with pytest.raises(GeometryError, match="not a hexside") as caught:
        Hexside.named(name, lambda _: ORIGIN)
    assert "NE" in caught.value.hint


def test_impossible_questions_are_refused():
    with pytest.raises(GeometryError):
        list(ORIGIN.ring(-1))
    with pytest.raises(GeometryError):
        Hexside.between(ORIGIN, Hex(2, 0))
    with pytest.raises(GeometryError):
        ORIGIN.side(0).beyond(Hex(5, 5))
    with pytest.raises(GeometryError):
        ORIGIN.vertex(0).seen_from(Hex(5, 5))


def test_the_package_loads_neither_numpy_nor_shapely():
    import subprocess
    import sys

    check = (
        "import sys, hexmarshal.geometry.lattice.hexes;"
        "sys.exit(bool({'numpy', 'shapely'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0
