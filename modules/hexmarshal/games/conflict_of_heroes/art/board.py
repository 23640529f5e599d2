"""The picture of a board: what its land is painted with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.kit.ground.areas import Fields, Water
from hexmarshal.kit.ground.buildings import Houses, Yards, stone, wooden
from hexmarshal.kit.ground.painting import Grid, Veil, paint, painted_svg
from hexmarshal.kit.ground.relief import Cliffs, Contours, Hills, Meadow, Tufts
from hexmarshal.kit.ground.ways import Roads, Walls
from hexmarshal.kit.ground.woods import Floor, Trees, forest, light_woods

if TYPE_CHECKING:
    from hexmarshal.geometry.terrain.terrain_map import TerrainMap
    from hexmarshal.kit.drawing.canvas import Canvas
    from hexmarshal.kit.ground.land import Land
    from hexmarshal.kit.ground.painting import Brush

__all__ = ["BRUSHES", "board_svg", "draw_board"]

_STANDS: Final = (light_woods("light_woods"), forest("forest"))
_ROOFS: Final = (wooden("wooden_building"), stone("stone_building"))
BRUSHES: Final[tuple[Brush, ...]] = (
    Meadow(),
    Hills(),
    Cliffs(),
    Fields("field"),
    Water("water"),
    Floor(_STANDS),
    Yards(_ROOFS),
    Contours(),
    Roads("road", water="water"),
    Tufts(),
    Walls("wall"),
    Houses(_ROOFS),
    Trees(_STANDS),
    Veil(),
    Grid(dark=frozenset({"forest", "water"}), halos=(("water", "#2c5064"),)),
)
"""From the ground up."""


def board_svg(map: TerrainMap) -> str:
    """The whole board as an SVG, in the pixels of its own layout."""
    return painted_svg(map, BRUSHES)


def draw_board(canvas: Canvas, map: TerrainMap) -> Land:
    """Draw a board onto a canvas; what is drawn later lies on top of it."""
    return paint(canvas, map, BRUSHES)
