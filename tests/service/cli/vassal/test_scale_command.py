"""`hexmarshal scale` and `hexmarshal remap` as a user meets them."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from PIL import Image

from hexmarshal.cli.main import run
from hexmarshal.errors import ExitCode
from hexmarshal.vassal.components import Board
from hexmarshal.vassal.module import Module
from tests.converters.vassal.small_modules import SOUND, picture
from tests.converters.vassal.squad_game import game_of, squad_game


@pytest.fixture
def folder(tmp_path: Path, monkeypatch) -> Path:
    squad_game().save(tmp_path / "game.vmod")
    game_of(squad_game()).save(tmp_path / "turn4.vsav")
    (tmp_path / "other.vmod").write_bytes(SOUND)
    (tmp_path / "scan.svg").write_bytes(picture(1200))
    whole = io.BytesIO()
    Image.effect_noise((60, 40), 90).save(whole, "PNG")
    (tmp_path / "cut.png").write_bytes(whole.getvalue()[:400])
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_module_and_its_save_go_into_a_folder_and_fit(folder, capsys):
    args = ["scale", "game.vmod", "turn4.vsav", "--by", "1/2", "-o", "half"]
    assert run(args) == ExitCode.OK
    out = capsys.readouterr().out
    assert "HexGrid: 1" in out
    assert "have the name that they had" in out
    assert run(["lint", "half/game.vmod"]) in {ExitCode.OK, ExitCode.FINDINGS}
    before, after = (
        run(["inspect", f, "--module", m, "--json"]) or json.loads(capsys.readouterr().out)
        for f, m in (("turn4.vsav", "game.vmod"), ("half/turn4.vsav", "half/game.vmod"))
        if not capsys.readouterr().err
    )
    assert [p["location"] for p in before["placed"]] == [p["location"] for p in after["placed"]]
    assert run(args) == ExitCode.OUTPUT
    assert run([*args, "--force", "--json"]) == ExitCode.OK
    told = json.loads(capsys.readouterr().out)
    assert [one["file"] for one in told["files"]] == ["game.vmod", "turn4.vsav"]
    assert told["names"]["changed"] == 0


def test_a_board_gets_another_picture_by_the_names_of_places(folder, capsys):
    args = ["remap", "game.vmod", "--picture", "scan.svg", "-o", "new.vmod"]
    points = ["--at", "0101=40,50", "--at", "0805=1000,900", "--at", "0801=1000,50"]
    assert run([*args, *points]) == ExitCode.OK, capsys.readouterr().err
    out = capsys.readouterr().out
    assert "3 points fitted; the worst is" in out
    board = next(Module.open("new.vmod").each(Board))
    assert board.image
    assert board.width is None


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (["scale", "game.vmod", "--by", "zero", "-o", "x"], ExitCode.USAGE),
        (["scale", "game.vmod", "--by", "2", "--only", "ships", "-o", "x"], ExitCode.USAGE),
        (["scale", "game.vmod", "--by", "2", "--map", "Moon", "-o", "x"], ExitCode.NOT_FOUND),
        (["scale", "turn4.vsav", "--by", "2", "-o", "x"], ExitCode.BAD_INPUT),
        (["scale", "other.vmod", "turn4.vsav", "--by", "2", "-o", "x"], ExitCode.BAD_INPUT),
        (["scale", "no.vmod", "--by", "2", "-o", "x"], ExitCode.NOT_FOUND),
        (["remap", "game.vmod", "--picture", "none.png", "-o", "x"], ExitCode.NOT_FOUND),
        (["remap", "game.vmod", "--picture", "turn4.vsav", "-o", "x"], ExitCode.BAD_INPUT),
        (["remap", "game.vmod", "--picture", "cut.png", "-o", "x"], ExitCode.BAD_INPUT),
        (["remap", "game.vmod", "--picture", "scan.svg", "--at", "9", "-o", "x"], ExitCode.USAGE),
    ],
)
def test_bad_input_is_told_and_nothing_written(folder, argv, code, capsys):
    assert run(argv) == code
    err = capsys.readouterr().err
    assert err.startswith("error: ")
    assert code != ExitCode.BAD_INPUT or argv[argv.index("-o") - 1] in err or argv[0] == "scale"
    assert "Traceback" not in err
    assert not (folder / "x").exists()
