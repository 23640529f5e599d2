"""What is noted for each line: where it is first stopped, what adds up, what lies beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hexmarshal.games.asl.sight.hit_batch import Meetings
from hexmarshal.games.asl.sight.rules.citations import Cause
from hexmarshal.vassal.vasl.grid import NONE
from hexmarshal.vassal.vasl.outlines.ranges import ranges

if TYPE_CHECKING:
    import numpy.typing as npt

    from hexmarshal.games.asl.sight.lines import Lines

    Ints = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]
    Part = tuple[Meetings, Ints]
    """Meetings, and how much each of them hinders its line."""

__all__ = ["LIMIT", "NOWHERE", "beside_lines", "blocks", "first", "most", "totals"]

LIMIT = 6
"""A6.7: so much hindrance stops a line."""

NOWHERE = -1

_OPEN = np.isin(np.arange(len(Cause)), [cause for cause in Cause if not cause.blocks])


def blocks(cause: Ints) -> Flags:
    """Which causes stop a line."""
    return ~_OPEN.take(cause)


def first(m: Meetings, why: Ints, cause: Ints, at: Ints) -> None:
    """Note for every line the first meeting that has a reason."""
    found = np.flatnonzero(why)[::-1]
    line = m.line[found]
    cause[line], at[line] = why[found], m.hex[found]


def totals(parts: list[Part]) -> tuple[Ints, Ints]:
    """Add up hindrances hex by hex; two hexes beside one hexside of the line count once."""
    keys, values = [], []
    for m, value in parts:
        found = np.flatnonzero(value)
        if found.size:
            keys.append((m.line[found] << 20) | (m.from_a[found] << 10) | m.from_b[found])
            values.append(value[found])
    if not keys:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    key, amount = np.concatenate(keys), np.concatenate(values)
    order = np.lexsort((-amount, key))
    key, amount = key[order], amount[order]
    fresh = np.concatenate([[True], key[1:] != key[:-1]])
    line, index = np.unique(key[fresh] >> 20, return_inverse=True)
    return line, np.bincount(index, weights=amount[fresh]).astype(np.int64)


def most(parts: list[Part]) -> tuple[Ints, Ints]:
    """The greatest hindrance alone, wherever it is on the line."""
    line = np.concatenate([m.line[value > 0] for m, value in parts])
    amount = np.concatenate([value[value > 0] for _, value in parts])
    order = np.lexsort((-amount, line))
    line, amount = line[order], amount[order]
    fresh = np.ones(line.size, np.bool_)
    fresh[1:] = line[1:] != line[:-1]
    return line[fresh], amount[fresh]


def beside_lines(lines: Lines, m: Meetings, open_lines: Ints, full: Flags) -> Meetings:
    """The hexes beside lines along hexsides that are full of something, as wholes.

    On half of its way such a line crosses hexes through their centres; the other hexes it has on
    either hand, and whatever fills them touches it.
    """
    ground, grid = lines.ground, lines.ground.board.grid
    along = open_lines[lines.vertex_of_a[open_lines] >= 0]
    if not along.size:
        return m.of(along)
    a, b = lines.a.hex[along], lines.b.hex[along]
    pairs = lines.range[along] // 2
    line, one = np.repeat(along, pairs), np.repeat(a, pairs)
    number = ranges(np.zeros_like(pairs), pairs)
    right = np.sign(np.repeat(grid.column[b] - grid.column[a], pairs))
    down = np.sign(np.repeat(grid.half_row[b] - grid.half_row[a], pairs))
    level = down == 0
    column = grid.column[one] + number * np.where(level, 2 * right, right)
    half_row = grid.half_row[one] + number * 3 * down
    hexes = np.concatenate(
        [
            grid.index(
                column + np.where(level, right, 0), half_row + np.where(level, -1, 2 * down)
            ),
            grid.index(column + right, half_row + np.where(level, 1, down)),
        ]
    )
    line = np.concatenate([line, line])
    filled = (hexes != NONE) & full[hexes]
    line, hexes = line[filled], hexes[filled]
    order = np.lexsort((ground.ranks[hexes], grid.range(hexes, lines.a.hex[line]), line))
    line, hexes = line[order], hexes[order]
    return Meetings(ground, lines, line, ground.whole + hexes, np.zeros_like(line))
