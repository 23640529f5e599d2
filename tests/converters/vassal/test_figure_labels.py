"""Labels on drawn counters: texts and properties are written, expressions are not spelt out."""

from __future__ import annotations

import pytest

from hexmarshal.vassal.builder import Counter, ModuleBuilder, label, markers
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.render.figure import figure
from hexmarshal.vassal.render.pictures import Pictures
from hexmarshal.vassal.traits import CalculatedProperty


def drawn(text: str) -> tuple[tuple[int, int], bytes]:
    module = Module.from_archive(ModuleBuilder("Labels").archive())
    twice = CalculatedProperty(name="Twice", expression="{Weapon + Weapon}")
    counter = Counter("Tank", "", (markers({"Weapon": "gun"}), twice, label(text)))
    found = figure(counter.piece(), Pictures(module), around={"Deck_numPieces": "12"}.get)
    assert found is not None
    return found.image.size, found.image.tobytes()


@pytest.mark.parametrize("text", ["$Weapon$", "{Weapon}", "{ Weapon }", " gun "])
def test_a_property_is_written_out(text: str) -> None:
    assert drawn(text) == drawn("gun")
    assert drawn(text) != drawn("")


@pytest.mark.parametrize("text", ['{Weapon == Nothing ? "a" : "b"}', "{Nothing}", "{}", "<html>x"])
def test_what_cannot_be_worked_out_is_left_out(text: str) -> None:
    assert drawn(text) == drawn("")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{Weapon == "gun" ? "a" : "b"}', "a"),
        ('{"no " + Weapon}', "no gun"),
        ("{Twice}", "gungun"),
        ("$Twice$!", "gungun!"),
        ("{Deck_numPieces + 1}", "13"),
        ("$Deck_numPieces$ cards", "12 cards"),
    ],
)
def test_what_a_label_computes_is_drawn(text: str, said: str) -> None:
    assert drawn(text) == drawn(said)
