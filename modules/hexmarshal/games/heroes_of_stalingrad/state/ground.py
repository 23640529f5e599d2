"""The ground of one position: a board with the tiles and facts that lie on it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hexmarshal.games.heroes_of_stalingrad.state.tables import Kind
from hexmarshal.games.heroes_of_stalingrad.state.tiles import LETTERS, LaidTile
from hexmarshal.geometry.lattice.square_route import quarters_of
from hexmarshal.geometry.lattice.square_tiling import TiledSquares
from hexmarshal.geometry.lattice.squares import CORNER_NAMES, Square
from hexmarshal.geometry.terrain.terrain_map import SightEffect, TerrainMap, TerrainType
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from hexmarshal.games.heroes_of_stalingrad.state.tables import Tables
    from hexmarshal.geometry.terrain.points import Point
    from hexmarshal.rules.values import Record, Value

__all__ = ["DOOR", "OPEN", "WALL", "WINDOW", "Element", "Ground"]

OPEN, DOOR, WINDOW, WALL = "open", "door", "window", "wall"
_WORST = {OPEN: 0, DOOR: 1, WINDOW: 2, WALL: 3}


@dataclass(frozen=True, slots=True)
class Element:
    """HOS-3.1: a terrain element; `house` names the building that it is a part of."""

    id: str
    kind: Kind
    cells: frozenset[str]
    house: str = ""
    tile: str = ""
    part: str = ""


class Ground:
    """Cells, elements, walls and openings; the same for all positions with the same tiles."""

    def __init__(
        self,
        board: TerrainMap,
        tables: Tables,
        tiles: tuple[LaidTile, ...] = (),
        facts: FrozenMap[Record] | None = None,
    ) -> None:
        self.board, self.tables, self.tiles = board, tables, tiles
        self.facts: FrozenMap[Record] = FrozenMap() if facts is None else facts
        self.faults: list[tuple[str, str]] = []
        self.elements: dict[str, Element] = {}
        self._at: dict[str, Element] = {}
        self._openings: dict[tuple[Square, str], str] = {}
        self._marks: set[frozenset[Square]] = set()
        names: dict[Square, str] = dict(board.names)  # type: ignore[arg-type]
        self._squares = {name: square for square, name in names.items()}
        under = self._lay_tiles(names)
        self.names = names
        self._lay_board(under)

    # Making it

    def _lay_tiles(self, names: dict[Square, str]) -> set[str]:
        """Every part of every tile is an element; the cells of the grid that they cover."""
        taken: set[str] = set()
        offset: dict[Square, str] = {}
        for tile in self.tiles:
            row = self.tables.tile_rows.get(tile.key)
            if row is None:
                self.faults.append((tile.id, f"there is no tile {tile.key!r}"))
                continue
            corner = self._squares.get(tile.at)
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
                    self._squares.pop(names.pop(square))
            names.update(offset)
            self._squares.update({name: square for square, name in offset.items()})
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
        grid = {square: name for name, square in self._squares.items()}
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
            self._at.update(dict.fromkeys(cells, element))
        for where, what in (row.get("openings") or {}).items():
            square, beyond = _beside(tile, named, where)
            self._openings[square, _towards(square, beyond)] = what
            if beyond in named.values():  # between two parts it is an opening of both
                self._openings[beyond, _towards(beyond, square)] = what
        fallen = {
            named[text]
            for part, data in row["parts"].items()
            if part in tile.ruins
            for text in data["cells"]
        }
        for where in row.get("walls") or ():
            mark = frozenset(_beside(tile, named, where))
            if not mark <= fallen:
                self._marks.add(mark)

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
            square = self._squares.get(name)
            if square is not None:
                self._fact_sides(square, fact)
        done: set[str] = set()
        for name in sorted(kinds):
            if name in done or name not in self._squares:
                continue
            cells = self._patch(name, kinds)
            done |= cells
            kind = kinds[name]
            at = f"{kind.key}@{name}"
            element = Element(at, kind, frozenset(cells), at if kind.building else "")
            self.elements[at] = element
            self._at.update(dict.fromkeys(cells, element))

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
                    self._openings[square, side] = str(what)
        if isinstance(walls, tuple):
            for letter in map(str, walls):
                if letter in LETTERS:
                    step = 2 * LETTERS.index(letter)
                    self._marks.add(frozenset((square, square.neighbour(step))))

    def _patch(self, start: str, kinds: Mapping[str, Kind]) -> set[str]:
        """The connected cells of one kind."""
        found, waiting = {start}, [start]
        while waiting:
            square = self._squares[waiting.pop()]
            for direction in (0, 2, 4, 6):
                name = self.names.get(square.neighbour(direction), "")
                if name and name not in found and kinds.get(name) == kinds[start]:
                    found.add(name)
                    waiting.append(name)
        return found

    # Asking it

    def has(self, cell: str) -> bool:
        """Whether there is such a cell."""
        return cell in self._squares

    def square(self, cell: str) -> Square:
        """The square of a cell."""
        return self._squares[cell]

    def find(self, cell: str) -> Square | None:
        """The square of a cell, None if there is none of this name."""
        return self._squares.get(cell)

    def name(self, square: Square) -> str:
        """The cell of a square; '' off the board."""
        return self.names.get(square, "")

    @cached_property
    def cells(self) -> tuple[str, ...]:
        """Every cell."""
        return tuple(self.names.values())

    def element(self, cell: str) -> Element | None:
        """The terrain element that a cell belongs to."""
        return self._at.get(cell)

    def house(self, cell: str) -> str:
        """The building that a cell is inside of; '' in the open."""
        element = self._at.get(cell)
        return element.house if element is not None else ""

    def is_offset(self, cell: str) -> bool:
        """HOS-2.38: whether a cell lies off the base grid."""
        return self._squares[cell].is_offset

    @cached_property
    def tiled(self) -> TiledSquares | None:
        """The squares with those across them; None where all lie on the grid."""
        tiling = self.map.tiling
        return tiling if isinstance(tiling, TiledSquares) else None

    def incomplete(self, cell: str) -> bool:
        """HOS-2.62, HOS-2.80: whether a cell of the base grid is partly covered."""
        return self.tiled is not None and self._squares[cell] in self.tiled.covered

    @cached_property
    def near(self) -> Mapping[str, tuple[str, ...]]:
        """HOS-2.30, HOS-2.38: the cells beside each cell, whatever stands between them."""
        tiling = self.map.tiling
        return {
            name: tuple(
                self.names[one]
                for one in tiling.neighbours(square) or ()
                if isinstance(one, Square) and one in self.names
            )
            for square, name in self.names.items()
        }

    def edge(self, a: Square, b: Square) -> str:
        """HOS-3.13: what stands between two cells that share a side."""
        one, other = self._at.get(self.name(a)), self._at.get(self.name(b))
        inside = one.house if one is not None else ""
        beyond = other.house if other is not None else ""
        if frozenset((a, b)) in self._marks:
            return WALL
        if not inside and not beyond:
            return self._printed_side(a, b)
        if one is not None and other is not None and one.id == other.id:
            return OPEN
        here = self._openings.get((a, _towards(a, b)), WALL) if inside else OPEN
        there = self._openings.get((b, _towards(b, a)), WALL) if beyond else OPEN
        if inside == beyond:  # between two parts of one building one opening is enough
            return min(here, there, key=_WORST.__getitem__)
        return max(here, there, key=_WORST.__getitem__)

    def _printed_side(self, a: Square, b: Square) -> str:
        kinds = self.board.side_terrain.get(frozenset((a, b)), ())
        return next((k for k in (WALL, WINDOW, DOOR) if k in kinds), OPEN)

    @cached_property
    def has_walls(self) -> bool:
        """Whether anything can stand between cells."""
        houses = any(element.house for element in self.elements.values())
        return houses or bool(self._marks) or bool(self.board.side_terrain)

    def passage(self, here: str, there: str) -> str:
        """HOS-3.16: what one passes between two adjacent cells; a corner is passed in the open."""
        if not self.has_walls:
            return OPEN
        a, b = self._squares[here], self._squares[there]
        across, down = a.apart(b)
        if across == 1 and down == 1:
            return self._round_a_corner(a, b)
        return self.edge(a, b)

    def _round_a_corner(self, a: Square, b: Square) -> str:
        for middle in (Square(b.column, a.row), Square(a.column, b.row)):
            if middle in self.names and self.edge(a, middle) == self.edge(middle, b) == OPEN:
                return OPEN
        inside = self.house(self.name(a)), self.house(self.name(b))
        return WALL if any(inside) or self._walled(a, b) else OPEN

    def _walled(self, a: Square, b: Square) -> bool:
        ways = (Square(b.column, a.row), Square(a.column, b.row))
        return all(
            WALL in (self.edge(a, m), self.edge(m, b))
            or WINDOW in (self.edge(a, m), self.edge(m, b))
            or DOOR in (self.edge(a, m), self.edge(m, b))
            for m in ways
            if m in self.names
        )

    def openings(self, cell: str) -> dict[str, str]:
        """HOS-3.13: the openings of a cell inside a building: the cell beyond each, and what."""
        if not self.house(cell):
            return {}
        square, found = self._squares[cell], {}
        for near in self.near[cell]:
            beyond = self._squares[near]
            if min(square.apart(beyond)) < 1 and self.house(near) != self.house(cell):
                what = self.edge(square, beyond)
                if what in (DOOR, WINDOW):
                    found[near] = what
        return found

    # Intercells

    @cached_property
    def corners(self) -> Mapping[str, Point]:
        """HOS-3.1: every intersection of four cells, by one name of it."""
        found: dict[Point, str] = {}
        for square, name in self.names.items():
            point = square.corner(1)
            around = [square, *(square.neighbour(d) for d in (2, 3, 4))]
            if all(s in self.names for s in around):
                found.setdefault(point, f"{name}@SE")
        return {name: point for point, name in found.items()}

    @cached_property
    def _corner_names(self) -> Mapping[Point, str]:
        return {point: name for name, point in self.corners.items()}

    def corner(self, name: str) -> Point | None:
        """The point of an intercell by any of its names, 0304@SE; None if there is none."""
        if name in self.corners:
            return self.corners[name]
        cell, _, corner = name.rpartition("@")
        square = self._squares.get(cell)
        if square is None or corner not in CORNER_NAMES:
            return None
        point = square.corner(CORNER_NAMES.index(corner))
        return point if point in self._corner_names else None

    def corner_name(self, point: Point) -> str:
        """The name of an intercell; '' where there is none."""
        return self._corner_names.get(point, "")

    # The map

    @cached_property
    def map(self) -> TerrainMap:
        """The ground as a terrain map: for neighbours, courses of lines, and pictures."""
        cells: dict[Hashable, tuple[str, ...]] = {}
        types = {**_types(self.tables), **self._own_types()}
        for name, element in self._at.items():
            cells[self._squares[name]] = (element.kind.key,)
        sides: dict[Hashable, tuple[str, ...]] = dict(self.board.side_terrain)
        for square in self.names if self.has_walls else ():
            for direction in (2, 4):
                beside = square.neighbour(direction)
                if beside in self.names and (what := self.edge(square, beside)) != OPEN:
                    sides[frozenset((square, beside))] = (what,)
        for kinds in (*self.board.cell_terrain.values(), *self.board.side_terrain.values()):
            types |= {
                k: self.board.types[k] for k in kinds if k in self.board.types and k not in types
            }
        return replace(
            self.board,
            names={square: name for square, name in self.names.items()},  # noqa: C416 - of wider keys
            types=types,
            cell_terrain=cells,
            side_terrain={s: k for s, k in sides.items() if all(c in self.names for c in s)},  # type: ignore[attr-defined]
            grid=None,
        )

    def _own_types(self) -> dict[str, TerrainType]:
        own = (e.kind for e in self.elements.values() if e.kind.key not in self.tables.kinds)
        return {kind.key: _type(kind) for kind in own}


def _beside(tile: LaidTile, named: Mapping[str, Square], where: str) -> tuple[Square, Square]:
    """The cell of a tile that a place such as 0,1/S names, and the one beyond that side."""
    cell, _, side = where.partition("/")
    square = named[cell]
    return square, square.neighbour(2 * LETTERS.index(tile.letter(side)))


def _towards(a: Square, b: Square) -> str:
    """On which side of a cell another one lies."""
    across, down = Fraction(b.column - a.column), Fraction(b.row - a.row)
    if abs(across) > abs(down):
        return "E" if across > 0 else "W"
    return "S" if down > 0 else "N"


_COLOURS = {
    "grove": "#6f8f4f",
    "crater": "#a08a66",
    "water": "#7fa3c0",
    "house": "#8d7b6c",
    "rubble": "#a59b8f",
    "wreck": "#6b655d",
}


def _type(kind: Kind) -> TerrainType:
    effect = (
        SightEffect.OBSTACLE
        if kind.blocks
        else SightEffect.HINDRANCE
        if kind.obstacle
        else SightEffect.OPEN
    )
    return TerrainType(
        kind.key, effect, hindrance=kind.obstacle or 1, colour=_COLOURS.get(kind.key)
    )


def _types(tables: Tables) -> dict[str, TerrainType]:
    found = {key: _type(kind) for key, kind in tables.kinds.items()}
    found[WALL] = TerrainType(WALL, SightEffect.OBSTACLE, colour="#7a1f1f")
    found[WINDOW] = TerrainType(WINDOW, colour="#f2f2f2")
    found[DOOR] = TerrainType(DOOR, colour="#3a6ea8")
    return found
