"""Names in expressions: changed where they are understood, listed where they are not."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from squad_game import squad_game

from hexmarshal.vassal.lint.run import check_module
from hexmarshal.vassal.lint.subject import ModuleSubject
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.pieces.piece import format_add, parse_add
from hexmarshal.vassal.recipes import Recipe, edit_module
from hexmarshal.vassal.traits import (
    CalculatedProperty,
    DynamicProperty,
    TriggerAction,
    decode_trait,
)
from hexmarshal.vassal.values import Expression, KeyStroke, PropertyCommands
from hexmarshal.vassal.values.name_literals import in_literals, leftovers, name_literals
from hexmarshal.vassal.values.structures import PropertyChange, PropertyCommand


def renamed(text: str, kind: str = "maps") -> str:
    return in_literals(text, kind, {"Old": "New"}.get)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{CurrentMap=="Old"}', '{CurrentMap=="New"}'),
        ('{CurrentMap != "Old" || OldMap=="Old"}', '{CurrentMap != "New" || OldMap=="New"}'),
        ('{"Old" == CurrentMap}', '{"New" == CurrentMap}'),
        ('{CurrentMap.equals("Old")}', '{CurrentMap.equals("New")}'),
        ('{$CurrentMap$ == "Old"}', '{$CurrentMap$ == "New"}'),
        ('{"$CurrentMap$" == "Old"}', '{"$CurrentMap$" == "New"}'),
        ("{CurrentMap == 'Old'}", "{CurrentMap == 'New'}"),
        ('{GetMapProperty("Old", "Old")}', '{GetMapProperty("Old", "New")}'),
        (
            '{SumLocation("VP", If(a, "x", "y"), "Old")}',
            '{SumLocation("VP", If(a, "x", "y"), "New")}',
        ),
        ("CurrentMap = Old && Old = 3", "CurrentMap = New && Old = 3"),
        ("CurrentMap != Old || x = y", "CurrentMap != New || x = y"),
        ('{CurrentBoard=="Old"}', '{CurrentBoard=="Old"}'),
        ('{CurrentMap=="Old"+n}', '{CurrentMap=="Old"+n}'),
        ('{n+"Old"==CurrentMap}', '{n+"Old"==CurrentMap}'),
        ('{piece.CurrentMap=="Old"}', '{piece.CurrentMap=="Old"}'),
        ('{Name=="Old"}', '{Name=="Old"}'),
        ("CurrentMap =~ Old", "CurrentMap =~ Old"),
        ("Old", "Old"),
        ("", ""),
    ],
)
def test_a_name_of_a_map_is_changed_where_it_is_one(before: str, after: str):
    assert renamed(before) == after


def test_decks_pieces_and_properties_have_their_own_places():
    assert renamed('{DeckName=="Old"}', "decks") == '{DeckName=="New"}'
    assert renamed('{BasicName=="Old" || PieceName=="Old"}', "pieces").count("New") == 2
    assert renamed('{SumAttach("Old", "Old")}', "properties") == '{SumAttach("Old", "New")}'


@given(st.text(alphabet="{}()\"'=&|+.,$ OldCurrentMap\\", max_size=60))
def test_no_text_is_damaged(text: str):
    assert in_literals(text, "maps", lambda name: name) == text
    for each in name_literals(text):
        assert text[each.start : each.end] == each.name


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ('{CurrentMap==Side+" Forces"}', [" Forces"]),
        ('{CurrentMap=="AP Forces"}', []),
        ('{CurrentBoard=="AP Forces"}', []),
        ('{Where=="AP Forces"}', ["AP Forces"]),
        ('{Side+" Forces"}', []),
        (
            r'{SumStack("x", "{ CurrentMap == \"AP Forces\" }")}',
            [r"{ CurrentMap == \"AP Forces\" }"],
        ),
        ("CurrentMap = AP Forces", []),
    ],
)
def test_what_is_not_understood_is_told(text: str, left: list[str]):
    assert leftovers(text, "maps", frozenset({"AP Forces"})) == left


def a_module_with(*traits: object) -> Module:
    return Module.from_archive(squad_game(unit=traits).archive())


EXPRESSIONS = (
    TriggerAction(name="Go", expression=Expression('{CurrentMap=="Main Map"}')),
    CalculatedProperty(name="Here", expression='CurrentMap=="Main Map"'),
    DynamicProperty(
        name="N",
        commands=PropertyCommands.of(
            PropertyCommand(
                "Set", KeyStroke("57348,0,x"), PropertyChange("P", '{CurrentMap=="Main Map"?1:0}')
            )
        ),
    ),
    TriggerAction(name="Odd", expression=Expression('{CurrentMap==Side+" Map"}')),
)


def rename(module: Module, **names: dict[str, str]):
    recipe = json.dumps({"recipe": 1, "steps": [{"rename": names}]})
    return edit_module(module, Recipe.parse(recipe))


def test_a_renamed_map_is_followed_into_every_expression_and_the_rest_is_listed():
    module = a_module_with(*EXPRESSIONS)
    done = rename(module, maps={"Main Map": "Front"})
    text = module.document.to_bytes().decode()
    assert text.count("Front") >= 4
    assert "Main Map" not in text
    assert len(done.mentions) == 1
    assert "Side+" in done.mentions[0]
    piece = parse_add(module.prototypes()["Unit"].text)
    assert decode_trait(piece.traits[0].encode()) == piece.traits[0]
    assert format_add(piece) == module.prototypes()["Unit"].text


def test_a_name_that_stands_nowhere_is_told():
    done = rename(a_module_with(*EXPRESSIONS), prototypes={"Nobody": "Somebody"})
    assert done.missing == ["step 1: there is no 'Nobody' among the prototypes"]
    assert rename(a_module_with(*EXPRESSIONS), prototypes={"Unit": "Somebody"}).missing == []


def findings(module: Module, check: str) -> list[str]:
    return [f.message for f in check_module(ModuleSubject(module)) if f.id == check]


def test_lint_knows_a_map_that_an_expression_names_and_nobody_has():
    assert findings(a_module_with(*EXPRESSIONS), "unknown-name") == []
    module = a_module_with(
        TriggerAction(name="Go", expression=Expression('{CurrentMap=="Main  Map"}'))
    )
    (message,) = findings(module, "unknown-name")
    assert "the map 'Main  Map'" in message
