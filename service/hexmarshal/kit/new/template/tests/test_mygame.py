"""The game keeps its word: cases, random games, lists of offers, hostile input, the module."""

from __future__ import annotations

from pathlib import Path

import pytest
from mygame import MyGame

from hexmarshal.kit.data.report import play_problems
from hexmarshal.rules import engine
from hexmarshal.rules.cases.conformance import load_cases, run_case
from hexmarshal.rules.cases.coverage import coverage_of
from hexmarshal.testkit import Fuzzer, offer_problems, soak

GAME = MyGame()
CASES = [
    case
    for file in sorted((Path(__file__).parents[1] / "cases").glob("*.yaml"))
    for case in load_cases(file).cases
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_cases_hold(case: object) -> None:
    assert run_case(GAME, case).differences == ()  # type: ignore[arg-type]


def test_every_rule_that_is_implemented_is_cited_in_the_code() -> None:
    cited = coverage_of(GAME).implemented
    rules = [rule.id for rule in GAME.rulebook.values() if rule.status.value == "implemented"]
    assert [rule for rule in rules if not cited.get(rule)] == []


def test_the_data_is_sound() -> None:
    assert list(GAME.data.problems()) == []
    assert list(play_problems(GAME)) == []


@pytest.mark.parametrize("seed", ["1"])
def test_random_games_find_nothing_wrong(seed: str) -> None:
    assert soak(GAME, seed, every=25) == []


def test_what_is_offered_is_legal_and_offered_once() -> None:
    assert offer_problems(GAME, engine.start(GAME, seed=1)) == []


def test_hostile_input_is_refused_and_never_a_crash() -> None:
    assert list(Fuzzer(GAME, seed=1).run(tries=50)) == []


def test_the_module_shows_every_set_up() -> None:
    pytest.importorskip("resvg_py")
    from mygame.module import build_module

    assert build_module().to_bytes()
