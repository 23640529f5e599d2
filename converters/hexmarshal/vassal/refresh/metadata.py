"""The metadata beside a refreshed game: it belongs to the newer module now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.vassal.metadata import Metadata

if TYPE_CHECKING:
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.savegame import SavedGame

__all__ = ["for_module"]

_MODULE, _SAVE = "moduledata", "savedata"


def for_module(saved: SavedGame, module: Module) -> SavedGame:
    """The game with the module's metadata; a game without metadata, as old ones are, stays so."""
    entries: dict[str, bytes] = {}
    data = module.metadata.to_bytes() if module.metadata is not None else None
    before = saved.entry(_MODULE)
    if before is not None and data is not None and before != data:
        entries[_MODULE] = data
    about = saved.entry(_SAVE)
    if about is not None:
        metadata = Metadata.parse(about)
        # Many old saves leave the version empty: the engine asks for it only where it stands.
        if metadata.version and metadata.version != module.version:
            metadata.set("version", module.version)
            entries[_SAVE] = metadata.to_bytes()
    return saved.with_entries(entries) if entries else saved
