"""Random games end without a finding, and a recorded game replays to the same end."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest
from kharkov_ground import game

from hexmarshal.rules import Position
from hexmarshal.rules.playing.record import GameRecord, replay
from hexmarshal.rules.playing.selfplay import play_game

SAMPLE = Path(__file__).parent / "sample-game.jsonl"


@pytest.mark.parametrize(
    ("scenario", "seed"), [("exercise", "a"), ("exercise", "b"), ("training", "c")]
)
def test_a_random_game_ends_without_a_finding(scenario: str, seed: str) -> None:
    played = play_game(game(), seed, scenario=scenario)
    assert played.findings == []
    assert played.winners is not None


def test_the_campaign_plays() -> None:
    """The first actions of a campaign; whole games take minutes and are played by hand."""
    played = play_game(game(), "campaign", scenario="campaign", max_actions=40)
    assert [finding.kind for finding in played.findings] == ["no end"]


def test_positions_that_are_played_on_leave_no_rings() -> None:
    """Else they would wait for the garbage collector, which takes as long as a tenth of all."""

    def play() -> int:
        played = play_game(game(), "a", scenario="exercise", max_actions=25, check_replay=False)
        del played
        return sum(isinstance(thing, Position) for thing in gc.get_objects())

    play()
    gc.collect()
    gc.disable()
    try:
        before = play()
        assert play() <= before + 2
    finally:
        gc.enable()


OTHER_READINGS = {
    option.param.name: option.param.choices[-1] if option.param.choices else not option.default
    for option in game().game.options
    if option.param.name != "free_setup"
}


@pytest.mark.parametrize("half", [0, 1])
def test_every_switch_can_be_played(half: int) -> None:
    options = dict(list(OTHER_READINGS.items())[half::2])
    played = play_game(game(), "switch", scenario="exercise", options=options, check_replay=False)
    assert played.findings == []


def test_the_sample_game_replays() -> None:
    """A whole game, from its set-up to its victory: KHA-4.1, KHA-17.0."""
    record = GameRecord.from_lines(SAMPLE.read_text("utf-8").splitlines(), str(SAMPLE))
    *_, last = replay(game(), record)
    assert last.turn == 5
    outcome = game().outcome(last)
    assert outcome is not None
    assert outcome.rule == "KHA-17.0"
