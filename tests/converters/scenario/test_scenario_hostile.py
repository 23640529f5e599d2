"""Whatever bytes come in: a scenario, or an error of ours that says where."""

from __future__ import annotations

import contextlib
import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hexmarshal.errors import BadInputError, HexMarshalError
from hexmarshal.scenario import Scenario, read_scenario, to_json, to_yaml
from hexmarshal.scenario.sheets import ColumnKind, Lexicon, lay, read_sheet, write_sheet

YAML = b"""format: hexmarshal-scenario/1
game: chess
sides: [blue, red]
areas: {north: {cells: [A1]}}
units:
  blue: {b1: {type: tank, values: {x: [1, {y: "1/2"}]}}}
setup: {cells: {"0108": [b1]}, areas: {north: []}}
objectives: [{cell: A1, facts: {vp: 1}}]
"""
CSV = (
    b"Unit;Side;Type;Hex;Flags;value:x\r\nb1;blue;tank;'0108;a, b;json:[1]\r\nb2;red;scout;A1;;\r\n"
)
KINDS = {"x": ColumnKind.ANY}


def attempt(data: bytes) -> None:
    with contextlib.suppress(HexMarshalError):
        scenario = read_scenario(data, None)
        assert read_scenario(to_yaml(scenario).encode(), "a.yaml") == scenario
        assert read_scenario(to_json(scenario).encode(), "a.json") == scenario
    with contextlib.suppress(HexMarshalError):
        scenario, _ = lay(read_sheet(data, None, Lexicon(KINDS)), Scenario("chess"))
        assert lay(read_sheet(write_sheet(scenario)), Scenario("chess"))[0] == scenario
        to_yaml(scenario).encode()


@given(st.binary(max_size=200))
@example(b"\x0b")
@example(b"sep=;\n")
@example(b'sep="\nUnit"Side\n')
@example(b"\xef\xbb\xbf")
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    attempt(data)


@pytest.mark.parametrize("whole", [YAML, CSV, to_json(read_scenario(YAML)).encode()])
def test_a_damaged_file_is_read_or_refused(whole: bytes) -> None:
    chance = random.Random(7)
    signs = b"\x00\n\t :{}[]'\"-=,;#&*!|>%@`\\0159axe\xff\xc3"
    for _ in range(400):
        data = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(data))
            match chance.randrange(3):
                case 0:
                    data[at] = chance.choice(signs)
                case 1:
                    data.insert(at, chance.choice(signs))
                case _:
                    del data[at : at + chance.randint(1, 9)]
        attempt(bytes(data))


def test_a_bomb_of_aliases_is_refused_at_once() -> None:
    lines = ["a: &a [x, x]"]
    lines += [f"{b}: &{b} [*{a}, *{a}]" for a, b in zip("abcdefghij", "bcdefghijk", strict=True)]
    with pytest.raises(BadInputError, match="aliases are not allowed"):
        read_scenario("\n".join(lines).encode(), "bomb.yaml")


@pytest.mark.parametrize(
    "cell",
    [
        "json:" + "[" * 40 + "]" * 40,
        "json:" + "[" * 100_000,
        "json:99999999999999999999",
        '"json:""\\ud800"""',
        "json:NaN",
    ],
)
def test_a_cell_cannot_bring_in_what_no_scenario_holds(cell: str) -> None:
    with pytest.raises(BadInputError):
        read_sheet(f"Unit,Side,Type,value:x\na,b,c,{cell}\n".encode(), "s.csv")


def test_a_large_order_of_battle_is_no_trouble() -> None:
    rows = "".join(f"u{i},blue,tank,A{i % 50},{i}\n" for i in range(3000))
    scenario, _ = lay(
        read_sheet(f"Unit,Side,Type,Hex,value:x\n{rows}".encode(), "s.csv"), Scenario("chess")
    )
    assert len(scenario.units) == 3000
    assert read_scenario(to_yaml(scenario).encode(), "s.yaml") == scenario
