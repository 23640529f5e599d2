"""Parameters and phases that many actions share."""

from __future__ import annotations

from typing import Final

from hexmarshal.rules.action import Param, ParamType

__all__ = [
    "CELL",
    "COMBAT",
    "MAIN_MOVEMENT",
    "MOVEMENT",
    "OPEN",
    "PATH",
    "UNIT",
    "UNITS",
    "flag",
]

OPEN: Final = ("",)
MOVEMENT: Final = ("soviet_movement", "axis_movement", "mechanised_movement")
MAIN_MOVEMENT: Final = ("soviet_movement", "axis_movement")
COMBAT: Final = ("soviet_combat", "axis_combat")

UNIT: Final = Param("unit", ParamType.UNIT, "the unit")
UNITS: Final = Param("units", ParamType.UNITS, "the units, all in one hex", fewest=1)
PATH: Final = Param("path", ParamType.PATH, "the hexes entered, in order", fewest=1)
CELL: Final = Param("cell", ParamType.CELL, "the hex")


def flag(name: str, doc: str, yes: str = "", no: str = "", *, required: bool = False) -> Param:
    """A parameter that is true or false, and how it is told."""
    said = {"yes": yes, "no": no} if yes else ""
    return Param(name, ParamType.BOOL, doc, required=required, said=said)
