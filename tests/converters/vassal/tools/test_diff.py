"""Diff: what changed is told in words; what means nothing is not told; no secret ever is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hexmarshal.vassal.commands import game
from hexmarshal.vassal.commands.tree import tree
from hexmarshal.vassal.components import (
    GlobalProperty,
    ListWidget,
    Map,
    PieceSlot,
    PieceWindow,
    PlayerRoster,
    PrototypeDefinition,
    PrototypeFolder,
    PrototypesContainer,
)
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.container.saved_forms import Form
from hexmarshal.vassal.diff import Change, diff_modules, diff_saves
from hexmarshal.vassal.diff.changes import Detail
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.pieces.piece import format_add, parse_add
from hexmarshal.vassal.saves.nested_saves import open_nested
from hexmarshal.vassal.saves.savedata import save_entries
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.traits import Comment
from tests.converters.vassal import saved_games as games
from tests.converters.vassal.small_modules import (
    SOUND,
    changed,
    picture,
    slot,
    sound_module,
)
from tests.converters.vassal.small_modules import (
    Change as Edit,
)


def told(edit: Edit) -> list[Change]:
    return diff_modules(sound_module(), Module.from_archive(changed(edit))).changes


def words(changes: list[Change]) -> list[str]:
    return [str(line) for change in changes for line in (change, *change.details)]


def retyped(name: str, old: str, new: str) -> Edit:
    def edit(module: Module) -> None:
        found = slot(module, name)
        assert old in found.text
        found.text = found.text.replace(old, new)

    return edit


def test_a_module_does_not_differ_from_itself():
    assert not diff_modules(sound_module(), sound_module())


def test_an_attribute_from_x_to_y():
    def edit(module: Module) -> None:
        next(module.each(GlobalProperty)).set("initialValue", "mud")

    (change,) = told(edit)
    assert (change.kind, change.group, change.name) == ("changed", "GlobalProperty", "Weather")
    assert words([change])[1] == "attribute initialValue: 'clear' -> 'mud'"


def test_a_piece_added_and_a_piece_removed():
    def edit(module: Module) -> None:
        blue = slot(module, "Blue")
        twin = blue.copy()
        twin.set("entryName", "Green")
        twin.set("gpid", "77")
        twin.text = "+/null/piece;;;red.svg;Green/null;0;0;77;0"
        blue.parent.append(twin)
        slot(module, "Ace").remove()

    assert [(c.kind, c.name, c.where) for c in told(edit)] == [
        ("removed", "Ace", "Main Map > Deck"),
        ("added", "Green", "Counters > Units"),
    ]


def test_a_piece_is_known_by_its_gpid_when_renamed():
    (change,) = told(lambda module: slot(module, "Blue").set("entryName", "Azure"))
    assert (change.kind, change.name) == ("renamed", "Azure")
    assert words([change])[1] == "attribute entryName: 'Blue' -> 'Azure'"


def test_a_piece_without_gpids_is_known_by_its_traits():
    def edit(module: Module) -> None:
        red = slot(module, "Red")
        red.set("gpid", "950")
        red.set("entryName", "Scarlet")

    (change,) = told(edit)
    assert change.name == "Scarlet"
    assert words([change])[1:] == [
        "attribute entryName: 'Red' -> 'Scarlet'",
        f"attribute gpid: {slot(sound_module(), 'Red').gpid!r} -> '950'",
    ]


def test_a_piece_moved_to_another_palette():
    def edit(module: Module) -> None:
        more = next(module.each(PieceWindow)).add(ListWidget, {"entryName": "More"})
        more.append(slot(module, "Blue"))

    changes = told(edit)
    assert [(c.kind, c.group, c.name) for c in changes] == [
        ("added", "ListWidget", "More"),
        ("moved", "pieces", "Blue"),
    ]
    assert words(changes)[-1] == "moved: 'Counters > Units' -> 'Counters > More'"


def test_renaming_a_palette_does_not_move_its_pieces():
    def edit(module: Module) -> None:
        next(module.each(ListWidget)).set("entryName", "Troops")

    (change,) = told(edit)
    assert (change.kind, change.group) == ("renamed", "ListWidget")


def test_a_trait_added_removed_and_changed():
    def edit(module: Module) -> None:
        red = slot(module, "Red")
        piece = parse_add(red.text)
        layer = next(t for t in piece.traits if t.prefix == "emb2;")
        at = piece.traits.index(layer)
        changed_piece = piece.replace_trait(at, replace(layer, images=("blue.svg", "back.svg")))
        changed_piece = changed_piece.with_trait(Comment(text="hello"))
        names = [t.prefix for t in changed_piece.traits]
        red.text = format_add(changed_piece.remove(names.index("prototype;")))

    (change,) = told(edit)
    assert sorted(words([change])[1:]) == [
        "Comment: added",
        "Layer 'Steps': images: 'red.svg, back.svg' -> 'blue.svg, back.svg'",
        "Prototype 'Unit': removed",
    ]


def test_the_numbers_of_named_keys_mean_nothing():
    def with_key(code: int) -> Archive:
        def edit(module: Module) -> None:
            blue = slot(module, "Blue")
            blue.text = f"+/null/delete;Go;{code},0,Go;\tpiece;;;blue.svg;Blue/\tnull;0;0;;0"
            next(module.each(Map)).set("moveKey", f"{code},0,Moved")

        return changed(edit)

    old, new = (Module.from_archive(with_key(code)) for code in (57344, 57399))
    assert not diff_modules(old, new)


def test_a_prototype_put_into_a_folder_is_moved():
    def edit(module: Module) -> None:
        folder = next(module.each(PrototypesContainer)).add(PrototypeFolder, {"name": "All"})
        folder.append(next(module.each(PrototypeDefinition)))

    assert [(c.kind, c.name) for c in told(edit)] == [("moved", "Unit"), ("added", "All")]


def test_sides_are_told():
    def edit(module: Module) -> None:
        next(module.each(PlayerRoster)).sides = ("Red", "Green")

    assert words(told(edit))[1] == "entry: 'Red, Blue' -> 'Red, Green'"


def test_images_replaced_and_files_added():
    def edit(module: Module) -> None:
        module.changes |= {
            "images/red.svg": picture(64),
            "images/new.svg": picture(12),
            "sounds/bang.wav": b"bang",
        }

    changes = told(edit)
    assert ("changed", "images", "red.svg") in {(c.kind, c.group, c.name) for c in changes}
    assert "pixels: '48x48' -> '64x64'" in words(changes)
    assert ("added", "sounds", "sounds/bang.wav") in {(c.kind, c.group, c.name) for c in changes}


def test_an_entry_with_the_same_content_under_another_name_is_renamed():
    def before(module: Module) -> None:
        module.changes["sounds/a.wav"] = b"unique"

    def after(module: Module) -> None:
        module.changes["sounds/b.wav"] = b"unique"

    old, new = (Module.from_archive(changed(edit)) for edit in (before, after))
    (change,) = diff_modules(old, new).changes
    assert (change.kind, change.name) == ("renamed", "sounds/b.wav")


def test_a_predefined_setup_is_told_as_a_game():
    def edit(module: Module) -> None:
        saved = open_nested(module, "Start.vsav")
        state = saved.state()
        piece = next(p for p in state.pieces.values() if p.name == "Red")
        state.table.move(piece.id, piece.map, 60, 64, None)
        module.changes["Start.vsav"] = SavedGame.from_state(state).to_bytes()

    (change,) = told(edit)
    assert (change.kind, change.name) == ("changed", "Start.vsav")
    assert words([change])[1] == "pieces: Red: moved: 'Main Map 0405' -> 'Main Map 0101'"


def saved(*commands) -> SavedGame:
    return SavedGame.from_text(tree(game.BeginSave(), [tree(c) for c in commands]).encode())


def test_a_piece_that_moved_and_changed():
    old = saved(games.unit("1", 10, 20, strength="3"))
    new = saved(games.unit("1", 30, 40, strength="2"))
    changes = diff_saves(old, new).changes
    assert words(changes) == [
        "~ 1st Army (Main Map 30,40)",
        "moved: 'Main Map 10,20' -> 'Main Map 30,40'",
        "Dynamic property 'Strength': value: '3' -> '2'",
    ]


def test_places_have_their_names_with_a_module():
    module = sound_module()
    pieces = open_nested(module, "Start.vsav").state().pieces.values()
    piece = next(p for p in pieces if p.name == "Red")
    old = saved(games.AddPiece("1", piece.type, piece.state))
    new = saved(games.AddPiece("1", piece.type, piece.moved("Main Map", 60, 64).state))
    (change,) = diff_saves(old, new, modules=(module, module)).changes
    assert words([change])[1] == "moved: 'Main Map 0405' -> 'Main Map 0101'"


def test_properties_turn_players_and_boards():
    old = saved(*games.COMPONENTS)
    others = [
        game.TakeSeat(games.ANN, "Ann", "Blue"),
        game.SetGlobalProperty("Weather", "Snow", "Module"),
        game.SetTurn("TurnTracker0", r"0|2;0;true;20;1\;0\;0\;true,true"),
        game.ChooseBoards(games.MAP, (game.BoardChoice("North"),)),
    ]
    changes = diff_saves(old, saved(*others)).changes
    found = {(c.group, c.name): c for c in changes}
    assert words([found["properties", "Weather (Module)"]])[1] == "value: 'Mud' -> 'Snow'"
    assert words([found["turn", "TurnTracker0"]])[1] == "value: '1, entry 2' -> '2, entry 2'"
    assert words([found["players", "Ann"]])[1] == "value: 'Red' -> 'Blue'"
    assert found["players", "Bob"].kind == "removed"
    assert found["boards", "Main Map"].kind == "changed"


def test_a_log_is_compared_by_its_end(corpus):
    log = SavedGame.open(corpus / "logs" / "full.vlog")
    start = SavedGame.from_state(log.state())
    groups = {c.group for c in diff_saves(start, log).changes}
    assert "log" in groups


@pytest.mark.parametrize("show", [False, True])
def test_owners_are_told_by_name_never_by_id(show):
    old = saved(*games.COMPONENTS, games.unit("1"))
    new = saved(*games.COMPONENTS, games.unit("1", hidden=games.ANN, masked="b0b\\;pass/word;"))
    text = "\n".join(words(diff_saves(old, new, show_secrets=show).changes))
    assert (games.ANN in text) is show
    if not show:
        assert games.BOB not in text
        assert "Invisible 'Hide': owner: 'nobody' -> 'Ann'" in text
        assert "Mask 'Mask': owner: 'nobody' -> 'Bob'" in text


def test_real_saves_do_not_differ_from_themselves(corpus):
    for path in sorted((corpus / "saves").glob("*.vsav"))[:4]:
        assert not diff_saves(SavedGame.open(path), SavedGame.open(path)), path


def test_the_same_bytes_are_the_same_module():
    assert Archive.from_bytes(SOUND).to_bytes() == SOUND
    assert len(list(sound_module().each(PieceSlot))) == 4


def test_long_values_are_cut_where_they_differ():
    long = "x" * 500
    short = str(Detail("text", long + "old" + long, long + "new" + long))
    before, _, after = short.removeprefix("text: ").partition(" -> ")
    assert before != after
    assert "old" in before
    assert "new" in after
    assert len(short) < 450
    whole = Detail("text", long + "old", long + "new").shown(whole=True)
    assert whole.count("x" * 500) == 2
    assert str(Detail("text", "a", "b")) == "text: 'a' -> 'b'"


def setup_with(**entries: bytes) -> Edit:
    def edit(module: Module) -> None:
        module.changes["Start.vsav"] = (
            open_nested(module, "Start.vsav").with_entries(entries).to_bytes()
        )

    return edit


def test_a_set_up_that_holds_the_same_game_tells_what_else_differs():
    data = save_entries("Small", "1.0", description="after a fix", date=7)["savedata"]
    (change,) = told(setup_with(savedata=data))
    assert (change.group, change.name) == ("files", "Start.vsav")
    told_of = [detail.what for detail in change.details]
    assert "savedata: dateSaved" in told_of
    assert "savedata: description" in told_of
    assert "bytes" not in told_of


def test_a_set_up_in_another_form_or_order_says_so():
    def packed(module: Module) -> None:
        saved = open_nested(module, "Start.vsav")
        module.changes["Start.vsav"] = saved.in_form(Form.XZ).to_bytes()

    (change,) = told(packed)
    assert "form: 'VASSAL 3.7 and before (!VCSK)' -> 'VASSAL 3.8 (XZ)'" in words([change])

    def turned(module: Module) -> None:
        saved = open_nested(module, "Start.vsav")
        *rest, one, two, end = saved.root.children
        root = saved.root.with_children([*rest, two, one, end])
        module.changes["Start.vsav"] = saved.with_root(root).to_bytes()

    (change,) = told(turned)
    assert "commands: added 'the same in another order'" in words([change])


def test_pieces_that_only_share_an_id_are_no_pair():
    tank = games.AddPiece("1", "mark;Side\tpiece;;;tank.png;Tank", f"Red\t{games.MAP};1;1;90;0")
    old, new = (SavedGame.from_state(games.a_game(p)) for p in (games.unit("1"), tank))
    found = diff_saves(old, new).changes
    assert [(c.kind, c.name) for c in found] == [("removed", "1st Army"), ("added", "Tank")]


def test_slots_that_only_share_a_gpid_are_no_pair():
    def edit(module: Module) -> None:
        red, ace = slot(module, "Red"), slot(module, "Ace")
        one, other = red.gpid, ace.gpid
        red.set("gpid", other)
        ace.set("gpid", one)

    found = [c for c in told(edit) if c.group == "pieces"]
    assert {c.name for c in found} == {"Red", "Ace"}
    assert all("gpid" in detail.what for c in found for detail in c.details)


def test_a_piece_is_called_by_its_basic_name_trait_or_by_its_label():
    named = games.piece(("basicName;Provender", ""), id="1")
    named = replace(named, type=named.type.replace("1st Army", ""))
    state = games.a_game(named)
    assert state.pieces["1"].name == "Provender"
    assert next(iter(SavedGame.from_state(state).glances())).name == "Provender"
    label = 'label;;;10;;0,0,0;t;0;c;0;b;c;{label + " men"};Dialog;0;0;TextLabel;;true'
    counted = games.piece(("mark;N", "12"), (label, "{N}"), id="2")
    counted = replace(counted, type=counted.type.replace("1st Army", ""))
    empty = SavedGame.from_state(games.a_game(games.unit("9")))
    found = diff_saves(empty, SavedGame.from_state(games.a_game(games.unit("9"), counted)))
    assert [change.name for change in found.changes] == ["12 men"]
