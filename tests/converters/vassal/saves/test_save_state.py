"""What is where in a game after loading and after each command."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from saved_games import ANN, MAP, a_game, deck, stack, state_of, unit
from saved_games import piece as piece_of

from hexmarshal.vassal.commands import game, tree
from hexmarshal.vassal.commands.piece import AddPiece, ChangePiece, MovePiece, RemovePiece
from hexmarshal.vassal.commands.registry import decode
from hexmarshal.vassal.saves.restore import restore_tree
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.state.game_state import GameState, Seat
from hexmarshal.vassal.state.placed import PlacedPiece
from hexmarshal.vassal.summary import summarise_save


def move(
    state: GameState, id: str, x: int, y: int, under: str | None = None, map: str | None = MAP
):
    item = state.find(id)
    assert item is not None
    state.apply(MovePiece(id, map, x, y, under, item.map, item.x, item.y, None, ANN))


def members(state: GameState, id: str) -> list[str]:
    return [piece.id for piece in state.members(id)]


def test_a_loaded_game_has_its_pieces_stacks_decks_and_components():
    state = a_game()
    assert sorted(state.pieces) == ["1", "2", "3", "4", "5"]
    assert members(state, "9") == ["1", "2"]
    assert state.decks["8"].name == "Draw"
    assert members(state, "8") == ["4", "5"]
    assert state.pieces["3"].name == "1st Army"
    assert state.property_value("Weather") == "Mud"
    assert state.turns["TurnTracker0"].turn.levels[0].current == 1
    assert state.seats[ANN] == Seat(ANN, "Ann", "Red")
    assert state.boards[MAP][1] == game.BoardChoice("South", 0, 1, True)
    assert state.notes.scenario == "line one\nline two"
    assert state.extensions == {"extra": "1.0"}
    assert not state.loading


def test_a_piece_is_named_by_the_properties_and_decks_around_it():
    label = "label;;Change;10;;;t;0;c;0;b;c;$pieceName$ ($label$);Dialog;0;0;TextLabel;;false"
    asked = "$Weather$ $Supply$ $Draw_numPieces$"
    state = a_game(piece_of((label, asked)), unit("4", 300, 300), deck("8", 300, 300, "4"))
    told = summarise_save(SavedGame.from_state(state), pieces=True)
    assert [each["name"] for each in told["placed"]] == ["1st Army (Mud 4 1)", "1st Army"]


def test_the_typed_piece_is_one_step_away():
    piece = a_game().pieces["3"].piece
    assert (piece.name, piece.x, piece.gpid) == ("1st Army", 50, "7")
    assert len(piece.traits) == len(piece.states) == 5


def test_a_piece_moves_and_its_state_says_so():
    state = a_game()
    move(state, "3", 70, 80)
    piece = state.pieces["3"]
    assert (piece.map, piece.x, piece.y) == (MAP, 70, 80)
    assert piece.state == state_of(70, 80)


def test_a_piece_moved_onto_a_stack_goes_to_its_bottom():
    state = a_game()
    move(state, "3", 10, 20)
    assert members(state, "9") == ["3", "1", "2"]


def test_a_piece_moved_above_another_lies_directly_on_it():
    state = a_game()
    move(state, "3", 10, 20, under="1")
    assert members(state, "9") == ["1", "3", "2"]


def test_two_lone_pieces_form_a_stack_unless_one_does_not_stack():
    state = a_game(unit("1", 1, 1), unit("2", 5, 5))
    move(state, "2", 1, 1, under="1")
    (made,) = state.stacks.values()
    assert made.members == ("1", "2")
    loner = AddPiece("2", "immob;n;N;R\t" + "piece;;;u;Mark", f"\t{MAP};5;5;7")
    state = a_game(unit("1", 1, 1), loner)
    move(state, "2", 1, 1)
    assert not state.stacks


def test_the_last_piece_leaves_no_stack_behind_but_the_stack_can_come_back():
    state = a_game(unit("1"), stack("9", 10, 20, "1"))
    move(state, "1", 30, 30)
    assert not state.stacks
    state.apply(ChangePiece("9", f"{MAP};30;30;1;@@0"))
    assert members(state, "9") == ["1"]


def test_a_piece_moved_onto_a_deck_joins_it():
    state = a_game()
    move(state, "3", 310, 320)
    assert members(state, "8") == ["3", "4", "5"]
    assert (state.pieces["3"].x, state.pieces["3"].y) == (300, 300)


def test_a_stack_moves_with_its_members_and_merges():
    state = a_game(
        unit("1"),
        unit("2"),
        stack("9", 10, 20, "1", "2"),
        unit("3", 50, 60),
        stack("8", 50, 60, "3"),
    )
    move(state, "9", 70, 70)
    assert {(state.pieces[i].x, state.pieces[i].y) for i in "12"} == {(70, 70)}
    move(state, "9", 50, 60)
    assert members(state, "8") == ["3", "1", "2"]
    assert "9" not in state.stacks


def test_no_map_takes_a_piece_off_the_table_but_not_out_of_the_game():
    state = a_game()
    move(state, "1", 0, 0, map=None)
    assert state.pieces["1"].map is None
    assert members(state, "9") == ["2"]
    assert [p.id for p in state.on_map(None)] == ["1"]


def test_a_change_with_the_old_state_touches_only_what_differs():
    state = a_game(unit("1", strength="3", hidden="null"))
    state.apply(ChangePiece("1", state_of(strength="3", hidden=ANN)))
    state.apply(ChangePiece("1", state_of(strength="2"), state_of(strength="3")))
    assert state.pieces["1"].state == state_of(strength="2", hidden=ANN)
    state.apply(ChangePiece("1", state_of(strength="1")))
    assert state.pieces["1"].state == state_of(strength="1")


def test_a_piece_in_a_stack_is_where_the_stack_is_whatever_its_own_state_says():
    state = a_game(unit("1", 10, 20, map="null"), stack("9", 10, 20, "1"))
    assert state.pieces["1"].map == MAP
    assert state.pieces["1"].state == state_of(10, 20, map="null")
    state.apply(ChangePiece("1", state_of(10, 20, map="null", strength="2")))
    assert state.pieces["1"].map == MAP


def test_a_removed_piece_leaves_its_stack():
    state = a_game()
    state.apply(RemovePiece("2"))
    assert members(state, "9") == ["1"]
    assert "2" not in state.pieces


@pytest.mark.parametrize(
    "command",
    [RemovePiece("77"), ChangePiece("77", "x"), MovePiece("77", MAP, 1, 1, None, MAP, 2, 2, None)],
)
def test_an_unknown_piece_is_a_problem_with_its_place(command):
    state = a_game()
    state.apply(command)
    (problem,) = state.problems
    assert "not in the game" in problem.message
    assert problem.place.unit == "77"


def test_one_bad_piece_does_not_hide_the_others():
    bad = AddPiece("2", "a\tb\\\tc\\\tpiece;;;;B", "x\ty\tz")
    state = GameState()
    state.apply_all([game.BeginSave(), unit("1"), bad, unit("3"), decode("+/4/x"), game.EndSave()])
    assert sorted(state.pieces) == ["1", "2", "3"]
    assert [p.place.unit for p in state.problems] == ["2", None]


def test_a_piece_whose_state_cannot_be_taken_apart_moves_and_keeps_it():
    torn = PlacedPiece.of("1", "mark;A\tmark;B\\\tmark;C\\\\\tpiece;;;x;y", "a")
    torn = replace(torn, state="\tB\\\t\\\tnull;0;0;1;0", problem="")
    moved = torn.moved(MAP, 60, 64)
    assert (moved.map, moved.x, moved.y, moved.state) == (MAP, 60, 64, torn.state)


def test_properties_change_in_their_container():
    state = a_game()
    state.apply(game.ChangeProperty("Weather", "Mud", "Snow", "Module"))
    state.apply(game.ChangeProperty("Supply", "4", "5", ""))
    assert state.property_value("Weather") == "Snow"
    assert state.property_value("Supply", MAP) == "5"


def test_players_sit_down_and_leave():
    state = a_game()
    state.apply(game.TakeSeat(ANN, "Ann", "Blue"))
    assert state.seats[ANN].side == "Blue"
    state.apply(game.LeaveSeat(ANN))
    assert ANN not in state.seats
    assert ANN not in repr(state)


def test_a_copy_stays_while_the_game_goes_on():
    state = a_game()
    kept = state.copy()
    assert kept == state
    move(state, "3", 1, 1)
    state.apply(game.PrivateNote(ANN, "changed"))
    assert kept != state
    assert kept == a_game()


def test_begin_save_clears_the_game():
    state = a_game()
    state.apply(game.BeginSave())
    assert not state.pieces
    assert not state.seats


def test_a_written_save_brings_the_same_state_back():
    state = a_game()
    saved = SavedGame.from_text(SavedGame.from_state(state).text)
    assert saved.state() == state
    assert saved.text == SavedGame.from_state(saved.state()).text


def test_a_save_is_written_in_the_order_of_the_engine():
    state = a_game()
    move(state, "1", 0, 0, map=None)
    root = restore_tree(state)
    assert root.text == "begin_save"
    assert root.children[0].text == ""
    pieces = [n.command for n in root.children[1].children]
    assert [p.id for p in pieces if isinstance(p, AddPiece)] == ["1", "2", "9", "3", "4", "5", "8"]
    assert root.children[-1].text == "end_save"
    assert sum(c.text == "SETUP_STACK\t" for c in root.children) == 1


def test_an_empty_game_has_no_group_of_pieces():
    root = restore_tree(GameState())
    assert [len(child.children) for child in root.children] == [0] * len(root.children)


def test_commands_of_a_module_itself_are_kept():
    root = tree(game.BeginSave(), [tree(decode("INFO\tAxis")), tree(game.EndSave())])
    state = GameState.load(root)
    assert state.others == ("INFO\tAxis",)
    assert SavedGame.from_state(state).state().others == ("INFO\tAxis",)


IDS = st.sampled_from("123456")
SPOTS = st.sampled_from([(10, 20), (50, 60), (300, 300), (7, 7)])
ACTIONS = st.one_of(
    st.tuples(st.just("move"), IDS, SPOTS, st.one_of(st.none(), IDS)),
    st.tuples(st.just("off"), IDS, SPOTS, st.none()),
    st.tuples(st.just("remove"), IDS, SPOTS, st.none()),
    st.tuples(st.just("add"), IDS, SPOTS, st.none()),
    st.tuples(st.just("stack"), st.just("9"), SPOTS, IDS),
    st.tuples(st.just("deck"), st.just("8"), SPOTS, IDS),
)


@given(st.lists(ACTIONS, max_size=25))
def test_whatever_happens_the_table_stays_consistent_and_can_be_saved(actions):
    state = a_game()
    for what, unit_id, (x, y), other in actions:
        match what:
            case "move":
                state.apply(MovePiece(unit_id, MAP, x, y, other, None, 0, 0, None))
            case "off":
                state.apply(MovePiece(unit_id, None, x, y, None, None, 0, 0, None))
            case "remove":
                state.apply(RemovePiece(unit_id))
            case "add":
                state.apply(unit(unit_id, x, y))
            case "stack":
                state.apply(stack("9", x, y, other, "1"))
            case "deck":
                state.apply(deck("8", x, y, other, "2"))
    held = [m for h in (*state.stacks.values(), *state.decks.values()) for m in h.members]
    assert len(held) == len(set(held))
    assert {m: state.table.holders[m] for m in held} == state.table.holders
    for holder in (*state.stacks.values(), *state.decks.values()):
        for piece in state.members(holder.id):
            assert (piece.map, piece.x, piece.y) == (holder.map, holder.x, holder.y)
    again = SavedGame.from_text(SavedGame.from_state(state).text).state()
    assert again == state
