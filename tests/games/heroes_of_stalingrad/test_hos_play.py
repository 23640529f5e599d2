"""Random games end without a finding, and replay; every switch can be played."""

from __future__ import annotations

import pytest
from hos_ground import game

from hexmarshal.rules.playing.selfplay import play_game


@pytest.mark.parametrize(
    ("scenario", "seed"), [("drill", "a"), ("drill", "b"), ("free_battle", "a")]
)
def test_a_random_game_ends_without_a_finding(scenario: str, seed: str) -> None:
    played = play_game(game(), seed, scenario=scenario)
    assert played.findings == []
    assert played.winners is not None


@pytest.mark.parametrize("scenario", ["tractor_works", "railway"])
def test_a_large_scenario_goes_well_for_a_while(scenario: str) -> None:
    """The first turn; whole games take half a minute and are played by hand."""
    played = play_game(game(), "v", scenario=scenario, max_actions=70)
    assert [finding.kind for finding in played.findings] == ["no end"]


OTHER_READINGS = {
    option.param.name: option.param.choices[-1] if option.param.choices else not option.default
    for option in game().game.options
}


def test_every_switch_can_be_played() -> None:
    played = play_game(game(), "s", scenario="drill", options=OTHER_READINGS)
    assert played.findings == []
    assert played.winners is not None
