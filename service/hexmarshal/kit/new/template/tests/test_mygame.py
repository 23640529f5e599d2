"""The game keeps its word: cases, random games, lists of offers, hostile input, the module."""

from __future__ import annotations

from pathlib import Path

import pytest
from mygame import MyGame

from hexmarshal.kit.data.report import play_problems
from hexmarshal.rules import engine
from hexmarshal.rules.cases.conformance import load_cases, run_case
from hexmarshal.rules.cases.coverage import coverage_of
from hexmarshal.rules.playing.selfplay import perft
from hexmarshal.testkit import Fuzzer, offer_problems, pinned_games, soak

GAME = MyGame()
ROOT = Path(__file__).parents[1]
CASES = [
    case for file in sorted((ROOT / "cases").glob("*.yaml")) for case in load_cases(file).cases
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


def test_as_many_actions_are_legal_at_the_start_as_were_counted() -> None:
    """A change of the rules changes the number: count again, and say why in the commit."""
    assert perft(GAME, engine.start(GAME, seed=1), 1) == 106


def test_pinned_games_come_to_the_same() -> None:
    pins = [
        pin for pin in pinned_games(ROOT / "pins") if (pin.folder / f"{pin.name}.json").exists()
    ]
    if not pins:
        pytest.skip("none is pinned yet: hexmarshal pin pins --renew all")
    assert [line for pin in pins for line in pin.differences(GAME)] == []


def test_hostile_input_is_refused_and_never_a_crash() -> None:
    assert list(Fuzzer(GAME, seed=1).run(tries=50)) == []


def test_the_module_shows_every_set_up() -> None:
    pytest.importorskip("resvg_py")
    from mygame.module import build_module

    assert build_module().to_bytes()
