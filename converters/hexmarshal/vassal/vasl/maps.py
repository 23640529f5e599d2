"""Maps as scenarios make them: boards cropped and joined, exact to the pixel."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import fields, replace
from typing import TYPE_CHECKING

import numpy as np

from hexmarshal.errors import GeometryError
from hexmarshal.vassal.vasl.board import Board
from hexmarshal.vassal.vasl.grid import NONE, HexGrid
from hexmarshal.vassal.vasl.hexes import HexFacts, Pixels, weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]

__all__ = ["crop", "join"]

_MEASURES = ("hex_width", "hex_height", "x", "y")
_HAIR = 200
"""Sizes of hexes may differ by one part of so many."""


def crop(
    board: Board,
    columns: tuple[int, int] | None = None,
    rows: tuple[int, int] | None = None,
) -> Board:
    """The part of a board between two columns of hexes and two rows, counted from 0.

    The outer columns stay as half hexes, as at the edge of a whole board; so do, in every second
    column, the hexes that the first and the last row cut.
    """
    grid = board.grid
    column = grid.column - int(grid.column.min())
    first, last = columns or (0, int(column.max()))
    keep = (column >= first) & (column <= last)
    half = grid.half_row - int(grid.half_row[column == 0].min())
    if rows is not None:
        keep &= (half >= 2 * rows[0] - 1) & (half <= 2 * rows[1] + 1)
    if not keep.any() or first >= last:
        raise GeometryError(
            f"nothing is left of {board.name} between those hexes", place=board.place
        )
    kept = np.flatnonzero(keep)
    left, right = _span(grid.x[kept], grid.scale, grid.width, edge=0)
    top, bottom = 0, grid.height
    if rows is not None:
        whole = kept[(half[kept] >= 2 * rows[0]) & (half[kept] <= 2 * rows[1])]
        top, bottom = _span(grid.y[whole], grid.scale, grid.height, edge=grid.hex_height // 2)
    window = (slice(top, bottom), slice(left, right))
    number = np.full(keep.size + 1, NONE, np.int32)
    number[kept] = np.arange(kept.size)
    pixels = board.pixels
    cut = Pixels(
        np.ascontiguousarray(pixels.terrain[window]),
        np.ascontiguousarray(pixels.elevation[window]),
        number[pixels.owner[window]],
    )
    names = tuple(grid.names[index] for index in kept.tolist())
    smaller = replace(
        grid,
        width=right - left,
        height=bottom - top,
        column=grid.column[kept],
        half_row=grid.half_row[kept],
        x=grid.x[kept] - left * grid.scale,
        y=grid.y[kept] - top * grid.scale,
        names=names,
    )
    gone = {n.upper() for i, name in enumerate(grid.names) if not keep[i] for n in name.split("/")}
    return replace(
        board,
        grid=smaller,
        pixels=cut,
        facts=board.facts.take(kept),
        cropped=board.cropped | gone,
        origin=(board.origin[0] + left, board.origin[1] + top),
    )


def _span(centres: Ints, scale: int, size: int, edge: int) -> tuple[int, int]:
    low, high = int(centres.min()) - edge, int(centres.max()) + edge
    return max(0, low // scale), min(size, -(-high // scale))


def join(rows: Sequence[Sequence[Board]], name: str = "") -> Board:
    """Boards side by side in rows, the rows below one another; hexes get their board's name.

    Two boards share the hexes of the column or row where they meet. Each keeps its own hexes on its
    own pixels, so that boards join whose hexes differ by a hair, as those of half boards do.
    """
    rows = _told_apart(rows)
    scales = [board.grid.scale for row in rows for board in row]
    rows = [[_in_units(board, math.lcm(*scales)) for board in row] for row in rows]
    placed: list[tuple[Board, int, int, int, int]] = []
    above: tuple[Board, int, int, int, int] | None = None
    for row in rows:
        before: tuple[Board, int, int, int, int] | None = None
        for board in row:
            if before is not None:
                before = _right_of(before, board)
            else:
                before = (board, 0, 0, 0, 0) if above is None else _below(above, board)
                above = before
            placed.append(before)
    if not placed:
        raise GeometryError("a map needs at least one board")
    return _merge(placed, name or "+".join(board.name for board, *_ in placed))


def _told_apart(rows: Sequence[Sequence[Board]]) -> list[list[Board]]:
    """A board that is there again gets a number: its hexes are not those of the first one."""
    seen: Counter[str] = Counter()
    named: list[list[Board]] = []
    for row in rows:
        named.append([])
        for board in row:
            seen[board.name] += 1
            again = seen[board.name]
            name = board.name if again == 1 else f"{board.name}#{again}"
            named[-1].append(replace(board, name=name))
    return named


Placed = tuple[Board, int, int, int, int]
"""A board, its place in pixels, and what is added to its columns and half rows."""


def _in_units(board: Board, scale: int) -> Board:
    """The same board with its places in smaller fractions of a pixel."""
    times = scale // board.grid.scale
    if times == 1:
        return board
    sizes = {name: getattr(board.grid, name) * times for name in _MEASURES}
    return replace(board, grid=replace(board.grid, scale=scale, **sizes))


def _check(one: Board, two: Board) -> None:
    a, b = one.grid, two.grid
    for mine, yours in ((a.hex_width, b.hex_width), (a.hex_height, b.hex_height)):
        if abs(mine - yours) * _HAIR > mine:
            raise GeometryError(
                f"the hexes of {one.name} and {two.name} differ in size: the boards do not join",
                place=two.place,
            )
    if one.catalogue.by_code != two.catalogue.by_code:
        raise GeometryError(
            f"{one.name} and {two.name} have different terrain catalogues",
            place=two.place,
            hint="give one that belongs to both",
        )


def _right_of(left: Placed, board: Board) -> Placed:
    one, x, y, column, half_row = left
    _check(one, board)
    a, b = one.grid, board.grid
    seam_a, seam_b = a.column == a.column.max(), b.column == b.column.min()
    shift = (int(a.x[seam_a][0]) - int(b.x[seam_b][0])) / a.scale
    down = int(a.half_row[seam_a].min()) - int(b.half_row[seam_b].min())
    rise = (int(a.y[seam_a].min()) - int(b.y[seam_b].min())) / a.scale
    return (
        board,
        x + round(shift),
        y + round(rise),
        column + int(a.column.max()) - int(b.column.min()),
        half_row + down,
    )


def _below(top: Placed, board: Board) -> Placed:
    one, x, y, column, half_row = top
    _check(one, board)
    a, b = one.grid, board.grid
    # The half hexes of every second column: the last ones above are the first ones below.
    shift = (int(a.y.max()) - int(b.y.min())) / a.scale
    aside = (int(a.x.min()) - int(b.x.min())) / a.scale
    return (
        board,
        x + round(aside),
        y + round(shift),
        column + int(a.column.min()) - int(b.column.min()),
        half_row + int(a.half_row.max()) - int(b.half_row.min()),
    )


def _merge(placed: list[Placed], name: str) -> Board:
    first = placed[0][0]
    left, top = min(p[1] for p in placed), min(p[2] for p in placed)
    width = max(p[1] + p[0].grid.width for p in placed) - left
    height = max(p[2] + p[0].grid.height for p in placed) - top
    terrain = np.zeros((height, width), np.uint8)
    elevation = np.zeros((height, width), np.int8)
    owner = np.full((height, width), NONE, np.int32)
    at: dict[tuple[int, int], int] = {}
    names: list[str] = []
    x, y = list[int](), list[int]()
    facts: HexFacts | None = None
    cropped: set[str] = set()
    scale = first.grid.scale
    weight = weights(first.catalogue)
    for board, right, down, column, half_row in placed:
        grid = board.grid
        number = np.empty(len(grid.names) + 1, np.int32)
        number[-1] = NONE
        fresh = []
        places = zip(
            (grid.column + column).tolist(), (grid.half_row + half_row).tolist(), strict=True
        )
        for index, place in enumerate(places):
            label = "/".join(f"{board.name}:{n}" for n in grid.names[index].split("/"))
            known = at.get(place)
            if known is None:
                at[place] = known = len(names)
                names.append(label)
                x.append(int(grid.x[index]) + (right - left) * scale)
                y.append(int(grid.y[index]) + (down - top) * scale)
                fresh.append(index)
            elif facts is not None:
                names[known] += f"/{label}"
                _blend(facts, known, board.facts, index, weight)
            number[index] = known
        part = board.facts.take(np.array(fresh, np.int64))
        facts = part if facts is None else facts.joined(part)
        cropped |= {f"{board.name}:{n}".upper() for n in board.cropped}
        window = (
            slice(down - top, down - top + grid.height),
            slice(right - left, right - left + grid.width),
        )
        empty = owner[window] == NONE
        terrain[window] = np.where(empty, board.pixels.terrain, terrain[window])
        elevation[window] = np.where(empty, board.pixels.elevation, elevation[window])
        owner[window] = np.where(empty, number[board.pixels.owner], owner[window])
    assert facts is not None
    # A hex has the same name in a map that lies upside down.
    names = ["/".join(sorted(label.split("/"))) for label in names]
    grid = HexGrid(
        scale,
        width,
        height,
        first.grid.hex_width,
        first.grid.hex_height,
        np.array([place[0] for place in at], np.int64),
        np.array([place[1] for place in at], np.int64),
        np.array(x, np.int64),
        np.array(y, np.int64),
        tuple(names),
    )
    return Board(
        name,
        grid,
        Pixels(terrain, elevation, owner),
        facts,
        first.catalogue,
        first.place,
        cropped=frozenset(cropped - {n.upper() for label in names for n in label.split("/")}),
        parts=tuple((board, right - left, down - top) for board, right, down, _, _ in placed),
    )


def _blend(facts: HexFacts, index: int, other: HexFacts, source: int, weight: Ints) -> None:
    """Add to a hex on a seam what its other half shows, whichever half comes first."""
    for field in fields(facts):
        mine, yours = getattr(facts, field.name), getattr(other, field.name)
        if mine.dtype == np.bool_:
            mine[index] |= yours[source]
        elif field.name in {"base", "side"}:
            mine[index] = np.minimum(mine[index], yours[source])
        elif field.name == "bridge_level":
            mine[index] = max(mine[index], yours[source])
        else:
            heavier = weight[yours[source]] > weight[mine[index]]
            mine[index] = np.where(heavier, yours[source], mine[index])
