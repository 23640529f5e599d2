"""`hexmarshal import` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hexmarshal.cli.main import run
from hexmarshal.errors import ExitCode
from hexmarshal.vassal.module import Module
from tests.converters.vassal.imports.test_cyberboard import gbx
from tests.converters.vassal.imports.test_imports import zuntzu


@pytest.fixture
def folder(tmp_path: Path, monkeypatch) -> Path:
    (tmp_path / "small.ztb").write_bytes(zuntzu())
    (tmp_path / "bad.ztb").write_bytes(b"no box")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_box_becomes_a_module(folder, capsys):
    args = ["import", "small.ztb", "-o", "small.vmod"]
    assert run(args) == ExitCode.FINDINGS
    out = capsys.readouterr().out
    assert "note: Dawn: there is no counter 99" in out
    assert "Skirmish: 1 map, 8 pieces, 1 set-up" in out
    assert Module.open("small.vmod").name == "Skirmish"
    assert run(["render", "small.vmod", "-o", "a.png"]) == ExitCode.OK
    assert run(args) == ExitCode.OUTPUT
    capsys.readouterr()
    run([*args, "--force", "--json"])
    assert json.loads(capsys.readouterr().out)["pieces"] == 8


def test_a_box_of_cyberboard_too(folder, capsys):
    (folder / "small.gbx").write_bytes(gbx())
    assert run(["import", "small.gbx", "-o", "cyber.vmod"]) == ExitCode.FINDINGS
    assert "Skirmish: 1 map, 3 pieces" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("file", "code"), [("bad.ztb", ExitCode.BAD_INPUT), ("no.ztb", ExitCode.NOT_FOUND)]
)
def test_bad_input_is_told_and_nothing_written(folder, file, code, capsys):
    assert run(["import", file, "-o", "x.vmod"]) == code
    assert capsys.readouterr().err.startswith("error: ")
    assert not (folder / "x.vmod").exists()
