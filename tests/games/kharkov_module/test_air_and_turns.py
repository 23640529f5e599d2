"""What the tracker and announcements do to the markers of air points and of the turn."""

from __future__ import annotations

import pytest
from pressed_keys import named, pressed

from hexmarshal.games.kharkov import Kharkov
from hexmarshal.games.kharkov.module.binding import PHASES
from hexmarshal.vassal.components import DoActionButton, GlobalKeyCommand, TurnGlobalHotkey
from hexmarshal.vassal.pieces.piece import parse_add
from hexmarshal.vassal.pieces.prototypes import expand
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.traits import (
    CounterGlobalKeyCommand,
    ReportState,
    RestrictCommands,
    SendToLocation,
)
from hexmarshal.vassal.values import KeyStroke, ctrl
from hexmarshal.vassal.values.evaluation import evaluate

SET_UPS = {
    "campaign": "The-Kharkov-offensive.vsav",
    "training": "The-bridgehead-at-Staryi-Saltov.vsav",
}


def traits_of(module, start):
    shared = {name: found.text for name, found in module.prototypes().items()}
    slot = next(slot for slot in module.slots() if slot.name.startswith(start))
    return expand(parse_add(slot.text.strip()), shared).piece.traits


def pressed_in(module, phase):
    """The keys that pieces of a kind hear when the tracker comes to a phase."""
    keys = [
        hot.hotkey
        for hot in module.each(TurnGlobalHotkey)
        if evaluate(str(hot.match), {"Phase": phase}.get) == "true"
    ]
    sent = {command.button_hotkey: command for command in module.each(GlobalKeyCommand)}
    return [sent[key] for key in keys if key in sent]


def heard(commands, kind):
    facts = {"MarkerKind": kind, "TakesPart_Level": "1"}
    return [c.key_command for c in commands if evaluate(c.get("filter"), facts.get) == "true"]


@pytest.mark.parametrize("side", ["Axis", "Soviet"])
def test_the_first_phase_of_a_turn_lays_its_air_points(module, side):
    for name, entry in SET_UPS.items():
        state = SavedGame.from_archive(module.archive.nested(entry)).state()
        told = {key[1]: value for key, value in state.properties.items()}
        points = Kharkov().data.read(f"scenarios/{name}.yaml")["air"][side.lower()]
        assert told[f"{side}Air"] == "t" + "".join(map(str, points)), "one digit for each turn"
    marker = traits_of(module, f"{side} air points")
    first, *others = PHASES
    (key,) = heard(pressed_in(module, first), f"air-{side.lower()}")
    (goes,) = (t for t in marker if isinstance(t, SendToLocation) and t.key == key)
    assert (
        f'"{side} air " + (Turn < {side}Air.length() ? {side}Air.substring(Turn' in goes.zone.text
    )
    for phase in others:
        assert heard(pressed_in(module, phase), f"air-{side.lower()}") == []


def test_the_marker_of_the_turn_goes_with_the_tracker(module):
    marker = traits_of(module, "Game turn")
    for phase in PHASES:
        (key,) = heard(pressed_in(module, phase), "game-turn")
        (goes,) = (t for t in marker if isinstance(t, SendToLocation) and t.key == key)
        assert evaluate(goes.zone.text, {"Turn": "3"}.get) == "Turn 3"
        assert evaluate(goes.zone.text, {"Turn": "11"}.get) == "Turn 10"


def keys_of_unit(module, phase, **facts):
    """The keys of one letter that a unit hears when the tracker comes to a phase."""
    known = {"Disrupted_Level": "1", "Displaced_Level": "1", "Active_Level": "2", **facts}
    letters = {ctrl(letter): letter for letter in "UFB"}
    return "".join(
        letters.get(c.key_command, "")
        for c in pressed_in(module, phase)
        if evaluate(c.get("filter"), known.get) == "true"
    )


@pytest.mark.parametrize("side", ["soviet", "axis"])
def test_units_recover_as_the_tracker_comes_to_the_phase_of_their_side(module, side):
    """KHA-4.2.A4, KHA-4.2.B4, KHA-10.17."""
    own = {"soviet": "A4 Soviet disruption", "axis": "B4 Axis disruption"}[side]
    for phase in PHASES:
        disrupted = keys_of_unit(module, phase, UnitSide=side, Disrupted_Level="2")
        assert disrupted == ("U" if phase == own else "")
    displaced = {"UnitSide": side, "Displaced_Level": "2"}
    assert keys_of_unit(module, own, Active_Level="1", **displaced) == "FB"
    assert keys_of_unit(module, own, **displaced) == "B"


def test_headquarters_wake_as_their_turn_begins(module):
    """KHA-10.32 to KHA-10.34; not who was displaced, who waits for the disruption phase."""
    first, second, *_ = PHASES
    sleeps = {"UnitSide": "soviet", "UnitId": "hq-57", "Active_Level": "1"}
    assert keys_of_unit(module, first, Turn="1", **sleeps) == ""
    assert keys_of_unit(module, first, Turn="2", **sleeps) == "F"
    assert keys_of_unit(module, second, Turn="2", **sleeps) == ""
    assert keys_of_unit(module, first, Turn="2", **{**sleeps, "Active_Level": "2"}) == ""
    assert keys_of_unit(module, first, Turn="2", **{**sleeps, "Displaced_Level": "2"}) == ""
    assert keys_of_unit(module, first, Turn="2", **{**sleeps, "UnitId": "hq-9"}) == ""


def test_air_points_are_used_by_saying_so(module):
    unit = traits_of(module, "inf-44 ")
    calls = {named(t.key): t for t in unit if isinstance(t, CounterGlobalKeyCommand)}
    attack = pressed(unit, KeyStroke.named("hear-attack-yes"), {"Parts": "rif-01"})
    plain = pressed(unit, KeyStroke.named("hear-attack"), {"Parts": "rif-01"})
    assert ("useTheirAir" in attack, "useTheirAir" in plain) == (True, False)
    supplies = pressed(unit, KeyStroke.named("say-air_supply"), {})
    for key, using in (("useTheirAir", "air-soviet"), ("useOwnAir", "air-axis")):
        asked = calls[key].expression.text.replace("$UnitSide$", "axis")
        kinds = ("air-axis", "air-soviet", "air-supply", "vp-axis-1")
        found = [k for k in kinds if evaluate(asked, {"MarkerKind": k}.get) == "true"]
        assert found == [using], "who attacks an Axis unit is the Soviet player"
    assert "useOwnAir" in supplies
    buttons = {b.name: b.hotkeys.keys for b in module.each(DoActionButton)}
    (defends,) = buttons["Air point of the defender: yes"]
    assert not buttons["Air point of the defender: no"]
    (command,) = (c for c in module.each(GlobalKeyCommand) if c.button_hotkey == defends)
    for phase, using in (("A3 Soviet combat", "air-axis"), ("B2 Axis combat", "air-soviet")):
        facts = {"Phase": phase, "MarkerKind": using}
        assert evaluate(command.get("filter"), facts.get) == "true"


def test_a_hex_in_which_nothing_lies_is_attacked_by_asking_for_it(module):
    unit = traits_of(module, "inf-44 ")
    say, hear = (KeyStroke.named(f"{verb}-attack-where") for verb in ("say", "hear"))
    asks = pressed(unit, say, {"Target": ""})
    assert "askWhere" in asks
    assert asks.index("nowhere") < asks.index("askWhere"), "an old answer is forgotten before"
    assert "tell-attack-where" not in asks, "who does not answer says nothing"
    assert "tell-attack-where" in pressed(unit, hear, {"Target": "here"})
    (told,) = (
        t.format.text
        for t in unit
        if isinstance(t, ReportState) and "tell-attack-where" in map(named, t.keys.keys)
    )
    assert told.endswith("[attack] $Parts$ -> $Target$")


@pytest.mark.parametrize(
    ("unit", "phase", "action", "said"),
    [
        ("hq", "A3 Soviet combat", "attack", True),
        ("infantry", "A3 Soviet combat", "attack", True),
        ("reserve", "A3 Soviet combat", "attack", False),
        ("infantry", "A2 Soviet movement", "attack", False),
        # Who attacks or overruns is not attacked; the place is asked for at who does it.
        ("infantry", "B2 Axis combat", "attack", False),
        ("infantry", "B1 Axis initial movement", "overrun", False),
        ("infantry", "B2 Axis combat", "attack-where", True),
        ("infantry", "A3 Soviet combat", "attack-where", False),
        ("infantry", "B1 Axis initial movement", "break_down", True),
        ("infantry", "B2 Axis combat", "break_down", False),
        ("infantry", "B1 Axis initial movement", "pursue", False),
        ("infantry", "A2 Soviet movement", "overrun", True),
        ("infantry", "A2 Soviet movement", "disengage", False),
        ("infantry", "B1 Axis initial movement", "disengage", True),
        ("hq", "B1 Axis initial movement", "disengage", False),
        ("infantry", "B5 Axis air support", "air_supply", True),
        ("infantry", "B2 Axis combat", "air_supply", False),
    ],
)
def test_a_menu_has_what_can_be_said_of_a_unit_in_a_phase(module, unit, phase, action, said):
    key = KeyStroke.named(f"say-{action}")
    facts = {"UnitType": unit, "UnitSide": "axis", "Phase": phase}
    left_out = [
        t.expression.text
        for t in traits_of(module, "inf-44 ")
        if isinstance(t, RestrictCommands) and key in t.keys.keys
    ]
    assert all(evaluate(text, facts.get) == "false" for text in left_out) is said


def test_the_notes_tell_what_scores_and_who_comes_when(module, source):
    for name, entry in SET_UPS.items():
        lines = SavedGame.from_archive(module.archive.nested(entry)).state().notes.scenario
        assert "\nControl of Kharkov (either side): 25, end of the game\n" in lines
        assert "\n51 and more: Decisive victory\n" in lines
        given = source.read(f"scenarios/{name}.yaml")
        for row in given["arrivals"]:
            assert f"\nTurn {row['turn']}, {row['entry'].replace('_', ' ')}: " in lines
            assert all(unit in lines for unit in row["units"])
        assert f"Axis: {', '.join(map(str, given['air']['axis']))}" in lines
