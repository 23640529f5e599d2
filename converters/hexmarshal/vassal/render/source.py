"""Which game to draw: a save with its module, a predefined set-up, or a new game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.errors import NotFoundError, UsageError
from hexmarshal.errors.counts import counted
from hexmarshal.vassal.components import PredefinedSetup
from hexmarshal.vassal.container.archive import Archive, FileKind
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.saves.log import logged_commands
from hexmarshal.vassal.saves.ownership import demand_game_of, map_names
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.state.at_start import new_game

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from hexmarshal.vassal.state.game_state import GameState

__all__ = ["game_to_draw"]


def game_to_draw(
    file: Path,
    module: Path | None,
    extensions: Iterable[Path],
    setup: str | None,
    step: int = 0,
    *,
    any_module: bool = False,
) -> tuple[Module, GameState]:
    """The module whose pictures are used, and the state to draw: of a log, that after a step.

    Unless `any_module`, a game of a module of another name is refused.
    """
    archive = Archive.open(file)
    if archive.kind is FileKind.SAVE:
        if module is None:
            raise UsageError(
                "a save has no pictures of its own", hint="name its module with --module"
            )
        source = Module.open(module)
        saved = SavedGame.from_archive(archive)
        if not any_module:
            demand_game_of(saved, source.name, map_names(source), "draws")
        state = _after(saved, step)
    elif step:
        raise UsageError("--step counts the steps of a log")
    else:
        source = Module.from_archive(archive)
        state = new_game(source) if setup is None else _set_up(source, setup)
    source.extensions = [Module.open(path) for path in extensions]
    return source, state


def _after(saved: SavedGame, step: int) -> GameState:
    """The state of a game after so many steps of its log."""
    state = saved.state()
    steps = list(saved.log_part())
    if not 0 <= step <= len(steps):
        raise NotFoundError(
            f"there is no step {step}",
            place=saved.place,
            hint=f"the log has {counted(len(steps), 'step')}; 0 is its start",
        )
    for node in steps[:step]:
        state.apply_all(logged_commands(node))
    return state


def _set_up(module: Module, name: str) -> GameState:
    setups = {s.name: s for s in module.each(PredefinedSetup) if s.get("file")}
    if name not in setups:
        raise NotFoundError(
            f"there is no set-up {name!r}",
            place=module.place,
            hint=f"set-ups: {', '.join(setups) or 'none'}",
        )
    entry = setups[name].get("file")
    if module.archive is None or not module.archive.has(entry):
        raise NotFoundError(f"the file of the set-up, {entry}, is missing", place=module.place)
    return SavedGame.from_archive(module.archive.nested(entry)).state()
