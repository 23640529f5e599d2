"""The words in which others pose situations are understood, and every one leads to a rule."""

from __future__ import annotations

import pytest
from tow_ground import game
from tow_vocabulary import WORDS, explained, judge, stage

from hexmarshal.rules import engine
from hexmarshal.rules.values import FrozenMap

INFANTRY = {"side": "axis", "type": "infantry", "attack": 4, "ma": 5, "steps": 2, "hex": "1010"}
ENEMY = {"side": "soviet", "type": "infantry", "attack": 5, "ma": 4, "hex": "1012"}


def test_every_word_leads_to_something_that_the_game_has() -> None:
    for meant in WORDS["kinds"].values():
        assert meant.get("action", "move") in game().game.actions
        assert meant.get("query", "odds") in game().game.queries
    for reason, rules in WORDS["reasons"].items():
        assert rules, reason
        assert all(rule in game().rulebook for rule in rules), reason


SITUATIONS = {
    "insufficient_mp": ({}, ["1110", "1210", "1310", "1410", "1510", "1610"]),
    "enemy_occupied": ({}, ["1011", "1012"]),
    "off_map": ({"only_hexes": ["1010", "1012"]}, ["1011"]),
    "blocked_hexside": ({"hexsides": [{"between": ["1010", "1011"], "blocked": True}]}, ["1011"]),
    "marsh_must_stop": ({"terrain": {"1009": ["marsh"]}}, ["1009", "1008"]),
    "major_river_not_adjacent_start": (
        {"hexsides": [{"between": ["1009", "1008"], "river": "major"}]},
        ["1009", "1008"],
    ),
}


@pytest.mark.parametrize("reason", SITUATIONS)
def test_a_situation_is_refused_for_its_reason(reason: str) -> None:
    ground, path = SITUATIONS[reason]
    situation = {"units": {"a": INFANTRY, "s": ENEMY}, "active": "axis", **ground}
    assert explained(judge(situation, "move", unit="a", path=path), reason)


def test_a_situation_is_allowed_with_its_cost() -> None:
    situation = {
        "units": {"a": INFANTRY, "s": {**ENEMY, "hex": "0910"}},
        "active": "axis",
    }
    verdict = judge(situation, "move", unit="a", path=["1011"])
    assert (verdict.legal, verdict.cost.total) == (True, 5)


def test_supply_and_odds_are_asked_of_a_situation() -> None:
    units = {"a": {**INFANTRY, "supply": "isolated"}, "s": {**ENEMY, "hex": "1011", "attack": 6}}
    of = stage({"units": units, "sources": {"axis": ["1001"]}})
    supply = engine.ask(game(), of, "supply", FrozenMap({"unit": "a"})).to_json()
    assert (supply["can_trace"], supply["status"]) == (True, "isolated")
    odds = FrozenMap({"target": "1010", "attackers": ("s",)})
    assert engine.ask(game(), of, "odds", odds).to_json()["defense"] == 2
