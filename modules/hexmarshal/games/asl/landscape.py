"""The board under a picture: its own picture, or terrain drawn from the data; and the hexes."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

import numpy as np
import shapely

from hexmarshal.errors import NotFoundError
from hexmarshal.vassal.archive import Archive

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from hexmarshal.vassal.vasl.board import Board
    from hexmarshal.vassal.vasl.catalogue import Terrain
    from hexmarshal.vassal.vasl.polygons import Regions

__all__ = ["Box", "colour_of", "drawn_terrain", "hexes", "own_pictures", "path_of", "text"]

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in pixels of the board."""

_KINDS = {"gif": "image/gif", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg"}

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


def own_pictures(board: Board, x: int = 0, y: int = 0) -> str:
    """The board's own picture, or those of the boards of a map; empty if one has none."""
    if board.parts:
        shown = [own_pictures(part, right, down) for part, right, down in board.parts]
        return "\n".join(shown) if all(shown) else ""
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


def drawn_terrain(board: Board, regions: Regions, box: Box | None = None) -> str:
    """The ground in the colour of its level, and on it the terrain."""
    parts = ["<defs>"]
    parts += [
        f'<pattern id="{name.lower()}" width="12" height="12" patternUnits="userSpaceOnUse">'
        f"{drawing}</pattern>"
        for name, drawing in _PATTERNS.items()
    ]
    parts.append("</defs>")
    shown = np.ones(len(regions.polygons), np.bool_)
    if box is not None:
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


def hexes(board: Board, box: Box | None = None, named: Collection[int] = ()) -> str:
    """The outlines of the hexes; where no picture tells them, their names and levels, too.

    Those that have been `named` already are left without a level.
    """
    grid = board.grid
    left, top, right, bottom = box or (0.0, 0.0, float(grid.width), float(grid.height))
    x, y = grid.x / grid.scale, grid.y / grid.scale
    half = grid.hex_height / grid.scale / 2
    inside = (x > left - 2 * half) & (x < right + 2 * half)
    inside &= (y > top - 2 * half) & (y < bottom + 2 * half)
    shown = np.flatnonzero(inside).tolist()
    outlines = "".join(path_of(grid.outline(index)) for index in shown)
    parts = [f'<path d="{outlines}" fill="none" stroke="#000" stroke-opacity="0.4"/>']
    if board.image or board.parts:
        return parts[0]  # the picture has the names already
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


def text(x: float, y: float, words: str, colour: str, size: float, anchor: str = "middle") -> str:
    """Words with a light rim, so that they can be read on any ground."""
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-size="{size:g}" fill="{colour}"'
        f' stroke="#fff" stroke-opacity="0.75" stroke-width="{size / 5:g}" paint-order="stroke">'
        f"{escape(words)}</text>"
    )
