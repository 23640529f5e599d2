"""The moves of a log: drag by drag, judged by the phase and by what they cost at the least."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.games.asl.vasl.counters.counter_faces import WEAPON, face_of
from hexmarshal.games.asl.vasl.counters.counter_names import own_names
from hexmarshal.games.asl.vasl.logs.walks import judge_advance, judge_rout, judge_walk
from hexmarshal.games.asl.vasl.table_reader import MAIN_MAPS
from hexmarshal.rules.verdict import Violation
from hexmarshal.table.module_readers import TableDeed
from hexmarshal.vassal.state.placed import PlacedPiece

if TYPE_CHECKING:
    from hexmarshal.games.asl.plugin import AdvancedSquadLeader
    from hexmarshal.games.asl.vasl.boards.map_geometry import VaslMap
    from hexmarshal.games.asl.vasl.counters.counter_faces import CounterFace
    from hexmarshal.games.asl.vasl.logs.log_findings import LogFindings
    from hexmarshal.games.asl.vasl.logs.walks import WalkCost
    from hexmarshal.vassal.saves.log import PieceMove, Step
    from hexmarshal.vassal.state.game_state import GameState

__all__ = ["MoveFollower"]

_FARTHEST: Final = 9
"""Hexes that infantry can move: four or six factors, a leader's two or none, two by double time,
one by road; skis, bicycles and horses go farther."""
_STILL: Final = frozenset({"rally", "prep_fire", "defensive_fire", "advancing_fire"})
_RIDES: Final = ("skis", "bicycle", "horse", "motorcycle", "cycle", "sledge", "wagon")


@dataclass
class _Walk:
    """How a unit has moved since the phase began."""

    cells: list[str] = field(default_factory=list)
    is_wrong: bool = False


class MoveFollower:
    """Takes the moves of a log one after the other."""

    def __init__(
        self, found: LogFindings, plugin: AdvancedSquadLeader, board_map: VaslMap | None
    ) -> None:
        self._found, self._plugin, self._map = found, plugin, board_map
        self._names = own_names()
        self._walks: dict[str, _Walk] = {}
        self._weapons: dict[str, str] = {}
        """Where weapons were dragged to in this phase."""

    def begin_phase(self) -> None:
        """Forget the moves of the last phase."""
        self._walks.clear()
        self._weapons.clear()

    def move(self, move: PieceMove, step: Step, state: GameState) -> None:
        """One counter was dragged."""
        piece = state.find(move.id)
        start, end = self._cell(move.source), self._cell(move.target)
        if not isinstance(piece, PlacedPiece) or start == end:
            return
        face = face_of(piece.piece, self._names, piece.gpid)
        if face.cls == WEAPON:
            self._carry(move.id, end, step, state)
            return
        if not face.is_personnel:
            if face.is_unit:
                self._found.left[f"moves of {face.cls}s"] += 1
            return
        if not start or not end:
            self._found.left["men who come onto the boards or leave them"] += 1
            return
        if self._found.phase is None:
            self._found.left["moves of men: the log does not say the phase"] += 1
            return
        walk = self._walks.setdefault(move.id, _Walk([start]))
        walk.cells.append(end)
        if walk.is_wrong:
            self._found.left["moves of men that go on after a finding"] += 1
            return
        deed = self._judged(move.id, face, walk, step, state)
        if deed is None:
            self._found.left[f"moves of men in the {self._found.phase.phase} phase"] += 1
        else:
            walk.is_wrong = deed.judged is False
            self._found.deeds.append(deed)

    def _carry(self, weapon: str, end: str, step: Step, state: GameState) -> None:
        """A weapon that was dragged by itself after the men who possess it: they carry it."""
        self._weapons[weapon] = end
        held = self._found.start.unit(weapon) if self._found.start is not None else None
        holder = (
            self._found.start.now.holder(held) if self._found.start is not None and held else None
        )
        piece = holder.id.removeprefix("c") if holder is not None else ""
        walk, man = self._walks.get(piece), state.find(piece)
        moving = self._found.phase is not None and self._found.phase.phase == "movement"
        if not moving or walk is None or walk.is_wrong or not isinstance(man, PlacedPiece):
            self._found.left["moves of weapons"] += 1
            return
        if walk.cells[-1] == end:
            deed = self._judged(piece, face_of(man.piece, self._names, man.gpid), walk, step, state)
            if deed is not None and deed.judged is False:
                walk.is_wrong = True
                self._found.deeds.append(deed)

    def _judged(
        self, unit: str, face: CounterFace, walk: _Walk, step: Step, state: GameState
    ) -> TableDeed | None:
        assert self._found.phase is not None
        phase = self._found.phase.phase
        own = self._names.sides.get(face.nation, "") == self._found.phase.camp
        hexes = self._length(walk.cells)
        common = self._found.common(f"{face.text} {' - '.join(walk.cells)}", "move", step)
        common |= {"units": (unit,), "path": tuple(walk.cells)}
        cells = (walk.cells[0], walk.cells[-1])
        if phase == "advance" and own:
            if hexes > 1:
                text = f"{face.text} advances {hexes} hexes; one is allowed"
                return _broken("ASL-APH-1", text, cells, unit, common)
            found = (
                judge_advance(self._found.start, unit, walk.cells) if self._found.start else None
            )
            return _told(found, common) or TableDeed(judged=True, **common)
        if phase in _STILL:
            text = f"{face.text} goes to another hex in the {phase.replace('_', ' ')} phase"
            return _broken("ASL-MOVE-1", text, cells, unit, common)
        if phase == "rout" and self._found.start is not None:
            return _told(judge_rout(self._found.start, unit, walk.cells), common)
        if phase != "movement":
            return None
        if not own:
            text = f"{face.text} moves in the other side's movement phase"
            return _broken("ASL-MOVE-1", text, cells, unit, common)
        if "broken" in face.flags:
            return _broken("ASL-MOVE-1", f"{face.text} moves, and is broken", cells, unit, common)
        if self._rides(unit, state):
            return None
        if self._found.start is not None:
            stack = state.table.holders.get(unit)
            along = {m.id for m in state.members(stack)} if stack is not None else set()
            along |= {w for w, cell in self._weapons.items() if cell == walk.cells[-1]}
            found = judge_walk(self._found.start, unit, walk.cells, along)
            if found is not None:
                return _told(found, common)
        if hexes > _FARTHEST:
            text = f"{face.text} moves {hexes} hexes; infantry has factors for {_FARTHEST} at most"
            return _broken("ASL-MOVE-4", text, cells, unit, common)
        told = f"{hexes} hexes; what terrain costs is not judged"
        return TableDeed(judged=True, result=told, **common)

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
        """The hex of a place of the log, under the one name that the map has for it."""
        on = getattr(where, "map", None)
        if self._map is None or on not in MAIN_MAPS:
            return ""
        found = self._map.locate(int(where.x), int(where.y))  # type: ignore[attr-defined]
        if found is None:
            return ""
        board = self._plugin.atlas.sight(self._map.name).board
        return board.grid.names[board.hex(found.cell)].split("/")[0]


def _told(found: WalkCost | None, common: dict[str, Any]) -> TableDeed | None:
    """A judged move as a deed; what is wrong with one is likely, not certain."""
    if found is None:
        return None
    if found.faults:
        return TableDeed(judged=False, certain=False, violations=found.faults, **common)
    return TableDeed(judged=True, result=found.told, **common)


def _broken(
    rule: str, text: str, cells: tuple[str, str], unit: str, common: dict[str, Any]
) -> TableDeed:
    fault = Violation(rule, text, cells=cells, units=(unit,))
    return TableDeed(judged=False, certain=False, violations=(fault,), **common)
