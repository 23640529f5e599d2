"""Predefined set-ups: each firefight as the rules begin it, on its boards, with its briefing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.source import firefight, firefights
from hexmarshal.games.conflict_of_heroes.vassal.notes import notes
from hexmarshal.games.conflict_of_heroes.vassal.table import MAP, boards_of
from hexmarshal.table.set_ups import lay_set_up
from hexmarshal.vassal.commands.game import BoardChoice

if TYPE_CHECKING:
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.table.binding import Binding
    from hexmarshal.vassal.builder import ModuleBuilder

__all__ = ["add_setups"]


def add_setups(module: ModuleBuilder, binding: Binding, plugin: GamePlugin) -> None:
    """Put every firefight into the module's menu: those for players first, then the drills."""
    for key in firefights():
        given = firefight(key)
        menu = "Firefights" if given["training"] else "Drills"
        setup = module.setup(given["title"], menu=menu, description=given.get("notes", ""))
        chosen = boards_of(str(given["board"]), given["forces"])
        boards = tuple(BoardChoice(name, column=i) for i, name in enumerate(chosen))
        lay_set_up(setup, module, binding, plugin, key, {MAP: boards})
        setup.state.notes.scenario = notes(given)
        setup.save()
