"""A line's pieces arranged for look-ups: what lies between the two ends, and where it may choose.

Where a line passes exactly through a vertex or along a side it belongs to two neighbours at once.
Such a place is a fork: two ways around it, each with the cells and the sides that it would meet.
A rule then says which of the two counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from hexmarshal.geometry.lattice.hex_route import (
    CellSpan,
    Piece,
    SideCross,
    SideRun,
    VertexPass,
)

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from hexmarshal.geometry.lattice.tiling import Tiling

__all__ = ["Course", "Fork", "Stretch", "Way", "course_of"]


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


def course_of(
    pieces: Sequence[Piece],
    tiling: Tiling,
    first: tuple[Hashable, ...] = (),
    last: tuple[Hashable, ...] = (),
) -> Course:
    """Arrange the pieces of a line.

    `first` and `last` are the cells at its ends; those that its end points are in if not given.
    """
    first, last = first or _cells_at(pieces[0]), last or _cells_at(pieces[-1])
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

    arranged = _Arranged(tiling, first_set | last_set)
    between: list[Hashable] = []
    for k, piece in enumerate(pieces):
        before = pieces[k - 1] if k else None
        after = pieces[k + 1] if k + 1 < len(pieces) else None
        if isinstance(piece, CellSpan):
            is_end = piece.end <= out or piece.start >= into or piece.cell in arranged.ends
            arranged.add_cell(piece, is_end=is_end)
            if not is_end:
                between.append(tiling.key(piece.cell))
        elif isinstance(piece, SideCross):
            arranged.sides.append(arranged.side(piece.side, piece.cells, piece.at))
        elif isinstance(piece, VertexPass):
            key = tiling.vertex_key(piece.vertex)
            arranged.vertices.append(Stretch(piece.vertex, key, piece.cells, piece.at, piece.at))
            if isinstance(before, CellSpan) and isinstance(after, CellSpan):
                arranged.fork_around(piece, before.cell, after.cell)
            elif isinstance(before, SideRun) and isinstance(after, SideRun):
                arranged.fork_between(piece, before, after)
        else:
            key = tiling.side_key(piece.side)
            near = not arranged.ends.isdisjoint(piece.cells)
            arranged.runs.append(
                Stretch(piece.side, key, piece.cells, piece.start, piece.end, near)
            )
            if piece.end <= out or piece.start >= into:
                continue
            between.extend(map(tiling.key, piece.cells))
            arranged.fork_beside(
                piece,
                (pieces[k - 2] if k > 1 else None, before),
                (after, pieces[k + 2] if k + 2 < len(pieces) else None),
            )
    cells = tuple(arranged.cells.values())
    return Course(
        range=_range(first, last, len(cells), tiling),
        first_cells=first,
        last_cells=last,
        out=out,
        into=into,
        cells=cells,
        end_cells=tuple(arranged.end_cells),
        sides=tuple(arranged.sides),
        vertices=tuple(arranged.vertices),
        runs=tuple(arranged.runs),
        forks=tuple(arranged.forks),
        cell_keys=tuple(s.key for s in cells),
        side_keys=tuple(s.key for s in arranged.sides),
        vertex_keys=tuple(s.key for s in arranged.vertices),
        between_keys=tuple(dict.fromkeys(between)),
    )


class _Arranged:
    """The pieces of a line, sorted by kind as they come."""

    def __init__(self, tiling: Tiling, ends: set[Hashable]) -> None:
        self.tiling = tiling
        self.ends = ends
        self.cells: dict[Hashable, Stretch] = {}
        self.end_cells: list[Stretch] = []
        self.sides: list[Stretch] = []
        self.vertices: list[Stretch] = []
        self.runs: list[Stretch] = []
        self.forks: list[Fork] = []

    def cell(self, place: Hashable, start: Fraction, end: Fraction) -> Stretch:
        return Stretch(place, self.tiling.key(place), (place,), start, end)

    def side(self, place: Hashable, cells: tuple[Hashable, ...], at: Fraction) -> Stretch:
        near = not self.ends.isdisjoint(cells)
        return Stretch(place, self.tiling.side_key(place), cells, at, at, near)

    def through(self, one: Hashable, other: Hashable, at: Fraction) -> Stretch:
        """The side between two cells, met at one of its ends."""
        return self.side(self.tiling.side(one, other), (one, other), at)

    def add_cell(self, span: CellSpan, *, is_end: bool) -> None:
        stretch = self.cell(*span)
        if is_end:
            self.end_cells.append(stretch)
        elif (known := self.cells.get(span.cell)) is not None:
            # A line can come back into a cell that is partly covered: it is one cell all the same.
            self.cells[span.cell] = known._replace(end=span.end)
        else:
            self.cells[span.cell] = stretch

    def fork_beside(
        self,
        run: SideRun,
        entry: tuple[Piece | None, Piece | None],
        exit_: tuple[Piece | None, Piece | None],
    ) -> None:
        """The two cells that a line runs between, with the sides over which it comes and goes."""
        ways = []
        for beside in run.cells:
            met = []
            if isinstance(entry[0], CellSpan) and isinstance(entry[1], VertexPass):
                met.append(self.through(entry[0].cell, beside, entry[1].at))
            if isinstance(exit_[1], CellSpan) and isinstance(exit_[0], VertexPass):
                met.append(self.through(beside, exit_[1].cell, exit_[0].at))
            passed = () if beside in self.ends else (self.cell(beside, run.start, run.end),)
            ways.append(Way(passed, tuple(met)))
        self.forks.append(Fork(run.side, (ways[0], ways[1])))

    def fork_between(self, vertex: VertexPass, before: SideRun, after: SideRun) -> None:
        """The sides that end, left and right, where a line goes on from one run to the next."""
        if not self.tiling.side_stride:
            return  # of areas nobody knows which are on the same hand
        left, right = (
            Way((), (self.through(one, other, vertex.at),) if one != other else ())
            for one, other in zip(before.cells, after.cells, strict=True)
        )
        self.forks.append(Fork(vertex.vertex, (left, right)))

    def fork_around(self, vertex: VertexPass, before: Hashable, after: Hashable) -> None:
        """The two ways around a vertex, from one cell into another.

        Where three cells meet, one way is over the side between the two, the other by the third.
        Where four do, the line passes between the other two: each is a way.
        """
        others = [cell for cell in vertex.cells if cell not in (before, after)]
        at = vertex.at
        ways = []
        for cell in others:
            counts = len(others) == 2 and cell not in self.ends
            passed = (self.cell(cell, at, at),) if counts else ()
            sides = (self.through(before, cell, at), self.through(cell, after, at))
            ways.append(Way(passed, sides))
        if len(others) == 1 and before != after:
            ways.insert(0, Way((), (self.through(before, after, at),)))
        if len(ways) == 2:
            self.forks.append(Fork(vertex.vertex, (ways[0], ways[1])))


def _range(
    first: tuple[Hashable, ...], last: tuple[Hashable, ...], between: int, tiling: Tiling
) -> int:
    """From the nearest cell of the start to that of the end; of areas, how many are passed."""
    measured = [tiling.distance(a, b) for a in first for b in last]
    known = [distance for distance in measured if distance is not None]
    if known:
        return min(known)
    return 0 if not set(first).isdisjoint(last) else between + 1


def _cells_at(piece: Piece) -> tuple[Hashable, ...]:
    return (piece.cell,) if isinstance(piece, CellSpan) else piece.cells
