"""Logs of one game: split anywhere and joined they are the same; gaps are told and bridged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from squad_game import game_of, squad_game
from typer.testing import CliRunner

from hexmarshal.cli.referee.logs import app
from hexmarshal.errors import UsageError, VassalFormatError
from hexmarshal.vassal.commands.turn import CounterLevel, TurnState
from hexmarshal.vassal.container.metadata import Metadata
from hexmarshal.vassal.logs.join import Part, join_logs
from hexmarshal.vassal.logs.seams import differences
from hexmarshal.vassal.logs.split import Cut, split_log
from hexmarshal.vassal.saves.log import logged_commands
from hexmarshal.vassal.saves.logwriter import LogWriter
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.state.game_state import GameState

START = game_of(squad_game())
PIECES = sorted(START.state().pieces)
TRACKER = "TurnTracker0"


def turn(number: int) -> TurnState:
    return TurnState(0, (CounterLevel(number, 0, False, -1),))


deeds = st.lists(
    st.one_of(
        st.tuples(st.just("move"), st.sampled_from(PIECES), st.integers(0, 500)),
        st.tuples(st.just("talk"), st.sampled_from(["hello", "[pass]"]), st.just(0)),
        st.tuples(st.just("turn"), st.just(""), st.integers(1, 9)),
        st.tuples(st.just("undo"), st.just(""), st.just(0)),
        st.tuples(st.just("remove"), st.sampled_from(PIECES), st.just(0)),
    ),
    min_size=1,
    max_size=14,
)


def played(given: list[tuple[str, str, int]], start: SavedGame = START) -> SavedGame:
    writer = LogWriter(start)
    steps = 0
    for kind, what, number in given:
        if kind == "undo":
            if steps:
                writer.undo()
                steps -= 1
            continue
        if kind in ("move", "remove") and writer.state.find(what) is None:
            continue
        with writer.step() as step:
            if kind == "move":
                step.move(what, "Main Map", number, 100)
            elif kind == "remove":
                step.remove(what)
            elif kind == "turn":
                step.set_turn(TRACKER, turn(number))
            else:
                step.chat("Ann", what)
        steps += 1
    return writer.finish()


def end(saved: SavedGame) -> GameState:
    state = saved.state()
    for node in saved.log_part():
        state.apply_all(logged_commands(node))
    return state


def texts(saved: SavedGame) -> list[str]:
    return [node.encode() for node in saved.log_part()]


@given(deeds, st.sampled_from(list(Cut)), st.integers(1, 5))
def test_what_is_split_and_joined_is_the_same_log(given, cut, every):
    saved = played(given)
    pieces = list(split_log(saved, cut, every))
    if len(pieces) < 2:
        return
    assert [piece.first for piece in pieces[1:]] == [piece.last + 1 for piece in pieces[:-1]]
    parts = [Part(str(i), piece.saved) for i, piece in enumerate(pieces)]
    made = join_logs(parts, any_order=True)
    assert texts(made.saved) == texts(saved)
    assert all(not seam.differences for seam in made.seams)
    assert differences(end(made.saved), end(saved)) == []


@given(deeds, deeds, deeds)
def test_over_a_gap_the_game_goes_on_as_the_next_log_begins(first, lost, last):
    one = played(first)
    other = played(last, SavedGame.from_state(end(played(lost, SavedGame.from_state(end(one))))))
    if not (one.is_log and other.is_log):
        return
    made = join_logs([Part("1", one), Part("2", other)], any_order=True, any_module=True)
    (seam,) = made.seams
    assert list(seam.differences) == differences(end(one), other.state())
    assert differences(end(made.saved), end(other)) == []


def test_differences_are_told_in_words():
    one = played([("move", PIECES[0], 50)])
    then = played([("move", PIECES[0], 70), ("remove", PIECES[1], 0), ("turn", "", 3)])
    found = {str(each) for each in differences(end(one), end(then))}
    moved, gone = (START.state().pieces[piece].name for piece in PIECES[:2])
    assert f"{moved} lies at Main Map 70,100, not at Main Map 50,100" in found
    assert any(line.startswith(f"{gone} is gone (it was at Main Map ") for line in found)
    assert "the turn is 3, not empty" in found


def test_talk_and_what_was_taken_back_can_be_left_out():
    game = [("move", PIECES[0], 50), ("talk", "hello", 0), ("move", PIECES[0], 70), ("undo", "", 0)]
    one, other = (
        played(game),
        played([("move", PIECES[1], 9)], SavedGame.from_state(end(played(game)))),
    )
    made = join_logs(
        [Part("1", one), Part("2", other)], drop_chat=True, drop_undone=True, any_module=True
    )
    assert (made.steps, made.dropped) == (2, 3)
    assert differences(end(made.saved), end(other)) == []


def test_what_cannot_be_one_game_is_refused():
    log, other = played([("move", PIECES[0], 5)]), played([("move", PIECES[1], 5)])
    tanks = Metadata.create({"name": "Tanks", "version": "1"}).to_bytes()
    stranger = other.with_entries({"moduledata": tanks})
    with pytest.raises(UsageError, match="two logs"):
        join_logs([Part("1", log)])
    with pytest.raises(UsageError, match="same log as 1"):
        join_logs([Part("1", log), Part("2", log)])
    with pytest.raises(VassalFormatError, match="no log"):
        join_logs([Part("1", log), Part("2", START)])
    with pytest.raises(UsageError, match="of the module"):
        join_logs([Part("1", log), Part("2", stranger)])
    assert join_logs([Part("1", log), Part("2", other)]).seams[0].differences


def test_logs_out_of_order_are_put_right_by_a_hint(tmp_path: Path):
    steps = [("move", PIECES[0], n) for n in (10, 20, 30)]
    saved = played(steps)
    (tmp_path / "game.vlog").write_bytes(saved.to_bytes())
    run = CliRunner()
    given = ["split", str(tmp_path / "game.vlog"), "--by", "step", "-o", str(tmp_path / "p")]
    assert run.invoke(app, given, standalone_mode=False).exception is None
    a, b, c = (str(tmp_path / "p" / f"game-{n}.vlog") for n in (1, 2, 3))
    whole = tmp_path / "whole.vlog"
    wrong = run.invoke(app, ["join", b, a, c, "-o", str(whole)], standalone_mode=False)
    assert isinstance(wrong.exception, UsageError)
    assert f"without a gap: {a} {b} {c}" in (wrong.exception.hint or "")
    assert not whole.exists()
    right = run.invoke(app, ["join", a, b, c, "-o", str(whole), "--json"], standalone_mode=False)
    assert right.return_value == 0
    assert json.loads(right.stdout)["steps"] == 3
    assert texts(SavedGame.open(whole)) == texts(saved)
    gap = run.invoke(app, ["join", a, c, "-o", str(tmp_path / "gap.vlog")], standalone_mode=False)
    assert gap.return_value == 1
    assert "does not begin as" in gap.stdout
