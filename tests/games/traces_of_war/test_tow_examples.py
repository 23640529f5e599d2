"""The examples that carry their numbers, read where they lie beside the project, and answered."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tow_ground import game
from tow_vocabulary import stage

from hexmarshal.rules import engine
from hexmarshal.rules.values import FrozenMap

FILE = Path(__file__).parents[4] / "shared/rules/traces_of_war/examples.json"
CROSSINGS = ("2020", "2022", "2024")
# The others show their hexes in pictures only, or ask for what a case of ours in book.yaml plays.
COLUMNS = ("007", "018", "019", "020", "021", "022", "023", "024", "026", "027")
STAVKA = ("003", "004", "005", "006")


def example(number: str) -> Mapping[str, Any]:
    if not FILE.exists():
        pytest.skip("the examples do not lie beside the project")
    rows = json.loads(FILE.read_text("utf-8"))
    found: Mapping[str, Any] = next(row for row in rows if row["id"] == f"TOW-EX-{number}")
    return found


def strengths(situation: Mapping[str, Any]) -> tuple[int, int]:
    """Attack and defense: as given, or those of the column that the example begins with."""
    if "total_attack" in situation:
        return situation["total_attack"], situation["defender"]["A"]["defense"]
    if "attack" in situation:
        return situation["attack"], situation["defense"]
    attack, _, defense = situation.get("column", situation.get("ratio")).partition("-")
    return int(attack), int(defense)


@pytest.mark.parametrize("number", COLUMNS)
def test_the_column_of_an_example(number: str) -> None:
    row = example(number)
    situation, expected = row["situation"], row["expected"]
    attack, defense = strengths(situation)
    air = situation.get("air_support")
    units = {
        "att": {"side": "axis", "type": "infantry", "attack": attack, "ma": 5, "hex": "1010"},
        "def": {"side": "soviet", "type": "infantry", "attack": defense, "ma": 4, "hex": "1011"},
    }
    shifted = "attack" not in expected
    terrain = {"1011": situation["terrain"]} if "terrain" in situation and shifted else {}
    params = {"target": "1011", "attackers": ("att",), **({air: 1} if air else {})}
    of = stage({"units": units, "terrain": terrain})
    answer: Any = engine.ask(game(), of, "odds", FrozenMap(params)).to_json()
    assert answer["column"].rstrip("+") == expected["column"]


@pytest.mark.parametrize("number", STAVKA)
def test_stavka_in_an_example(number: str) -> None:
    row = example(number)
    taken = CROSSINGS[: row["situation"]["soviet_cp"]]
    document = stage({"units": {}}).to_json() | {
        "turn": row["situation"]["turn"],
        "cells": {cell: {"crossing_point": True, "crossing": "soviet"} for cell in taken},
    }
    of = type(game().blank()).from_json(document)
    answer: Any = engine.ask(game(), of, "tables", FrozenMap({})).to_json()
    assert answer["stavka"] is row["expected"]["available"]
