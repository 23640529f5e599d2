"""Random games on the painted boards: they end, replay, and keep every position in order."""

from __future__ import annotations

import pytest

from hexmarshal.games.asl.plugin import AdvancedSquadLeader
from hexmarshal.rules.playing.selfplay import play_game


@pytest.mark.parametrize("scenario", ["meeting", "hill"])
def test_a_random_game_ends_and_replays(scenario):
    played = play_game(AdvancedSquadLeader(), "7", scenario=scenario)
    assert played.findings == []
