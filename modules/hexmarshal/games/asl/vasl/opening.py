"""Saves of VASL opened for a question: the file, its boards, the table, the position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError, NotFoundError, Place, UsageError, VassalFormatError
from hexmarshal.games.asl.maps.atlas import board_folder
from hexmarshal.games.asl.plugin import AdvancedSquadLeader
from hexmarshal.games.asl.vasl.position_builder import position_of
from hexmarshal.games.asl.vasl.table_reader import NAME, is_of_vasl, read_table
from hexmarshal.vassal.saves.log import GameLog
from hexmarshal.vassal.saves.savegame import SavedGame

if TYPE_CHECKING:
    from pathlib import Path

    from hexmarshal.games.asl.vasl.position_builder import ReadPosition
    from hexmarshal.games.asl.vasl.table_reader import VaslTable
    from hexmarshal.vassal.state.game_state import GameState

__all__ = ["OpenedTable", "boards_for", "open_save", "open_table"]


@dataclass(frozen=True)
class OpenedTable:
    """A save of VASL as a table, with the rules that know its boards."""

    file: Path
    table: VaslTable
    plugin: AdvancedSquadLeader

    def position(self, *, phase: str = "", phasing: str = "") -> ReadPosition:
        """The position that it shows."""
        try:
            return position_of(self.table, self.plugin, phase=phase, phasing=phasing)
        except HexMarshalError as error:
            raise error.at(Place(file=str(self.file))) from error

    def cell(self, typed: str) -> str:
        """A hex as players write it: `K5`, `57K5` or `bd57:K5`."""
        if self.table.map is None:
            raise UsageError("the save has no boards", place=Place(file=str(self.file)))
        board = self.plugin.atlas.sight(self.table.map.name).board
        return board.grid.names[board.hex(self.table.map.typed(typed))].split("/")[0]


def boards_for(file: Path, given: Path | None) -> Path | None:
    """Where the boards are: as given, by the environment, or `boards` beside the file."""
    if given is not None or board_folder() is not None:
        return given or board_folder()
    beside = file.resolve().parent / "boards"
    return beside if beside.is_dir() else None


def open_save(file: Path) -> SavedGame:
    """The save or log, if it is one of VASL's."""
    try:
        saved = SavedGame.open(file)
        if not is_of_vasl(saved):
            metadata = saved.module_metadata
            of = (
                f"of the module {metadata.name!r}" if metadata is not None else "of no named module"
            )
            raise VassalFormatError(
                f"a file {of}, not of {NAME}", hint="a save or log that VASL wrote is wanted"
            )
    except NotFoundError:
        raise
    except HexMarshalError as error:
        raise error.at(Place(file=str(file))) from error
    return saved


def _state(saved: SavedGame, step: int | None) -> GameState:
    state, last = saved.state(), 0
    if step == 0:
        return state
    for one, after in GameLog(saved).replay() if saved.is_log else ():
        state, last = after, one.number
        if last == step:
            return state
    if step is not None:
        raise UsageError(f"there is no step {step}", hint=f"it has {last} steps; 0 is the start")
    return state


def open_table(file: Path, boards: Path | None = None, step: int | None = None) -> OpenedTable:
    """The table of a save, or of a log after a step; after its last one if none is named."""
    saved = open_save(file)
    folder = boards_for(file, boards)
    metadata = saved.module_metadata
    try:
        table = read_table(
            _state(saved, step), folder, version=metadata.version if metadata is not None else ""
        )
    except HexMarshalError as error:
        raise error.at(Place(file=str(file))) from error
    return OpenedTable(file, table, AdvancedSquadLeader(folder))
