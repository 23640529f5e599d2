"""How the ground of a position is laid: elements, walls and openings of board, tiles and facts."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hexmarshal.games.heroes_of_stalingrad.state.ground.tiles import LETTERS, LaidTile
from hexmarshal.games.heroes_of_stalingrad.state.tables import Kind
from hexmarshal.geometry.lattice.square_route import quarters_of
from hexmarshal.geometry.lattice.square_tiling import TiledSquares
from hexmarshal.geometry.lattice.squares import Square
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.games.heroes_of_stalingrad.state.tables import Tables
    from hexmarshal.geometry.terrain.terrain_map import TerrainMap
    from hexmarshal.rules.values import Record, Value

__all__ = ["DOOR", "OPEN", "WALL", "WINDOW", "Element", "Layout", "side_towards"]

OPEN, DOOR, WINDOW, WALL = "open", "door", "window", "wall"


@dataclass(frozen=True, slots=True)
class Element:
    """HOS-3.1: a terrain element; `house` names the building that it is a part of."""

    id: str
    kind: Kind
    cells: frozenset[str]
    house: str = ""
    tile: str = ""
    part: str = ""


class Layout:
    """What lies where: worked out once for a board with its tiles and facts."""

    def __init__(
        self,
        board: TerrainMap,
        tables: Tables,
        tiles: tuple[LaidTile, ...],
        facts: FrozenMap[Record],
    ) -> None:
        self.board, self.tables, self.tiles, self.facts = board, tables, tiles, facts
        self.faults: list[tuple[str, str]] = []
        self.elements: dict[str, Element] = {}
        self.element_at: dict[str, Element] = {}
        self.openings: dict[tuple[Square, str], str] = {}
        self.marks: set[frozenset[Square]] = set()
        self.names: dict[Square, str] = dict(board.names)  # type: ignore[arg-type]
        self.squares = {name: square for square, name in self.names.items()}
        self._lay_board(self._lay_tiles(self.names))

    def _lay_tiles(self, names: dict[Square, str]) -> set[str]:
        """Every part of every tile is an element; the cells of the grid that they cover."""
        taken: set[str] = set()
        offset: dict[Square, str] = {}
        for tile in self.tiles:
            row = self.tables.tile_rows.get(tile.key)
            if row is None:
                self.faults.append((tile.id, f"there is no tile {tile.key!r}"))
                continue
            corner = self.squares.get(tile.at)
            if corner is None:
                self.faults.append((tile.id, f"{tile.at} is no cell of the board"))
                continue
            squares = tile.squares(row, corner)
            self._lay_parts(tile, row, squares, taken, offset)
        if offset:
            try:
                tiled = TiledSquares(offset)
            except Exception as error:  # noqa: BLE001 - whatever the geometry says of it
                self.faults.append(("", str(error)))
                return taken
            for square in [s for s in names if s in tiled.covered]:
                if all(quarter in tiled.tiles for quarter in quarters_of(square)):
                    self.squares.pop(names.pop(square))
            names.update(offset)
            self.squares.update({name: square for square, name in offset.items()})
        return taken

    def _lay_parts(
        self,
        tile: LaidTile,
        row: Mapping[str, Any],
        squares: Mapping[tuple[int, int], Square],
        taken: set[str],
        offset: dict[Square, str],
    ) -> None:
        named: dict[str, Square] = {f"{x},{y}": square for (x, y), square in squares.items()}
        grid = {square: name for name, square in self.squares.items()}
        for part, data in row["parts"].items():
            kind: Kind | None = self.tables.kinds[data["kind"]]
            if part in tile.ruins:
                kind = self.tables.kinds.get(kind.ruin) if kind else None
            cells = set()
            for text in data["cells"]:
                square = named[text]
                x, y = map(int, text.split(","))
                if tile.offset:
                    if not self._on_board(square):
                        self.faults.append((tile.id, f"its cell {text} is off the board"))
                        continue
                    name = offset[square] = tile.name((x, y))
                elif square in grid:
                    name = grid[square]
                else:
                    self.faults.append((tile.id, f"its cell {text} is off the board"))
                    continue
                if name in taken:
                    self.faults.append((tile.id, f"two tiles cover {name}"))
                    continue
                taken.add(name)
                cells.add(name)
            if kind is None or not cells:
                continue
            # HOS-3.10: each part of a building is an element of its own.
            house = tile.id if kind.building else ""
            element = Element(f"{tile.id}.{part}", kind, frozenset(cells), house, tile.id, part)
            self.elements[element.id] = element
            self.element_at.update(dict.fromkeys(cells, element))
        for where, what in (row.get("openings") or {}).items():
            square, beyond = _beside(tile, named, where)
            self.openings[square, side_towards(square, beyond)] = what
            if beyond in named.values():  # between two parts it is an opening of both
                self.openings[beyond, side_towards(beyond, square)] = what
        fallen = {
            named[text]
            for part, data in row["parts"].items()
            if part in tile.ruins
            for text in data["cells"]
        }
        for where in row.get("walls") or ():
            mark = frozenset(_beside(tile, named, where))
            if not mark <= fallen:
                self.marks.add(mark)

    def _on_board(self, square: Square) -> bool:
        return all(s in self.board.names for s in self._under(square))

    @staticmethod
    def _under(square: Square) -> set[Square]:
        found = set()
        for quarter in quarters_of(square):
            found.add(Square(int(quarter.column + 1) // 2, int(quarter.row + 1) // 2))
        return found

    def _lay_board(self, taken: set[str]) -> None:
        """What the board prints, and the facts of single cells, where no tile lies."""
        kinds: dict[str, Kind] = {}
        for cell, found in self.board.cell_terrain.items():
            name = self.board.names[cell]
            known = [self.tables.kinds[k] for k in found if k in self.tables.kinds]
            if known and name not in taken:
                kinds[name] = known[0]
        for name, fact in self.facts.items():
            kind = self._fact_kind(name, fact.get("terrain"))
            if kind is not None:
                kinds[name] = kind
            elif "terrain" in fact:
                kinds.pop(name, None)
            square = self.squares.get(name)
            if square is not None:
                self._fact_sides(square, fact)
        done: set[str] = set()
        for name in sorted(kinds):
            if name in done or name not in self.squares:
                continue
            cells = self._patch(name, kinds)
            done |= cells
            kind = kinds[name]
            at = f"{kind.key}@{name}"
            element = Element(at, kind, frozenset(cells), at if kind.building else "")
            self.elements[at] = element
            self.element_at.update(dict.fromkeys(cells, element))

    def _fact_kind(self, name: str, said: Value) -> Kind | None:
        if isinstance(said, FrozenMap):
            return Kind.read(f"own {sorted(said.items())}" if said else name, said)
        if isinstance(said, str) and said:
            found = self.tables.kinds.get(said)
            if found is None:
                self.faults.append((name, f"there is no terrain {said!r}"))
            return found
        return None

    def _fact_sides(self, square: Square, fact: Record) -> None:
        openings, walls = fact.get("openings"), fact.get("walls")
        if isinstance(openings, FrozenMap):
            for side, what in openings.items():
                if side in LETTERS and what in (DOOR, WINDOW):
                    self.openings[square, side] = str(what)
        if isinstance(walls, tuple):
            for letter in map(str, walls):
                if letter in LETTERS:
                    step = 2 * LETTERS.index(letter)
                    self.marks.add(frozenset((square, square.neighbour(step))))

    def _patch(self, start: str, kinds: Mapping[str, Kind]) -> set[str]:
        """The connected cells of one kind."""
        found, waiting = {start}, [start]
        while waiting:
            square = self.squares[waiting.pop()]
            for direction in (0, 2, 4, 6):
                name = self.names.get(square.neighbour(direction), "")
                if name and name not in found and kinds.get(name) == kinds[start]:
                    found.add(name)
                    waiting.append(name)
        return found


def _beside(tile: LaidTile, named: Mapping[str, Square], where: str) -> tuple[Square, Square]:
    """The cell of a tile that a place such as 0,1/S names, and the one beyond that side."""
    cell, _, side = where.partition("/")
    square = named[cell]
    return square, square.neighbour(2 * LETTERS.index(tile.letter(side)))


def side_towards(a: Square, b: Square) -> str:
    """On which side of a cell another one lies."""
    across, down = Fraction(b.column - a.column), Fraction(b.row - a.row)
    if abs(across) > abs(down):
        return "E" if across > 0 else "W"
    return "S" if down > 0 else "N"
