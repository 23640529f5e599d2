"""A map prepared for lines of sight: integers for shapes and levels, tables for look-ups."""

from __future__ import annotations

from math import lcm
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from hexmarshal.geometry.terrain.outlines import Outline, Polygon
from hexmarshal.geometry.terrain.terrain_map import Shape, SightEffect, TerrainMap, TerrainType

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
    from fractions import Fraction

    from hexmarshal.geometry.terrain.points import Point

__all__ = ["Feature", "Obstruction", "PreparedShape", "SightIndex"]

IntPoint = tuple[int, int]
Scalar: TypeAlias = "int | Fraction"
_MOST_EXTENTS = 1 << 20


class Feature(NamedTuple):
    """A terrain that matters to sight, somewhere; `top` is in the index's units of level."""

    terrain: str
    obstacle: bool
    top: int
    value: int


class Obstruction(NamedTuple):
    """An obstacle or a hindrance: its terrain, and its cell, side, vertex or the shape's name."""

    effect: SightEffect
    place: Hashable
    terrain: str
    value: int

    @classmethod
    def of(cls, feature: Feature, place: Hashable) -> Obstruction:
        """A terrain found in the way at a place."""
        if feature.obstacle:
            return cls(SightEffect.OBSTACLE, place, feature.terrain, 0)
        return cls(SightEffect.HINDRANCE, place, feature.terrain, feature.value)


class PreparedShape(NamedTuple):
    """A shape in integers: its chains and its box; and what it is if met."""

    shape: Shape
    feature: Feature
    finding: Obstruction
    chains: tuple[tuple[IntPoint, ...], ...]
    box: tuple[int, int, int, int]
    is_area: bool


class SightIndex:
    """Made once for a map.

    One unit of length per axis makes every corner an integer, since stretching an axis moves no
    point to another side of a line; one unit of level does the same for every level.
    """

    def __init__(self, terrain: TerrainMap) -> None:
        self.terrain = terrain
        self.tiling = tiling = terrain.tiling
        points = [p for s in terrain.shapes for chain in s.outline.chains for p in chain]
        self.unit_x = lcm(*(p.x.denominator for p in points), 2)
        self.unit_y = lcm(*(p.y.denominator for p in points), 2)
        self.level_unit = lcm(
            *(value.denominator for value in terrain.levels.values()),
            *(kind.height.denominator for kind in terrain.types.values()),
            *(v.denominator for s in terrain.shapes for v in (s.base, terrain.height(s))),
        )
        # Where all ground is at level 0 nothing needs to be looked up; off the map there is none.
        self.ground = (
            {tiling.key(c): self.level(terrain.level(c)) for c in terrain.cells()}
            if any(terrain.levels.values())
            else {}
        )
        self.lowest = min(self.ground.values(), default=0)
        self.highest = max(self.ground.values(), default=0)
        self.cell_features = self._features(terrain.cell_terrain, tiling.key)
        self.side_features = self._features(terrain.side_terrain, tiling.side_key)
        self.vertex_features = self._features(terrain.vertex_terrain, tiling.vertex_key)
        self.shapes = tuple(
            self._prepare(s)
            for s in terrain.shapes
            if terrain.types[s.terrain].sight is not SightEffect.OPEN
        )
        self.hulls = tuple(_hull(prepared.chains[0]) for prepared in self.shapes)
        self._extents: dict[tuple[Scalar, Scalar], dict[int, tuple[Scalar, Scalar]]] = {}
        self.shapes_in: dict[Hashable, tuple[int, ...]] = {}
        for number, prepared in enumerate(self.shapes):
            for cell in self.cells_of(prepared.shape):
                key = tiling.key(cell)
                self.shapes_in[key] = (*self.shapes_in.get(key, ()), number)
        self._neighbours: dict[Hashable, tuple[Hashable, ...]] | None = None

    def extents(self, dx: Scalar, dy: Scalar) -> dict[int, tuple[Scalar, Scalar]]:
        """By shape, how far it reaches to both sides of a direction; filled in by who asks.

        Lines between cells have few directions, so that on a map in use most is known already. The
        table starts anew when it has grown to some million entries.
        """
        known = self._extents.get((dx, dy))
        if known is None:
            if len(self._extents) * len(self.shapes) > _MOST_EXTENTS:
                self._extents.clear()
            known = self._extents[dx, dy] = {}
        return known

    def level(self, value: Fraction | int) -> int:
        """A level of the map in units, exactly."""
        return int(value * self.level_unit)

    def scaled(self, point: Point) -> tuple[int | Fraction, int | Fraction]:
        """A point in the index's units of length; whole numbers as integers."""
        x, y = point.x * self.unit_x, point.y * self.unit_y
        return (
            x.numerator if x.denominator == 1 else x,
            y.numerator if y.denominator == 1 else y,
        )

    def cells_of(self, shape: Shape) -> list[Hashable]:
        """The cells that a shape meets, were it only in a corner."""
        met = self.tiling.cells_met(shape.outline)
        if met is not None:
            return list(met)
        terrain = self.terrain
        return [c for c in terrain.cells() if _meets(shape.outline, terrain.outline(c))]

    def neighbours(self, cell: Hashable) -> tuple[Hashable, ...]:
        """The cells that share more than a corner with one, on a map of areas."""
        if self._neighbours is None:
            cells = list(self.terrain.cells())
            beside: dict[Hashable, list[Hashable]] = {c: [] for c in cells}
            for i, one in enumerate(cells):
                for other in cells[i + 1 :]:
                    if _share_side(self.terrain.outline(one), self.terrain.outline(other)):
                        beside[one].append(other)
                        beside[other].append(one)
            self._neighbours = {c: tuple(found) for c, found in beside.items()}
        self.terrain.name(cell)
        return self._neighbours[cell]

    def _feature(self, kind: TerrainType, base: Fraction, height: Fraction) -> Feature:
        obstacle = kind.sight is SightEffect.OBSTACLE
        return Feature(kind.name, obstacle, self.level(base + height), kind.hindrance)

    def _features(
        self,
        layer: Mapping[Hashable, tuple[str, ...]],
        key_of: Callable[[Hashable], Hashable],
    ) -> dict[Hashable, tuple[Feature, ...]]:
        found: dict[Hashable, tuple[Feature, ...]] = {}
        for place, names in layer.items():
            base = max(map(self.terrain.level, self.tiling.owners(place)))
            features = tuple(
                self._feature(kind, base, kind.height)
                for kind in map(self.terrain.types.__getitem__, names)
                if kind.sight is not SightEffect.OPEN
            )
            if features:
                found[key_of(place)] = features
        return found

    def _prepare(self, shape: Shape) -> PreparedShape:
        kind = self.terrain.types[shape.terrain]
        chains = tuple(
            tuple((int(p.x * self.unit_x), int(p.y * self.unit_y)) for p in chain)
            for chain in shape.outline.chains
        )
        xs, ys = [x for x, _ in chains[0]], [y for _, y in chains[0]]
        feature = self._feature(kind, shape.base, self.terrain.height(shape))
        return PreparedShape(
            shape,
            feature,
            Obstruction.of(feature, shape.name),
            chains,
            (min(xs), min(ys), max(xs), max(ys)),
            isinstance(shape.outline, Polygon),
        )


def _hull(points: Sequence[IntPoint]) -> tuple[IntPoint, ...]:
    """The corners of the convex hull: a line misses a shape on one side if it misses these."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return tuple(ordered)

    def half(walk: Iterable[IntPoint]) -> list[IntPoint]:
        chain: list[IntPoint] = []
        for x, y in walk:
            while len(chain) > 1:
                (ax, ay), (bx, by) = chain[-2:]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0:
                    break
                chain.pop()
            chain.append((x, y))
        return chain[:-1]

    return tuple(half(ordered) + half(reversed(ordered)))


def _meets(outline: Outline, cell: Polygon) -> bool:
    if any(cell.contacts(a, b) for a, b in outline.edges()):
        return True
    return isinstance(outline, Polygon) and outline.side_of(cell.rings[0][0]) > 0


def _share_side(one: Polygon, other: Polygon) -> bool:
    return any(c.start < c.end for a, b in one.edges() for c in other.contacts(a, b))
