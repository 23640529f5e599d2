"""The saved games inside a module, refreshed to the module's own pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError, Place
from hexmarshal.vassal.archive import Archive
from hexmarshal.vassal.components import PredefinedSetup, Tutorial
from hexmarshal.vassal.refresh.metadata import for_module
from hexmarshal.vassal.refresh.report import RefreshReport
from hexmarshal.vassal.savegame import SavedGame

if TYPE_CHECKING:
    from collections.abc import Callable

    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.refresh.game import Refresher

__all__ = ["refresh_setups", "setup_entries"]


def setup_entries(module: Module) -> list[str]:
    """The entries that the module's set-ups and tutorials name, in order, each once."""
    named = [s.file for s in module.each(PredefinedSetup) if s.use_file and not s.is_menu]
    named += [tutorial.log_file for tutorial in module.each(Tutorial)]
    return list(dict.fromkeys(name for name in named if name))


def refresh_setups(
    module: Module, refresher: Refresher, advance: Callable[[int], None] = lambda _: None
) -> list[RefreshReport]:
    """Refresh every set-up in place; `module.save` writes them."""
    reports: list[RefreshReport] = []
    for entry in setup_entries(module):
        place = Place(entry=entry).within(module.place)
        try:
            archive = Archive.from_bytes(module.read(entry), place)
            fresh, report = refresher.refresh(SavedGame.from_archive(archive), entry, advance)
        except HexMarshalError as why:
            # One bad set-up must not hide the others; it stays as it is.
            reports.append(RefreshReport(entry, problems=[f"cannot be read: {why.message}"]))
            continue
        reports.append(report)
        if report.is_changed:
            module.changes[entry] = for_module(fresh, module).to_bytes()
    return reports
