"""Recorded games come to the same boards, offers and ends as when they were pinned."""

from __future__ import annotations

import pytest
from pins import PINS, Pin, pinned, recorded, what_it_comes_to

from hexmarshal.rules import engine, registry
from hexmarshal.rules.record import replay


@pytest.mark.parametrize("pin", PINS, ids=lambda pin: pin.name)
def test_a_pinned_game_comes_to_the_same(pin: Pin) -> None:
    plugin = registry.default().get(pin.game)
    got, expected = what_it_comes_to(plugin, pin, recorded(pin)), pinned(pin)
    assert got == expected, "a rule was changed? then renew the pin, see pins.py"


@pytest.mark.parametrize("pin", PINS, ids=lambda pin: pin.name)
def test_a_pinned_game_has_been_looked_at_often_enough(pin: Pin) -> None:
    """No pin without boards and offers: a file that says nothing would agree with everything."""
    after = pinned(pin)["after"]
    assert isinstance(after, dict)
    assert len(after) == 1 + -(-len(recorded(pin).events) // pin.every)
    assert all(look["board"] for look in after.values())
    assert any(look["offers"] for look in after.values())


@pytest.mark.parametrize("pin", PINS, ids=lambda pin: pin.name)
def test_silence_is_always_legal(pin: Pin) -> None:
    """Whoever says nothing to what is asked does something that the rules allow."""
    plugin = registry.default().get(pin.game)
    for position in replay(plugin, recorded(pin)):
        for side in position.active:
            said = engine.silence(plugin, position, side)
            if said is not None:
                assert engine.check(plugin, position, said).legal, said
