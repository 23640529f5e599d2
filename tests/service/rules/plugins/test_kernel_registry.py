"""Plugins are found where they are, and a broken one breaks no other."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from tutorial import Crossroads

from hexmarshal.errors import NotFoundError, RulesError
from hexmarshal.rules.plugins.registry import GROUP, Registry


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
    folder = Path(__file__).parents[3] / "tutorial"
    assert Registry().load(f"{folder}:Crossroads").game.key == "tutorial"


UNFINISHED = """
from hexmarshal.rules.plugin import GamePlugin
from tutorial import Crossroads

class Begun(GamePlugin):
    def scenarios(self):
        return []

class Gameless(Crossroads):
    game = property(lambda self: {}["no game yet"])

class Thrown(Crossroads):
    def __init__(self):
        raise OSError("no data")
"""


@pytest.mark.parametrize(
    ("attribute", "says"),
    [
        ("Begun", "is not complete: Begun has no game, outcome, query,"),
        ("Gameless", "declares no game: KeyError: 'no game yet'"),
        ("Thrown", "cannot be made: OSError: no data"),
    ],
)
def test_a_plugin_that_is_not_finished_is_told_what_it_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, attribute: str, says: str
) -> None:
    package = tmp_path / "unfinished_game"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "plugin.py").write_text(UNFINISHED)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(RulesError) as told:
        Registry().load(f"{tmp_path}/unfinished_game.plugin:{attribute}")
    assert says in told.value.message


def test_a_plugin_of_this_folder_without_a_slash_gets_the_right_hint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "some_new_game"
    package.mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RulesError) as told:
        Registry().load("some_new_game.plugin:Game")
    assert told.value.hint == "a path has a slash: ./some_new_game.plugin:Game"
