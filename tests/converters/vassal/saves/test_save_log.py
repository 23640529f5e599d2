"""Logs: steps, who and where, dice and chat, undo; and writing them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from saved_games import ANN, BOB, MAP, TYPE, a_game, state_of

from hexmarshal.errors import UsageError, VassalFormatError
from hexmarshal.vassal.commands.piece import ChangePiece, MovePiece
from hexmarshal.vassal.commands.table import Chat, Undo
from hexmarshal.vassal.commands.turn import CounterLevel, TurnState
from hexmarshal.vassal.container.metadata import Metadata
from hexmarshal.vassal.saves.chat import ChatKind, read_chat
from hexmarshal.vassal.saves.chat_dice import DicePattern, DiceRoll, read_dice
from hexmarshal.vassal.saves.log import GameLog
from hexmarshal.vassal.saves.logwriter import LogWriter
from hexmarshal.vassal.saves.savedata import save_entries
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.state.location import Location


def a_log() -> LogWriter:
    log = LogWriter(a_game())
    with log.step() as step:
        step.move("3", MAP, 70, 80, user=ANN)
        step.report("3 moves *")
    with log.step() as step:
        step.roll("2d6", [3, 4], "Bob")
    with log.step() as step:
        step.chat("Ann", "well rolled; a/b\tc")
    with log.step() as step:
        step.change("1", state_of(strength="1"))
        step.set_property("Weather", "Snow")
        step.add("12", TYPE, state_of(5, 5))
        step.remove("2")
        step.set_turn("TurnTracker0", TurnState(0, (CounterLevel(2, 0, True, 20),)))
    return log


def reread(log: LogWriter) -> SavedGame:
    return SavedGame.from_text(log.finish().text)


def test_a_written_log_replays_to_the_same_state():
    log = a_log()
    saved = reread(log)
    assert saved.is_log
    replayed = [state.copy() for _, state in GameLog(saved).replay()]
    assert len(replayed) == 4
    assert replayed[-1] == log.state
    assert GameLog(saved).start() == a_game()
    assert saved.text == log.finish().text


def test_a_step_says_who_moved_what_from_where_to_where():
    step = next(GameLog(reread(a_log())).steps())
    assert step.player == "Ann"
    (move,) = step.moves
    assert (move.id, move.name) == ("3", "1st Army")
    assert move.source == Location(MAP, 50, 60)
    assert move.target == Location(MAP, 70, 80)
    assert step.chat[0].kind is ChatKind.REPORT
    assert isinstance(step.commands[0], MovePiece)


def test_steps_give_dice_and_chat_with_their_player():
    _, dice, chat, _ = GameLog(reread(a_log())).steps()
    assert dice.dice == (DiceRoll("2d6", (3, 4), "Bob", "dice button"),)
    assert dice.player == "Bob"
    assert dice.dice[0].total == 7
    assert chat.player == "Ann"
    assert chat.chat[0].text == "well rolled; a/b\tc"
    assert not chat.dice


def test_pieces_enter_and_leave_as_moves_without_source_or_target():
    *_, last = GameLog(reread(a_log())).steps()
    assert {(m.id, m.source is None, m.target is None) for m in last.moves} == {
        ("12", True, False),
        ("2", False, True),
    }


class Chessboard:
    def locate(self, map: str, x: int, y: int) -> Location:
        return Location(map, x, y, "Board", f"{'abcdefgh'[x // 10]}{y // 10}")


def test_a_locator_names_the_places():
    step = next(GameLog(reread(a_log()), Chessboard()).steps())
    assert f"{step.moves[0].source} to {step.moves[0].target}" == "f6 to h8"


def test_undo_takes_the_last_standing_step_back():
    log = a_log()
    before = [state.copy() for _, state in GameLog(reread(log)).replay()]
    log.undo()
    log.undo()
    saved = reread(log)
    *_, first, second = GameLog(saved).steps()
    assert (first.is_undo, first.undoes) == (True, 4)
    assert second.undoes == 3
    assert [s.number for s in GameLog(saved).standing()] == [1, 2]
    states = [state.copy() for _, state in GameLog(saved).replay()]
    assert states[4] == before[2]
    assert states[5] == log.state == before[1]
    assert isinstance(first.commands[0], Undo)


def test_undo_of_a_move_puts_a_piece_back_into_its_stack():
    log = LogWriter(a_game())
    with log.step() as step:
        step.move("2", MAP, 200, 200)
    assert log.state.stacks["9"].members == ("1",)
    log.undo()
    assert log.state.stacks["9"].members == ("1", "2")
    with pytest.raises(UsageError):
        log.undo()


def test_undo_of_a_removal_restores_the_stack():
    log = LogWriter(a_game())
    with log.step() as step:
        step.remove("1")
        step.remove("2")
    assert "9" not in log.state.stacks
    log.undo()
    assert log.state == a_game()
    assert [s for _, s in GameLog(reread(log)).replay()][-1] == a_game()


def test_a_log_goes_on_where_it_stopped():
    saved = reread(a_log())
    log = LogWriter(saved)
    with log.step() as step:
        step.move("3", MAP, 1, 1, user=BOB)
    steps = list(GameLog(reread(log)).steps())
    assert len(steps) == 5
    assert steps[-1].player == "Bob"
    assert steps[-1].moves[0].source == Location(MAP, 70, 80)


def test_an_empty_step_is_not_logged_and_a_failed_one_neither():
    log = LogWriter(a_game())
    with log.step():
        pass
    with pytest.raises(UsageError), log.step() as step:
        step.move("nobody", MAP, 1, 1)
    with pytest.raises(UsageError), log.step() as step:
        step.add("1", TYPE, state_of())
    assert not log.finish().is_log


def test_a_step_is_one_group_of_log_commands():
    group = next(iter(a_log().finish().log_part()))
    assert [n.text[:6] for n in group.walk()] == ["LOG\tM/", "LOG\tCH"]


def test_what_cannot_be_written_is_refused_at_once():
    log = LogWriter(a_game())
    with pytest.raises(VassalFormatError), log.step() as step:
        step.chat("Ann", "an ESC \x1b")


def test_a_logged_command_that_nobody_knew_does_nothing():
    saved = SavedGame.from_text("begin_save\x1bend_save\x1bLOG\tnull\x1bLOG\tLOG\tCHAThi")
    first, second = GameLog(saved).steps()
    assert first.commands[0].encode() == ""
    assert second.commands == (Chat("hi"),)


def test_a_broken_command_in_a_log_is_a_problem_and_the_step_stays():
    saved = SavedGame.from_text("begin_save\x1bend_save\x1bLOG\tM/1/x\x1bLOG\tCHAThi")
    first, second = GameLog(saved).steps()
    assert first.problems
    assert second.chat[0].text == "hi"
    (problem,) = saved.problems()
    assert problem.place.field == "logged command 3"


def test_a_move_of_an_unknown_piece_still_tells_from_where_to_where():
    text = "begin_save\x1bend_save\x1bLOG\tM/1/A/1/2/null/B/3/4/null/pw"
    (step,) = GameLog(SavedGame.from_text(text)).steps()
    assert (step.moves[0].source, step.moves[0].target) == (
        Location("B", 3, 4),
        Location("A", 1, 2),
    )
    assert step.player == "player-1"


def test_a_change_of_state_can_be_a_move():
    log = LogWriter(a_game())
    with log.step() as step:
        step.change("3", state_of(90, 90))
    (found,) = GameLog(reread(log)).steps()
    assert isinstance(found.commands[0], ChangePiece)
    assert found.moves[0].target == Location(MAP, 90, 90)


@pytest.mark.parametrize(
    ("text", "roll"),
    [
        ("*** 2d6 = 3,4 *** &lt;Ann&gt;", DiceRoll("2d6", (3, 4), "Ann", "dice button")),
        ("*** 3d6 = 2,4,2 *** <Bob>", DiceRoll("3d6", (2, 4, 2), "Bob", "dice button")),
        ("*** 1d10 = 7 *** <A B>", DiceRoll("1d10", (7,), "A B", "dice button")),
        (
            "*** (IFT DR) 6,5 ***   <Ann>      [1 / 4   avg   10.25 (10.25)]    (01.30)",
            DiceRoll("IFT DR", (6, 5), "Ann", "kind in brackets"),
        ),
        ("* Ann moves 3 *", None),
        ("<Ann> - *** 2d6 = 3,4 ***", None),
    ],
)
def test_dice_are_read_from_the_chat(text: str, roll: DiceRoll | None):
    assert read_dice(text) == roll


def test_a_module_brings_its_own_wording_of_dice():
    pattern = DicePattern.of_format("own", "$PlayerName$ rolls $nDice$ dice ($name$): $result$")
    roll = read_dice("* Ann rolls 2 dice (attack): 5, 6", [pattern])
    assert roll == DiceRoll("attack", (5, 6), "Ann", "own")


@pytest.mark.parametrize(
    ("text", "kind", "player", "said"),
    [
        ("<test> - hello", ChatKind.TALK, "test", "hello"),
        ("&lt;A&amp;B&gt; - 1 &lt; 2", ChatKind.TALK, "A&B", "1 < 2"),
        ("* moved", ChatKind.REPORT, None, "* moved"),
        ("- joined", ChatKind.SYSTEM, None, "- joined"),
        # Of what a line's colour comes from nothing is shown.
        ("* ~Ivan (Soviet): [pass]", ChatKind.REPORT, None, "* Ivan (Soviet): [pass]"),
        ("- !Loading", ChatKind.SYSTEM, None, "- Loading"),
        ("* moved!", ChatKind.REPORT, None, "* moved!"),
        ("* |?", ChatKind.REPORT, None, "* ?"),
        (" Data", ChatKind.OTHER, None, " Data"),
    ],
)
def test_chat_lines_are_told_apart(text: str, kind: ChatKind, player: str | None, said: str):
    line = read_chat(text)
    assert (line.kind, line.player, line.text) == (kind, player, said)


def test_a_log_file_has_its_metadata_and_is_the_same_each_time(tmp_path: Path):
    entries = save_entries("My Game", "1.2", description="turn 3", date=1_700_000_000_000)
    a_log().finish(entries).save(tmp_path / "a.vlog")
    a_log().finish(entries).save(tmp_path / "b.vlog")
    assert (tmp_path / "a.vlog").read_bytes() == (tmp_path / "b.vlog").read_bytes()
    saved = SavedGame.open(tmp_path / "a.vlog")
    assert saved.archive is not None
    assert saved.archive.names() == ["savedGame", "savedata", "moduledata"]
    module = Metadata.parse(saved.entry("moduledata") or b"")
    assert (module.name, module.version) == ("My Game", "1.2")
    assert Metadata.parse(saved.entry("savedata") or b"").description == "turn 3"
    assert saved.state() == a_game()


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("move"), st.sampled_from("12345"), st.integers(0, 3)),
        st.tuples(st.just("change"), st.sampled_from("12345"), st.integers(0, 9)),
        st.tuples(st.just("remove"), st.sampled_from("12345"), st.just(0)),
        st.tuples(st.just("property"), st.just(""), st.integers(0, 9)),
        st.tuples(st.just("undo"), st.just(""), st.just(0)),
    ),
    max_size=12,
)


@given(STEPS)
def test_any_written_game_replays_step_by_step(steps):
    log = LogWriter(a_game())
    seen = []
    for what, unit_id, value in steps:
        if what == "undo":
            try:
                log.undo()
            except UsageError:
                continue
        elif unit_id and log.state.find(unit_id) is None:
            continue
        else:
            with log.step() as step:
                match what:
                    case "move":
                        step.move(unit_id, MAP, 10 * value, 20 * value, user=ANN)
                    case "change":
                        place = log.state.pieces[unit_id].own_place
                        step.change(unit_id, state_of(place[1], place[2], strength=str(value)))
                    case "remove":
                        step.remove(unit_id)
                    case "property":
                        step.set_property("Weather", str(value))
        seen.append(log.state.copy())
    saved = reread(log)
    replayed = [state.copy() for _, state in GameLog(saved).replay()]
    assert replayed == seen
    assert ANN not in "".join(repr(step) for step in GameLog(saved).steps())


@pytest.mark.parametrize(("speakers", "movers", "found"), [
    (["Cat"], ["cat-pw"], ["Cat", "Cat"]),
    (["Cat", "Dan"], ["cat-pw"], ["player-3", "Cat"]),
    (["Cat"], ["cat-pw", "dan-pw"], ["player-3", "Cat"]),
])  # fmt: skip
def test_who_never_took_a_seat_is_known_by_the_one_name_that_is_left(speakers, movers, found):
    log = LogWriter(a_game())
    for user in movers:
        with log.step() as step:
            step.move("3", MAP, 70, 80, user=user)
    for name in speakers:
        with log.step() as step:
            step.chat(name, "here I am")
    steps = [*GameLog(reread(log)).steps()]
    assert [steps[0].player, steps[len(movers)].player] == found


def test_reports_name_who_did_it_if_it_is_a_player():
    log = LogWriter(a_game())
    for text in ("Bob: Turn 2 (after Turn 1)", "Ann (Red): [pass]", "1st Army: moved"):
        with log.step() as step:
            step.report(text)
    assert [step.player for step in GameLog(reread(log)).steps()] == ["Bob", "Ann", None]
