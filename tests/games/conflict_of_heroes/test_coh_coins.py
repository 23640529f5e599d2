"""The coins of the solitaire game: two for each hidden unit, in hexes where one could hide."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest

from hexmarshal.games.conflict_of_heroes import ConflictOfHeroes
from hexmarshal.rules import engine
from hexmarshal.rules.state import validate
from hexmarshal.rules.state.position import Position

COH = ConflictOfHeroes()
RIFLES = "soviet_rifles_41"


def hiding(monkeypatch: pytest.MonkeyPatch, *cells: str, **rows: dict[str, Any]) -> Position:
    """The drill against the doctrine, with Soviet squads hidden in these hexes."""
    plan = copy.deepcopy(dict(COH.cards["drill"].data))
    squads = {f"h{n}": {"type": RIFLES, "cell": c, "hidden": True} for n, c in enumerate(cells, 1)}
    plan["forces"]["soviet"]["units"] = {**squads, **rows}
    plan["markers"] = {"trench": {"kind": "trench", "cell": "9-G05", "side": "soviet"}}
    cards = {**COH.cards, "drill": replace(COH.cards["drill"], data=plan)}
    monkeypatch.setattr(COH, "cards", cards)
    return engine.start(COH, "drill", {"solo": "soviet"})


def coins(position: Position) -> dict[str, str]:
    """Where the second coin of each unit lies; the first lies where the firefight hides it."""
    found = {m.id: m.cell for m in position.markers.values() if m.kind == "coin"}
    return {name.split("-")[1]: cell for name, cell in found.items() if name.endswith("-2")}


def test_the_second_coin_lies_in_cover(monkeypatch: pytest.MonkeyPatch) -> None:
    position = hiding(monkeypatch, "9-G05")
    assert position.markers["coin-h1-1"].cell == "9-G05"
    assert coins(position) == {"h1": "9-F05"}
    assert sorted(position.pile("cup").cards) == ["decoy", "h1"]


def test_each_unit_has_a_second_hex_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    found = coins(hiding(monkeypatch, "9-G05", "9-G05"))
    assert found["h1"] == "9-F05"
    assert found["h2"] != "9-F05"


def test_it_does_not_lie_upon_a_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    there = {"type": RIFLES, "cell": "9-F05", "facing": 0}
    assert coins(hiding(monkeypatch, "9-G05", s1=there))["h1"] != "9-F05"


def test_it_does_not_lie_in_the_water(monkeypatch: pytest.MonkeyPatch) -> None:
    assert coins(hiding(monkeypatch, "9-C11"))["h1"] != "9-B11"


def test_the_firefight_may_name_it(monkeypatch: pytest.MonkeyPatch) -> None:
    row = {"type": RIFLES, "cell": "9-E09", "hidden": True, "decoy": "9-F05"}
    found = coins(hiding(monkeypatch, "9-G05", s2=row))
    assert found["s2"] == "9-F05"
    assert found["h1"] != "9-F05"


def test_who_was_to_hide_in_a_trench_is_in_the_cup_and_in_no_trench(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    row = {"type": RIFLES, "cell": "9-G05", "hidden": True, "fort": "trench", "weapon": "molotov"}
    position = hiding(monkeypatch, s2=row)
    unit = position.unit("s2")
    assert (unit.cell, unit.box, dict(unit.values)) == ("", "cup", {"weapon": "molotov"})
    assert not validate.problems(COH, position)


def test_without_hidden_units_there_is_no_cup() -> None:
    position = engine.start(COH, "drill", {"solo": "german"})
    assert "cup" not in position.piles
    assert coins(position) == {}
