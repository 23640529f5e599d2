"""A board prepared for sight: every pixel points to a cell, and cells and hexes are tables.

Heights and levels are counted in half levels throughout. The rasters have a margin of pixels off
the board around them, so that a line along the board's edge needs no special care.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag, auto
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from hexmarshal.games.asl.sight.direction import Direction
from hexmarshal.games.asl.sight.ground.profiles import MOST_HEXES, Profiles, profiles_of
from hexmarshal.games.asl.sight.ground.raster import Raster
from hexmarshal.games.asl.sight.rules.hillocks import hillocks_of
from hexmarshal.vassal.vasl.catalogue import Category
from hexmarshal.vassal.vasl.grid import NONE
from hexmarshal.vassal.vasl.hexes import ABSENT, zones

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from hexmarshal.vassal.vasl import Board, Terrain
    from hexmarshal.vassal.vasl.grid import HexGrid

    Ints = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]

__all__ = ["CENTRE", "HEXSIDE", "SOFT", "Ground", "Prepared", "Trait"]

CENTRE = 6
"""The zone of pixels that lie on no hexside."""

_LOWEST = -64
_OPEN_GROUND = 0
_NOTHING, _ALWAYS = -127, 127
_PAYING = 2000
"""So many lines cost about as much to walk one by one as all those of a board together."""


class Trait(IntFlag):
    """What the rules ask about terrain."""

    OBSTACLE = auto()
    HINDRANCE = auto()
    SPLIT = auto()
    LOWER_OBSTACLE = auto()
    LOWER_HINDRANCE = auto()
    BUILDING = auto()
    FACTORY = auto()
    WALL = auto()
    """A half-level hexside: wall, hedge, roadblock, embankment."""
    BOCAGE = auto()
    PARTY = auto()
    CLIFF = auto()
    DEPRESSION = auto()
    ROAD = auto()
    BRIDGE = auto()
    THIN = auto()
    """Light woods: an obstacle by its height, but two of hindrance where it would block."""
    FRAIL = auto()
    """Huts and ruined towers: a hindrance even to a viewer at their height."""
    BARE = auto()
    """Out of season: hinders where trees in leaf would block."""
    DECK = auto()
    """Of a bridge or of the road on it, above the ground of its hex."""
    INHERENT = auto()
    WATER = auto()
    HILLOCK = auto()
    """A rise of half a level that those on it look over."""


HEXSIDE = Trait.WALL | Trait.BOCAGE | Trait.PARTY | Trait.CLIFF
SOFT = Trait.HINDRANCE | Trait.LOWER_HINDRANCE | Trait.THIN | Trait.FRAIL | Trait.BARE
_FRAIL = frozenset({"Huts", "Collapsed Huts", "Tower Hindrance"})


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """What takes long to find: the cell of every pixel, flat, and what the cells are."""

    raster: npt.NDArray[np.int16] | npt.NDArray[np.int32]
    key: Ints


class Ground:
    """The tables that the rules look at: `cell_*` run over cells, `hex_*` over hexes.

    Cell 0 is what lies off the board. After the cells of pixels comes one cell a hex that stands
    for the hex as a whole: its inherent terrain, if it has any.
    """

    def __init__(self, board: Board, prepared: Prepared | None = None) -> None:
        self.board = board
        self._asked = 0
        grid, facts = board.grid, board.facts
        margin = _margin(grid)
        self.stride = grid.width + 2 * margin
        self.pad = margin * grid.scale
        """What the margin adds to a coordinate."""
        self.traits = _traits(board)
        known = [board.catalogue.by_code.get(code) for code in range(256)]
        self.heights = np.array([0 if t is None else 2 * t.height for t in known])
        self.tops = self.heights + np.array([t is not None and t.half for t in known])
        self.hex_base = 2 * facts.base.astype(np.int64)
        self.hex_traits = self.traits[facts.centre]
        self.hex_bridge = facts.bridge != ABSENT
        self.prepared = prepared or _cells(board, self.traits)
        self.raster = Raster(self.prepared.raster, self.stride)
        self.whole = self.prepared.key.size + 1
        """The cell of hex n as a whole is number `whole` + n."""
        self._tables(self.prepared.key)

    def _tables(self, key: Ints) -> None:
        facts, count = self.board.facts, len(self.board.grid.names)
        off = np.array([_key(NONE, 0, 0, CENTRE)])
        inherent = (self.hex_traits & Trait.INHERENT) != 0
        whole = _key(
            np.arange(count),
            np.where(inherent, facts.centre, 0),
            facts.base.astype(np.int64),
            CENTRE,
        )
        key = np.concatenate([off, key, whole])
        self.cell_hex = (key >> 24) - 1
        self.cell_ground = 2 * (((key >> 8) & 255) + _LOWEST)
        code = self._roofed(self._filled((key >> 16) & 255, inherent))
        self.cell_code = code
        self.cell_zone = key & 255
        self.cell_full = self.cell_ground + self.heights[code]
        """The top in whole levels, without the half level that some terrain has."""
        self.cell_top = self.cell_ground + self.tops[code]
        hexes = np.maximum(self.cell_hex, 0)
        traits = self.traits[code]
        spilled = ((traits & Trait.INHERENT) != 0) & (facts.centre[hexes] != code)
        traits = np.where(spilled, 0, traits)
        self.cell_top = np.where(spilled, self.cell_ground, self.cell_top)
        self.cell_full = np.where(spilled, self.cell_ground, self.cell_full)
        on_bridge = (traits & (Trait.ROAD | Trait.BRIDGE)) != 0
        deck = on_bridge & self.hex_bridge[hexes] & (self.cell_ground > self.hex_base[hexes])
        deck |= (traits & Trait.BRIDGE) != 0
        self.cell_traits = np.where(deck, traits | Trait.DECK, traits)
        self.cell_is_hexside = (self.cell_traits & HEXSIDE) != 0
        self.cell_is_building = (self.cell_traits & Trait.BUILDING) != 0
        self.cell_reach = self._reach()
        obstacles = self._plain_obstacles()
        self.cell_solid = self._solid(obstacles)
        """Up to which level a cell stops every line that stays below."""
        # Who is on a hillock looks over half levels: ASL-HILLOCK-1.
        self.cell_firm = self._solid(obstacles & (self.cell_top == self.cell_full))
        """The same for lines from a hillock."""

    def _filled(self, code: Ints, inherent: Flags) -> Ints:
        """The codes of cells, open ground in hexes of inherent terrain filled with it: ASL-LOS-4.

        It fills the level of the hex, and nothing where it only reaches into a hex that shows
        something else.
        """
        grid, terrain, facts = self.board.grid, self.board.pixels.terrain, self.board.facts
        # All pixels that touch the centre, so that a half turn changes nothing.
        rows = [np.clip(y, 0, terrain.shape[0] - 1) for y in _beside(grid.y, grid.scale)]
        columns = [np.clip(x, 0, terrain.shape[1] - 1) for x in _beside(grid.x, grid.scale)]
        fills = np.zeros(inherent.shape, np.bool_)
        for row, column in product(rows, columns):
            fills |= inherent & (terrain[row, column] == facts.centre)
        hexes = np.maximum(self.cell_hex, 0)
        open_ground = (code == _OPEN_GROUND) & (self.cell_hex != NONE)
        open_ground &= self.cell_ground == self.hex_base[hexes]
        return np.where(open_ground & fills[hexes], facts.centre[hexes], code)

    def _roofed(self, code: Ints) -> Ints:
        """The codes of cells; in the hex of a market place its building is one: ASL-SPLIT-1.

        Boards draw the wings of such a building over the hexside; nothing of it has a ground floor.
        """
        facts, known = self.board.facts, self.board.catalogue.by_code
        markets = [number for number, t in known.items() if t.category is Category.MARKETPLACE]
        building = facts.building[np.maximum(self.cell_hex, 0)].astype(np.int64)
        walls = (self.traits[code] & (Trait.BUILDING | HEXSIDE)) == Trait.BUILDING
        alike = walls & (self.cell_hex != NONE) & np.isin(building, markets)
        alike &= self.tops[code] == self.tops[building]
        return np.where(alike, building, code)

    def _reach(self) -> Ints:
        """Up to which level a cell can matter: a line that stays at or above it is not touched."""
        reach = self.cell_top.copy()
        cliffs = np.flatnonzero(self.cell_traits & Trait.CLIFF)
        hexes, zone = self.cell_hex[cliffs], self.cell_zone[cliffs]
        across = self.board.grid.neighbours[hexes, np.minimum(zone, 5)]
        higher = np.maximum(self.hex_base[hexes], self.hex_base[np.maximum(across, 0)])
        reach[cliffs] = np.maximum(reach[cliffs], np.where(across == NONE, _NOTHING, higher))
        reach[self.cell_hex == NONE] = _NOTHING
        clipped: Ints = np.clip(reach, _NOTHING, _ALWAYS)
        return clipped

    def _plain_obstacles(self) -> Flags:
        special = Trait.SPLIT | Trait.THIN | Trait.FRAIL | Trait.HILLOCK | HEXSIDE
        plain: Flags = (self.cell_traits & (Trait.OBSTACLE | special)) == Trait.OBSTACLE
        return plain

    def _solid(self, obstacles: Flags) -> npt.NDArray[np.int8]:
        """The level of the ground, or of the top where there are obstacles."""
        solid = np.where(obstacles, self.cell_top, self.cell_ground)
        unsure = (self.cell_traits & (Trait.DECK | Trait.CLIFF)) != 0
        nothing = unsure | (self.cell_hex == NONE)
        return np.where(nothing, _NOTHING, solid).astype(np.int8)

    def profiles_for(self, lines: int) -> Profiles | None:
        """The profiles, if they are there or if, with these, enough lines were asked for by now."""
        self._asked += lines
        if "profiles" in self.__dict__ or self._asked >= _PAYING:
            return self.profiles
        return None

    @cached_property
    def profiles(self) -> Profiles | None:
        """What lies between every two hexes, unless these are too many or on several boards."""
        few = len(self.board.grid.names) <= MOST_HEXES
        return profiles_of(self) if few and not self.direction.seams else None

    @cached_property
    def hillock(self) -> Ints | None:
        """For every hex the hillock that it is part of; None where there is none at all."""
        on_hillock = (self.hex_traits & Trait.HILLOCK) != 0
        return hillocks_of(on_hillock, self.board.grid.neighbours) if on_hillock.any() else None

    @cached_property
    def walled_on(self) -> Flags:
        """For every hex and vertex: does a line along the spine there pass its far end? B9.2.

        It does where hexside terrain lines the spine and goes on from its end on one hand only.
        """
        side, near = self.board.facts.side != ABSENT, self.board.grid.neighbours
        passes = np.zeros(side.shape, np.bool_)

        def seen(hexes: Ints, number: int) -> Flags:
            there: Flags = (hexes != NONE) & side[hexes, number % 6]
            return there

        for vertex in range(6):
            left, right = near[:, (vertex - 1) % 6], near[:, vertex]
            # Seen from the left hex the spine is the hexside after next, and the far hex lies
            # across the hexside of this number; from the right hex across the one before. At the
            # edge of a board one of them is missing, and those across from it know.
            far = np.where(left != NONE, near[left, vertex], near[right, (vertex - 1) % 6])
            far = np.where((left != NONE) | (right != NONE), far, NONE)
            lined = seen(left, vertex + 1) | seen(right, vertex + 4)
            on_left = np.where(left != NONE, seen(left, vertex), seen(far, vertex + 3))
            on_right = np.where(right != NONE, seen(right, vertex - 1), seen(far, vertex + 2))
            passes[:, vertex] = lined & ~(on_left & on_right)
        return passes

    @cached_property
    def direction(self) -> Direction:
        """Which end of a line is its first."""
        return Direction(self.board.grid.names)

    @property
    def ranks(self) -> Ints:
        """For every hex its place in the order of names, which no flip and no shift changes."""
        return self.direction.ranks


def _beside(places: Ints, scale: int) -> tuple[Ints, Ints]:
    """The pixels before and after each place: one and the same inside of a pixel."""
    return -(-places // scale) - 1, places // scale


def _key(
    hexes: npt.ArrayLike, code: npt.ArrayLike, level: npt.ArrayLike, zone: npt.ArrayLike
) -> Ints:
    key = (np.asarray(hexes, np.int64) + 1) << 24
    key = key | np.asarray(code, np.int64) << 16 | (np.asarray(level, np.int64) - _LOWEST) << 8
    return key | np.asarray(zone, np.int64)


def _cells(board: Board, traits: Ints) -> Prepared:
    pixels, grid = board.pixels, board.grid
    terrain = _with_special_hexsides(board)
    zone = np.full(terrain.shape, CENTRE, np.int64)
    sided = (traits & HEXSIDE) != 0
    rows, columns = np.nonzero(sided[terrain] & (pixels.owner != NONE))
    zone[rows, columns] = zones(grid, pixels.owner[rows, columns], columns, rows)
    flat = _key(pixels.owner, terrain, pixels.elevation, zone).ravel()
    # Runs of equal pixels first: sorting them is far cheaper than sorting all pixels.
    starts = np.flatnonzero(np.concatenate([[True], flat[1:] != flat[:-1]]))
    unique, inverse = np.unique(flat[starts], return_inverse=True)
    lengths = np.diff(np.append(starts, flat.size))
    # Half the memory is half the way to it: lines read the raster all over.
    narrow = np.int16 if unique.size < np.iinfo(np.int16).max else np.int32
    inner = np.repeat((inverse + 1).astype(narrow), lengths).reshape(terrain.shape)
    return Prepared(np.pad(inner, _margin(grid)).ravel(), unique)


def _margin(grid: HexGrid) -> int:
    """How many pixels a line may touch beyond the edge; some boards end short of a hex's centre."""
    wide, high = grid.width * grid.scale, grid.height * grid.scale
    beyond = max(-grid.x.min(), grid.x.max() - wide, -grid.y.min(), grid.y.max() - high, 0)
    return 1 - int(-beyond // grid.scale)


def _with_special_hexsides(board: Board) -> npt.NDArray[np.uint8]:
    """The terrain with embankments and partial orchards, which boards list but do not draw."""
    terrain, facts, owner = board.pixels.terrain, board.facts, board.pixels.owner
    for flags, name in (
        (facts.embankment, "Rrembankment"),
        (facts.partial_orchard, "PartialOrchard"),
    ):
        special = board.catalogue.by_name.get(name)
        if special is None or not flags.any():
            continue
        rows, columns = np.nonzero((owner != NONE) & np.any(flags, axis=1)[owner])
        zone = zones(board.grid, owner[rows, columns], columns, rows)
        on = (zone != CENTRE) & flags[owner[rows, columns], np.minimum(zone, 5)]
        terrain = terrain.copy()
        terrain[rows[on], columns[on]] = special.code
    return terrain


def _traits(board: Board) -> Ints:
    known = [board.catalogue.by_code.get(code) for code in range(256)]
    tests: dict[Trait, Callable[[Terrain], object]] = {
        Trait.OBSTACLE: lambda t: t.obstacle,
        Trait.HINDRANCE: lambda t: t.hindrance and not t.obstacle,
        Trait.SPLIT: lambda t: t.split,
        Trait.LOWER_OBSTACLE: lambda t: t.lower_obstacle,
        Trait.LOWER_HINDRANCE: lambda t: t.lower_hindrance,
        Trait.BUILDING: lambda t: t.is_building,
        Trait.FACTORY: lambda t: t.category is Category.FACTORY and not t.obstacle,
        Trait.WALL: _is_wall,
        Trait.BOCAGE: lambda t: t.name == "Bocage",
        Trait.PARTY: lambda t: t.is_party_wall,
        Trait.CLIFF: lambda t: t.is_cliff,
        Trait.DEPRESSION: lambda t: t.category is Category.DEPRESSION,
        Trait.ROAD: lambda t: t.category is Category.ROAD,
        Trait.BRIDGE: lambda t: t.category is Category.BRIDGE,
        Trait.THIN: lambda t: t.name == "Light Woods",
        Trait.FRAIL: lambda t: t.name in _FRAIL,
        Trait.BARE: lambda t: t.name == "Orchard, Out of Season",
        Trait.INHERENT: lambda t: t.inherent,
        Trait.HILLOCK: lambda t: t.name == "Hillock",
        Trait.WATER: lambda t: t.category is Category.WATER,
    }
    found = [
        sum(int(trait) for trait, test in tests.items() if t is not None and test(t)) for t in known
    ]
    return np.array(found, np.int64)


def _is_wall(terrain: Terrain) -> bool:
    return (
        terrain.is_hexside
        and terrain.obstacle
        and terrain.half
        and terrain.height == 0
        and not terrain.is_party_wall
    )
