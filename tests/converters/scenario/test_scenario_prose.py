"""Words for people are taken over as far as two scenarios speak of the same things."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from hexmarshal.scenario import Scenario, losses, read_scenario, scenario_document
from hexmarshal.scenario.prose import with_prose

TOLD = read_scenario(
    b"""
format: hexmarshal-scenario/1
game: chess
title: The gambit
licence: CC0-1.0
turns: 9
briefings: {white: Attack.}
special_rules: [{text: No castling.}]
areas: {centre: {cells: [d4, e4]}}
units: {white: {p1: {type: pawn}, p2: {type: pawn}, p3: {type: pawn}}}
setup: {areas: {centre: [p1, p2, p3]}}
reinforcements: []
objectives:
  - {cell: d4, facts: {vp: 1}, text: The centre}
  - {area: centre, text: All of it}
"""
)
BARE = read_scenario(
    b"""
format: hexmarshal-scenario/1
game: chess
title: untitled
units: {white: {p1: {type: pawn}, p3: {type: pawn}}}
setup: {cells: {e4: [p1]}, boxes: {taken: [p3]}}
objectives: [{cell: d4, facts: {vp: 2}}, {cell: d5, facts: {vp: 1}}]
"""
)


def test_titles_rules_and_areas_are_taken_over() -> None:
    found = with_prose(BARE, TOLD)
    assert (found.title, found.licence, found.turns) == ("The gambit", "CC0-1.0", 9)
    assert found.briefings == {"white": "Attack."}
    assert found.special_rules == TOLD.special_rules
    assert found.areas == TOLD.areas


def test_units_and_places_stay_and_areas_keep_those_who_may_be_there() -> None:
    found = with_prose(BARE, TOLD)
    assert found.units == BARE.units
    assert found.setup.cells == BARE.setup.cells
    # p2 is gone, p3 is off the map.
    assert found.setup.areas == {"centre": ("p1",)}


def test_objectives_keep_their_facts_and_get_words() -> None:
    found = with_prose(BARE, TOLD).objectives
    assert [(one.cell or one.area, one.facts, one.text) for one in found] == [
        ("d4", {"vp": 2}, "The centre"),
        ("d5", {"vp": 1}, ""),
        ("centre", {}, "All of it"),
    ]


def test_a_scenario_with_its_own_words_stays_as_it_is() -> None:
    assert with_prose(TOLD, TOLD) == TOLD
    assert with_prose(TOLD, Scenario("chess")) == TOLD


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"title": ""}, ["title"]),
        ({"turns": 8}, ["turns (9 becomes 8)"]),
        ({"objectives": TOLD.objectives[::-1]}, []),
        ({"version": "2"}, []),
        ({"author": "me"}, ['author (null becomes "me")']),
        ({"setup": replace(TOLD.setup, areas={"centre": ("p1", "p2")})}, None),
    ],
)
def test_losses_are_what_comes_back_otherwise(change: dict[str, object], told) -> None:
    before = scenario_document(TOLD)
    after = scenario_document(replace(TOLD, **change))
    found = [str(loss) for loss in losses(before, after)]
    if told is None:
        (one,) = found
        assert one.startswith("setup.areas.centre (")
    else:
        assert found == told
    assert not losses(before, json.loads(json.dumps(before)))


def test_true_is_not_one() -> None:
    before, after = {"extras": {"a": True}}, {"extras": {"a": 1}}
    assert [loss.path for loss in losses(before, after)] == ["extras.a"]
