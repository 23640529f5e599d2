"""The game's data, and the squares of its map."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexmarshal.geometry.sight.line_of_sight import line_of_sight
from hexmarshal.geometry.terrain.terrain_file import load
from hexmarshal.rules.rulebook import load_yaml

if TYPE_CHECKING:
    from hexmarshal.geometry.terrain.terrain_map import TerrainMap

FOLDER = Path(__file__).parent
SIDES = ("blue", "red")


@cache
def data() -> dict[str, Any]:
    return load_yaml(FOLDER / "data.yaml")


@cache
def terrain() -> TerrainMap:
    return load(FOLDER / "board.yaml")


@cache
def around(cell: str) -> tuple[str, ...]:
    """A square and those adjacent to it."""
    mine = terrain()
    return (cell, *(mine.name(near) for near in mine.neighbours(mine.cell(cell))))


def is_of(cell: str, kind: str) -> bool:
    return kind in terrain().cell_terrain.get(terrain().cell(cell), ())


def distance(a: str, b: str) -> int:
    found = terrain().tiling.distance(terrain().cell(a), terrain().cell(b))
    assert found is not None
    return found


@cache
def sees(a: str, b: str) -> bool:
    """PIC-6."""
    return bool(line_of_sight(terrain(), a, b).visible)


def other(side: str) -> str:
    return SIDES[1] if side == SIDES[0] else SIDES[0]


def allowance(type: str) -> int:
    return int(data()["types"][type]["move"])
