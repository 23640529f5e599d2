"""Random games on the painted boards: they end, replay, keep positions in order, tell nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hexmarshal.games.asl.plugin import AdvancedSquadLeader
from hexmarshal.games.asl.state.situation import Situation
from hexmarshal.rules import engine
from hexmarshal.rules.playing.record import replay
from hexmarshal.rules.playing.selfplay import play_game

SHOTS = ("fire", "spray", "first_fire", "move", "step")


@pytest.mark.parametrize("scenario", ["meeting", "hill"])
def test_a_random_game_ends_and_replays(scenario):
    played = play_game(AdvancedSquadLeader(), "7", scenario=scenario)
    assert played.findings == []


def told(asl, position, side):
    """All that a side is offered of what depends on sight; anew, as nothing remembers it."""
    fresh = replace(position, units=position.units)
    return sorted(str(offer.action) for offer in engine.offers(asl, fresh, side, SHOTS))


def test_what_is_offered_tells_no_line_of_sight(monkeypatch):
    """ASL-LOS-1: offers are the same whether every line is clear or none is."""
    asl = AdvancedSquadLeader()
    played = play_game(asl, "11", scenario="hill", check_replay=False)
    seen = Situation.line
    compared = 0
    for number, position in enumerate(replay(asl, played.record)):
        if number % 9 or position.phase not in ("prep_fire", "movement", "defensive_fire"):
            continue
        side = position.active[0]
        offered = []
        for blocked in (False, True):

            def line(now, a, b, blocked=blocked):
                found = seen(now, a, b)
                near = now.ground.distance(a.cell, b.cell) <= 1
                return found if near else replace(found, blocked=blocked, hindrance=0)

            monkeypatch.setattr(Situation, "line", line)
            offered.append(told(asl, position, side))
        monkeypatch.setattr(Situation, "line", seen)
        assert offered[0] == offered[1]
        compared += bool(offered[0])
    assert compared >= 4
