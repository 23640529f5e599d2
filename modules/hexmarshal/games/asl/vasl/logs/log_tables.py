"""The tables of a log as positions: at the beginning of a phase, at a roll, at a shot."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError
from hexmarshal.games.asl.state.situation import SIDES
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.vasl.counters.counter_names import own_names
from hexmarshal.games.asl.vasl.position_builder import position_of
from hexmarshal.games.asl.vasl.table_reader import TableReader
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from pathlib import Path

    from hexmarshal.games.asl.plugin import AdvancedSquadLeader
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.games.asl.vasl.logs.announcements import PhaseCall
    from hexmarshal.games.asl.vasl.position_builder import ReadPosition
    from hexmarshal.games.asl.vasl.table_reader import VaslTable
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.vassal.state.game_state import GameState

__all__ = ["LogTables", "ShownTable"]


@dataclass(frozen=True, slots=True)
class ShownTable:
    """What the table showed at one moment, to the rules."""

    read: ReadPosition
    now: Situation
    phasing: str
    """The side whose player turn it is; empty if the log does not say."""

    def unit(self, piece: str) -> Unit | None:
        """The unit of a counter."""
        return self.read.position.units.get(f"c{piece}")

    def name(self, unit: Unit) -> str:
        """As the table calls it."""
        return self.read.units[unit.id].face.text


class LogTables:
    """Reads tables of one log."""

    def __init__(self, plugin: AdvancedSquadLeader, folder: Path | None) -> None:
        self.plugin = plugin
        self._reader = TableReader(folder)

    def table(self, state: GameState) -> VaslTable:
        """The table of a state."""
        return self._reader.read(state)

    def shown(self, state: GameState, phase: PhaseCall | None) -> ShownTable | None:
        """The position that a state shows in a phase; None if the rules cannot have it."""
        try:
            table = self._reader.read(state)
            if table.map is None:
                return None
            read = position_of(table, self.plugin, phase=phase.phase if phase else "")
        except HexMarshalError:
            return None
        side = self.side_of(read, phase)
        position = read.position
        # That VASL shows who was moved is of no use here: it is cleared by hand, or not at all.
        units = {
            name: replace(unit, flags=unit.flags - {marks.MOVED})
            for name, unit in position.units.items()
        }
        position = replace(
            position,
            units=FrozenMap(units),
            extras=FrozenMap({**position.extras, "phasing": side or position.extras["phasing"]}),
            active=(side,) if side else position.active,
        )
        shown = replace(read, position=position)
        return ShownTable(shown, self.plugin.situation(position), side)

    @staticmethod
    def side_of(read: ReadPosition, phase: PhaseCall | None) -> str:
        """Which side of the rules the turn track means."""
        if phase is None:
            return ""
        camps = own_names().sides
        for side in SIDES:
            if any(camps.get(nation) == phase.camp for nation in read.nations[side]):
                return side
        return ""
