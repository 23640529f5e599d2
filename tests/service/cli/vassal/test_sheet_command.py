"""`hexmarshal sheet` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hexmarshal.cli.main import run
from hexmarshal.errors import ExitCode
from hexmarshal.vassal.module import Module
from tests.converters.vassal.small_modules import slot
from tests.converters.vassal.squad_game import squad_game


@pytest.fixture
def folder(tmp_path: Path, monkeypatch) -> Path:
    squad_game().save(tmp_path / "game.vmod")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_sheet_goes_out_and_comes_back_with_a_new_counter(folder, capsys):
    assert run(["sheet", "list", "game.vmod", "-o", "counters.csv"]) == ExitCode.OK
    assert "3 pieces" in capsys.readouterr().out
    sheet = folder / "counters.csv"
    text = sheet.read_text("utf-8-sig")
    width = len(text.splitlines()[0].split(","))
    new = ["", "Tank", "", "", "Truck", "tank.svg"]
    sheet.write_text(text + ",".join(new + [""] * (width - len(new))) + "\n", "utf-8")
    args = ["sheet", "apply", "game.vmod", "counters.csv", "-o", "new.vmod"]
    assert run(args) == ExitCode.BAD_INPUT
    err = capsys.readouterr().err
    assert "there is no picture 'tank.svg'" in err
    assert "line 5" in err
    (folder / "tank.svg").write_text("no drawing at all")
    assert run(args) == ExitCode.BAD_INPUT
    assert "field image: tank.svg: is no PNG" in capsys.readouterr().err
    (folder / "tank.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    assert run([*args, "--dry-run"]) == ExitCode.OK
    assert not (folder / "new.vmod").exists()
    assert run([*args, "--setups"]) == ExitCode.OK
    assert "0 changed, 1 added, 0 removed, 1 picture" in capsys.readouterr().out
    assert slot(Module.open("new.vmod"), "Tank")
    assert run(args) == ExitCode.OUTPUT


def test_json_tells_the_same(folder, capsys):
    run(["sheet", "list", "game.vmod", "-o", "a.csv", "--json"])
    assert json.loads(capsys.readouterr().out)["rows"] == 3
    run(["sheet", "apply", "game.vmod", "a.csv", "--dry-run", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert (told["changed"], told["output"]) == ([], None)


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (["list", "game.vmod", "-o", "a.docx"], ExitCode.USAGE),
        (["list", "none.vmod", "-o", "a.csv"], ExitCode.NOT_FOUND),
        (["apply", "game.vmod", "game.vmod", "-o", "x.vmod"], ExitCode.BAD_INPUT),
        (["apply", "game.vmod", "none.csv", "-o", "x.vmod"], ExitCode.NOT_FOUND),
        (["apply", "game.vmod", "none.csv"], ExitCode.USAGE),
    ],
)
def test_bad_input_is_told_and_nothing_written(folder, argv, code, capsys):
    assert run(["sheet", *argv]) == code
    assert capsys.readouterr().err.startswith("error: ")
    assert {p.name for p in folder.iterdir()} == {"game.vmod"}
