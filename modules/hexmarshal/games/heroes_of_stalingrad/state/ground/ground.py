"""The ground of one position: a board with the tiles and facts that lie on it."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.state.ground.ground_layout import (
    DOOR,
    OPEN,
    WALL,
    WINDOW,
    Element,
    Layout,
    side_towards,
)
from hexmarshal.games.heroes_of_stalingrad.state.ground.terrain_types import (
    terrain_type,
    terrain_types,
)
from hexmarshal.geometry.lattice.square_tiling import TiledSquares
from hexmarshal.geometry.lattice.squares import CORNER_NAMES, Square
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from hexmarshal.games.heroes_of_stalingrad.state.ground.tiles import LaidTile
    from hexmarshal.games.heroes_of_stalingrad.state.tables import Tables
    from hexmarshal.geometry.terrain.points import Point
    from hexmarshal.geometry.terrain.terrain_map import TerrainMap, TerrainType
    from hexmarshal.rules.values import Record

__all__ = ["DOOR", "OPEN", "WALL", "WINDOW", "Element", "Ground"]

_WORST = {OPEN: 0, DOOR: 1, WINDOW: 2, WALL: 3}


class Ground:
    """Cells, elements, walls and openings; the same for all positions with the same tiles."""

    def __init__(
        self,
        board: TerrainMap,
        tables: Tables,
        tiles: tuple[LaidTile, ...] = (),
        facts: FrozenMap[Record] | None = None,
    ) -> None:
        laid = Layout(board, tables, tiles, FrozenMap() if facts is None else facts)
        self.board, self.tables, self.faults = board, tables, laid.faults
        self.elements, self.names = laid.elements, laid.names
        self._at, self._squares = laid.element_at, laid.squares
        self._openings, self._marks = laid.openings, laid.marks

    # Cells

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

    # Walls and openings

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
        here = self._openings.get((a, side_towards(a, b)), WALL) if inside else OPEN
        there = self._openings.get((b, side_towards(b, a)), WALL) if beyond else OPEN
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
        types = {**terrain_types(self.tables), **self._own_types()}
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
        return {kind.key: terrain_type(kind) for kind in own}
