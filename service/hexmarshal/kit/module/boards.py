"""Boards: a picture of the ground, and a grid that calls cells what the rules call them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hexmarshal.geometry.svg.view import View
from hexmarshal.kit.ground.plain import bounds, plain_svg
from hexmarshal.vassal.builder import hex_grid, regions, square_grid

if TYPE_CHECKING:
    from collections.abc import Callable

    from hexmarshal.geometry.terrain import TerrainMap
    from hexmarshal.vassal.components import Grid

__all__ = ["Board", "board_of", "grid_of"]


@dataclass(frozen=True, slots=True)
class Board:
    """A board of the module: what the rules call it, its picture, and its grid in pixels."""

    key: str
    name: str
    svg: str
    grid: Callable[[], Grid]
    zoom: float = 1.0


def board_of(
    terrain: TerrainMap, key: str = "", *, name: str = "", svg: str = "", zoom: float = 1.0
) -> Board:
    """The board of a terrain map, `zoom` pixels for each of the map's own.

    The picture has the map's bounds; without one the map is drawn plainly.
    """
    title = name or terrain.name_of_map or key or "Board"
    return Board(key, title, svg or plain_svg(terrain), lambda: grid_of(terrain, zoom), zoom)


def grid_of(terrain: TerrainMap, zoom: float = 1.0) -> Grid:
    """The grid of a terrain map as VASSAL counts it.

    Where the map's file has one of VASSAL's grids it is that; any other map becomes a grid of named
    points, one in the middle of each cell.
    """
    given: dict[str, Any] = dict(terrain.grid or {})
    attributes: dict[str, Any] = given.get("grid") or {}
    if given.get("kind") not in ("hex", "square") or not attributes:
        return _points(terrain, zoom)
    options: dict[str, Any] = {
        "width": float(attributes["dx"]) * zoom,
        "height": float(attributes["dy"]) * zoom,
        "origin": (round(float(attributes["x0"]) * zoom), round(float(attributes["y0"]) * zoom)),
        "numbering": {name: _text(v) for name, v in (given.get("numbering") or {}).items()},
    }
    if given["kind"] == "square":
        return square_grid(**options)
    return hex_grid(**options, sideways=bool(attributes.get("sideways", False)))


def _points(terrain: TerrainMap, zoom: float) -> Grid:
    view = View(terrain)
    left, top, _, _ = bounds(terrain)
    places = {}
    for cell in terrain.cells():
        x, y = view.centre(cell)
        places[terrain.name(cell)] = round((x - left) * zoom), round((y - top) * zoom)
    return regions(places)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
