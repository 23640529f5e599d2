"""Modules that a game reads by itself: no binding could say how, and whoever plays has the module.

A game names its reader by an entry point of the group `hexmarshal.readers`. What the reader tells
of a file is the referee's to report.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Final, Protocol

from hexmarshal.errors import HexMarshalError, NotFoundError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.verdict import Violation
    from hexmarshal.table.module_finder import Means
    from hexmarshal.table.reading import Note
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.render.board_picture import BoardCell, BoardPicture
    from hexmarshal.vassal.saves.savegame import SavedGame
    from hexmarshal.vassal.state.game_state import GameState

__all__ = [
    "GROUP",
    "KnownCounters",
    "ModuleReader",
    "TableDeed",
    "TableReport",
    "boards_of",
    "cells_of",
    "reader_for",
]

GROUP: Final = "hexmarshal.readers"


@dataclass(frozen=True, slots=True)
class TableDeed:
    """One thing done in a file, or one fault of a table, and what the rules say of it.

    `judged` is None where nothing is said; `certain` tells whether a violation is beyond doubt.
    """

    what: str
    kind: str
    judged: bool | None
    certain: bool = True
    violations: tuple[Violation, ...] = ()
    first: int = 0
    last: int = 0
    turn: int = 0
    phase: str = ""
    side: str = ""
    player: str = ""
    result: str = ""
    right: str = ""
    dice: tuple[int, ...] = ()
    units: tuple[str, ...] = ()
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableReport:
    """All that a reader tells of one file; the notes of step 0 come first."""

    game: str
    title: str
    scenario: str = ""
    steps: int = 0
    undone: int = 0
    deeds: tuple[TableDeed, ...] = ()
    notes: tuple[tuple[int, Note], ...] = ()
    rolls: tuple[tuple[str, int, int], ...] = ()
    """Player, sides and number of each die."""
    position: Position | None = None


@dataclass(frozen=True, slots=True)
class KnownCounters:
    """How many counters of a module are known, by class, and which are not."""

    counts: Mapping[str, int]
    details: Mapping[str, int] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()

    def to_json(self) -> dict[str, object]:
        """As JSON-able data."""
        return {
            "counters": dict(self.counts),
            **self.details,
            "unknown": len(self.unknown),
            "unknown_counters": list(self.unknown),
        }


class ModuleReader(Protocol):
    """Reads files of one module."""

    def knows(self, module: str) -> bool:
        """Whether files of a module of this name are its own."""

    def check(self, saved: SavedGame, file: Path, means: Means) -> TableReport:
        """What it tells of a save or a log."""

    def counters(self, module: Module) -> KnownCounters:
        """Which counters of the module it knows."""

    def board_picture(
        self, state: GameState, file: Path, boards: Path | None = None
    ) -> BoardPicture | None:
        """The boards of a game, if they lie outside of the module, as pictures with their places.

        They are looked for in `boards`, else where the user keeps them, else beside the file.
        """

    def board_cells(
        self, state: GameState, file: Path, boards: Path | None = None
    ) -> Iterator[BoardCell]:
        """The cells of such boards, as they lie on the same map."""


def boards_of(
    module: str, state: GameState, file: Path, given: Path | None, folder: Path | None
) -> BoardPicture | None:
    """The boards of a game whose module, which may be given, has none of its own."""
    reader = reader_for(module)
    if reader is None:
        return None
    try:
        return reader.board_picture(state, file, folder)
    except NotFoundError:
        # What stands beside the module is as good as what stands beside the save.
        if given is None or folder is not None:
            raise
        return reader.board_picture(state, given, folder)


def cells_of(
    module: str, state: GameState, file: Path, given: Path | None, folder: Path | None
) -> list[BoardCell]:
    """The cells of such boards; none where the boards' files do not tell where they are."""
    reader = reader_for(module)
    for beside in (file, given):
        if reader is not None and beside is not None:
            try:
                return list(reader.board_cells(state, beside, folder))
            except HexMarshalError:
                continue
    return []


def reader_for(module: str) -> ModuleReader | None:
    """The reader of a module's files, if a game has one."""
    if not module:
        return None
    for entry in sorted(entry_points(group=GROUP), key=lambda e: e.name):
        try:
            reader: ModuleReader = entry.load()()
        except (ImportError, AttributeError):
            # A broken game is told of where its rules are asked for; other files are not its own.
            continue
        if reader.knows(module):
            return reader
    return None
