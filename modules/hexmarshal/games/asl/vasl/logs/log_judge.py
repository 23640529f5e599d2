"""A log of VASL followed step by step: moves and shots judged as far as it shows them.

What a log does not show is not guessed: it is counted under the reason why nothing is said of it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.games.asl.vasl.counter_faces import face_of
from hexmarshal.games.asl.vasl.counter_names import own_names
from hexmarshal.games.asl.vasl.fire_question import ask_fire
from hexmarshal.games.asl.vasl.logs.announcements import fire_call, phase_call, vasl_roll
from hexmarshal.games.asl.vasl.opening import OpenedTable
from hexmarshal.games.asl.vasl.table_reader import MAIN_MAPS, read_table
from hexmarshal.rules.verdict import Violation
from hexmarshal.table.module_readers import TableDeed
from hexmarshal.vassal.saves.log import GameLog
from hexmarshal.vassal.state.placed import PlacedPiece

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hexmarshal.games.asl.plugin import AdvancedSquadLeader
    from hexmarshal.games.asl.vasl.counter_faces import CounterFace
    from hexmarshal.games.asl.vasl.fire_question import FireQuestion
    from hexmarshal.games.asl.vasl.logs.announcements import FireCall, PhaseCall, VaslRoll
    from hexmarshal.games.asl.vasl.map_geometry import VaslMap
    from hexmarshal.vassal.saves.log import PieceMove, Step
    from hexmarshal.vassal.saves.savegame import SavedGame
    from hexmarshal.vassal.state.game_state import GameState

__all__ = ["LogJudge"]

_FARTHEST: Final = 9
"""Hexes that infantry can move: four or six factors, a leader's two or none, two by double time,
one by road; skis, bicycles and horses go farther."""
_STILL: Final = frozenset({"rally", "prep_fire", "defensive_fire", "advancing_fire"})
_FIRE_PHASES: Final = frozenset({"prep_fire", "movement", "defensive_fire", "advancing_fire"})
_IFT: Final = "IFT DR"
_PATIENCE: Final = 12
"""So many steps may lie between an announcement of fire and its roll."""
_RIDES: Final = ("skis", "bicycle", "horse", "motorcycle", "cycle", "sledge", "wagon")


@dataclass
class _Walk:
    """How a unit has moved since the phase began."""

    cells: list[str] = field(default_factory=list)


class LogJudge:
    """Goes through a log once; what it finds is in `deeds`, what it leaves in `left`."""

    def __init__(
        self,
        saved: SavedGame,
        file: Path,
        plugin: AdvancedSquadLeader,
        folder: Path | None,
        board_map: VaslMap | None,
    ) -> None:
        self._saved, self._file, self._plugin = saved, file, plugin
        self._folder, self._map, self._names = folder, board_map, own_names()
        self.deeds: list[TableDeed] = []
        self.left: Counter[str] = Counter()
        self.rolls: list[tuple[int, VaslRoll]] = []
        self.steps = self.undone = 0
        self._phase: PhaseCall | None = None
        self._call: tuple[FireCall, int, str] | None = None
        self._walks: dict[str, _Walk] = {}

    def judge(self) -> None:
        """Follow the log to its end."""
        log = GameLog(self._saved)
        gone = {step.undoes for step in log.steps() if step.is_undo}
        for step, state in log.replay():
            self.steps += 1
            if step.is_undo or step.number in gone:
                self.undone += step.is_undo
                continue
            for line in step.chat:
                self._hear(line.text, line.player or step.player or "", step, state)
            for move in step.moves:
                self._move(move, step, state)

    # What is said

    def _hear(self, text: str, player: str, step: Step, state: GameState) -> None:
        roll = vasl_roll(text)
        if roll is not None:
            self.rolls.append((step.number, roll))
            self._rolled(roll, step, state)
            return
        phase = phase_call(text)
        if phase is not None:
            self._phase = phase
            self._walks.clear()
            return
        call = fire_call(text)
        if call is not None:
            self._drop_call("announced fire without an IFT DR")
            self._call = (call, step.number, player)

    def _drop_call(self, why: str) -> None:
        if self._call is not None:
            self.left[why] += 1
            self._call = None

    def _rolled(self, roll: VaslRoll, step: Step, state: GameState) -> None:
        if roll.kind != _IFT or len(roll.dice) != 2:
            self.left[f"{roll.kind}: the log does not say what for"] += 1
            return
        if self._call is None or step.number - self._call[1] > _PATIENCE:
            self._drop_call("announced fire without an IFT DR")
            self.left[f"{roll.kind}: firer and target are not announced"] += 1
            return
        call, first, player = self._call
        self._call = None
        self.deeds.append(self._shot(call, roll, (first, step.number), player, state))

    # Fire

    def _shot(
        self,
        call: FireCall,
        roll: VaslRoll,
        steps: tuple[int, int],
        player: str,
        state: GameState,
    ) -> TableDeed:
        what = f"{call.start} fires at {call.end}"
        common = {
            "what": what,
            "kind": "fire",
            "first": steps[0],
            "last": steps[1],
            "player": roll.player or player,
            "dice": roll.dice,
            **self._when(),
        }
        phase = self._phase.phase if self._phase is not None else ""
        try:
            table = read_table(state, self._folder, self._names)
            opened = OpenedTable(self._file, table, self._plugin)
            levels = (call.from_level, call.to_level)
            asked = phase if phase in _FIRE_PHASES else "prep_fire"
            question = ask_fire(
                opened, call.start, call.end, phase=asked, levels=levels, reveal=True
            )
        except HexMarshalError as error:
            self.left["announced fire that the rules cannot follow"] += 1
            return TableDeed(judged=None, result=error.message, **common)  # type: ignore[arg-type]
        faults, certain = _faults(question, known=phase in _FIRE_PHASES)
        if faults:
            return TableDeed(judged=False, certain=certain, violations=faults, **common)  # type: ignore[arg-type]
        return TableDeed(judged=True, result=self._outcome(question, roll), **common)  # type: ignore[arg-type]

    def _outcome(self, question: FireQuestion, roll: VaslRoll) -> str:
        """What the table gives if everybody there fires; who did not is not in the log."""
        if question.attack is None or question.attack.resolution is None:
            return ""
        column = question.attack.resolution.column
        drm = question.attack.values["drm"]
        if not isinstance(drm, int) or column == "-":
            return ""
        total = sum(roll.dice) + drm
        table = question.now.tables.fire
        result = table.result(table.columns.index(int(column)), total)
        led = "" if question.leader is None else f", led by {question.name(question.leader)}"
        return f"with all who can fire{led}: column {column}, {drm:+}, final {total}: {result}"

    # Moves

    def _move(self, move: PieceMove, step: Step, state: GameState) -> None:
        piece = state.find(move.id)
        start, end = self._cell(move.source), self._cell(move.target)
        if not isinstance(piece, PlacedPiece) or start == end:
            return
        face = face_of(piece.piece, self._names, piece.gpid)
        if not face.is_personnel:
            if face.is_unit:
                self.left[f"moves of {face.cls}s"] += 1
            return
        if not start or not end:
            self.left["men who come onto the boards or leave them"] += 1
            return
        if self._phase is None:
            self.left["moves of men: the log does not say the phase"] += 1
            return
        walk = self._walks.setdefault(move.id, _Walk([start]))
        walk.cells.append(end)
        deed = self._judged(move.id, face, walk, step, state)
        if deed is None:
            self.left[f"moves of men in the {self._phase.phase} phase"] += 1
        else:
            self.deeds.append(deed)

    def _judged(
        self, unit: str, face: CounterFace, walk: _Walk, step: Step, state: GameState
    ) -> TableDeed | None:
        assert self._phase is not None
        phase = self._phase.phase
        own = self._names.sides.get(face.nation, "") == self._phase.camp
        hexes = self._length(walk.cells)
        common = {
            "what": f"{face.text} {' - '.join(walk.cells)}",
            "kind": "move",
            "first": step.number,
            "last": step.number,
            "player": step.player or "",
            "units": (unit,),
            "path": tuple(walk.cells),
            **self._when(),
        }
        cells = (walk.cells[0], walk.cells[-1])
        if phase == "advance" and own:
            if hexes <= 1:
                return TableDeed(judged=True, **common)  # type: ignore[arg-type]
            text = f"{face.text} advances {hexes} hexes; one is allowed"
            return _broken("ASL-APH-1", text, cells, unit, common)
        if phase in _STILL:
            text = f"{face.text} goes to another hex in the {phase.replace('_', ' ')} phase"
            return _broken("ASL-MOVE-1", text, cells, unit, common)
        if phase != "movement":
            return None
        if not own:
            text = f"{face.text} moves in the other side's movement phase"
            return _broken("ASL-MOVE-1", text, cells, unit, common)
        if "broken" in face.flags:
            return _broken("ASL-MOVE-1", f"{face.text} moves, and is broken", cells, unit, common)
        if self._rides(unit, state):
            return None
        if hexes > _FARTHEST:
            text = f"{face.text} moves {hexes} hexes; infantry has factors for {_FARTHEST} at most"
            return _broken("ASL-MOVE-4", text, cells, unit, common)
        told = f"{hexes} hexes; what terrain costs, and where it was fired at, is not judged"
        return TableDeed(judged=True, result=told, **common)  # type: ignore[arg-type]

    def _rides(self, unit: str, state: GameState) -> bool:
        """Whether skis, horses and the like lie in the stack: they go farther."""
        stack = state.table.holders.get(unit)
        names = [m.name.lower() for m in state.members(stack)] if stack is not None else []
        return any(word in name for name in names for word in _RIDES)

    def _length(self, cells: list[str]) -> int:
        assert self._map is not None
        board = self._plugin.atlas.sight(self._map.name).board
        numbers = [board.hex(cell) for cell in cells]
        return sum(board.grid.distance(one, two) for one, two in pairwise(numbers))

    def _cell(self, where: object) -> str:
        on = getattr(where, "map", None)
        if self._map is None or on not in MAIN_MAPS:
            return ""
        found = self._map.locate(int(where.x), int(where.y))  # type: ignore[attr-defined]
        return found.cell if found is not None else ""

    def _when(self) -> dict[str, object]:
        if self._phase is None:
            return {}
        return {"turn": self._phase.turn, "phase": self._phase.phase, "side": self._phase.camp}

    def unjudged(self) -> Iterator[tuple[str, int]]:
        """What nothing is said of, and how often."""
        self._drop_call("announced fire without an IFT DR")
        yield from sorted(self.left.items(), key=lambda item: (-item[1], item[0]))


def _faults(question: FireQuestion, *, known: bool) -> tuple[tuple[Violation, ...], bool]:
    """What is wrong with a shot, and whether beyond doubt."""
    answer = question.line.answer
    cells = tuple(spot.hex for spot in question.spots)
    if answer.blocked:
        text = f"no line of sight from {cells[0]} to {cells[1]}: {answer.cause.sentence}"
        at = (answer.at,) if answer.at else cells
        return (Violation(answer.cause.entry, text, answer.rule, at, by_sight=True),), True
    if question.firers:
        return (), True
    told = "; ".join(f"{question.name(unit)}: {why}" for unit, why in question.cannot)
    text = f"nobody in {cells[0]} can fire at {cells[1]}" + (f" ({told})" if told else "")
    empty = not question.cannot
    return (Violation("ASL-FIRE-3", text, cells=cells),), known and not empty


def _broken(
    rule: str, text: str, cells: tuple[str, str], unit: str, common: dict[str, object]
) -> TableDeed:
    fault = Violation(rule, text, cells=cells, units=(unit,))
    return TableDeed(judged=False, certain=False, violations=(fault,), **common)  # type: ignore[arg-type]
