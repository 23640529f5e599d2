"""A file with its saved games in the form of another engine: a save, a log, a module's set-ups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.vassal.container.archive import Archive, FileKind
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.saves.nested_saves import nested_saves
from hexmarshal.vassal.saves.savegame import SAVED_GAME, SavedGame

if TYPE_CHECKING:
    from pathlib import Path

    from hexmarshal.vassal.container.saved_forms import Form

__all__ = ["convert_file"]


def convert_file(path: Path | str, target: Path | str, form: Form, *, force: bool = False) -> int:
    """Write the file with every saved game in a form; how many were in another one before."""
    archive = Archive.open(path)
    if archive.kind is FileKind.SAVE:
        saved = SavedGame.from_archive(archive)
        changed = saved.in_form(form)
        changed.save(target, force=force)
        return int(changed is not saved)
    changes: dict[str, bytes | None] = {}
    for name in nested_saves(Module.from_archive(archive)):
        inner = archive.nested(name)
        if inner.has(SAVED_GAME):
            saved = SavedGame.from_archive(inner)
            changed = saved.in_form(form)
            if changed is not saved:
                changes[name] = changed.to_bytes()
    archive.write(target, changes, force=force)
    return len(changes)
