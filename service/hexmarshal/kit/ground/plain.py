"""A map drawn plainly: a colour and a symbol for each terrain, the grid, and the names of cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hexmarshal.geometry.svg.canvas import Canvas
from hexmarshal.geometry.svg.ground import draw_areas, draw_lines, draw_names
from hexmarshal.geometry.svg.view import View

if TYPE_CHECKING:
    from hexmarshal.geometry.terrain.terrain_map import TerrainMap

__all__ = ["bounds", "plain_svg"]

_MARGIN: Final = 8
_ROUNDING: Final = 1e-6
# Grids of VASSAL, whose files tell the size of the whole board.
_SIZED: Final = frozenset({"hex", "square", "region", "zoned"})


def bounds(terrain: TerrainMap) -> tuple[float, float, float, float]:
    """The rectangle that a picture of the map shows: left, top, right, bottom.

    A map with one of VASSAL's grids has the size that its file gives; any other is as large as its
    cells, with the same margin on the far sides as its own origin leaves on the near ones.
    """
    given: dict[str, Any] = dict(terrain.grid or {})
    if given.get("kind") in _SIZED and given.get("width") and given.get("height"):
        return 0, 0, float(given["width"]), float(given["height"])
    left, top, right, bottom = View(terrain).bounds
    if left > -_ROUNDING and top > -_ROUNDING:
        return 0, 0, round(right + left), round(bottom + top)
    return left - _MARGIN, top - _MARGIN, right + _MARGIN, bottom + _MARGIN


def plain_svg(terrain: TerrainMap) -> str:
    """The map as a picture of its own bounds."""
    canvas, view = Canvas(native_text=False), View(terrain)
    left, top, right, bottom = bounds(terrain)
    canvas.rectangle((left, top), right - left, bottom - top, fill="#efe8d2")
    draw_areas(canvas, view)
    draw_lines(canvas, view)
    draw_names(canvas, view)
    return canvas.render((left, top, right, bottom), terrain.name_of_map)
