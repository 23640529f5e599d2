"""A sight rule as data: the choices in which games differ, each a field with a plain meaning."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction

from hexmarshal.errors import GeometryError, Place
from hexmarshal.geometry.sight.blind_hexes import BlindHexes

__all__ = ["Profile", "SidePolicy", "SightRule"]


class Profile(Enum):
    """How heights are compared with the line."""

    FLAT = "flat"
    """Heights do not matter: every obstacle blocks, every hindrance counts."""
    LEVELS = "levels"
    """What rises above both ends is in the way; what rises above the lower one alone makes blind
    hexes behind it."""
    SLOPE = "slope"
    """The straight line between the two heights: what rises above it is in the way."""


class SidePolicy(Enum):
    """Which neighbour counts where a line runs exactly between two."""

    LESS_BLOCKING = "less"
    MORE_BLOCKING = "more"


@dataclass(frozen=True, slots=True)
class SightRule:
    """The default is what most games print; a game states what it does otherwise.

    `equal_blocks`: terrain exactly as high as the line is in the way (ground never is).
    `end_cells`: terrain in the two end cells counts too. `near_sides`: so do walls on their sides.
    `along_sides`: so does a wall that the line runs along. `touch_counts`: a corner or an edge of a
    shape that is only touched counts as crossed. `hindrance_limit`: so much hindrance blocks.
    `eye` is the height of viewer and target above the ground, in levels.
    """

    profile: Profile = Profile.LEVELS
    equal_blocks: bool = True
    sides: SidePolicy = SidePolicy.LESS_BLOCKING
    blind: BlindHexes = field(default_factory=BlindHexes)
    end_cells: bool = False
    near_sides: bool = False
    along_sides: bool = False
    touch_counts: bool = False
    hindrance_limit: int | None = None
    max_range: int | None = None
    eye: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        for name in ("hindrance_limit", "max_range"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise GeometryError(f"{name} cannot be {value}", place=Place(field=name))
        if self.eye < 0:
            raise GeometryError(f"eye cannot be {self.eye}", place=Place(field="eye"))
