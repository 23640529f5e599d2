"""The whole story of one line: everything on it that stops or hinders it, and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hexmarshal.games.asl.sight.judge import findings
from hexmarshal.games.asl.sight.lines import AT_CENTRE, EndTable, Lines
from hexmarshal.games.asl.sight.walk import patterns

if TYPE_CHECKING:
    from hexmarshal.games.asl.sight.citations import Cause
    from hexmarshal.games.asl.sight.view import Answer, Sight, Spot

__all__ = ["Explanation", "Item", "explain"]

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Item:
    """One thing on the line that counts."""

    cause: Cause
    hindrance: int
    """0 for what stops the line."""
    hex: str
    terrain: str
    level: float
    """The elevation of the ground there."""
    point: Point
    """Where the line meets it, in pixels."""

    def __str__(self) -> str:
        what = f"+{self.hindrance}" if self.hindrance else "stops"
        return f"{what} {self.hex} {self.terrain}, level {self.level:g}: {self.cause.sentence}"


@dataclass(frozen=True, slots=True)
class Explanation:
    """An answer with all its reasons, from the first location to the second."""

    start: Point
    end: Point
    answer: Answer
    items: tuple[Item, ...]


def explain(sight: Sight, a: Spot, b: Spot) -> Explanation:
    """Tell all about the line between two locations."""
    answer = sight.answer(a, b)
    board, ground = sight.board, sight.ground
    spots = [
        (
            np.array([board.hex(spot.hex)]),
            np.array([spot.level]),
            np.array([AT_CENTRE if spot.vertex is None else spot.vertex]),
        )
        for spot in (a, b)
    ]
    lines = Lines.between(EndTable(ground), spots[0], spots[1])
    scale, one, two = board.grid.scale, lines.a, lines.b
    ends = [(float(e.x[0]) / scale, float(e.y[0]) / scale) for e in (one, two)]
    if lines.swapped[0]:
        ends.reverse()
    items: list[Item] = []
    if board.hex(a.hex) != board.hex(b.hex):
        items = _items(lines)
    if lines.swapped[0]:
        items.reverse()
    return Explanation(ends[0], ends[1], answer, tuple(items))


def _items(lines: Lines) -> list[Item]:
    ground, one, two = lines.ground, lines.a, lines.b
    board, grid, pad = ground.board, ground.board.grid, ground.pad
    runs = patterns(grid.scale, ground.stride).runs(
        (one.x + pad, one.y + pad), (two.x + pad, two.y + pad), ground.raster
    )
    items: dict[tuple[int, int, int], Item] = {}
    for found in findings(lines):
        if found.order < 0:
            point = (float(grid.x[found.hex]) / grid.scale, float(grid.y[found.hex]) / grid.scale)
            level = float(board.facts.base[found.hex])
        else:
            row, column = divmod(int(runs.first[found.order]), ground.stride)
            point = (column - pad / grid.scale + 0.5, row - pad / grid.scale + 0.5)
            level = float(ground.cell_ground[runs.value[found.order]]) / 2
        # The first pixel speaks for all of one hex that count for one reason.
        items.setdefault(
            (found.hex, int(found.cause), found.code),
            Item(
                found.cause,
                found.value,
                grid.names[found.hex],
                board.catalogue.by_code[found.code].name,
                level,
                point,
            ),
        )
    return list(items.values())
