"""Whose go it is: the marker TO ACT, and the buttons that turn it."""

from __future__ import annotations

import pytest
from pressed_keys import named, pressed

from hexmarshal.games.conflict_of_heroes.art.sheet import SEATS
from hexmarshal.vassal.components import DoActionButton, GlobalKeyCommand, ToolbarMenu
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.traits import CalculatedProperty, SendToLocation
from hexmarshal.vassal.values import KeyStroke
from hexmarshal.vassal.values.evaluation import evaluate

SET_UPS = {"first_steps": "First-steps.vsav", "four_hands": "Four-hands.vsav"}
ACTIVE_OF = r"Active_Level == 2 && SideName + \" to act\" == \""


def game(module, key):
    return SavedGame.from_archive(module.archive.nested(SET_UPS[key])).state()


@pytest.mark.parametrize(
    ("key", "hands", "seats"),
    [("first_steps", "2", ("German", "Soviet")), ("four_hands", "4", tuple(SEATS.values()))],
)
def test_the_marker_of_who_acts_goes_round_by_a_button(module, key, hands, seats):
    buttons = {b.name: b for b in module.each(DoActionButton)}
    assert "[pass]" in buttons["Pass"].get("reportFormat")
    state = game(module, key)
    assert state.property_value("Hands") == hands
    (marker,) = (p.piece for p in state.pieces.values() if p.piece.name == "To act")
    nobody = {
        "PassedBy": "",
        "PlayerSide": "",
        "LocationName": f"{seats[0]} to act",
        "Hands": hands,
    }
    for name in ("End of my go", "Pass"):
        (sent,) = (
            c
            for c in module.each(GlobalKeyCommand)
            if c.button_hotkey == buttons[name].hotkeys.keys[-1]
        )
        assert evaluate(sent.get("filter"), {"MarkerKind": "go"}.get) == "true"
        assert "turnToAct" in pressed(marker.traits, sent.key_command, nobody)
    for here, there in zip(seats, (*seats[1:], seats[0]), strict=True):
        assert next_to_act(marker, hands, here) == f"{there} to act"


def next_to_act(marker, hands, lies, presser="", before="", active=()):
    """Where the button puts the marker that lies with a seat; seats of which a unit is active."""
    known = {"LocationName": f"{lies} to act", "Hands": hands, "PlayerSide": presser}
    known["GoBy"] = before
    for each in (*marker.each(CalculatedProperty),) * 2:  # one may be asked for by another
        asked = each.trait.expression
        for who in ('PlayerSide + " to act"', "LocationName"):
            count = sum(f"{seat} to act" == evaluate(f"{{{who}}}", known.get) for seat in active)
            counted = rf'CountMap("{{{ACTIVE_OF}" + {who} + "\"}}")'
            asked = asked.replace(counted, str(count))
        known[each.trait.name] = evaluate(asked, known.get)
    gone = next(
        at.trait for at in marker.each(SendToLocation) if named(at.trait.key) == "turnToAct"
    )
    return evaluate(gone.zone.text, known.get)


@pytest.mark.parametrize(
    ("presser", "before", "to"),
    [
        # Whose go ends is who says so, wherever nobody has put the marker.
        ("Soviet", "", "German"),
        ("Soviet", "German", "German"),
        ("Soviet", "all", "German"),
        ("German", "all", "Soviet"),
        # Who alone ever says so plays both sides.
        ("German", "German", "Soviet"),
        ("Soviet", "Soviet", "Soviet"),
        ("Solitaire", "all", "Soviet"),
        ("German 2", "", "Soviet"),
    ],
)
def test_a_go_that_ends_is_of_who_says_so(module, presser, before, to):
    state = game(module, "first_steps")
    (marker,) = (p.piece for p in state.pieces.values() if p.piece.name == "To act")
    assert next_to_act(marker, "2", "German", presser, before) == f"{to} to act"


def test_the_winner_of_the_initiative_begins_by_a_click(module):
    buttons = {b.name: b for b in module.each(DoActionButton)}
    menus = {menu.get("description"): menu.get("menuItems") for menu in module.each(ToolbarMenu)}
    assert "Who won the initiative" in menus["Announce"].split(",")
    for key, seats in (("first_steps", ("German", "Soviet")), ("four_hands", SEATS.values())):
        state = game(module, key)
        (marker,) = (p.piece for p in state.pieces.values() if p.piece.name == "To act")
        assert (state.property_value("NoPartners") == "false") == (len(seats) == 4)
        for seat in seats:
            button = buttons[f"{seat} begins"]
            assert button.name in menus["Who won the initiative"].split(",")
            assert (button.get("propertyGate") == "NoPartners") == seat.endswith("2")
            (hot,) = button.hotkeys.keys
            (sent,) = (c for c in module.each(GlobalKeyCommand) if c.button_hotkey == hot)
            known = {"PlayerSide": seat, "GoBy": "", "PassedBy": "", "Hands": "4"}
            keys = pressed(marker.traits, sent.key_command, known)
            zones = {at.trait.key: at.trait.zone.text for at in marker.each(SendToLocation)}
            assert [zones[k] for k in map(KeyStroke.named, keys) if k in zones] == [
                f"{seat} to act"
            ]


def test_who_has_passed_does_not_hand_over_again(module):
    marker = next(
        p.piece for p in game(module, "first_steps").pieces.values() if p.piece.name == "To act"
    )
    end = KeyStroke.named("endGo")
    passed = {"PassedBy": "German", "PlayerSide": "German", "LocationName": "Soviet to act"}
    assert pressed(marker.traits, end, passed)[1:] == ["forgetPass", "wentAlready"]
    for changed in (
        {"PlayerSide": "Soviet"},
        {"PassedBy": ""},
        {"LocationName": "German to act"},
        {"PassedBy": "", "PlayerSide": ""},
    ):
        keys = pressed(marker.traits, end, {**passed, **changed})[1:]
        assert keys == ["forgetPass", "turnToAct", "noteWho"]


@pytest.mark.parametrize(
    ("presser", "active", "to"),
    [
        # The first who says so means the side that has activated somebody.
        ("Soviet", ("German",), "Soviet"),
        ("Soviet", ("German", "Soviet"), "German"),
        ("Soviet", ("Soviet",), "German"),
        ("German", ("German",), "Soviet"),
    ],
)
def test_a_go_of_who_has_activated_nobody_is_seldom_what_ends(module, presser, active, to):
    state = game(module, "first_steps")
    (marker,) = (p.piece for p in state.pieces.values() if p.piece.name == "To act")
    assert next_to_act(marker, "2", "German", presser, "", active) == f"{to} to act"
    other = {"German": "Soviet", "Soviet": "German"}[presser]
    assert next_to_act(marker, "2", "German", presser, "all", active) == f"{other} to act"
