"""Conformance cases: what matches, what does not, and what a bad file says."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import pytest
from tutorial import Crossroads

from hexmarshal.errors import RulesError
from hexmarshal.rules.cases.conformance import SCHEMA, load_cases, merge_patch, run_case
from hexmarshal.rules.cases.matching import differences


@pytest.mark.parametrize(
    ("expected", "got", "wrong"),
    [
        ({"a": 1}, {"a": 1, "b": 2}, 0),
        ({"a": 1}, {"a": 2}, 1),
        ({"a": 1}, {"a": True}, 1),
        ({"a": None}, {}, 0),
        ({"a": {"b": {"c": 1}}}, {"a": {"b": {"c": 1, "d": 2}}}, 0),
        ({"a": {"b": 1}}, {"a": 3}, 1),
        ({"path": ["A", "B"]}, {"path": ["A", "B", "C"]}, 1),
        ({"m": [{"x": 1}, {"x": 2}]}, {"m": [{"x": 2}, {"x": 3}, {"x": 1}]}, 0),
        ({"m": [{"x": 1}, {"x": 1}]}, {"m": [{"x": 1}]}, 1),
        ({"m": [{"x": 1}, {"x": 1, "y": 2}]}, {"m": [{"x": 1, "y": 2}, {"x": 1}]}, 0),
        ({"violations": ["R-1"]}, {"violations": [{"rule": "R-1"}, {"rule": "R-2"}]}, 0),
        ({"violations": ["R-3"]}, {"violations": [{"rule": "R-1"}]}, 1),
        ({"violations": []}, {"violations": [{"rule": "R-1"}]}, 1),
        ({"no_violations": ["R-1"]}, {"violations": [{"rule": "R-1"}]}, 1),
        ({"no_violations": ["R-2"]}, {"violations": [{"rule": "R-1"}]}, 0),
        ({"cost": 3}, {"cost": {"total": 3, "parts": []}}, 0),
        ({"cost": "3/2"}, {"cost": {"total": 2}}, 1),
        ({"outcome": "red"}, {"outcome": {"winners": ["red"]}}, 0),
        ({"outcome": "red"}, {"outcome": None}, 1),
    ],
)
def test_an_expectation_is_a_subset(expected: dict, got: dict, wrong: int) -> None:
    assert len(list(differences(expected, got))) == wrong


def test_a_merge_patch_merges_replaces_and_removes() -> None:
    target = {"a": {"b": 1, "c": 2}, "d": [1]}
    assert merge_patch(target, {"a": {"b": None, "e": {"f": None}}, "d": [2]}) == {
        "a": {"c": 2, "e": {}},
        "d": [2],
    }


CASES = """
game: tutorial
base:
  scenario: meeting
  changes: {units: {b1: {cell: C2}}}
cases:
  - id: wrong
    rules: [TUT-2]
    changes: {units: {b2: null}}
    action: {kind: move, side: blue, unit: b1, path: [D2]}
    expect: {cost: 2, position: {units: {b1: {cell: D2}, b2: null, b3: {cell: A3}}}}
  - id: unknown rule
    rules: [TUT-77]
    action: {kind: end_phase, side: blue}
    expect: {legal: true}
"""


def test_a_failing_case_shows_expected_got_and_the_arithmetic(tmp_path: Path) -> None:
    file = tmp_path / "cases.yaml"
    file.write_text(CASES)
    wrong, unknown = (run_case(Crossroads(), case) for case in load_cases(file).cases)
    assert wrong.differences == ("cost: expected 2, got 1",)
    assert "TUT-2: clear: 1" in wrong.arithmetic
    assert unknown.differences == ("rules: TUT-77 is not in the rulebook",)


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("game: x", None),
        ("{game: x, cases: []}", "cases"),
        ("{game: x, cases: [{id: a, rules: [R], expect: {a: 1}}]}", "cases[0]"),
        ("{game: x, cases: [{id: a, rules: [R], expect: {}, view: red}]}", "cases[0].expect"),
        ("{game: x, cases: [{id: a, rules: [], expect: {a: 1}, view: red}]}", "cases[0].rules"),
        (
            "{game: x, cases: [{id: a, rules: [R], expect: {a: 1}, view: r, dice: [x]}]}",
            "cases[0].dice[0]",
        ),
    ],
)
def test_a_bad_file_names_its_field(tmp_path: Path, text: str, field: str | None) -> None:
    file = tmp_path / "cases.yaml"
    file.write_text(text)
    with pytest.raises(RulesError) as caught:
        load_cases(file)
    assert caught.value.place.field == field


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
