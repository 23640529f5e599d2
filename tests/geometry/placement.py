"""Puts maps elsewhere: shifted, turned by 60 degrees, mirrored, one beside another."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from hexmarshal.errors import GeometryError, Place
from hexmarshal.geometry.lattice.hexes import ORIGIN, Hex, Hexside, Vertex, centre_lattice
from hexmarshal.geometry.terrain.points import Affine

if TYPE_CHECKING:
    from collections.abc import Hashable

    from hexmarshal.geometry.terrain.points import Point
    from hexmarshal.geometry.terrain.terrain_map import TerrainMap

TURN_60 = Affine.of(Fraction(1, 2), Fraction(-3, 2), 0, Fraction(1, 2), Fraction(1, 2), 0)
"""A turn of the hex lattice by 60 degrees clockwise about the origin, as `Hex.rotated(1)` does."""

MIRROR = Affine.of(-1, 0, 0, 0, 1, 0)
"""The hex lattice mirrored left to right, as `Hex.mirrored()` does."""


@dataclass(frozen=True, slots=True)
class Placement:
    """First mirrored left to right, then turned clockwise, then shifted; all exact."""

    shift: Hex = ORIGIN
    turns: int = 0
    mirror: bool = False

    def hex(self, hex: Hex) -> Hex:
        """Where a hex comes to lie."""
        return (hex.mirrored() if self.mirror else hex).rotated(self.turns) + self.shift

    def side(self, side: Hexside) -> Hexside:
        """Where a hexside comes to lie."""
        return Hexside.between(*(self.hex(h) for h in side.hexes))

    def vertex(self, vertex: Vertex) -> Vertex:
        """Where a vertex comes to lie."""
        one, other, third = (self.hex(h) for h in vertex.hexes)
        around = {one, other, third}
        return next(v for v in one.vertices() if set(v.hexes) == around)

    @property
    def affine(self) -> Affine:
        """The same for points of the lattice."""
        result = MIRROR if self.mirror else Affine.shift(0, 0)
        for _ in range(self.turns % 6):
            result = result.then(TURN_60)
        return result.then(Affine.shift(*centre_lattice(self.shift)))

    def point(self, point: Point) -> Point:
        """Where a lattice point comes to lie."""
        return self.affine(point)

    def place(self, place: Hashable) -> Hashable:
        """Where a hex, a hexside or a vertex comes to lie."""
        if isinstance(place, Hexside):
            return self.side(place)
        if isinstance(place, Vertex):
            return self.vertex(place)
        if isinstance(place, Hex):
            return self.hex(place)
        raise GeometryError("only hexes can be placed", place=Place(cell=str(place)))

    def map(self, terrain: TerrainMap) -> TerrainMap:
        """The whole map in its new place; it has no pixels of its own any more."""
        affine = self.affine
        return replace(
            terrain,
            names={self.place(c): name for c, name in terrain.names.items()},
            levels={self.place(c): level for c, level in terrain.levels.items()},
            cell_terrain={self.place(c): t for c, t in terrain.cell_terrain.items()},
            side_terrain={self.place(s): t for s, t in terrain.side_terrain.items()},
            vertex_terrain={self.place(v): t for v, t in terrain.vertex_terrain.items()},
            shapes=tuple(replace(s, outline=s.outline.mapped(affine)) for s in terrain.shapes),
            paths=tuple(replace(p, cells=tuple(map(self.place, p.cells))) for p in terrain.paths),
            layout=None,
            grid=None,
        )


def beside(one: TerrainMap, other: TerrainMap, prefix: str = "") -> TerrainMap:
    """Both maps as one; `prefix` goes before the names of the second, where boards repeat names.

    A cell may be on both (boards often share half a row of hexes); what the two say about it, or
    about a side or a terrain, must then agree.
    """
    merged: dict[str, dict[Hashable, object]] = {}
    for layer in ("types", "levels", "cell_terrain", "side_terrain", "vertex_terrain"):
        both = dict(getattr(one, layer))
        for key, value in getattr(other, layer).items():
            if both.setdefault(key, value) != value:
                raise GeometryError(
                    f"the maps do not agree: {both[key]} or {value}",
                    place=Place(field=layer, cell=one.describe(key)),
                )
        merged[layer] = both
    names = {cell: prefix + name for cell, name in other.names.items()} | dict(one.names)
    return replace(
        one,
        names={cell: names[cell] for cell in (*one.names, *(c for c in names if c not in one))},
        shapes=one.shapes + tuple(replace(s, name=prefix + s.name) for s in other.shapes),
        paths=one.paths + tuple(replace(p, name=prefix + p.name) for p in other.paths),
        grid=None,
        **merged,  # type: ignore[arg-type]
    )
