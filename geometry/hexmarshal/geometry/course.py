"""A line's pieces arranged for look-ups: what lies between the two ends, and where it may choose.

Where a line passes exactly through a vertex or along a side it belongs to two neighbours at once.
Such a place is a fork: two ways around it, each with the cells and the sides that it would meet.
A rule then says which of the two counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from hexmarshal.geometry.hexes import Hex, Hexside, Vertex
from hexmarshal.geometry.route import (
    CellSpan,
    Piece,
    SideCross,
    SideRun,
    VertexPass,
    centre_route,
)
from hexmarshal.geometry.squares import Square

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

__all__ = ["STRIDE", "Course", "Fork", "Stretch", "Way", "centre_course", "course_of", "key_of"]

STRIDE = 1 << 24


def key_of(place: Hashable) -> Hashable:
    """A hex, hexside or vertex as an integer that shifts with the hexes; others are their own key.

    Keys of hexes and keys of sides and vertices are for different mappings.
    """
    if isinstance(place, Hexside):
        return (place.hex.q * STRIDE + place.hex.r) * 8 + place.direction
    if isinstance(place, Vertex):
        return (place.hex.q * STRIDE + place.hex.r) * 8 + place.corner
    if isinstance(place, Hex):
        return place.q * STRIDE + place.r
    return place


class Stretch(NamedTuple):
    """A place on the line: a cell, a side or a vertex, from share `start` to share `end`.

    `cells` are those it belongs to, for distances; `near` marks a side of a cell at the line's end.
    """

    place: Hashable
    key: Hashable
    cells: tuple[Hashable, ...]
    start: Fraction
    end: Fraction
    near: bool = False


class Way(NamedTuple):
    """One way around a vertex or along a side."""

    cells: tuple[Stretch, ...]
    sides: tuple[Stretch, ...]


class Fork(NamedTuple):
    """A side that the line runs along, or a vertex that it passes, and the two ways around."""

    place: Hashable
    ways: tuple[Way, Way]


@dataclass(frozen=True, slots=True)
class Course:
    """All that a line meets, sorted by kind; the keys beside it are for quick look-ups."""

    range: int
    first_cells: tuple[Hashable, ...]
    last_cells: tuple[Hashable, ...]
    out: Fraction
    into: Fraction
    cells: tuple[Stretch, ...]
    end_cells: tuple[Stretch, ...]
    sides: tuple[Stretch, ...]
    vertices: tuple[Stretch, ...]
    runs: tuple[Stretch, ...]
    forks: tuple[Fork, ...]
    cell_keys: tuple[Hashable, ...]
    side_keys: tuple[Hashable, ...]
    vertex_keys: tuple[Hashable, ...]
    between_keys: tuple[Hashable, ...]
    """The cells between the ends, those beside a run included: where shapes are looked for."""


def course_of(pieces: Sequence[Piece]) -> Course:
    """Arrange the pieces of a line."""
    first, last = _cells_at(pieces[0]), _cells_at(pieces[-1])
    first_set, last_set = set(first), set(last)
    stretches = [p for p in pieces if isinstance(p, CellSpan | SideRun)]
    out, into = Fraction(0), Fraction(1)
    for stretch in stretches:
        if not first_set.issuperset(_cells_at(stretch)):
            break
        out = stretch.end
    for stretch in reversed(stretches):
        if not last_set.issuperset(_cells_at(stretch)):
            break
        into = stretch.start

    ends = first_set | last_set

    def cell(place: Hashable, start: Fraction, end: Fraction) -> Stretch:
        return Stretch(place, key_of(place), (place,), start, end)

    def side(place: Hashable, cells: tuple[Hashable, ...], at: Fraction) -> Stretch:
        return Stretch(place, key_of(place), cells, at, at, not ends.isdisjoint(cells))

    cells: list[Stretch] = []
    end_cells: list[Stretch] = []
    sides: list[Stretch] = []
    vertices: list[Stretch] = []
    runs: list[Stretch] = []
    forks: list[Fork] = []
    between: list[Hashable] = []
    for k, piece in enumerate(pieces):
        before = pieces[k - 1] if k else None
        after = pieces[k + 1] if k + 1 < len(pieces) else None
        if isinstance(piece, CellSpan):
            is_end = piece.end <= out or piece.start >= into
            (end_cells if is_end else cells).append(cell(*piece))
            if not is_end:
                between.append(key_of(piece.cell))
        elif isinstance(piece, SideCross):
            sides.append(side(piece.side, piece.cells, piece.at))
        elif isinstance(piece, VertexPass):
            vertices.append(
                Stretch(piece.vertex, key_of(piece.vertex), piece.cells, piece.at, piece.at)
            )
            if isinstance(before, CellSpan) and isinstance(after, CellSpan):
                forks.extend(_around(piece, before.cell, after.cell, side))
        else:
            near = not ends.isdisjoint(piece.cells)
            runs.append(
                Stretch(piece.side, key_of(piece.side), piece.cells, piece.start, piece.end, near)
            )
            if piece.end <= out or piece.start >= into:
                continue
            between.extend(map(key_of, piece.cells))
            entry = pieces[k - 2] if k > 1 else None
            exit_ = pieces[k + 2] if k + 2 < len(pieces) else None
            ways = []
            for beside in piece.cells:
                met = []
                if isinstance(entry, CellSpan) and isinstance(before, VertexPass):
                    met.append(_through(entry.cell, beside, before.at, side))
                if isinstance(exit_, CellSpan) and isinstance(after, VertexPass):
                    met.append(_through(beside, exit_.cell, after.at, side))
                ways.append(Way((cell(beside, piece.start, piece.end),), tuple(met)))
            forks.append(Fork(piece.side, (ways[0], ways[1])))
    return Course(
        range=_range(first, last, len(cells)),
        first_cells=first,
        last_cells=last,
        out=out,
        into=into,
        cells=tuple(cells),
        end_cells=tuple(end_cells),
        sides=tuple(sides),
        vertices=tuple(vertices),
        runs=tuple(runs),
        forks=tuple(forks),
        cell_keys=tuple(s.key for s in cells),
        side_keys=tuple(s.key for s in sides),
        vertex_keys=tuple(s.key for s in vertices),
        between_keys=tuple(dict.fromkeys(between)),
    )


def _range(first: tuple[Hashable, ...], last: tuple[Hashable, ...], between: int) -> int:
    """Hexes from the nearest cell of the start to that of the end; of other cells, those passed."""
    pairs = [(a, b) for a in first for b in last]
    measured = [a.distance(b) for a, b in pairs if isinstance(a, Hex) and isinstance(b, Hex)]
    measured += [a.distance(b) for a, b in pairs if isinstance(a, Square) and isinstance(b, Square)]
    if measured:
        return min(measured)
    return 0 if any(a == b for a, b in pairs) else between + 1


def _cells_at(piece: Piece) -> tuple[Hashable, ...]:
    return (piece.cell,) if isinstance(piece, CellSpan) else piece.cells


def _through(
    one: Hashable,
    other: Hashable,
    at: Fraction,
    side: Callable[[Hashable, tuple[Hashable, ...], Fraction], Stretch],
) -> Stretch:
    """The side between two cells, met at one of its ends."""
    if isinstance(one, Hex) and isinstance(other, Hex):
        return side(Hexside.between(one, other), (one, other), at)
    return side(frozenset((one, other)), (one, other), at)


def _around(
    vertex: VertexPass,
    before: Hashable,
    after: Hashable,
    side: Callable[[Hashable, tuple[Hashable, ...], Fraction], Stretch],
) -> tuple[Fork, ...]:
    """The two ways around a vertex, from one cell into another."""
    others = [cell for cell in vertex.cells if cell not in (before, after)]
    ways = [
        Way((), tuple(_through(*pair, vertex.at, side) for pair in ((before, c), (c, after))))
        for c in others
    ]
    if len(others) == 1:
        ways.insert(0, Way((), (_through(before, after, vertex.at, side),)))
    return (Fork(vertex.vertex, (ways[0], ways[1])),) if len(ways) == 2 else ()


@lru_cache(maxsize=1 << 14)
def centre_course(dq: int, dr: int) -> Course:
    """The course from the centre of hex (0,0) to that of (dq,dr)."""
    return course_of(centre_route(dq, dr))
