"""Turn trackers of modules that are built: the order of the rules, and every moment both ways."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from game_table import table

from hexmarshal.rules import engine
from hexmarshal.table.reading.turn_tracker import Tracker
from hexmarshal.vassal.components import ListTurnLevel, TurnTracker
from hexmarshal.vassal.state.game_state import GameState

GAMES = ("heroes_of_stalingrad", "traces_of_war")


@pytest.mark.parametrize("game", GAMES)
def test_a_tracker_goes_through_the_phases_as_the_rules_do(game: str) -> None:
    (tracker,) = table(game).module().each(TurnTracker)
    titles = [phase.title for phase in table(game).plugin.game.phases]
    first, later = (level.entries for level in tracker.each(ListTurnLevel))
    for entries in (first, later):
        assert all(titles.index(a) < titles.index(b) for a, b in pairwise(entries))
    # What comes once, comes before all that comes again, or in a turn of its own.
    assert {*first, *later} == {*titles}
    assert titles.index(first[-1]) < titles.index(later[0]) or first == tuple(titles)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("turn", [1, 2, 3])
def test_a_tracker_shows_every_moment(game: str, turn: int) -> None:
    own = table(game)
    start = engine.start(own.plugin, own.plugin.scenarios()[0].key, seed="1")
    tracker = Tracker(own.binding().turn, own.module(), own.plugin.game)
    for phase in own.plugin.game.phases:
        state = GameState()
        command = tracker.write(replace(start, turn=turn, phase=phase.key))
        assert command is not None
        state.apply(command)
        moment = tracker.read(state)
        assert moment is not None
        assert moment.phase == phase.key
        # A phase that comes once is shown where it comes.
        assert moment.turn == turn or (turn > 1 and phase.key in ("setup", "opening"))
