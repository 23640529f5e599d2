"""The board under a picture: its own picture, or terrain drawn from the data; and the hexes."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

import numpy as np
import shapely

from hexmarshal.errors import NotFoundError
from hexmarshal.geometry.svg.lettering import CAP, glyph, width
from hexmarshal.vassal.container.archive import Archive

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from hexmarshal.vassal.vasl.board import Board
    from hexmarshal.vassal.vasl.catalogue import Terrain
    from hexmarshal.vassal.vasl.outlines.polygons import Regions

__all__ = [
    "Box",
    "colour_of",
    "drawn_terrain",
    "hexes",
    "own_pictures",
    "path_of",
    "text",
    "text_width",
]

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in pixels of the board."""

_KINDS = {"gif": "image/gif", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg"}

_CAPITALS = 0.72
"""How high capitals are, as a part of the size of their letters."""

_LEVELS = {-2: "#86a36f", -1: "#9db583", 0: "#c3d19b", 1: "#dcc48e", 2: "#c79f63", 3: "#ab7d44"}
_HIGHEST = "#8d6232"
_COLOURS = {
    "Woods": "#3f7d3a",
    "Orchard": "#a9c46a",
    "Grain": "#ecd75c",
    "Brush": "#b59a4c",
    "Wall": "#5f5f5f",
    "Hedge": "#23591f",
    "Bocage": "#173d15",
    "Cliff": "#4a2f17",
    "Gully": "#8f8a5a",
    "Stone Building": "#8b8f98",
    "Wooden Building": "#96643a",
    "Rowhouse Wall": "#1d1d1d",
    "Dirt Road": "#e6dab8",
    "Paved Road": "#d5d5d0",
}
"""What players know by these colours; all else has the colour of the catalogue."""
_PATTERNS = {
    "Woods": '<circle cx="6" cy="6" r="4.4" fill="#4f9148"/><circle cx="6" cy="6" r="1.6"'
    ' fill="#2f6630"/>',
    "Orchard": '<circle cx="6" cy="6" r="3.2" fill="#3f7d3a"/>',
    "Grain": '<path d="M2 11L4 2M6 12L8 3M10 11L12 2" stroke="#b8962a" stroke-width="1.1"/>',
    "Brush": '<path d="M3 9Q6 3 9 9M1 4Q3 1 5 4" stroke="#6f5a22" fill="none"/>',
}


def own_pictures(board: Board, box: Box, x: int = 0, y: int = 0) -> str:
    """The pictures of the boards that lie in a box; empty if one of them has none that is true."""
    left, top, right, bottom = box
    if board.parts:
        shown = [
            own_pictures(part, box, across, down)
            for part, across, down in board.parts
            if across < right
            and left < across + part.grid.width
            and down < bottom
            and top < down + part.grid.height
        ]
        return "\n".join(shown) if all(shown) else ""
    if not board.image or board.place.file is None or board.is_changed:
        return ""
    try:
        data = Archive.open(board.place.file).read(board.image)
    except NotFoundError:
        return ""
    kind = _KINDS.get(board.image.rpartition(".")[2].lower(), "image/gif")
    link = f"data:{kind};base64,{base64.b64encode(data).decode()}"
    wide, high = board.grid.width, board.grid.height
    before, above = board.origin
    turn = f' transform="rotate(180 {wide / 2:g} {high / 2:g})"' if board.turned else ""
    return (
        f'<svg x="{x}" y="{y}" width="{wide}" height="{high}"><g{turn}>'
        f'<image x="{-before}" y="{-above}" href={quoteattr(link)}/></g></svg>'
    )


def drawn_terrain(board: Board, regions: Regions, box: Box) -> str:
    """The ground in the colour of its level, and on it the terrain."""
    parts = ["<defs>"]
    parts += [
        f'<pattern id="{name.lower()}" width="12" height="12" patternUnits="userSpaceOnUse">'
        f"{drawing}</pattern>"
        for name, drawing in _PATTERNS.items()
    ]
    parts.append("</defs>")
    shown = shapely.intersects(regions.polygons, shapely.box(*box))
    for i in np.flatnonzero(shown).tolist():
        level, terrain = (
            int(regions.elevation[i]),
            board.catalogue.by_code[int(regions.terrain[i])],
        )
        shape = "".join(
            path_of(np.asarray(shapely.get_coordinates(ring)[:-1]).tolist())
            for ring in shapely.get_rings(regions.polygons[i])
        )
        colour = _LEVELS.get(level, _HIGHEST if level > 0 else _LEVELS[-2])
        if terrain.name != "Open Ground":
            colour = colour_of(terrain)
        parts.append(f'<path d="{shape}" fill="{colour}" stroke="{colour}" stroke-width="0.5"/>')
        family = _family(terrain)
        if family in _PATTERNS:
            parts.append(f'<path d="{shape}" fill="url(#{family.lower()})"/>')
        if terrain.name == "Open Ground" and level:
            parts.append(f'<path d="{shape}" fill="none" stroke="#7a5426" stroke-width="1.2"/>')
    return "\n".join(parts)


def colour_of(terrain: Terrain) -> str:
    """The colour of a terrain in pictures."""
    return _COLOURS.get(_family(terrain), f"#{terrain.colour}")


def _family(terrain: Terrain) -> str:
    for name in _COLOURS:
        if terrain.name.startswith(name):
            return name
    return terrain.name


def hexes(board: Board, box: Box, named: Collection[int] = ()) -> str:
    """The hexes with their names and levels, where no picture tells them.

    Those that have been `named` already are left without a level.
    """
    grid = board.grid
    left, top, right, bottom = box
    x, y = grid.x / grid.scale, grid.y / grid.scale
    half = grid.hex_height / grid.scale / 2
    inside = (x > left - 2 * half) & (x < right + 2 * half)
    inside &= (y > top - 2 * half) & (y < bottom + 2 * half)
    shown = np.flatnonzero(inside).tolist()
    outlines = "".join(path_of(grid.outline(index)) for index in shown)
    parts = [f'<path d="{outlines}" fill="none" stroke="#000" stroke-opacity="0.4"/>']
    for index in shown:
        name = grid.names[index].split("/")[0].rpartition(":")[2]
        at_x, at_y = float(x[index]), float(y[index])
        parts.append(f'<circle cx="{at_x:g}" cy="{at_y:g}" r="1.6" fill="#fff" stroke="#333"/>')
        parts.append(text(at_x, at_y - half + 12, name, "#222", 9.5))
        level = int(board.facts.base[index])
        if level and index not in named:
            parts.append(text(at_x, at_y + half - 5, f"level {level}", "#6b3f0c", 8))
    return "\n".join(parts)


def path_of(points: Iterable[Iterable[float]]) -> str:
    """A closed path through points."""
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points) + "Z"


def text(
    x: float,
    y: float,
    words: str,
    colour: str,
    size: float,
    anchor: str = "middle",
    *,
    weight: float = 1.0,
    rim: bool = True,
) -> str:
    """Words in strokes, which need no font, with a light rim to be read on any ground."""
    high = _CAPITALS * size
    left = x - {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * text_width(words, size)
    scale, pen = high / CAP, 0.0
    strokes = []
    for character in words:
        shape = glyph(character)
        if shape.path:
            marks = [
                f'<path d="{d}" transform="translate({dx:g} {dy:g})"/>'
                for d, dx, dy in shape.accents
            ]
            strokes.append(
                f'<g transform="translate({pen:.2f})"><path d="{shape.path}"/>{"".join(marks)}</g>'
            )
        pen += shape.advance
    line = 'fill="none" stroke-linecap="round" stroke-linejoin="round"'
    place = f'transform="translate({left:.2f} {y - high:.2f}) scale({scale:.4f})"'
    body = "".join(strokes)
    under = f'<g stroke="#fff" stroke-opacity="0.75" stroke-width="5">{body}</g>' if rim else ""
    return (
        f'<g {line} {place} role="img" aria-label={quoteattr(words)}>{under}'
        f'<g stroke="{colour}" stroke-width="{1.6 * weight:g}">{body}</g></g>'
    )


def text_width(words: str, size: float) -> float:
    """How wide words are."""
    return width(words, _CAPITALS * size)
