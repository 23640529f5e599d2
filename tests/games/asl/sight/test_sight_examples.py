"""The worked examples of sight in the rules: painted boards, and real ones where we have them."""

from __future__ import annotations

import numpy as np
import pytest
from asl_canvas import Canvas, see

from hexmarshal.games.asl.sight.conditions import Conditions, Fog, Smoke
from hexmarshal.games.asl.sight.rules.citations import Cause
from hexmarshal.games.asl.sight.view import Sight, Spot
from hexmarshal.vassal.vasl import read_board


def test_woods_on_a_level_one_hill_are_an_obstacle_of_level_two():  # ASL-LOS-9
    canvas = Canvas(9, 8).raise_to(1, "E4").spot("Woods", "E4")
    # A view from level 2 does not pass it, one from level 3 does with blind hexes behind:
    # twice 2, less 3, less 0, and one more.
    assert see(canvas.raise_to(2, "E1"), "E1", "E7").cause is Cause.ADVANTAGE
    canvas.raise_to(3, "E1")
    assert [see(canvas, "E1", f"E{n}").blocked for n in (5, 6, 7)] == [True, True, False]


def test_adjacent_gullies_that_do_not_meet_do_not_see_each_other():  # ASL-GULLY-2
    canvas = Canvas().band("Gully", -1, "D1", "D2", "D3", wide=8)
    canvas.band("Gully", -1, "E1", "E2", "E3", wide=8)
    assert see(canvas, "D2", "E3").cause is Cause.DEPRESSION
    joined = Canvas().band("Gully", -1, "D1", "D2", "E3", "E4", wide=8)
    assert not see(joined, "D2", "E3").blocked


@pytest.mark.parametrize(("smoke", "levels"), [(Smoke(3), 2), (Smoke(2, rises=4), 4)])
def test_smoke_covers_its_own_level_and_those_above(smoke, levels):  # ASL-SMOKE-1
    for level in range(6):
        canvas = Canvas().raise_to(level, "E1", "E5") if level else Canvas()
        sight = canvas.sight().under(Conditions(smoke={"E3": smoke}))
        hindered = sight.answer(Spot("E1"), Spot("E5")).hindrance > 0
        assert hindered is (level < levels)


@pytest.mark.parametrize("target", [1, 2])
def test_from_level_one_one_sees_past_woods_to_level_one_and_higher(target):  # ASL-HILL-2
    canvas = Canvas().raise_to(1, "E1").spot("Woods", "E3").raise_to(target, "E5")
    assert not see(canvas, "E1", "E5").blocked
    assert see(Canvas().raise_to(1, "E1").spot("Woods", "E3"), "E1", "E5").blocked


def test_from_level_one_one_sees_past_wrecks_and_walls_at_ground_level():  # ASL-HILL-2 ASL-HSW-1
    canvas = Canvas().raise_to(1, "E1").side("Wall", "E4", 0)
    sight = canvas.sight().under(Conditions(vehicles=frozenset({"E3"})))
    answer = sight.answer(Spot("E1"), Spot("E5"))
    assert (answer.blocked, answer.hindrance) == (False, 0)


def test_fog_on_two_levels_below_the_viewer_hinders_by_two():  # ASL-FOG-1
    sight = Canvas().raise_to(2, "E1").sight().under(Conditions(fog=Fog(1, 1)))
    assert sight.answer(Spot("E1"), Spot("E3")).hindrance == 2


# A gully that changes level: a valley above row 9 with a gully of level -2 down column D, which
# goes on as a gully of level -1 in the ground of level 0 from D9 on.


def _hill_depression() -> Canvas:
    canvas = Canvas(9, 12)
    valley = [name for name in canvas.grid.names if int(name[1:]) <= 8]
    owner = canvas.board().pixels.owner
    below = np.isin(owner, [canvas.grid.by_name[name] for name in valley])
    canvas.raise_to(-1, *valley).band("Gully", -2, *(f"D{r}" for r in range(1, 10)), wide=14)
    terrain, elevation = canvas.terrain.copy(), canvas.elevation.copy()
    canvas.fill("Open Ground", "D9").raise_to(0, "D9").band("Gully", -1, "D8", "D11", wide=24)
    # The gully of the higher ground ends where the valley begins.
    canvas.terrain[below], canvas.elevation[below] = terrain[below], elevation[below]
    return canvas


@pytest.mark.parametrize("viewer", ["C9", "C10", "D10", "E10", "E9"])
def test_from_the_next_hex_one_sees_into_a_hill_depression(viewer):  # ASL-GULLY-2
    assert not see(_hill_depression(), viewer, "D9").blocked


@pytest.mark.parametrize("viewer", ["D2", "D3", "D7", "C6", "E3", "F2"])
def test_through_the_connecting_hexside_one_sees_into_a_hill_depression(viewer):  # ASL-GULLY-2
    assert not see(_hill_depression(), viewer, "D9").blocked


@pytest.mark.parametrize("viewer", ["B6", "C8", "E8"])
def test_through_a_vertex_of_the_connecting_hexside_one_does_not(viewer):  # ASL-GULLY-2
    assert see(_hill_depression(), viewer, "D9").blocked


def test_hexsides_of_a_stream_do_not_count_in_the_distance_to_it():  # ASL-LOS-8 ASL-STREAM-2
    # From E2 to E5 three hexes, two of whose hexsides are those of the stream: one level is enough,
    # though the line leaves the water at the rock in E4.
    canvas = Canvas(9, 8).band("Shallow Stream", -1, "E6", "E5", "E4", "E3", wide=12)
    canvas.band("Open Ground", 0, "E4", "E4", wide=4)
    assert not see(canvas, "E5", "E2").blocked
    assert see(canvas, "E5", "E1").cause is Cause.DEPRESSION
    assert not see(canvas.raise_to(1, "E1"), "E5", "E1").blocked


# Real boards


@pytest.fixture(scope="module")
def board_one(corpus) -> Sight:
    return Sight(read_board(corpus / "vasl-boards" / "bd01"))


def test_building_hexes_see_each_other_where_no_building_is_crossed(board_one):  # ASL-BLDG-4
    levels = [level.above for level in board_one.board.levels[board_one.board.hex("M5")]]
    for up in levels:
        assert not board_one.answer(Spot("M5", up), Spot("N3")).blocked
