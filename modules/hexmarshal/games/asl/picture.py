"""Pictures of lines and fields of view over a board's own picture, or over its terrain."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

import numpy as np
import shapely

from hexmarshal.errors import NotFoundError
from hexmarshal.vassal.archive import Archive

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.games.asl.sight.explain import Explanation
    from hexmarshal.games.asl.sight.view import Answers
    from hexmarshal.vassal.vasl.board import Board
    from hexmarshal.vassal.vasl.polygons import Regions

__all__ = ["draw_field", "draw_line", "draw_terrain"]

_KINDS = {"gif": "image/gif", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg"}
_CLEAR, _HINDERED, _STOPPED, _VIEWER = "#1f8a3b", "#d98200", "#c21f1f", "#1a3fb0"
_MARGIN = 90.0
_RISE = 14
"""How much darker the ground gets for each level, in percent."""


def draw_line(board: Board, story: Explanation, regions: Regions | None = None) -> str:
    """One line with all that stops or hinders it, and the hexes around it."""
    (x1, y1), (x2, y2) = story.start, story.end
    stop = next((i.point for i in story.items if i.cause.blocks), None)
    parts = [_grid(board)]
    if stop is None:
        colour = _HINDERED if story.answer.hindrance else _CLEAR
        parts.append(_stroke((x1, y1), (x2, y2), colour))
    else:
        parts.append(_stroke((x1, y1), stop, _CLEAR))
        parts.append(_stroke(stop, (x2, y2), _STOPPED, dashed=True))
    for item in story.items:
        colour = _STOPPED if item.cause.blocks else _HINDERED
        x, y = item.point
        sign = "\u00d7" if item.cause.blocks else f"+{item.hindrance}"
        parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="8" fill="{colour}"/>')
        parts.append(_text(x, y + 4, sign, "#fff", 11))
    parts += [_dot(x1, y1, _VIEWER), _dot(x2, y2, _VIEWER)]
    answer = story.answer
    words = [f"range {answer.range}", "blocked" if answer.blocked else "clear"]
    if answer.hindrance:
        words.append(f"hindrance +{answer.hindrance}")
    if answer.rule:
        words.append(f"{answer.rule} at {answer.at}: {answer.cause.sentence}")
    box = (
        min(x1, x2) - _MARGIN,
        min(y1, y2) - _MARGIN,
        max(x1, x2) + _MARGIN,
        max(y1, y2) + _MARGIN,
    )
    return _document(board, parts, regions, ", ".join(words), box)


def draw_field(
    board: Board, viewer: int, answers: Answers, title: str, regions: Regions | None = None
) -> str:
    """All that one location sees: green seen, orange hindered, the rest in the dark."""
    parts = []
    for index in range(len(board.grid.names)):
        if index == viewer:
            fill, opacity = _VIEWER, 0.7
        elif answers.blocked[index]:
            fill, opacity = "#000", 0.55
        elif answers.hindrance[index]:
            fill, opacity = _HINDERED, 0.4
        else:
            fill, opacity = _CLEAR, 0.3
        shape = _path(board.grid.outline(index))
        parts.append(f'<path d="{shape}" fill="{fill}" fill-opacity="{opacity}"/>')
        if not answers.blocked[index] and answers.hindrance[index]:
            x, y = board.grid.x[index] / board.grid.scale, board.grid.y[index] / board.grid.scale
            parts.append(_text(x, y + 5, f"+{answers.hindrance[index]}", "#000", 14))
    parts.append(_grid(board))
    return _document(board, parts, regions, title, None)


def draw_terrain(board: Board, regions: Regions, title: str = "") -> str:
    """The polygons of terrain and elevation over the board's picture."""
    parts = [
        f'<path d="{_paths(shape)}" fill="none" stroke="#e0007a" stroke-width="0.7"/>'
        for shape in regions.polygons
    ]
    return _document(board, parts, regions, title, None)


def _document(
    board: Board,
    parts: Iterable[str],
    regions: Regions | None,
    title: str,
    box: tuple[float, float, float, float] | None,
) -> str:
    width, height = board.grid.width, board.grid.height
    left, top, right, bottom = box or (0.0, 0.0, float(width), float(height))
    left, top = max(0.0, left), max(0.0, top)
    right, bottom = min(float(width), right), min(float(height), bottom)
    caption = 26.0 if title else 0.0
    view = f"{left:g} {top:g} {right - left:g} {bottom - top + caption:g}"
    background = _pictures(board) or (_terrain(board, regions) if regions is not None else "")
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" width="{right - left:g}"'
        f' height="{bottom - top + caption:g}" font-family="sans-serif">'
    )
    lines = [
        head,
        f"<title>{escape(title or board.name)}</title>",
        background,
        *parts,
    ]
    if title:
        lines.append(
            f'<rect x="{left:g}" y="{bottom:g}" width="{right - left:g}" height="{caption:g}"'
            ' fill="#fff"/>'
        )
        lines.append(_text((left + right) / 2, bottom + 18, title, "#000", 14))
    return "\n".join([*lines, "</svg>", ""])


def _pictures(board: Board, x: int = 0, y: int = 0) -> str:
    """The board's own picture, or those of the boards of a map."""
    if board.parts:
        return "\n".join(_pictures(part, right, down) for part, right, down in board.parts)
    if not board.image or board.place.file is None:
        return ""
    try:
        data = Archive.open(board.place.file).read(board.image)
    except NotFoundError:
        return ""
    kind = _KINDS.get(board.image.rpartition(".")[2].lower(), "image/gif")
    link = f"data:{kind};base64,{base64.b64encode(data).decode()}"
    width, height = board.grid.width, board.grid.height
    left, top = board.origin
    turn = f' transform="rotate(180 {width / 2:g} {height / 2:g})"' if board.turned else ""
    return (
        f'<svg x="{x}" y="{y}" width="{width}" height="{height}"><g{turn}>'
        f'<image x="{-left}" y="{-top}" href={quoteattr(link)}/></g></svg>'
    )


def _terrain(board: Board, regions: Regions) -> str:
    """Terrain in the catalogue's colours, darker the higher it lies."""
    parts = []
    for shape, code, level in zip(
        regions.polygons, regions.terrain.tolist(), regions.elevation.tolist(), strict=True
    ):
        colour = board.catalogue.by_code[code].colour
        path = _paths(shape)
        parts.append(f'<path d="{path}" fill="#{colour}" stroke="#{colour}" stroke-width="0.4"/>')
        if level:
            shade = ("#5a3a12", min(0.6, level * _RISE / 100)) if level > 0 else ("#123a5a", 0.25)
            parts.append(f'<path d="{path}" fill="{shade[0]}" fill-opacity="{shade[1]:g}"/>')
    return "\n".join(parts)


def _grid(board: Board) -> str:
    grid = board.grid
    shapes = "".join(_path(grid.outline(index)) for index in range(len(grid.names)))
    labels = [f'<path d="{shapes}" fill="none" stroke="#000" stroke-opacity="0.35"/>']
    if board.image or board.parts:
        return labels[0]  # the picture has the names already
    for index, name in enumerate(grid.names):
        x, y = grid.x[index] / grid.scale, grid.y[index] / grid.scale
        y -= grid.hex_height / grid.scale / 2 - 12
        labels.append(_text(x, y, name.split("/")[0].rpartition(":")[2], "#333", 9))
    return "\n".join(labels)


def _paths(shape: shapely.Geometry) -> str:
    rings = shapely.get_rings(shape)
    return "".join(_path(np.asarray(shapely.get_coordinates(ring)[:-1]).tolist()) for ring in rings)


def _path(points: Iterable[Iterable[float]]) -> str:
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points) + "Z"


def _stroke(
    a: tuple[float, float], b: tuple[float, float], colour: str, *, dashed: bool = False
) -> str:
    dash = ' stroke-dasharray="7 5"' if dashed else ""
    ends = f'x1="{a[0]:g}" y1="{a[1]:g}" x2="{b[0]:g}" y2="{b[1]:g}"'
    return (
        f'<line {ends} stroke="#fff" stroke-width="5" stroke-opacity="0.6"/>'
        f'<line {ends} stroke="{colour}" stroke-width="2.5"{dash}/>'
    )


def _dot(x: float, y: float, colour: str) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="6" fill="{colour}" stroke="#fff" stroke-width="2"/>'


def _text(x: float, y: float, text: str, colour: str, size: int) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="middle" font-size="{size}" fill="{colour}">'
        f"{escape(text)}</text>"
    )
