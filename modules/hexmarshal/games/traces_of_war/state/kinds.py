"""The sides, the types of units and what the numbers printed on a counter mean."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

__all__ = [
    "AXIS",
    "HQ",
    "KINDS",
    "MINOR_NATIONS",
    "MODES",
    "SIDES",
    "SOVIET",
    "UnitKind",
    "Printed",
    "other",
    "printed",
]

AXIS, SOVIET = "axis", "soviet"
SIDES = (SOVIET, AXIS)
HQ = "hq"
MINOR_NATIONS = frozenset({"romanian", "hungarian"})
# TOW-4.3d: the action modes, and the segments of each.
MODES = {
    "move_combat": ("movement", "combat"),
    "combat_move": ("combat", "movement"),
    "combat_only": ("combat",),
}


def other(side: str) -> str:
    """The opponent."""
    return SOVIET if side == AXIS else AXIS


@dataclass(frozen=True, slots=True)
class UnitKind:
    """A type of unit: mechanized or not (TOW-2.2d), a combat unit or a headquarters."""

    key: str
    title: str
    arm: str
    mechanized: bool = False

    @property
    def combat(self) -> bool:
        """Whether it is a combat unit: everything but a headquarters is."""
        return self.key != HQ


KINDS = {
    kind.key: kind
    for kind in (
        UnitKind("infantry", "Infantry", "infantry"),
        UnitKind("mountain", "Mountain infantry", "infantry"),
        UnitKind("cavalry", "Cavalry", "cavalry"),
        UnitKind("airborne", "Airborne", "infantry"),
        UnitKind("security", "Security division", "infantry"),
        UnitKind("tank", "Tanks", "armour", mechanized=True),
        UnitKind("mechanized_infantry", "Mechanized infantry", "mechanised", mechanized=True),
        UnitKind(HQ, "Headquarters", "hq"),
    )
}


@dataclass(frozen=True, slots=True)
class Printed:
    """What one side of a counter prints; one strength serves for attack and defense."""

    attack: int
    defense: int
    move: int


@lru_cache(maxsize=1024)
def printed(text: str) -> Printed:
    """TOW-2.2a: strength-move, or attack-defense-move."""
    numbers = [int(part) for part in text.split("-")]
    if len(numbers) == 2:
        return Printed(numbers[0], numbers[0], numbers[1])
    return Printed(*numbers)
