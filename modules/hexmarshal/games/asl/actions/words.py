"""What the parameters of several actions are called."""

from __future__ import annotations

from typing import Final

from hexmarshal.rules.action import Param, ParamType

__all__ = [
    "FIRERS",
    "FIRE_PHASES",
    "FREE_LEADER",
    "LEADER",
    "LEADERS",
    "LEVEL",
    "TO",
    "UNIT",
    "UNITS",
    "WEAPON",
    "flag",
]

FIRE_PHASES: Final = ("prep_fire", "defensive_fire", "advancing_fire")
UNIT: Final = Param("unit", ParamType.UNIT, "the unit")
UNITS: Final = Param("units", ParamType.UNITS, "the units")
WEAPON: Final = Param("weapon", ParamType.UNIT, "the support weapon")
TO: Final = Param("to", ParamType.CELL, "the hex")
LEVEL: Final = Param("level", ParamType.INT, "levels above the ground of the hex", required=False)
LEADER: Final = Param("leader", ParamType.UNIT, "the leader")
FREE_LEADER: Final = Param("leader", ParamType.UNIT, "the leader", required=False)
FIRERS: Final = Param(
    "firers", ParamType.UNITS, "units that use their own firepower, and weapons", fewest=1
)
LEADERS: Final = Param("leaders", ParamType.UNITS, "the leaders who direct, one a location", False)


def flag(name: str, doc: str) -> Param:
    """A yes or no that need not be said."""
    return Param(name, ParamType.BOOL, doc, required=False)
