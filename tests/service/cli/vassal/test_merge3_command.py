"""`hexmarshal merge3` as a user meets it, and as git calls it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hexmarshal.cli.main import run
from hexmarshal.errors import ExitCode
from hexmarshal.vassal.module import Module
from tests.converters.vassal.small_modules import SOUND, changed, slot
from tests.converters.vassal.squad_game import game_of, squad_game
from tests.converters.vassal.tools.test_threeway import rename

PAGE = Path(__file__).parents[4] / "docs" / "vassal" / "merge3.md"
WHOLE = "game.vmod\nmodule:\n  + Small\n\nmodule: 1 added\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch) -> Path:
    (tmp_path / "base.vmod").write_bytes(SOUND)
    (tmp_path / "mine.vmod").write_bytes(changed(rename("Red", "Rot")).to_bytes())
    (tmp_path / "yours.vmod").write_bytes(changed(rename("Blue", "Blau")).to_bytes())
    (tmp_path / "against.vmod").write_bytes(changed(rename("Red", "Rouge")).to_bytes())
    game_of(squad_game()).save(tmp_path / "game.vsav")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_two_versions_become_one(folder, capsys):
    args = ["merge3", "base.vmod", "mine.vmod", "yours.vmod", "-o", "both.vmod"]
    assert run(args) == ExitCode.OK
    assert "1 change taken over, 0 conflicts" in capsys.readouterr().out
    assert {"Rot", "Blau"} <= {s.name for s in Module.open("both.vmod").slots()}
    assert run(args) == ExitCode.OUTPUT


def test_a_conflict_is_told_with_all_three_words(folder, capsys):
    args = ["merge3", "base.vmod", "mine.vmod", "against.vmod", "-o", "both.vmod"]
    assert run(args) == ExitCode.FINDINGS
    out = capsys.readouterr().out
    assert "conflict: Counters / Units / Rot: attribute entryName" in out
    assert "theirs 'Rouge'" in out
    assert run([*args, "--force", "--favour", "theirs", "--json"]) == ExitCode.FINDINGS
    (conflict,) = json.loads(capsys.readouterr().out)["conflicts"]
    assert conflict["base"] == "Red"
    assert slot(Module.open("both.vmod"), "Rouge")


def test_another_module_or_game_is_merged_only_if_asked_for(folder, capsys):
    (folder / "other.vmod").write_bytes(squad_game().to_bytes())
    line = ["merge3", "base.vmod", "mine.vmod", "other.vmod", "-o", "both.vmod"]
    assert run(line) == ExitCode.BAD_INPUT
    assert "other.vmod: 'Squads' is no version of 'Small'" in capsys.readouterr().err
    assert not (folder / "both.vmod").exists()
    assert run([*line, "--any-module"]) in {ExitCode.OK, ExitCode.FINDINGS}


@pytest.mark.parametrize(
    ("files", "more", "code"),
    [
        (("base.vmod", "mine.vmod", "game.vsav"), [], ExitCode.USAGE),
        (("base.vmod", "mine.vmod", "no.vmod"), [], ExitCode.NOT_FOUND),
        (("base.vmod", "mine.vmod", "yours.vmod"), ["--favour", "nobody"], ExitCode.USAGE),
        (("bad", "mine.vmod", "yours.vmod"), [], ExitCode.BAD_INPUT),
    ],
)
def test_bad_input_is_told_and_nothing_written(folder, files, more, code, capsys):
    (folder / "bad").write_bytes(b"PK\3\4 broken")
    assert run(["merge3", *files, "-o", "out.vmod", *more]) == code
    assert capsys.readouterr().err.startswith("error: ")
    assert not (folder / "out.vmod").exists()


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git on this machine")
def test_git_merges_modules_by_it(tmp_path):
    home = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}

    def git(*words: str) -> subprocess.CompletedProcess[str]:
        who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
        return subprocess.run(
            ["git", *who, *words], cwd=tmp_path, env=home, capture_output=True, text=True
        )

    def commit(data: bytes) -> None:
        (tmp_path / "game.vmod").write_bytes(data)
        git("add", "-A")
        assert git("commit", "-q", "-m", "x").returncode == 0

    git("init", "-q", "-b", "main")
    setting_up = re.search(r"```\n(git config.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert setting_up is not None
    typed = setting_up[1].replace("hexmarshal ", f"{sys.executable} -m hexmarshal ")
    subprocess.run(["sh", "-e", "-c", typed], cwd=tmp_path, env=home, check=True)
    commit(SOUND)
    assert git("show", "--ext-diff", "--format=").stdout.endswith(WHOLE)
    git("checkout", "-q", "-b", "theirs")
    commit(changed(rename("Blue", "Blau")).to_bytes())
    git("checkout", "-q", "main")
    commit(changed(rename("Red", "Rot")).to_bytes())
    done = git("merge", "-q", "theirs", "-m", "both")
    assert done.returncode == 0, done.stdout + done.stderr
    found = {s.name for s in Module.open(tmp_path / "game.vmod").slots()}
    assert {"Rot", "Blau"} <= found
    told = git("diff", "theirs").stdout
    assert told.startswith("game.vmod\n")
    assert "  = Rot " in told
    assert "Blau" not in told
