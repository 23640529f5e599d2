"""A save of VASL as a table: every counter with its hex and location, or why it has none."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import Place, VassalFormatError
from hexmarshal.games.asl.vasl.boards.board_command import boards_in
from hexmarshal.games.asl.vasl.boards.map_geometry import vasl_map
from hexmarshal.games.asl.vasl.counters.counter_faces import (
    CONCEALMENT,
    WEAPON,
    CounterFace,
    face_of,
)
from hexmarshal.games.asl.vasl.counters.counter_names import own_names
from hexmarshal.games.asl.vasl.scenario_info import ScenarioInfo, info_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from hexmarshal.games.asl.vasl.boards.board_command import BoardChoice
    from hexmarshal.games.asl.vasl.boards.map_geometry import Located, VaslMap
    from hexmarshal.games.asl.vasl.counters.counter_names import Names
    from hexmarshal.vassal.saves.savegame import SavedGame
    from hexmarshal.vassal.state.game_state import GameState
    from hexmarshal.vassal.state.placed import PlacedPiece

__all__ = ["NAME", "TableCounter", "TableReader", "VaslTable", "is_of_vasl", "read_table"]

NAME: Final = "VASL"
MAIN_MAPS: Final = ("Main Map", "Map0")
"""What VASL calls the window of its boards; the second before version 6.5."""
_HIGHEST: Final = 300
"""Higher stacks are heaps, not stacks: what lies on what is not looked for."""
_MOST_FACES: Final = 20_000
_BESIDE: Final = "beside the boards"


@dataclass(frozen=True, slots=True)
class TableCounter:
    """One counter with where it is; without a hex, `why` tells why."""

    id: str
    face: CounterFace
    cell: str = ""
    why: str = ""
    level: int = 0
    """Above the ground of the hex; `roof` where a marker says roof."""
    roof: bool = False
    entrenched: bool = False
    crest: bool = False
    vertex: int | None = None
    stack: str = ""
    rank: int = 0
    """In its stack, from the bottom."""
    holder: str = ""
    """Of a weapon: the counter that possesses it."""
    flags: frozenset[str] = frozenset()
    """What it shows, and what markers over it say."""

    @property
    def is_placed(self) -> bool:
        """Whether it is on a hex."""
        return bool(self.cell)


@dataclass(frozen=True)
class VaslTable:
    """All of a save."""

    map: VaslMap | None
    counters: tuple[TableCounter, ...]
    info: ScenarioInfo | None = None
    notes: tuple[str, ...] = field(default=())
    version: str = ""

    @cached_property
    def by_id(self) -> dict[str, TableCounter]:
        """Every counter by its id."""
        return {counter.id: counter for counter in self.counters}

    def placed(self) -> Iterator[TableCounter]:
        """Those on hexes."""
        return (counter for counter in self.counters if counter.is_placed)

    def units(self) -> Iterator[TableCounter]:
        """Those on hexes that fight."""
        return (counter for counter in self.placed() if counter.face.is_unit)


def is_of_vasl(saved: SavedGame) -> bool:
    """Whether a file was saved with VASL."""
    metadata = saved.module_metadata
    return metadata is not None and metadata.name == NAME


def read_table(
    state: GameState, folder: Path | None, names: Names | None = None, version: str = ""
) -> VaslTable:
    """The table that a state of VASL's shows; its boards are in a folder."""
    return TableReader(folder, names).read(state, version)


class TableReader:
    """Reads one table after the other of a game: boards and faces that stay are read once."""

    def __init__(self, folder: Path | None, names: Names | None = None) -> None:
        self._folder, self._names = folder, names or own_names()
        self._boards: tuple[BoardChoice, ...] = ()
        self._map: VaslMap | None = None
        self._faces: dict[tuple[str, str], CounterFace] = {}

    def read(self, state: GameState, version: str = "") -> VaslTable:
        """The table that a state shows."""
        boards = boards_in(state.others)
        if boards is None:
            raise VassalFormatError(
                "the save has no boards of VASL's",
                place=Place(field="boards"),
                hint="a save or log of VASL is wanted",
            )
        if boards != self._boards:
            self._map = vasl_map(boards, self._folder) if boards else None
            self._boards = boards
        if len(self._faces) > _MOST_FACES:
            self._faces.clear()
        reader = _Reader(state, self._names, self._map, self._faces)
        counters = tuple(reader.counters())
        notes = [
            *reader.notes,
            *(
                f"{one.choice.file}: not applied to sight and movement: {what} ({why})"
                for one in (self._map.placed if self._map is not None else ())
                for what, why in one.terrain.left
            ),
        ]
        return VaslTable(self._map, counters, info_in(state.others), tuple(notes), version)


class _Reader:
    def __init__(
        self,
        state: GameState,
        names: Names,
        board_map: VaslMap | None,
        faces: dict[tuple[str, str], CounterFace],
    ) -> None:
        self.state, self.names, self.map = state, names, board_map
        self.notes: list[str] = []
        self._pieces = state.pieces
        self._faces = faces

    def counters(self) -> Iterator[TableCounter]:
        """Stack by stack from the bottom, then what lies alone."""
        stacked: set[str] = set()
        for stack in self.state.stacks.values():
            members = self.state.members(stack.id)
            stacked.update(member.id for member in members)
            pile = [self._counter(member.id, stack.id, n) for n, member in enumerate(members)]
            yield from self._arranged(pile)
        alone = [p for p in self._pieces.values() if p.id not in stacked]
        for piece in alone:
            yield from self._arranged([self._counter(piece.id, "", 0)])

    def _counter(self, id: str, stack: str, rank: int) -> TableCounter:
        piece = self._pieces[id]
        face = self._face(piece)
        where: Located | None = None
        why = ""
        if piece.map is None:
            why = "on no map"
        elif piece.map not in MAIN_MAPS:
            why = f"on the map {piece.map}"
        elif self.map is None:
            why = "the save has no boards"
        else:
            where = self.map.locate(piece.x, piece.y)
            why = "" if where is not None else _BESIDE
        counter = TableCounter(id, face, why=why, stack=stack, rank=rank, flags=face.flags)
        if where is None:
            return counter
        return replace(counter, cell=where.cell, vertex=where.vertex)

    def _face(self, piece: PlacedPiece) -> CounterFace:
        key = (piece.type, piece.state)
        if key not in self._faces:
            self._faces[key] = face_of(piece.piece, self.names, piece.gpid)
        return self._faces[key]

    def _arranged(self, pile: Sequence[TableCounter]) -> list[TableCounter]:
        """A stack with what its order says: locations, possession, what markers cover."""
        if len(pile) > _HIGHEST:
            where = pile[0].cell or pile[0].why
            self.notes.append(f"{where}: a stack of {len(pile)} counters, whose order is not read")
            return list(pile)
        found = self._possessed(self._located(list(pile)))
        return self._marked(found)

    def _located(self, pile: list[TableCounter]) -> list[TableCounter]:
        """A level marker holds for those above it, an entrenchment for those below it."""
        level, roof, crest, start = 0, False, False, 0
        for number, counter in enumerate(pile):
            mark = counter.face.mark
            if mark is not None and mark.level is not None:
                found = counter.face.found
                named = found.groupdict().get("level") if found is not None else None
                level, roof, crest, start = int(named or mark.level), False, False, number + 1
            elif mark is not None and mark.roof:
                level, roof, crest, start = 0, True, False, number + 1
            elif mark is not None and mark.crest:
                crest, start = True, number + 1
            elif mark is not None and mark.entrenched:
                for below in range(start, number):
                    pile[below] = replace(pile[below], entrenched=True)
                start = number + 1
            pile[number] = replace(pile[number], level=level, roof=roof, crest=crest)
        return pile

    def _possessed(self, pile: list[TableCounter]) -> list[TableCounter]:
        """A weapon belongs to the men just below it: ASL-SW-4."""
        for number, counter in enumerate(pile):
            if counter.face.cls != WEAPON:
                continue
            for below in reversed(pile[:number]):
                if below.level != counter.level or below.roof != counter.roof:
                    break
                if below.face.is_personnel:
                    pile[number] = replace(counter, holder=below.id)
                    break
        return pile

    def _marked(self, pile: list[TableCounter]) -> list[TableCounter]:
        for number, counter in enumerate(pile):
            mark = counter.face.mark
            if counter.face.cls == CONCEALMENT:
                self._conceal(pile, number)
            elif mark is not None and mark.flag:
                covered = _covered(pile, number, mark.covers)
                for at in covered:
                    pile[at] = replace(pile[at], flags=pile[at].flags | {mark.flag})
                self._doubt(pile, number, covered)
        return pile

    def _doubt(self, pile: Sequence[TableCounter], number: int, covered: Sequence[int]) -> None:
        """Tell of markers for one unit over several: VASL lays some onto the whole stack."""
        marker = pile[number]
        mark = marker.face.mark
        if mark is None or mark.covers != "one" or not marker.cell:
            return
        # Nothing may be told of hidden counters, not even that there are some.
        men = [at for at in _in_location(pile, number) if pile[at].face.is_personnel]
        shown = [at for at in men if not pile[at].face.hidden and at < number]
        others = [at for at in shown if at not in covered]
        if covered and any(mark.flag not in pile[at].flags for at in others):
            text = f"{marker.cell}: {marker.face.name} is taken for one unit, the next below it"
            self.notes.append(f"{text}; more lie below")

    def _conceal(self, pile: list[TableCounter], number: int) -> None:
        """Units of its nation below a concealment counter in the same location are concealed."""
        own = pile[number]
        concealed = {one.id for one in pile if "concealed" in one.flags}
        for at in _in_location(pile, number):
            face = pile[at].face
            held = pile[at].holder in concealed
            same = face.nation == own.face.nation
            if at < number and face.is_unit and (same or held):
                pile[at] = replace(pile[at], flags=pile[at].flags | {"concealed"})
                concealed.add(pile[at].id)


def _in_location(pile: Sequence[TableCounter], number: int) -> Iterator[int]:
    own = pile[number]
    for at, other in enumerate(pile):
        if (other.level, other.roof, other.crest) == (own.level, own.roof, own.crest):
            yield at


def _covered(pile: Sequence[TableCounter], number: int, covers: str) -> list[int]:
    """Which counters of a stack a marker is about."""
    there = [at for at in _in_location(pile, number) if pile[at].face.is_unit]
    if covers == "location":
        return [at for at in there if pile[at].face.is_personnel]
    below = [at for at in there if at < number]
    if covers == "broken":
        men = [at for at in below if pile[at].face.is_personnel]
        return [at for at in men if "broken" in pile[at].flags]
    if covers == "one":
        men = [at for at in below if pile[at].face.is_personnel]
        return men[-1:]
    floor = max(
        (at for at in range(number) if _is_cover(pile[at])),
        default=-1,
    )
    return [at for at in below if at > floor]


def _is_cover(counter: TableCounter) -> bool:
    mark = counter.face.mark
    return mark is not None and mark.covers == "below" and bool(mark.flag)
