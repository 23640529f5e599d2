"""The terrain of the game as a map knows it: what hinders sight, and how it is coloured."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.state.ground.ground_layout import DOOR, WALL, WINDOW
from hexmarshal.geometry.terrain.terrain_map import SightEffect, TerrainType

if TYPE_CHECKING:
    from hexmarshal.games.heroes_of_stalingrad.state.tables import Kind, Tables

__all__ = ["terrain_type", "terrain_types"]

_COLOURS = {
    "grove": "#6f8f4f",
    "crater": "#a08a66",
    "water": "#7fa3c0",
    "house": "#8d7b6c",
    "rubble": "#a59b8f",
    "wreck": "#6b655d",
}


def terrain_type(kind: Kind) -> TerrainType:
    """A kind of terrain element."""
    effect = (
        SightEffect.OBSTACLE
        if kind.blocks
        else SightEffect.HINDRANCE
        if kind.obstacle
        else SightEffect.OPEN
    )
    return TerrainType(
        kind.key, effect, hindrance=kind.obstacle or 1, colour=_COLOURS.get(kind.key)
    )


def terrain_types(tables: Tables) -> dict[str, TerrainType]:
    """All kinds of the data, and what stands between cells."""
    found = {key: terrain_type(kind) for key, kind in tables.kinds.items()}
    found[WALL] = TerrainType(WALL, SightEffect.OBSTACLE, colour="#7a1f1f")
    found[WINDOW] = TerrainType(WINDOW, colour="#f2f2f2")
    found[DOOR] = TerrainType(DOOR, colour="#3a6ea8")
    return found
