"""Setting up, the ends of phases, and what the player on the move tidies up."""

from __future__ import annotations

from typing import Final

from hexmarshal.games.kharkov.actions.words import CELL, OPEN, UNIT
from hexmarshal.games.kharkov.rules import apply, check, combat_offers, offers
from hexmarshal.rules.action import ActionType, Param, ParamType
from hexmarshal.rules.choosing.slots import by_slot

__all__ = ["AIR_SUPPLY", "DEPLOY", "END_PHASE", "REMOVE_EXCESS"]

END_PHASE: Final = ActionType(
    "end_phase",
    "End of the phase",
    rules=("KHA-4.1",),
    states=OPEN,
    sentence="end of the phase",
    check=check.end_phase,
    apply=apply.end_phase,
)

DEPLOY: Final = ActionType(
    "deploy",
    "Set up a unit",
    (
        UNIT,
        Param("group", ParamType.TEXT, "the line of the set-up: A-B, 1808/0", required=False),
        CELL,
    ),
    "Places a unit that is not set up yet, or another time one that is.",
    ("KHA-5.0-P", "KHA-5.2", "KHA-5.3"),
    phases=("setup_axis", "setup_soviet"),
    sentence="set-up of {unit} in {cell}[, for the line {group}]",
    check=check.deploy,
    apply=apply.deploy,
    candidates=by_slot(unit=offers.own, group=offers.lines, cell=offers.set_up_hexes),
    listed=by_slot(unit=offers.not_set_up, group=offers.listed_lines),
)

AIR_SUPPLY: Final = ActionType(
    "air_supply",
    "Air supply",
    (CELL,),
    "An unused Axis air point supplies a hex for the next game turn.",
    ("KHA-13.2",),
    phases=("air_support",),
    states=OPEN,
    sentence="air supply for {cell}",
    check=check.air_supply,
    apply=apply.air_supply,
    candidates=by_slot(cell=combat_offers.axis_hexes),
)

REMOVE_EXCESS: Final = ActionType(
    "remove_excess",
    "Remove an excess unit",
    (UNIT,),
    "Where more than three units are in a hex, the owner chooses who goes.",
    ("KHA-8.1",),
    states=OPEN,
    sentence="{unit} removed from an overcrowded hex",
    check=check.remove_excess,
    apply=apply.remove_excess,
    candidates=by_slot(unit=offers.crowded),
    likely=by_slot(unit=offers.crowded),
)
