"""A log of VASL followed step by step: moves, shots and rolls judged as far as it shows them.

What a log does not show is not guessed: it is counted under the reason why nothing is said of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.vasl.logs.announcements import (
    check_call,
    fire_call,
    phase_call,
    vasl_roll,
)
from hexmarshal.games.asl.vasl.logs.log_findings import LogFindings
from hexmarshal.games.asl.vasl.logs.log_tables import LogTables
from hexmarshal.games.asl.vasl.logs.moves import MoveFollower
from hexmarshal.games.asl.vasl.logs.rolls import RollFollower
from hexmarshal.vassal.saves.log import GameLog

if TYPE_CHECKING:
    from pathlib import Path

    from hexmarshal.games.asl.plugin import AdvancedSquadLeader
    from hexmarshal.games.asl.vasl.boards.map_geometry import VaslMap
    from hexmarshal.games.asl.vasl.logs.announcements import VaslRoll
    from hexmarshal.vassal.saves.log import Step
    from hexmarshal.vassal.saves.savegame import SavedGame
    from hexmarshal.vassal.state.game_state import GameState

__all__ = ["LogJudge"]


class LogJudge:
    """Goes through a log once; what it tells of it is in `found`."""

    def __init__(
        self,
        saved: SavedGame,
        file: Path,
        plugin: AdvancedSquadLeader,
        folder: Path | None,
        board_map: VaslMap | None,
    ) -> None:
        self._saved, self._map = saved, board_map
        self._tables = LogTables(plugin, folder)
        self.found = LogFindings()
        self.rolls: list[tuple[int, VaslRoll]] = []
        self.steps = self.undone = 0
        self._moves = MoveFollower(self.found, plugin, board_map)
        self._dice = RollFollower(self.found, self._tables, file, board_map)

    def judge(self) -> None:
        """Follow the log to its end."""
        log = GameLog(self._saved)
        gone = {step.undoes for step in log.steps() if step.is_undo}
        state = None
        for step, state in log.replay():
            self.steps += 1
            if step.is_undo or step.number in gone:
                self.undone += step.is_undo
                continue
            for line in step.chat:
                self._hear(line.text, line.player or step.player or "", step, state)
            for move in step.moves:
                self._moves.move(move, step, state)
        if state is not None:
            self._dice.settle(state)
        self._dice.end()

    def _hear(self, text: str, player: str, step: Step, state: GameState) -> None:
        if (roll := vasl_roll(text)) is not None:
            self.rolls.append((step.number, roll))
            self._dice.roll(roll, step, state)
        elif (phase := phase_call(text)) is not None:
            self._dice.end_phase(state)
            self._moves.begin_phase()
            self.found.phase = phase
            known = self._map is not None
            self.found.start = self._tables.shown(state, phase) if known else None
        elif (call := fire_call(text)) is not None:
            self._dice.announce_fire(call, step, player, state)
        elif (check := check_call(text)) is not None:
            self._dice.announce_check(check, step)
