"""`hexmarshal move`, `extensions` and the properties of `refresh` as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hexmarshal.cli.main import run
from hexmarshal.errors import ExitCode
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.saves.savegame import SavedGame
from tests.converters.vassal.small_modules import SOUND
from tests.converters.vassal.squad_game import game_of, squad_game


@pytest.fixture
def folder(tmp_path: Path, monkeypatch) -> Path:
    squad_game().save(tmp_path / "game.vmod")
    game_of(squad_game()).save(tmp_path / "turn4.vsav")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_out_into_a_new_extension_and_who_supplies_it(folder, capsys):
    args = ["move", "game.vmod", "winter.vmdx", "--piece", "Truck", "--save", "turn4.vsav"]
    assert run([*args, "-o", "out"]) == ExitCode.FINDINGS, "the set-up needs the extension now"
    assert "moved: Counters / Units / Truck" in capsys.readouterr().out
    assert [s.name for s in Module.open("out/winter.vmdx").slots()] == ["Truck"]
    want = ["extensions", "out/turn4.vsav", "--module", "out/game.vmod"]
    assert run([*want, "--among", "out", "--json"]) == ExitCode.FINDINGS
    (missing,) = json.loads(capsys.readouterr().out)["missing"]
    assert missing["supplied_by"] == ["winter.vmdx"]
    assert missing["count"] == 2
    assert run([*want, "--among", "out"]) == ExitCode.FINDINGS
    assert "winter.vmdx" in capsys.readouterr().out
    assert run([*want, "--active", "out/winter.vmdx"]) == ExitCode.OK
    back = ["move", "out/winter.vmdx", "out/game.vmod", "--piece", "*", "-o", "back"]
    assert run(back) == ExitCode.OK
    assert run(back) == ExitCode.OUTPUT


def test_a_game_of_another_module_has_no_use_for_its_extensions(folder, capsys):
    (folder / "other.vmod").write_bytes(SOUND)
    entries = {"moduledata": b"<data><name>Squads</name></data>"}
    SavedGame.from_text(game_of(squad_game()).text, entries=entries).save(folder / "own.vsav")
    want = ["extensions", "own.vsav", "--module", "other.vmod"]
    assert run(want) == ExitCode.BAD_INPUT
    assert "a game of 'Squads', not of 'Small'" in capsys.readouterr().err
    assert run([*want, "--any-module"]) == ExitCode.OK, "gpids are numbers that both have"


def test_the_pieces_of_a_sheet_are_split_out(folder, capsys):
    (folder / "few.csv").write_text("id,name\n1,Squad\n")
    run(["sheet", "list", "game.vmod", "-o", "all.csv"])
    lines = (folder / "all.csv").read_text("utf-8-sig").splitlines()
    squad = next(line for line in lines if ",Squad," in line)
    (folder / "few.csv").write_text(f"{lines[0]}\n{squad}\n")
    args = ["move", "game.vmod", "squads.vmdx", "--sheet", "few.csv", "-o", "out", "--json"]
    assert run(args) == ExitCode.FINDINGS
    assert [s.name for s in Module.open("out/squads.vmdx").slots()] == ["Squad"]


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (["move", "game.vmod", "w.vmdx", "-o", "x"], ExitCode.USAGE),
        (["move", "game.vmod", "w.vmdx", "--piece", "Nobody", "-o", "x"], ExitCode.NOT_FOUND),
        (["move", "game.vmod", "w.vmdx", "--component", "Moon", "-o", "x"], ExitCode.NOT_FOUND),
        (["move", "game.vmod", "w.vmod", "--piece", "Truck", "-o", "x"], ExitCode.NOT_FOUND),
        (["extensions", "game.vmod", "--module", "game.vmod"], ExitCode.BAD_INPUT),
        (["extensions", "turn4.vsav", "--module", "no.vmod"], ExitCode.NOT_FOUND),
    ],
)
def test_bad_input_is_told_and_nothing_written(folder, argv, code, capsys):
    assert run(argv) == code
    assert capsys.readouterr().err.startswith("error: ")
    assert not (folder / "x").exists()


def test_refresh_drops_properties_that_the_module_lacks(folder, capsys):
    args = ["refresh", "turn4.vsav", "--module", "game.vmod", "--drop-properties", "-o", "new"]
    assert run([*args, "--json"]) == ExitCode.OK
    assert json.loads(capsys.readouterr().out)["files"][0]["properties"] == []
    bad = ["refresh", "game.vmod", "--setups", "--drop-properties", "-o", "y.vmod"]
    assert run(bad) == ExitCode.USAGE
