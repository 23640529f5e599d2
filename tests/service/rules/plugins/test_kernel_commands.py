"""The commands games, rules, odds, next, play and verify, as a user calls them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tutorial import Crossroads

from hexmarshal.cli.main import run
from hexmarshal.rules import engine
from hexmarshal.rules.plugins import registry

TESTS = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def tutorial() -> None:
    registry.default().add(Crossroads())


def test_games_lists_the_game(capsys) -> None:
    assert run(["games", "--json"]) == 0
    keys = [game["key"] for game in json.loads(capsys.readouterr().out)["games"]]
    assert "tutorial" in keys
    assert run(["games"]) == 0
    assert "Crossroads" in capsys.readouterr().out
    assert run(["games", "--plugin", f"{TESTS / 'tutorial'}:Crossroads"]) == 0


def test_rules_shows_the_book_and_one_rule_with_code_and_tests(capsys) -> None:
    assert run(["rules", "tutorial"]) == 0
    assert "6 implemented, 1 out of scope" in capsys.readouterr().out
    assert run(["rules", "tutorial", "TUT-3", "--json"]) == 0
    rule = json.loads(capsys.readouterr().out)
    assert any("combat.py" in place for place in rule["implemented_in"])
    assert any("combat.yaml" in place for place in rule["tested_in"])
    assert rule["switch"] == "deep_woods"
    assert run(["rules", "tutorial", "TUT-6"]) == 0
    assert "Advice, not a rule" in capsys.readouterr().out
    assert run(["rules", "tutorial", "--status", "out of scope"]) == 0
    assert run(["rules", "tutorial", "--status", "done"]) == 2
    assert run(["rules", "tutorial", "TUT-99"]) == 4
    assert run(["rules", "nothing"]) == 4


def test_odds_prints_the_column_and_the_exact_chances(capsys, tmp_path: Path) -> None:
    start = engine.start(Crossroads())
    document = start.to_json()
    document["units"]["b3"]["cell"] = "F2"
    file = tmp_path / "position.json"
    file.write_text(json.dumps(document))
    asked = ["odds", "tutorial", "attackers=b3", "target=r1", "--position", str(file)]
    assert run(asked) == 0
    out = capsys.readouterr().out
    assert "column    1-1" in out
    assert "1/3" in out
    assert "33.33%" in out
    assert "█" in out
    assert run([*asked, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["distribution"] == {
        "A1": "1/3",
        "-": "1/3",
        "D1": "1/3",
    }
    assert (
        run(["odds", "tutorial", "--query", "reach", "unit=b1", "--option", "deep_woods=yes"]) == 0
    )
    assert "cells" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["attackers=b3", "target=r1"], 1, "TUT-3: b3 is not adjacent"),
        (["attackers=b3", "target=zz"], 3, "no unit 'zz'"),
        (["attackers"], 2, "not NAME=VALUE"),
        (["nix=1"], 3, "no such parameter"),
        (["--query", "nix"], 3, "not one of"),
        (["--position", "nowhere.json"], 4, "no such file"),
        (["--option", "deep_woods=maybe", "attackers=b3", "target=r1"], 3, "true or false"),
    ],
)
def test_odds_says_what_is_wrong(capsys, words: list[str], code: int, says: str) -> None:
    assert run(["odds", "tutorial", *words]) == code
    assert says in capsys.readouterr().err


def test_next_shows_each_choice_with_its_cost(capsys, tmp_path: Path) -> None:
    assert run(["next", "tutorial", "--json"]) == 0
    kinds = json.loads(capsys.readouterr().out)
    assert [choice["value"] for choice in kinds["choices"]] == ["move", "end_phase"]
    assert run(["next", "tutorial", "move", "unit=b1", "path=B2", "--why"]) == 0
    out = capsys.readouterr().out
    assert "3 MP" in out
    assert "TUT-2: A3 is occupied" in out
    assert "the action may be done as it stands: blue: move path=B2 unit=b1" in out
    near = replace(engine.start(Crossroads()), phase="combat", active=())
    file = tmp_path / "position.json"
    file.write_text(json.dumps(near.to_json()))
    asked = ["next", "tutorial", "attack", "attackers=b1", "--position", str(file)]
    assert run(asked) == 2
    assert "say which side chooses" in capsys.readouterr().err
    assert run([*asked, "--side", "blue", "--slot", "target"]) == 0
    assert "it is not Blue's turn" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["fly"], "'fly' is not one of move"),
        (["move", "unit=zz"], "no unit 'zz'"),
        (["move", "--slot", "wings"], "no slot 'wings'"),
        (["move", "--side", "green"], "no side 'green'"),
    ],
)
def test_next_says_what_is_wrong(capsys, words: list[str], says: str) -> None:
    assert run(["next", "tutorial", *words]) == 3
    assert says in capsys.readouterr().err


def test_play_reports_saves_and_replays(capsys, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    command = ["play", "tutorial", "--games", "3", "--seed", "1", "--save", str(file)]
    assert run(command) == 0
    assert "3 played to their end" in capsys.readouterr().out
    assert run(command) == 5
    assert run([*command, "--force", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["findings"] == []
    assert run(["play", "tutorial", "--replay", str(file)]) == 0
    assert "3 of 3 games replay the same" in capsys.readouterr().out
    file.write_text(file.read_text().replace(report["digests"][0], "0" * 64))
    assert run(["play", "tutorial", "--replay", str(file), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["findings"][0]["game"] == 1
    assert run(["play", "tutorial", "--replay", str(tmp_path / "no.jsonl")]) == 4
    assert run(["play", "tutorial", "--replay", str(tmp_path)]) == 3
    (tmp_path / "empty.jsonl").touch()
    assert run(["play", "tutorial", "--replay", str(tmp_path / "empty.jsonl")]) == 3
    assert run([*command[:-1], str(tmp_path / "no" / "games.jsonl")]) == 5
    capsys.readouterr()
    assert run(["play", "tutorial", "--perft", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["perft"] == {"1": 40, "2": 982}
    assert run(["play", "tutorial", "--max-actions", "2", "-n", "1"]) == 1
    assert "no end" in capsys.readouterr().out


def test_play_with_processes_plays_the_same_games(capsys, monkeypatch) -> None:
    monkeypatch.setenv(registry.ENVIRONMENT, f"{TESTS / 'tutorial'}:Crossroads")
    assert run(["play", "tutorial", "-n", "3", "--json"]) == 0
    alone = capsys.readouterr().out
    assert run(["play", "tutorial", "-n", "3", "-j", "2", "--json"]) == 0
    assert capsys.readouterr().out == alone


def test_verify_runs_files_and_folders(capsys, tmp_path: Path) -> None:
    folder = TESTS / "conformance" / "tutorial"
    assert run(["verify", str(folder)]) == 0
    assert "36 of 36 cases hold" in capsys.readouterr().out
    one = ["verify", str(folder / "combat.yaml"), "--case", "half-strength-is-exact"]
    assert run(one) == 0
    assert run([*one, "--case", "nix"]) == 4
    assert run(["verify"]) == 2
    assert run(["verify", str(tmp_path)]) == 4
    assert run(["verify", str(tmp_path / "no.yaml")]) == 4
    capsys.readouterr()
    assert run(["verify", "--schema"]) == 0
    assert json.loads(capsys.readouterr().out)["required"] == ["game", "cases"]


def test_verify_prints_a_failing_case_with_its_arithmetic(capsys, tmp_path: Path) -> None:
    file = tmp_path / "wrong.yaml"
    text = (TESTS / "conformance" / "tutorial" / "combat.yaml").read_text()
    file.write_text(text.replace('column: "3-1"', 'column: "2-1"'))
    assert run(["verify", str(file)]) == 1
    out = capsys.readouterr().out
    assert 'column: expected "2-1", got "3-1"' in out
    assert "TUT-3: 6 against 2: 3-1" in out
    assert run(["verify", str(file), "--json"]) == 1
    failed = json.loads(capsys.readouterr().out)["failed"]
    assert [case["id"] for case in failed] == ["the-last-step-eliminates"]
    file.write_text("game: chess\ncases: [{id: a, rules: [R], view: x, expect: {a: 1}}]")
    assert run(["verify", str(file)]) == 4
