"""The tables and the map, read once: what a player could check against the book."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.geometry.terrain import TerrainMap
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

    @cached_property
    def village(self) -> str:
        """The hex that the game is about (MG-4)."""
        return next(name for name in self.map.names.values() if self.terrain(name) == "village")

    def terrain(self, cell: str) -> str:
        """The terrain of a hex."""
        kinds = self.map.cell_terrain.get(self.map.cell(cell), ())
        return kinds[0] if kinds else "clear"

    def cost(self, here: str, to: str) -> Fraction:
        """Movement points to enter a hex from another (MG-2)."""
        side = self.map.side(self.map.cell(here), self.map.cell(to))
        if "road" in self.map.links.get(side, ()):
            return Fraction(self.numbers["road"])
        return Fraction(self.numbers["terrain"][self.terrain(to)]["cost"])

    def shift(self, cell: str) -> int:
        """How far terrain shifts an attack on it to the left (MG-3)."""
        return int(self.numbers["terrain"][self.terrain(cell)]["shift"])

    def printed(self, type: str, value: str) -> int:
        """A value of a type of unit."""
        return int(self.types[type][value])
