"""The ground along a line seen from the side: levels, terrain, and the line from eye to eye."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from hexmarshal.games.asl.art.landscape import colour_of, text
from hexmarshal.vassal.vasl.grid import NONE

if TYPE_CHECKING:
    from hexmarshal.games.asl.art.landscape import Box
    from hexmarshal.vassal.vasl.board import Board

__all__ = ["section"]

Point = tuple[float, float]

_GROUND, _SKY, _TICKS = "#c3a36a", "#eef4fa", "#7d8fa3"
_SOFT = 0.45
"""How solid terrain looks that only hinders, or leaves room under its trees."""


def section(
    board: Board,
    start: Point,
    end: Point,
    levels: tuple[float, float],
    box: Box,
    line: tuple[str, str, float],
) -> str:
    """Draw it into a box; `line` is its colour before and after a part of its way."""
    grid, pixels = board.grid, board.pixels
    length = max(2, round(2 * float(np.hypot(end[0] - start[0], end[1] - start[1]))))
    part = (np.arange(length) + 0.5) / length
    # A hair to the side, so that a line along an edge between pixels shows one side only.
    columns = np.floor(start[0] + part * (end[0] - start[0]) + 1e-6).astype(np.int64)
    rows = np.floor(start[1] + part * (end[1] - start[1]) + 1e-6).astype(np.int64)
    columns, rows = columns.clip(0, grid.width - 1), rows.clip(0, grid.height - 1)
    owner, ground = pixels.owner[rows, columns], pixels.elevation[rows, columns].astype(np.int64)
    code = pixels.terrain[rows, columns].astype(np.int64)
    whole = board.facts.centre[owner].astype(np.int64)
    inherent = np.array([board.catalogue.by_code[int(c)].inherent for c in whole])
    code = np.where(inherent & (owner != NONE), whole, code)
    tops = [_height(board, int(c)) for c in code]
    low = min(int(ground.min()), 0)
    high = max(int(np.ceil((ground + tops).max())), int(np.ceil(max(levels)))) + 1
    left, top, right, bottom = box
    left += 24
    rise = (bottom - top - 16) / (high - low)

    def x(i: float) -> float:
        return left + (right - left) * i / length

    def y(level: float) -> float:
        return bottom - 14 - rise * (level - low)

    parts = [_rect(left, top, right, bottom - 14, _SKY)]
    for level in range(low, high + 1):
        parts.append(
            f'<path d="M{left:g} {y(level):.1f}H{right:g}" stroke="{_TICKS}" stroke-opacity="0.5"/>'
        )
        parts.append(text(left - 5, y(level) + 4, str(level), "#333", 10, "end"))
    cuts = np.flatnonzero((np.diff(code) != 0) | (np.diff(ground) != 0)) + 1
    for i, j in pairwise((0, *cuts.tolist(), length)):
        terrain = board.catalogue.by_code[int(code[i])]
        foot, up = float(ground[i]), float(ground[i]) + tops[i]
        if tops[i]:
            solid = 1.0 if terrain.obstacle and not terrain.split else _SOFT
            parts.append(_rect(x(i), y(up), x(j), y(foot), colour_of(terrain), solid))
        parts.append(_rect(x(i), y(foot), x(j), bottom - 14, _GROUND))
        if not tops[i] and terrain.name != "Open Ground":
            parts.append(_rect(x(i), y(foot), x(j), y(foot) + 3, colour_of(terrain)))
    borders = (0, *(np.flatnonzero(np.diff(owner)) + 1).tolist(), length)
    for i, j in pairwise(borders):
        if i:
            parts.append(
                f'<path d="M{x(i):.1f} {top:g}V{bottom - 14:g}" stroke="{_TICKS}"'
                ' stroke-dasharray="2 3"/>'
            )
        if owner[i] != NONE and x(j) - x(i) > 16:
            name = grid.names[int(owner[i])].split("/")[0].rpartition(":")[2]
            parts.append(text((x(i) + x(j)) / 2, bottom - 3, name, "#333", 10))
    before, after, cut = line
    eyes = [(x(0), y(levels[0] + 0.15)), (x(length), y(levels[1] + 0.15))]
    straight = levels[0] + cut * (levels[1] - levels[0])
    at = min(length - 1, int(cut * length))
    over = float(ground[at]) + tops[at]
    # Over what hides the ground behind it the line goes by its top, not through the hill.
    bend = over if straight < over <= max(levels) and cut < 1 else straight
    middle = (x(cut * length), y(bend + 0.15))
    for a, b, colour, dash in (
        (eyes[0], middle, before, ""),
        (middle, eyes[1], after, ' stroke-dasharray="7 5"' if after != before else ""),
    ):
        parts.append(
            f'<path d="M{a[0]:.1f} {a[1]:.1f}L{b[0]:.1f} {b[1]:.1f}" stroke="{colour}"'
            f' stroke-width="2"{dash}/>'
        )
    parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="4" fill="#1a3fb0"/>' for a, b in eyes]
    return "\n".join(parts)


def _height(board: Board, code: int) -> float:
    terrain = board.catalogue.by_code[code]
    return terrain.height + terrain.half / 2


def _rect(x1: float, y1: float, x2: float, y2: float, colour: str, solid: float = 1.0) -> str:
    return (
        f'<rect x="{x1:.1f}" y="{y1:.1f}" width="{max(0.0, x2 - x1):.1f}"'
        f' height="{max(0.0, y2 - y1):.1f}" fill="{colour}" fill-opacity="{solid:g}"/>'
    )
