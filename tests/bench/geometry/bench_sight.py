"""What sight costs beside a bare index query of the same lines."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Hashable, Iterable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import shapely
from ratio import Ratio, compare, spent

from hexmarshal.geometry.lattice.hexes import Hex, centre_lattice
from hexmarshal.geometry.lattice.squares import Square
from hexmarshal.geometry.sight.fields import packed_map
from hexmarshal.geometry.sight.line_batch import judge_lines
from hexmarshal.geometry.sight.line_of_sight import DEFAULT_RULE, line_of_sight, passed
from hexmarshal.geometry.terrain.outlines import Polygon
from hexmarshal.geometry.terrain.terrain_map import Shape, SightEffect, TerrainMap, TerrainType


def board(columns: int = 33, rows: int = 10, polygons: int = 120) -> TerrainMap:
    """A board with outlines of woods and grain, corners at hundredths of a lattice step."""
    cells = [Hex.from_offset(c, r) for c in range(columns) for r in range(rows)]
    return with_outlines({h: f"{h.q + 1:02}{h.to_offset()[1] + 1:02}" for h in cells}, polygons)


def squares(columns: int = 33, rows: int = 10, polygons: int = 120) -> TerrainMap:
    """The same of squares, the outlines as large beside them as beside hexes."""
    cells = [Square(c, r) for c in range(columns) for r in range(rows)]
    return with_outlines({s: f"{s.column + 1:02}{s.row + 1:02}" for s in cells}, polygons)


def with_outlines(names: dict[Hashable, str], polygons: int) -> TerrainMap:
    rng = random.Random(33)
    cells = list(names)
    shapes = []
    for k in range(polygons):
        cell = rng.choice(cells)
        is_hex = isinstance(cell, Hex)
        x, y = centre_lattice(cell) if is_hex else (cell.column, cell.row)
        corners, size = rng.randint(4, 9), rng.uniform(0.6, 2.2) * (1 if is_hex else 0.4)
        wide, high = (2, 1) if is_hex else (0.5, 0.5)
        x, y = x + rng.uniform(-wide, wide), y + rng.uniform(-high, high)
        ring = []
        for i in range(corners):
            turn, reach = 2 * math.pi * i / corners, size * rng.uniform(0.6, 1)
            at = x + reach * math.cos(turn), y + 0.6 * reach * math.sin(turn)
            ring.append(tuple(Fraction(round(v * 100), 100) for v in at))
        shapes.append(Shape(f"{k}", rng.choice(("woods", "grain")), Polygon.of(ring)))
    return TerrainMap(
        names,
        {
            "woods": TerrainType("woods", SightEffect.OBSTACLE, Fraction(1)),
            "grain": TerrainType("grain", SightEffect.HINDRANCE, Fraction(1)),
        },
        shapes=tuple(shapes),
    )


def measure() -> Iterable[Ratio]:
    terrain = board()
    field = packed_map(terrain)
    tree = shapely.STRtree(
        [
            shapely.Polygon([(float(x), float(y)) for x, y in s.outline.rings[0]])
            for s in terrain.shapes
        ]
    )
    centres = np.array([centre_lattice(h) for h in field.cells_in_order], dtype=float)
    start, end = np.triu_indices(len(field.cells_in_order), 1)
    lines = shapely.linestrings(np.stack([centres[start], centres[end]], axis=1))

    # Past the cache of results: every line is judged anew in each round.
    yield compare(
        f"all-pairs sight / STRtree intersects, {len(lines)} lines",
        lambda: judge_lines(field, start, end, DEFAULT_RULE),
        lambda: tree.query(lines, predicate="intersects"),
        1.5,
    )

    some = random.Random(7).sample(range(len(lines)), 3000)
    pairs = [(field.cells_in_order[start[k]], field.cells_in_order[end[k]]) for k in some]
    queries = [lines[k] for k in some]

    def ours() -> None:
        for a, b in pairs:
            line_of_sight(terrain, a, b)

    def bare() -> None:
        for line in queries:
            tree.query(line)

    yield compare("one line_of_sight / one STRtree query, 3000 lines", ours, bare, 6, rounds=9)
    yield from squares_beside_hexes(terrain, pairs)


def squares_beside_hexes(
    hexes: TerrainMap, lines: list[tuple[Hashable, Hashable]]
) -> Iterable[Ratio]:
    """What a cell that a line passes costs on a map of squares and on one of hexes."""
    grid = squares()
    rng = random.Random(8)
    cells = list(grid.cells())
    others = [(rng.choice(cells), rng.choice(cells)) for _ in lines]
    for shapes in (True, False):
        maps = [(hexes, lines), (grid, others)]
        if not shapes:
            maps = [(in_cells(each), ends) for each, ends in maps]
        works = [
            lambda m=m, ends=ends: [line_of_sight(m, a, b) for a, b in ends] for m, ends in maps
        ]
        per_cell = [
            spent_per(work, sum(len(passed(m, a, b)) for a, b in ends))
            for work, (m, ends) in zip(works, maps, strict=True)
        ]
        what = "outlines" if shapes else "terrain in cells"
        yield Ratio(f"sight over squares / hexes, a cell, {what}", per_cell[1], per_cell[0], 1.2)


def in_cells(terrain: TerrainMap) -> TerrainMap:
    """A quarter of the cells with woods or grain instead of outlines."""
    rng = random.Random(9)
    some = {c: (rng.choice(("woods", "grain")),) for c in terrain.cells() if rng.random() < 0.25}
    return replace(terrain, shapes=(), cell_terrain=some)


def spent_per(work: Callable[[], object], cells: int) -> float:
    """Seconds for each cell; the shortest of some rounds counts, as noise only adds."""
    return min(spent(work) for _ in range(9)) / cells
