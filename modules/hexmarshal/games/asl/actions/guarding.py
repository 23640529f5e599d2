"""Prisoners: taken, guarded, lost."""

from __future__ import annotations

from typing import Final

from hexmarshal.games.asl.actions.words import FIRE_PHASES, UNIT
from hexmarshal.games.asl.rules.concealment.showing import nothing_listed
from hexmarshal.games.asl.rules.prisoners import (
    escape,
    keeping,
    surrender,
    unarmed,
    vehicle_arms,
)
from hexmarshal.games.asl.rules.sequence.turn import PHASES
from hexmarshal.rules.action import ActionType, Param, ParamType

__all__ = ["GUARDING"]

_PRISONER = Param("unit", ParamType.UNIT, "the prisoner")
_TARGETS = Param("targets", ParamType.UNITS, "who is attacked", fewest=1)

GUARDING: Final = (
    ActionType(
        "take",
        "Take prisoners",
        (Param("guard", ParamType.UNIT, "who guards them", required=False),),
        rules=("ASL-A20.21a", "ASL-A20.21b"),
        phases=("rout",),
        states=("surrender",),
        check=surrender.check_take,
        apply=surrender.take,
        candidates=surrender.take_candidates,
    ),
    ActionType(
        "no_quarter",
        "Give no quarter",
        rules=("ASL-PRIS-6",),
        phases=("rout",),
        states=("surrender",),
        apply=surrender.refuse,
    ),
    ActionType(
        "hand_over",
        "Hand a prisoner over",
        (_PRISONER, Param("to", ParamType.UNIT, "who guards him from now on")),
        rules=("ASL-A20.5d", "ASL-A20.5c"),
        phases=("rally", "advance"),
        states=("",),
        check=keeping.check_hand_over,
        apply=keeping.hand_over,
        candidates=keeping.candidates,
    ),
    ActionType(
        "release",
        "Let a prisoner go",
        (_PRISONER,),
        rules=("ASL-A20.5d",),
        phases=("rally", "advance"),
        states=("",),
        check=keeping.check_release,
        apply=keeping.release,
        candidates=keeping.candidates,
    ),
    ActionType(
        "detach",
        "Deploy a guard",
        (UNIT,),
        rules=("ASL-A20.5a",),
        phases=PHASES,
        states=("",),
        check=keeping.check_detach,
        apply=keeping.detach,
        candidates=keeping.detach_candidates,
    ),
    ActionType(
        "massacre",
        "Kill prisoners",
        (UNIT,),
        rules=("ASL-PRIS-7",),
        phases=FIRE_PHASES,
        states=("",),
        check=keeping.check_massacre,
        apply=keeping.massacre,
        candidates=keeping.massacre_candidates,
        listed=nothing_listed,
    ),
    ActionType(
        "escape",
        "Try to escape",
        (Param("units", ParamType.UNITS, "the prisoners", fewest=1), _TARGETS),
        rules=("ASL-A20.54b", "ASL-ESC-1"),
        phases=("close_combat",),
        anytime=True,
        check=escape.check,
        apply=escape.escape,
        candidates=escape.candidates,
        listed=escape.listed,
    ),
    ActionType(
        "catch",
        "Fight unarmed enemies at once",
        (_TARGETS,),
        rules=("ASL-A20.54a",),
        phases=("movement",),
        states=("moving",),
        check=unarmed.check_catch,
        apply=unarmed.catch,
        candidates=unarmed.catch_candidates,
        listed=unarmed.catch_listed,
    ),
    ActionType(
        "scrounge",
        "Look for arms",
        (UNIT,),
        rules=("ASL-A20.54c",),
        phases=("movement",),
        states=("moving",),
        check=unarmed.check_scrounge,
        apply=unarmed.scrounge,
        candidates=unarmed.scrounge_candidates,
    ),
    ActionType(
        "scrounge_vehicle",
        "Look for arms in a vehicle",
        (UNIT, Param("vehicle", ParamType.UNIT, "the vehicle")),
        rules=("ASL-A20.54c",),
        phases=("rally",),
        states=("",),
        check=vehicle_arms.check,
        apply=vehicle_arms.look,
        candidates=vehicle_arms.candidates,
    ),
)
