"""Whose game a save is: of this module, or of another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.errors import Place, VassalFormatError

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.saves.savegame import SavedGame

__all__ = ["OtherModuleError", "demand_game_of", "map_names"]


class OtherModuleError(VassalFormatError):
    """A game of another module than the one that it is read with."""

    code = "other-module"


def map_names(module: Module) -> frozenset[str]:
    """What saved games call the maps of a module: by name, or by number if they have none."""
    maps = enumerate(module.maps())
    return frozenset(name for i, m in maps for name in (m.name, f"Map{i}") if name)


def demand_game_of(saved: SavedGame, module: str, maps: AbstractSet[str], does: str) -> None:
    """An OtherModuleError for a game of another module; `does` tells what --any-module does."""
    metadata = saved.module_metadata
    own = metadata.name if metadata is not None else ""
    if own == module:
        return
    told = f"a game of {own!r}, not of {module!r}"
    if not own:
        # Set-ups and old saves do not say whose they are; their maps do.
        used = {seen.map for seen in saved.glances() if seen.map}
        if not used or not maps or used & maps:
            return
        told = f"a game on maps that {module!r} does not have: {', '.join(sorted(used))}"
    raise OtherModuleError(
        told,
        place=Place(file=saved.place.file),
        hint=f"--any-module {does} it all the same, where a module was renamed",
    )
