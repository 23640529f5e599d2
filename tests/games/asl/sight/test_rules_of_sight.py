"""The rules of sight, one situation each, on boards painted for it."""

from __future__ import annotations

import pytest
from asl_canvas import Canvas, see

from hexmarshal.games.asl.sight.conditions import Conditions, Smoke
from hexmarshal.games.asl.sight.rules.citations import Cause
from hexmarshal.games.asl.sight.view import Spot


def test_open_ground_hides_nothing():
    answer = see(Canvas(), "B3", "H3")
    assert (answer.blocked, answer.hindrance, answer.range, answer.at) == (False, 0, 6, "")


def test_woods_between_level_ends_block():  # ASL-LOS-1b ASL-LOS-6 ASL-LOS-11
    answer = see(Canvas().spot("Woods", "E3"), "E1", "E5")
    assert (answer.blocked, answer.cause) == (True, Cause.HIGHER)
    assert (answer.rule, answer.at) == ("A6.2", "E3")


def test_a_line_past_the_drawing_of_woods_is_clear():  # ASL-LOS-1b
    assert not see(Canvas().spot("Woods", "E3", radius=8), "C2", "G3").blocked


def test_the_hexes_of_the_ends_never_block():  # ASL-LOS-6
    assert not see(Canvas().fill("Woods", "E1", "E5"), "E1", "E5").blocked


def test_a_half_level_obstacle_blocks_level_lines_only():  # ASL-LOS-7 ASL-RUBBLE-1
    canvas = Canvas().fill("Stone Rubble", "E3")
    assert see(canvas, "E1", "E5").cause is Cause.HALF_LEVEL
    assert not see(canvas.raise_to(1, "E1"), "E1", "E5").blocked


def test_an_obstacle_as_high_as_the_higher_end_hides_the_lower():  # ASL-LOS-6
    canvas = Canvas().raise_to(1, "E1").spot("Woods", "E3")
    answer = see(canvas, "E1", "E6")
    assert (answer.cause, answer.rule) == (Cause.ADVANTAGE, "A6.2")


@pytest.mark.parametrize(
    ("level", "target", "blind"),
    [(2, "E4", True), (2, "E5", False), (3, "E4", True), (3, "E5", False)],
)
def test_blind_hexes_behind_woods_from_above(level, target, blind):  # ASL-LOS-9
    canvas = Canvas().raise_to(level, "E1").spot("Woods", "E3")
    answer = see(canvas, "E1", target)
    assert answer.blocked is blind
    assert not blind or (answer.rule, answer.at) == ("A6.4", "E3")


def test_five_hexes_to_the_obstacle_make_one_more_blind_hex():  # ASL-LOS-9
    canvas = Canvas(17, 6).raise_to(2, "B3").spot("Woods", "H3", radius=30)
    assert see(canvas, "B3", "J3").blocked
    near = Canvas(17, 6).raise_to(2, "F3").spot("Woods", "H3", radius=30)
    assert not see(near, "F3", "J3").blocked


def test_a_crest_as_high_as_the_viewer_hides_the_valley():  # ASL-HILL-1
    canvas = Canvas().raise_to(1, "E1", "E2", "E3")
    answer = see(canvas, "E1", "E5")
    assert (answer.cause, answer.rule) == (Cause.PLATEAU, "B10.2")
    assert not see(canvas, "E3", "E5").blocked


def test_ground_higher_than_both_ends_blocks():  # ASL-HILL-1
    answer = see(Canvas().raise_to(1, "E3"), "E1", "E5")
    assert (answer.cause, answer.rule, answer.at) == (Cause.GROUND, "B10.2", "E3")


def test_a_lower_crest_makes_blind_hexes_by_the_crest_formula():  # ASL-LOS-9
    canvas = Canvas(17, 6).raise_to(2, "B3").raise_to(1, "H3")
    answer = see(canvas, "B3", "I4")
    assert (answer.cause, answer.rule, answer.at) == (Cause.CREST, "B10.23", "H3")
    near = Canvas().raise_to(2, "E1").raise_to(1, "E3")
    assert not see(near, "E1", "E4").blocked


def test_a_cliff_always_hides_the_hex_below_from_afar():  # ASL-CLIFF-1
    canvas = Canvas().raise_to(4, "E1").raise_to(2, "E3").side("Cliff", "E3", 3)
    answer = see(canvas, "E1", "E4")
    assert (answer.cause, answer.at) == (Cause.CLIFF, "E3") or answer.cause is Cause.CLIFF
    without = Canvas().raise_to(4, "E1").raise_to(2, "E3")
    assert not see(without, "E1", "E4").blocked


def test_a_wall_between_level_ends_blocks():  # ASL-WALL-1
    answer = see(Canvas().side("Wall", "E3", 0), "E1", "E5")
    assert (answer.cause, answer.rule) == (Cause.WALL, "B9.2")


@pytest.mark.parametrize("side", [0, 3])
def test_a_wall_of_an_end_s_own_hex_does_not_block(side):  # ASL-WALL-1
    assert not see(Canvas().side("Wall", "E3", side), "E3", "E1" if side == 0 else "E5").blocked


def test_a_wall_is_ignored_between_ends_a_level_apart():  # ASL-HSW-1
    assert not see(Canvas().raise_to(1, "E1").side("Hedge", "E4", 0), "E1", "E5").blocked


def test_along_a_wall_hexside_the_line_is_free():  # ASL-WALL-1
    # D3 to F3 runs along the hexside between E3 and E4.
    canvas = Canvas().side("Wall", "E3", 3)
    assert not see(canvas, "D3", "F3").blocked


def test_bocage_hides_even_from_above():  # ASL-BOCAGE-2
    canvas = Canvas().raise_to(2, "E1").side("Bocage", "E4", 0)
    answer = see(canvas, "E1", "E5")
    assert (answer.cause, answer.rule) == (Cause.BOCAGE, "B9.52")


@pytest.mark.parametrize("terrain", ["Grain", "Brush", "Marsh"])
def test_soft_terrain_hinders_by_one_a_hex(terrain):  # ASL-GRAIN-1 ASL-BRUSH-1 ASL-MARSH-2
    answer = see(Canvas().fill(terrain, "E2", "E3", "E4"), "E1", "E5")
    assert (answer.blocked, answer.hindrance, answer.rule) == (False, 3, "A6.7")


def test_soft_terrain_in_the_ends_hexes_does_not_hinder():  # ASL-BRUSH-1
    assert see(Canvas().fill("Brush", "E1", "E5"), "E1", "E5").hindrance == 0


def test_soft_terrain_does_not_hinder_from_above():  # ASL-GRAIN-1
    assert see(Canvas().raise_to(1, "E1").fill("Grain", "E3"), "E1", "E5").hindrance == 0


def test_six_hindrances_block():  # ASL-LOS-11
    canvas = Canvas(9, 8).fill("Grain", *(f"E{n}" for n in range(2, 8)))
    answer = see(canvas, "E1", "E8")
    assert (answer.blocked, answer.cause, answer.hindrance) == (True, Cause.TOTAL, 0)


def test_an_orchard_hinders_below_and_blocks_above():  # ASL-ORCH-1
    assert see(Canvas().fill("Orchard", "E3"), "E1", "E5").hindrance == 1
    answer = see(Canvas().raise_to(1, "E1").fill("Orchard", "E3"), "E1", "E5")
    assert answer.cause is Cause.ADVANTAGE


def test_a_bare_orchard_hinders_a_view_from_one_level_up():  # ASL-ORCH-2
    canvas = Canvas().raise_to(1, "E1").fill("Orchard, Out of Season", "E3")
    assert see(canvas, "E1", "E5").hindrance == 1


def test_inherent_terrain_beside_a_line_along_its_hexside_counts_once():  # ASL-LOS-4
    both = Canvas().fill("Orchard", "E3", "E4")
    assert see(both, "D3", "F3").hindrance == 1
    assert see(Canvas().fill("Orchard", "E4"), "D3", "F3").hindrance == 1


def test_nothing_outside_sees_into_a_gully_unless_it_is_next_to_it():  # ASL-LOS-8 ASL-GULLY-2
    canvas = Canvas().band("Gully", -1, "B3", "C3", "D3", "E4", "F4")
    answer = see(canvas, "E4", "E1")
    assert (answer.cause, answer.rule) == (Cause.DEPRESSION, "A6.3")
    assert not see(canvas, "E4", "E3").blocked


def test_along_a_gully_its_hexes_see_each_other():  # ASL-GULLY-2 ASL-STREAM-2
    canvas = Canvas().band("Shallow Stream", -1, "E1", "E2", "E3", "E4", "E5", wide=14)
    assert not see(canvas, "E1", "E5").blocked


def test_a_gully_does_not_block_lines_over_it():  # ASL-LOS-8
    canvas = Canvas().band("Gully", -1, "B3", "C3", "D3", "E3", "F3", "G3")
    assert not see(canvas, "E1", "E5").blocked


def test_high_ground_sees_into_a_gully_when_it_rises_as_far_as_it_is_away():  # ASL-LOS-8
    canvas = Canvas().band("Gully", -1, "C4", "D4", "E4", "F4", "G4").raise_to(1, "E2")
    assert not see(canvas, "E2", "E4").blocked
    assert see(canvas, "E1", "E4").blocked


def _house(storeys: str = "Stone Building, 2 Level") -> Canvas:
    return Canvas().band(storeys, 0, "E3", "E4", wide=22)


def test_upper_levels_look_over_lower_obstacles():  # ASL-LOS-6
    canvas = _house().spot("Wooden Building", "E6", radius=12)
    levels = canvas.board().levels[canvas.grid.by_name["E3"]]
    assert [level.above for level in levels] == [0, 1, 2, 3, -1]
    assert see(canvas, "E1", "E3", 0, 2).blocked is False


def test_another_level_of_the_same_building_is_not_seen():  # ASL-BLDG-4
    answer = see(_house(), "E3", "E4", 2, 0)
    assert (answer.cause, answer.rule) == (Cause.BUILDING, "A6.8")
    assert not see(_house(), "E3", "E4", 1, 1).blocked


def test_stairs_join_levels_of_one_hex():  # ASL-BLDG-4
    canvas = _house()
    assert see(canvas, "E3", "E3", 0, 1).cause is Cause.STAIRS
    canvas.stairway("E3")
    assert not see(canvas, "E3", "E3", 0, 1).blocked
    assert see(canvas, "E3", "E3", 0, 2).cause is Cause.STAIRS


def test_a_rowhouse_wall_stops_lines_between_its_houses():  # ASL-ROW-1
    canvas = _house("Stone Building, 1 Level").side("Rowhouse Wall, 1 Level", "E3", 3)
    answer = see(canvas, "E3", "E4")
    assert (answer.cause, answer.rule) == (Cause.PARTY_WALL, "B23.71")


def test_a_bridge_hinders_level_lines_and_hides_what_is_under_it():  # ASL-BRIDGE-1
    canvas = Canvas().band("Gully", -1, "B3", "C3", "D3", "E3", "F3", "G3")
    canvas.spot("Stone Bridge", "E3", radius=16)
    canvas.elevation[canvas.terrain == 84] = 0
    assert see(canvas, "E1", "E5").hindrance == 1


def test_smoke_vehicles_and_weather_add_up():  # ASL-SMOKE-1 ASL-LOS-11
    sight = Canvas().fill("Grain", "E2").sight()
    line = (Spot("E1"), Spot("E6"))
    assert sight.answer(*line).hindrance == 1
    smoky = sight.under(Conditions(smoke={"E4": Smoke(2)}, vehicles=frozenset({"E3"})))
    assert smoky.answer(*line).hindrance == 4
    misty = sight.under(Conditions(smoke={"E4": Smoke(3)}, vehicles=frozenset({"E3"}), weather=1))
    assert misty.answer(*line).cause is Cause.TOTAL


def test_smoke_in_a_hex_counts_three_at_most():  # ASL-SMOKE-1
    smoky = Canvas().sight().under(Conditions(smoke={"E3": Smoke(5)}))
    assert smoky.answer(Spot("E1"), Spot("E5")).hindrance == 3


def test_a_view_over_smoke_is_not_hindered():  # ASL-SMOKE-1
    canvas = Canvas().raise_to(3, "E1").raise_to(3, "E6")
    smoky = canvas.sight().under(Conditions(smoke={"E3": Smoke(3)}))
    assert smoky.answer(Spot("E1"), Spot("E6")).hindrance == 0


def test_at_night_nobody_sees_farther_than_the_range():  # ASL-LOS-11
    dark = Canvas().sight().under(Conditions(night_range=3))
    assert not dark.answer(Spot("E1"), Spot("E4")).blocked
    assert dark.answer(Spot("E1"), Spot("E5")).cause is Cause.NIGHT


def test_a_unit_in_bypass_is_seen_at_its_vertex():  # ASL-LOS-5 ASL-BYP-6
    canvas = Canvas().spot("Stone Building", "E3", radius=20)
    sight = canvas.sight()
    assert sight.answer(Spot("E5"), Spot("E3", vertex=0)).blocked
    assert not sight.answer(Spot("E1"), Spot("E3", vertex=0)).blocked
