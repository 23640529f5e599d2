"""`hexmarshal build`: whose module, from where, and what is refused."""

from __future__ import annotations

import json
import sys
from types import ModuleType

import pytest

from hexmarshal.cli.main import run
from hexmarshal.vassal.builder import ModuleBuilder
from hexmarshal.vassal.module import Module


@pytest.fixture
def game(monkeypatch):
    """A tiny game that offers its module."""
    made = ModuleType("tiny_game")

    def build(folder=None):
        module = ModuleBuilder("Tiny", version="2.0", description=str(folder or ""))
        module.map("Main", main=True).board("Field", size=(100, 100))
        return module

    made.build = build
    made.plain = lambda: build()
    made.number = 7
    made.wrong = lambda: 7
    monkeypatch.setitem(sys.modules, "tiny_game", made)


def test_a_function_that_is_named_builds_the_module(game, tmp_path, capsys):
    out = tmp_path / "tiny.vmod"
    assert run(["build", "--from", "tiny_game:build", "-o", str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["name"], told["version"], told["maps"]) == ("Tiny", "2.0", ["Main"])
    assert Module.open(out).root.name == "Tiny"


def test_data_of_the_users_own_reach_the_function(game, tmp_path):
    out = tmp_path / "tiny.vmod"
    assert run(["build", "--from", "tiny_game:build", "-o", str(out), "--data", "mine"]) == 0
    assert Module.open(out).root.description == "mine"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--from", "tiny_game:number"], 3, "not a function"),
        (["--from", "tiny_game:wrong"], 3, "not a module"),
        (["--from", "tiny_game:nothing"], 3, "cannot be loaded"),
        (["--from", "tiny_game"], 2, "not a module and a function"),
        (["--from", "tiny_game:plain", "--data", "mine"], 2, "takes no data"),
        (["no-such-game"], 4, "no VASSAL module of a game 'no-such-game'"),
        ([], 2, "name a game"),
        (["tiny", "--from", "tiny_game:build"], 2, "name a game"),
    ],
)
def test_what_cannot_be_built_is_refused_with_a_reason(
    game, tmp_path, capsys, arguments, code, said
):
    out = tmp_path / "x.vmod"
    assert run(["build", *arguments, "-o", str(out)]) == code
    assert said in capsys.readouterr().err
    assert not out.exists()


def test_a_file_that_exists_is_kept_unless_forced(game, tmp_path):
    out = tmp_path / "tiny.vmod"
    out.write_bytes(b"mine")
    assert run(["build", "--from", "tiny_game:build", "-o", str(out)]) == 5
    assert out.read_bytes() == b"mine"
    assert run(["build", "--from", "tiny_game:build", "-o", str(out), "--force"]) == 0


SOURCE = """
from hexmarshal.vassal.builder import ModuleBuilder

def build():
    made = ModuleBuilder("Pfad", version="1")
    made.map("Main", main=True).board("Field", size=(100, 100))
    return made

def broken():
    return {}["a hole"]
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with spaces and letters of all kinds that holds a builder."""
    folder = tmp_path / "Mein Ördner 日本"
    folder.mkdir()
    (folder / "my_builder.py").write_text(SOURCE)
    monkeypatch.chdir(folder)
    yield folder
    sys.modules.pop("my_builder", None)
    if str(folder) in sys.path:
        sys.path.remove(str(folder))


@pytest.mark.parametrize("path", ["./my_builder", "./my_builder.py", "{here}/my_builder.py"])
def test_a_function_is_found_by_the_path_of_its_file(here, path):
    source = f"{path.format(here=here)}:build"
    assert run(["build", "--from", source, "-o", "out.vmod"]) == 0
    assert Module.open(here / "out.vmod").root.name == "Pfad"


def test_a_file_of_the_folder_that_is_named_without_a_slash_gets_a_hint(here, capsys):
    assert run(["build", "--from", "my_builder:build", "-o", "out.vmod"]) == 3
    assert "hint: a path has a slash: ./my_builder:build" in capsys.readouterr().err


def test_a_function_that_fails_is_told_as_such(here, capsys):
    assert run(["build", "--from", "./my_builder:broken", "-o", "out.vmod"]) == 3
    assert "./my_builder:broken failed: KeyError: 'a hole'" in capsys.readouterr().err
