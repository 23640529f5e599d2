"""Merging: an extension's components go to their places, its ids and files into the module's."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexmarshal.errors import UsageError, VassalFormatError
from hexmarshal.vassal import sequence
from hexmarshal.vassal.commands import game
from hexmarshal.vassal.commands.piece import AddPiece
from hexmarshal.vassal.commands.tree import tree
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.lint import ModuleSubject, check_module
from hexmarshal.vassal.merge import merge
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.pieces.piece import parse_add
from hexmarshal.vassal.saves.nested_saves import open_nested
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.traits import PlaceMarker
from tests.converters.vassal.small_modules import (
    SOUND,
    changed,
    extension,
    picture,
    slot,
    sound_module,
)

UNITS = "VASSAL.build.module.PieceWindow:Counters/VASSAL.build.widget.ListWidget:Units"
WINDOW = "VASSAL.build.module.ExtensionElement"


def element(inner: str, target: str = "") -> str:
    return f'<{WINDOW} target="{target}">{inner}</{WINDOW}>'


def piece(name: str, gpid: str, *, image: str = "green.svg", traits: str = "") -> str:
    text = f"+/null/{traits}piece;;;{image};{name}/" + "\t" * bool(traits) + f"null;0;0;{gpid};0"
    return (
        f'<VASSAL.build.widget.PieceSlot entryName="{name}" gpid="{gpid}" height="0" width="0">'
        f"{text}</VASSAL.build.widget.PieceSlot>"
    )


GREEN = element(piece("Green", "a1b:7"), UNITS)
FILES = {"images/green.svg": picture(20)}


def extended(*elements: str, files: dict[str, bytes] | None = None, id: str = "a1b") -> Module:
    made = Module.from_archive(extension(*elements, files=FILES if files is None else files, id=id))
    made.path = Path("green.vmdx")
    return made


def saved(module: Module) -> Module:
    return Module.from_archive(Archive.from_bytes(module.to_bytes()))


def test_a_component_goes_to_its_target():
    module = sound_module()
    (done,) = merge(module, [extended(GREEN)])
    assert done.placed == [("PieceSlot 'Green'", "Counters > Units")]
    after = saved(module)
    assert slot(after, "Green").parent.name == "Units"
    assert after.read("images/green.svg") == picture(20)
    assert check_module(ModuleSubject(after)) == []


def test_gpids_are_renumbered_in_slot_and_state():
    module = sound_module()
    following = module.root.next_piece_slot_id
    (done,) = merge(module, [extended(GREEN)])
    assert done.gpids == {"a1b:7": str(following)}
    green = slot(module, "Green")
    assert (green.gpid, parse_add(green.text).gpid) == (str(following), str(following))
    assert module.root.next_piece_slot_id == following + 1


def test_markers_inside_traits_are_renumbered_too():
    marker = "+/null/piece;;;green.svg;Dust/null;0;0;a1b:8;0"
    trait = sequence.escape(PlaceMarker(command="Dust", marker=marker, gpid="a1b:8").encode(), "/")
    green = piece("Green", "a1b:7", traits=f"{trait}\t")
    module = sound_module()
    (done,) = merge(module, [extended(element(green, UNITS))])
    assert set(done.gpids) == {"a1b:7", "a1b:8"}
    found = parse_add(slot(module, "Green").text).first(PlaceMarker)
    assert found.trait.gpid == done.gpids["a1b:8"]
    assert f";{done.gpids['a1b:8']};" in found.trait.marker
    assert "a1b" not in slot(module, "Green").text


def test_two_extensions_with_the_same_ids_do_not_meet():
    module = sound_module()
    other = element(piece("Grey", "a1b:7"), UNITS)
    first, second = merge(module, [extended(GREEN), extended(other)])
    assert first.gpids["a1b:7"] != second.gpids["a1b:7"]
    ids = [s.gpid for s in module.slots()]
    assert len(ids) == len(set(ids))


def test_a_piece_may_go_into_what_the_same_extension_brings():
    window = element('<VASSAL.build.module.PieceWindow name="More"/>')
    inside = element(piece("Green", "a1b:7"), "VASSAL.build.module.PieceWindow:More")
    module = sound_module()
    (done,) = merge(module, [extended(window, inside)])
    assert [where for _, where in done.placed] == ["the module", "More"]


def test_equal_files_are_no_collision():
    files = {**FILES, "images/red.svg": picture()}
    (done,) = merge(sound_module(), [extended(GREEN, files=files)])
    assert done.files == {"images/green.svg": "images/green.svg"}


def test_a_different_image_is_renamed_and_followed():
    module = sound_module()
    other = element(piece("Green", "a1b:7", image="red.svg"), UNITS)
    (done,) = merge(module, [extended(other, files={"images/red.svg": picture(99)})])
    assert done.files == {"images/red.svg": "images/red-a1b.svg"}
    after = saved(module)
    assert parse_add(slot(after, "Green").text).basic.image == "red-a1b.svg"
    assert parse_add(slot(after, "Red").text).basic.image == "red.svg"
    assert (after.read("images/red.svg"), after.read("images/red-a1b.svg")) == (
        picture(),
        picture(99),
    )
    assert check_module(ModuleSubject(after)) == []


def test_a_different_image_can_be_left_out_or_refused():
    other = element(piece("Green", "a1b:7", image="red.svg"), UNITS)
    files = {"images/red.svg": picture(99)}
    module = sound_module()
    (done,) = merge(module, [extended(other, files=files)], on_collision="keep")
    assert (done.kept, done.files) == (["images/red.svg"], {})
    assert saved(module).read("images/red.svg") == picture()
    with pytest.raises(VassalFormatError, match="another file of this name"):
        merge(sound_module(), [extended(other, files=files)], on_collision="error")


def test_sounds_and_pages_are_renamed_and_followed():
    chart = (
        '<VASSAL.build.module.ChartWindow name="Green"><VASSAL.build.widget.HtmlChart'
        ' chartName="Page" fileName="page.html"/></VASSAL.build.module.ChartWindow>'
    )
    trait = "playSound;bang.wav;Bang;66,130;false;;false\t"
    bang = element(piece("Green", "a1b:7", traits=trait), UNITS)
    files = {**FILES, "page.html": b"<p>green</p>", "sounds/bang.wav": b"green"}

    def both(module: Module) -> None:
        module.changes |= {"page.html": b"<p>own</p>", "sounds/bang.wav": b"own"}

    module = Module.from_archive(changed(both))
    merge(module, [extended(element(chart), bang, files=files)])
    after = saved(module)
    assert "playSound;bang-a1b.wav;" in slot(after, "Green").text
    assert after.read("sounds/bang-a1b.wav") == b"green"
    assert b'fileName="page-a1b.html"' in after.document.to_bytes()
    assert after.read("page-a1b.html") == b"<p>green</p>"


def test_code_that_both_have_is_refused():
    files = {**FILES, "own/Thing.class": b"green"}
    module = Module.from_archive(
        changed(lambda module: module.changes.update({"own/Thing.class": b"own"}))
    )
    with pytest.raises(VassalFormatError, match="another file"):
        merge(module, [extended(GREEN, files=files)])


def test_setups_follow_the_new_ids_and_forget_the_extension():
    def game_of(gpid: str) -> bytes:
        commands = [
            AddPiece("1", "piece;;;green.svg;Green", f"Main Map;60;64;{gpid};0"),
            game.LoadedExtension("green", "1.1"),
            game.LoadedExtension("other", "1.0"),
        ]
        root = tree(game.BeginSave(), [tree(c) for c in commands])
        return SavedGame.from_text(root.encode()).to_bytes()

    setup = element(
        '<VASSAL.build.module.PredefinedSetup file="green.vsav" isMenu="false" name="G"'
        ' useFile="true"/>'
    )
    module = Module.from_archive(
        changed(lambda module: module.changes.update({"own.vsav": game_of("a1b:7")}))
    )
    files = {**FILES, "green.vsav": game_of("a1b:7")}
    (done,) = merge(module, [extended(GREEN, setup, files=files)])
    assert done.saves == ["green.vsav", "own.vsav"]
    for entry in done.saves:
        state = open_nested(saved(module), entry).state()
        assert state.pieces["1"].gpid == done.gpids["a1b:7"]
        assert state.extensions == {"other": "1.0"}


def test_an_extension_of_another_module_is_refused_unless_told():
    module = sound_module()
    module.root.set("name", "Large")
    with pytest.raises(VassalFormatError, match="an extension of 'Small'"):
        merge(module, [extended(GREEN)])
    assert merge(module, [extended(GREEN)], any_module=True)


def test_a_newer_module_version_is_a_warning():
    made = extended(GREEN)
    made.root.set("moduleVersion", "2.5")
    (done,) = merge(sound_module(), [made])
    assert done.warnings == ["made for version 2.5 of the module, which is 1.0"]


def test_a_target_that_is_not_there_is_an_error_with_its_place():
    lost = element(piece("Green", "a1b:7"), "VASSAL.build.module.ChessClockControl")
    with pytest.raises(VassalFormatError, match="ChessClockControl") as error:
        merge(sound_module(), [extended(lost)])
    assert error.value.place.line


def test_only_extensions_merge_into_only_modules():
    with pytest.raises(VassalFormatError, match="not an extension"):
        merge(sound_module(), [sound_module()])
    with pytest.raises(UsageError):
        merge(extended(GREEN), [extended(GREEN)])
    with pytest.raises(UsageError, match="alone"):
        merge(Module(sound_module().document), [extended(GREEN)])


def test_merging_nothing_changes_nothing():
    module = sound_module()
    assert merge(module, []) == []
    assert module.to_bytes() == SOUND
