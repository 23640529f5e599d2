"""Scrubs a file of players' passwords: a save, a log, or a module with set-ups inside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal.archive import Archive, Kind
from hexmarshal.vassal.savegame import SavedGame
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
    for name in archive.names():
        if not name.lower().endswith((".vsav", ".vlog")):
            continue
        try:
            saved = SavedGame.from_archive(archive.nested(name))
            redactor = scrubber_of(saved)
        except VassalFormatError:
            continue  # no saved game, whatever its name says
        if redactor.ids:
            changes[name] = scrub(saved, redactor).to_bytes()
            seen |= redactor.ids
    archive.write(target, changes, force=force)
    return len(seen)
