"""The module and the binding for a file: as given, beside it, or the game's own."""

from __future__ import annotations

import importlib
import importlib.util
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError
from hexmarshal.table.binding import Binding
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.container.metadata import Metadata
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.saves.ownership import demand_game_of, map_names

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.plugins.registry import Registry
    from hexmarshal.vassal.saves.savegame import SavedGame

__all__ = ["Means", "own_module"]


@dataclass(frozen=True, slots=True)
class Means:
    """What a user gave to check files with; what is missing is looked for."""

    module: Path | None = None
    binding: Path | None = None
    game: str = ""
    scenario: str = ""
    options: Mapping[str, object] | None = None
    boards: Path | None = None
    """Where boards are that lie outside of the module."""
    any_module: bool = False
    """Whether a file may be of a module of another name than the one that is given."""

    def find_module(self, file: Path, saved: SavedGame, registry: Registry) -> Module | None:
        """The module given, else one beside the file with the right name, else the game's own."""
        if self.module is not None:
            return _opened(self.module)
        wanted = saved.module_metadata
        if wanted is not None and wanted.name:
            for path in sorted(file.parent.glob("*.vmod")):
                if _module_name(path) == wanted.name:
                    return _opened(path)
        return own_module(registry.get(self.game)) if self.game else None

    def demand_own(self, saved: SavedGame, module: Module | None, does: str) -> None:
        """An OtherModuleError where a file is of another module; `does` tells what is wanted."""
        if module is not None and not self.any_module:
            demand_game_of(saved, module.name, map_names(module), does)

    def find_binding(self, module: Module | None) -> Binding | None:
        """The binding given, else the one that the module carries."""
        if self.binding is not None:
            return Binding.open(self.binding)
        return _inside(module) if module is not None else None


def _opened(path: Path) -> Module:
    """The module in a file; one that was just used for another save or log is not read again."""
    try:
        stat = path.stat()
    except OSError:
        return Module.open(path)
    return _opened_before(path, stat.st_size, stat.st_mtime_ns)


@lru_cache(maxsize=2)
def _opened_before(path: Path, _size: int, _time: int) -> Module:
    return Module.open(path)


@lru_cache(maxsize=2)
def _inside(module: Module) -> Binding | None:
    return Binding.inside(module)


@lru_cache(maxsize=2)
def own_module(plugin: GamePlugin) -> Module | None:
    """The module that a game builds of itself: `build_module` of its package `module`."""
    package = type(plugin).__module__.rpartition(".")[0]
    if not package or importlib.util.find_spec(f"{package}.module") is None:
        return None
    build = getattr(importlib.import_module(f"{package}.module"), "build_module", None)
    return None if build is None else Module.from_archive(build().archive())


def _module_name(path: Path) -> str:
    try:
        archive = Archive.open(path)
        if not archive.has("moduledata"):
            return ""
        return Metadata.parse(archive.read("moduledata"), archive.place).name
    except HexMarshalError:
        return ""
