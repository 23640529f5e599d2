"""Rally, deployment, rout and breaking."""

from __future__ import annotations

from typing import Final

from hexmarshal.games.asl.actions.words import FREE_LEADER, LEADER, LEVEL, UNIT, UNITS, flag
from hexmarshal.games.asl.rules.concealment.showing import nothing_listed
from hexmarshal.games.asl.rules.quality import commissars
from hexmarshal.games.asl.rules.rally import deployment, rally
from hexmarshal.games.asl.rules.rout import breaking, rout, rout_check
from hexmarshal.rules.action import ActionType, Param, ParamType

__all__ = ["MENDING"]

MENDING: Final = (
    ActionType(
        "appoint_commissar",
        "Appoint a commissar",
        (UNIT,),
        rules=("ASL-NAT-COM",),
        phases=("rally",),
        states=("",),
        check=commissars.check_appoint,
        apply=commissars.appoint,
        candidates=commissars.candidates,
    ),
    ActionType(
        "rally",
        "Rally",
        (UNIT, LEADER),
        rules=("ASL-RALLY-1",),
        phases=("rally",),
        states=("",),
        check=rally.check_rally,
        apply=rally.rally,
        candidates=rally.candidates,
    ),
    ActionType(
        "self_rally",
        "Self-rally",
        (UNIT,),
        rules=("ASL-A10.63", "ASL-LDR-2"),
        phases=("rally",),
        states=("",),
        check=rally.check_self_rally,
        apply=rally.self_rally,
        candidates=rally.candidates,
    ),
    ActionType(
        "deploy",
        "Deploy a squad",
        (
            UNIT,
            FREE_LEADER,
            Param("weapons", ParamType.UNITS, "weapons of the second half-squad", required=False),
        ),
        rules=("ASL-DEP-1", "ASL-DEP-3", "ASL-DEP-4"),
        phases=("rally",),
        states=("",),
        check=deployment.check_deploy,
        apply=deployment.deploy,
        candidates=deployment.candidates,
    ),
    ActionType(
        "recombine",
        "Recombine two half-squads",
        (UNITS, FREE_LEADER),
        rules=("ASL-DEP-6", "ASL-DEP-7"),
        phases=("rally",),
        states=("",),
        check=deployment.check_recombine,
        apply=deployment.recombine,
        candidates=deployment.candidates,
    ),
    ActionType(
        "rout",
        "Rout",
        (
            UNIT,
            flag("low_crawl", "by low crawl"),
            Param("path", ParamType.PATH, "the hexes entered, in order"),
            LEVEL,
            Param("leader", ParamType.UNIT, "a leader who goes with it", required=False),
        ),
        rules=("ASL-ROUT-2", "ASL-ROUT-3", "ASL-ROUT-4", "ASL-CRAWL-1"),
        phases=("rout",),
        states=("",),
        check=rout_check.check,
        apply=rout.rout,
        candidates=rout_check.candidates,
        listed=rout_check.listed,
    ),
    ActionType(
        "break",
        "Break voluntarily",
        (UNIT,),
        rules=("ASL-VB-1",),
        phases=("rout",),
        states=("",),
        check=breaking.check_break,
        apply=breaking.break_voluntarily,
        listed=nothing_listed,
    ),
)
