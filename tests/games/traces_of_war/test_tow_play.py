"""Random games end without a finding, and replay."""

from __future__ import annotations

import pytest
from tow_ground import game

from hexmarshal.rules.playing.selfplay import play_game


@pytest.mark.parametrize("seed", ["a", "b"])
def test_a_random_game_ends_without_a_finding(seed: str) -> None:
    played = play_game(game(), seed, scenario="exercise")
    assert played.findings == []
    assert played.winners is not None


@pytest.mark.parametrize("scenario", ["race", "campaign"])
def test_the_scenarios_of_the_book_begin(scenario: str) -> None:
    """The first actions; whole games take the better part of a minute and are played by hand."""
    played = play_game(game(), "begin", scenario=scenario, max_actions=25)
    assert [finding.kind for finding in played.findings] == ["no end"]


OTHER_READINGS = {
    option.param.name: option.param.choices[-1]
    if option.param.choices
    else 40
    if option.param.name == "bid"
    else not option.default
    for option in game().game.options
    if option.param.name != "book_only"
}


def test_every_switch_can_be_played() -> None:
    played = play_game(game(), "c", scenario="exercise", options=OTHER_READINGS)
    assert played.findings == []
    assert played.winners is not None


def test_by_the_book_alone_the_game_stops_at_the_first_missing_table() -> None:
    played = play_game(game(), "d", scenario="exercise", options={"book_only": True})
    (finding,) = played.findings
    assert "the table is not in the book: Luftwaffe reorganisation" in finding.text
