"""Boards: a picture of the ground, and a grid that calls cells what the rules call them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hexmarshal.geometry.grids import Size
from hexmarshal.geometry.lattice.orientation import Orientation
from hexmarshal.geometry.svg.view import View
from hexmarshal.kit.ground.plain import bounds, plain_svg
from hexmarshal.vassal.builder import hex_grid, regions, square_grid
from hexmarshal.vassal.state.locator import grid_of as read_grid

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hexmarshal.geometry.terrain.terrain_map import TerrainMap
    from hexmarshal.vassal.components import Grid

__all__ = ["Board", "board_of", "grid_of"]


@dataclass(frozen=True, slots=True)
class Board:
    """A board of the module: what the rules call it, its picture, and its grid in pixels.

    Of several with one key, set-ups of the `scenarios` named take this one.
    """

    key: str
    name: str
    svg: str
    grid: Callable[[], Grid]
    zoom: float = 1.0
    scenarios: frozenset[str] = frozenset()


def board_of(
    terrain: TerrainMap,
    key: str = "",
    *,
    name: str = "",
    svg: str = "",
    zoom: float = 1.0,
    scenarios: frozenset[str] = frozenset(),
) -> Board:
    """The board of a terrain map, `zoom` pixels for each of the map's own.

    The picture has the map's bounds; without one the map is drawn plainly.
    """
    title = name or terrain.name_of_map or key or "Board"
    picture = svg or plain_svg(terrain)
    return Board(key, title, picture, lambda: grid_of(terrain, zoom), zoom, scenarios)


def grid_of(terrain: TerrainMap, zoom: float = 1.0) -> Grid:
    """The grid of a terrain map as VASSAL counts it.

    Where the map's file has one of VASSAL's grids, or columns and rows, it is such a grid; any
    other map becomes a grid of named points, one in the middle of each cell.
    """
    given: dict[str, Any] = dict(terrain.grid or {})
    if given.get("kind") in ("hex", "square") and given.get("grid"):
        return _own(given, zoom)
    made = _counted(terrain, given, zoom)
    return made if made is not None and _fits(made, terrain, zoom) else _points(terrain, zoom)


def _own(given: Mapping[str, Any], zoom: float) -> Grid:
    """The grid that the file itself describes."""
    attributes: dict[str, Any] = given["grid"]
    options: dict[str, Any] = {
        "width": float(attributes["dx"]) * zoom,
        "height": float(attributes["dy"]) * zoom,
        "origin": (round(float(attributes["x0"]) * zoom), round(float(attributes["y0"]) * zoom)),
        "numbering": {name: _text(v) for name, v in (given.get("numbering") or {}).items()},
    }
    if given["kind"] == "square":
        return square_grid(**options)
    return hex_grid(**options, sideways=bool(attributes.get("sideways", False)))


def _counted(terrain: TerrainMap, given: Mapping[str, Any], zoom: float) -> Grid | None:
    """Columns and rows that are named 0101 from the top left."""
    left, top, _, _ = bounds(terrain)
    digits = max(2, len(str(given.get("columns", 0))), len(str(given.get("rows", 0))))
    numbering = {"hLeading": str(digits - 1), "vLeading": str(digits - 1)}
    first = next(iter(terrain.cells()))
    x, y = View(terrain).centre(first)
    options: dict[str, Any] = {
        "origin": (round((x - left) * zoom), round((y - top) * zoom)), "numbering": numbering,
    }  # fmt: skip
    if given.get("kind") == "block" and terrain.layout is not None:
        wide, high = terrain.layout.pitch * zoom, terrain.layout.breadth * zoom
        if terrain.layout.orientation is Orientation.POINTY:
            # To VASSAL that is the other grid, turned by a quarter: so is its origin.
            options["origin"] = options["origin"][::-1]
            options["numbering"] = {**numbering, "first": "V"}
            return hex_grid(width=wide, height=high, sideways=True, **options)
        return hex_grid(width=wide, height=high, **options)
    if given.get("kind") == "squares":
        corners = View(terrain).corners(first)
        wide, high = (max(axis) - min(axis) for axis in zip(*corners, strict=True))
        return square_grid(width=wide * zoom, height=high * zoom, **options)
    return None


def _fits(grid: Grid, terrain: TerrainMap, zoom: float) -> bool:
    """Whether the grid calls the middle of every cell what the map calls it."""
    left, top, right, bottom = bounds(terrain)
    read = read_grid(grid, Size(round((right - left) * zoom), round((bottom - top) * zoom)))
    return all(read.location_name(at) == name for name, at in _middles(terrain, zoom).items())


def _middles(terrain: TerrainMap, zoom: float) -> dict[str, tuple[int, int]]:
    view = View(terrain)
    left, top, _, _ = bounds(terrain)
    places = {}
    for cell in terrain.cells():
        x, y = view.centre(cell)
        places[terrain.name(cell)] = round((x - left) * zoom), round((y - top) * zoom)
    return places


def _points(terrain: TerrainMap, zoom: float) -> Grid:
    return regions(_middles(terrain, zoom))


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
