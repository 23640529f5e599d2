"""Parameters and phases that many actions share."""

from __future__ import annotations

from typing import Final

from hexmarshal.rules.action import Param, ParamType

__all__ = ["ACTION", "CELL", "FIGHTING_PHASES", "UNIT"]

UNIT: Final = Param("unit", ParamType.UNIT, "the unit")
CELL: Final = Param("cell", ParamType.CELL, "the hex")
ACTION: Final = ("action",)
FIGHTING_PHASES: Final = ("opening", "action")
