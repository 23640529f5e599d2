"""The decisions that play may wait for, the business in progress, and its agenda."""

from __future__ import annotations

from hexmarshal.games.heroes_of_stalingrad.state.execution import BUSINESS
from hexmarshal.rules.frames import FrameTable, FrameType, ItemType, Silence
from hexmarshal.rules.params import Param, ParamType

__all__ = ["FRAMES"]

ACTIVATION = ("activation",)
MOVES = ("activation", "reserve")

_TYPES = {
    "unit": ParamType.UNIT,
    "target": ParamType.UNIT,
    "by": ParamType.UNIT,
    "vehicle": ParamType.UNIT,
    "units": ParamType.UNITS,
    "cell": ParamType.CELL,
    "cells": ParamType.CELLS,
    "side": ParamType.SIDE,
    "dice": ParamType.VALUE,
    "count": ParamType.INT,
    "value": ParamType.INT,
}


def _item(kind: str, title: str, *names: str) -> ItemType:
    """An entry of the agenda: who and where is checked, figures are plain values."""
    params = tuple(
        Param(name, _TYPES.get(name, ParamType.VALUE), name, required=False) for name in names
    )
    return ItemType(kind, title, params)


_LOSS = ("unit", "by", "cause", "piercing", "double", "crew", "dice", "chosen")
_BLAST = (
    "unit",
    "side",
    "target",
    "combat",
    "bonus",
    "malus",
    "destruction",
    "corner",
    "cell",
    "count",
    "bare",
    "flame",
    "grenade",
    "units",
    "dice",
)
_SHOT = ("unit", "weapon", "target", "suppression", "burst", "value", "parts", "dice", "bonus")
_ASSAULT = ("unit", "target", "dice", "attack")

AGENDA = (
    _item("march", "The next step of a Move Action"),
    _item("finish_move", "The end of a Move Action"),
    _item("moved", "A Move Action is over"),
    _item("spot", "Units in ambush are spotted"),
    _item("window", "A window for opportunity fire", "unit", "trigger", "firing", "fired"),
    _item("after_fire", "After fire", "unit", "context", "target", "trigger", "fired"),
    _item("shot", "A shot", *_SHOT),
    _item("shot_rolled", "A shot with its dice", *_SHOT),
    _item("frighten", "Frightening fire", "unit", "by"),
    _item("snipe_rolled", "A sniper's die", *_SHOT),
    _item("disturb_rolled", "The die of disturbing fire", *_SHOT),
    _item("scatter_rolled", "A scatter die", *_BLAST),
    _item("explode", "An explosion", *_BLAST),
    _item("grenade", "A grenade in the air", *_BLAST),
    _item("blast_at", "A template against one unit", *_BLAST),
    _item("blast_rolled", "The same with its die", *_BLAST),
    _item("flame", "A flame", *_BLAST),
    _item("loss", "A step loss", *_LOSS),
    _item("destroy", "A unit is destroyed", *_LOSS),
    _item("remove", "A destroyed unit comes off the board", *_LOSS),
    _item("suppress", "Suppressed markers", "unit", "count"),
    _item("location", "A location roll", *_LOSS),
    _item("located", "A location roll with its dice", *_LOSS),
    _item("demolish", "Dice of Destruction", "cells", "count", "by", "all"),
    _item("demolished", "The same with its dice", "what", "cell", "by", "dice"),
    _item("points", "Destruction points", "what", "target", "count", "rule"),
    _item("collapse", "A building collapses", "what"),
    _item("redeploy", "Units are placed in a ruin", "units", "cells", "side"),
    _item("displace", "A unit is driven away", "unit", "by", "cause"),
    _item("eject", "A passenger gets out of a wreck", "unit", "vehicle", "crew"),
    _item("assault", "An assault", *_ASSAULT),
    _item("assault_dice", "The attacker's dice", *_ASSAULT),
    _item("assault_attacked", "The defender's dice", *_ASSAULT),
    _item("assault_rolled", "An assault with all dice", *_ASSAULT),
    _item("retreat", "A retreat", "unit", "by", "cell"),
    _item("take_cell", "The attacker takes a cell", "unit", "cell", "wreck"),
    _item("break", "Break points", "unit"),
    _item("reroll", "Who rolls again?", "purpose", "side", "unit", "target"),
    _item("action_done", "After an action", "what"),
    _item("end_activation", "The end of an activation"),
    _item("end_turn", "The end of a turn"),
)

UNIT = Param("unit", ParamType.UNIT, "the unit concerned")
CELLS = Param("cells", ParamType.CELLS, "the cells to choose from")
SIDE = Param("side", ParamType.SIDE, "whose it is")
THEN = Param("then", ParamType.VALUE, "the sides that are asked afterwards", required=False)
DICE = Param("dice", ParamType.VALUE, "the dice that were rolled")


def _text(name: str, doc: str, *, required: bool = False) -> Param:
    return Param(name, ParamType.TEXT, doc, required=required)


def _flag(name: str, doc: str) -> Param:
    return Param(name, ParamType.BOOL, doc, required=False)


def _names(name: str, doc: str) -> Param:
    return Param(name, ParamType.VALUE, doc, required=False)


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
            (SIDE, UNIT, _text("source", "special or autonomous", required=True)),
            rules=("HOS-2.13",),
            phases=ACTIVATION,
            silence=Silence("let_pass"),
        ),
        FrameType(
            "waiting",
            "A special order that waits for another",
            (SIDE, UNIT, _text("source", "special or autonomous", required=True)),
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
                _text("source", "order, special, autonomous, artillery or reserve"),
                _text("following", "whose token comes next"),
                _text("entry", "the artillery option"),
                _names("done", "the actions taken"),
                _names("fired", "the weapons fired in this Fire Action"),
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
            phases=MOVES,
            silence=Silence("hold"),
        ),
        FrameType(
            "artillery",
            "Where the artillery fires",
            (_text("entry", "the option", required=True),),
            rules=("HOS-8.10",),
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
                Param("allowance", ParamType.INT, "how far it goes", minimum=0),
                Param("spent", ParamType.INT, "how far it went", minimum=0),
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
                _names("crushed", "wrecks driven over"),
            ),
            rules=("HOS-9.1",),
            asks=False,
            phases=MOVES,
        ),
        FrameType("step", "On the move", (UNIT,), rules=("HOS-9.1",), phases=MOVES),
        FrameType(
            "opportunity",
            "Does anybody fire?",
            (
                Param("target", ParamType.UNIT, "the unit that moved or fired"),
                _text("trigger", "move or fire"),
                _text("firing", "the unit that is firing its weapons one by one"),
                _names("fired", "the weapons that it has fired"),
            ),
            rules=("HOS-5.28",),
            phases=ACTIVATION,
            silence=Silence("hold_fire"),
        ),
        FrameType(BUSINESS, "Business in progress", asks=False, agenda=AGENDA),
        FrameType(
            "reroll",
            "Does anybody roll again?",
            (
                _text("purpose", "what was rolled for", required=True),
                SIDE,
                Param("unit", ParamType.UNIT, "who rolled", required=False),
                Param("target", ParamType.UNIT, "who it was about", required=False),
                DICE,
                THEN,
            ),
            rules=("HOS-6.5", "HOS-8.9"),
            silence=Silence("keep_dice"),
        ),
        FrameType(
            "grenade",
            "Is the grenade thrown back?",
            (
                Param("units", ParamType.UNITS, "who would be hit"),
                Param("by", ParamType.UNIT, "who threw it"),
            ),
            rules=("HOS-6.5",),
            phases=ACTIVATION,
            silence=Silence("let_fly"),
        ),
        FrameType(
            "last_moment",
            "The order of a destroyed unit",
            (UNIT,),
            rules=("HOS-6.5",),
            phases=ACTIVATION,
            silence=Silence("let_go"),
        ),
        FrameType(
            "defence",
            "A card for the defender?",
            (UNIT, Param("target", ParamType.UNIT, "the unit assaulted")),
            rules=("HOS-6.4",),
            phases=ACTIVATION,
            silence=Silence("stand"),
        ),
        FrameType("location", "Good vibes: which die?", (UNIT, DICE), rules=("HOS-5.71",)),
        FrameType(
            "displace",
            "Where a unit is driven to",
            (UNIT, CELLS, _text("cause", "what drives it", required=True)),
            rules=("HOS-2.44", "HOS-2.49", "HOS-5.94"),
        ),
        FrameType(
            "retreat",
            "Where a beaten unit goes",
            (UNIT, CELLS, _names("how", "by cell: by a window, or into a vehicle")),
            rules=("HOS-5.52",),
            phases=ACTIVATION,
        ),
        FrameType(
            "redeploy",
            "Units are placed in a ruin",
            (Param("units", ParamType.UNITS, "those still to be placed"), CELLS),
            rules=("HOS-5.12",),
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
