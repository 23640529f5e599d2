"""The metadata beside a refreshed game: it belongs to the newer module now."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.saves.savegame import SavedGame

__all__ = ["for_module"]

_MODULE, _SAVE = "moduledata", "savedata"


def for_module(saved: SavedGame, module: Module) -> SavedGame:
    """The game with the module's metadata; a game without metadata, as old ones are, stays so."""
    entries: dict[str, bytes] = {}
    data = module.metadata.to_bytes() if module.metadata is not None else None
    before = saved.entry(_MODULE)
    if before is not None and data is not None and before != data:
        entries[_MODULE] = data
    metadata = saved.save_metadata
    # Many old saves leave the version empty: the engine asks for it only where it stands.
    if metadata is not None and metadata.version not in ("", module.version):
        metadata.set("version", module.version)
        entries[_SAVE] = metadata.to_bytes()
    return saved.with_entries(entries) if entries else saved
