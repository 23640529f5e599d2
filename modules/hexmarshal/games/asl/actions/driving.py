"""Vehicles: their close defence, taking them, starting captured ones; and clearing their way."""

from __future__ import annotations

from typing import Final

from hexmarshal.games.asl.rules.vehicles import close_defence, seizing, starting
from hexmarshal.games.asl.rules.works import clearing
from hexmarshal.rules.action import ActionType, Param, ParamType

__all__ = ["DRIVING"]

_PHASE: Final = ("close_combat",)
_VEHICLE: Final = Param("vehicle", ParamType.UNIT, "the vehicle")

DRIVING: Final = (
    ActionType(
        "close_defence",
        "Use close defence weapons",
        (_VEHICLE,),
        rules=("ASL-CCAFV-1",),
        phases=_PHASE,
        states=("attacks",),
        check=close_defence.check,
        apply=close_defence.throw,
        candidates=close_defence.candidates,
    ),
    ActionType(
        "seize",
        "Take an abandoned vehicle",
        (_VEHICLE, Param("units", ParamType.UNITS, "who takes it", fewest=1)),
        rules=("ASL-CAPT-3", "ASL-CAPT-4", "ASL-CAPT-4a"),
        phases=_PHASE,
        states=("",),
        check=seizing.check,
        apply=seizing.seize,
        candidates=seizing.candidates,
        listed=seizing.listed,
    ),
    ActionType(
        "clear",
        "Clear wire or a roadblock",
        (
            Param("work", ParamType.UNIT, "the wire or roadblock"),
            Param("units", ParamType.UNITS, "who clears it", fewest=1),
        ),
        rules=("ASL-A15.2e",),
        phases=("movement",),
        states=("",),
        check=clearing.check,
        apply=clearing.clear,
        candidates=clearing.candidates,
        listed=clearing.listed,
    ),
    ActionType(
        "start",
        "Start a captured vehicle",
        (_VEHICLE,),
        rules=("ASL-CAPT-4b", "ASL-CAPT-4c"),
        phases=("movement",),
        states=("",),
        check=starting.check,
        apply=starting.start,
        candidates=starting.candidates,
    ),
)
