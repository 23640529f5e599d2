"""Reinforcements, landings and negotiations."""

from __future__ import annotations

from typing import Final

from hexmarshal.games.traces_of_war.actions.words import ACTION, CELL, UNIT
from hexmarshal.games.traces_of_war.rules.reinforcements import arrival, landing, negotiation
from hexmarshal.rules.action import ActionType, Param, ParamType

__all__ = ["REINFORCING"]

REINFORCING: Final = (
    ActionType(
        "place",
        "Place a reinforcement",
        (UNIT, CELL),
        "On a railway hex with a free route to a friendly source; the Axis pays for it.",
        ("TOW-11.0a", "TOW-11.0b", "TOW-11.0c", "TOW-11.1a", "TOW-11.2"),
        phases=ACTION,
        states=("reinforcements", "negotiation"),
        sentence="reinforcement {unit} placed in {cell}",
        check=arrival.check_place,
        apply=arrival.place,
        candidates=arrival.candidates,
    ),
    ActionType(
        "replace",
        "Replacement",
        (UNIT, Param("replaced", ParamType.UNIT, "the unit of its type that leaves play")),
        "",
        ("TOW-11.1b",),
        phases=ACTION,
        states=("reinforcements",),
        sentence="{unit} put in place of {replaced}",
        check=arrival.check_replace,
        apply=arrival.replace,
        candidates=arrival.candidates,
    ),
    ActionType(
        "end_reinforcements",
        "No more can arrive",
        (),
        "Units that cannot arrive wait for the next draw.",
        ("TOW-11.1a",),
        phases=ACTION,
        states=("reinforcements",),
        sentence="no more reinforcements that can arrive",
        check=arrival.check_end,
        apply=arrival.end,
    ),
    ActionType(
        "land",
        "Airborne operation",
        (CELL,),
        "The bridgehead and the paratroops land within eight hexes of a supplied Soviet unit.",
        ("TOW-11.1d",),
        phases=ACTION,
        states=("landing",),
        sentence="airborne operation at {cell}",
        check=landing.check,
        apply=landing.land,
        candidates=landing.candidates,
    ),
    ActionType(
        "lift_order",
        "Lift a Supreme Command order",
        (CELL,),
        "",
        ("TOW-12.2b",),
        phases=ACTION,
        states=("negotiation",),
        sentence="Supreme Command order on {cell} lifted",
        check=negotiation.check_lift,
        apply=negotiation.lift,
        candidates=negotiation.orders,
    ),
    ActionType(
        "end_negotiation",
        "End of the negotiation",
        (),
        "Points that are left are lost.",
        ("TOW-4.2.2g",),
        phases=ACTION,
        states=("negotiation",),
        sentence="end of the negotiation",
        apply=negotiation.end,
    ),
)
