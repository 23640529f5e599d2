"""German divisions and their regiments: breakdown, recombination, strongpoints."""

from __future__ import annotations

from typing import Final

from hexmarshal.games.kharkov.actions.words import OPEN, UNIT, UNITS
from hexmarshal.games.kharkov.rules import apply, check, likely, offers
from hexmarshal.rules.action import ActionType, Param, ParamType
from hexmarshal.rules.choosing.slots import by_slot

__all__ = ["REGROUPING"]

REGROUPING: Final = (
    ActionType(
        "break_down",
        "Breakdown",
        (UNIT,),
        "Regiments take the place of a German infantry division.",
        ("KHA-15.1", "KHA-15.11", "KHA-15.13", "KHA-15.15"),
        phases=("setup_axis", "axis_movement"),
        states=OPEN,
        sentence="breakdown of {unit} into regiments",
        check=check.break_down,
        apply=apply.break_down,
        candidates=by_slot(unit=offers.divisions),
        likely=by_slot(unit=likely.breaking_down),
    ),
    ActionType(
        "recombine",
        "Recombination",
        (UNITS, Param("division", ParamType.UNIT, "the division that they form")),
        "Regiments of one hex become a division again.",
        ("KHA-15.12",),
        phases=("setup_axis", "axis_movement"),
        states=OPEN,
        sentence="{units} recombined into {division}",
        check=check.recombine,
        apply=apply.recombine,
        candidates=by_slot(units=offers.more_of("units"), division=offers.broken_down),
        likely=by_slot(units=likely.regiments, division=likely.divisions),
        listed=by_slot(units=offers.regiments),
    ),
    ActionType(
        "dig_in",
        "Strongpoint",
        (UNIT,),
        "A regiment alone in its hex forms a strongpoint.",
        ("KHA-15.21", "KHA-15.22"),
        phases=("axis_movement",),
        states=OPEN,
        sentence="strongpoint formed by {unit}",
        check=check.dig_in,
        apply=apply.dig_in,
        candidates=by_slot(unit=offers.single_regiments),
        likely=by_slot(unit=likely.diggers),
    ),
)
