"""Every answer of the real engine on random grids: names, snap points, ranges, ways back."""

import json

import pytest

from hexmarshal.errors import GeometryError
from hexmarshal.geometry.grids import grid_from_spec
from hexmarshal.geometry.terrain.boards import BoardMap, MapBoard


@pytest.fixture(scope="module")
def grids(corpus):
    specs = json.loads((corpus / "grids" / "grids.json").read_text())
    return {name: grid_from_spec(spec) for name, spec in specs.items()}


@pytest.fixture(scope="module")
def answers(corpus):
    lines = (corpus / "grids" / "answers.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def asked(grids, answer):
    return grids[answer["map"]]


def pixel(answer):
    return answer["x"], answer["y"]


def test_names_agree(grids, answers):
    assert len(answers) >= 40 * len(grids) > 0
    assert [a for a in answers if asked(grids, a).location_name(pixel(a)) != a["location"]] == []


def test_snap_points_agree(grids, answers):
    assert [a for a in answers if list(asked(grids, a).snap(pixel(a))) != a["snap"]] == []


def test_ranges_agree(grids, answers):
    found = ((a, asked(grids, a).range(tuple(a["range_from"]), pixel(a))) for a in answers)
    assert [(a, mine) for a, mine in found if mine != a["range"]] == []


def test_the_engines_own_way_back_is_reproduced(grids, answers):
    def back(answer):
        try:
            return list(asked(grids, answer).engine_pixel_named(answer["location"]))
        except GeometryError:
            return "bad"

    assert [a for a in answers if back(a) != a["back"]] == []


def test_our_way_back_lands_in_the_cell_that_carries_the_name(grids, answers):
    for answer in answers:
        name, grid = answer["location"], grids[answer["map"]]
        if not name:
            with pytest.raises(GeometryError):
                grid.pixel_named(name)
            continue
        assert grid.location_name(grid.pixel_named(name)) == name
        assert grid.name(grid.cell_named(name)) == name


def test_our_way_back_lands_on_the_map(grids, answers):
    maps = {
        name: BoardMap.lay_out([(MapBoard("B", grid.size, grid), 0, 0)])
        for name, grid in grids.items()
    }
    for answer in filter(lambda a: a["location"], answers):
        on_map = maps[answer["map"]]
        assert on_map.location_name(on_map.pixel_named(answer["location"])) == answer["location"]
