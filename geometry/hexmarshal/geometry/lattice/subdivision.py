"""What a straight line does among cells of any shape: squares, areas, rooms.

Every cell's polygon is cut by the line on its own; what the cuts say together is the trace. The
same code over hexes agrees with the walk on the lattice, and the tests hold it to that.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from hexmarshal.geometry.lattice.hex_route import (
    CellSpan,
    Piece,
    SideCross,
    SideRun,
    VertexPass,
    without_run_ends,
)
from hexmarshal.geometry.lattice.hexes import Hex, Hexside
from hexmarshal.geometry.lattice.tiling import Tiling
from hexmarshal.geometry.sight.contacts import Meeting
from hexmarshal.geometry.terrain.points import Point

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from hexmarshal.geometry.sight.contacts import Contact
    from hexmarshal.geometry.terrain.outlines import Polygon

__all__ = ["Patchwork", "border", "cell_pieces", "cells_at"]

_ZERO, _ONE = Fraction(0), Fraction(1)


def border(one: Hashable, other: Hashable) -> Hashable:
    """The side between two cells: a hexside, or the set of the two."""
    if isinstance(one, Hex) and isinstance(other, Hex):
        return Hexside.between(one, other)
    return frozenset((one, other))


def cells_at(outlines: Mapping[Hashable, Polygon], point: Point) -> tuple[Hashable, ...]:
    """The cells that a point is in or on the border of."""
    return tuple(cell for cell, outline in outlines.items() if outline.side_of(point) >= 0)


def cell_pieces(
    outlines: Mapping[Hashable, Polygon], start: Point, end: Point
) -> tuple[Piece, ...]:
    """What the line does among the cells, in order; stretches outside every cell are left out."""
    if start == end:
        return _point_pieces(outlines, cells_at(outlines, start), start, _ZERO, standing=True)
    met: dict[Hashable, tuple[Contact, ...]] = {}
    for cell, outline in outlines.items():
        if contacts := outline.contacts(start, end):
            met[cell] = contacts
    stretches: list[CellSpan | SideRun] = []
    along: dict[tuple[Fraction, Fraction], list[Hashable]] = {}
    ts = {_ZERO, _ONE}
    for cell, contacts in met.items():
        for contact in contacts:
            ts.update((contact.start, contact.end))
            if contact.meeting is Meeting.INSIDE:
                stretches.append(CellSpan(cell, contact.start, contact.end))
            elif contact.meeting is Meeting.ALONG:
                along.setdefault((contact.start, contact.end), []).append(cell)
    stretches.extend(_runs(along))
    pieces: list[Piece] = []
    ordered = sorted(ts)
    by_start: dict[Fraction, list[CellSpan | SideRun]] = {}
    for stretch in stretches:
        by_start.setdefault(stretch.start, []).append(stretch)
    for t in ordered:
        here = tuple(cell for cell, cs in met.items() if any(c.start <= t <= c.end for c in cs))
        pieces.extend(_point_pieces(outlines, here, start.towards(end, t), t))
        pieces.extend(by_start.get(t, ()))
    return tuple(without_run_ends(pieces))


def _runs(along: dict[tuple[Fraction, Fraction], list[Hashable]]) -> list[SideRun]:
    """Stretches along a border, cut where either neighbour's part of it ends."""
    cuts = sorted({t for interval in along for t in interval})
    runs = []
    for low, high in pairwise(cuts):
        beside = [
            cell for (a, b), cells in along.items() if a <= low and high <= b for cell in cells
        ]
        if len(beside) == 2:
            one, other = sorted(beside, key=repr)
            runs.append(SideRun(border(one, other), (one, other), low, high))
        elif len(beside) == 1:
            runs.append(SideRun(frozenset(beside), (beside[0], beside[0]), low, high))
    return runs


def _point_pieces(
    outlines: Mapping[Hashable, Polygon],
    cells: tuple[Hashable, ...],
    point: Point,
    t: Fraction,
    *,
    standing: bool = False,
) -> tuple[Piece, ...]:
    """The vertex or the side that a point between stretches is on."""
    cells = tuple(sorted(cells, key=repr))
    corner = any(point in ring for cell in cells for ring in outlines[cell].rings)
    if corner and len(cells) > 1:
        return (VertexPass(point, cells, t),)
    if len(cells) == 2 and all(outlines[cell].side_of(point) == 0 for cell in cells):
        one, other = cells
        return (SideCross(border(one, other), (one, other), t),)
    if standing and cells:
        return (CellSpan(cells[0], _ZERO, _ONE),)
    return ()


class Patchwork(Tiling):
    """Cells of any shape, each with its outline."""

    def __init__(self, outlines: Mapping[Hashable, Polygon]) -> None:
        self.outlines = outlines

    def point(self, place: Hashable) -> Point | None:
        """The middle of a cell; its sides and vertices have no names."""
        outline = self.outlines.get(place)
        return None if outline is None else outline.middle

    def owners(self, place: Hashable) -> tuple[Hashable, ...]:
        """A cell, the two of a side, or those that meet at a point."""
        if isinstance(place, Point):
            return self.cells_at(place)
        return tuple(place) if isinstance(place, frozenset) else (place,)

    def cells_at(self, point: Point) -> tuple[Hashable, ...]:
        """By the outlines."""
        return cells_at(self.outlines, point)

    def pieces(self, start: Point, end: Point) -> tuple[Piece, ...]:
        """Cut outline by outline."""
        return cell_pieces(self.outlines, start, end)
