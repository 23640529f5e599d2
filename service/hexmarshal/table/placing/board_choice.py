"""The boards of a game: those of the scenario's own set-up, or the board that the rules name."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError
from hexmarshal.vassal.components import PredefinedSetup
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.state.at_start import own_boards

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.binding import Binding
    from hexmarshal.vassal.commands.game import BoardChoice
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.state.game_state import GameState

__all__ = ["boards_for"]

_Boards = dict[str, tuple["BoardChoice", ...]]


def boards_for(module: Module, binding: Binding, position: Position) -> _Boards:
    """The boards of each map that are not the module's own choice."""
    if binding.scenario and position.scenario:
        for state in _set_ups(module):
            if state.property_value(binding.scenario) == position.scenario:
                return dict(state.boards)
    wanted = {name for name, key in binding.map.boards.items() if key == position.board}
    for of_map in module.maps():
        if of_map.name != binding.map.name:
            continue
        chosen = tuple(own_boards(of_map))
        if wanted and not any(choice.name in wanted for choice in chosen):
            other = [choice.name for choice in chosen if choice.name in binding.map.boards]
            name = min(wanted)
            return {
                of_map.name: tuple(
                    replace(choice, name=name) if choice.name in other[:1] else choice
                    for choice in chosen
                )
            }
    return {}


def _set_ups(module: Module) -> Iterator[GameState]:
    for setup in module.each(PredefinedSetup):
        entry = setup.get("file")
        if entry and module.archive is not None and module.archive.has(entry):
            try:
                yield SavedGame.from_archive(module.archive.nested(entry)).state()
            except HexMarshalError:
                continue
