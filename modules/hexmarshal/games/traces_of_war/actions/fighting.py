"""Attacks, and what comes of them: air support, losses, retreats, advances."""

from __future__ import annotations

from typing import Final

from hexmarshal.games.traces_of_war.actions.words import FIGHTING_PHASES, UNIT
from hexmarshal.games.traces_of_war.rules.combat import advance, air, attack, losses, retreat
from hexmarshal.rules.action import ActionType, Param, ParamType

__all__ = ["FIGHTING"]

FIGHTING: Final = (
    ActionType(
        "attack",
        "Attack",
        (
            Param("target", ParamType.CELL, "the hex attacked"),
            Param("attackers", ParamType.UNITS, "the units that attack together"),
            Param(
                "defenders",
                ParamType.UNITS,
                "the units attacked, if they are declared: all in the hex",
                required=False,
                said="against {}",
            ),
        ),
        "Activated units attack all enemies in one adjacent hex.",
        ("TOW-10.0a", "TOW-10.0b", "TOW-10.0c", "TOW-10.0f", "TOW-10.0g", "TOW-10.2f"),
        phases=FIGHTING_PHASES,
        states=("combat",),
        words=("attack", "assault", "strike struck"),
        sentence="attack by {attackers} on {target}",
        check=attack.check,
        apply=attack.declare,
        candidates=attack.candidates,
        listed=attack.listed,
    ),
    ActionType(
        "air_support",
        "Luftwaffe",
        (
            Param(
                "markers",
                ParamType.CARDS,
                "the markers used; none: no support",
                said={"": "no air support", "*": "air support with {}"},
            ),
        ),
        "The Axis player declares air support before the die is rolled.",
        ("TOW-7.0b", "TOW-7.0c", "TOW-7.0d", "TOW-7.0e"),
        phases=FIGHTING_PHASES,
        states=("air_support",),
        sentence="{markers}",
        check=air.check,
        apply=air.use,
        candidates=air.candidates,
    ),
    ActionType(
        "take_losses",
        "Step losses",
        (Param("units", ParamType.UNITS, "for each step the unit that loses it", ordered=True),),
        "The owner distributes the losses.",
        ("TOW-10.3b",),
        phases=FIGHTING_PHASES,
        states=("losses",),
        sentence="steps lost by {units}",
        check=losses.check,
        apply=losses.take,
        candidates=losses.candidates,
    ),
    ActionType(
        "retreat",
        "Retreat",
        (UNIT, Param("path", ParamType.PATH, "the hexes entered, in order", said="by {}")),
        "A beaten unit goes back; units of a stack may part.",
        ("TOW-10.4a", "TOW-10.4b", "TOW-10.4d", "TOW-10.4e", "TOW-10.4f", "TOW-10.4g"),
        phases=FIGHTING_PHASES,
        states=("retreat",),
        sentence="retreat of {unit} {path}",
        check=retreat.check,
        apply=retreat.retreat,
        candidates=retreat.candidates,
        listed=retreat.listed,
    ),
    ActionType(
        "advance",
        "Advance after combat",
        (UNIT, Param("path", ParamType.PATH, "the hexes entered, in order")),
        "An attacker enters the hex that was emptied; a mechanized unit one more.",
        ("TOW-10.5a", "TOW-10.5b", "TOW-10.5c", "TOW-10.5d", "TOW-10.5g", "TOW-10.5h"),
        phases=FIGHTING_PHASES,
        states=("advance",),
        sentence="advance of {unit} into {path}",
        check=advance.check,
        apply=advance.advance,
        candidates=advance.candidates,
    ),
    ActionType(
        "end_advance",
        "No (more) advance",
        (),
        "",
        ("TOW-10.5a",),
        phases=FIGHTING_PHASES,
        states=("advance",),
        sentence="no (more) advance after combat",
        apply=advance.finish,
    ),
)
