"""A map of the game as hexes with their terrain, for pictures that every game has."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hexmarshal.geometry.lattice.hexes import Hex, Hexside, Orientation
from hexmarshal.geometry.lattice.layout import Layout
from hexmarshal.geometry.terrain.terrain_map import TerrainMap, TerrainType

if TYPE_CHECKING:
    from collections.abc import Hashable

    from hexmarshal.games.asl.state.ground import Ground

__all__ = ["terrain_of"]

_OPEN: Final = "open_ground"
_COLOURS: Final = {
    _OPEN: "#b9d18b", "woods": "#3f7d3a", "grain": "#ecd75c", "brush": "#9aa657",
    "orchard": "#8fbf6a", "marsh": "#7fb5a8", "water": "#6aa5d8", "road": "#d9c9a3",
    "path": "#d9c9a3", "wooden_building": "#a8703c", "stone_building": "#8d8d92",
    "rubble_stone": "#77777c", "rubble_wood": "#8a6a4a", "crag": "#9c9484",
    "graveyard": "#a9b7a0", "shellholes": "#b6a482", "gully": "#a98f5f", "ford": "#9fc4dd",
    "stream_deep": "#6aa5d8", "stream_shallow": "#8fbfe0",
}  # fmt: skip
_SIDES: Final = {"wall": "#6b6b6b", "hedge": "#2f6b2a", "bocage": "#1f4f1c", "cliff": "#5a3d1a"}


def terrain_of(ground: Ground) -> TerrainMap:
    """The hexes of a map with their names, terrain, levels, walls and hedges."""
    grid = ground.board.grid
    hexes = [
        Hex(column, (half_row - column) // 2)
        for column, half_row in zip(grid.column.tolist(), grid.half_row.tolist(), strict=True)
    ]
    cells: dict[Hashable, tuple[str, ...]] = {}
    sides: dict[Hashable, tuple[str, ...]] = {}
    levels: dict[Hashable, Fraction] = {}
    for one, name in zip(hexes, ground.names, strict=True):
        beneath = ground.beneath(name)
        row = beneath if beneath.depression else ground.terrain(name)
        key = beneath.key if row.key == _OPEN and beneath.way else row.key
        cells[one] = (key.replace("_", " "),)
        if height := ground.base(name):
            levels[one] = Fraction(height)
        for direction in range(6):
            hexside = ground.hexside(name, direction)
            if hexside is not None and ground.across(name, direction):
                sides[Hexside(one, direction)] = (hexside.key.replace("_", " "),)
    colours = {key.replace("_", " "): colour for key, colour in (_COLOURS | _SIDES).items()}
    used = {key for keys in (*cells.values(), *sides.values()) for key in keys}
    first = hexes[0]
    x, y = (float(part[0] / grid.scale) for part in (grid.x, grid.y))
    pitch, breadth = (float(v / grid.scale) for v in (grid.hex_width // 3 * 3, grid.hex_height))
    return TerrainMap(
        dict(zip(hexes, ground.names, strict=True)),
        {key: TerrainType(key, colour=colours.get(key)) for key in sorted(used)},
        levels,
        cells,
        sides,
        layout=Layout(
            Orientation.FLAT,
            pitch,
            breadth,
            x - first.q * pitch,
            y - (first.r + first.q / 2) * breadth,
        ),
    )
