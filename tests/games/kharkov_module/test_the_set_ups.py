"""Counters and scenarios: the census of the rulebook, and legal set-ups."""

from __future__ import annotations

from collections import Counter

import pytest

from hexmarshal.games.kharkov.module.pieces import Catalogue
from hexmarshal.games.kharkov.state.board import Board

CENSUS = {
    "infantry": 24, "light": 4, "mountain": 1, "security": 1, "romanian": 3, "rifle": 39,
    "guards": 3, "tank": 35, "cavalry": 18, "reserve": 4, "hq": 7,
}  # fmt: skip
NO_COMBAT = ("hq", "reserve")


@pytest.fixture(scope="module")
def catalogue(source):
    return Catalogue.load(source)


@pytest.fixture(scope="module")
def board(source):
    return Board.load(source, "kharkov")


@pytest.fixture(scope="module")
def campaign(source):
    return source.read("scenarios/campaign.yaml", "scenario")


def places(scenario):
    return {u: w["cell"] if isinstance(w, dict) else w for u, w in scenario["units"].items()}


def fighting(catalogue, scenario, side):
    return {
        unit: cell
        for unit, cell in places(scenario).items()
        if catalogue.side(unit) == side and catalogue.counters[unit]["type"] not in NO_COMBAT
    }


def test_the_counters_are_those_that_the_rulebook_lists(catalogue):
    found = Counter(row["type"] for row in catalogue.counters.values())
    assert {kind: found[kind] for kind in CENSUS} == CENSUS
    assert found["panzer"] + found["panzergrenadier"] == 18
    assert catalogue.regiments == 15
    assert len(catalogue.replacements) == 5
    assert found.total() + catalogue.regiments + len(catalogue.replacements) == 177


def test_each_pool_holds_one_value_for_each_of_its_units(catalogue):
    found = Counter(row["type"] for row in catalogue.counters.values())
    for pool, row in catalogue.pools.items():
        assert sum(row["values"].values()) == found[pool]


def test_nothing_in_an_unrevealed_counter_betrays_its_value(catalogue):
    for row in catalogue.counters.values():
        if row["type"] in catalogue.pools:
            assert set(row) == {"type"}


def test_each_mechanised_division_has_three_units(catalogue):
    found = Counter(row["division"] for row in catalogue.counters.values() if "division" in row)
    assert found == dict.fromkeys(("3", "23", "14", "16", "60", "22"), 3)


def test_every_counter_has_one_place_in_the_campaign(catalogue, campaign):
    listed = [*campaign["units"]]
    for row in campaign["reserves"].values():
        listed += [row["marker"], *row["units"]]
    for row in campaign["arrivals"]:
        listed += row["units"]
    assert sorted(listed) == sorted(catalogue.counters)


@pytest.mark.parametrize("side", ["axis", "soviet"])
def test_units_of_a_stretch_stand_on_its_hexes(source, catalogue, board, campaign, side):
    at = places(campaign)
    placed = {u for u in at if catalogue.side(u) == side}
    for group in source.read("rules/setup.yaml", "setup")[side]:
        if "front" not in group:
            continue
        stretch = board.stretches[side][group["front"]]
        mechanised = [u for u, row in catalogue.counters.items()
                      if row.get("division") in group.get("divisions", ())]  # fmt: skip
        for unit in [*group.get("units", ()), *mechanised]:
            assert at[unit] in stretch, unit
            placed.discard(unit)
        there = Counter(catalogue.counters[u]["type"] for u in placed if at[u] in stretch)
        if "types" in group:
            assert there == group["types"], group["front"]


@pytest.mark.parametrize("side", ["axis", "soviet"])
def test_every_hex_of_the_line_is_held_or_in_a_zone_of_control(catalogue, board, campaign, side):
    held = board.mask(fighting(catalogue, campaign, side).values())
    assert board.mask(board.front(side)) & ~(held | board.around(held)) == 0


def test_single_hexes_of_the_rulebook_hold_who_it_says(board, campaign):
    at = places(campaign)
    assert (at["hq-38"], at["hq-57"], at["hq-9"], at["hq-37"], at["hq-rom"]) == (
        "1808", "3016", "2501", "2602", "2822",
    )  # fmt: skip
    assert {row["hex"] for row in campaign["reserves"].values()} == {"0409", "2214", "3016", "2501"}
    assert board.distance(at["hq-28"], "0409") <= 5
    assert board.distance(at["hq-6"], "2214") <= 5
    assert all(board.distance(at[u], "3706") <= 2 for u in ("inf-9", "inf-111", "light-101"))
    assert "1808" in [at[u] for u in at if u.startswith("tnk")]
    assert "2118" in [at[u] for u in at if u.startswith("tnk")]


@pytest.mark.parametrize("name", ["campaign", "training"])
def test_no_hex_holds_more_than_three_units_nor_both_sides(source, catalogue, name):
    scenario = source.read(f"scenarios/{name}.yaml", "scenario")
    sides = [fighting(catalogue, scenario, side) for side in ("axis", "soviet")]
    for units in sides:
        assert max(Counter(units.values()).values()) <= 3
    assert not set(sides[0].values()) & set(sides[1].values())


def test_reserves_keep_their_distance_from_the_axis(catalogue, board, campaign):
    axis = fighting(catalogue, campaign, "axis").values()
    for row in campaign["reserves"].values():
        assert min(board.distance(row["hex"], cell) for cell in axis) >= 3


def test_the_training_scenario_is_small(source, catalogue):
    scenario = source.read("scenarios/training.yaml", "scenario")
    sides = Counter(catalogue.side(unit) for unit in scenario["units"])
    assert scenario["turns"] == 3
    assert all(8 <= count <= 12 for count in sides.values())
