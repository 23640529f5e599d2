"""Support weapons: who has them, and what is done with them."""

from __future__ import annotations

from typing import Final

from hexmarshal.games.asl.actions.words import UNIT, WEAPON
from hexmarshal.games.asl.rules.movement import ending
from hexmarshal.games.asl.rules.rally import deployment
from hexmarshal.games.asl.rules.weapons import possession
from hexmarshal.rules.action import ActionType, Param, ParamType, Seal

__all__ = ["HANDLING"]

HANDLING: Final = (
    ActionType(
        "drop",
        "Drop a weapon",
        (WEAPON,),
        rules=("ASL-SW-5",),
        phases=("movement", "rout", "advance"),
        states=("", "moving"),
        check=ending.check_drop,
        apply=ending.drop_weapon,
        candidates=ending.drop_candidates,
    ),
    ActionType(
        "transfer",
        "Transfer a weapon",
        (WEAPON, Param("to", ParamType.UNIT, "the unit that takes it")),
        rules=("ASL-SWT-1",),
        phases=("rally", "advance"),
        states=("",),
        sealed=Seal.SILENT,  # under a "?" nobody sees it
        check=possession.check_transfer,
        apply=possession.transfer,
        candidates=possession.candidates,
    ),
    ActionType(
        "repair",
        "Repair a weapon",
        (WEAPON,),
        rules=("ASL-SWENG-2",),
        phases=("rally",),
        states=("",),
        check=possession.check_repair,
        apply=possession.repair,
        candidates=possession.candidates,
    ),
    ActionType(
        "recover",
        "Recover a weapon",
        (UNIT, WEAPON),
        rules=("ASL-SWR-1", "ASL-SWR-2"),
        phases=("rally",),
        states=("",),
        check=deployment.check_recover,
        apply=deployment.recover,
        candidates=deployment.recover_candidates,
    ),
    ActionType(
        "scuttle",
        "Scuttle a weapon",
        (WEAPON, Param("how", ParamType.CHOICE, "broken or gone", choices=("break", "destroy"))),
        rules=("ASL-SWENG-3",),
        phases=("prep_fire", "defensive_fire"),
        states=("",),
        check=possession.check_scuttle,
        apply=possession.scuttle,
        candidates=possession.candidates,
        listed=possession.nothing_listed,
    ),
    ActionType(
        "dismantle",
        "Dismantle or assemble a weapon",
        (WEAPON,),
        rules=("ASL-A9.8",),
        phases=("prep_fire", "defensive_fire"),
        states=("",),
        check=possession.check_dismantle,
        apply=possession.dismantle,
        candidates=possession.candidates,
    ),
)
