"""What docs/add-a-game.md tells a reader to type works as it says."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
import yaml
from tutorial import Crossroads

from hexmarshal.cli.main import run
from hexmarshal.rules import Distribution, effects, registry
from hexmarshal.rules.conformance import load_cases, run_case
from hexmarshal.rules.plugin import GamePlugin

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "add-a-game.md").read_text("utf-8")
COMMANDS = re.findall(r"^\$ hexmarshal (.*)$", PAGE, re.MULTILINE)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_the_page_runs(command: str, monkeypatch, capsys) -> None:
    monkeypatch.chdir(ROOT)
    registry.default().load("tests/tutorial:Crossroads")
    assert run(shlex.split(command)) == 0
    assert capsys.readouterr().out


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


def test_the_examples_of_the_page_run() -> None:
    outcome = doctest.testfile(
        str(ROOT / "docs" / "add-a-game.md"),
        module_relative=False,
        optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE,
    )
    assert outcome.attempted > 8
    assert outcome.failed == 0
