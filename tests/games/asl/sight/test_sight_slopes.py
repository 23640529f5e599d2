"""Slopes and hillocks: half a level up, where half a level matters."""

from __future__ import annotations

from dataclasses import replace

import pytest
from asl_canvas import Canvas, see

from hexmarshal.games.asl.sight.rules.citations import Cause
from hexmarshal.games.asl.sight.rules.slopes import sides_left_by
from hexmarshal.games.asl.sight.view import Sight, Spot
from hexmarshal.vassal.vasl.grid import SIDES
from hexmarshal.vassal.vasl.maps import join


def sloped(canvas: Canvas, hex_name: str, *sides: int) -> Canvas:
    """The same with slopes down from a hex across these hexsides."""
    canvas.meta = replace(canvas.meta, slopes={hex_name: frozenset(sides)})
    return canvas


def test_the_board_tells_where_slopes_are():  # ASL-SLOPE-1
    board = sloped(Canvas(), "E3", 0, 3).board()
    assert board.facts.slope[board.hex("E3")].tolist() == [True, False, False, True, False, False]


def test_down_a_slope_one_looks_over_half_level_obstacles_and_grain():  # ASL-SLOPE-1
    for paint in (
        lambda c: c.fill("Stone Rubble", "E3"),
        lambda c: c.side("Wall", "E3", 0),
        lambda c: c.side("Hedge", "E3", 3),
    ):
        assert see(paint(Canvas()), "E1", "E5").blocked
        assert not see(sloped(paint(Canvas()), "E1", 3), "E1", "E5").blocked
    assert see(Canvas().fill("Grain", "E3"), "E1", "E5").hindrance == 1
    assert see(sloped(Canvas().fill("Grain", "E3"), "E1", 3), "E1", "E5").hindrance == 0


def test_a_slope_across_another_hexside_does_not_help():  # ASL-SLOPE-1
    canvas = sloped(Canvas().fill("Stone Rubble", "E3"), "E1", 0, 1, 2, 4, 5)
    assert see(canvas, "E1", "E5").cause is Cause.HALF_LEVEL


def test_a_slope_does_not_help_an_end_that_is_lower_than_the_other():  # ASL-SLOPE-1
    canvas = Canvas().raise_to(1, "E5").spot("Woods", "E3")
    assert see(sloped(canvas, "E1", 3), "E1", "E5").cause is Cause.ADVANTAGE
    canvas = Canvas().raise_to(1, "E5").spot("Woods", "E3")
    assert not see(sloped(canvas, "E5", 0), "E1", "E5").blocked


def test_whole_levels_still_stop_a_view_down_a_slope():  # ASL-SLOPE-1
    assert see(sloped(Canvas().spot("Woods", "E3"), "E1", 3), "E1", "E5").cause is Cause.HIGHER
    # An orchard hinders below its crowns alone.
    canvas = Canvas().fill("Orchard", "E3")
    assert see(canvas, "E1", "E5").hindrance == 1
    assert see(sloped(canvas, "E1", 3), "E1", "E5").cause is Cause.HIGHER


@pytest.mark.parametrize(("target", "blind"), [("E4", True), ("E5", False), ("E6", False)])
def test_what_is_as_high_as_the_upper_end_has_blind_hexes_as_from_a_level_up(target, blind):
    canvas = Canvas().raise_to(1, "E1").spot("Woods", "E3")  # ASL-SLOPE-1 ASL-LOS-9
    assert see(canvas, "E1", target).cause is Cause.ADVANTAGE
    answer = see(sloped(canvas, "E1", 3), "E1", target)
    assert answer.blocked is blind
    assert not blind or answer.cause is Cause.BLIND


def test_to_see_past_what_is_lower_a_slope_does_not_help():  # ASL-SLOPE-1 ASL-LOS-9
    canvas = Canvas(9, 10).raise_to(2, "E1").spot("Woods", "E6")
    plain = [see(canvas, "E1", f"E{n}").blocked for n in (7, 8, 9)]
    assert plain == [True, True, False]
    sloped(canvas, "E1", 3)
    assert [see(canvas, "E1", f"E{n}").blocked for n in (7, 8, 9)] == plain


def test_down_a_slope_one_sees_past_the_crest_of_one_s_own_level():  # ASL-SLOPE-1 ASL-HILL-1
    canvas = Canvas().raise_to(1, "E1", "E2", "E3")
    assert see(canvas, "E1", "E5").cause is Cause.PLATEAU
    assert not see(sloped(canvas, "E1", 3), "E1", "E5").blocked


def test_slopes_count_the_same_for_one_line_and_for_many():  # ASL-SLOPE-1
    canvas = Canvas().fill("Stone Rubble", "E3").fill("Grain", "D3").raise_to(1, "C3", "C4")
    canvas.spot("Woods", "F4").side("Bocage", "F2", 3)
    canvas.meta = replace(
        canvas.meta, slopes={name: frozenset({0, 2, 3}) for name in canvas.grid.names[::2]}
    )
    sight = canvas.sight()
    turned = Sight(canvas.board().flipped())
    for start in ("E1", "C3", "G5", "D3"):
        field = sight.field(Spot(start))
        for index, name in enumerate(canvas.grid.names):
            one = sight.answer(Spot(start), Spot(name))
            many = (field.blocked[index], field.hindrance[index], field.cause[index])
            assert (one.blocked, one.hindrance, one.cause) == many, (start, name)
            assert turned.answer(Spot(start), Spot(name)) == one


def test_slopes_and_hillocks_stay_where_they_are_on_a_map():  # ASL-SLOPE-1 ASL-HILLOCK-1
    canvas = sloped(Canvas().fill("Stone Rubble", "E3").fill("Hillock", "G4"), "E1", 3)
    alone = canvas.sight()
    joined = Sight(join([[canvas.board().flipped(), Canvas(name="bdZ").board()]]))
    for a, b in (("E1", "E5"), ("E5", "E2"), ("E4", "H4"), ("G4", "D3"), ("F4", "H5")):
        answer = alone.answer(Spot(a), Spot(b))
        moved = joined.answer(*(Spot(f"{canvas.board().name}:{name}") for name in (a, b)))
        assert (moved.blocked, moved.cause) == (answer.blocked, answer.cause)


def test_a_hillock_stops_lines_between_those_who_are_away_from_it():  # ASL-HILLOCK-1
    canvas = Canvas(9, 8).fill("Hillock", "E4")
    assert see(canvas, "E1", "E7").cause is Cause.HALF_LEVEL
    # Right before it, in the direction of the line, one looks over it.
    assert not see(canvas, "E3", "E7").blocked
    assert not see(canvas, "E1", "E5").blocked
    # D3 is beside it, but the line passes it by and meets another one.
    assert see(Canvas(9, 8).fill("Hillock", "E4", "D6"), "D3", "D8").cause is Cause.HALF_LEVEL


def test_hexes_of_a_hillock_that_touch_are_one():  # ASL-HILLOCK-1
    assert not see(Canvas(9, 8).fill("Hillock", "E4", "E5", "E6"), "E3", "E8").blocked
    assert see(Canvas(9, 8).fill("Hillock", "E4", "E6"), "E3", "E8").cause is Cause.HALF_LEVEL


@pytest.mark.parametrize("between", ["Hillock", "Stone Rubble", "Cactus Patch"])
def test_from_a_hillock_one_looks_over_half_a_level(between):  # ASL-HILLOCK-1
    canvas = Canvas(9, 8).fill("Hillock", "E2").fill(between, "E4")
    assert not see(canvas, "E2", "E7").blocked
    assert see(Canvas(9, 8).fill(between, "E4"), "E2", "E7").cause is Cause.HALF_LEVEL
    assert not see(Canvas(9, 8).fill("Hillock", "E2").side("Wall", "E4", 0), "E2", "E7").blocked
    assert see(Canvas(9, 8).fill("Hillock", "E2").spot("Woods", "E4"), "E2", "E7").blocked


def test_hillocks_count_the_same_for_one_line_and_for_many():  # ASL-HILLOCK-1
    canvas = Canvas().fill("Hillock", "E3", "E4", "B2", "G5").fill("Stone Rubble", "D3", "F2")
    sight = canvas.sight()
    for start in ("E1", "E3", "C4", "G5", "D2"):
        field = sight.field(Spot(start))
        one = [sight.answer(Spot(start), Spot(name)).cause for name in canvas.grid.names]
        assert one == field.cause.tolist()


def test_lines_leave_a_hex_by_the_side_they_cross_and_by_both_at_a_vertex():
    for side, (right, down) in enumerate(SIDES):
        assert [s for s, leaves in sides_left_by(right, down) if leaves] == [side]
        one, two = SIDES[side], SIDES[(side + 1) % 6]
        at_vertex = sides_left_by(one[0] + two[0], one[1] + two[1])
        assert {s for s, leaves in at_vertex if leaves} == {side, (side + 1) % 6}


def test_a_line_through_a_vertex_goes_down_a_slope_on_either_hand():  # ASL-SLOPE-1
    rubble = Canvas().fill("Stone Rubble", "E3", "E4")
    assert see(rubble, "D3", "F3").blocked
    for side in (1, 2):
        assert not see(sloped(Canvas().fill("Stone Rubble", "E3"), "D3", side), "D3", "F3").blocked
