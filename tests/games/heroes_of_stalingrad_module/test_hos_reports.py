"""What the chat tells of the module's pieces, and what it keeps to itself."""

from __future__ import annotations

import pytest
from told_changes import pieces, told, untold

from hexmarshal.vassal.pieces.piece_names import properties_of
from hexmarshal.vassal.traits import (
    Delete,
    Marker,
    Mask,
    ReportState,
    RestrictCommands,
    TriggerAction,
)
from hexmarshal.vassal.values import ctrl
from hexmarshal.vassal.values.evaluation import evaluate


@pytest.fixture(scope="module")
def found(module):
    return {piece.name: piece for piece in pieces(module)}


def test_every_key_is_told(module):
    assert untold(module) == set()


def test_units_tell_where_they_look_and_what_they_have(found):
    unit = found["Fire Group"]
    assert told(unit, ctrl("]"), Facing_Facing="7")[0].endswith(" turns to west *")
    for level, words in ((1, "not suppressed"), (3, "2 Suppressed")):
        for key in "UI":
            line = told(unit, ctrl(key), Suppressed_Level=str(level))
            assert line == [f"$location$: $oldPieceName$: {words} *"]
    assert told(unit, ctrl("W"), Group="Pioneers")[0].endswith(": Belongs to Pioneers *")


def test_another_face_is_told_in_words_not_as_an_order(module):
    units = {p.name: p for p in pieces(module) if "UnitType" in properties_of(p)}
    faces = {
        "Fire Group": ("loses a step", "regains a step"),
        "Panzer III": ("becomes a wreck", "is no wreck after all"),
        "Panzer commander": ("shows its inactive face", "shows its active face"),
    }
    for name, lines in faces.items():
        for key, words in zip("LK", lines, strict=True):
            assert told(units[name], ctrl(key)) == [f"$location$: $newPieceName$ {words} *"]


def test_nobody_learns_where_a_hidden_unit_looks(module):
    unit = next(p for p in pieces(module) if p.name == "Zaitsev" and p.first(Mask))
    (line,) = told(unit, ctrl("]"), Facing_Facing="3", ObscuredToOthers="true")
    assert line == "$location$: $newPieceName$ turns *"
    (line,) = told(unit, ctrl("]"), Facing_Facing="3", ObscuredToOthers="false")
    assert line == "$location$: $newPieceName$ turns to east *"
    assert "Pioneers" not in told(unit, ctrl("W"), Group="Pioneers")[0]


def test_markers_and_tiles_tell_what_they_show(found):
    assert told(found["Grenades"], ctrl("1"), GrenadesLeft="2")[0].endswith(": Grenades left 2 *")
    points = told(found["Destruction points"], ctrl("F"), Side_Level="3")
    assert points[0].endswith(": points 3 *")
    hall = found["Factory hall"]
    turned = {"2": "90 degrees", "8": "270 degrees, half a cell to the right", "17": "0 degrees"}
    for number, words in turned.items():
        assert told(hall, ctrl("]"), Lies=number)[0].endswith(f" is turned by {words} *")
    ruins = {"3": "whole", "17": "in ruins: hall", "64": "in ruins: hall, office"}
    for number, words in ruins.items():
        assert told(hall, ctrl("R"), Lies=number)[0].endswith(f": {words} *")


def test_to_delete_is_the_last_entry_of_a_menu(module):
    for piece in pieces(module):
        # What goes with another key has no entry.
        inner = [t for t in piece.traits if isinstance(t, Delete) and t.command]
        if inner:
            assert piece.traits[-2] is inner[-1], piece.name


def test_cards_announce_what_they_are_played_for(module):
    said = {}
    for piece in pieces(module):
        if not (card := properties_of(piece).get("Card")):
            continue
        facts = {**properties_of(piece), "Phase": "Activation Phase", "Before": "Set-up"}
        hidden = {
            key
            for trait in piece.traits
            if isinstance(trait, RestrictCommands)
            and evaluate(trait.expression.text, facts.get) == "true"
            for key in trait.keys.keys
        }
        entries = [t for t in piece.traits if isinstance(t, TriggerAction) and t.command]
        said[card] = {t.command for t in entries if t.key not in hidden}
        # Who must not look cannot play it, either: the back is over the menu.
        back = piece.traits.index(piece.first(Mask).trait)
        assert all(piece.traits.index(t) > back for t in entries)
        lines = [t.format.text for t in piece.traits if isinstance(t, ReportState)]
        assert "$Tone$$PlayerName$ ($PlayerSide$): [rally] $Card$ -> $Parts$" in lines
    assert said["rally-1"] == {"Rally", "Alternative bonus"}
    assert said["feat_of_arms-2"] == {"Feat of arms", "Alternative bonus"}
    assert said["high_command-1"] == {"Alternative bonus"}, "it belongs in the Order Phase"
    assert said["katyusha-1"] == {"Alternative bonus"}


def test_the_inventory_knows_whose_a_masked_unit_is(module):
    masked = [p for p in pieces(module) if p.first(Mask) and "UnitType" in properties_of(p)]
    assert masked
    for piece in masked:
        mask = next(n for n, t in enumerate(piece.traits) if isinstance(t, Mask))
        outside = {name for t in piece.traits[:mask] if isinstance(t, Marker) for name in t.names}
        assert "SideName" in outside, piece.name
        assert not outside & {"KindName", "UnitType"}, piece.name
