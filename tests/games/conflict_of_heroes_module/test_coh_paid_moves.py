"""Action points paid with the move: the prices are those of the rules, and who is asked when."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from pressed_keys import pressed

from hexmarshal.games.conflict_of_heroes import ConflictOfHeroes
from hexmarshal.games.conflict_of_heroes.module.ground import CLOSED, FREE, LETTERS, WAYS, goes_as
from hexmarshal.games.conflict_of_heroes.rules.movement import move_costs
from hexmarshal.rules.state.pieces import Unit
from hexmarshal.vassal.components import ChangePropertyButton, DoActionButton, GlobalProperty
from hexmarshal.vassal.pieces.piece import parse_add
from hexmarshal.vassal.pieces.prototypes import expand
from hexmarshal.vassal.traits import Marker, SetGlobalProperty
from hexmarshal.vassal.values import KeyStroke
from hexmarshal.vassal.values.evaluation import evaluate

COH = ConflictOfHeroes()
WENT, WALKED = KeyStroke.named("pieceWent"), KeyStroke.named("walkEd")
TYPES = ("german_rifles_41", "german_pak38", "german_panzer_3e", "soviet_truck")
_COUNT = re.compile(r'Count(?:Location|Map)\("(?:[^"\\]|\\.|" \+ \w+ \+ ")*"\)')


def piece(module, name):
    prototypes = {key: found.text for key, found in module.prototypes().items()}
    slot = next(slot for slot in module.slots() if name in slot.name)
    return expand(parse_add(slot.text.strip()), prototypes).piece


@pytest.fixture(scope="module")
def ground(module):
    marker = piece(module, "German AP")
    (text,) = (at.state.values[0] for at in marker.each(Marker) if at.trait.names == ("Ground",))
    return text


@pytest.mark.parametrize("kind", TYPES)
def test_the_ground_asks_for_what_the_rules_ask_for(ground, kind):
    counter = COH.tables.counters[kind]
    for key in COH.boards.keys:
        now = COH.situated(replace(COH.blank(), board=key))
        for here, others in now.board.neighbours.items():
            for cell in others:
                way = now.board.direction(here, cell)
                unit = Unit("u", kind, counter.side, cell=here, facing=way)
                leg = move_costs.plan(now, unit, (cell,), None)
                at = ground.index(f" {cell}=") + len(cell) + 2 + WAYS * goes_as(counter) + way
                assert (ground[at] == CLOSED) == bool(leg.violations), (here, cell)
                if not leg.violations:
                    added = LETTERS.index(ground[at])
                    assert counter.move + added % FREE == leg.cost, (here, cell)


def value_of(traits, name, facts, counted=0):
    """What a step sets a property of the game to, if so many things are counted."""
    (change,) = (
        command.change.value
        for trait in traits
        if isinstance(trait, SetGlobalProperty) and trait.name == name
        for command in trait.commands.commands
        if command.key == KeyStroke.named("walkStep")
    )
    return evaluate(_COUNT.sub(str(counted), change), facts.get)


def test_the_way_and_what_goes_backwards_are_those_of_the_rules(module):
    traits = piece(module, "Rifles 41").traits
    steps = ((0, -108), (94, -54), (94, 54), (0, 108), (-94, 54), (-94, -54))
    for way, (x, y) in enumerate(steps):
        facts = {"OldX": "500", "OldY": "500", "CurrentX": str(500 + x), "CurrentY": str(500 + y)}
        facts |= {"GoesAs": "2", "MoveCost": "1", "Works_Level": "1"}
        assert value_of(traits, "Heading", facts) == str(2 * WAYS + way)
        for facing in range(WAYS):
            backwards = (way - facing) % 6 not in (0, 1, 5)
            looks = {**facts, "Facing_Facing": str(facing + 1)}
            assert value_of(traits, "Price", looks) == ("2" if backwards else "1")
            in_trench = {**looks, "Works_Level": "2"}
            # The trench, and the hit that slows down: the same count stands for both here.
            assert value_of(traits, "Price", in_trench, counted=1) == "2"


NEAR = {
    "OldX": "500", "OldY": "500", "CurrentX": "594", "CurrentY": "446", "CameBy": "",
    "OldLocationName": "1-E12", "LocationName": "1-E13", "Aboard_Level": "1",
    "InvisibleToOthers": "false", "GoesAs": "0", "UnitId": "g1",
}  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "counted", "why"),
    [
        ({}, 0, ""),
        ({}, 1, "an obstacle"),
        ({"CameBy": "1-E12 -> 1-E13 with others"}, 0, "it goes with others"),
        ({"CameBy": "1-E12 -> 1-E13"}, 0, ""),
        ({"Aboard_Level": "2"}, 0, "it is aboard"),
        ({"InvisibleToOthers": "true"}, 0, "it is out of sight"),
        ({"LocationName": "Exited"}, 0, "it leaves the map"),
        ({"OldLocationName": "German reinforcements"}, 0, "it comes from off the map"),
        ({"CurrentX": "688"}, 0, "more than one hex"),
        ({"GoesAs": "2"}, 1, "an obstacle"),
        ({"GoesAs": "3"}, 1, "an obstacle"),
    ],
)
def test_what_cannot_be_known_is_to_be_paid_by_hand(module, changed, counted, why):
    traits = piece(module, "Rifles 41").traits
    facts = {**NEAR, **changed}
    assert value_of(traits, "ByHand", facts, counted) == why
    way = "g1: {OldLocationName} -> {LocationName}".format(**facts)
    hidden = facts["InvisibleToOthers"] == "true"
    assert value_of(traits, "Payer", facts) == ("a hidden unit" if hidden else way)


def test_only_the_active_unit_pays_and_only_once_it_is_switched_on(module):
    traits = piece(module, "Rifles 41").traits
    went = {**NEAR, "OldMap": "Main Map", "CurrentMap": "Main Map", "PayWithMove": "on"}
    active, other = {**went, "Active_Level": "2"}, {**went, "Active_Level": "1"}
    assert pressed(traits, WENT, active)[1:] == ["leadsNow", "walkStep"]
    assert pressed(traits, WENT, other)[1:] == ["leadsNow", "walkSettle"]
    assert pressed(traits, WENT, {**active, "PayWithMove": "off"})[1:] == ["leadsNow"]
    lost = {**active, "LocationName": "German losses"}
    assert pressed(traits, WENT, lost)[1:] == ["leadsNow"]


@pytest.mark.parametrize(
    ("changed", "keys"),
    [
        ({}, ["walkWeigh", "walkMove", "walkAfter"]),
        ({"PointsLeft": "1"}, ["walkWeigh", "walkPoor"]),
        ({"GroundAdds": "-1"}, ["walkClosed"]),
        ({"GroundAdds": "10"}, ["walkWeigh", "walkMove", "walkAfter"]),
        ({"GroundAdds": "10", "Rolling": "10"}, ["walkWeigh", "walkFreed"]),
        ({"GroundAdds": "0", "Rolling": "10"}, ["walkWeigh", "walkMove", "walkAfter"]),
        ({"ByHand": "more than one hex"}, None),
    ],
)
def test_the_marker_pays_or_says_why_not(module, changed, keys):
    marker = piece(module, "German AP")
    facts = {"ByHand": "", "LocationName": "German AP 5", "GroundAdds": "1", "Rolling": "-1"}
    facts |= {"Price": "2", "PointsLeft": "5", **changed}
    found = pressed(marker.traits, WALKED, facts)[1:]
    assert found == (["walkTell"] if keys is None else ["walkLook", "walkPay", *keys])


def test_the_switch_is_off_in_a_new_game_and_told_in_the_chat(module):
    (switch,) = (p for p in module.each(GlobalProperty) if p.name == "PayWithMove")
    assert switch.initial_value == "off"
    (change,) = switch.each(ChangePropertyButton)
    assert "$newValue$" in change.get("reportFormat")
    value = change.get("propChanger").removeprefix("P,")
    assert [evaluate(value, {"PayWithMove": now}.get) for now in ("off", "on")] == ["on", "off"]
    (button,) = (b for b in module.each(DoActionButton) if b.name == "Pay with the move")
    assert change.get("hotkey") == button.hotkeys.keys[0].text
    assert button.get("hotkey"), "there is a key for it, too"
