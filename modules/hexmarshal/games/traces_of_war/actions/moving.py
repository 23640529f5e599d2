"""Movement and relocation."""

from __future__ import annotations

from typing import Final

from hexmarshal.games.traces_of_war.actions.words import ACTION, CELL, UNIT
from hexmarshal.games.traces_of_war.rules.movement import march, relocation
from hexmarshal.rules.action import ActionType, Param, ParamType

__all__ = ["MOVING"]

MOVING: Final = (
    ActionType(
        "move",
        "Movement",
        (
            UNIT,
            Param(
                "strategic",
                ParamType.BOOL,
                "by strategic movement",
                required=False,
                said={"yes": "strategic", "no": "normal"},
            ),
            Param("path", ParamType.PATH, "the hexes entered, in order"),
        ),
        "One activated unit moves; each moves once.",
        ("TOW-9.0a", "TOW-9.0b", "TOW-9.0c", "TOW-9.1a", "TOW-9.2b", "TOW-9.3a"),
        phases=ACTION,
        states=("movement",),
        sentence="[{strategic} ]move of {unit}: {path}",
        check=march.check,
        apply=march.move,
        candidates=march.candidates,
        listed=march.listed,
    ),
    ActionType(
        "relocate",
        "Relocation",
        (UNIT, CELL),
        "A headquarters relocates because it must, or instead of moving.",
        ("TOW-2.3e", "TOW-2.3g", "TOW-9.4"),
        states=("movement", "relocation"),
        sentence="relocation of {unit} to {cell}",
        check=relocation.check,
        apply=relocation.relocate,
        candidates=relocation.candidates,
    ),
)
