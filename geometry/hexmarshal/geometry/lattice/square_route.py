"""What a straight line does among squares, all exact; and where tiles lie across the grid.

A line leaves a square where it meets a grid line, upright or level, so its pieces are found by
sorting those points. Squares off the grid by half cover others in part: then every quarter of a
square belongs to what lies on top, and the pieces over quarters are put together again.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import ceil, floor
from typing import TYPE_CHECKING

from hexmarshal.geometry.lattice.hex_route import (
    CellSpan,
    Piece,
    SideCross,
    SideRun,
    VertexPass,
    without_run_ends,
)
from hexmarshal.geometry.lattice.squares import Square
from hexmarshal.geometry.terrain.points import Point

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["owners_at", "quarters_of", "square_pieces", "squares_at", "tiled_pieces"]

_ZERO, _ONE, _HALF = Fraction(0), Fraction(1), Fraction(1, 2)


def squares_at(point: Point) -> tuple[Square, ...]:
    """The squares that a point is in: one, two on a side, four at a corner; left to right."""
    columns, rows = _around(point.x), _around(point.y)
    return tuple(Square(column, row) for row in rows for column in columns)


def _around(value: Fraction) -> range:
    return range(ceil(value - _HALF), floor(value + _HALF) + 1)


def square_pieces(start: Point, end: Point) -> tuple[Piece, ...]:
    """What the line from `start` to `end` does, in order, on the endless grid."""
    if start == end:
        return _point_pieces(start, _ZERO) or (CellSpan(squares_at(start)[0], _ZERO, _ONE),)
    shares = sorted({_ZERO, _ONE, *_cuts(start.x, end.x), *_cuts(start.y, end.y)})
    pieces: list[Piece] = []
    for low, high in pairwise(shares):
        pieces.extend(_point_pieces(start.towards(end, low), low))
        pieces.append(_stretch(squares_at(start.towards(end, (low + high) / 2)), low, high))
    pieces.extend(_point_pieces(end, _ONE))
    return tuple(without_run_ends(pieces))


def _cuts(start: Fraction, end: Fraction) -> Iterable[Fraction]:
    """The shares of the way at which one coordinate is halfway between two whole numbers."""
    if start == end:
        return ()
    low, high = min(start, end), max(start, end)
    lines = range(ceil(low - _HALF), floor(high - _HALF) + 1)
    return ((line + _HALF - start) / (end - start) for line in lines)


def _stretch(squares: tuple[Square, ...], low: Fraction, high: Fraction) -> CellSpan | SideRun:
    if len(squares) == 1:
        return CellSpan(squares[0], low, high)
    one, other = squares
    return SideRun(frozenset(squares), (one, other), low, high)


def _point_pieces(point: Point, share: Fraction) -> tuple[Piece, ...]:
    squares = squares_at(point)
    if len(squares) == 4:
        return (VertexPass(point, squares, share),)
    if len(squares) == 2:
        return (SideCross(frozenset(squares), (squares[0], squares[1]), share),)
    return ()


# Squares across the grid


def quarters_of(square: Square) -> tuple[Square, ...]:
    """The four quarters of a square, as squares of a grid twice as fine."""
    x, y = int(2 * square.column), int(2 * square.row)
    return tuple(Square(x + dx, y + dy) for dy in (-1, 0) for dx in (-1, 0))


def owners_at(point: Point, tiles: Mapping[Square, Square]) -> tuple[Square, ...]:
    """The squares that a point is in or on the border of, where `tiles` own their quarters."""
    owners = (_owner(quarter, tiles) for quarter in squares_at(_finer(point)))
    return tuple(dict.fromkeys(owners))


def tiled_pieces(start: Point, end: Point, tiles: Mapping[Square, Square]) -> tuple[Piece, ...]:
    """What the line does where tiles lie across the grid, each owning its four quarters."""
    fine = square_pieces(_finer(start), _finer(end))
    owned = [found for piece in fine if (found := _owned(piece, tiles)) is not None]
    return tuple(without_run_ends(_with_crossings(owned)))


def _finer(point: Point) -> Point:
    return Point(2 * point.x - _HALF, 2 * point.y - _HALF)


def _coarser(point: Point) -> Point:
    return Point((point.x + _HALF) / 2, (point.y + _HALF) / 2)


def _owner(quarter: object, tiles: Mapping[Square, Square]) -> Square:
    assert isinstance(quarter, Square)
    found = tiles.get(quarter)
    return found or Square(int(quarter.column + 1) // 2, int(quarter.row + 1) // 2)


def _owned(piece: Piece, tiles: Mapping[Square, Square]) -> Piece | None:
    """A piece over quarters as one over the squares that own them; None inside one of them."""
    if isinstance(piece, CellSpan):
        return CellSpan(_owner(piece.cell, tiles), piece.start, piece.end)
    owners = tuple(dict.fromkeys(_owner(quarter, tiles) for quarter in piece.cells))
    if isinstance(piece, SideRun):
        if len(owners) == 1:
            return CellSpan(owners[0], piece.start, piece.end)
        return SideRun(frozenset(owners), (owners[0], owners[1]), piece.start, piece.end)
    if len(owners) == 1:
        return None
    if isinstance(piece, SideCross):
        return SideCross(frozenset(owners), (owners[0], owners[1]), piece.at)
    assert isinstance(piece.vertex, Point)
    of = [_owner(quarter, tiles) for quarter in piece.cells]
    if len(owners) == 2 and of.count(owners[0]) == 2:
        # A straight border with nothing that ends at it.
        return SideCross(frozenset(owners), (owners[0], owners[1]), piece.at)
    return VertexPass(_coarser(piece.vertex), owners, piece.at)


def _with_crossings(pieces: list[Piece]) -> list[Piece]:
    """Mends what only the pieces beside tell.

    A run goes on over a border that ends at nothing. At a corner of two squares the line crosses
    from one into the other, or touches one of them from within the other, which is nothing.
    """
    mended: list[Piece] = []
    for k, piece in enumerate(pieces):
        before = pieces[k - 1] if k else None
        after = pieces[k + 1] if k + 1 < len(pieces) else None
        last = mended[-1] if mended else None
        if isinstance(piece, SideCross):
            if _is_run_of(before, piece.side) or _is_run_of(after, piece.side):
                continue
        elif isinstance(piece, VertexPass) and len(piece.cells) == 2:
            if isinstance(before, CellSpan) and isinstance(after, CellSpan):
                if before.cell == after.cell:
                    continue
                one, other = piece.cells
                mended.append(SideCross(frozenset(piece.cells), (one, other), piece.at))
                continue
        elif isinstance(piece, SideRun) and isinstance(last, SideRun) and last.side == piece.side:
            mended[-1] = SideRun(last.side, last.cells, last.start, piece.end)
            continue
        elif isinstance(piece, CellSpan) and isinstance(last, CellSpan) and last.cell == piece.cell:
            mended[-1] = CellSpan(last.cell, last.start, piece.end)
            continue
        mended.append(piece)
    return mended


def _is_run_of(piece: Piece | None, side: object) -> bool:
    return isinstance(piece, SideRun) and piece.side == side
