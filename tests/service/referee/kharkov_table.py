"""The table of Kharkov."""

from __future__ import annotations

from game_table import blank, table

from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules.state.position import Position

__all__ = ["MAKE", "PLUGIN", "binding", "blank", "builder", "checked", "game", "module", "said"]

_TABLE = table("kharkov")
PLUGIN = _TABLE.plugin
MAKE = PLUGIN.game.actions.make
builder, module, binding = _TABLE.builder, _TABLE.module, _TABLE.binding
said, checked = _TABLE.said, _TABLE.checked


def game(start: Position | str = "training") -> Recorder:
    """A log in the making, from a scenario or from a position."""
    return _TABLE.game(start)
