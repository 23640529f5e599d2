"""The table of actions: what may be done, in which phase, by which rules."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hexmarshal.games.asl.frames import FRAMES
from hexmarshal.games.asl.rules.fire import declare, first_fire, opportunity, spraying
from hexmarshal.games.asl.rules.movement import advance, begin, ending, expenditures, step
from hexmarshal.games.asl.rules.overrun import overrun
from hexmarshal.games.asl.rules.rally import deployment, rally
from hexmarshal.games.asl.rules.rout import rout
from hexmarshal.games.asl.rules.sequence import turn
from hexmarshal.games.asl.rules.weapons import possession
from hexmarshal.rules.action import ActionTable, ActionType, Param, ParamType
from hexmarshal.rules.frames.standing import standing_order

__all__ = ["ACTIONS"]

_FIRE_PHASES = ("prep_fire", "defensive_fire", "advancing_fire")
_UNIT = Param("unit", ParamType.UNIT, "the unit")
_UNITS = Param("units", ParamType.UNITS, "the units")
_WEAPON = Param("weapon", ParamType.UNIT, "the support weapon")
_TO = Param("to", ParamType.CELL, "the hex")
_LEVEL = Param("level", ParamType.INT, "levels above the ground of the hex", required=False)
_LEADER = Param("leader", ParamType.UNIT, "the leader")
_FREE_LEADER = Param("leader", ParamType.UNIT, "the leader", required=False)
_FIRERS = Param(
    "firers", ParamType.UNITS, "units that use their own firepower, and weapons", fewest=1
)
_LEADERS = Param("leaders", ParamType.UNITS, "the leaders who direct, one a location", False)
_FIRE_RULES = (
    "ASL-FIRE-1",
    "ASL-FIRE-6",
    "ASL-FIRE-7",
    "ASL-FG-1",
    "ASL-FD-1",
    "ASL-IFT-1",
)


def _flag(name: str, doc: str) -> Param:
    return Param(name, ParamType.BOOL, doc, required=False)


_FIRE = (
    ActionType(
        "fire",
        "Fire",
        (Param("target", ParamType.CELL, "the hex fired at"), _LEVEL, _FIRERS, _LEADERS),
        rules=_FIRE_RULES,
        phases=_FIRE_PHASES,
        states=("",),
        check=declare.check,
        apply=declare.declare,
        candidates=declare.candidates,
        listed=declare.listed,
    ),
    ActionType(
        "spray",
        "Spraying fire",
        (
            Param("target", ParamType.CELL, "one hex"),
            Param("second", ParamType.CELL, "the other hex, next to it"),
            _FIRERS,
            _LEADERS,
        ),
        rules=("ASL-A7.34", "ASL-MG-5"),
        phases=_FIRE_PHASES,
        states=("",),
        check=spraying.check,
        apply=spraying.declare,
        candidates=spraying.candidates,
        listed=spraying.listed,
    ),
    ActionType(
        "opportunity",
        "Opportunity fire",
        (_UNIT,),
        rules=("ASL-OPP-1",),
        phases=("prep_fire",),
        states=("",),
        check=opportunity.check,
        apply=opportunity.wait,
        candidates=opportunity.candidates,
    ),
    ActionType(
        "first_fire",
        "First fire",
        (
            _FIRERS,
            _LEADERS,
            _flag("snap", "at the hexside that was just crossed"),
            Param("lane", ParamType.CELL, "the last hex of a fire lane", required=False),
        ),
        rules=("ASL-DF-1", "ASL-DF-2", "ASL-A8.3", "ASL-A8.31a"),
        phases=("movement",),
        states=("first_fire",),
        check=first_fire.check,
        apply=first_fire.declare,
        candidates=first_fire.candidates,
        listed=first_fire.listed,
    ),
    ActionType(
        "hold_fire",
        "Hold fire",
        rules=("ASL-DFF-1",),
        phases=("movement",),
        states=("first_fire",),
        apply=first_fire.hold_fire,
    ),
)
_MOVEMENT = (
    ActionType(
        "move",
        "Begin a move",
        (
            _UNITS,
            _flag("assault", "assault movement"),
            _flag("double_time", "double time"),
            _flag("minimum", "a minimum move"),
            Param("dash", ParamType.PATH, "the road hex and the hex beyond it", required=False),
        ),
        rules=("ASL-MOVE-1", "ASL-MOVE-2", "ASL-MOVE-3", "ASL-AM-1", "ASL-CX-1", "ASL-DASH-1"),
        phases=("movement",),
        states=("",),
        check=begin.check,
        apply=begin.begin,
        candidates=begin.candidates,
        listed=begin.listed,
    ),
    ActionType(
        "step",
        "Go on",
        (
            _TO,
            _LEVEL,
            Param(
                "along",
                ParamType.FACING,
                "the hexside passed in bypass",
                False,
                minimum=0,
                maximum=5,
            ),
        ),
        rules=("ASL-MOVE-4", "ASL-MOVE-5", "ASL-BYP-1"),
        phases=("movement",),
        states=("moving",),
        check=step.check,
        apply=step.step,
        candidates=step.candidates,
    ),
    ActionType(
        "overrun",
        "Overrun a single man",
        (_TO,),
        rules=("ASL-A4.15a", "ASL-A4.15b"),
        phases=("movement",),
        states=("moving",),
        check=overrun.check,
        apply=overrun.overrun,
        candidates=overrun.candidates,
    ),
    ActionType(
        "stand",
        "Stand",
        rules=("ASL-A4.15c",),
        phases=("movement",),
        states=("overrun",),
        apply=overrun.stand,
    ),
    ActionType(
        "leave",
        "Leave the hex",
        rules=("ASL-A4.15c",),
        phases=("movement",),
        states=("overrun",),
        apply=overrun.leave,
    ),
    ActionType(
        "expel",
        "Send the single man away",
        (_TO,),
        rules=("ASL-A4.15c",),
        phases=("movement",),
        states=("expel",),
        check=overrun.check_expel,
        apply=overrun.expel,
        candidates=overrun.expel_candidates,
    ),
    ActionType(
        "smoke",
        "Smoke grenades",
        (_UNIT, _TO, _flag("phosphorus", "white phosphorus")),
        rules=("ASL-A24.1a", "ASL-A24.1b"),
        phases=("movement",),
        states=("moving",),
        check=expenditures.check_smoke,
        apply=expenditures.smoke,
        candidates=expenditures.smoke_candidates,
    ),
    ActionType(
        "pick_up",
        "Recover a weapon on the way",
        (_UNIT, _WEAPON),
        rules=("ASL-SWR-1", "ASL-SWR-2"),
        phases=("movement",),
        states=("moving",),
        check=expenditures.check_recover,
        apply=expenditures.recover,
        candidates=expenditures.recover_candidates,
    ),
    ActionType(
        "hurry",
        "Double time on the way",
        rules=("ASL-CX-1",),
        phases=("movement",),
        states=("moving",),
        check=ending.check_hurry,
        apply=ending.hurry,
    ),
    ActionType(
        "split",
        "Part of the stack goes on",
        (_UNITS,),
        rules=("ASL-MOVE-3",),
        phases=("movement",),
        states=("moving",),
        check=ending.check_split,
        apply=ending.split,
        candidates=ending.split_candidates,
        listed=ending.split_listed,
    ),
    ActionType(
        "stop",
        "End the move",
        rules=("ASL-MOVE-2", "ASL-BYP-1"),
        phases=("movement",),
        states=("moving",),
        check=ending.check_stop,
        apply=ending.stop,
    ),
    ActionType(
        "advance",
        "Advance",
        (_UNIT, _TO, _LEVEL),
        rules=("ASL-APH-1", "ASL-A4.72a"),
        phases=("advance",),
        states=("",),
        check=advance.check,
        apply=advance.advance,
        candidates=advance.candidates,
    ),
)
_WEAPONS = (
    ActionType(
        "drop",
        "Drop a weapon",
        (_WEAPON,),
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
        (_WEAPON, Param("to", ParamType.UNIT, "the unit that takes it")),
        rules=("ASL-SWT-1",),
        phases=("rally", "advance"),
        states=("",),
        check=possession.check_transfer,
        apply=possession.transfer,
        candidates=possession.candidates,
    ),
    ActionType(
        "repair",
        "Repair a weapon",
        (_WEAPON,),
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
        (_UNIT, _WEAPON),
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
        (_WEAPON, Param("how", ParamType.CHOICE, "broken or gone", choices=("break", "destroy"))),
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
        (_WEAPON,),
        rules=("ASL-A9.8",),
        phases=("prep_fire", "defensive_fire"),
        states=("",),
        check=possession.check_dismantle,
        apply=possession.dismantle,
        candidates=possession.candidates,
    ),
)
_MORALE = (
    ActionType(
        "rally",
        "Rally",
        (_UNIT, _LEADER),
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
        (_UNIT,),
        rules=("ASL-A10.63",),
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
            _UNIT,
            _FREE_LEADER,
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
        (_UNITS, _FREE_LEADER),
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
            _UNIT,
            _flag("low_crawl", "by low crawl"),
            Param("path", ParamType.PATH, "the hexes entered, in order"),
            _LEVEL,
        ),
        rules=("ASL-ROUT-2", "ASL-ROUT-3", "ASL-ROUT-4", "ASL-CRAWL-1"),
        phases=("rout",),
        states=("",),
        check=rout.check,
        apply=rout.rout,
        candidates=rout.candidates,
        listed=rout.listed,
    ),
    ActionType(
        "reveal",
        "Drop concealment",
        (_UNIT,),
        rules=("ASL-ROUT-6",),
        phases=("rout",),
        anytime=True,
        check=rout.check_reveal,
        apply=rout.reveal,
        listed=rout.nothing_listed,
    ),
    ActionType(
        "break",
        "Break voluntarily",
        (_UNIT,),
        rules=("ASL-VB-1",),
        phases=("rout",),
        states=("",),
        check=rout.check_break,
        apply=rout.break_voluntarily,
        listed=rout.nothing_listed,
    ),
)

ACTIONS: Final = ActionTable(
    [
        *_MORALE,
        *_FIRE,
        *_MOVEMENT,
        *_WEAPONS,
        ActionType(
            "end_phase",
            "End of the phase",
            rules=("ASL-FIRE-1",),
            phases=turn.PHASES,
            states=("",),
            check=turn.check_end,
            apply=turn.end_phase,
        ),
        replace(standing_order(FRAMES, "first_fire", rules=("ASL-DF-1",)), phases=turn.PHASES),
    ]
)
