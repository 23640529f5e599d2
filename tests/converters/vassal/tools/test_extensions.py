"""Pieces between module and extension, what a game wants, and properties that are gone."""

from __future__ import annotations

from dataclasses import replace
from fnmatch import fnmatch

import pytest

from hexmarshal.errors import NotFoundError, UsageError, VassalFormatError
from hexmarshal.vassal.commands.game import SetGlobalProperty
from hexmarshal.vassal.commands.tree import tree
from hexmarshal.vassal.components import (
    ExtensionElement,
    ListWidget,
    PredefinedSetup,
    PrototypeDefinition,
)
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.diff import diff_modules
from hexmarshal.vassal.extensions import move_in, move_out, new_extension, wanted_extensions
from hexmarshal.vassal.extensions.moving import follow
from hexmarshal.vassal.merge import merge
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.pieces.piece import parse_add
from hexmarshal.vassal.refresh.properties import reset_properties
from hexmarshal.vassal.saves.nested_saves import open_nested
from tests.converters.vassal.small_modules import slot, sound_module


def reread(module: Module) -> Module:
    return Module.from_archive(Archive.from_bytes(module.to_bytes()))


def pieces(module: Module, pattern: str):
    return [s for s in module.slots() if fnmatch(s.name, pattern)]


def split(pattern: str = "Blue"):
    module = sound_module()
    extension = new_extension(module, "Winter")
    done = move_out(module, pieces(module, pattern), extension)
    return reread(module), reread(extension), done


def test_a_piece_goes_out_with_a_number_of_the_extension():
    module, extension, done = split()
    assert not pieces(module, "Blue")
    (blue,) = pieces(extension, "Blue")
    assert isinstance(blue.parent, ExtensionElement)
    own = extension.root.extension_id
    assert blue.gpid == f"{own}:0"
    assert parse_add(blue.text).gpid == blue.gpid
    assert extension.root.next_piece_slot_id == 1
    assert done.components == ["Counters / Units / Blue"]
    assert extension.root.module == "Small"
    assert not extension.metadata.universal


def test_pictures_go_along_only_where_nothing_else_shows_them():
    module, extension, done = split("Blue")
    assert "images/blue.svg" not in extension.entries(), "a card shows it too"
    assert module.has("images/blue.svg")
    module = sound_module()
    next(module.each(PredefinedSetup)).remove()
    module.changes["Start.vsav"] = None
    extension = new_extension(module, "Winter")
    done = move_out(module, pieces(module, "[BA]*"), extension)
    assert done.pictures == ["images/blue.svg"]
    assert extension.has("images/blue.svg")
    assert not module.has("images/blue.svg")


def test_pictures_go_along_with_pieces_that_lie_in_set_ups():
    module, extension, done = split("Red")
    assert done.setups == ["Start.vsav"]
    assert done.pictures == ["images/back.svg"]
    assert extension.has("images/back.svg")
    assert not module.has("images/back.svg")
    _, _, other = split("Blue")
    assert other.pictures == [], "a card shows it too"


def test_out_and_merged_again_is_the_same_module_but_for_numbers():
    module, extension, _ = split("[BA]*")
    merge(module, [extension])
    before = sound_module()
    differences = diff_modules(before, reread(module)).changes
    told = {d.what.rpartition(": ")[2] for change in differences for d in change.details}
    assert told <= {"attribute gpid", "attribute nextPieceSlotId", "gpid"}


def test_out_and_in_again_brings_every_piece_back_to_its_place():
    module, extension, _ = split("[BA]*")
    done = move_in(extension, list(extension.slots()), module)
    assert {s.name for s in module.slots()} == {s.name for s in sound_module().slots()}
    assert module.has("images/blue.svg")
    assert not list(extension.root.each(ExtensionElement))
    assert len(set(done.gpids.values())) == 2
    assert slot(module, "Blue").parent.name == "Units"


def test_set_ups_and_saves_follow_the_numbers():
    module = sound_module()
    game = open_nested(sound_module(), "Start.vsav")
    extension = new_extension(module, "Winter")
    done = move_out(module, pieces(module, "Red"), extension)
    assert done.setups == ["Start.vsav"]
    (red,) = extension.slots()
    for saved in (open_nested(reread(module), "Start.vsav"), follow(game, done.gpids)):
        gpids = [p.gpid for p in saved.state().pieces.values() if p.name == "Red"]
        assert gpids == [red.gpid]
    assert any("Start.vsav" in warning for warning in done.warnings)


def test_a_prototype_that_is_still_used_is_warned_of():
    module = sound_module()
    extension = new_extension(module, "Winter")
    done = move_out(module, list(module.each(PrototypeDefinition)), extension)
    assert any("uses the prototype 'Unit'" in warning for warning in done.warnings)


def test_what_cannot_be_moved_is_refused():
    module = sound_module()
    extension = new_extension(module, "Winter")
    with pytest.raises(NotFoundError, match="nothing is chosen"):
        move_out(module, [], extension)
    with pytest.raises(UsageError):
        move_out(module, [module.root], extension)
    with pytest.raises(UsageError):
        move_out(module, pieces(module, "Red"), sound_module())
    extension.root.set("module", "Other")
    with pytest.raises(VassalFormatError, match="extension of 'Other'"):
        move_out(module, pieces(module, "Red"), extension)


def test_a_name_that_two_palettes_have_cannot_be_a_target():
    module = sound_module()
    home = slot(module, "Red").parent
    twin = home.parent.add(ListWidget, {"entryName": home.name})
    twin.append(slot(module, "Blue"))
    with pytest.raises(UsageError, match="another component has that name"):
        move_out(module, pieces(module, "Blue"), new_extension(module, "Winter"))


def test_a_piece_whose_palette_the_module_lacks_is_not_put_into_another():
    module = sound_module()
    extension = new_extension(module, "Winter")
    move_out(module, [slot(module, "Red").parent], extension)
    with pytest.raises(UsageError, match="the module has no"):
        move_in(extension, pieces(extension, "Red"), module)


def test_the_inactive_extension_that_has_a_missing_piece_is_named():
    module, extension, done = split("Red")
    game = follow(open_nested(sound_module(), "Start.vsav"), done.gpids)
    found = wanted_extensions(game, module, [], {"winter.vmdx": extension})
    (missing,) = found.missing
    assert (missing.name, missing.count, missing.supplied_by) == ("Red", 1, ("winter.vmdx",))
    assert not wanted_extensions(game, module, [extension], {}).missing
    old = open_nested(sound_module(), "Start.vsav")
    (missing,) = wanted_extensions(old, module, [], {"winter.vmdx": extension}).missing
    assert missing.by_name


def test_properties_that_are_gone_are_dropped_and_named_ones_reset():
    module = sound_module()
    game = open_nested(module, "Start.vsav")
    own = next(n.command for n in game.root.walk() if isinstance(n.command, SetGlobalProperty))
    assert own.name == "Weather"
    nodes = [tree(replace(own, name="Gone", value="7")), tree(replace(own, value="storm"))]
    changed = game.with_root(game.root.with_children([*nodes, *game.root.children]))
    left, words = reset_properties(changed, [module])
    assert words == ["Gone: removed, the module has no such property"]
    assert "Gone" not in left.text
    assert "storm" in left.text
    left, words = reset_properties(changed, [module], ["Weather"])
    assert "Weather: 'storm' reset to 'clear'" in words
    assert "storm" not in left.text
    assert reset_properties(game, [module], ["*"])[0] is game
