"""Scrubs a file of players' passwords: a save, a log, or a module with set-ups inside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal.archive import Archive, Kind
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.nested_saves import nested_saves
from hexmarshal.vassal.savegame import SAVED_GAME, SavedGame
from hexmarshal.vassal.secrets import scrub, scrubber_of

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["scrub_file"]


def scrub_file(path: Path | str, target: Path | str, *, force: bool = False) -> int:
    """Write a copy without user ids; returns how many different ones there were."""
    archive = Archive.open(path)
    if archive.kind is Kind.SAVE:
        saved = SavedGame.from_archive(archive)
        redactor = scrubber_of(saved)
        scrub(saved, redactor).save(target, force=force)
        return len(redactor.ids)
    changes: dict[str, bytes | None] = {}
    seen: set[str] = set()
    for name in nested_saves(Module.from_archive(archive)):
        try:
            inner = archive.nested(name)
        except VassalFormatError as why:
            raise _unsafe(why) from why
        if not inner.has(SAVED_GAME):
            continue  # no saved game, whatever its name says
        saved = SavedGame.from_archive(inner)
        try:
            redactor = scrubber_of(saved)
        except VassalFormatError as why:
            raise _unsafe(why) from why
        if redactor.ids:
            changes[name] = scrub(saved, redactor).to_bytes()
            seen |= redactor.ids
    archive.write(target, changes, force=force)
    return len(seen)


def _unsafe(why: VassalFormatError) -> VassalFormatError:
    """Nobody shall share a file in the belief that it is clean when a part of it was not read."""
    return VassalFormatError(
        f"cannot be searched for user ids: {why.message}",
        place=why.place,
        hint="remove this entry from the module, or save the set-up anew",
    )
