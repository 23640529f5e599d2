"""Lines between locations: their ends as arrays, in an order that does not depend on the asker."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from hexmarshal.errors import NotFoundError, Place
from hexmarshal.games.asl.sight.ground.ground_tables import Ground, Trait
from hexmarshal.games.asl.sight.rules.followed_depressions import sunken_sides
from hexmarshal.games.asl.sight.rules.hillocks import NO_HILLOCK
from hexmarshal.games.asl.sight.rules.slopes import down_slope, sides_left_by
from hexmarshal.vassal.vasl.grid import NO_VERTEX, NONE, vertex_towards

if TYPE_CHECKING:
    from collections.abc import Collection

    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]
    Spots = tuple[Ints, Ints, Ints | None]
    """Hexes, levels above their ground, and vertices if any end is at one."""

__all__ = ["AT_CENTRE", "Ends", "EndTable", "Lines"]

AT_CENTRE = -1
"""The vertex of an end that is at the centre of its hex."""

_ABSENT, _GROUND, _LEVEL, _ROOFTOP, _BRIDGE, _CELLAR = range(6)
_KINDS = {
    "ground": _GROUND,
    "level": _LEVEL,
    "rooftop": _ROOFTOP,
    "bridge": _BRIDGE,
    "cellar": _CELLAR,
}
_LOWEST = -2


@dataclass(frozen=True, slots=True, eq=False)
class Ends:
    """One end of many lines."""

    hex: Ints
    level: Ints
    """Absolute, in half levels; the eyes of a unit on a rooftop are half a level down."""
    x: Ints
    y: Ints
    above: Ints
    """Levels above the ground of the hex, as given."""
    kind: Ints
    at_vertex: Flags
    in_depression: Flags

    def of(self, chosen: Ints, raised: Ints) -> Ends:
        """Only these, without what slopes add to them."""
        return Ends(
            self.hex[chosen],
            (self.level - raised)[chosen],
            self.x[chosen],
            self.y[chosen],
            self.above[chosen],
            self.kind[chosen],
            self.at_vertex[chosen],
            self.in_depression[chosen],
        )

    @property
    def on_roof(self) -> Flags:
        """Which of them are on rooftops."""
        roofs: Flags = self.kind == _ROOFTOP
        return roofs


class EndTable:
    """Turns hexes, levels and vertices into ends."""

    def __init__(self, ground: Ground, crest: Collection[str] = ()) -> None:
        self.ground = ground
        self._crest = np.zeros(len(ground.board.grid.names), np.bool_)
        """Hexes of depressions whose ground units are at their edge."""
        self._crest[[ground.board.hex(name) for name in crest]] = True
        levels = ground.board.levels
        highest = max(level.above for hex_levels in levels for level in hex_levels)
        self._kinds = np.zeros((len(levels), highest - _LOWEST + 1), np.int64)
        for index, hex_levels in enumerate(levels):
            for level in reversed(hex_levels):
                self._kinds[index, level.above - _LOWEST] = _KINDS[level.kind]

    def ends(self, hexes: Ints, above: Ints, vertex: Ints | None = None) -> Ends:
        """The ends at these hexes and levels above their ground, at centres or at vertices."""
        ground, grid = self.ground, self.ground.board.grid
        column = above - _LOWEST
        known = (column >= 0) & (column < self._kinds.shape[1])
        kind = np.where(known, self._kinds[hexes, np.where(known, column, 0)], _ABSENT)
        if not kind.all():
            self._refuse(hexes, above, int(np.flatnonzero(kind == _ABSENT)[0]))
        level = ground.hex_base[hexes] + 2 * above
        # ASL-ROOF-1: a rooftop is half a level up from the top storey; a cellar looks out at ground
        # level.
        level = level - ((kind == _ROOFTOP) & (above != 1)) + 2 * (kind == _CELLAR)
        x, y = grid.x[hexes], grid.y[hexes]
        at_vertex = np.zeros(hexes.shape, np.bool_)
        if vertex is not None and (vertex != AT_CENTRE).any():
            spokes = np.array([*grid.spokes, (0, 0)])[vertex]
            x, y, at_vertex = x + spokes[:, 0], y + spokes[:, 1], vertex != AT_CENTRE
            self._check_on_board(hexes, vertex, x, y)
            # ASL-LOS-5 ASL-BYP-6: a unit in bypass passes beside the depression, not in it, and on
            # the higher side of a crest line.
            level = level + 2 * (at_vertex & self._depressed(hexes))
            at = np.flatnonzero(at_vertex & (kind == _GROUND))
            level[at] = np.maximum(level[at], self._at_vertices(hexes[at], x[at], y[at]))
        depressed = (kind == _GROUND) & ~at_vertex & self._depressed(hexes)
        # ASL-CREST-2: at the edge of a depression one is on the level of the ground about it.
        level = level + 2 * (depressed & self._crest[hexes])
        depressed &= ~self._crest[hexes]
        return Ends(hexes, level, x, y, above, kind, at_vertex, depressed)

    def _at_vertices(self, hexes: Ints, x: Ints, y: Ints) -> Ints:
        """The highest ground of those hexes right at their vertices."""
        pixels, scale = self.ground.board.pixels, self.ground.board.grid.scale
        found = self.ground.hex_base[hexes]
        for right, down in product(range(-2, 3), repeat=2):
            column, row = x // scale + right, y // scale + down
            # Pixels whose middles are within one and a half, the same on either hand.
            near = np.abs((2 * column + 1) * scale - 2 * x) <= 3 * scale
            near &= np.abs((2 * row + 1) * scale - 2 * y) <= 3 * scale
            near &= (column >= 0) & (row >= 0)
            near &= (column < pixels.owner.shape[1]) & (row < pixels.owner.shape[0])
            chosen = np.flatnonzero(near)
            chosen = chosen[pixels.owner[row[chosen], column[chosen]] == hexes[chosen]]
            level = 2 * pixels.elevation[row[chosen], column[chosen]].astype(np.int64)
            found[chosen] = np.maximum(found[chosen], level)
        return found

    def _depressed(self, hexes: Ints) -> Flags:
        return (self.ground.hex_traits[hexes] & Trait.DEPRESSION) != 0  # type: ignore[no-any-return]

    def _check_on_board(self, hexes: Ints, vertex: Ints, x: Ints, y: Ints) -> None:
        """Half hexes at the edge of a board have vertices that are not there."""
        board, grid = self.ground.board, self.ground.board.grid
        off = (x < 0) | (y < 0) | (x > grid.width * grid.scale) | (y > grid.height * grid.scale)
        off &= vertex != AT_CENTRE
        if off.any():
            bad = int(np.flatnonzero(off)[0])
            name = grid.names[int(hexes[bad])]
            raise NotFoundError(
                f"vertex {vertex[bad]} of hex {name} lies off {board.name}",
                place=board.place.within(Place(cell=name)),
            )

    def _refuse(self, hexes: Ints, above: Ints, bad: int) -> None:
        board = self.ground.board
        board.level(int(hexes[bad]), int(above[bad]))
        name = board.grid.names[int(hexes[bad])]
        raise NotFoundError(
            f"no level {above[bad]} in {name}", place=board.place.within(Place(cell=name))
        )


class Lines:
    """Lines from ends `a` to ends `b`; `a` is the end whose hex comes first by name."""

    def __init__(self, ground: Ground, a: Ends, b: Ends, swapped: Flags) -> None:
        self.raised_a, self.raised_b = _raised(ground, a, b)
        self.sloped = bool(self.raised_a.any() or self.raised_b.any())
        """Whether slopes matter to any of them."""
        if self.sloped:
            a = replace(a, level=a.level + self.raised_a)
            b = replace(b, level=b.level + self.raised_b)
        self.ground, self.a, self.b, self.swapped = ground, a, b, swapped
        self.high = np.maximum(a.level, b.level)
        self.low = np.minimum(a.level, b.level)
        self.any_vertex = bool(a.at_vertex.any() or b.at_vertex.any())

    @classmethod
    def between(cls, table: EndTable, one: Spots, two: Spots) -> Lines:
        """The lines between spots, whichever way they are asked for."""
        ground = table.ground
        swapped = ground.direction.backward(one[0], two[0])
        same = one[0] == two[0]
        if same.any():
            swapped |= same & (one[1] > two[1])
        if not swapped.any():
            return cls(ground, table.ends(*one), table.ends(*two), swapped)
        a = table.ends(*_chosen(swapped, two, one))
        b = table.ends(*_chosen(swapped, one, two))
        return cls(ground, a, b, swapped)

    @classmethod
    def joining(cls, ground: Ground, one: Ends, two: Ends) -> Lines:
        """The lines between ends that are there already, whichever of the two comes first."""
        swapped = ground.direction.backward(one.hex, two.hex)
        return cls(ground, _ends_of(swapped, two, one), _ends_of(swapped, one, two), swapped)

    def __len__(self) -> int:
        return int(self.high.size)

    @cached_property
    def range(self) -> Ints:
        """How many hexes from end to end."""
        return self.ground.board.grid.range(self.a.hex, self.b.hex)

    @cached_property
    def sunken_a(self) -> Ints:
        """How many hexsides of its depression each line follows from end a."""
        return self._sunken(self.a, self.b)

    @cached_property
    def sunken_b(self) -> Ints:
        """The same from end b."""
        return self._sunken(self.b, self.a)

    def _sunken(self, end: Ends, other: Ends) -> Ints:
        found = np.zeros(len(self), np.int64)
        chosen = np.flatnonzero(end.in_depression & ~other.at_vertex)
        found[chosen] = sunken_sides(self.ground, end.hex[chosen], other.hex[chosen])
        return found

    @cached_property
    def hillock_by_a(self) -> Ints:
        """The hillock in the hex that each line enters first from end a, or NO_HILLOCK."""
        return self._hillock_by(self.a, self.b)

    @cached_property
    def hillock_by_b(self) -> Ints:
        """The same from end b."""
        return self._hillock_by(self.b, self.a)

    @cached_property
    def on_hillock(self) -> Flags:
        """Which lines have an end on a hillock."""
        hillock = self.ground.hillock
        if hillock is None:
            return np.zeros(len(self), np.bool_)
        by_a: Flags = (hillock[self.a.hex] != NO_HILLOCK) & ~self.a.at_vertex
        by_b: Flags = (hillock[self.b.hex] != NO_HILLOCK) & ~self.b.at_vertex
        return by_a | by_b

    def _hillock_by(self, end: Ends, other: Ends) -> Ints:
        grid, hillock = self.ground.board.grid, self.ground.hillock
        found = np.full(len(self), NO_HILLOCK, np.int64)
        if hillock is None:
            return found
        right = grid.column[other.hex] - grid.column[end.hex]
        down = grid.half_row[other.hex] - grid.half_row[end.hex]
        # The two hexes beside a vertex are next to each other: there is one hillock at most.
        for side, leaves in sides_left_by(right, down):
            near = grid.neighbours[end.hex, side]
            there = leaves & (near != NONE) & ~end.at_vertex
            found = np.maximum(found, np.where(there, hillock[near], NO_HILLOCK))
        return found

    @cached_property
    def sunken_way(self) -> Flags:
        """Which ends are adjacent across a hexside of a depression."""
        grid, facts = self.ground.board.grid, self.ground.board.facts
        found = np.zeros(len(self), np.bool_)
        for side in range(6):
            bottom = self.ground.traits.take(facts.side_ground[self.a.hex, side])
            sunken = (bottom & int(Trait.DEPRESSION)) != 0
            found |= (grid.neighbours[self.a.hex, side] == self.b.hex) & sunken
        return found

    @cached_property
    def vertex_of_a(self) -> Ints:
        """The vertex of hex a through which the line leaves along a hexside, or -1.

        Such lines go from centre to centre in the direction of a vertex.
        """
        vertex = vertex_towards(self.ground.board.grid, self.a.hex, self.b.hex)
        return np.where(self.a.at_vertex | self.b.at_vertex, NO_VERTEX, vertex)

    @cached_property
    def vertex_of_b(self) -> Ints:
        """The same seen from end b."""
        return np.where(self.vertex_of_a < 0, -1, (self.vertex_of_a + 3) % 6)


def _ends_of(chosen: Flags, one: Ends, two: Ends) -> Ends:
    """The chosen ones of the first ends, and the others of the second."""
    return Ends(
        *(np.where(chosen, getattr(one, f.name), getattr(two, f.name)) for f in fields(Ends))
    )


def _raised(ground: Ground, a: Ends, b: Ends) -> tuple[Ints, Ints]:
    """How much slopes lift the ends: half a level where no other end is higher, ASL-SLOPE-1."""
    slope, grid = ground.board.facts.slope, ground.board.grid
    none = np.zeros(a.hex.shape, np.int64)
    if not slope.any():
        return none, none
    centred = ~a.at_vertex & ~b.at_vertex
    one = down_slope(slope, grid, a.hex, b.hex) & (a.level >= b.level) & centred
    two = down_slope(slope, grid, b.hex, a.hex) & (b.level >= a.level) & centred
    return one.astype(np.int64), two.astype(np.int64)


def _chosen(chosen: Flags, one: Spots, two: Spots) -> Spots:
    vertex = None
    if one[2] is not None and two[2] is not None:
        vertex = np.where(chosen, one[2], two[2])
    return np.where(chosen, one[0], two[0]), np.where(chosen, one[1], two[1]), vertex
