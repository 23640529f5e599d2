"""Two versions of a module or game that were made apart, put together by what each changed."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexmarshal.errors import UsageError
from hexmarshal.vassal.commands.piece import AddPiece
from hexmarshal.vassal.commands.tree import CommandNode
from hexmarshal.vassal.components import Board, GlobalProperty, ListWidget, PieceSlot
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.diff import diff_modules
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.pieces.piece import Piece, format_add, parse_add
from hexmarshal.vassal.pieces.piece_rewrite import rewrite_pieces
from hexmarshal.vassal.saves.nested_saves import open_nested
from hexmarshal.vassal.saves.ownership import OtherModuleError
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.threeway import (
    Account,
    demand_kindred_games,
    merge_games,
    merge_modules,
)
from hexmarshal.vassal.threeway.pieces import merge_pieces
from hexmarshal.vassal.threeway.sequences import merge_orders, runs
from hexmarshal.vassal.traits import BasicPiece, Delete, Labeler, Layer, Marker, PieceState
from tests.converters.vassal.small_modules import SOUND, Change, picture, slot, sound_module
from tests.converters.vassal.squad_game import PASSWORD, game_of, squad_game


def merged(ours: Change, theirs: Change, favour: str = "ours") -> tuple[Module, Account]:
    sides = [sound_module() for _ in range(3)]
    ours(sides[1])
    theirs(sides[2])
    account = Account(favour)
    merge_modules(*sides, account)
    return Module.from_archive(Archive.from_bytes(sides[1].to_bytes())), account


def nothing(_module: Module) -> None:
    pass


def rename(old: str, new: str) -> Change:
    return lambda module: slot(module, old).set("entryName", new)


def edit(name: str, change) -> Change:
    def do(module: Module) -> None:
        found = slot(module, name)
        found.text = format_add(change(parse_add(found.text)))

    return do


def add_piece(name: str, gpid: str) -> Change:
    def do(module: Module) -> None:
        twin = slot(module, "Blue").copy()
        twin.set("entryName", name)
        twin.set("gpid", gpid)
        piece = parse_add(twin.text)
        basic = replace(piece.first(BasicPiece).trait, name=name)
        state = replace(piece.basic_state, gpid=gpid)
        twin.text = format_add(piece.replace_trait(len(piece.traits) - 1, basic, state))
        slot(module, "Blue").parent.append(twin)

    return do


# Lists


@given(st.lists(st.integers(0, 9), unique=True), st.randoms(use_true_random=False))
def test_the_order_of_one_side_is_kept_where_the_other_left_it(base, rng: random.Random):
    changed = [*base, 10, 11]
    rng.shuffle(changed)
    order, disagree = merge_orders(base, base, changed)
    assert not disagree
    assert order == changed
    assert merge_orders(base, changed, base)[0] == changed


@given(*[st.lists(st.sampled_from("abcd"), max_size=8)] * 3)
def test_runs_hold_every_line_of_all_three(base, ours, theirs):
    found = list(runs(base, ours, theirs))
    assert [x for run in found for x in run.base] == base
    assert [x for run in found for x in run.ours] == ours
    assert [x for run in found for x in run.theirs] == theirs


# Components


def test_changes_of_both_sides_come_together():
    module, account = merged(rename("Red", "Rot"), rename("Blue", "Blau"))
    assert {"Rot", "Blau"} <= {s.name for s in module.slots()}
    assert not account.conflicts
    assert len(account.taken) == 1


def test_one_side_alone_gives_that_side():
    def change(module: Module) -> None:
        rename("Red", "Rot")(module)
        add_piece("Green", "77")(module)
        slot(module, "Ace").remove()
        module.changes["images/new.svg"] = picture(12)

    wanted = sound_module()
    change(wanted)
    for ours, theirs in ((change, nothing), (nothing, change)):
        module, account = merged(ours, theirs)
        assert not account.conflicts
        assert not diff_modules(Module.from_archive(Archive.from_bytes(wanted.to_bytes())), module)
    assert merged(nothing, nothing)[0].to_bytes() == SOUND


@pytest.mark.parametrize("favour", ["ours", "theirs"])
def test_the_same_attribute_changed_by_both_is_a_conflict(favour):
    def size(width: int) -> Change:
        return lambda module: next(module.each(Board)).set("width", str(width))

    module, account = merged(size(700), size(800), favour)
    (conflict,) = account.conflicts
    assert (conflict.base, conflict.ours, conflict.theirs) == ("600", "700", "800")
    assert "Field" in conflict.where
    assert next(module.each(Board)).width == {"ours": 700, "theirs": 800}[favour]


def test_removed_by_one_and_changed_by_the_other_is_a_conflict():
    def remove(module: Module) -> None:
        slot(module, "Red").remove()

    module, account = merged(rename("Red", "Rot"), remove)
    assert [c.what for c in account.conflicts] == ["removed by theirs"]
    assert "Rot" in {s.name for s in module.slots()}
    module, account = merged(remove, rename("Red", "Rot"))
    assert [c.what for c in account.conflicts] == ["removed by ours"]
    assert "Rot" not in {s.name for s in module.slots()}
    assert "Red" not in {s.name for s in merged(nothing, remove)[0].slots()}


def test_the_same_thing_added_by_both_is_one_thing():
    def add(value: str) -> Change:
        def do(module: Module) -> None:
            holder = next(module.each(GlobalProperty)).parent
            holder.add(GlobalProperty, {"name": "Moon", "initialValue": value})

        return do

    module, account = merged(add("full"), add("full"))
    assert [p.name for p in module.each(GlobalProperty)].count("Moon") == 1
    assert not account.conflicts
    module, account = merged(add("full"), add("new"))
    assert [p.name for p in module.each(GlobalProperty)].count("Moon") == 1
    assert [c.what for c in account.conflicts] == ["attribute initialValue"]


def test_a_piece_moved_by_one_and_changed_by_the_other_is_moved_and_changed():
    def move(module: Module) -> None:
        counters = slot(module, "Red").parent.parent
        fresh = counters.add(ListWidget, {"entryName": "Reserve"})
        fresh.append(slot(module, "Red"))

    for sides in ((move, rename("Red", "Rot")), (rename("Red", "Rot"), move)):
        module, account = merged(*sides)
        assert slot(module, "Rot").parent.name == "Reserve"
        assert not account.conflicts


# Pieces


PIECE = Piece.of(
    [Layer(name="Steps", images=("a", "b")), Marker(names=("Side",)), BasicPiece(name="Squad")]
)


def test_traits_of_both_sides_come_together_in_order():
    ours = PIECE.with_trait(Delete(command="Off"))
    theirs = PIECE.insert(1, Labeler(description="note")).replace_trait(
        0, Layer(name="Steps", images=("a", "b", "c"))
    )
    theirs = theirs.replace_trait(0, replace(PIECE.traits[0], images=("a", "b", "c")))
    account = Account()
    found = merge_pieces(PIECE, ours, theirs, "Squad", account)
    assert [type(t) for t in found.traits] == [Delete, Layer, Labeler, Marker, BasicPiece]
    assert found.first(Layer).trait.images == ("a", "b", "c")
    assert not account.conflicts


def test_fields_of_one_trait_changed_by_both_come_together_and_one_field_is_a_conflict():
    layer = PIECE.traits[0]
    ours = PIECE.replace_trait(0, replace(layer, x_offset=5, loop=False))
    theirs = PIECE.replace_trait(0, replace(layer, y_offset=7, x_offset=6))
    account = Account()
    found = merge_pieces(PIECE, ours, theirs, "Squad", account).traits[0]
    assert (found.x_offset, found.y_offset, found.loop) == (5, 7, False)
    (conflict,) = account.conflicts
    assert conflict.what == "Layer 'Steps': x offset"
    assert (conflict.base, conflict.ours, conflict.theirs) == ("0", "5", "6")


def test_a_trait_removed_by_one_and_changed_by_the_other_is_a_conflict():
    ours = PIECE.remove(0)
    theirs = PIECE.replace_trait(0, replace(PIECE.traits[0], y_offset=7))
    account = Account()
    assert not merge_pieces(PIECE, ours, theirs, "", account).first(Layer)
    assert len(account.conflicts) == 1
    kept = merge_pieces(PIECE, ours, theirs, "", Account("theirs"))
    assert kept.first(Layer).trait.y_offset == 7


@given(st.permutations(range(3)), st.booleans())
def test_a_piece_that_one_side_left_alone_is_that_of_the_other(order, swap):
    traits = [Layer(name=n, images=(n,)) for n in "xyz"]
    base = Piece.of([*traits, BasicPiece(name="P")])
    changed = Piece.of([*(traits[i] for i in order), Delete(), BasicPiece(name="P")])
    sides = (changed, base) if swap else (base, changed)
    assert merge_pieces(base, *sides, "", Account()) == changed


# Ids


def test_two_new_pieces_with_one_gpid_get_two():
    module, account = merged(add_piece("Green", "77"), add_piece("Grey", "77"))
    gpids = {s.name: s.gpid for s in module.slots()}
    assert gpids["Green"] == "77"
    assert gpids["Grey"] not in {"77", ""}
    assert len(set(gpids.values())) == len(gpids)
    grey = parse_add(slot(module, "Grey").text)
    assert grey.gpid == gpids["Grey"]
    assert module.root.next_piece_slot_id > int(gpids["Grey"])
    assert not account.conflicts


# Files and set-ups


def test_pages_merge_line_by_line_and_pictures_whole():
    page = "help.html"

    def write(text: str) -> Change:
        return lambda module: module.changes.__setitem__(page, text.encode())

    base, ours, theirs = (sound_module() for _ in range(3))
    for module, text in (
        (base, "a\nb\nc\n"),
        (ours, "a\nb\nc\nd\n"),
        (theirs, "A\nb\nc\n"),
    ):
        write(text)(module)
    account = Account()
    merge_modules(base, ours, theirs, account)
    assert ours.read(page) == b"A\nb\nc\nd\n"
    assert not account.conflicts

    def paint(size: int) -> Change:
        return lambda module: module.changes.__setitem__("images/red.svg", picture(size))

    module, account = merged(paint(50), paint(60))
    assert [c.where for c in account.conflicts] == ["images/red.svg"]
    assert module.read("images/red.svg") == picture(50)


def moved(saved: SavedGame, name: str, x: int) -> SavedGame:
    def change(piece: Piece) -> Piece:
        state = piece.basic_state
        if piece.name != name or not isinstance(state, PieceState):
            return piece
        return piece.with_state(len(piece.traits) - 1, replace(state, x=x))

    return rewrite_pieces(saved, change)


def test_a_game_set_up_anew_by_theirs_alone_is_taken_whole_and_told():
    base, account = game_of(squad_game()), Account()
    anew = SavedGame.from_text(renumbered(base))
    assert merge_games(base, base, anew, account, "Start.vsav") is anew
    assert account.taken == ["Start.vsav: set up anew"]


def at(saved: SavedGame, name: str) -> list[int]:
    pieces = (Piece.parse(c.type, c.state) for c in saved.pieces())
    return [p.x for p in pieces if p.name == name]


def test_pieces_of_a_game_moved_by_each_side_are_both_moved():
    base = game_of(squad_game())
    account = Account()
    ours, theirs = moved(base, "Squad", 11), moved(base, "Ace", 22)
    found = merge_games(base, ours, theirs, account)
    assert at(found, "Squad") == [11]
    assert at(found, "Ace") == [22]
    assert not account.conflicts
    assert found.root.children[-1].text == base.root.children[-1].text
    again = SavedGame.from_archive(Archive.from_bytes(found.to_bytes()))
    assert not again.state().problems


def test_a_piece_moved_by_both_is_a_conflict_that_names_it_and_tells_no_password():
    base = game_of(squad_game())
    account = Account()
    found = merge_games(base, moved(base, "Squad", 11), moved(base, "Squad", 22), account)
    assert at(found, "Squad") == [11]
    (conflict,) = account.conflicts
    assert "Squad" in conflict.where
    assert (conflict.ours, conflict.theirs) == ("11", "22")
    assert PASSWORD not in str(account)


def test_pieces_added_and_removed_in_a_game():
    base = game_of(squad_game())

    def is_squad(node: CommandNode) -> bool:
        command = node.command
        return isinstance(command, AddPiece) and Piece.parse(command.type, "").name == "Squad"

    def prune(node: CommandNode) -> CommandNode:
        return node.with_children(prune(c) for c in node.children if not is_squad(c))

    without = base.with_root(prune(base.root))
    found = merge_games(base, base, without, Account())
    assert at(found, "Squad") == []
    found = merge_games(without, without, base, Account())
    assert len(at(found, "Squad")) == 1
    account = Account()
    merge_games(base, without, moved(base, "Squad", 5), account)
    assert len(account.conflicts) == 1


def test_set_ups_of_modules_are_merged_inside():
    def move(name: str, x: int) -> Change:
        def do(module: Module) -> None:
            module.changes["Start.vsav"] = moved(
                open_nested(module, "Start.vsav"), name, x
            ).to_bytes()

        return do

    module, account = merged(move("Red", 5), move("Ace", 6))
    saved = open_nested(module, "Start.vsav")
    assert at(saved, "Red") == [5]
    assert not account.conflicts
    _, account = merged(move("Red", 5), move("Red", 6))
    assert account.conflicts[0].where.startswith("Start.vsav: ")


def test_modules_and_extensions_are_not_merged():
    from tests.converters.vassal.tools.test_merge import GREEN, extended

    part = extended(GREEN)
    with pytest.raises(UsageError):
        merge_modules(sound_module(), sound_module(), part, Account())


def named(name: str) -> Change:
    return lambda module: module.root.set("name", name)


def test_a_version_under_another_name_is_merged_and_another_module_is_not():
    module, account = merged(named("Smaller"), rename("Blue", "Blau"))
    assert (module.name, account.conflicts) == ("Smaller", [])
    module, _ = merged(rename("Blue", "Blau"), named("Smaller"))
    assert module.name == "Smaller"
    other = Module.from_archive(squad_game().archive())
    small = sound_module()
    for three in ((small, small, other), (small, other, small), (other, small, small)):
        with pytest.raises(OtherModuleError, match="is no version of") as why:
            merge_modules(*three, Account())
        assert "--any-module" in why.value.hint
    merge_modules(small, sound_module(), other, Account(), any_module=True)


def test_two_extensions_of_one_module_are_no_versions_of_each_other():
    from tests.converters.vassal.tools.test_merge import GREEN, element, extended, piece

    black = element(piece("Black", "zz:7", image="black.svg"))
    base = extended(GREEN)
    with pytest.raises(OtherModuleError, match="no version of the same extension"):
        merge_modules(base, base, extended(black, id="zz"), Account())
    merge_modules(base, extended(GREEN, id="zz"), base, Account())


def labelled(saved: SavedGame, name: str | None) -> SavedGame:
    text = f"<data version='1'><name>{name}</name></data>"
    entries = {} if name is None else {"moduledata": text.encode()}
    return SavedGame.from_text(saved.text, entries=entries)


def renumbered(saved: SavedGame) -> str:
    return re.sub(r"\+/(\d+)/", r"+/\g<1>77/", saved.text)


def test_a_game_of_another_module_is_not_merged():
    squads, start = game_of(squad_game()), open_nested(sound_module(), "Start.vsav")
    small = SavedGame.from_text(renumbered(start))
    base = labelled(squads, "Squads")
    # Renamed with its module, or set up anew: still one game, or one module's.
    demand_kindred_games(base, labelled(squads, "Squads II"), labelled(small, "Squads"))
    with pytest.raises(OtherModuleError, match="a game of 'Small', not of 'Squads'"):
        demand_kindred_games(base, base, labelled(small, "Small"))
    # Those that do not say whose they are, by their pieces.
    demand_kindred_games(base, labelled(SavedGame.from_text(renumbered(squads)), None))
    with pytest.raises(OtherModuleError, match="no sort of piece"):
        demand_kindred_games(base, labelled(small, None))


def test_every_slot_is_still_there_after_a_merge_of_shuffled_palettes():
    def turn_around(module: Module) -> None:
        home = slot(module, "Red").parent
        for child in reversed(list(home.each(PieceSlot, deep=False))):
            home.append(child)

    module, account = merged(add_piece("Green", "88"), turn_around)
    names = [s.name for s in slot(module, "Red").parent.each(PieceSlot, deep=False)]
    assert names.index("Blue") < names.index("Red")
    assert "Green" in names
    assert not account.conflicts
