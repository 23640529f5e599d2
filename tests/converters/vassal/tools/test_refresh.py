"""Refreshing: pieces found again, every state carried over, nothing dropped in silence."""

from dataclasses import replace

import pytest
from squad_game import (
    PASSWORD,
    SQUAD,
    UNIT,
    game_of,
    piece_named,
    squad_game,
    state_of,
)

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal.builder import (
    Counter,
    can_delete,
    facings,
    label,
    layer,
    markers,
    number,
    prototype,
)
from hexmarshal.vassal.builder.counters import Equipped
from hexmarshal.vassal.commands.piece import ChangePiece
from hexmarshal.vassal.components import DrawPile
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.pieces.piece import Piece, format_add
from hexmarshal.vassal.refresh import (
    Definitions,
    Match,
    Refresher,
    for_module,
    kept_by_reason,
    kinds_of_change,
    lost_by_trait,
    refresh_setups,
)
from hexmarshal.vassal.saves.logwriter import LogWriter
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.traits import (
    Comment,
    DynamicProperty,
    Footprint,
    FootprintState,
    HiddenState,
    Hideable,
    Labeler,
    LabelState,
    Layer,
    LayerState,
    Marker,
    Mask,
    MaskState,
    MovedState,
    MovementMarkable,
    PlaceMarker,
    PropertySheet,
    PropertyState,
    RawTrait,
    RotateFixed,
    RotateFree,
    SheetState,
    TableInfo,
    TableState,
)
from hexmarshal.vassal.values import PieceAccess, SheetFields


def played(piece):
    """A squad in mid-game: flipped, turned, short of ammunition, labelled, moved and masked."""
    states = {
        Layer: LayerState(level=2),
        RotateFixed: "2",
        DynamicProperty: PropertyState(value="3"),
        Labeler: LabelState(text="hit; hard"),
        MovementMarkable: MovedState(moved=True),
        Mask: MaskState(owner="Red"),
    }
    for cls, state in states.items():
        found = piece.first(cls)
        if found is not None:
            piece = piece.with_state(found.index, state)
    return piece


def refreshed(newer, *, older=None, change=played, before=False):
    """The old game brought up to a newer module: its squad, and the report."""
    older = older or squad_game(change=change)
    old = Module.from_archive(older.archive()) if before else None
    refresher = Refresher.of(Module.from_archive(newer.archive()), before=old)
    game, report = refresher.refresh(game_of(older), "game.vsav")
    return game, report


def squad_of(game, name="Squad"):
    return piece_named(game, name)


def test_a_game_of_the_same_module_stays_byte_for_byte():
    older = squad_game(change=played)
    game, report = refreshed(squad_game(), older=older)
    assert game.to_bytes() == game_of(older).to_bytes()
    assert not report.is_changed
    assert report.unchanged == 5  # two trucks, a squad, a card and a deck


def test_new_traits_come_in_and_the_state_of_the_old_ones_stays():
    newer = squad_game(squad=(*SQUAD, Comment(text="new")), unit=(*UNIT, number("Morale", 7)))
    game, report = refreshed(newer)
    squad = squad_of(game)
    assert squad.first(Comment) is not None
    assert [found.state.value for found in squad.each(DynamicProperty)] == ["3", "7"]
    assert state_of(squad, Layer).level == 2
    assert state_of(squad, RotateFixed).facing == 2
    assert state_of(squad, Labeler).text == "hit; hard"
    assert state_of(squad, MovementMarkable).moved
    assert state_of(squad, Mask).owner == "Red"
    assert (squad.map, squad.x, squad.y) == ("Main Map", 170, 128)
    (found,) = [piece for piece in report.pieces if piece.name == "Squad"]
    assert found.match is Match.GPID
    assert found.changes == ("new: Comment", "new: Dynamic property 'Morale'")
    assert not report.has_findings


def test_traits_in_another_order_keep_their_own_states():
    other = (*SQUAD[:3], number("Fuel", 1), *reversed(SQUAD[3:]))
    game, _ = refreshed(squad_game(squad=other))
    values = {found.trait.name: found.state.value for found in squad_of(game).each(DynamicProperty)}
    assert values == {"Fuel": "1", "Ammo": "3"}


def test_markers_follow_the_module():
    newer = (*SQUAD[:2], markers({"Side": "Red", "Strength": "5"}), *SQUAD[3:])
    game, report = refreshed(squad_game(squad=newer))
    assert state_of(squad_of(game), Marker).values == ("Red", "5")
    assert not report.has_findings


def test_ids_stacks_and_decks_stay():
    older = squad_game(change=played)
    newer = squad_game(squad=(*SQUAD, Comment(text="new")))
    game, _ = refreshed(newer, older=older)
    before, after = game_of(older).state(), game.state()
    assert list(before.table.items) == list(after.table.items)
    assert before.stacks == after.stacks
    assert before.decks == after.decks


@pytest.mark.parametrize(
    ("images", "names", "level", "note"),
    [
        (["worn.svg", "front.svg", "back.svg"], (), 3, "level 2 is now level 3"),
        (["front.svg"], (), 1, "the highest is 1"),
        (["front.svg", "worn.svg"], (), 2, ""),
    ],
)
def test_a_layer_shows_what_it_showed(images, names, level, note):
    newer = (SQUAD[0], layer("Steps", images, names=names, key="F"), *SQUAD[2:])
    game, report = refreshed(squad_game(squad=newer))
    assert state_of(squad_of(game), Layer).level == level
    notes = " ".join(report.pieces[0].notes)
    assert note in notes if note else not notes


@pytest.mark.parametrize(
    ("count", "facing", "noted"), [(12, 4, False), (3, 1, False), (4, 1, True)]
)
def test_a_facing_turns_to_the_same_angle_or_the_nearest(count, facing, noted):
    newer = squad_game(unit=(can_delete(), facings(count)))
    game, report = refreshed(newer)
    assert state_of(squad_of(game), RotateFixed).facing == facing
    assert any("nearest" in note for p in report.pieces for note in p.notes) is noted


def test_facings_become_an_angle_where_rotation_is_free_now():
    newer = squad_game(unit=(can_delete(), RotateFree(name="Facing")))
    game, _ = refreshed(newer)
    assert state_of(squad_of(game), RotateFree).angle == -120.0


def test_a_state_without_a_counterpart_is_told():
    game, report = refreshed(squad_game(squad=SQUAD[:3]))
    (found,) = [piece for piece in report.pieces if piece.name == "Squad"]
    assert found.lost == (
        "Mask 'a hidden piece'",
        "Mark when moved 'Mark as moved'",
        "Text label 'TextLabel'",
        "Dynamic property 'Ammo'",
    )
    assert report.has_findings
    assert squad_of(game).first(DynamicProperty) is None


def test_a_label_that_nobody_can_change_follows_the_module():
    older = squad_game(squad=(*SQUAD[:4], label("old", editable=False)), change=lambda p: p)
    newer = squad_game(squad=(*SQUAD[:4], label("new", editable=False)))
    game, _ = refreshed(newer, older=older)
    assert state_of(squad_of(game), Labeler).text == "new"


def test_with_the_old_module_what_nobody_touched_follows_the_new_one():
    newer = squad_game(squad=(*SQUAD[:3], number("Ammo", 9), *SQUAD[4:]))
    fresh = refreshed(newer, change=lambda piece: piece, before=True)[0]
    spent = refreshed(newer, before=True)[0]
    blind = refreshed(newer, change=lambda piece: piece)[0]
    values = [state_of(squad_of(game), DynamicProperty).value for game in (fresh, spent, blind)]
    assert values == ["9", "3", "6"]


def without_gpid(game):
    from hexmarshal.vassal.pieces.piece_rewrite import rewrite_pieces

    def change(piece):
        if piece.is_stack or piece.is_deck:
            return piece
        return piece.with_state(len(piece.traits) - 1, replace(piece.basic_state, gpid="999"))

    return rewrite_pieces(game, change)


def test_a_piece_of_an_unknown_gpid_is_found_by_its_name():
    module = Module.from_archive(squad_game(squad=(*SQUAD, Comment(text="new"))).archive())
    game, report = Refresher.of(module).refresh(without_gpid(game_of(squad_game(change=played))))
    assert {piece.match for piece in report.pieces} == {Match.NAME}
    squad = squad_of(game)
    assert squad.gpid != "999"
    assert state_of(squad, Layer).level == 2


def test_a_piece_is_found_by_its_place_when_the_ids_were_given_anew():
    older = squad_game(change=played)
    newer = Module.from_archive(squad_game(squad=(*SQUAD, Comment(text="n"))).archive())
    for number_, slot in enumerate(newer.slots(), 500):
        slot.set("gpid", str(number_))
    refresher = Refresher.of(newer, before=Module.from_archive(older.archive()))
    _, report = refresher.refresh(game_of(older))
    assert {piece.match for piece in report.pieces} == {Match.PATH}


def test_a_piece_that_is_nowhere_stays_as_it_was_and_is_told():
    older = squad_game(change=played)
    newer = Module.from_archive(squad_game(name="Section").archive())
    for slot in newer.slots():
        slot.set("gpid", "")
        slot.text = slot.text.replace(";0;0;", ";0;0;7")
    game, report = Refresher.of(newer).refresh(game_of(older))
    (found,) = [piece for piece in report.pieces if piece.name == "Squad"]
    assert "none has its name" in found.kept
    assert squad_of(game) == squad_of(game_of(older))
    assert report.has_findings


def test_a_renamed_piece_takes_its_new_name():
    game, report = refreshed(squad_game(name="Section"))
    assert squad_of(game, "Section").x == 170
    assert any("named 'Section', was 'Squad'" in c for p in report.pieces for c in p.changes)


def test_a_definition_with_a_missing_prototype_is_used_without_it_and_noted():
    newer = squad_game(squad=(prototype("Gone"), Comment(text="n"), *SQUAD))
    _, report = refreshed(newer)
    assert any("no prototype 'Gone'" in note for piece in report.pieces for note in piece.notes)


def hidden(access, owner):
    trait = Hideable(access=PieceAccess(access))
    return Equipped(trait, HiddenState(owner=owner))


def test_an_owner_is_told_as_the_new_rule_tells_owners():
    older = squad_game(
        squad=(hidden("side:", None),),
        change=lambda p: p.with_state(p.first(Hideable).index, HiddenState(owner="Red")),
    )
    game, report = refreshed(squad_game(squad=(hidden("player:", None),)), older=older)
    assert state_of(squad_of(game), Hideable).owner == PASSWORD
    assert PASSWORD not in repr(report.as_dict())
    back, _ = Refresher.of(Module.from_archive(older.archive())).refresh(game)
    assert state_of(squad_of(back), Hideable).owner == "Red"


def test_tables_and_sheets_carry_cell_by_cell_and_line_by_line():
    old_sheet, new_sheet = SheetFields("0Name~0Rank~0Old"), SheetFields("0Rank~0Name~0Age")
    old = (TableInfo(rows=2, columns=2), PropertySheet(fields=old_sheet))
    new = (TableInfo(rows=2, columns=3), PropertySheet(fields=new_sheet))

    def change(piece):
        piece = piece.with_state(piece.first(TableInfo).index, TableState(cells=tuple("abcd")))
        sheet = SheetState(values=("Kim", "Sgt", "gone"))
        return piece.with_state(piece.first(PropertySheet).index, sheet)

    game, report = refreshed(squad_game(squad=new), older=squad_game(squad=old, change=change))
    squad = squad_of(game)
    assert state_of(squad, TableInfo).cells == ("a", "b", "", "c", "d", "")
    assert state_of(squad, PropertySheet).values == ("Sgt", "Kim", "")
    assert any("Old" in note for note in report.pieces[0].notes)


def test_trails_and_traits_of_a_modules_own_code_are_carried():
    trail = FootprintState(visible=True, map="Map0", points=("1,2", "3,4"))
    custom = RawTrait.decode("conceal;blue")

    def change(piece):
        piece = piece.with_state(piece.first(Footprint).index, trail)
        return piece.with_state(piece.first(RawTrait).index, "Ann;x")

    older = squad_game(squad=(Footprint(), custom), change=change)
    game, _ = refreshed(squad_game(squad=(Comment(text="n"), Footprint(), custom)), older=older)
    squad = squad_of(game)
    assert state_of(squad, Footprint).points == ("1,2", "3,4")
    assert squad.state_texts[squad.first(RawTrait).index] == "Ann;x"


# Logs


def logged_game(older):
    """A log in which the squad loses two points of ammunition and is then undone."""
    game = game_of(older)
    squad = squad_of(game)
    spent = squad.with_state(squad.first(DynamicProperty).index, PropertyState(value="1"))
    writer = LogWriter(game)
    with writer.step() as step:
        step.command(
            ChangePiece(squad.id, spent.state_text, squad.state_text),
            ChangePiece(squad.id, squad.state_text, spent.state_text),
        )
    with writer.step() as step:
        step.chat("Ann", "hello")
    return writer.finish(), squad


def test_logged_changes_follow_the_new_definition():
    log, squad = logged_game(squad_game(change=played))
    newer = Module.from_archive(squad_game(squad=(Comment(text="n"), *SQUAD)).archive())
    fresh, report = Refresher.of(newer).refresh(log)
    assert report.adapted == 1
    writer = LogWriter(fresh)
    item = writer.state.find(squad.id)
    after = Piece.parse(item.type, item.state)
    assert state_of(after, DynamicProperty).value == "1"
    assert state_of(after, Layer).level == 2
    assert len([*fresh.log_part()]) == 2


def test_a_piece_that_a_logged_change_does_not_fit_stays_as_it_was():
    older = squad_game(change=played)
    game = game_of(older)
    squad = squad_of(game)
    writer = LogWriter(game)
    with writer.step() as step:
        step.command(ChangePiece(squad.id, "only\tthree\\\tparts"))
    newer = Module.from_archive(squad_game(squad=(Comment(text="n"), *SQUAD)).archive())
    fresh, report = Refresher.of(newer).refresh(writer.finish())
    (found,) = [piece for piece in report.pieces if piece.name == "Squad"]
    assert "a logged change does not fit it" in found.kept
    assert squad_of(fresh) == squad


# Set-ups and metadata


def test_set_ups_inside_a_module_are_brought_up_to_its_own_pieces(tmp_path):
    older = squad_game(change=played)
    module = Module.from_archive(older.archive())
    for definition in module.prototypes().values():
        definition.text = definition.text.replace("Turn right", "Right turn")
    reports = refresh_setups(module, Refresher.of(module))
    module.save(tmp_path / "new.vmod")
    assert [report.file for report in reports] == ["Start.vsav"]
    again = Module.open(tmp_path / "new.vmod")
    assert not refresh_setups(again, Refresher.of(again))[0].is_changed
    text = again.archive.nested("Start.vsav")
    from hexmarshal.vassal.saves.savegame import SavedGame

    squad = squad_of(SavedGame.from_archive(text))
    assert squad.first(RotateFixed).trait.clockwise_command == "Right turn"
    assert state_of(squad, Layer).level == 2


def test_a_set_up_that_cannot_be_read_does_not_hide_the_others():
    module = Module.from_archive(squad_game(change=played).archive())
    module.changes["bad.vsav"] = b"not a zip"
    reports = {r.file: r for r in refresh_setups(module, Refresher.of(module))}
    assert reports["bad.vsav"].problems
    assert not reports["Start.vsav"].problems


def test_the_metadata_speak_of_the_newer_module():
    newer = Module.from_archive(squad_game(version="2.0").archive())
    game = for_module(game_of(squad_game()), newer)
    assert b"2.0" in _entry(game, "moduledata")
    assert b"2.0" in _entry(game, "savedata")


def _entry(game, name):
    from hexmarshal.vassal.container.archive import Archive

    return Archive.from_bytes(game.to_bytes()).read(name)


def test_maps_and_boards_that_are_gone_are_told():
    older = squad_game()
    newer = Module.from_archive(squad_game().archive())
    newer.maps()[0].name = "Front"
    _, report = Refresher.of(newer).refresh(game_of(older))
    assert any("a map that the module does not have: 'Main Map'" in p for p in report.problems)


def test_real_games_are_refused_by_a_module_that_is_not_theirs(corpus):
    module = Module.from_archive(squad_game().archive())
    for path in sorted(corpus.rglob("*.vsav")):
        saved = SavedGame.open(path)
        if saved.module_metadata is not None:
            with pytest.raises(VassalFormatError, match="not of 'Squads'") as why:
                Refresher.of(module).refresh(saved, path.name)
            assert "--any-module" in why.value.hint
        _, report = Refresher.of(module, any_module=True).refresh(saved, path.name)
        users = {seat.user for seat in saved.state().seats.values()} - {""}
        assert not any(f"'{user}'" in repr(report.as_dict()) for user in users if len(user) > 3)


def test_a_game_without_metadata_is_nobodys_and_is_refreshed():
    bare = SavedGame.from_text(game_of(squad_game()).text)
    newer = Module.from_archive(squad_game(squad=SQUAD[:3]).archive())
    assert Refresher.of(newer).refresh(bare)[1].is_changed


def test_a_value_never_goes_on_to_a_property_of_another_name():
    older = squad_game(squad=(*SQUAD[:3], number("ShowMoveTrail", 0)), change=None)
    newer = squad_game(squad=(*SQUAD[:3], number("NoRepl", 5)))
    game, _ = refreshed(newer, older=older)
    assert state_of(squad_of(game), DynamicProperty).value == "5"
    older = squad_game(squad=(*SQUAD[:3], number("ShowMoveTrail", 7)), change=None)
    _, report = refreshed(newer, older=older)
    assert [p.lost for p in report.pieces] == [("Dynamic property 'ShowMoveTrail'",)]


def test_a_layer_goes_on_under_another_name_only_if_it_shows_the_same():
    def level(name, *images):
        newer = squad_game(squad=(prototype("Unit"), layer(name, [*images])))
        older = squad_game(
            squad=(prototype("Unit"), layer("Steps", ["front.svg", "back.svg"])), change=played
        )
        return state_of(squad_of(refreshed(newer, older=older)[0]), Layer).level

    assert level("Strength", "front.svg", "back.svg") == 2
    assert level("Mood", "worn.svg", "mask.svg") == 1


def test_decks_get_what_the_module_says_and_keep_their_cards():
    newer = Module.from_archive(squad_game().archive())
    pile = next(newer.each(DrawPile))
    pile.set("shuffle", "Never")
    pile.set("shuffleCommand", "Mix")
    old = game_of(squad_game())
    game, report = Refresher.of(newer).refresh(old)
    (found,) = report.pieces
    assert found.changes == ("changed: Deck 'shuffle'", "changed: Deck 'shuffle command'")
    (deck,) = game.state().decks.values()
    (before,) = old.state().decks.values()
    assert deck.members == before.members
    assert Piece.parse(deck.type, "").basic.shuffle_command == "Mix"
    assert not Refresher.of(newer).refresh(game)[1].is_changed


def test_decks_that_only_one_side_has_are_told():
    newer = Module.from_archive(squad_game().archive())
    next(newer.each(DrawPile)).name = "Discards"
    _, report = Refresher.of(newer).refresh(game_of(squad_game()))
    assert [(p.name, p.kept) for p in report.pieces] == [("Deck", "the module has no such deck")]
    (problem,) = report.problems
    assert problem == "the game has no deck 'Discards', which the module has on 'Main Map'"


def test_a_report_is_told_by_kinds_of_change():
    newer = squad_game(squad=SQUAD[:3], unit=(*UNIT, Comment(text="x")))
    _, report = refreshed(newer)
    kinds = kinds_of_change(report)
    assert kinds["new: Comment"] == 3
    assert kinds["gone: Dynamic property"] == 1
    assert lost_by_trait(report)["Dynamic property 'Ammo'"] == ["Squad"]
    assert kept_by_reason(report) == {}
    assert report.as_dict()["kinds"] == kinds


def test_a_marker_that_all_pieces_place_and_that_places_itself_is_read_once():
    inner = format_add(Counter("Smoke", "front.svg", (prototype("Unit"),)).piece())
    markers = tuple(PlaceMarker(command=f"Smoke {n}", marker=inner, gpid=f"9{n}") for n in range(4))
    module = Module.from_archive(squad_game(unit=(*UNIT, *markers)).archive())
    found = Definitions.of(module)
    assert {f"9{n}" for n in range(4)} <= found.by_gpid.keys()
    assert len(found.by_name["Smoke"]) < 40


def test_a_game_without_metadata_on_maps_of_another_game_is_refused():
    bare = SavedGame.from_text(game_of(squad_game()).text)
    other = Module.from_archive(squad_game().archive())
    for each in other.maps():
        each.name = f"Other {each.name}"
    with pytest.raises(VassalFormatError, match="maps that 'Squads' does not have: Main Map"):
        Refresher.of(other).refresh(bare)
    Refresher.of(other, any_module=True).refresh(bare)
