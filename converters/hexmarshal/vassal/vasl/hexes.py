"""What the pixels of a board say about its hexes: ground, inherent terrain, hexsides, buildings."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

import numpy as np

from hexmarshal.vassal.vasl.catalogue import Category
from hexmarshal.vassal.vasl.grid import NONE, HexGrid

if TYPE_CHECKING:
    import numpy.typing as npt

    from hexmarshal.vassal.vasl.catalogue import Catalogue

    Codes = npt.NDArray[np.uint8]
    Flags = npt.NDArray[np.bool_]

__all__ = ["ABSENT", "HexFacts", "Pixels", "facts_of", "weights", "zones"]

ABSENT = 255
"""The code of no terrain."""


@dataclass(frozen=True, slots=True, eq=False)
class Pixels:
    """The rasters of a board, by row and column: terrain code, elevation, and hex."""

    terrain: Codes
    elevation: npt.NDArray[np.int8]
    owner: npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class HexFacts:
    """One entry a hex; hexsides run clockwise from the top."""

    centre: Codes
    """The terrain of the hex as a whole: what its centre shows, or what is inherent in it."""
    base: npt.NDArray[np.int8]
    """The elevation of the ground at the centre."""
    building: Codes
    """The building of the hex, even where its drawing misses the centre; or ABSENT."""
    multi: Flags
    """Whether that building goes on in another hex."""
    bridge: Codes
    bridge_level: npt.NDArray[np.int8]
    side: Codes
    """The hexside terrain of each hexside, or ABSENT."""
    side_ground: Codes
    """The terrain at the middle of each hexside."""
    stairway: Flags
    slope: Flags
    embankment: Flags
    partial_orchard: Flags

    def take(self, order: npt.NDArray[np.int64], turn: int = 0) -> HexFacts:
        """The facts of these hexes in this order, hexsides turned by so many sixths."""
        turned = [(side + turn) % 6 for side in range(6)]
        parts = {}
        for field in fields(self):
            values = getattr(self, field.name)[order]
            parts[field.name] = values[:, turned] if values.ndim == 2 else values
        return HexFacts(**parts)

    def joined(self, other: HexFacts) -> HexFacts:
        """These facts followed by those of other hexes."""
        parts = {
            f.name: np.concatenate([getattr(self, f.name), getattr(other, f.name)])
            for f in fields(self)
        }
        return HexFacts(**parts)

    def with_flags(
        self, *, stairway: Flags, slope: Flags, embankment: Flags, partial_orchard: Flags
    ) -> HexFacts:
        """The same with what the board lists but does not draw."""
        return replace(
            self,
            stairway=stairway,
            slope=slope,
            embankment=embankment,
            partial_orchard=partial_orchard,
        )


def facts_of(grid: HexGrid, pixels: Pixels, catalogue: Catalogue) -> HexFacts:
    """Read the facts off the pixels."""
    look = _Look(grid, pixels, catalogue)
    n = len(grid.names)
    centre, base = look.centres()
    ground = look.at_sides(1)
    building = look.buildings(centre, ground)
    inherent = look.inherent()
    bridge, bridge_level = look.bridges(base)
    none6 = np.zeros((n, 6), np.bool_)
    whole = np.where(building != ABSENT, building, centre)
    return HexFacts(
        centre=np.where(inherent != ABSENT, inherent, whole).astype(np.uint8),
        base=base,
        building=building,
        multi=np.any(look.is_building[ground], axis=1),
        bridge=bridge,
        bridge_level=bridge_level,
        side=look.hexsides(ground),
        side_ground=ground,
        stairway=np.zeros(n, np.bool_),
        slope=none6,
        embankment=none6,
        partial_orchard=none6,
    )


def weights(catalogue: Catalogue) -> npt.NDArray[np.int64]:
    """By code, how much each terrain counts beside others: buildings, then the highest."""
    weight = np.arange(256, dtype=np.int64)
    for code, terrain in catalogue.by_code.items():
        weight[code] += 1000 * (2 * terrain.height + terrain.half)
        weight[code] += 1_000_000 * terrain.is_building
    weight[ABSENT] = -1
    return weight


class _Look:
    """Looks at the pixels around hex centres and hexsides."""

    def __init__(self, grid: HexGrid, pixels: Pixels, catalogue: Catalogue) -> None:
        self.grid, self.pixels = grid, pixels
        known = [catalogue.by_code.get(code) for code in range(256)]
        self.is_building = np.array([t is not None and t.is_building for t in known])
        self.is_hexside = np.array([t is not None and t.is_hexside for t in known])
        self.is_inherent = np.array([t is not None and t.inherent for t in known])
        self.is_bridge = np.array([t is not None and t.category is Category.BRIDGE for t in known])
        self.weights = weights(catalogue)
        self.gap_makers = np.array([t is not None and t.name in {"Wall", "Hedge"} for t in known])

    def _around(self, x: npt.NDArray[np.int64], y: npt.NDArray[np.int64]) -> tuple[Codes, Codes]:
        """Terrain and elevation of the four pixels that touch each point; ABSENT off the board."""
        scale, height, width = self.grid.scale, *self.pixels.terrain.shape
        columns = np.stack([-(-x // scale) - 1, x // scale], axis=-1)[..., None, :]
        rows = np.stack([-(-y // scale) - 1, y // scale], axis=-1)[..., :, None]
        inside = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height)
        columns, rows = np.clip(columns, 0, width - 1), np.clip(rows, 0, height - 1)
        shape = (*x.shape, 4)
        terrain = np.where(inside, self.pixels.terrain[rows, columns], ABSENT).reshape(shape)
        level = np.where(inside, self.pixels.elevation[rows, columns], -128).reshape(shape)
        return terrain.astype(np.uint8), level

    def _most(self, codes: Codes) -> Codes:
        """Of the pixels around a point the terrain that counts: buildings, then the highest."""
        heaviest = self.weights[codes].argmax(axis=-1)[..., None]
        return np.take_along_axis(codes, heaviest, axis=-1)[..., 0]

    def centres(self) -> tuple[Codes, npt.NDArray[np.int8]]:
        """Terrain and elevation at each centre; of one off the board, at the edge beside it."""
        grid = self.grid
        x = np.clip(grid.x, 0, grid.width * grid.scale)
        y = np.clip(grid.y, 0, grid.height * grid.scale)
        terrain, level = self._around(x, y)
        level = np.where(terrain == ABSENT, 127, level)
        return self._most(terrain), level.min(axis=-1).astype(np.int8)

    def at_sides(self, inwards: int) -> Codes:
        """The terrain at the middle of each hexside, so many pixels towards the centre."""
        grid = self.grid
        spokes = np.array(grid.spokes)
        middle = (spokes + np.roll(spokes, -1, axis=0)) / 2
        length = np.hypot(middle[:, 0], middle[:, 1])[:, None]
        step = np.rint(middle * (1 - inwards * grid.scale / length)).astype(np.int64)
        terrain, _ = self._around(grid.x[:, None] + step[:, 0], grid.y[:, None] + step[:, 1])
        return self._most(terrain)

    def buildings(self, centre: Codes, ground: Codes) -> Codes:
        """The building of each hex: at its centre, at a hexside, or within five pixels."""
        found = np.where(self.is_building[centre], centre, ABSENT).astype(np.uint8)
        for side in range(6):
            code = ground[:, side]
            found = np.where((found == ABSENT) & self.is_building[code], code, found)
        near = 5 * self.grid.scale
        for dx, dy in ((0, -near), (0, near), (-near, 0), (near, 0)):
            code = self._most(self._around(self.grid.x + dx, self.grid.y + dy)[0])
            found = np.where((found == ABSENT) & self.is_building[code], code, found)
        return found.astype(np.uint8)

    def inherent(self) -> Codes:
        """The inherent terrain drawn in the middle of each hex, or ABSENT."""
        rows, columns = np.nonzero(self.is_inherent[self.pixels.terrain])
        owner = self.pixels.owner[rows, columns]
        code = self.pixels.terrain[rows, columns]
        middle = (zones(self.grid, owner, columns, rows) == 6) & (owner != NONE)
        found = np.full(len(self.grid.names), ABSENT, np.uint8)
        keys, counts = np.unique(
            owner[middle].astype(np.int64) * 256 + code[middle], return_counts=True
        )
        for key in keys[np.lexsort((keys, counts))]:
            found[key // 256] = key % 256
        return found

    def bridges(self, base: npt.NDArray[np.int8]) -> tuple[Codes, npt.NDArray[np.int8]]:
        """The bridge of each hex, or ABSENT, and the highest ground by the hex's centre."""
        rows, columns = np.nonzero(self.is_bridge[self.pixels.terrain])
        owner = self.pixels.owner[rows, columns]
        found = np.full(len(self.grid.names), ABSENT, np.uint8)
        inside = owner != NONE
        found[owner[inside]] = self.pixels.terrain[rows, columns][inside]
        level = base.copy()
        for index in np.flatnonzero(found != ABSENT):
            x, y = (
                int(self.grid.x[index]) // self.grid.scale,
                int(self.grid.y[index]) // self.grid.scale,
            )
            window = self.pixels.elevation[max(0, y - 5) : y + 5, max(0, x - 5) : x + 5]
            level[index] = max(int(base[index]), int(window.max(initial=-128)))
        return found, level

    def hexsides(self, ground: Codes) -> Codes:
        """The hexside terrain of each hexside, read at its middle, and at its quarters."""
        grid = self.grid
        own = np.where(self.is_hexside[ground], ground, ABSENT).astype(np.uint8)
        spokes = np.array(grid.spokes)
        following = np.roll(spokes, -1, axis=0)
        for quarter in ((3 * spokes + following) // 4, (spokes + 3 * following) // 4):
            at = quarter * 31 // 32
            code = self._most(
                self._around(grid.x[:, None] + at[:, 0], grid.y[:, None] + at[:, 1])[0]
            )
            own = np.where((own == ABSENT) & self.gap_makers[code], code, own).astype(np.uint8)
        across = np.full_like(own, ABSENT)
        for side in range(6):
            other = grid.neighbours[:, side]
            across[:, side] = np.where(other == NONE, ABSENT, own[other, (side + 3) % 6])
        return np.minimum(own, across)


def zones(
    grid: HexGrid,
    owner: npt.NDArray[np.int32],
    columns: npt.NDArray[np.int64],
    rows: npt.NDArray[np.int64],
) -> npt.NDArray[np.int8]:
    """For pixels of hexes: the hexside whose middle is nearest, or 6 if the centre is nearer."""
    x = (2 * columns + 1) * grid.scale - 2 * grid.x[owner]
    y = (2 * rows + 1) * grid.scale - 2 * grid.y[owner]
    spokes = np.array(grid.spokes)
    middles = spokes + np.roll(spokes, -1, axis=0)
    squares = [(x - mx) ** 2 + (y - my) ** 2 for mx, my in middles.tolist()]
    squares.append(x**2 + y**2)
    nearest: npt.NDArray[np.int64] = np.argmin(np.stack(squares), axis=0)
    # Of two hexsides the one that comes first clockwise, so that a half turn changes nothing.
    nearest = np.where((nearest == 0) & (squares[5] == squares[0]), 5, nearest)
    return nearest.astype(np.int8)
