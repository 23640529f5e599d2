"""Where-used: every place of a name, and names with one end only."""

from __future__ import annotations

import pytest

from hexmarshal.errors import UsageError
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.pieces.piece import Piece, format_add
from hexmarshal.vassal.search import (
    KINDS,
    WORDS,
    Sought,
    find_in_module,
    undefined,
    unused,
)
from hexmarshal.vassal.traits import (
    BasicPiece,
    CalculatedProperty,
    CounterGlobalKeyCommand,
    DynamicProperty,
    Layer,
    PieceState,
    PlaceMarker,
    ReportState,
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
from tests.converters.vassal.small_modules import changed, slot, sound_module


def named(name: str) -> KeyStroke:
    return KeyStroke.named(name)


def definition(*traits: Trait, name: str = "Blue") -> str:
    basic = BasicPiece(image="blue.svg", name=name)
    states = [trait.state_type() for trait in traits] + [PieceState()]
    return format_add(Piece.of((*traits, basic), states, "null"))


def with_blue(*traits: Trait) -> Module:
    def change(module: Module) -> None:
        slot(module, "Blue").text = definition(*traits)

    return Module.from_archive(changed(change))


def found(module: Module, kind: str, text: str) -> list[tuple[str, str, str]]:
    hits = find_in_module(module, Sought(kind, text))
    return [(hit.role, hit.spot.path.rpartition(" / ")[2], hit.field) for hit in hits]


def test_a_prototype_is_found_where_it_is_defined_and_used():
    hits = list(find_in_module(sound_module(), Sought("prototype", "Unit")))
    assert [(h.role, h.spot.path, h.trait) for h in hits] == [
        ("defines", "PrototypesContainer / Unit", ""),
        ("uses", "Counters / Units / Red", "Prototype (2)"),
        ("uses", "Counters / Units / Blue", "Prototype (1)"),
    ]
    assert hits[1].spot.component.endswith("VASSAL.build.widget.PieceSlot:Red")


def test_set_ups_inside_the_module_are_searched_too():
    hits = list(find_in_module(sound_module(), Sought("image", "back.svg")))
    there = [hit.spot.path for hit in hits if hit.spot.entry.endswith(".vsav")]
    assert there == ["Red (on Main Map)"]


def test_an_image_is_found_as_file_in_pieces_and_on_pages():
    module = sound_module()
    assert ("defines", "", "") in found(module, "image", "chart.svg")
    assert ("uses", "", "page") in found(module, "image", "chart.svg")
    assert ("uses", "Red", "image") in found(module, "image", "back.svg")


def test_a_key_is_heard_sent_watched_and_a_star_is_wild():
    module = with_blue(
        TriggerAction(key=ctrl("T"), performed_keys=KeyStrokes.of(named("Flip"))),
        ReportState(keys=KeyStrokes.of(named("Flip"))),
        Layer(version=1, increase_key=named("Flip"), images=("red.svg",)),
    )
    assert [role for role, *_ in found(module, "key", "[Flip]")] == ["sends", "watches", "hears"]
    assert found(module, "key", "Flip") == found(module, "key", "[Flip]")
    assert found(module, "key", "[Fl*") == found(module, "key", "[Flip]")
    assert ("hears", "Blue", "key") in found(module, "key", "ctrl+t")


def test_letters_of_old_layers_are_keys():
    module = with_blue(Layer(version=0, activate_keys="AB", activate_modifiers=128))
    assert ("hears", "Blue", "activate_key") in found(module, "key", "Ctrl+B")


def test_a_property_is_given_set_and_read():
    module = with_blue(
        DynamicProperty(name="Steps", commands=PropertyCommands(r"Hit:72\,130:I\,-1")),
        CalculatedProperty(name="Dead", expression='{Steps == 0 && Weather == "clear"}'),
    )
    assert found(module, "property", "Steps") == [
        ("defines", "Blue", "name"),
        ("reads", "Blue", "expression"),
    ]
    assert found(module, "property", "Weather") == [
        ("defines", "Weather", "name"),
        ("reads", "Blue", "expression"),
    ]


def test_names_in_markers_inside_pieces_are_found_with_their_depth():
    inner = definition(DynamicProperty(name="Deep"), name="Smoke")
    module = with_blue(PlaceMarker(marker=inner, gpid="77"))
    (hit,) = find_in_module(module, Sought("property", "Deep"))
    assert hit.inside == 1
    assert [h.role for h in find_in_module(module, Sought("gpid", "77"))] == ["defines"]


def test_words_are_found_whatever_the_case_and_expressions_whatever_the_spaces():
    module = with_blue(
        ReportState(format=FormattedText("A Brave deed")),
        TriggerAction(expression=Expression('{CurrentMap  ==  "Main Map"}')),
    )
    assert found(module, "text", "brave")[0] == ("says", "Blue", "format")
    assert found(module, "expression", 'currentmap=="main map"') == [("says", "Blue", "expression")]


@pytest.mark.parametrize("name", ["a;b", "a,b/c", "tab\tbed", "dollar$"])
def test_names_that_vassal_escapes_are_found(name):
    module = with_blue(DynamicProperty(name=name))
    assert found(module, "property", name) == [("defines", "Blue", "name")]


def ends(module: Module, which) -> set[tuple[str, str]]:
    return {(end.kind, end.name) for end in which([module])}


def test_what_is_defined_and_never_used_is_told():
    def change(module: Module) -> None:
        module.changes["images/nobody.svg"] = b"<svg/>"
        slot(module, "Blue").text = definition(
            DynamicProperty(name="Idle"),
            TriggerAction(key=named("Unheard"), performed_keys=KeyStrokes.of(ctrl("D"))),
            TriggerAction(command="Menu", key=named("Offered")),
        )

    assert ends(Module.from_archive(changed(change)), unused) == {
        ("image", "images/nobody.svg"),
        ("property", "Idle"),
        ("property", "Weather"),
        ("key", "[Unheard]"),
    }


def test_names_that_expressions_put_together_count_as_used():
    module = with_blue(
        DynamicProperty(name="Anna_Place"),
        DynamicProperty(name="Town7"),
        CalculatedProperty(name="x", expression='{GetProperty(Who + "_Place") + Town}'),
        ReportState(format=FormattedText('{GetProperty("Town" + 7) + x}')),
    )
    assert not {("property", "Anna_Place"), ("property", "Town7")} & ends(module, unused)


def test_what_is_used_and_never_defined_is_told():
    module = with_blue(
        UsePrototype(name="Nobody"),
        CounterGlobalKeyCommand(
            global_key=named("Vanish"), expression=Expression("{Steeps > 1 && Obscured}")
        ),
        ReportState(keys=KeyStrokes.of(named("Said")), format=FormattedText("$gone$")),
        TriggerAction(performed_keys=KeyStrokes.of(named("Said"), ctrl("Q"))),
    )
    assert ends(module, undefined) == {
        ("prototype", "Nobody"),
        ("key", "[Vanish]"),
        ("property", "Steeps"),
        ("property", "gone"),
    }


def test_both_ends_may_stand_in_different_files():
    module = with_blue(TriggerAction(performed_keys=KeyStrokes.of(named("Far"))))
    other = with_blue(TriggerAction(key=named("Far")))
    told = {(end.kind, end.name) for end in undefined([module, other])}
    assert ("key", "[Far]") not in told


def test_a_sound_module_has_nothing_undefined():
    assert not ends(sound_module(), undefined)


def test_a_build_file_without_its_archive_can_be_searched(tmp_path):
    path = tmp_path / "buildFile.xml"
    path.write_bytes(sound_module().document.to_bytes())
    assert len(list(find_in_module(Module.open(path), Sought("prototype", "Unit")))) == 3


@pytest.mark.parametrize("kind", [*KINDS, "text", "expression"])
def test_places_are_as_many_as_were_counted_however_often_they_are_told(kind):
    hits = find_in_module(sound_module(), Sought(kind, "e" if kind in WORDS else "*"))
    told = list(hits)
    assert len(hits) == len(told) == len(set(told))
    assert [hit for own in hits.by_file().values() for hit in own] == told == list(hits)


def test_nothing_to_look_for_is_refused():
    with pytest.raises(UsageError, match="no prototype is named"):
        Sought("prototype", " ")
    with pytest.raises(UsageError, match="no such kind"):
        Sought("colour", "red")


def test_the_module_is_not_changed_by_looking():
    before = sound_module().to_bytes()
    module = Module.from_archive(Archive.from_bytes(before))
    list(find_in_module(module, Sought("text", "a")))
    list(unused([module]))
    assert module.to_bytes() == before
