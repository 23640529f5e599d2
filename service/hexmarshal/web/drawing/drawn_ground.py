"""The ground of a map that has no picture of its own: drawn by us from its terrain."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hexmarshal.geometry.svg import Picture
from hexmarshal.web.drawing.gallery import Stored
from hexmarshal.web.drawing.sheets import GroundPart, Sheet

if TYPE_CHECKING:
    from hexmarshal.geometry.terrain.terrain_map import TerrainMap
    from hexmarshal.web.drawing.gallery import Gallery

__all__ = ["drawn_sheet"]

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
