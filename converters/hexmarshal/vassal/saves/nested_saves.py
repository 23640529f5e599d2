"""Saved games and logs inside a module: its predefined set-ups and tutorials, found and opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.errors import Place
from hexmarshal.vassal.components import PredefinedSetup, Tutorial
from hexmarshal.vassal.components.base import STOCK, view
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.saves.savegame import SavedGame

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.vassal.components import Component
    from hexmarshal.vassal.module import Module

__all__ = ["named_saves", "nested_saves", "open_nested"]

_SAVING: Final = tuple(
    tag for tag, cls in STOCK.items() if issubclass(cls, (PredefinedSetup, Tutorial))
)
_SUFFIXES: Final = (".vsav", ".vlog")


def named_saves(module: Module) -> Iterator[tuple[Component, str]]:
    """Each set-up and tutorial with the entry that it names, whether that is there or not."""
    for component in map(view, module.root.element.iter(*_SAVING)):
        if isinstance(component, PredefinedSetup):
            if component.use_file and not component.is_menu:
                yield component, component.file
        elif isinstance(component, Tutorial):
            yield component, component.log_file


def nested_saves(module: Module) -> list[str]:
    """The entries that are saved games: those named by components, and others by their suffix."""
    found = dict.fromkeys(entry for _, entry in named_saves(module) if module.has(entry))
    found |= dict.fromkeys(e for e in module.entries() if e.lower().endswith(_SUFFIXES))
    return list(found)


def open_nested(module: Module, entry: str) -> SavedGame:
    """The saved game in an entry; a VassalFormatError if it is none."""
    place = Place(entry=entry).within(Place(file=module.place.file))
    return SavedGame.from_archive(Archive.from_bytes(module.read(entry), place))
