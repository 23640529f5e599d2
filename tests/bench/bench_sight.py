"""What sight costs beside a bare index query of the same lines."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from fractions import Fraction

import numpy as np
import shapely
from ratio import Ratio, compare

from hexmarshal.geometry.fields import _packed
from hexmarshal.geometry.hexes import Hex, centre_lattice
from hexmarshal.geometry.lines import judge_lines
from hexmarshal.geometry.outlines import Polygon
from hexmarshal.geometry.sight import DEFAULT_RULE, line_of_sight
from hexmarshal.geometry.terrain import Shape, SightEffect, TerrainMap, TerrainType


def board(columns: int = 33, rows: int = 10, polygons: int = 120) -> TerrainMap:
    """A board with outlines of woods and grain, corners at hundredths of a lattice step."""
    rng = random.Random(33)
    cells = [Hex.from_offset(c, r) for c in range(columns) for r in range(rows)]
    shapes = []
    for k in range(polygons):
        x, y = centre_lattice(rng.choice(cells))
        corners, size = rng.randint(4, 9), rng.uniform(0.6, 2.2)
        x, y = x + rng.uniform(-2, 2), y + rng.uniform(-1, 1)
        ring = []
        for i in range(corners):
            turn, reach = 2 * math.pi * i / corners, size * rng.uniform(0.6, 1)
            at = x + reach * math.cos(turn), y + 0.6 * reach * math.sin(turn)
            ring.append(tuple(Fraction(round(v * 100), 100) for v in at))
        shapes.append(Shape(f"{k}", rng.choice(("woods", "grain")), Polygon.of(ring)))
    return TerrainMap(
        {h: f"{h.q + 1:02}{h.to_offset()[1] + 1:02}" for h in cells},
        {
            "woods": TerrainType("woods", SightEffect.OBSTACLE, Fraction(1)),
            "grain": TerrainType("grain", SightEffect.HINDRANCE, Fraction(1)),
        },
        shapes=tuple(shapes),
    )


def measure() -> Iterable[Ratio]:
    terrain = board()
    field = _packed(terrain)
    tree = shapely.STRtree(
        [
            shapely.Polygon([(float(x), float(y)) for x, y in s.outline.rings[0]])
            for s in terrain.shapes
        ]
    )
    centres = np.array([centre_lattice(h) for h in field.hexes], dtype=float)
    start, end = np.triu_indices(len(field.hexes), 1)
    lines = shapely.linestrings(np.stack([centres[start], centres[end]], axis=1))

    # Past the cache of results: every line is judged anew in each round.
    yield compare(
        f"all-pairs sight / STRtree intersects, {len(lines)} lines",
        lambda: judge_lines(field, start, end, DEFAULT_RULE),
        lambda: tree.query(lines, predicate="intersects"),
        1.5,
    )

    some = random.Random(7).sample(range(len(lines)), 3000)
    pairs = [(field.hexes[start[k]], field.hexes[end[k]]) for k in some]
    queries = [lines[k] for k in some]

    def ours() -> None:
        for a, b in pairs:
            line_of_sight(terrain, a, b)

    def bare() -> None:
        for line in queries:
            tree.query(line)

    yield compare("one line_of_sight / one STRtree query, 3000 lines", ours, bare, 6, rounds=9)
