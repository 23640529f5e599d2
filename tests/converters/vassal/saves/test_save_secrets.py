"""User ids are players' passwords: found everywhere, printed nowhere, replaced consistently."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from saved_games import ANN, BOB, MAP, TYPE, a_game, state_of, unit

from hexmarshal.vassal.commands import game, tree
from hexmarshal.vassal.commands.codec import Command
from hexmarshal.vassal.commands.game import Clock
from hexmarshal.vassal.commands.piece import AddPiece
from hexmarshal.vassal.commands.registry import decode
from hexmarshal.vassal.pieces.piece import Piece
from hexmarshal.vassal.privacy.secrets import Redactor, find_user_ids, redactor_of, scrub
from hexmarshal.vassal.saves.log import GameLog
from hexmarshal.vassal.saves.logwriter import LogWriter
from hexmarshal.vassal.saves.savedata import save_entries
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.traits import HiddenState, OwnedState


def saved(*commands: Command) -> SavedGame:
    children = [tree(command) for command in (*commands, game.EndSave())]
    return SavedGame.from_text(tree(game.BeginSave(), children).encode())


def ids(*commands: Command) -> list[str]:
    return find_user_ids(saved(*commands).root)


@pytest.mark.parametrize(
    "command",
    [
        game.TakeSeat(BOB, "Bob", "Red"),
        game.LeaveSeat(BOB),
        decode(f"LOG\tPYREMOVE\t{BOB}"),
        game.PrivateNote(BOB, "x"),
        game.SecretNote("n", BOB, True, "x"),
        game.Unmask((BOB,)),
        game.LockScenarioTab("t", "", BOB, ""),
        Clock(BOB, "Red", 1, 2, True, True),
        unit("1", hidden=BOB),
        unit("1", masked="b0b\\;pass/word;"),
        unit("1", masked="null;|1|b0b\\;pass/word"),
        unit("1", owner=BOB),
        decode("M/1/A/1/2/null/B/3/4/null/b0b;pass\\/word"),
        decode("LOG\tM/1/A/1/2/null/B/3/4/null/b0b;pass\\/word"),
        decode("M/1/A/1/2/null/B/3/4/null/b0b;pass\\/word/more"),
    ],
    ids=lambda command: type(command).__name__,
)
def test_ids_are_found_and_replaced_wherever_they_stand(command: Command):
    game_file = saved(command)
    assert find_user_ids(game_file.root) == [BOB]
    text = scrub(game_file).text
    assert "b0b" not in text
    assert "player-1" in text


def test_a_change_of_state_tells_ids_by_the_type_of_its_piece():
    log = LogWriter(a_game(unit("1")))
    with log.step() as step:
        step.change("1", state_of(hidden="third-one"))
    assert "third-one" in find_user_ids(log.finish().root)
    assert "third-one" not in scrub(log.finish()).text


def test_names_and_sides_are_no_ids():
    side_owned = unit("1", hidden="Red")
    side_owned = type(side_owned)(
        "1", side_owned.type.replace("player:", "side:"), side_owned.state
    )
    found = ids(game.TakeSeat(ANN, "Ann", "Red"), Clock("Ann", "Red", 1, 2, True, True), side_owned)
    assert found == [ANN]


def test_nobody_stays_nobody():
    text = saved(game.TakeSeat("", "Ann", "Red"), unit("1")).text
    assert ids(game.TakeSeat("", "Ann", "Red"), unit("1")) == []
    assert scrub(SavedGame.from_text(text)).text == text


def a_secretive_log() -> SavedGame:
    log = LogWriter(a_game(unit("1", hidden=ANN), unit("2", owner=BOB, masked=f"{ANN};")))
    with log.step() as step:
        step.move("1", MAP, 5, 5, user=ANN)
        step.chat("Ann", f"my word is {ANN}, not {ANN}x")
        step.set_property("Weather", ANN)
    with log.step() as step:
        step.change("2", state_of(hidden=BOB))
    return log.finish()


def test_a_scrubbed_log_replays_the_same_with_seats_and_owners_consistent():
    log = a_secretive_log()
    clean = scrub(log)
    assert ANN + "," not in clean.text
    assert "b0b" not in clean.text
    state = clean.state()
    ann, bob = state.seats
    assert [seat.name for seat in state.seats.values()] == ["Ann", "Bob"]
    assert state.pieces["1"].state == state_of(hidden=ann)
    assert state.pieces["2"].state == state_of(owner=bob, masked=f"{ann};")
    assert state.notes.private == {ann: "only mine"}
    steps, before = list(GameLog(clean).steps()), list(GameLog(log).steps())
    assert [s.player for s in steps] == [s.player for s in before]
    assert [s.moves for s in steps] == [s.moves for s in before]
    assert scrub(clean).text.count("player-") == clean.text.count("player-")


def test_scrubbing_twice_changes_only_names():
    once = scrub(a_secretive_log())
    assert len(find_user_ids(once.root)) == len(find_user_ids(a_secretive_log().root))


def test_a_scrubbed_file_has_no_id_in_its_bytes(tmp_path: Path):
    path = tmp_path / "clean.vlog"
    scrub(a_secretive_log()).save(path)
    text = SavedGame.open(path).text
    assert ANN not in text.replace(ANN + "x", "")
    assert SavedGame.open(path).state().pieces.keys() == {"1", "2"}


def test_the_comment_of_a_save_is_scrubbed_too():
    entries = save_entries("Game", "1", description=f"Ann is {ANN}")
    clean = scrub(SavedGame.from_state(a_game(), entries=entries))
    assert clean.save_metadata is not None
    assert clean.save_metadata.description == "Ann is player-1"
    assert clean.module_metadata is not None
    assert clean.module_metadata.name == "Game"


def test_a_redactor_hides_whole_words_only_and_shows_none_itself():
    redact = Redactor(["pass", "a.b/c", ""])
    assert redact("pass, compass, a.b/c and a.b\\/c") == "player-1, compass, player-2 and player-2"
    assert "pass" not in repr(redact)
    assert Redactor([])("text") == "text"


@given(st.lists(st.text(min_size=3, max_size=8), max_size=4), st.text(max_size=20))
def test_a_redacted_text_holds_no_id_as_a_word(found: list[str], rest: str):
    redact = Redactor(found, taken=found)
    for user in redact.ids:
        assert f" {user} " not in redact(f"({rest}) {user} ({rest})").replace(f"({rest})", "")


def test_nothing_that_is_shown_holds_an_id():
    log = a_secretive_log()
    shown = [repr(step) for step in GameLog(log).steps()]
    shown += [repr(log.state()), repr(log.root), repr(list(log.state().seats.values()))]
    shown += [str(problem) for problem in log.problems()]
    redact = redactor_of(log.root)
    # An address in memory may hold any three hexadecimal digits.
    assert "b0b" not in re.sub(r"0x[0-9a-f]+", "", "".join(shown))
    assert ANN not in redact("".join(shown)).replace(ANN + "x", "")


def test_an_id_with_a_semicolon_is_one_owner():
    piece = unit("1", hidden=BOB, owner=BOB)
    states = Piece.parse(piece.type, piece.state).states
    assert (states[0], states[2]) == (HiddenState(owner=BOB), OwnedState(owner=BOB))
    assert [s.encode() for s in (HiddenState(owner=BOB), HiddenState())] == [BOB, "null"]


def test_an_id_in_a_piece_whose_states_are_cut_short_is_found_and_scrubbed():
    whole = state_of(hidden="only-here")
    cut = AddPiece("1", TYPE, whole[: whole.rindex("\\\\\t")])
    saved = SavedGame.from_text(f"begin_save\x1b{cut.encode()}\x1bend_save")
    assert find_user_ids(saved.root) == ["only-here"]
    assert "only-here" not in scrub(saved).text
