"""The ground of a map that its module has no picture of: drawn by us, or boards out of files."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from hexmarshal.geometry.svg import Picture
from hexmarshal.web.drawing.gallery import Stored, png_of
from hexmarshal.web.drawing.sheets import GroundPart, Sheet

if TYPE_CHECKING:
    from hexmarshal.geometry.terrain.terrain_map import TerrainMap
    from hexmarshal.vassal.render.board_picture import BoardPart, BoardPicture
    from hexmarshal.web.drawing.gallery import Gallery

__all__ = ["board_sheet", "drawn_sheet"]

_VIEW_BOX = re.compile(r'viewBox="(\S+) (\S+) (\S+) (\S+)"')


def drawn_sheet(
    terrain: TerrainMap, gallery: Gallery, *, legend: bool = False
) -> tuple[Sheet, tuple[float, float]]:
    """The map, and the point of the terrain at its corner."""
    svg = Picture(terrain, legend=legend).svg()
    found = _VIEW_BOX.search(svg)
    assert found is not None, "every picture of ours says what it shows"
    left, top, width, height = map(float, found.groups())
    look = f"terrain {terrain.version} {legend}"
    src = gallery.add(look, lambda: Stored(svg.encode(), "image/svg+xml"))
    ground = GroundPart(src, 0, 0, round(width), round(height))
    name = terrain.name_of_map or "Map"
    return Sheet(name, round(width), round(height), (ground,)), (left, top)


def board_sheet(boards: BoardPicture, gallery: Gallery) -> Sheet:
    """The map that the boards lie on."""
    ground = tuple(_part(part, number, gallery) for number, part in enumerate(boards.parts))
    return Sheet(boards.map, boards.width, boards.height, ground)


def _part(part: BoardPart, number: int, gallery: Gallery) -> GroundPart:
    width, height = part.size
    look = f"laid board {number} {part.name} {part.x} {part.y}"
    src = gallery.add(look, partial(png_of, part.image.convert("RGB")))
    return GroundPart(src, part.x, part.y, width, height)
