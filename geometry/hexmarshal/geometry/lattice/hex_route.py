"""What a straight line does on the hex lattice: hexes in order, hexsides, vertices, all exact.

A hex is where three linear forms of a point, y, x + y and x - y, stay within 1, 2 and 2 of their
values at the centre. So a line is cut to a hex by comparing fractions, and the hexes that it meets
are found by spreading from its start over neighbours that it meets too.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, lcm
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from hexmarshal.geometry.lattice.hexes import (
    CORNER_OFFSETS,
    DIRECTIONS,
    ORIGIN,
    Hex,
    Hexside,
    Vertex,
    centre_lattice,
    hexside_lattice_doubled,
    vertex_lattice,
)
from hexmarshal.geometry.terrain.points import Point

if TYPE_CHECKING:
    from collections.abc import Hashable

__all__ = [
    "CellSpan",
    "Piece",
    "SideCross",
    "SideRun",
    "VertexPass",
    "centre_route",
    "hex_cuts",
    "hex_pieces",
    "hexes_at",
    "lattice_point",
    "shifted",
    "without_run_ends",
]


class CellSpan(NamedTuple):
    """The line is inside a cell between two shares of its way."""

    cell: Hashable
    start: Fraction
    end: Fraction


class SideRun(NamedTuple):
    """The line runs exactly along the side between two cells."""

    side: Hashable
    cells: tuple[Hashable, Hashable]
    start: Fraction
    end: Fraction


class SideCross(NamedTuple):
    """The line crosses, or starts or ends on, a side away from its ends."""

    side: Hashable
    cells: tuple[Hashable, Hashable]
    at: Fraction


class VertexPass(NamedTuple):
    """The line passes, starts or ends exactly at a vertex."""

    vertex: Hashable
    cells: tuple[Hashable, ...]
    at: Fraction


Piece = CellSpan | SideRun | SideCross | VertexPass

_ZERO, _ONE = Fraction(0), Fraction(1)
# The sides of a hex where a form is at its lower and at its upper bound: y; x + y; x - y.
_FORM_SIDES = ((0, 3), (5, 2), (4, 1))


def lattice_point(place: Hex | Hexside | Vertex | Point) -> Point:
    """The lattice point of a hex's centre, a hexside's midpoint or a vertex."""
    if isinstance(place, Point):
        return place
    if isinstance(place, Hexside):
        x, y = hexside_lattice_doubled(place)
        return Point(Fraction(x, 2), Fraction(y, 2))
    x, y = vertex_lattice(place) if isinstance(place, Vertex) else centre_lattice(place)
    return Point(Fraction(x), Fraction(y))


def hexes_at(point: Point) -> tuple[Hex, ...]:
    """The hexes that a point is in: one, two if it is on a hexside, three if on a vertex."""
    x, y = point
    return tuple(
        Hex(q, r)
        for q in range(ceil((x - 2) / 3), floor((x + 2) / 3) + 1)
        for r in range(ceil((y - q - 1) / 2), floor((y - q + 1) / 2) + 1)
        if abs(x - 3 * q) + abs(y - 2 * r - q) <= 2
    )


class _Cut(NamedTuple):
    """The part of the line in one closed hex; `side` if that part lies on its border."""

    start: Fraction
    end: Fraction
    side: int | None


def hex_cuts(start: Point, end: Point) -> dict[Hex, _Cut]:
    """Every hex that the closed line meets, with its part of the line."""
    # Integers throughout: `unit` of them to a lattice step; a share of the way is a pair (n, d).
    unit = lcm(*(value.denominator for value in (*start, *end)))
    (ax, ay), (bx, by) = ((int(p.x * unit), int(p.y * unit)) for p in (start, end))
    dx, dy = bx - ax, by - ay
    steps = (dy, dx + dy, dx - dy)
    reach = unit * max(2 * abs(dy), abs(dx) + abs(dy))
    found: dict[Hex, _Cut] = {}
    edge = list(hexes_at(start))
    seen = set(edge)
    while edge:
        here = edge.pop()
        q, r = here
        x, y = ax - 3 * q * unit, ay - (2 * r + q) * unit
        if abs(dx * y - dy * x) > reach:
            continue
        cut = _cut((y, x + y, x - y), steps, unit)
        if cut is None:
            continue
        found[here] = cut
        for direction in DIRECTIONS:
            beside = here + direction
            if beside not in seen:
                seen.add(beside)
                edge.append(beside)
    return found


def _cut(values: tuple[int, int, int], steps: tuple[int, int, int], unit: int) -> _Cut | None:
    """Cut the line to a hex, from the forms at its start and their growth to its end."""
    low, low_over, high, high_over = 0, 1, 1, 1
    side: int | None = None
    for k, (value, step) in enumerate(zip(values, steps, strict=True)):
        bound = unit if k == 0 else 2 * unit
        if step == 0:
            if abs(value) > bound:
                return None
            if abs(value) == bound:
                side = _FORM_SIDES[k][value > 0]
            continue
        over = abs(step)
        enter = -bound - value if step > 0 else value - bound
        leave = bound - value if step > 0 else value + bound
        if enter * low_over > low * over:
            low, low_over = enter, over
        if leave * high_over < high * over:
            high, high_over = leave, over
    if low * high_over > high * low_over:
        return None
    return _Cut(Fraction(low, low_over), Fraction(high, high_over), side)


def hex_pieces(start: Point, end: Point) -> tuple[Piece, ...]:
    """What the line from `start` to `end` does, in order, on the endless lattice."""
    if start == end:
        return _standing(start)
    cuts = hex_cuts(start, end)
    stretches: dict[Hashable, CellSpan | SideRun] = {}
    around: dict[tuple[int, int], list[Hex]] = {}
    for cell, (low, high, direction) in cuts.items():
        around.setdefault(low.as_integer_ratio(), []).append(cell)
        if low == high:
            continue
        around.setdefault(high.as_integer_ratio(), []).append(cell)
        if direction is None:
            stretches[cell] = CellSpan(cell, low, high)
        else:
            side = Hexside(cell, direction)
            stretches[side] = SideRun(side, side.hexes, low, high)
    pieces: list[Piece] = []
    for stretch in sorted(stretches.values(), key=attrgetter("start")):
        pieces.extend(_joint(around[stretch.start.as_integer_ratio()], start, end, stretch.start))
        pieces.append(stretch)
    pieces.extend(_joint(around[1, 1], start, end, _ONE))
    return tuple(without_run_ends(pieces))


def _joint(
    hexes: list[Hex], start: Point, end: Point, t: Fraction
) -> tuple[SideCross | VertexPass, ...]:
    """The vertex or the hexside at a point between stretches, if it is on one."""
    if len(hexes) == 3:
        vertex = _vertex_at(hexes[0], start.towards(end, t))
        return (VertexPass(vertex, vertex.hexes, t),)
    if len(hexes) == 2:
        side = Hexside.between(*hexes)
        return (SideCross(side, side.hexes, t),)
    return ()


def without_run_ends(pieces: list[Piece]) -> list[Piece]:
    """A line that starts or ends in the middle of a run along a hexside does not cross it there."""
    if len(pieces) < 2:
        return pieces
    if isinstance(pieces[0], SideCross) and isinstance(pieces[1], SideRun):
        pieces = pieces[1:]
    if isinstance(pieces[-1], SideCross) and isinstance(pieces[-2], SideRun):
        pieces = pieces[:-1]
    return pieces


def _standing(point: Point) -> tuple[Piece, ...]:
    """A line without length: where its one point is."""
    around = hexes_at(point)
    if len(around) == 3:
        vertex = _vertex_at(around[0], point)
        return (VertexPass(vertex, vertex.hexes, _ZERO),)
    if len(around) == 2:
        side = Hexside.between(*around)
        return (SideCross(side, side.hexes, _ZERO),)
    return (CellSpan(around[0], _ZERO, _ONE),)


def _vertex_at(hex: Hex, point: Point) -> Vertex:
    x, y = centre_lattice(hex)
    return Vertex(hex, CORNER_OFFSETS.index((int(point.x - x), int(point.y - y))))


def shifted(piece: Piece, by: Hex) -> Piece:
    """The piece on another part of the lattice; only for pieces of hexes."""
    if isinstance(piece, CellSpan):
        assert isinstance(piece.cell, Hex)
        return CellSpan(piece.cell + by, piece.start, piece.end)
    if isinstance(piece, VertexPass):
        assert isinstance(piece.vertex, Vertex)
        vertex = Vertex(piece.vertex.hex + by, piece.vertex.corner)
        return VertexPass(vertex, vertex.hexes, piece.at)
    assert isinstance(piece.side, Hexside)
    side = Hexside(piece.side.hex + by, piece.side.direction)
    if isinstance(piece, SideRun):
        return SideRun(side, side.hexes, piece.start, piece.end)
    return SideCross(side, side.hexes, piece.at)


@lru_cache(maxsize=1 << 14)
def centre_route(dq: int, dr: int) -> tuple[Piece, ...]:
    """The pieces from the centre of hex (0,0) to that of (dq,dr).

    Every line between centres is one of these, shifted: a map of n hexes has n * n lines but only
    some 4 n of these routes.
    """
    return hex_pieces(lattice_point(ORIGIN), lattice_point(Hex(dq, dr)))
