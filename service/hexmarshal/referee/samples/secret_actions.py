"""Which actions the players of a recorded log seal instead of announcing them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.rules import engine
from hexmarshal.rules.state.position import NO_PILES
from hexmarshal.rules.values import EMPTY

if TYPE_CHECKING:
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.position import Position

__all__ = ["is_secret"]


def is_secret(plugin: GamePlugin, action: Action, before: Position, after: Position) -> bool:
    """Whether to announce it would tell another side what the table does not show."""
    kind = plugin.game.actions[action.kind]
    if kind.sealed is not None:
        return True
    if not action.params:
        return False
    named = {
        unit
        for name, what in kind.references
        if what == "unit"
        for unit in (action.texts(name) or (action.text(name),))
    }
    for side in after.sides:
        if side == action.side:
            continue
        old, new = (engine.view(plugin, one, side) for one in (before, after))
        hidden = named & before.units.keys() - old.units.keys() - new.units.keys()
        if hidden or _on_the_map(old) == _on_the_map(new):
            return True
    return False


def _on_the_map(view: Position) -> Position:
    """Without what turns and hands over: who acts, what is asked, how many cards there are."""
    return replace(
        view, turn=0, phase="", state="", active=(), frames=(), piles=NO_PILES, extras=EMPTY
    )
