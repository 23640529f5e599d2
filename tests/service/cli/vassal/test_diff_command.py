"""`hexmarshal diff` as a user meets it: words, JSON, exit codes, bad input, no secrets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hexmarshal.cli.main import run
from hexmarshal.errors import ExitCode
from hexmarshal.vassal.commands.tree import tree
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.saves.savegame import SavedGame
from tests.converters.vassal import saved_games as games
from tests.converters.vassal.small_modules import SOUND, changed, slot


@pytest.fixture
def pair(tmp_path: Path) -> tuple[str, str]:
    def edit(module: Module) -> None:
        slot(module, "Blue").set("entryName", "Azure")

    old, new = tmp_path / "old.vmod", tmp_path / "new.vmod"
    old.write_bytes(SOUND)
    new.write_bytes(changed(edit).to_bytes())
    return str(old), str(new)


def saved(path: Path, *commands) -> str:
    root = tree(games.game.BeginSave(), [tree(command) for command in commands])
    SavedGame.from_text(root.encode()).save(path)
    return str(path)


def test_the_same_file_exits_0(pair, capsys):
    assert run(["diff", pair[0], pair[0]]) == ExitCode.OK
    assert capsys.readouterr().out == "no differences\n"


def test_changes_are_told_in_words_and_exit_1(pair, capsys):
    assert run(["diff", *pair]) == ExitCode.FINDINGS
    out = capsys.readouterr().out
    assert "= Azure (Counters > Units)" in out
    assert "attribute entryName: 'Blue' -> 'Azure'" in out
    assert out.splitlines()[-1] == "pieces: 1 renamed"


def test_json_has_every_change(pair, capsys):
    run(["diff", *pair, "--json"])
    told = json.loads(capsys.readouterr().out)
    assert told["same"] is False
    assert told["summary"] == {"pieces": {"renamed": 1}}
    assert told["changes"][0]["details"] == [
        {"what": "attribute entryName", "from": "Blue", "to": "Azure"}
    ]


def test_saves_are_compared_without_user_ids(tmp_path, capsys):
    old = saved(tmp_path / "a.vsav", *games.COMPONENTS, games.unit("1"))
    new = saved(
        tmp_path / "b.vsav",
        games.game.TakeSeat(games.BOB, "", "Blue"),
        games.game.PrivateNote(games.ANN, f"my password is {games.ANN}"),
        games.unit("1", 50, 60, hidden=games.ANN, owner=games.ANN),
    )
    for form in ([], ["--json"], ["--all"]):
        assert run(["diff", old, new, *form]) == ExitCode.FINDINGS
        told = capsys.readouterr()
        assert "50,60" in told.out
        for secret in (games.ANN, games.BOB, "b0b\\;pass"):
            assert secret not in told.out + told.err
    run(["diff", old, new, "--show-secrets"])
    assert games.ANN in capsys.readouterr().out


def test_a_module_and_a_save_cannot_be_compared(pair, tmp_path):
    game = saved(tmp_path / "a.vsav", games.unit("1"))
    assert run(["diff", pair[0], game]) == ExitCode.USAGE
    assert run(["diff", *pair, "--module", pair[0]]) == ExitCode.USAGE


@pytest.mark.parametrize("data", [b"", b"no zip", SOUND[:-60]])
def test_bad_input_exits_3(pair, tmp_path, data):
    bad = tmp_path / "bad.vmod"
    bad.write_bytes(data)
    assert run(["diff", pair[0], str(bad)]) == ExitCode.BAD_INPUT
    assert run(["diff", pair[0], str(tmp_path / "gone.vmod")]) == ExitCode.NOT_FOUND
