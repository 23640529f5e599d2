"""Plugins are found where they are, and a broken one breaks no other."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from tutorial import Crossroads

from hexmarshal.errors import NotFoundError, RulesError
from hexmarshal.rules.registry import GROUP, Registry


def entry(name: str, value: str) -> EntryPoint:
    return EntryPoint(name=name, value=value, group=GROUP)


def test_a_plugin_may_be_a_class_or_an_object_and_loads_when_asked_for() -> None:
    registry = Registry([entry("tutorial", "tutorial:Crossroads")])
    assert registry.keys() == ["tutorial"]
    assert isinstance(registry.get("tutorial"), Crossroads)
    assert registry.get("tutorial") is registry.get("tutorial")


@pytest.mark.parametrize(
    ("broken", "says"),
    [
        (entry("bad", "no_such_module:x"), "No module named"),
        (entry("bad", "tutorial:nothing"), "nothing"),
        (entry("bad", "json:loads"), "TypeError"),
        (entry("bad", "os:sep"), "not a GamePlugin"),
        (entry("bad", "tutorial:Crossroads"), "its game is 'tutorial', not 'bad'"),
    ],
)
def test_a_broken_plugin_is_reported_and_the_others_serve(broken: EntryPoint, says: str) -> None:
    registry = Registry([broken, entry("tutorial", "tutorial:Crossroads")])
    assert [p.game.key for p in registry.plugins()] == ["tutorial"]
    assert [b.key for b in registry.broken] == ["bad"]
    assert says in registry.broken[0].error
    with pytest.raises(RulesError, match="is broken"):
        registry.get("bad")


def test_two_plugins_for_one_key_are_reported() -> None:
    twice = [entry("tutorial", "tutorial:Crossroads"), entry("tutorial", "other:Plugin")]
    registry = Registry(twice)
    assert [p.game.key for p in registry.plugins()] == ["tutorial"]
    assert "taken by" in registry.broken[0].error


def test_an_unknown_game_lists_the_known_ones() -> None:
    registry = Registry([entry("tutorial", "tutorial:Crossroads")])
    with pytest.raises(NotFoundError) as caught:
        registry.get("chess")
    assert "tutorial" in caught.value.hint


def test_a_plugin_can_be_named_by_module_or_by_path() -> None:
    registry = Registry(specs=["tutorial:Crossroads", "nonsense", "nix:x"])
    assert registry.keys() == ["tutorial"]
    assert [b.key for b in registry.broken] == ["nonsense", "nix:x"]
    folder = Path(__file__).parents[2] / "tutorial"
    assert Registry().load(f"{folder}:Crossroads").game.key == "tutorial"
