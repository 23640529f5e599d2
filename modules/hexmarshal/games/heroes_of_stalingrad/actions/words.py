"""Parameters that many actions share."""

from hexmarshal.rules.action import Param, ParamType

__all__ = [
    "ACTIVATION",
    "AMMO",
    "CARD",
    "CORNER",
    "FACING",
    "FIRE_STATES",
    "MOVES",
    "PATH",
    "PAUSE",
    "SUPPRESSION",
    "TARGET",
    "UNIT",
    "WEAPON",
]

ACTIVATION = ("activation",)
MOVES = ("activation", "reserve")
FIRE_STATES = ("act", "step", "opportunity", "reserve")
UNIT = Param("unit", ParamType.UNIT, "the unit")
TARGET = Param("target", ParamType.UNIT, "the enemy unit aimed at")
CARD = Param("card", ParamType.CARD, "a card of the own hand")
CORNER = Param("corner", ParamType.TEXT, "an intercell, by a cell and its corner: 0304@SE")
WEAPON = Param(
    "weapon",
    ParamType.TEXT,
    "which weapon, if the unit has several",
    required=False,
    said="with its weapon {}",
)
AMMO = Param(
    "ammo",
    ParamType.INT,
    "Ammo markers used, announced before any dice",
    required=False,
    minimum=0,
    maximum=10,
    said={"0": "", "1": "with an Ammo marker", "*": "with {} Ammo markers"},
)
SUPPRESSION = Param(
    "suppression",
    ParamType.BOOL,
    "as Suppression fire",
    required=False,
    said={"yes": "as Suppression fire"},
)
PATH = Param(
    "path",
    ParamType.PATH,
    "the cells entered, in order; none: a null move",
    said={"": "no cell entered"},
)
PAUSE = Param(
    "pause",
    ParamType.BOOL,
    "the move goes on afterwards: to fire, or to see",
    required=False,
    said={"yes": "to go on afterwards"},
)
FACING = Param(
    "facing",
    ParamType.FACING,
    "how it faces at the end, in eighths clockwise from the top",
    required=False,
    minimum=0,
    maximum=7,
    said="facing {}",
)
