"""What people call the sides of a game, in several languages."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexmarshal.scenario.sheets import same_name

if TYPE_CHECKING:
    from hexmarshal.rules.plugin import Game

__all__ = ["own_side_names", "side_words"]


@cache
def _side_names() -> dict[str, Any]:
    import yaml

    text = Path(__file__).with_name("side_names.yaml").read_text(encoding="utf-8")
    names: dict[str, Any] = yaml.safe_load(text)
    return names


def own_side_names(game: Game) -> dict[str, str]:
    """The sides by what the game itself calls them."""
    own: dict[str, str] = {}
    for side in game.sides:
        for name in (side.key, side.title):
            own.setdefault(same_name(name), side.key)
    return own


def side_words(game: Game) -> dict[str, str]:
    """What else people of several languages call the sides of a game."""
    own = own_side_names(game)
    found: dict[str, str] = {}
    alliances = _side_names()["alliances"]
    for nation, words in _side_names()["names"].items():
        meant = own.get(nation) or own.get(alliances.get(nation, ""), "")
        for word in words if meant else ():
            found.setdefault(word, meant)
    return found
