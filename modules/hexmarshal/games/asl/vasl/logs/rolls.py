"""The rolls of a log: each brought together with what was said before and shown after it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.games.asl.vasl.logs import checks
from hexmarshal.games.asl.vasl.logs.shots import judge_shot
from hexmarshal.games.asl.vasl.opening import OpenedTable
from hexmarshal.table.module_readers import TableDeed

if TYPE_CHECKING:
    from pathlib import Path

    from hexmarshal.games.asl.vasl.boards.map_geometry import VaslMap
    from hexmarshal.games.asl.vasl.logs.announcements import CheckCall, FireCall, VaslRoll
    from hexmarshal.games.asl.vasl.logs.log_findings import LogFindings
    from hexmarshal.games.asl.vasl.logs.log_tables import LogTables
    from hexmarshal.games.asl.vasl.logs.shots import JudgedShot
    from hexmarshal.vassal.saves.log import Step
    from hexmarshal.vassal.state.game_state import GameState

__all__ = ["RollFollower"]

_IFT: Final = "IFT DR"
_PATIENCE: Final = 12
"""So many steps may lie between an announcement and its roll."""
_NO_ROLL: Final = "announced fire without an IFT DR"
_UNSAID: Final = "the log does not say what for"


@dataclass
class _Lots:
    """Rolls of random selection in a row, and among how many the shot before them asks for it."""

    first: int
    dice: list[int] = field(default_factory=list)
    among: int = 0


class RollFollower:
    """Takes the rolls of a log, and the announcements before them, one after the other."""

    def __init__(
        self, found: LogFindings, tables: LogTables, file: Path, board_map: VaslMap | None
    ) -> None:
        self._found, self._tables, self._file, self._map = found, tables, file, board_map
        self._plugin = tables.plugin
        self._call: tuple[FireCall, int, str] | None = None
        self._check: tuple[CheckCall, int] | None = None
        self._pending: tuple[checks.RolledCheck, Step] | None = None
        self._shot: JudgedShot | None = None
        self._lots: _Lots | None = None
        self._last: VaslRoll | None = None

    def end_phase(self, state: GameState) -> None:
        """Nothing that was said before counts any more."""
        self.settle(state)
        self._shot, self._check = None, None

    def announce_fire(self, call: FireCall, step: Step, player: str, state: GameState) -> None:
        """Somebody said who fires at whom."""
        self.settle(state)
        self._drop_call()
        self._call, self._shot = (call, step.number, player), None

    def announce_check(self, call: CheckCall, step: Step) -> None:
        """Somebody said for whom he rolls."""
        self._check = (call, step.number)

    def end(self) -> None:
        """The log ends: what is still announced is never rolled."""
        self._drop_call()

    def _drop_call(self) -> None:
        if self._call is not None:
            self._found.left[_NO_ROLL] += 1
            self._call = None

    def roll(self, roll: VaslRoll, step: Step, state: GameState) -> None:
        """The dice were rolled."""
        if roll.kind != checks.LOT:
            self.settle(state)
        if roll.kind == checks.LOT:
            self._drew(roll, step)
        elif roll.kind == _IFT and len(roll.dice) == 2:
            self._fired(roll, step, state)
        elif roll.kind in checks.CHECKS and len(roll.dice) == 2:
            self._checked(roll, step, state)
        elif roll.kind == checks.CLOSE and len(roll.dice) == 2:
            self._fought(roll, step, state)
        elif roll.kind == checks.SNIPER:
            self._called(roll, step, state)
        else:
            self._found.left[f"{roll.kind}: {_UNSAID}"] += 1
        if len(roll.dice) == 2:
            self._last = roll

    # Fire

    def _fired(self, roll: VaslRoll, step: Step, state: GameState) -> None:
        self._shot = None
        if self._call is None or step.number - self._call[1] > _PATIENCE:
            self._drop_call()
            self._found.left[f"{roll.kind}: firer and target are not announced"] += 1
            return
        call, first, player = self._call
        self._call = None
        what = f"{call.start} fires at {call.end}"
        common = self._found.common(what, "fire", step, first=first, player=roll.player or player)
        common["dice"] = roll.dice
        phase = self._found.phase.phase if self._found.phase is not None else ""
        try:
            table = self._tables.table(state)
        except HexMarshalError as error:
            self._found.left["announced fire that the rules cannot follow"] += 1
            self._found.deeds.append(TableDeed(judged=None, result=error.message, **common))
            return
        shot = judge_shot(OpenedTable(self._file, table, self._plugin), call, roll, phase)
        if shot.error:
            self._found.left["announced fire that the rules cannot follow"] += 1
            self._found.deeds.append(TableDeed(judged=None, result=shot.error, **common))
        elif shot.faults:
            self._found.deeds.append(
                TableDeed(judged=False, certain=shot.certain, violations=shot.faults, **common)
            )
        else:
            self._shot = shot
            self._found.deeds.append(TableDeed(judged=True, result=shot.told, **common))

    # Other rolls

    def _checked(self, roll: VaslRoll, step: Step, state: GameState) -> None:
        phase = self._found.phase.phase if self._found.phase is not None else ""
        call, cell = self._announced(roll, step)
        if roll.kind == checks.RALLY and phase != "rally":
            said = "outside of a rally phase" if phase else "the log does not say the phase"
            self._found.left[f"{roll.kind}: {said}"] += 1
            return
        shown = self._tables.shown(state, self._found.phase) if self._map is not None else None
        if shown is None:
            self._found.left[f"{roll.kind}: {_UNSAID}"] += 1
            return
        number = call.number if call is not None else None
        targets: tuple[str, ...] = ()
        asked = checks.check_after(self._shot.result) if self._shot is not None else None
        if asked is not None and self._shot is not None and asked[0] == roll.kind:
            targets = self._shot.targets
            number = asked[1] if number is None else number
        self._pending = (checks.RolledCheck(roll, shown, call, cell, number, targets), step)

    def _announced(self, roll: VaslRoll, step: Step) -> tuple[CheckCall | None, str]:
        """What a player said of this roll just before it, and the hex as the map names it."""
        if self._check is None or self._map is None:
            return None, ""
        call, first = self._check
        self._check = None
        if call.kind != roll.kind or step.number - first > _PATIENCE:
            return None, ""
        try:
            board = self._plugin.atlas.sight(self._map.name).board
            return call, board.grid.names[board.hex(self._map.typed(call.cell))].split("/")[0]
        except HexMarshalError:
            return None, ""

    def settle(self, state: GameState) -> None:
        """Say what can be said of the last check, now that its counter may have been turned."""
        self._drawn()
        if self._pending is None:
            return
        check, step = self._pending
        self._pending = None
        self._tell(check.settle(self._tables.shown(state, self._found.phase)), check.roll, step)

    def _fought(self, roll: VaslRoll, step: Step, state: GameState) -> None:
        _, cell = self._announced(roll, step)
        shown = self._tables.shown(state, self._found.phase) if self._map is not None else None
        if shown is None:
            self._found.left[f"{roll.kind}: {_UNSAID}"] += 1
        else:
            self._tell(checks.judge_close_combat(shown, roll, cell), roll, step)

    def _called(self, roll: VaslRoll, step: Step, state: GameState) -> None:
        phase = self._found.phase.phase if self._found.phase is not None else ""
        try:
            info = self._tables.table(state).info
        except HexMarshalError:
            info = None
        sans = info.san if info is not None else (None, None)
        self._tell(checks.judge_sniper(roll, self._last, sans, phase), roll, step)

    def _drew(self, roll: VaslRoll, step: Step) -> None:
        if self._lots is None:
            among = 0
            if self._shot is not None and checks.asks_for_lots(self._shot.result):
                among = len(self._shot.targets)
            self._lots = _Lots(step.number, among=among)
        self._lots.dice += roll.dice

    def _drawn(self) -> None:
        lots, self._lots = self._lots, None
        if lots is None:
            return
        if lots.among < 2 or lots.among != len(lots.dice):
            self._found.left[f"{checks.LOT}: {_UNSAID}"] += len(lots.dice)
            return
        told = f"{', '.join(map(str, lots.dice))}: the highest is {max(lots.dice)}"
        what = f"random selection among {lots.among} targets"
        self._found.deeds.append(
            TableDeed(
                what,
                "selection",
                judged=True,
                first=lots.first,
                last=lots.first,
                result=told,
                dice=tuple(lots.dice),
                **self._found.when(),
            )
        )

    def _tell(self, found: checks.Judged, roll: VaslRoll, step: Step) -> None:
        if found.why_not:
            self._found.left[found.why_not] += 1
            return
        common = self._found.common(
            found.what, roll.kind.split()[0].lower(), step, player=roll.player
        )
        common |= {"dice": roll.dice, "units": found.units}
        self._found.deeds.append(
            TableDeed(
                judged=not found.faults,
                certain=not found.faults,
                violations=found.faults,
                result=found.result,
                **common,
            )
        )
