"""Small maps full of coincidences: corners on vertices, edges on hexsides, lines through both."""

from __future__ import annotations

import random
from fractions import Fraction

from hexmarshal.errors import GeometryError
from hexmarshal.geometry.lattice.hex_route import lattice_point
from hexmarshal.geometry.lattice.hexes import Hex, centre_lattice
from hexmarshal.geometry.terrain.outlines import Polygon, Polyline
from hexmarshal.geometry.terrain.points import Point
from hexmarshal.geometry.terrain.terrain_map import Shape, SightEffect, TerrainMap, TerrainType

TYPES = {
    kind.name: kind
    for kind in (
        TerrainType("woods", SightEffect.OBSTACLE, Fraction(1)),
        TerrainType("house", SightEffect.OBSTACLE, Fraction(2)),
        TerrainType("grain", SightEffect.HINDRANCE, Fraction(1, 2)),
        TerrainType("smoke", SightEffect.HINDRANCE, Fraction(2), hindrance=2),
        TerrainType("wall", SightEffect.OBSTACLE, Fraction(1, 2)),
        TerrainType("marsh"),
    )
}


def random_map(
    seed: int,
    *,
    columns: int = 7,
    rows: int = 6,
    shapes: int = 6,
    hills: bool = True,
    cells: int = 5,
) -> TerrainMap:
    rng = random.Random(seed)
    hexes = [Hex.from_offset(c, r) for c in range(columns) for r in range(rows)]
    kinds = list(TYPES)
    sides = [side for h in hexes for side in h.sides()]
    return TerrainMap(
        names={h: f"{i:03}" for i, h in enumerate(hexes)},
        types=TYPES,
        levels={
            h: Fraction(rng.choice((1, 1, 2, -1, Fraction(1, 2)))) for h in rng.sample(hexes, 8)
        }
        if hills
        else {},
        cell_terrain={h: (rng.choice(kinds),) for h in rng.sample(hexes, cells)},
        side_terrain={s: (rng.choice(kinds),) for s in rng.sample(sides, cells)},
        vertex_terrain={rng.choice(h.vertices()): ("wall",) for h in rng.sample(hexes, cells // 3)},
        shapes=tuple(
            Shape(
                f"s{k}",
                rng.choice(kinds),
                random_outline(rng, hexes),
                Fraction(rng.choice((0, 0, 1))),
                rng.choice((None, None, Fraction(3, 2))),
            )
            for k in range(shapes)
        ),
    )


def random_outline(rng: random.Random, hexes: list[Hex]) -> Polygon | Polyline:
    cell = rng.choice(hexes)
    if rng.random() < 0.3:
        return Polygon((tuple(lattice_point(v) for v in cell.vertices()),))
    x, y = centre_lattice(cell)
    over = rng.choice((1, 2, 3))
    while True:
        points = [
            Point(
                x + Fraction(rng.randint(-4 * over, 4 * over), over),
                y + Fraction(rng.randint(-3 * over, 3 * over), over),
            )
            for _ in range(rng.randint(3, 6))
        ]
        try:
            if rng.random() < 0.25:
                return Polyline(tuple(points[:3]))
            return Polygon((tuple(points),))
        except GeometryError:
            continue


def random_place(rng: random.Random, terrain: TerrainMap) -> object:
    """Mostly a hex; else a hexside, a vertex or any point in a hex."""
    cell = rng.choice(list(terrain.cells()))
    choice = rng.random()
    if choice < 0.6:
        return cell
    if choice < 0.75:
        return rng.choice(cell.vertices())
    if choice < 0.9:
        return rng.choice(cell.sides())
    x, y = centre_lattice(cell)
    return Point(x + Fraction(rng.randint(-3, 3), 3), y + Fraction(rng.randint(-3, 3), 3))
