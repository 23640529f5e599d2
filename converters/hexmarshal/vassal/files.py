"""Any VASSAL file, opened as what it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.vassal.container.archive import Archive, FileKind
from hexmarshal.vassal.module import Module, is_build_file
from hexmarshal.vassal.saves.savegame import SavedGame

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["open_file"]


def open_file(path: Path) -> Module | SavedGame:
    """A module, an extension, a bare build file, a save or a log, told by its content."""
    if is_build_file(path):
        return Module.open(path)
    archive = Archive.open(path)
    if archive.kind is FileKind.SAVE:
        return SavedGame.from_archive(archive)
    return Module.from_archive(archive)
