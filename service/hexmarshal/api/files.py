"""Files: a log checked, a save read as a position, a scenario."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hexmarshal.errors import NotFoundError, Place
from hexmarshal.referee.check.check_inputs import check_path
from hexmarshal.rules.plugins.registry import default
from hexmarshal.scenario import read_scenario as parsed_scenario
from hexmarshal.scenario.source import read_file
from hexmarshal.table.module_finder import Means
from hexmarshal.table.reading import TableReader, base_position
from hexmarshal.vassal.saves.log import GameLog
from hexmarshal.vassal.saves.savegame import SavedGame

if TYPE_CHECKING:
    from hexmarshal.referee.check.findings import CheckReport
    from hexmarshal.rules.state.position import Position
    from hexmarshal.scenario import Scenario

__all__ = ["check_log", "read_position", "read_scenario"]


def check_log(path: str | Path, module: str | Path | None = None, game: str = "") -> CheckReport:
    """Everything that the referee finds in a log or save; a module beside it is found by itself."""
    return check_path(Path(path), _means(module, game), default())


def read_position(
    path: str | Path, module: str | Path | None = None, game: str = ""
) -> tuple[Position, tuple[str, ...]]:
    """The position that a save, or the end of a log, shows, and what about it is doubtful."""
    file, registry, means = Path(path), default(), _means(module, game)
    saved = SavedGame.open(file)
    found = means.find_module(file, saved, registry)
    binding = means.find_binding(found)
    if found is None or binding is None:
        raise NotFoundError(
            "no module whose pieces a plugin knows",
            place=Place(file=str(file)),
            hint="name the module, or the game for the one that is built from its data",
        )
    plugin = registry.get(binding.game)
    state = saved.state()
    if saved.is_log:
        for _, state in GameLog(saved).replay():  # noqa: B007 - the last one counts
            pass
    reading = TableReader(found, binding, plugin, state).read(state, base_position(plugin, saved))
    return reading.position, tuple(note.text for note in reading.notes)


def read_scenario(path: str | Path) -> Scenario:
    """The scenario in a YAML or JSON file, sound by itself; errors name the line."""
    return parsed_scenario(read_file(Path(path)), str(path))


def _means(module: str | Path | None, game: str) -> Means:
    return Means(module=None if module is None else Path(module), game=game)
