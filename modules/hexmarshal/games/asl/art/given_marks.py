"""What a scenario or the player adds to a board, drawn in its hexes: smoke, vehicles, shelling."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.art.landscape import path_of, text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.asl.sight.conditions import Conditions
    from hexmarshal.vassal.vasl.board import Board

__all__ = ["given_marks"]

_SMOKE, _SHELLING, _STEEL = "#f4f4f4", "#c8401e", "#39424d"
_WORDS = 10.0


def given_marks(board: Board, conditions: Conditions) -> Iterator[str]:
    """They are there whether a line gets as far or not."""
    for name, smoke in conditions.smoke.items():
        yield _filled(board, name, _SMOKE, f"SMOKE +{smoke.hindrance}", 0.62)
    for name, value in conditions.shelling.items():
        yield _filled(board, name, _SHELLING, f"shells +{value}", 0.35)
    for name in sorted(conditions.vehicles):
        yield _vehicle(board, name)


def _centre(board: Board, name: str) -> tuple[float, float]:
    index, grid = board.hex(name), board.grid
    return float(grid.x[index]) / grid.scale, float(grid.y[index]) / grid.scale


def _filled(board: Board, name: str, colour: str, words: str, solid: float) -> str:
    x, y = _centre(board, name)
    outline = path_of(board.grid.outline(board.hex(name)))
    return (
        f'<path d="{outline}" fill="{colour}" fill-opacity="{solid:g}"/>'
        f"{text(x, y - 12, words, '#222', _WORDS)}"
    )


def _vehicle(board: Board, name: str) -> str:
    """A hull with its tracks, seen from above."""
    x, y = _centre(board, name)
    corner = f'x="{x - 13:g}" y="{y - 9:g}"'
    parts = [
        f'<rect {corner} width="26" height="18" fill="{_STEEL}" stroke="#fff"/>',
        f'<circle cx="{x:g}" cy="{y:g}" r="5" fill="#7c8794"/>',
        f'<path d="M{x:g} {y:g}h16" stroke="#7c8794" stroke-width="2.5"/>',
        text(x, y + 21, "vehicle", "#222", _WORDS),
    ]
    return "".join(parts)
