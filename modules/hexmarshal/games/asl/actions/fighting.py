"""Close combat."""

from __future__ import annotations

from typing import Final

from hexmarshal.games.asl.actions.words import LEVEL, TO, UNIT, flag
from hexmarshal.games.asl.rules.close_combat import declare
from hexmarshal.games.asl.rules.close_combat.leaving import decisions as leaving
from hexmarshal.rules.action import ActionType, Param, ParamType

__all__ = ["FIGHTING"]

_PHASE: Final = ("close_combat",)
_BEFORE: Final = ("before_combat",)

FIGHTING: Final = (
    ActionType(
        "close_combat",
        "Fight the close combat of a location",
        (Param("cell", ParamType.CELL, "the hex"), LEVEL),
        rules=("ASL-CC-1", "ASL-CC-4", "ASL-AMB-1"),
        phases=_PHASE,
        states=("",),
        check=declare.check_open,
        apply=declare.open_combat,
        candidates=declare.open_candidates,
    ),
    ActionType(
        "pair",
        "Put a single man with a squad",
        (
            Param("unit", ParamType.UNIT, "the single man"),
            Param("with", ParamType.UNIT, "the MMC, or himself to fight alone"),
        ),
        rules=("ASL-CC-6", "ASL-CC-6b"),
        phases=_PHASE,
        states=_BEFORE,
        check=declare.check_pair,
        apply=declare.pair,
        candidates=declare.pair_candidates,
    ),
    ActionType(
        "withdraw",
        "Withdraw",
        (UNIT, TO, LEVEL),
        rules=("ASL-A11.21a", "ASL-AMB-2", "ASL-SW-2"),
        phases=_PHASE,
        states=_BEFORE,
        check=leaving.check_withdraw,
        apply=leaving.withdraw,
        candidates=leaving.withdraw_candidates,
    ),
    ActionType(
        "ready",
        "Ready for the attacks",
        rules=("ASL-CC-4",),
        phases=_PHASE,
        states=_BEFORE,
        apply=declare.ready,
    ),
    ActionType(
        "attack",
        "Attack in close combat",
        (
            Param("attackers", ParamType.UNITS, "who attacks", fewest=1),
            Param("targets", ParamType.UNITS, "who is attacked", fewest=1),
            flag("capture", "to capture them"),
            flag("hand_to_hand", "hand-to-hand"),
        ),
        rules=("ASL-CC-2", "ASL-CC-3", "ASL-CC-4", "ASL-CC-6", "ASL-PRIS-3", "ASL-CCV-1"),
        phases=_PHASE,
        states=("attacks",),
        check=declare.check_attack,
        apply=declare.attack,
        candidates=declare.attack_candidates,
        listed=declare.attack_listed,
    ),
    ActionType(
        "strike",
        "All attacks are declared",
        rules=("ASL-CC-4",),
        phases=_PHASE,
        states=("attacks",),
        apply=declare.strike,
    ),
    ActionType(
        "slip_away",
        "Leave at once",
        (UNIT, TO, LEVEL),
        rules=("ASL-A11.21b", "ASL-AMB-2"),
        phases=_PHASE,
        states=("slip_away",),
        check=leaving.check_slip,
        apply=leaving.slip_away,
        candidates=leaving.slip_candidates,
    ),
    ActionType(
        "stay",
        "Stay",
        rules=("ASL-A11.21b",),
        phases=_PHASE,
        states=("slip_away",),
        apply=leaving.stay,
    ),
    ActionType(
        "give_up",
        "Say who is captured",
        (UNIT,),
        rules=("ASL-PRIS-3",),
        phases=_PHASE,
        states=("give_up",),
        check=leaving.check_give_up,
        apply=leaving.give_up,
        candidates=leaving.give_up_candidates,
    ),
)
