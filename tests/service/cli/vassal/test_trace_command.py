"""`hexmarshal trace` as a user meets it: exit codes, JSON, saves, bad input."""

from __future__ import annotations

import json

import pytest

from hexmarshal.cli.main import run
from hexmarshal.errors import ExitCode
from tests.converters.vassal.small_modules import SOUND
from tests.converters.vassal.squad_game import game_of, squad_game


@pytest.fixture
def module(tmp_path):
    path = tmp_path / "game.vmod"
    path.write_bytes(SOUND)
    return path


def test_a_key_is_followed_trait_by_trait(module, capsys):
    assert run(["trace", str(module), "--piece", "Red", "--key", "Ctrl+D"]) == ExitCode.OK
    out = capsys.readouterr().out
    assert out.startswith("Red: Ctrl+D\n  ")
    assert "Delete: delete" in out


def test_a_key_that_nothing_hears_exits_1(module, capsys):
    assert run(["trace", str(module), "--piece", "Red", "--key", "Gone"]) == ExitCode.FINDINGS
    assert capsys.readouterr().out == "Red: [Gone]\n  no trait of the piece hears it\n"


def test_a_piece_of_a_save_is_traced_as_json(tmp_path, capsys):
    path = tmp_path / "game.vsav"
    game_of(squad_game()).save(path)
    assert run(["trace", str(path), "--piece", "Squad", "--key", "Ctrl+F", "--json"]) == ExitCode.OK
    told = json.loads(capsys.readouterr().out)
    assert told["heard"] is True
    assert [step["trait"] for step in told["steps"]] == ["Layer"]


def test_bad_input_is_told_by_its_code(module, tmp_path):
    broken = tmp_path / "broken.vmod"
    broken.write_bytes(b"nothing")
    argv = ["--piece", "Red", "--key", "Ctrl+D"]
    assert run(["trace", str(module), "--piece", "Nobody", "--key", "F5"]) == ExitCode.NOT_FOUND
    assert run(["trace", str(tmp_path / "gone.vmod"), *argv]) == ExitCode.NOT_FOUND
    assert run(["trace", str(broken), *argv]) == ExitCode.BAD_INPUT
    assert run(["trace", str(module), "--piece", "Red"]) == ExitCode.USAGE
    assert run(["trace", str(module), "--piece", "Red", "--key", ""]) == ExitCode.USAGE
