"""Recorded games come to the same boards, offers and ends as when they were pinned."""

from __future__ import annotations

import pytest
from pins import PINS, Pin, pinned, recorded, what_it_comes_to

from hexmarshal.rules import registry


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
