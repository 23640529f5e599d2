"""What a binding covers of a module, and what in it neither the game nor the module has."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import kharkov_table as kharkov
import pytest
from crossroads_module import BINDING, UNITS, binding, module
from jsonschema import Draft202012Validator
from tutorial import Crossroads

from hexmarshal.errors import HexMarshalError, Place
from hexmarshal.table.binding import Binding, schema
from hexmarshal.table.binding.coverage import coverage

PLUGIN = Crossroads()


def changed(**parts: Any) -> Binding:
    return Binding.load({**deepcopy(BINDING), **parts})


def problems(bound: Binding) -> list[str]:
    return list(coverage(module(), bound, PLUGIN).problems)


def test_the_tutorial_s_binding_covers_its_whole_module() -> None:
    found = coverage(module(), binding(), PLUGIN)
    assert found.counts() == {"units": len(UNITS), "markers": 0, "cards": 0, "unknown": 0}
    assert found.problems == ()


def test_kharkov_s_binding_covers_its_whole_module() -> None:
    found = coverage(kharkov.module(), kharkov.binding(), kharkov.PLUGIN)
    assert found.problems == ()
    assert found.units > 100
    assert found.cards > 50
    assert found.to_json()["unknown_counters"] == []


def test_counters_that_are_left_out_are_listed() -> None:
    bound = changed(units=[{**BINDING["units"][0], "match": {"property": {"UnitId": "b.*"}}}])
    found = coverage(module(), bound, PLUGIN)
    assert all(" r" in name for name in found.unknown)
    assert f"counter {found.unknown[0]!r} is neither a unit nor a marker" in found.problems


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"map": {"name": "Moon"}}, "the module has no map 'Moon'"),
        ({"turn": {**BINDING["turn"], "tracker": "Clock"}}, "the module has no turn tracker"),
        ({"dice": [{"button": "2d10", "sides": 10}]}, "the module has no dice button '2d10'"),
        ({"sides": {"Blue": "azure"}}, "sides: 'Blue': the game has no side 'azure'"),
        ({"drags": ["fly"]}, "drags: the game has no action 'fly'"),
        (
            {"turn": {**BINDING["turn"], "phases": {"Blue, Move": {"phase": "sleep"}}}},
            "the game has no phase 'sleep'",
        ),
        (
            {"units": [{**BINDING["units"][0], "type": "mule"}]},
            "the game has no type 'mule'",
        ),
        ({"units": [{**BINDING["units"][0], "side": "green"}]}, "the game has no side 'green'"),
        (
            {"map": {**BINDING["map"], "cells": "Hex (?P<cell>.+)", "names": "Hex {cell}"}},
            "names no cell such as 'Hex ",
        ),
        (
            {"units": [BINDING["units"][0]] * 2},
            "units[1] never counts: units[0] takes the same pieces before it",
        ),
        (
            {"boxes": [{"map": "Sky", "at": "x", "box": "y"}]},
            "the module has no map 'Sky'",
        ),
    ],
)
def test_names_that_nothing_has_are_told(parts: dict[str, Any], words: str) -> None:
    assert any(words in problem for problem in problems(changed(**parts)))


# The file itself


def test_the_schema_is_a_schema_and_holds_for_the_bindings_of_the_games() -> None:
    Draft202012Validator.check_schema(schema())
    assert Draft202012Validator(schema()).is_valid(BINDING)


@pytest.mark.parametrize(
    ("parts", "field"),
    [
        ({"units": []}, "units"),
        ({"format": "hexmarshal-binding/9"}, "format"),
        ({"map": {"name": "Crossroads", "cells": "("}}, "map.cells"),
        ({"dice": [{"pattern": "rolls", "sides": 6}]}, "dice[0].pattern"),
        ({"signs": [{"property": "Moved"}]}, "signs[0]"),
        ({"markers": [{"match": {"name": "x"}}]}, "markers[0]"),
    ],
)
def test_a_wrong_field_is_named(parts: dict[str, Any], field: str) -> None:
    with pytest.raises(HexMarshalError) as caught:
        changed(**parts)
    assert caught.value.place.field == field


@pytest.mark.parametrize("text", ["a: [", "- 1", "", "\x00", "game: tutorial"])
def test_a_file_that_is_no_binding_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(HexMarshalError) as caught:
        Binding.parse(text.encode(), Place(file="mine.yaml"))
    assert caught.value.place.file == "mine.yaml"
