"""What each kind of terrain does to a line of sight, on boards painted with it."""

from __future__ import annotations

import pytest
from asl_canvas import Canvas, see

from hexmarshal.games.asl.sight.rules.citations import Cause


def level(terrain: str) -> tuple[bool, int]:
    """Whether a hex of it stops a line between level ends on the same ground, or hinders it."""
    answer = see(Canvas().fill(terrain, "E3"), "E1", "E5")
    return answer.blocked, answer.hindrance


@pytest.mark.parametrize(
    "terrain",
    ["Woods", "Forest", "Pine Woods", "Lumberyard", "Stone Building", "Dense Jungle", "Bamboo"],
)
def test_obstacles_of_a_level_and_more_stop_level_lines(terrain):  # ASL-LOS-6 ASL-WOODS-1
    assert level(terrain) == (True, 0)


@pytest.mark.parametrize("terrain", ["Stone Rubble", "Wooden Rubble", "Cactus Patch", "Hillock"])
def test_obstacles_of_half_a_level_stop_level_lines(terrain):  # ASL-LOS-7 ASL-ORCH-3
    assert see(Canvas().fill(terrain, "E3"), "E1", "E5").cause is Cause.HALF_LEVEL
    assert not see(Canvas().fill(terrain, "E3").raise_to(1, "E1"), "E1", "E5").blocked


@pytest.mark.parametrize(
    "terrain",
    [
        "Grain",
        "Brush",
        "Marsh",
        "Crags",
        "Graveyard",
        "Orchard",
        "Olive Grove",
        "Vineyard",
        "Kunai",
        "Palm Trees",
        "Debris",
    ],
)
def test_hindrances_count_one_a_hex(terrain):  # ASL-LOS-11 ASL-ORCH-3
    assert level(terrain) == (False, 1)


@pytest.mark.parametrize(
    "terrain", ["Shellholes", "Plowed Field", "Water", "Dirt Road", "Pontoon Bridge", "Runway"]
)
def test_these_neither_stop_nor_hinder(terrain):  # ASL-LOS-1b ASL-BRIDGE-1
    assert level(terrain) == (False, 0)


@pytest.mark.parametrize(("terrain", "sees_from"), [("Woods", 2), ("Forest", 3), ("Pine Woods", 3)])
def test_forests_and_pines_are_two_levels_high(terrain, sees_from):  # ASL-WOODS-1
    def far(up: int) -> bool:
        return not see(Canvas(9, 8).raise_to(up, "E1").spot(terrain, "E3"), "E1", "E7").blocked

    assert [up for up in (1, 2, 3) if far(up)] == list(range(sees_from, 4))


@pytest.mark.parametrize("terrain", ["Vineyard", "Olive Grove", "Cactus Patch"])
def test_some_fill_their_hex_like_orchards(terrain):  # ASL-LOS-4 ASL-ORCH-3
    beside = see(Canvas().fill(terrain, "E3"), "D3", "F3")
    assert beside.blocked or beside.hindrance == 1
    assert see(Canvas().fill("Brush", "E2"), "D3", "F3").hindrance == 0


def test_at_ground_level_one_looks_through_a_market_place():  # ASL-SPLIT-1
    canvas = Canvas().fill("Stone Market Place", "E3")
    assert not see(canvas, "E1", "E5").blocked
    house = canvas.fill("Stone Building, 1 Level", "E5")
    assert see(house, "E1", "E5", 0, 1).cause is Cause.HIGHER
    # Its storey is looked at, and from.
    assert not see(canvas, "E1", "E3", 0, 1).blocked


def test_floors_at_one_elevation_see_each_other_in_a_building_on_a_slope():  # ASL-SPLIT-1
    canvas = Canvas().raise_to(1, "E3").fill("Stone Building, 1 Level", "E3")
    canvas.fill("Stone Building, 2 Level", "E4")
    assert not see(canvas, "E3", "E4", 0, 1).blocked
    assert not see(canvas, "E3", "E4", 1, 2).blocked
    assert see(canvas, "E3", "E4", 1, 1).cause is Cause.BUILDING
    assert see(canvas, "E3", "E4", 0, 0).cause is Cause.BUILDING


@pytest.mark.parametrize(
    ("terrain", "below", "above"),
    [
        ("Stone Building", 1, 2),
        ("Wooden Building, 1 Level", 1, 2),
        ("Stone Building, 2 Level", 2, 3),
    ],
)
def test_buildings_stop_lines_up_to_their_height(terrain, below, above):  # ASL-BLDG-3
    def blocked(up: int) -> bool:
        canvas = Canvas().raise_to(up, "E1", "E5").fill(terrain, "E3")
        return see(canvas, "E1", "E5").blocked

    # Half a storey of roof stops those who are level with its top floor.
    half = not terrain.endswith("Building")
    assert blocked(below) is half
    assert not blocked(above)


def test_valleys_and_water_have_crest_lines_like_hills():  # ASL-VALLEY-1 ASL-WATER-1
    valley = Canvas(9, 8).raise_to(-1, "E4", "E5", "E6", "E7")
    assert not see(valley, "E3", "E8").blocked
    assert not see(valley, "E3", "E5").blocked
    assert see(valley, "E2", "E5").cause is Cause.PLATEAU
    pond = Canvas(9, 8).fill("Water", "E5", "E6").raise_to(-1, "E5", "E6")
    assert not see(pond, "E4", "E6").blocked
    assert see(pond, "E2", "E6").cause is Cause.PLATEAU
