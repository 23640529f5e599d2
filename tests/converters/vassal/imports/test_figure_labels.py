"""Labels on drawn counters: texts and properties are written, expressions are not spelt out."""

from __future__ import annotations

import pytest

from hexmarshal.vassal.builder import Counter, ModuleBuilder, label, markers
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.pieces.piece_names import full_name
from hexmarshal.vassal.render import render_map
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


def test_a_piece_has_its_name_also_where_its_label_cannot_be_worked_out() -> None:
    said = label('{StackPos == 1 ? Weapon : ""}', naming='{Weapon + " " + pieceName}')
    counter = Counter("Tank", "", (markers({"Weapon": "gun"}), said))
    assert full_name(counter.piece()) == "gun Tank"


def test_labels_know_how_deep_a_piece_lies_in_its_stack() -> None:
    """The engine counts from the top: only the uppermost shows its own."""

    def shown(text: str) -> bytes:
        module = ModuleBuilder("Labels")
        main = module.map("Main", main=True)
        main.board("Field", size=(200, 200), color="255,255,255")
        shelf = module.palette("Squads").list("All")
        squads = [shelf.counter(Counter(f"{n} squad", "", (label(text),))) for n in (1, 2)]
        start = module.setup("Start")
        for squad in squads:
            start.place(squad, main, (100, 100))
        game = start.save().state()
        return render_map(Module.from_archive(module.archive()), game).image.tobytes()

    assert shown('{StackPos == 1 ? "a" : ""}') not in (shown(""), shown("a"))
