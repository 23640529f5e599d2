"""Snipers: placing, attacking, looking for them; and hardening that is refused."""

from __future__ import annotations

from typing import Final

from hexmarshal.games.asl.actions.words import FIRE_PHASES, LEVEL, TO, flag
from hexmarshal.games.asl.rules.heat_of_battle import refusal
from hexmarshal.games.asl.rules.sequence.turn import PHASES
from hexmarshal.games.asl.rules.snipers import calls, search, strike, whereabouts
from hexmarshal.rules.action import ActionType, Param, ParamType

__all__ = ["SNIPING"]

_PHASES: Final = (*FIRE_PHASES, "movement")

SNIPING: Final = (
    ActionType(
        "place_sniper",
        "Place the sniper",
        (TO,),
        rules=("ASL-SAN-1",),
        phases=("rally", *_PHASES),
        states=("", "place_sniper"),
        check=whereabouts.check_place,
        apply=whereabouts.place,
        candidates=whereabouts.candidates,
        listed=whereabouts.listed,
    ),
    ActionType(
        "snipe",
        "Let the sniper attack",
        rules=("ASL-SAN-3",),
        phases=_PHASES,
        states=("sniper",),
        apply=calls.snipe,
    ),
    ActionType(
        "relocate_sniper",
        "Try to move the sniper",
        rules=("ASL-SAN-1",),
        phases=_PHASES,
        states=("sniper",),
        apply=calls.relocate,
    ),
    ActionType(
        "sniper_target",
        "Choose the sniper's target",
        (
            TO,
            LEVEL,
            flag("sniper", "the enemy's sniper"),
            Param("vehicle", ParamType.UNIT, "a vehicle, or its exposed crew", required=False),
        ),
        rules=("ASL-SAN-3",),
        phases=_PHASES,
        states=("sniper_target",),
        check=strike.check_target,
        apply=strike.target,
        candidates=strike.candidates,
    ),
    ActionType(
        "seek_sniper",
        "Look for the sniper",
        rules=("ASL-SAN-8",),
        phases=_PHASES,
        states=("sniper_check",),
        apply=search.seek,
    ),
    ActionType(
        "ignore_sniper",
        "Let the sniper be",
        rules=("ASL-SAN-8",),
        phases=_PHASES,
        states=("sniper_check",),
        apply=search.ignore,
    ),
    ActionType(
        "refuse_hardening",
        "Refuse hardening, or accept it again",
        (flag("accept", "from now on hardening is accepted"),),
        rules=("ASL-BH-1",),
        phases=PHASES,
        anytime=True,
        check=refusal.check,
        apply=refusal.refuse,
        listed=refusal.nothing_listed,
    ),
)
