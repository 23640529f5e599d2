"""Recorded games come to the same boards, offers and ends as when they were pinned."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from hexmarshal.rules import engine
from hexmarshal.rules.playing.record import replay
from hexmarshal.rules.plugins import registry
from hexmarshal.testkit import PinnedGame, pinned_games


def _name(pin: PinnedGame) -> str:
    return f"{pin.game}-{pin.name}"


# Here, and in a folder of the game's own tests.
PINS = [
    pin
    for file in sorted(Path(__file__).parents[1].rglob("pins.yaml"))
    for pin in pinned_games(file.parent)
]


def test_of_every_game_three_are_pinned() -> None:
    count = Counter(pin.game for pin in PINS)
    games = [p.game.key for p in registry.default().plugins() if "hexmarshal.games" in str(type(p))]
    assert len(games) >= 5
    assert {game: count[game] for game in games if count[game] < 3} == {}


@pytest.mark.parametrize("pin", PINS, ids=_name)
def test_a_pinned_game_comes_to_the_same(pin: PinnedGame) -> None:
    found = pin.differences(registry.default().get(pin.game))
    assert not found, "a rule was changed? then `hexmarshal pin --renew`\n" + "\n".join(found)


@pytest.mark.parametrize("pin", PINS, ids=_name)
def test_a_pinned_game_has_been_looked_at_often_enough(pin: PinnedGame) -> None:
    """No pin without boards and offers: a file that says nothing would agree with everything."""
    after = pin.result["after"]
    assert isinstance(after, dict)
    assert len(after) == 1 + -(-len(pin.record.events) // pin.every)
    assert all(look["board"] for look in after.values())
    assert any(look["offers"] for look in after.values())


@pytest.mark.parametrize("pin", PINS, ids=_name)
def test_silence_is_always_legal(pin: PinnedGame) -> None:
    """Whoever says nothing to what is asked does something that the rules allow."""
    plugin = registry.default().get(pin.game)
    for position in replay(plugin, pin.record):
        for side in position.active:
            said = engine.silence(plugin, position, side)
            if said is not None:
                assert engine.check(plugin, position, said).legal, said
