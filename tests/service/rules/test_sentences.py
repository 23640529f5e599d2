"""Actions in sentences, as games declare them, and without any declaration."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from hexmarshal.rules.action import ActionTable, ActionType, Param, ParamType, QueryTable
from hexmarshal.rules.game import Game, Named
from hexmarshal.rules.plugins.registry import default
from hexmarshal.rules.showing.sentences import listed, sentence

LEG = Param(
    "leg",
    ParamType.RECORD,
    "",
    fields=(
        Param("unit", ParamType.UNIT, ""),
        Param("path", ParamType.PATH, "", said={"": "turning", "*": "to {}"}),
    ),
)
FIRE = ActionType(
    "fire",
    "Fire",
    (
        Param("unit", ParamType.UNIT, ""),
        Param("cell", ParamType.CELL, ""),
        Param(
            "by",
            ParamType.CHOICE,
            "",
            required=False,
            said={"ap": "with AP", "the_card": "by card"},
        ),
        Param("cap", ParamType.INT, "", required=False),
        Param("luck", ParamType.BOOL, "", required=False),
        Param("hq", ParamType.UNIT, "", required=False),
        Param("facing", ParamType.FACING, "", required=False, said="facing {}"),
    ),
    sentence="fire by {unit} at {cell}[, led by {hq}]",
)
GAME = Game(
    "g",
    "G",
    "1",
    (Named("axis", "Axis"),),
    (),
    ActionTable(
        (
            FIRE,
            replace(FIRE, name="plain", sentence=""),
            ActionType("air", "Air", (Param("use", ParamType.BOOL, "", said={"no": "no air"}),)),
            ActionType("pass", "Pass"),
            ActionType("march", "March", (Param("legs", ParamType.LIST, "", items=LEG),)),
        )
    ),
    QueryTable(()),
    headings=("north", "south"),
)


def told(kind: str, **params: object) -> str:
    return sentence(GAME, GAME.actions.make(kind, "axis", **params))


def test_an_action_is_told_as_the_game_declares_it() -> None:
    whole = told("fire", unit="u1", cell="A1", by="ap", cap=2, luck=False, hq="h1", facing=1)
    assert whole == "fire by u1 at A1, led by h1, with AP, cap 2, no luck, facing south"
    assert told("fire", unit="u1", cell="A1") == "fire by u1 at A1"
    assert told("fire", unit="u1", cell="A1", by="the_card") == "fire by u1 at A1, by card"


def test_without_a_sentence_title_and_values_tell_it() -> None:
    assert told("plain", unit="u1", cell="A1", cap=2) == "Fire by u1 at A1, cap 2"
    legs = [{"unit": "u1", "path": ["A1", "A2"]}, {"unit": "u2", "path": []}]
    assert told("march", legs=legs) == "March: u1 to A1 -> A2; u2 turning (Axis)"


def test_who_names_no_unit_tells_whose_it_is() -> None:
    assert told("pass") == "Pass (Axis)"
    assert told("air", use=False) == "Air: no air (Axis)"


def test_what_could_be_chosen_stands_in_the_place_of_what_was() -> None:
    action = GAME.actions.make("fire", "axis", unit="u1", cell="A1")
    cells = listed(("A2", "A3", "A4"), "or")
    assert sentence(GAME, action, {"cell": cells}) == "fire by u1 at A2, A3 or A4"


@pytest.mark.parametrize("key", sorted(default().keys()))
def test_every_declared_sentence_names_parameters(key: str) -> None:
    for kind in default().get(key).game.actions.values():
        slots = set(re.findall(r"\{(\w+)\}", kind.sentence))
        assert slots <= {*kind.by_name, "side"}
        if kind.sentence:
            # Whatever has to be said is in it.
            assert slots >= {param.name for param in kind.params if param.required}
