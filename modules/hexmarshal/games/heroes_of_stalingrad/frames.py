"""The decisions that play may wait for, the business in progress, and its agenda."""

from __future__ import annotations

from hexmarshal.games.heroes_of_stalingrad.agenda import (
    AGENDA,
    DICE,
    PURPOSE,
    TRIGGER,
    WEAPONS,
    choice,
    count,
    maybe,
)
from hexmarshal.games.heroes_of_stalingrad.state.execution import BUSINESS
from hexmarshal.games.heroes_of_stalingrad.state.kinds import DRIVEN
from hexmarshal.rules.frames import FrameTable, FrameType, Silence
from hexmarshal.rules.params import Param, ParamType

__all__ = ["FRAMES"]

ACTIVATION = ("activation",)
MOVES = ("activation", "reserve")
SOURCES = ("order", "special", "autonomous", "artillery", "reserve")

UNIT = Param("unit", ParamType.UNIT, "the unit concerned")
CELLS = Param("cells", ParamType.CELLS, "the cells to choose from")
SIDE = Param("side", ParamType.SIDE, "whose it is")
THEN = Param(
    "then", ParamType.LIST, "the sides that are asked afterwards", required=False, items=SIDE
)
HOW = Param(
    "how",
    ParamType.MAP,
    "by cell: '', by a window, or into a vehicle",
    required=False,
    items=Param("way", ParamType.TEXT, "'', window or the vehicle"),
    keys=ParamType.CELL,
)
SPECIAL = choice("source", "what activates it", "special", "autonomous")


def _text(name: str, doc: str, *, required: bool = False) -> Param:
    return Param(name, ParamType.TEXT, doc, required=required)


def _flag(name: str, doc: str) -> Param:
    return Param(name, ParamType.BOOL, doc, required=False)


def _names(name: str, doc: str) -> Param:
    item = Param("name", ParamType.TEXT, "one of them")
    return Param(name, ParamType.LIST, doc, required=False, items=item)


FRAMES = FrameTable(
    [
        FrameType("recruit", "Recruitment", (THEN,), rules=("HOS-8.1",), phases=("setup",)),
        FrameType(
            "deploy",
            "Deployment",
            rules=("HOS-8.1",),
            phases=("setup",),
            silence=Silence("end_deployment"),
        ),
        FrameType(
            "scout",
            "Scouts",
            (THEN,),
            rules=("HOS-5.84",),
            phases=("setup",),
            silence=Silence("end_scouting"),
        ),
        FrameType("orders", "Order tokens are placed", rules=("HOS-2.9",), phases=("order",)),
        FrameType(
            "closing",
            "Special orders after all numbers",
            rules=("HOS-2.12",),
            phases=ACTIVATION,
            silence=Silence("pass_orders"),
        ),
        FrameType(
            "precedence",
            "Does the side with the initiative go first?",
            (SIDE, UNIT, SPECIAL),
            rules=("HOS-2.13",),
            phases=ACTIVATION,
            silence=Silence("let_pass"),
        ),
        FrameType(
            "waiting",
            "A special order that waits for another",
            (SIDE, UNIT, SPECIAL),
            rules=("HOS-2.13",),
            asks=False,
            phases=ACTIVATION,
        ),
        FrameType(
            "activation",
            "An activation",
            (
                SIDE,
                Param("unit", ParamType.UNIT, "the unit activated", required=False),
                choice("source", "what activates it", *SOURCES),
                _text("following", "whose token comes next"),
                _text("entry", "the artillery option"),
                _names("done", "the actions taken"),
                WEAPONS,
                _flag("second", "a second action is allowed"),
                _flag("feat", "by a Feat of arms"),
                _flag("inspired", "it has inspired others"),
            ),
            rules=("HOS-2.21",),
            asks=False,
            phases=MOVES,
        ),
        FrameType(
            "act",
            "What the unit does",
            (UNIT,),
            rules=("HOS-2.24",),
            upon=("activation",),
            phases=MOVES,
            silence=Silence("hold"),
        ),
        FrameType(
            "artillery",
            "Where the artillery fires",
            (_text("entry", "the option", required=True),),
            rules=("HOS-8.10",),
            upon=("activation",),
            phases=ACTIVATION,
            silence=Silence("hold_artillery"),
        ),
        FrameType(
            "moving",
            "A Move Action",
            (
                UNIT,
                SIDE,
                Param("start", ParamType.CELLS, "where it began"),
                count("allowance", "how far it goes", required=True),
                count("spent", "how far it went", required=True),
                Param("path", ParamType.CELLS, "the cells entered", required=False),
                _names("plan", "what was announced and is still to be done"),
                Param(
                    "facing",
                    ParamType.FACING,
                    "how it will face",
                    required=False,
                    minimum=0,
                    maximum=7,
                ),
                _text("flip", "whether it changes its state at the end"),
                _flag("flipped", "it has changed its state"),
                _text("assault", "the unit to be assaulted"),
                _text("push", "the wreck to be pushed"),
                _text("board", "the vehicle to be boarded"),
                _flag("pause", "the mover is asked before the move ends"),
                _flag("fired", "it has fired on the move"),
                _names("weapons", "the weapons fired where it is"),
                _flag("stopped", "it cannot go on"),
                _flag("spotted", "it was spotted on the move"),
                _flag("reached", "it has come upon the unit to be assaulted"),
                Param(
                    "crushed",
                    ParamType.MAP,
                    "wrecks driven over, and how often",
                    required=False,
                    items=count("count", "how often"),
                    keys=ParamType.UNIT,
                ),
            ),
            rules=("HOS-9.1",),
            upon=("activation",),
            asks=False,
            phases=MOVES,
        ),
        FrameType(
            "step",
            "On the move",
            (UNIT,),
            rules=("HOS-9.1",),
            upon=("activation", "moving"),
            phases=MOVES,
        ),
        FrameType(
            "opportunity",
            "Does anybody fire?",
            (
                Param("target", ParamType.UNIT, "the unit that moved or fired"),
                *maybe(TRIGGER),
                Param("firing", ParamType.UNIT, "who fires weapon by weapon", required=False),
                WEAPONS,
            ),
            rules=("HOS-5.28",),
            upon=(BUSINESS,),
            phases=ACTIVATION,
            silence=Silence("hold_fire"),
        ),
        FrameType(BUSINESS, "Business in progress", asks=False, agenda=AGENDA),
        FrameType(
            "reroll",
            "Does anybody roll again?",
            (
                PURPOSE,
                SIDE,
                Param("unit", ParamType.UNIT, "who rolled", required=False),
                Param("target", ParamType.UNIT, "who it was about", required=False),
                DICE,
                THEN,
            ),
            rules=("HOS-6.5", "HOS-8.9"),
            upon=(BUSINESS,),
            silence=Silence("keep_dice"),
        ),
        FrameType(
            "grenade",
            "Is the grenade thrown back?",
            (
                Param("units", ParamType.UNITS, "who would be hit", minimum=1),
                Param("by", ParamType.UNIT, "who threw it"),
            ),
            rules=("HOS-6.5",),
            upon=(BUSINESS,),
            phases=ACTIVATION,
            silence=Silence("let_fly"),
        ),
        FrameType(
            "last_moment",
            "The order of a destroyed unit",
            (UNIT,),
            rules=("HOS-6.5",),
            upon=(BUSINESS,),
            phases=ACTIVATION,
            silence=Silence("let_go"),
        ),
        FrameType(
            "defence",
            "A card for the defender?",
            (UNIT, Param("target", ParamType.UNIT, "the unit assaulted")),
            rules=("HOS-6.4",),
            upon=(BUSINESS,),
            phases=ACTIVATION,
            silence=Silence("stand"),
        ),
        FrameType(
            "location",
            "Good vibes: which die?",
            (UNIT, DICE),
            rules=("HOS-5.71",),
            upon=(BUSINESS,),
        ),
        FrameType(
            "displace",
            "Where a unit is driven to",
            (UNIT, CELLS, choice("cause", "what drives it", *DRIVEN)),
            rules=("HOS-2.44", "HOS-2.49", "HOS-5.94"),
            upon=(BUSINESS,),
        ),
        FrameType(
            "retreat",
            "Where a beaten unit goes",
            (UNIT, CELLS, HOW),
            rules=("HOS-5.52",),
            upon=(BUSINESS,),
            phases=ACTIVATION,
        ),
        FrameType(
            "redeploy",
            "Units are placed in a ruin",
            (Param("units", ParamType.UNITS, "those still to be placed"), CELLS),
            rules=("HOS-5.12",),
            upon=(BUSINESS,),
        ),
        FrameType(
            "reserve",
            "Reserve moves",
            rules=("HOS-2.100",),
            phases=("reserve",),
            silence=Silence("end_reserve"),
        ),
        FrameType(
            "refill",
            "Cards are discarded and drawn",
            (THEN,),
            rules=("HOS-6.1",),
            phases=("reserve",),
            silence=Silence("refill"),
        ),
    ]
)
