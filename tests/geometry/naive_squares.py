"""Sight over squares the slow way: quarters cut one by one with fractions, nothing of ours used.

It knows columns and rows as pairs of fractions. Squares of the grid lie at whole numbers, tiles
across the grid at halves, on top. A quarter of a square belongs to what lies on top of it.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import ceil, floor

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
Pair = tuple[Fraction, Fraction]


def owner(x: Fraction, y: Fraction, tiles: set[Pair]) -> Pair:
    """What a point inside a quarter belongs to."""
    for column, row in tiles:
        if abs(x - column) < HALF and abs(y - row) < HALF:
            return column, row
    return Fraction(floor(x + HALF)), Fraction(floor(y + HALF))


def crossed(a: Pair, b: Pair, tiles: set[Pair]) -> tuple[set[Pair], list[tuple[Pair, Pair]]]:
    """The squares that a line goes into, and the pairs that it passes between."""
    cells: set[Pair] = set()
    shares = {Fraction(0), Fraction(1)}
    for p, q in ((a[0], b[0]), (a[1], b[1])):
        low, high = min(p, q), max(p, q)
        lines = [Fraction(k, 2) for k in range(ceil(2 * low), floor(2 * high) + 1)]
        shares |= {(line - p) / (q - p) for line in lines if p != q}
    steps = sorted(shares)
    dx, dy = b[0] - a[0], b[1] - a[1]
    runs: set[tuple[Pair, Pair]] = set()
    for low, high in pairwise(steps):
        t = (low + high) / 2
        x, y = a[0] + t * dx, a[1] + t * dy
        # To both hands of the line, nearer than anything else is: the same unless on an edge.
        eps = Fraction(1, 1000)
        left = owner(x - dy * eps, y + dx * eps, tiles)
        right = owner(x + dy * eps, y - dx * eps, tiles)
        if left == right:
            cells.add(left)
        else:
            runs.add((min(left, right), max(left, right)))
    pairs = sorted(runs)
    for t in steps[1:-1]:
        x, y = a[0] + t * dx, a[1] + t * dy
        if (2 * x).denominator != 1 or (2 * y).denominator != 1 or not dx or not dy:
            continue
        sx, sy = (QUARTER if dx > 0 else -QUARTER), (QUARTER if dy > 0 else -QUARTER)
        before, after = owner(x - sx, y - sy, tiles), owner(x + sx, y + sy, tiles)
        flanks = owner(x + sx, y - sy, tiles), owner(x - sx, y + sy, tiles)
        if not {before, after} & set(flanks):
            pairs.append((min(flanks), max(flanks)))
    return cells, pairs


def sight(
    a: Pair,
    b: Pair,
    tiles: set[Pair],
    obstacles: set[Pair],
    hindrances: dict[Pair, int],
    *,
    more: bool,
) -> tuple[bool, int]:
    """Blocked or not and the hindrance, where heights do not matter."""

    def weight(cell: Pair) -> tuple[bool, int]:
        if cell in (a, b):
            return False, 0
        blocks = cell in obstacles
        return blocks, 0 if blocks else hindrances.get(cell, 0)

    cells, pairs = crossed(a, b, tiles)
    met = [weight(cell) for cell in cells]
    met += [(max if more else min)(weight(one), weight(other)) for one, other in pairs]
    return any(blocks for blocks, _ in met), sum(value for _, value in met)
