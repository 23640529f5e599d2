"""`hexmarshal find` as a user meets it: exit codes, JSON, several files, bad input, no secrets."""

from __future__ import annotations

import json

import pytest

from hexmarshal.cli.main import run
from hexmarshal.errors import ExitCode
from hexmarshal.vassal.saves.savegame import SavedGame
from tests.converters.vassal import saved_games as games
from tests.converters.vassal.small_modules import SOUND


@pytest.fixture
def module(tmp_path):
    path = tmp_path / "game.vmod"
    path.write_bytes(SOUND)
    return path


def test_places_are_told_by_file_and_set_up(module, capsys):
    assert run(["find", str(module), "--image", "back.svg"]) == ExitCode.OK
    out = capsys.readouterr().out
    assert out.startswith("image back.svg: 3 places\n")
    assert "uses     Counters / Units / Red > Layer (1) > image" in out
    assert f"{module} Start.vsav:\n    uses     Red (on Main Map) > Layer" in out


def test_set_ups_can_be_left_out(module, capsys):
    run(["find", str(module), "--image", "back.svg", "--no-setups"])
    assert capsys.readouterr().out.startswith("image back.svg: 2 places\n")


def test_nothing_found_is_an_answer(module, capsys):
    assert run(["find", str(module), "--image", "gone.png"]) == ExitCode.OK
    assert capsys.readouterr().out == "image gone.png: nowhere\n"


def test_json_has_path_component_and_role(module, capsys):
    run(["find", str(module), "--prototype", "Unit", "--gpid", "*", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert [each["kind"] for each in told["sought"]] == ["prototype", "gpid"]
    assert told["hits"][1]["role"] == "uses"
    assert told["hits"][1]["component"].startswith("VASSAL.build.module.PieceWindow")


def test_loose_ends_exit_1_and_none_0(module, capsys):
    assert run(["find", str(module), "--unused", "--json"]) == ExitCode.FINDINGS
    told = json.loads(capsys.readouterr().out)
    assert [(end["kind"], end["name"]) for end in told["unused"]] == [("property", "Weather")]
    assert run(["find", str(module), "--unused", "--kind", "prototype"]) == ExitCode.OK
    assert run(["find", str(module), "--undefined"]) == ExitCode.OK
    assert capsys.readouterr().out == "none\nnone\n"


def test_a_save_is_searched_without_showing_players_ids(tmp_path, capsys):
    path = tmp_path / "game.vsav"
    named = games.piece(("mark;Kept", f"by {games.ANN}"), ("piece;;;;Inf", "Main Map;1;2;3;0"))
    SavedGame.from_state(games.a_game(named)).save(path)
    assert run(["find", str(path), "--text", "by "]) == ExitCode.OK
    out = capsys.readouterr().out
    assert "state: values: by " in out
    assert games.ANN not in out
    run(["find", str(path), "--text", games.ANN])
    assert capsys.readouterr().out == f"text {games.ANN}: nowhere\n"
    run(["find", str(path), "--text", "by ", "--show-secrets"])
    assert games.ANN in capsys.readouterr().out


@pytest.mark.parametrize(
    "argv",
    [
        [],
        ["--unused", "--undefined"],
        ["--prototype", "Unit", "--unused"],
        ["--prototype", "Unit", "--kind", "key"],
        ["--unused", "--kind", "colour"],
        ["--prototype", ""],
    ],
)
def test_a_wrong_command_line_exits_2(module, argv):
    assert run(["find", str(module), *argv]) == ExitCode.USAGE


def test_missing_and_broken_files_exit_4_and_3(tmp_path):
    broken = tmp_path / "broken.vmod"
    broken.write_bytes(b"PK nothing")
    assert run(["find", str(tmp_path / "gone.vmod"), "--map", "x"]) == ExitCode.NOT_FOUND
    assert run(["find", str(broken), "--map", "x"]) == ExitCode.BAD_INPUT
