"""The tables and the map, read once: what a player could check against the book."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from hexmarshal.geometry.terrain.terrain_map import TerrainMap
    from hexmarshal.kit.data import Source

__all__ = ["Tables"]


@dataclass(frozen=True)
class Tables:
    """Everything that the rules look up."""

    numbers: Mapping[str, Any]
    types: Mapping[str, Mapping[str, Any]]
    map: TerrainMap

    @classmethod
    def load(cls, source: Source) -> Tables:
        """From the game's data, or a user's own."""
        return cls(
            source.read("tables.yaml"),
            source.read("units.yaml")["types"],
            source.terrain("boards/field.yaml"),
        )

    # Worked out once: checks ask for these at every step of every path.

    @cached_property
    def terrain(self) -> dict[str, str]:
        """The terrain of every hex."""
        found = self.map.cell_terrain
        return {name: (*found.get(cell, ()), "clear")[0] for cell, name in self.map.names.items()}

    @cached_property
    def cost(self) -> dict[str, dict[str, Fraction]]:
        """Movement points from every hex into those around it (MG-2)."""
        return {
            name: {self.map.name(to): self._step(cell, to) for to in self.map.neighbours(cell)}
            for cell, name in self.map.names.items()
        }

    def _step(self, here: Hashable, to: Hashable) -> Fraction:
        if "road" in self.map.links.get(self.map.side(here, to), ()):
            return Fraction(self.numbers["road"])
        return Fraction(self.numbers["terrain"][self.terrain[self.map.name(to)]]["cost"])

    @cached_property
    def village(self) -> str:
        """The hex that the game is about (MG-4)."""
        return next(name for name, kind in self.terrain.items() if kind == "village")

    def shift(self, cell: str) -> int:
        """How far terrain shifts an attack on it to the left (MG-3)."""
        return int(self.numbers["terrain"][self.terrain[cell]]["shift"])

    def printed(self, type: str, value: str) -> int:
        """A value of a type of unit."""
        return int(self.types[type][value])
