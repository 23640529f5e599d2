"""The test kit finds what is wrong with a plugin, and nothing with one that is right."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from tutorial import Crossroads

from hexmarshal.cli.main import run
from hexmarshal.errors import BadInputError, ExitCode
from hexmarshal.rules import Verdict, Violation, engine
from hexmarshal.rules.plugins import registry
from hexmarshal.testkit import Fuzzer, offer_problems, pinned_games, soak, transcript

PINS = """
games:
  - {name: meeting, game: tutorial, scenario: meeting, seed: pin 1, every: 5}
"""


class Doubled(Crossroads):
    """Offers every action twice."""

    def actions_of(self, position, side, kinds):
        for offer in super().actions_of(position, side, kinds):
            yield offer
            yield offer

    def actions(self, position, side):
        for offer in super().actions(position, side):
            yield offer
            yield offer


class Refusing(Crossroads):
    """Refuses what it offers."""

    def check(self, position, action):
        verdict = super().check(position, action)
        return replace(verdict, violations=(Violation("TUT-2", "no"),))

    def actions(self, position, side):
        for offer in super().actions(replace(position), side):
            yield replace(offer, verdict=Verdict())


class Fragile(Crossroads):
    """Breaks where both sides act at once, which they never do in play."""

    def view(self, position, side):
        if len(position.active) > 1:
            raise KeyError("both")
        return super().view(position, side)


def test_nothing_is_wrong_with_the_tutorial():
    plugin = Crossroads()
    assert offer_problems(plugin, engine.start(plugin, "meeting", seed=1)) == []
    assert soak(plugin, "1", every=4) == []


@pytest.mark.parametrize("game", ["kharkov", "conflict_of_heroes"])
def test_nothing_is_wrong_with_our_games_in_long_play(game):
    plugin = registry.default().get(game)
    scenario = {"kharkov": "exercise", "conflict_of_heroes": "drill"}[game]
    kinds = [kind for kind in plugin.game.actions if kind != "group_move"]
    assert soak(plugin, "soak", scenario=scenario, every=20, kinds=kinds) == []


def test_offers_made_twice_are_found():
    plugin = Doubled()
    found = offer_problems(plugin, engine.start(plugin, "meeting", seed=1))
    assert any(line.startswith("offered twice: ") for line in found)


def test_offers_that_the_check_refuses_are_found():
    plugin = Refusing()
    position = engine.start(plugin, "meeting", seed=1)
    plugin.actions = lambda *_: iter(engine.offers(Crossroads(), position, position.active[0]))
    found = offer_problems(plugin, position)
    assert any("refused by TUT-2" in line for line in found)


def test_a_pinned_game_is_compared_told_and_renewed(tmp_path):
    (tmp_path / "pins.yaml").write_text(PINS)
    (pin,) = pinned_games(tmp_path)
    plugin = Crossroads()
    assert "No such file" in pin.differences(plugin)[0]
    assert "played for the first time" in pin.renew(plugin)
    assert pin.differences(plugin) == []
    assert "renewed" in pin.renew(plugin)
    told = (tmp_path / "meeting.txt").read_text()
    assert told.startswith("Crossroads: meeting\n\nTurn 1, ")
    assert "won: " in told
    result = json.loads((tmp_path / "meeting.json").read_text())
    result["after"]["0"]["order"] = "another"
    (tmp_path / "meeting.json").write_text(json.dumps(result, indent=1) + "\n")
    assert any('-   "order": "another"' in line for line in pin.differences(plugin))


def test_a_list_of_pins_that_makes_no_sense_is_refused(tmp_path):
    with pytest.raises(BadInputError, match="cannot be read"):
        pinned_games(tmp_path)
    for text in ("games: 3", "[", "games: [{name: x}]", "games: [{colour: red}]"):
        (tmp_path / "pins.yaml").write_text(text)
        with pytest.raises(BadInputError):
            pinned_games(tmp_path)


def test_a_transcript_shows_costs_dice_and_results():
    (pin, *_) = [p for p in pinned_games_of_ours() if p.name == "kharkov-exercise"]
    lines = list(transcript(registry.default().get("kharkov"), pin.record))
    assert lines[0] == "Kharkov: exercise"
    assert any("dice" in line and "->" in line for line in lines)
    assert any("(KHA-" in line for line in lines)


def pinned_games_of_ours():
    from pathlib import Path

    return pinned_games(Path(__file__).parents[2] / "games" / "pinned")


def test_the_fuzzer_finds_a_planted_fault_and_its_file_replays():
    fuzzer = Fuzzer(Fragile(), seed=1)
    crashes = list(fuzzer.run(tries=1000))
    assert [crash.error for crash in crashes] == ["KeyError: 'both'"]
    assert fuzzer.tried == 1000
    assert fuzzer.lines
    again, _ = Fuzzer(Fragile()).attempt(crashes[0].position, crashes[0].action)
    assert again == crashes[0]
    mended, _ = Fuzzer(Crossroads()).attempt(crashes[0].position, crashes[0].action)
    assert mended is None


def test_the_same_seed_tries_the_same():
    one, other = Fuzzer(Crossroads(), 5), Fuzzer(Crossroads(), 5)
    assert list(one.run(tries=300)) == list(other.run(tries=300)) == []
    assert (one.lines, one.admitted) == (other.lines, other.admitted)


def test_commands_pin_and_fuzz(tmp_path, capsys):
    plugin = ["--plugin", "tests/tutorial:Crossroads"]
    (tmp_path / "pins.yaml").write_text(PINS)
    assert run(["pin", str(tmp_path), *plugin]) == ExitCode.FINDINGS
    assert run(["pin", str(tmp_path), *plugin, "--renew", "all"]) == ExitCode.OK
    assert run(["pin", str(tmp_path), *plugin]) == ExitCode.OK
    assert "1 of 1 game is as pinned" in capsys.readouterr().out
    assert run(["pin", str(tmp_path), *plugin, "--renew", "other"]) == ExitCode.NOT_FOUND
    assert run(["fuzz", "tutorial", *plugin, "--tries", "200", "--json"]) == ExitCode.OK
    assert json.loads(capsys.readouterr().out)["crashes"] == []
    crash = tmp_path / "crash.json"
    crash.write_text("[]")
    assert run(["fuzz", "tutorial", *plugin, "--replay", str(crash)]) == ExitCode.BAD_INPUT
    crash.write_text("[" * 100_000)
    assert run(["fuzz", "tutorial", *plugin, "--replay", str(crash)]) == ExitCode.BAD_INPUT
    missing = str(tmp_path / "none.json")
    assert run(["fuzz", "tutorial", *plugin, "--replay", missing]) == ExitCode.NOT_FOUND
