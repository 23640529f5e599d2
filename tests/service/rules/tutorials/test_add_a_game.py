"""What docs/add-a-game.md tells a reader to type works as it says."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
import yaml
from tutorial import Crossroads

from hexmarshal.cli.main import run
from hexmarshal.errors import OutputError, UsageError
from hexmarshal.kit.new import Names, lay_out
from hexmarshal.rules import Distribution
from hexmarshal.rules.cases.conformance import load_cases, run_case
from hexmarshal.rules.plugin import GamePlugin
from hexmarshal.rules.plugins import registry
from hexmarshal.rules.state import effects

ROOT = Path(__file__).parents[4]
PAGE = (ROOT / "docs" / "add-a-game.md").read_text("utf-8")
COMMANDS = re.findall(r"^\$ (.*)$", PAGE, re.MULTILINE)


@contextmanager
def serving(folder: Path, words: list[str]) -> Iterator[str]:
    """A server in the background, as the page starts it, but on ports that are free."""
    said = folder / "served"
    words = [word.replace(":8080", ":0") for word in words]
    with said.open("wb") as told:
        server = subprocess.Popen(
            [sys.executable, "-m", "hexmarshal", *words, "--listen", "127.0.0.1:0"],
            stdout=told,
            stderr=subprocess.STDOUT,
        )
    try:
        deadline = time.monotonic() + 120
        while not (found := re.search(r'"address": "([0-9.:]+)"', said.read_text())):
            assert server.poll() is None, said.read_text()
            assert time.monotonic() < deadline, said.read_text()
            time.sleep(0.05)
        yield found[1]
    finally:
        server.terminate()
        server.wait(60)


def test_every_command_of_the_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One after the other, beginning in an empty folder that has our tests beside it."""
    pytest.importorskip("resvg_py")
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    registry.default().load("tests/tutorial:Crossroads")
    stack = ExitStack()
    for line in COMMANDS:
        word, *rest = shlex.split(line)
        if rest[-1:] == ["&"]:
            server = stack.enter_context(serving(tmp_path, rest[:-1]))
            monkeypatch.setenv("HEXMARSHAL_ADDRESS", server)
        elif word == "kill":
            stack.close()
        elif word == "cd":
            monkeypatch.chdir(Path.cwd() / rest[0])
        elif word == "export":
            name, _, value = rest[0].partition("=")
            monkeypatch.setenv(name, value)
        else:
            assert word == "hexmarshal"
            assert run(rest) == 0, line
            assert capsys.readouterr().out, line
    assert len(COMMANDS) > 15


def test_the_tests_of_a_new_game_pass(tmp_path: Path) -> None:
    """In a process of their own, as its author runs them."""
    list(lay_out(tmp_path / "fresh", Names("fresh_game", "A Fresh Game")))
    path = os.pathsep.join([str(tmp_path / "fresh"), os.environ.get("PYTHONPATH", "")])
    for command in (
        "hexmarshal pin pins --renew all --plugin ./fresh_game:FreshGame",
        "pytest -q -p no:cacheprovider tests",
    ):
        done = subprocess.run(
            [sys.executable, "-m", *command.split()],
            cwd=tmp_path / "fresh",
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-3000:]
        assert "skipped" not in done.stdout


def test_the_files_of_the_page_are_those_of_a_new_game(tmp_path: Path) -> None:
    written = {p.relative_to(tmp_path).as_posix() for p in lay_out(tmp_path, Names("my_game"))}
    table = PAGE.partition("| in the new folder |")[2].partition("\n\n")[0]
    for cell in re.findall(r"^\| (`[^|]*`) \|", table, re.MULTILINE):
        for name in re.findall(r"`([^`]+)`", cell):
            known = name.rstrip("/")
            assert any(f"/{path}".endswith(f"/{known}") or f"{known}/" in path for path in written)


@pytest.mark.parametrize("key", ["My Game", "1st", "class", "", "my-game"])
def test_a_key_that_no_package_can_have_is_refused(key: str) -> None:
    with pytest.raises(UsageError, match="cannot be the key"):
        Names(key)


def test_names_follow_from_the_key_and_can_be_given() -> None:
    names = Names("the_bridge")
    assert (names.title, names.class_name, names.prefix) == ("The Bridge", "TheBridge", "TB")
    assert Names("kursk").prefix == "KUR"
    assert Names("kursk", "Kursk, 1943", "KK").put_into("MyGame MG-1 My Game mygame") == (
        "Kursk KK-1 Kursk, 1943 kursk"
    )
    for title, prefix in (("a: b", ""), ("", "k"), ("", "K")):
        with pytest.raises(UsageError):
            Names("kursk", title, prefix)


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "kept.txt").write_text("mine")
    with pytest.raises(OutputError, match="something already"):
        list(lay_out(tmp_path, Names("my_game")))
    assert [path.name for path in tmp_path.iterdir()] == ["kept.txt"]


def test_a_plugin_without_a_module_is_told_where_it_would_be() -> None:
    assert run(["build", "--plugin", "tests/tutorial:Crossroads", "-o", "x.vmod"]) == 4
    assert run(["build", "tutorial", "--from", "x:y", "-o", "x.vmod"]) == 2


def test_the_case_of_the_page_holds(tmp_path: Path) -> None:
    block = next(b for b in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL) if "cases:" in b)
    file = tmp_path / "case.yaml"
    file.write_text(block)
    for case in load_cases(file).cases:
        assert run_case(Crossroads(), case).differences == ()


def test_the_rule_of_the_page_is_the_rule_of_the_book() -> None:
    block = next(b for b in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL) if "status:" in b)
    shown = yaml.safe_load(block)["rules"][0]
    rule = Crossroads().rulebook[shown["id"]]
    assert (rule.title, rule.reading, rule.switch) == (
        shown["title"],
        shown["reading"],
        shown["switch"],
    )


def test_the_effects_of_the_page_are_all_there_are() -> None:
    listed = PAGE.partition("The effects are")[2].partition(".\n")[0]
    named = set(re.findall(r"`(\w+)`", listed))
    assert named == {e.__name__ for e in effects.Effect.__args__}


def test_the_odds_of_the_page_are_exact() -> None:
    assert str(Distribution.dice(2, 6).probability(lambda total: total >= 9)) == "5/18"


def test_the_answers_of_the_page_are_those_that_a_plugin_must_give() -> None:
    table = PAGE.partition("| answer |")[2].partition("\n\n")[0]
    named = set(re.findall(r"^\| `(\w+)", table, re.MULTILINE))
    assert named == GamePlugin.__abstractmethods__
    others = PAGE.partition("Five more")[2].partition("\n\n")[0]
    assert all(hasattr(GamePlugin, name) for name in re.findall(r"`(\w+)`", others))


def test_the_examples_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = doctest.testfile(
        str(ROOT / "docs" / "add-a-game.md"),
        module_relative=False,
        optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE,
    )
    assert outcome.attempted > 8
    assert outcome.failed == 0
