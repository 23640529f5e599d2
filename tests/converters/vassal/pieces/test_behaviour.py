"""What a key does to a piece, and behaviour that leads nowhere over a whole module."""

from __future__ import annotations

import pytest

from hexmarshal.errors import NotFoundError
from hexmarshal.vassal.behaviour import trace
from hexmarshal.vassal.behaviour.choose import pieces_called
from hexmarshal.vassal.components import MassKeyCommand, PrototypeDefinition
from hexmarshal.vassal.lint import ModuleSubject, Severity, check_module
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.pieces.piece import format_add, parse_add
from hexmarshal.vassal.traits import (
    CounterGlobalKeyCommand,
    Delete,
    DynamicProperty,
    Layer,
    Marker,
    MarkerState,
    RawTrait,
    ReportState,
    RestrictCommands,
    Trait,
    TriggerAction,
    UsePrototype,
)
from hexmarshal.vassal.values import (
    Expression,
    FormattedText,
    KeyStroke,
    KeyStrokes,
    PropertyCommands,
    ctrl,
)
from tests.converters.vassal.small_modules import slot, sound_module
from tests.converters.vassal.tools.test_search import definition, named, with_blue

CHECKS = {
    "unheard-key",
    "unset-property",
    "deaf-command",
    "pointless-command",
    "trigger-circle",
    "stuck-layer",
}


def trigger(key: KeyStroke, *sent: KeyStroke, when: str = "", **fields: object) -> TriggerAction:
    return TriggerAction(
        key=key, performed_keys=KeyStrokes.of(*sent), expression=Expression(when), **fields
    )


def told(*traits: Trait, key: str, prototypes: dict[str, str] | None = None) -> list[str]:
    found = trace(parse_add(definition(*traits)), key, prototypes or {})
    return [f"{step.depth} {step.number} {step.what}" for step in found.steps]


LAYER = Layer(version=1, name="Side", increase_key=named("Flip"), images=("a.svg", "b.svg"))
STEPS = DynamicProperty(
    name="Steps",
    commands=PropertyCommands(r"Hit:72\,130:I\,-1,:57344\\,0\\,Heal:P\,4".replace("\\\\", "\\")),
)


def test_traits_act_from_the_outside_in_and_reports_come_last():
    assert told(
        ReportState(keys=KeyStrokes.of(ctrl("T")), format=FormattedText("outer")),
        trigger(ctrl("T"), named("Flip")),
        ReportState(keys=KeyStrokes.of(ctrl("T")), format=FormattedText("inner")),
        LAYER,
        key="Ctrl+T",
    ) == [
        "0 2 trigger performs [Flip]",
        "1 4 shows the next level of the layer 'Side'",
        "0 3 reports 'inner'",
        "0 1 reports 'outer'",
    ]


def test_a_key_sent_on_that_nothing_hears_is_told():
    assert told(trigger(ctrl("T"), named("Gone")), key="Ctrl+T")[1:] == [
        "1 0 no trait of the piece hears it"
    ]


def test_what_a_property_becomes_is_told():
    assert told(STEPS, key="Ctrl+H") == ["0 1 adds -1 to property 'Steps'"]


def test_prototypes_are_put_in_place():
    prototypes = {"Unit": definition(Delete(command="Dead"))}
    assert told(UsePrototype(name="Unit"), key="Ctrl+D", prototypes=prototypes) == [
        "0 1 delete (Dead)"
    ]
    missing = trace(parse_add(definition(UsePrototype(name="Unit"))), "Ctrl+D", {})
    assert missing.problems == ["there is no prototype 'Unit'"]
    assert not missing.heard


@pytest.mark.parametrize(
    ("when", "holds"),
    [('{BasicName == "Blue"}', True), ('{BasicName == "Red"}', False), ("{Weather > 1}", None)],
)
def test_a_condition_is_told_and_whether_it_holds_where_the_piece_knows(when, holds):
    piece = parse_add(definition(trigger(ctrl("T"), when=when)))
    (step,) = trace(piece, "Ctrl+T", {}).steps
    assert (step.condition, step.holds) == (when, holds)


def test_a_restriction_and_a_global_command_are_told():
    restriction = RestrictCommands(action="Disable", keys=KeyStrokes.of(ctrl("G")))
    command = CounterGlobalKeyCommand(global_key=named("Flip"), expression=Expression("{Side==1}"))
    assert told(restriction, command, key="Ctrl+G") == [
        "0 1 disables the command",
        "0 2 sends [Flip] to other pieces: {Side==1}",
    ]


def test_triggers_in_a_circle_end_and_are_told():
    piece = parse_add(definition(trigger(ctrl("A"), ctrl("B")), trigger(ctrl("B"), ctrl("A"))))
    found = trace(piece, "Ctrl+A", {})
    assert found.problems == ["a circle, unless a condition ends it: Ctrl+A -> Ctrl+B -> Ctrl+A"]
    assert len(found.steps) == 2


def test_triggers_that_double_without_end_do_not_hang():
    traits = [trigger(named(f"k{n}"), *[named(f"k{n + 1}")] * 2) for n in range(30)]
    found = trace(parse_add(definition(*traits)), "[k0]", {})
    assert "more steps than can be followed" in found.problems


def test_a_piece_is_known_by_its_name_or_gpid_and_others_are_offered():
    module = sound_module()
    red = pieces_called(module, "Red")
    assert len(red) == 1
    gpid = next(slot.get("gpid") for slot in module.slots() if slot.name == "Red")
    assert pieces_called(module, gpid) == red
    with pytest.raises(NotFoundError) as caught:
        pieces_called(module, "re")
    assert caught.value.hint == "perhaps Red"


def findings(module: Module) -> list[tuple[str, str]]:
    found = check_module(ModuleSubject(module))
    return [(f.id, f.message) for f in found if f.id in CHECKS]


def test_a_sound_module_behaves():
    assert not findings(sound_module())


def test_a_command_that_nothing_hears_is_found():
    module = with_blue(trigger(ctrl("T"), named("Gone")))
    assert findings(module) == [("unheard-key", "[Gone] is sent and nothing hears it")]


def test_a_property_that_nothing_gives_is_found():
    module = with_blue(trigger(ctrl("T"), when="{Ammo > 1}"))
    assert findings(module) == [
        ("unset-property", "the property 'Ammo' is asked for and nothing gives it")
    ]


def test_global_commands_that_reach_nothing_are_found():
    module = with_blue(CounterGlobalKeyCommand(global_key=ctrl("Q")))
    module.root.add(MassKeyCommand, {"name": "All", "hotkey": "87,130"})
    assert sorted(findings(module)) == [
        ("deaf-command", "a trait sends Ctrl+Q to other pieces, and none hears it"),
        ("deaf-command", "sends Ctrl+W to pieces, and no piece hears it"),
    ]


@pytest.mark.parametrize(
    ("condition", "reaches"),
    [
        ('{Kind=="Tank"}', True),
        ('{Kind=="Zeppelin"}', False),
        ('{CurrentMap=="Main Map" && Kind=="Zeppelin"}', False),
        ('{GetProperty("Kind")=="Zeppelin"}', False),
        ('{Kind=="Zeppelin" || Fuel > 2}', True),  # what play changes may come to hold
        ('{Kind=="Zeppelin" && Size==3}', False),
        ('{Kind=="Tank" && Size==3}', True),
        ("{Size > 3}", True),  # pieces without a size have a text there
        ('{Kind=="$Kind$"}', True),  # as the piece is that sends
        ('{Fuel=="9"}', True),
        ("Kind = Zeppelin", True),
        ("", True),
    ],
)
def test_a_condition_that_the_markers_of_no_piece_meet_is_found(condition, reaches):
    fuel = DynamicProperty(name="Fuel", commands=PropertyCommands.of())
    sender = CounterGlobalKeyCommand(global_key=ctrl("D"), expression=Expression(condition))
    tank = parse_add(definition(Marker(names=("Kind", "Size")), fuel, sender))
    module = sound_module()
    slot(module, "Blue").text = format_add(tank.with_state(0, MarkerState(values=("Tank", "3"))))
    found = [check for check, _ in findings(module) if check == "pointless-command"]
    assert found == ([] if reaches else ["pointless-command"])


def test_a_circle_of_triggers_is_found_only_if_no_condition_can_end_it():
    there, back = trigger(ctrl("A"), ctrl("B")), trigger(ctrl("B"), ctrl("A"))
    message = "triggers send keys in a circle: Ctrl+A -> Ctrl+B -> Ctrl+A"
    assert findings(with_blue(there, back)) == [("trigger-circle", message)]
    ended = trigger(ctrl("B"), ctrl("A"), when="{StackSize > 1}")
    assert not findings(with_blue(there, ended))


def test_a_circle_through_a_prototype_is_found():
    module = with_blue(trigger(ctrl("A"), ctrl("B")), UsePrototype(name="Unit"))
    prototype = next(module.each(PrototypeDefinition))
    prototype.text = definition(trigger(ctrl("B"), ctrl("A")))
    assert [name for name, _ in findings(module)] == ["trigger-circle"]


def test_levels_that_no_command_reaches_are_found():
    stuck = Layer(version=1, name="Side", images=("red.svg", "blue.svg"))
    assert findings(with_blue(stuck)) == [
        ("stuck-layer", "the layer 'Side' has 2 levels and no key")
    ]
    following = Layer(
        version=1, images=("red.svg", "blue.svg"), follow_property=True, property_name="StackSize"
    )
    assert not findings(with_blue(following))


def test_code_of_the_modules_own_may_hear_more_than_can_be_seen():
    module = with_blue(trigger(ctrl("T"), named("Gone")), RawTrait(text="own;code"))
    (found,) = (f for f in check_module(ModuleSubject(module)) if f.id == "unheard-key")
    assert found.severity is Severity.INFO
