"""A scenario goes into YAML and JSON and comes back as it was; what does not fit has a line."""

from __future__ import annotations

import json

import pytest
import yaml
from hypothesis import given
from scenario_strategies import scenarios

from hexmarshal.errors import BadInputError, HexMarshalError, NotFoundError
from hexmarshal.geometry.values_with_lines import read_yaml
from hexmarshal.scenario import (
    Scenario,
    read_scenario,
    scenario_document,
    schema,
    to_json,
    to_yaml,
)
from hexmarshal.scenario.source import LARGEST, read_file

HEAD = "format: hexmarshal-scenario/1\ngame: chess\n"

EXAMPLE = """\
format: hexmarshal-scenario/1
game: tutorial
title: Meeting engagement
sides: [blue, red]

units:
  blue:
    b1: {type: infantry, steps: 2}
    b2: {type: tank}
  red:
    r1: {type: scout, seen_by: [red]}

setup:
  cells:
    E5: [b1, b2]
    "0108": [r1]
"""


def spelt(scenario: Scenario) -> str:
    """Told apart from everything that is equal only to Python, as True is to 1."""
    return json.dumps(scenario_document(scenario), sort_keys=True)


def failure(text: str | bytes, file: str = "s.yaml") -> BadInputError:
    data = text if isinstance(text, bytes) else text.encode()
    with pytest.raises(BadInputError) as caught:
        read_scenario(data, file)
    return caught.value


@given(scenarios())
def test_text_gives_back_the_same_scenario(scenario: Scenario) -> None:
    from jsonschema import Draft202012Validator

    again = read_scenario(to_yaml(scenario).encode(), "s.yaml")
    assert again == scenario
    assert spelt(again) == spelt(scenario)
    assert read_scenario(to_json(scenario).encode(), "s.json") == scenario
    # Other readers of YAML find the same in it, and it fits the published schema.
    assert yaml.safe_load(to_yaml(scenario)) == scenario_document(scenario)
    Draft202012Validator(schema()).validate(scenario_document(scenario))


def test_the_schema_is_one_and_every_key_says_what_it_is() -> None:
    from jsonschema import Draft202012Validator

    Draft202012Validator.check_schema(schema())
    assert all("description" in key for key in schema()["properties"].values())


def test_a_file_is_written_as_a_person_would_write_it() -> None:
    assert to_yaml(read_scenario(EXAMPLE.encode(), "s.yaml")) == EXAMPLE


def test_utf_16_that_says_so_is_read() -> None:
    assert read_scenario(EXAMPLE.encode("utf-16"), "s.yaml").title == "Meeting engagement"


@pytest.mark.parametrize("name", ["E5", "e0", "0108", "E", "1-D13", ".", "-", "+"])
def test_a_cell_may_look_like_half_a_number(name: str) -> None:
    assert read_yaml(f"x: {name}" if name != "-" else "x: '-'").value == {"x": name}


def nested(depth: int) -> str:
    return '{"a": ' * depth + "1" + "}" * depth


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", None, "the file is empty"),
        ("  \n\n", None, "the file is empty"),
        ("- 1\n", 1, "this is no scenario"),
        ("game: chess\n", 1, "not a scenario of the format"),
        (HEAD + "title: [a\n", 4, "not YAML"),
        (HEAD + "title: a\ntitle: b\n", 4, "'title' is given twice"),
        (HEAD + "units:\n  a: &x {}\n  b: *x\n", 5, "aliases are not allowed"),
        (HEAD + "turns: 2.5\n", 3, "2.5 is not whole"),
        (HEAD + "turns: 0\n", 3, "less than the minimum"),
        (HEAD + "extras: {a: 99999999999999999999}\n", 3, "64 bits"),
        (HEAD + "colour: red\n", 3, "'colour' is not known here"),
        (
            HEAD + "units:\n  blue:\n    b1: {type: tank, speed: 3}\n",
            5,
            "'speed' is not known here; known: type, steps",
        ),
        (HEAD + "units:\n  blue:\n    b1: {steps: 3}\n", 5, "'type' is missing"),
        (HEAD + "units:\n  blue:\n    b1: {type: tank, steps: two}\n", 5, "must be a whole number"),
        (HEAD + "objectives:\n  - {text: win}\n", 4, "needs either a cell or an area"),
        (HEAD + "reinforcements:\n  - {turn: 1, units: [a], entry: null}\n", 4, "must not be null"),
        (HEAD + "setup:\n  cells: {A1: [b1]}\n", 4, "no unit 'b1' in the order of battle"),
        (HEAD + "--- \n", 3, "a second document"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text: str, line: int | None, words: str) -> None:
    error = failure(text)
    assert words in error.message
    assert error.place.line == line
    assert error.place.file == "s.yaml"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('{"a": 1,\n"b"}', 2, "not JSON"),
        ('{"format": "x",\n "format": "y"}', 2, "'format' is given twice"),
        ('{"a": NaN}', None, "NaN is not a finite number"),
        ('{"format": "hexmarshal-scenario/1", "game": "g",\n"turns": 1.5}', 2, "1.5 is not whole"),
        ('{"format": "hexmarshal-scenario/1", "game": "g",\n"title": "\\ud800"}', 2, "surrogate"),
        (nested(50), 1, "nested too deeply"),
        ("[" * 100_000, None, "not JSON"),
    ],
)
def test_bad_json_is_told_with_its_line(text: str, line: int | None, words: str) -> None:
    error = failure(text, "s.json")
    assert words in error.message
    assert error.place.line == line


def test_wrong_bytes_are_told_with_their_line() -> None:
    error = failure(HEAD.encode() + b"title: caf\xe9\n")
    assert (error.message, error.place.line) == ("not UTF-8 text", 3)


def test_an_error_in_json_is_found_in_its_line() -> None:
    document = json.dumps(
        {"format": "hexmarshal-scenario/1", "game": "g", "units": {"a": {"u": {"steps": 1}}}},
        indent=1,
    )
    assert failure(document, "s.json").place.line == 6


INCONSISTENT = (
    HEAD
    + """\
sides: [blue]
areas:
  north: {cells: [A1]}
units:
  blue:
    b1: {type: tank}
    b2: {type: tank, seen_by: [green]}
    b3: {type: tank}
  red:
    b1: {type: tank}
setup:
  cells:
    A1: [b1]
    A2: [b1, b2]
  areas:
    north: [b2]
    south: [b3]
  boxes: {aside: [b9]}
  carried: {b7: [b3]}
reinforcements:
  - {turn: 2, units: [b2]}
objectives:
  - {cell: A1}
  - {cell: A1, facts: {vp: 1}}
  - {area: west}
cells:
  A1: {vp: 2}
markers:
  m: {kind: mine, cell: A1, unit: b8}
"""
)


def test_all_that_is_inconsistent_is_found_where_it_stands() -> None:
    from hexmarshal.scenario import inconsistencies
    from hexmarshal.scenario.document import load_document
    from hexmarshal.scenario.source import read_source

    source = read_source(INCONSISTENT.encode(), "s.yaml")
    found = {(f.place.line, f.text) for f in inconsistencies(load_document(source), source)}
    assert found == {
        (12, "the unit b1 is blue's already"),
        (9, "no side 'green'; the sides are blue"),
        (12, "no side 'red'; the sides are blue"),
        (16, "the unit b1 is in A1 already"),
        (20, "no unit 'b9' in the order of battle"),
        (21, "no unit 'b7' to carry b3"),
        (18, "b2 stands in A2, which is not in north"),
        (19, "the unit b3 is in b7 and cannot be set up in south"),
        (23, "the unit b2 is in A2 already"),
        (19, "no area 'south'"),
        (26, "A1 is an objective already"),
        (26, "facts of A1 are told twice, here and under cells"),
        (27, "no area 'west'"),
        (31, "the marker m is in one place: a cell, a unit or a box"),
        (31, "no unit 'b8' in the order of battle"),
    }


def test_files_that_cannot_be_read(tmp_path) -> None:
    with pytest.raises(NotFoundError):
        read_file(tmp_path / "none.yaml")
    with pytest.raises(HexMarshalError, match="cannot be read"):
        read_file(tmp_path)
    huge = tmp_path / "huge.yaml"
    with huge.open("wb") as file:
        file.truncate(LARGEST + 1)
    with pytest.raises(BadInputError, match="larger than"):
        read_file(huge)
