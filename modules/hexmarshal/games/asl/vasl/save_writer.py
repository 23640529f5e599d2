"""A position as a save that VASL opens: boards, counters from the user's module, stack by stack."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError, NotFoundError, RulesError
from hexmarshal.games.asl.maps.boards import board_path
from hexmarshal.games.asl.maps.changed_terrain import is_overlay
from hexmarshal.games.asl.maps.layout import boards_of, is_shape
from hexmarshal.games.asl.state.situation import SIDES
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.vasl.boards.board_command import BoardChoice, Crop, board_command
from hexmarshal.games.asl.vasl.boards.map_geometry import vasl_map
from hexmarshal.games.asl.vasl.counters.counter_names import own_names
from hexmarshal.games.asl.vasl.counters.counter_supply import CounterSupply
from hexmarshal.games.asl.vasl.scenario_info import ALLIED, AXIS, ScenarioInfo, info_command
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.saves.savedata import save_entries
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.state.at_start import new_game
from hexmarshal.vassal.state.placed import PlacedPiece, PlacedStack
from hexmarshal.vassal.vasl import metadata as board_metadata
from hexmarshal.vassal.vasl.board import read_board

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from hexmarshal.games.asl.plugin import AdvancedSquadLeader
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.games.asl.vasl.boards.map_geometry import VaslMap
    from hexmarshal.games.asl.vasl.counters.counter_names import Mark
    from hexmarshal.rules.state.pieces import Marker, Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.pieces.piece import Piece
    from hexmarshal.vassal.state.game_state import GameState

__all__ = ["WrittenSave", "board_choices", "write_vasl_save"]

_MAP: Final = "Main Map"
_BELOW: Final = (
    marks.PREP_FIRE,
    marks.OPPORTUNITY,
    marks.FIRST_FIRE,
    marks.FINAL_FIRE,
    marks.ADVANCING_FIRE,
)
_ALONE: Final = (
    marks.PINNED, marks.CX, marks.TI, marks.DISRUPTED, marks.WOUNDED, marks.BERSERK,
    marks.FANATIC, marks.HEROIC, marks.HAZARDOUS, marks.NO_FIRE,
)  # fmt: skip
_WAITING: Final = (60, 60)
"""Where units that have still to enter lie beside the boards: the first of their stacks."""
_APART: Final = 70
_VERSION: Final = re.compile(rb"<boardMetadata[^>]*\bversion=\"([^\"]*)\"")


@dataclass(frozen=True, slots=True)
class WrittenSave:
    """The save; where each unit's counter is in it; and what it cannot show."""

    saved: SavedGame
    pieces: dict[str, str]
    """The counter's id in VASL by the unit's."""
    cannot: tuple[str, ...]


def board_choices(name: str, folder: Path | None) -> tuple[BoardChoice, ...]:
    """The boards of a map by name, as VASL keeps them; its archives are in a folder."""
    found = []
    for row, boards in enumerate(boards_of(name)):
        for column, (board, changes) in enumerate(boards):
            if folder is None:
                raise NotFoundError(
                    f"no folder of boards is known, and the map has the board {board}",
                    hint="--board-dir or HEXMARSHAL_ASL_BOARDS names it",
                )
            path = board_path(folder, board)
            words = [word for word in changes.split("@") if word]
            shape = [word for word in words if is_shape(word)]
            terrain = [word for word in words if not is_shape(word)]
            flip = sum(word.lower() == "flip" for word in shape) % 2 == 1
            crop = _crop(path, [word for word in shape if word.lower() != "flip"])
            found.append(
                BoardChoice(
                    column,
                    row,
                    path.name.removeprefix("bd"),
                    flip,
                    crop,
                    _version(path),
                    tuple(_overlay(one) for w in terrain if (one := is_overlay(w)) is not None),
                    tuple(word for word in terrain if is_overlay(word) is None),
                )
            )
    return tuple(found)


def _overlay(found: tuple[str, str, str, bool]) -> tuple[str, ...]:
    """An overlay as VASL writes it."""
    name, first, second, flat = found
    return (name, first, second, "true") if flat else (name, first, second)


def _version(path: Path) -> str:
    """The version that a board gives itself."""
    found = _VERSION.search(Archive.open(path).read(board_metadata.ENTRY)[:4000])
    return found[1].decode("ascii", "replace") if found is not None else "0.0"


def _crop(path: Path, words: Sequence[str]) -> Crop | None:
    """The pixels that VASL keeps when it crops to whole columns or rows, from centre to centre."""
    if not words:
        return None
    board = read_board(path)
    grid = board.grid
    x, y, width, height = 0, 0, -1, -1
    for word in words:
        first, _, last = word.upper().partition("-")
        if first.isdigit():
            middles = [board.hex(f"{_letters(board.grid.names)}{n}") for n in (first, last)]
            half = float(grid.hex_height) / grid.scale / 2
            top, bottom = (float(grid.y[i]) / grid.scale for i in middles)
            y, height = int(top - half), int(bottom + half) - int(top - half)
        else:
            places = [
                next(i for i, n in enumerate(grid.names) if n.rstrip("0123456789") == letters)
                for letters in (first, last)
            ]
            left, right = (round(float(grid.x[i]) / grid.scale) for i in places)
            x, width = left, right - left
    return Crop(x, y, width, height)


def _letters(names: Iterable[str]) -> str:
    return next(iter(names)).rstrip("0123456789")


def write_vasl_save(
    position: Position, plugin: AdvancedSquadLeader, module: Module, folder: Path | None
) -> WrittenSave:
    """The position on the user's module and boards."""
    if module.name != "VASL":
        raise RulesError(f"the module is {module.name!r}, not VASL")
    choices = board_choices(position.board, folder)
    writer = _Writer(position, plugin, CounterSupply(module), vasl_map(choices, folder))
    state = new_game(module)
    state.boards.clear()
    writer.lay_out(state)
    command = board_command(choices)
    info = info_command(_info(position))
    state.others = (info, command, command)
    metadata = module.metadata
    entries = save_entries(
        module.name,
        module.version,
        module_data=metadata.to_bytes() if metadata is not None else None,
    )
    saved = SavedGame.from_state(state, key=0, entries=entries)
    return WrittenSave(saved, writer.pieces, tuple(dict.fromkeys(writer.cannot)))


def _info(position: Position) -> ScenarioInfo:
    names = own_names()
    camps = {
        side: names.sides.get(str(position.extras.get(f"{side}_nation", "")), "") for side in SIDES
    }
    first = camps.get(str(position.extras.get("first", SIDES[0]))) or AXIS
    moving = camps.get(str(position.extras.get("phasing", SIDES[0]))) or first

    def numbers(kind: str) -> tuple[int | None, int | None]:
        found: dict[str, int] = {}
        for side, camp in camps.items():
            value = position.extras.get(f"{side}_{kind}")
            if isinstance(value, int):
                found[camp] = value
        return found.get(AXIS), found.get(ALLIED)

    return ScenarioInfo(first, moving, position.turn, numbers("elr"), numbers("san"))


class _Writer:
    def __init__(
        self,
        position: Position,
        plugin: AdvancedSquadLeader,
        supply: CounterSupply,
        board_map: VaslMap,
    ) -> None:
        self.position, self.supply, self.map = position, supply, board_map
        self.now: Situation = plugin.situation(position)
        self.pieces: dict[str, str] = {}
        self.cannot: list[str] = []
        self._next = 0

    def lay_out(self, state: GameState) -> None:
        """Hex by hex, then what waits beside the boards."""
        self._next = int(state.table.new_id())
        cells = dict.fromkeys(u.cell for u in self.position.units.values() if u.cell)
        cells |= dict.fromkeys(m.cell for m in self.position.markers.values() if m.cell)
        for cell in cells:
            self._hex(state, cell)
        boxed = [u for u in self.position.units.values() if u.box]
        groups: dict[tuple[object, ...], list[Unit]] = {}
        for unit in boxed:
            key = (unit.side, unit.values.get("turn"), unit.values.get("entry"))
            groups.setdefault(key, []).append(unit)
        for number, units in enumerate(groups.values()):
            at = (_WAITING[0] + _APART * number, _WAITING[1])
            self._stack(state, at, list(self._group(units, at)))

    def _hex(self, state: GameState, cell: str) -> None:
        try:
            at = self.map.point(cell)
        except HexMarshalError as error:
            self.cannot.append(f"{cell}: {error.message}")
            return
        pile: list[tuple[str, Piece]] = []
        here = [u for u in self.position.at(cell) if u.cell]
        for level in sorted({u.level for u in here}, key=lambda n: (n != 0, n)):
            units = [u for u in here if u.level == level]
            if level:
                pile += self._level_marker(cell, level, at)
            pile += self._group(units, at)
        for marker in self.position.markers_at(cell):
            pile += self._marker(marker, at)
        self._stack(state, at, pile)

    def _group(self, units: Sequence[Unit], at: tuple[int, int]) -> Iterator[tuple[str, Piece]]:
        """The units of one location from the bottom, each with its weapons and markers over it."""
        order = {flag: n for n, flag in enumerate(_BELOW)}

        def cover(unit: Unit) -> int:
            return min((order[f] for f in unit.flags if f in order), default=len(order))

        def key(unit: Unit) -> tuple[bool, int, bool, int]:
            return (
                marks.CONCEALED not in unit.flags,
                cover(unit),
                marks.DM not in unit.flags,
                unit.rank,
            )

        held = {w.id for u in units for w in self.now.weapons(u)}
        people = sorted((u for u in units if u.id not in held), key=key)
        for number, unit in enumerate(people):
            yield from self._unit(unit, at)
            after = people[number + 1] if number + 1 < len(people) else None
            if cover(unit) < len(order) and (after is None or cover(after) != cover(unit)):
                yield from self._flag(_BELOW[cover(unit)], at, unit)
            last_dm = marks.DM in unit.flags and (after is None or marks.DM not in after.flags)
            if last_dm:
                yield from self._flag(marks.DM, at, unit)
            concealed = marks.CONCEALED in unit.flags and not self.now.is_dummy(unit)
            if concealed and (after is None or marks.CONCEALED not in after.flags):
                yield from self._concealment(unit, at)
        for flag, covered in ((marks.MELEE, people), (marks.ENCIRCLED, people)):
            if any(flag in unit.flags for unit in covered):
                yield from self._flag(flag, at, people[0])
        if any(unit.values.get("entrenched") for unit in people):
            yield from self._named("1S Foxhole", at, people[0])

    def _unit(self, unit: Unit, at: tuple[int, int]) -> Iterator[tuple[str, Piece]]:
        counters = self.now.tables.counters
        counter = counters.get(unit.type)
        if self.now.is_dummy(unit):
            yield from ((unit.id, piece) for _, piece in self._concealment(unit, at))
            return
        if unit.has(marks.HIDDEN):
            self.cannot.append(f"{unit.id}: that it is hidden; hide it in VASL")
        words = str(unit.values.get("counter") or unit.type)
        nation = self._nation(unit)
        if counter is None:
            drawn = self.supply.named(words, nation)
        else:
            drawn = self.supply.unit(counter.key, nation)
        if drawn is None:
            self.cannot.append(f"{unit.id}: the module has no counter {words}")
            return
        piece = self.supply.piece(drawn, _MAP, at)
        if unit.facing is not None:
            turned = self.supply.facing(piece, unit.facing, unit.number("turret", unit.facing))
            if turned is None:
                self.cannot.append(f"{unit.id}: where {words} looks")
            piece = turned or piece
        if unit.has(marks.BROKEN) or unit.has(marks.MALFUNCTION):
            piece = self.supply.broken(piece)
        yield unit.id, piece
        for weapon in self.now.weapons(unit):
            yield from self._unit(weapon, at)
        for flag in _ALONE:
            if flag in unit.flags:
                yield from self._flag(flag, at, unit)

    def _nation(self, unit: Unit) -> str:
        own = unit.values.get("nation") or self.position.extras.get(f"{unit.side}_nation", "")
        return self.now.nation(unit) if unit.type in self.now.tables.counters else str(own)

    def _flag(self, flag: str, at: tuple[int, int], unit: Unit) -> Iterator[tuple[str, Piece]]:
        for mark in self.supply.names.marks:
            if mark.flag == flag:
                found = self.supply.marker_of(mark)
                if found is not None:
                    yield "", self.supply.piece(found[1], _MAP, at)
                    return
        self.cannot.append(f"{unit.id}: no marker of the module says {flag}")

    def _named(self, name: str, at: tuple[int, int], unit: Unit) -> Iterator[tuple[str, Piece]]:
        drawn = self.supply.marker(name)
        if drawn is None:
            self.cannot.append(f"{unit.id}: the module has no marker {name!r}")
            return
        yield "", self.supply.piece(drawn, _MAP, at)

    def _concealment(self, unit: Unit, at: tuple[int, int]) -> Iterator[tuple[str, Piece]]:
        drawn = self.supply.concealment(self.now.nation(unit))
        if drawn is None:
            self.cannot.append(f"{unit.id}: its nation has no concealment counter in the module")
            return
        yield "", self.supply.piece(drawn, _MAP, at)

    def _level_marker(
        self, cell: str, level: int, at: tuple[int, int]
    ) -> Iterator[tuple[str, Piece]]:
        from hexmarshal.games.asl.state.ground import Location

        roof = self.now.ground.kind_of(Location(cell, level)) == "rooftop"
        name = "Building Roof Level" if roof else f"Building Level {level}"
        drawn = self.supply.marker("Building Cellar" if level < 0 else name)
        if drawn is None:
            self.cannot.append(f"{cell}: the module has no marker for level {level}")
            return
        yield "", self.supply.piece(drawn, _MAP, at)

    def _marker(self, marker: Marker, at: tuple[int, int]) -> Iterator[tuple[str, Piece]]:
        if marker.kind == "sniper":
            nation = str(self.position.extras.get(f"{marker.side}_nation", ""))
            sniper = self.supply.sniper(nation)
            if sniper is not None:
                yield "", self.supply.piece(sniper, _MAP, at)
                return
        for mark in self.supply.names.marks:
            if mark.marker == marker.kind and self._fits(mark, marker):
                fp = marker.values.get("fp")
                drawn = self.supply.marker(f"{fp} FP") if fp else None
                found = self.supply.marker_of(mark)
                chosen = drawn or (found[1] if found is not None and not fp else None)
                if chosen is not None:
                    yield "", self.supply.piece(chosen, _MAP, at)
                    return
        self.cannot.append(f"{marker.id}: no counter of the module shows it")

    @staticmethod
    def _fits(mark: Mark, marker: Marker) -> bool:
        return all(marker.values.get(k, v) == v for k, v in mark.values.items())

    def _stack(
        self, state: GameState, at: tuple[int, int], pile: Sequence[tuple[str, Piece]]
    ) -> None:
        members = []
        for unit, piece in pile:
            name = str(self._next)
            self._next += 1
            state.table.add(PlacedPiece.of(name, piece.type.text, piece.state_text))
            members.append(name)
            if unit:
                self.pieces[unit] = name
        if members:
            state.table.add(PlacedStack(str(self._next), _MAP, *at, tuple(members)))
            self._next += 1
