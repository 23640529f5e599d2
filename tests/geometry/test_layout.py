"""The way between the lattice and pixels."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexmarshal.errors import GeometryError
from hexmarshal.geometry.lattice.hexes import Hex, Orientation, centre_lattice
from hexmarshal.geometry.lattice.layout import Layout

HEXES = st.builds(Hex, st.integers(-30, 30), st.integers(-30, 30))
LAYOUTS = st.builds(
    Layout,
    st.sampled_from(Orientation),
    st.floats(2, 200),
    st.floats(2, 200),
    st.floats(-100, 100),
    st.floats(-100, 100),
)


@given(LAYOUTS, st.floats(-1000, 1000), st.floats(-1000, 1000))
def test_a_pixel_goes_to_the_lattice_and_back(layout, x, y):
    assert layout.pixel(*layout.lattice(x, y)) == pytest.approx((x, y), abs=1e-6)


@given(LAYOUTS, HEXES)
def test_a_hex_holds_its_centre_and_every_point_near_it(layout, hex):
    x, y = layout.centre(hex)
    assert layout.hex_at(x, y) == hex
    for cx, cy in layout.corners(hex):
        assert layout.hex_at(x + 0.99 * (cx - x), y + 0.99 * (cy - y)) == hex


@given(HEXES)
def test_a_border_belongs_to_the_hex_with_the_smallest_coordinates(hex):
    layout = Layout(Orientation.FLAT, 30, 20)
    x, y = centre_lattice(hex)
    middle_of_north = layout.pixel(x, y - 1)
    assert layout.hex_at(*middle_of_north) == min(hex, hex.neighbour(0))
    assert layout.lattice(*middle_of_north) == (x, y - 1)


@pytest.mark.parametrize("orientation", list(Orientation))
def test_regular_hexes_have_six_equal_sides(orientation):
    layout = Layout.regular(orientation, side=10)
    corners = layout.corners(Hex(2, -1))
    sides = [math.dist(corners[i], corners[i - 1]) for i in range(6)]
    assert sides == pytest.approx([10] * 6)
    top = min(corners, key=lambda corner: corner[1])
    assert sum(math.isclose(c[1], top[1]) for c in corners) == (
        2 if orientation is Orientation.FLAT else 1
    )


def test_directions_point_where_their_names_say():
    for orientation in Orientation:
        layout = Layout.regular(orientation, side=10)
        for direction, name in enumerate(orientation.direction_names):
            x, y = layout.centre(Hex(0, 0).neighbour(direction))
            assert ("N" in name) == (y < -1)
            assert ("S" in name) == (y > 1)
            assert ("E" in name) == (x > 1)
            assert ("W" in name) == (x < -1)
        for corner, name in enumerate(orientation.corner_names):
            x, y = layout.corners(Hex(0, 0))[corner]
            assert ("N" in name, "S" in name) == (y < -1, y > 1)
            assert ("E" in name, "W" in name) == (x > 1, x < -1)


@pytest.mark.parametrize("bad", [0, -1, math.nan, math.inf])
def test_hexes_without_a_size_are_refused(bad):
    with pytest.raises(GeometryError) as caught:
        Layout(Orientation.FLAT, bad, 10)
    assert caught.value.place.field == "pitch"


def test_a_point_that_is_none_is_refused():
    with pytest.raises(GeometryError):
        Layout.regular().hex_at(math.nan, 0)
    assert Layout(Orientation.FLAT, 3, 2).lattice(Fraction(1, 3), 0) == (Fraction(1, 3), 0)
