"""Outlines: how a line meets a polygon or a wall is decided exactly, corner by corner."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_maps import random_outline

from hexmarshal.errors import GeometryError
from hexmarshal.geometry.lattice.hexes import Hex
from hexmarshal.geometry.sight.contacts import Contact, Meeting, passes_through
from hexmarshal.geometry.terrain.outlines import Polygon, Polyline
from hexmarshal.geometry.terrain.points import Affine, Point, exact_number

SQUARE = Polygon.of([(0, 0), (4, 0), (4, 4), (0, 4)])
NOTCHED = Polygon.of([(0, 0), (8, 0), (8, 6), (4, 2), (0, 6)])


def meetings(outline, start, end):
    return [
        (c.meeting.value, c.start, c.end)
        for c in outline.contacts(Point.of(*start), Point.of(*end))
    ]


def test_a_line_through_a_square_enters_and_leaves():
    assert meetings(SQUARE, (-4, 2), (12, 2)) == [("inside", Fraction(1, 4), Fraction(1, 2))]


def test_a_line_that_grazes_a_corner_touches_it_and_does_not_enter():
    assert meetings(SQUARE, (-2, 2), (2, -2)) == [("touch", Fraction(1, 2), Fraction(1, 2))]


def test_a_hair_beside_the_corner_is_inside_however_thin_the_hair():
    hair = Fraction(1, 10**60)
    assert meetings(SQUARE, (-2, 2 + hair), (2, -2 + hair))[0][0] == "inside"
    assert meetings(SQUARE, (-2, 2 - hair), (2, -2 - hair)) == []


def test_a_line_along_an_edge_is_neither_in_nor_out_and_knows_its_hand():
    (contact,) = SQUARE.contacts(Point.of(-4, 0), Point.of(12, 0))
    assert contact == Contact(Meeting.ALONG, Fraction(1, 4), Fraction(1, 2), hand=1)
    (back,) = SQUARE.contacts(Point.of(12, 0), Point.of(-4, 0))
    assert back == contact.reversed()
    assert back.hand == -1


def test_a_notch_is_touched_from_within():
    assert meetings(NOTCHED, (0, 2), (8, 2)) == [
        ("inside", 0, 1),
        ("touch", Fraction(1, 2), Fraction(1, 2)),
    ]


def test_a_line_may_run_along_an_edge_and_then_go_in():
    step = Polygon.of([(0, 0), (4, 0), (4, -4), (8, -4), (8, 4), (0, 4)])
    assert meetings(step, (-4, 0), (12, 0)) == [
        ("along", Fraction(1, 4), Fraction(1, 2)),
        ("inside", Fraction(1, 2), Fraction(3, 4)),
    ]


def test_a_hole_is_outside():
    ring = Polygon.of([(0, 0), (8, 0), (8, 8), (0, 8)], [(2, 2), (6, 2), (6, 6), (2, 6)])
    assert meetings(ring, (-2, 4), (14, 4)) == [
        ("inside", Fraction(1, 8), Fraction(1, 4)),
        ("inside", Fraction(1, 2), Fraction(5, 8)),
    ]
    assert ring.area == 48


def test_a_line_that_starts_inside_does_not_enter():
    (contact,) = SQUARE.contacts(Point.of(2, 2), Point.of(6, 2))
    assert contact.open_start
    assert not contact.open_end
    (from_border,) = SQUARE.contacts(Point.of(0, 2), Point.of(6, 2))
    assert not from_border.open_start


def test_a_line_that_ends_on_the_border_from_outside_touches():
    assert meetings(SQUARE, (-2, 2), (0, 2)) == [("touch", 1, 1)]
    assert meetings(SQUARE, (-2, 4), (0, 4)) == [("touch", 1, 1)]


def test_a_wall_is_crossed_touched_or_run_along():
    wall = Polyline.of([(0, 0), (4, 0), (4, 4)])
    assert meetings(wall, (2, -2), (2, 2)) == [("cross", Fraction(1, 2), Fraction(1, 2))]
    assert meetings(wall, (2, -2), (6, 2)) == [("touch", Fraction(1, 2), Fraction(1, 2))]
    assert meetings(wall, (2, 2), (6, -2)) == [("cross", Fraction(1, 2), Fraction(1, 2))]
    assert meetings(wall, (0, -2), (0, 2)) == [("touch", Fraction(1, 2), Fraction(1, 2))]
    assert meetings(wall, (-4, 0), (4, 0)) == [("along", Fraction(1, 2), 1)]


@pytest.mark.parametrize(
    ("points", "where"),
    [
        ([(0, 0), (4, 4), (4, 0), (0, 4)], "(2, 2)"),
        ([(0, 0), (4, 0), (4, 0), (0, 4)], "(4, 0)"),
        ([(0, 0), (6, 0), (3, 0), (3, 4)], "(6, 0)"),
        ([(0, 0), (8, 0), (8, 4), (4, 0), (0, 4)], "(4, 0)"),
    ],
)
def test_an_outline_that_meets_itself_is_refused_and_the_place_is_told(points, where):
    with pytest.raises(GeometryError) as error:
        Polygon.of(points)
    assert where in error.value.message


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), "one", None, True])
def test_numbers_that_are_none_are_refused(bad):
    with pytest.raises(GeometryError, match="not a finite number"):
        exact_number(bad)


def test_a_hole_outside_or_in_another_hole_is_refused():
    outer = [(0, 0), (8, 0), (8, 8), (0, 8)]
    with pytest.raises(GeometryError, match="not inside"):
        Polygon.of(outer, [(10, 10), (12, 10), (12, 12)])
    with pytest.raises(GeometryError, match="another hole"):
        Polygon.of(outer, [(1, 1), (7, 1), (7, 7), (1, 7)], [(2, 2), (3, 2), (3, 3)])


def test_polygons_that_share_only_an_edge_do_not_overlap():
    beside = SQUARE.mapped(Affine.shift(4, 0))
    assert SQUARE.overlap(beside) is None
    assert SQUARE.overlap(SQUARE.mapped(Affine.shift(3, 3))) is not None
    assert SQUARE.overlap(SQUARE) is not None
    assert SQUARE.overlap(Polygon.of([(1, 1), (2, 1), (1, 2)])) is not None


@given(st.integers(0, 10**9))
def test_contacts_hold_what_points_say_and_turn_around_with_the_line(seed):
    rng = random.Random(seed)
    outline = random_outline(rng, [Hex(0, 0)])
    for _ in range(30):
        start, end = (
            Point(Fraction(rng.randint(-12, 12), 2), Fraction(rng.randint(-12, 12), 2))
            for _ in range(2)
        )
        if start == end:
            continue
        contacts = outline.contacts(start, end)
        back = outline.contacts(end, start)
        assert sorted(map(repr, back)) == sorted(repr(c.reversed()) for c in contacts)
        squeeze = Affine.of(3, 1, -7, 1, 5, Fraction(1, 3))
        assert outline.mapped(squeeze).contacts(squeeze(start), squeeze(end)) == contacts
        if isinstance(outline, Polygon):
            check_against_points(outline, start, end, contacts)


def check_against_points(outline, start, end, contacts):
    cuts = sorted({Fraction(0), Fraction(1), *(t for c in contacts for t in (c.start, c.end))})
    for low, high in pairwise(cuts):
        middle = (low + high) / 2
        here = {c.meeting for c in contacts if c.start < middle < c.end}
        expected = {1: {Meeting.INSIDE}, 0: {Meeting.ALONG}, -1: set()}
        assert here == expected[outline.side_of(start.towards(end, middle))]
    for t in cuts:
        on_border = outline.side_of(start.towards(end, t)) == 0
        met = any(c.start <= t <= c.end for c in contacts)
        assert met or not on_border
    step = (end.x - start.x, end.y - start.y)
    quick = passes_through(outline.rings, start, step, Fraction(1, 7), Fraction(6, 7))
    if quick is not None:
        inside = [c for c in contacts if c.meeting is Meeting.INSIDE]
        assert quick == any(c.start < Fraction(6, 7) and c.end > Fraction(1, 7) for c in inside)
