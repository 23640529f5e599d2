"""Fire of every phase, and holding it."""

from __future__ import annotations

from typing import Final

from hexmarshal.games.asl.actions.words import FIRE_PHASES, FIRERS, LEADERS, LEVEL, UNIT, flag
from hexmarshal.games.asl.rules.defensive_fire import first_fire, residual
from hexmarshal.games.asl.rules.fire import declare, opportunity
from hexmarshal.games.asl.rules.machine_guns import spraying
from hexmarshal.rules.action import ActionType, Param, ParamType

__all__ = ["FIRING"]

_FIRE_RULES = (
    "ASL-FIRE-1",
    "ASL-FIRE-6",
    "ASL-FIRE-7",
    "ASL-FG-1",
    "ASL-FD-1",
    "ASL-IFT-1",
)

FIRING: Final = (
    ActionType(
        "fire",
        "Fire",
        (Param("target", ParamType.CELL, "the hex fired at"), LEVEL, FIRERS, LEADERS),
        rules=_FIRE_RULES,
        phases=FIRE_PHASES,
        states=("",),
        check=declare.check,
        apply=declare.declare,
        candidates=declare.candidates,
        listed=declare.listed,
    ),
    ActionType(
        "spray",
        "Spraying fire",
        (
            Param("target", ParamType.CELL, "one hex"),
            Param("second", ParamType.CELL, "the other hex, next to it"),
            FIRERS,
            LEADERS,
        ),
        rules=("ASL-A7.34", "ASL-MG-5"),
        phases=FIRE_PHASES,
        states=("",),
        check=spraying.check,
        apply=spraying.declare,
        candidates=spraying.candidates,
        listed=spraying.listed,
    ),
    ActionType(
        "opportunity",
        "Opportunity fire",
        (UNIT,),
        rules=("ASL-OPP-1",),
        phases=("prep_fire",),
        states=("",),
        check=opportunity.check,
        apply=opportunity.wait,
        candidates=opportunity.candidates,
    ),
    ActionType(
        "first_fire",
        "First fire",
        (
            FIRERS,
            LEADERS,
            flag("snap", "at the hexside that was just crossed"),
            Param("lane", ParamType.CELL, "the last hex of a fire lane", required=False),
        ),
        rules=("ASL-DF-1", "ASL-DF-2", "ASL-A8.3", "ASL-A8.31a"),
        phases=("movement",),
        states=("first_fire",),
        check=first_fire.check,
        apply=first_fire.declare,
        candidates=first_fire.candidates,
        listed=first_fire.listed,
    ),
    ActionType(
        "hold_fire",
        "Hold fire",
        rules=("ASL-DFF-1",),
        phases=("movement",),
        states=("first_fire",),
        apply=first_fire.hold_fire,
    ),
    ActionType(
        "leave_residual",
        "Leave residual fire instead of the rate of fire",
        (Param("weapons", ParamType.UNITS, "weapons that have just kept their rate", fewest=1),),
        rules=("ASL-RFP-5", "ASL-RFP-4"),
        phases=("movement",),
        states=("first_fire",),
        check=residual.check_forgo,
        apply=first_fire.leave_residual,
        candidates=residual.forgo_candidates,
        listed=residual.forgo_listed,
    ),
)
