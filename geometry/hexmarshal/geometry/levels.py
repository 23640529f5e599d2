"""Arithmetic of heights that games share: blind hexes, slopes, crests and plateaus."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING

from hexmarshal.errors import GeometryError, Place

if TYPE_CHECKING:
    from collections.abc import Hashable

    from hexmarshal.geometry.hexes import Hexside
    from hexmarshal.geometry.terrain import TerrainMap

__all__ = ["BlindHexes", "crests", "height_at", "plateau"]

Level = int | Fraction


@dataclass(frozen=True, slots=True)
class BlindHexes:
    """How many hexes behind an obstacle a higher viewer cannot see into.

    `per_level` for each level (a part counts as one) that the obstacle rises above the lower end,
    one more for each full `range_step` of hexes from the viewer to the obstacle, `per_advantage`
    fewer for each full level beyond the first that the viewer is above the obstacle's top; never
    fewer than `least`.
    """

    per_level: int = 1
    range_step: int = 5
    per_advantage: int = 1
    least: int = 1

    def __post_init__(self) -> None:
        for name in ("per_level", "range_step", "per_advantage", "least"):
            if getattr(self, name) < (name == "range_step"):
                raise GeometryError(
                    f"{name} cannot be {getattr(self, name)}", place=Place(field=f"blind.{name}")
                )

    def count(self, *, viewer: Level, top: Level, lower: Level, distance: int) -> int:
        """The blind hexes behind an obstacle with this top, `distance` hexes from the viewer."""
        if top <= lower:
            return 0
        blind = self.per_level * ceil(top - lower) + distance // self.range_step
        blind -= self.per_advantage * max(0, floor(viewer - top) - 1)
        return max(self.least, blind)


def height_at(start: Level, end: Level, share: Fraction) -> Fraction:
    """The height of the straight line of sight at a share of its way."""
    return start + (end - start) * share


def crests(terrain: TerrainMap) -> dict[Hexside, tuple[Fraction, Fraction]]:
    """The hexsides where the ground changes level, each with its lower and its higher level."""
    from hexmarshal.geometry.hexes import Hex, Hexside

    found: dict[Hexside, tuple[Fraction, Fraction]] = {}
    for cell in terrain.cells():
        if not isinstance(cell, Hex):
            raise GeometryError("only maps of hexes have crests", place=Place(cell=str(cell)))
        for direction in range(3):
            beside = cell.neighbour(direction)
            if beside in terrain and terrain.level(beside) != terrain.level(cell):
                low, high = sorted((terrain.level(cell), terrain.level(beside)))
                found[Hexside(cell, direction)] = (low, high)
    return found


def plateau(terrain: TerrainMap, cell: Hashable) -> frozenset[Hashable]:
    """The cells that hang together with this one on ground of exactly its level."""
    terrain.name(cell)
    level = terrain.level(cell)
    found, edge = {cell}, [cell]
    while edge:
        for beside in terrain.neighbours(edge.pop()):
            if beside not in found and terrain.level(beside) == level:
                found.add(beside)
                edge.append(beside)
    return frozenset(found)
