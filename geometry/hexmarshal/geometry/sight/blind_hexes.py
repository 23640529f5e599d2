"""Blind hexes: how many behind an obstacle a higher viewer cannot see into."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from hexmarshal.errors import GeometryError, Place

__all__ = ["BlindHexes"]

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
