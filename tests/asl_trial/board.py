"""The data, the hexes, and what is seen from where."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexmarshal.geometry.sight.line_of_sight import line_of_sight
from hexmarshal.geometry.terrain.terrain_file import load
from hexmarshal.rules.rulebook import load_yaml

if TYPE_CHECKING:
    from hexmarshal.geometry.terrain.terrain_map import TerrainMap
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position

FOLDER = Path(__file__).parent
SIDES = ("russian", "german")
COVER = "?"
POSSESSES = "possesses"
BROKEN, PINNED = "broken", "pinned"
FIRST_FIRE, FINAL_FIRE, MOVED = "first_fire", "final_fire", "moved"


@cache
def data() -> dict[str, Any]:
    return load_yaml(FOLDER / "data.yaml")


@cache
def terrain() -> TerrainMap:
    return load(FOLDER / "board.yaml")


@cache
def around(cell: str) -> tuple[str, ...]:
    """A hex and those adjacent to it."""
    mine = terrain()
    return (cell, *(mine.name(near) for near in mine.neighbours(mine.cell(cell))))


def ground(cell: str) -> str:
    found = terrain().cell_terrain.get(terrain().cell(cell), ())
    return next((kind for kind in found if kind in data()["terrain"]), "open")


def cost(cell: str) -> int:
    return int(data()["terrain"][ground(cell)]["cost"])


def distance(a: str, b: str) -> int:
    found = terrain().tiling.distance(terrain().cell(a), terrain().cell(b))
    assert found is not None
    return found


@cache
def sees(a: str, b: str) -> bool:
    return bool(line_of_sight(terrain(), a, b).visible)


def other(side: str) -> str:
    return SIDES[1] if side == SIDES[0] else SIDES[0]


def printed(unit: Unit, value: str) -> int:
    return int(data()["types"][unit.type].get(value, 0))


def is_of(unit: Unit, *types: str) -> bool:
    return unit.type in types


def people(position: Position, cell: str, side: str) -> list[Unit]:
    """Squads and leaders of a side in a hex, under a counter or not."""
    return [u for u in position.at(cell) if u.side == side and is_of(u, "squad", "leader")]


def able(unit: Unit) -> bool:
    return BROKEN not in unit.flags
