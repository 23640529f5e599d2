"""Our map and counters: sound by the rules, and true to the hexes that the book names."""

from __future__ import annotations

from functools import cache

import pytest

from hexmarshal.games.traces_of_war.plugin import TracesOfWar
from hexmarshal.games.traces_of_war.rules.ground.rail import stations
from hexmarshal.games.traces_of_war.rules.ground.supply import can_trace
from hexmarshal.games.traces_of_war.state.board import Board
from hexmarshal.games.traces_of_war.state.situation import Situation

BOOK = {
    "2634": "Kharkiv",
    "2918": "Kyiv",
    "0218": "Odesa",
    "2305": "Ternopil",
    "1338": "Stalino",
    "1631": "Dnipropetrovsk",
}
SIDES = ("axis", "soviet")


@cache
def game() -> TracesOfWar:
    return TracesOfWar()


def board() -> Board:
    return game().boards["ukraine"]


def start(scenario: str) -> Situation:
    return game().situation(game().setup(scenario, {}, None))


def test_the_cities_of_the_book_lie_where_it_puts_them() -> None:
    majors = {cell: board().cities[cell].name for cell in board().majors()}
    assert majors == BOOK
    assert set(board().orders) == set(BOOK)
    assert board().cities["1926"].name == "Kremenchuk"
    assert "1731" in board().cities


def test_the_dnipro_parts_the_country() -> None:
    """No way leads from one bank to the other but across a major river."""
    west = board().west
    for cell in board().hexes:
        for near in board().near[cell]:
            if (cell in west) != (near in west):
                assert board().side(cell, near).river == "major", (cell, near)
    banks = {"2918": True, "1631": True, "0218": True, "1926": False, "1731": False, "2634": False}
    assert {cell: cell in west for cell in banks} == banks


def test_crossing_points_lie_on_the_west_bank() -> None:
    points = board().crossings
    assert len(points) == 6
    for cell in points:
        assert cell in board().west
        over = [near for near in board().near[cell] if near not in board().west]
        assert over, cell
    assert {points[cell].key for cell in ("1826", "1827")} == {"1926"}
    for cell in ("1826", "1827"):
        assert board().side("1926", cell).river == "major"


def test_the_combat_example_has_its_ground() -> None:
    """1731 is a city without river towards its attackers, and 1632 is open to an advance."""
    assert board().kinds("1731") == ("city",)
    for cell in ("1732", "1832"):
        assert not board().side("1731", cell).river
    assert not board().side("1731", "1632").unbridged_major
    assert not board().side("1731", "1631").unbridged_major
    assert "1630" in board().near["1631"]


def test_supply_comes_by_rail_from_the_edge() -> None:
    for side in SIDES:
        assert len(board().sources[side]) >= 4
        for cell in board().sources[side]:
            assert board().has_rail(cell), cell
            assert len(board().near[cell]) < 6, cell


def test_no_place_is_named_off_the_map() -> None:
    data = game().data.read("boards/ukraine/map.yaml", "map")
    assert set(data["places"]) <= set(board().hexes)
    assert not set(data["places"]) & set(board().cities)


@pytest.mark.parametrize("scenario", ["race", "campaign"])
def test_every_unit_starts_lawfully_and_in_supply(scenario: str) -> None:
    now = start(scenario)
    assert not list(game().invariants(now.position))
    for side in SIDES:
        units = now.on_map(side)
        assert len(units) > 40
        assert all(can_trace(now, unit) for unit in units)
    for unit in now.position.units.values():
        ladder = unit.values["ladder"]
        assert isinstance(ladder, tuple)
        assert unit.steps == len(ladder)


@pytest.mark.parametrize("scenario", ["race", "campaign"])
def test_reinforcements_have_railways_to_come_by(scenario: str) -> None:
    now = start(scenario)
    for side in SIDES:
        assert len(stations(now, side)) > 30


@pytest.mark.parametrize("scenario", ["race", "campaign"])
def test_fronts_meet_and_soviets_stand_under_command(scenario: str) -> None:
    now = start(scenario)
    for side in SIDES:
        assert sum(now.in_enemy_zone(unit.cell, side) for unit in now.on_map(side)) > 25
    reach: set[str] = set()
    for unit in now.on_map("soviet"):
        if unit.type == "hq":
            reach |= set(now.command(unit.cell, int(str(unit.values["radius"]))))
    assert all(unit.cell in reach for unit in now.on_map("soviet"))


def test_each_draw_brings_somebody() -> None:
    now = start("campaign")
    draws = {unit.values["arrival"] for unit in now.position.in_box("arrivals")}
    assert draws == set(range(1, 10))
    kinds = {unit.values["category"] for unit in now.position.in_box("reserve")}
    assert kinds == {"PR", "IR", "AR"}
