"""The decisions that play may wait for, and the business in progress."""

from __future__ import annotations

from hexmarshal.games.traces_of_war.state.kinds import AXIS, MODES, SIDES, SOVIET
from hexmarshal.rules.frames import FrameTable, FrameType, Silence
from hexmarshal.rules.params import Param, ParamType
from hexmarshal.rules.values import FrozenMap

__all__ = ["FRAMES"]

ACTION = ("action",)
FIGHTING = ("opening", "action")
STAGES = ("declared", "roll", "losses", "retreat", "advance", "over")
UNIT = Param("unit", ParamType.UNIT, "the unit concerned")
UNITS = Param("units", ParamType.UNITS, "the units concerned")
CELL = Param("cell", ParamType.CELL, "the hex concerned")
SIDE = Param("side", ParamType.SIDE, "whose activation or attack it is")


def _count(name: str, doc: str, *, required: bool = True) -> Param:
    return Param(name, ParamType.INT, doc, required=required, minimum=0, maximum=99)


FRAMES = FrameTable(
    [
        FrameType(
            "deployment",
            "Security divisions",
            (Param("taken", ParamType.CELLS, "cities that have one", required=False),),
            rules=("TOW-3.0d",),
            deciders=(AXIS,),
            phases=("setup",),
        ),
        FrameType(
            "opening",
            "The Soviet opening",
            rules=("TOW-12.1",),
            deciders=(SOVIET,),
            phases=("opening",),
        ),
        FrameType(
            "selection",
            "Choice of tokens",
            rules=("TOW-4.2a",),
            deciders=SIDES,
            phases=("selection",),
        ),
        FrameType(
            "interrupt",
            "Interrupt order or not",
            (Param("token", ParamType.TEXT, "the token just drawn"),),
            rules=("TOW-4.2.2d",),
            deciders=(AXIS,),
            phases=ACTION,
            silence=Silence("let_stand"),
        ),
        FrameType(
            "okh",
            "Options of an OKH token",
            (Param("drawn", ParamType.BOOL, "from the cup, not from the hand"),),
            rules=("TOW-4.2.2c",),
            deciders=(AXIS,),
            phases=ACTION,
            silence=Silence("pass"),
        ),
        FrameType(
            "stavka",
            "STAVKA's headquarters",
            rules=("TOW-4.3h",),
            deciders=(SOVIET,),
            phases=ACTION,
            silence=Silence("pass"),
        ),
        FrameType(
            "activation",
            "An activation",
            (
                SIDE,
                Param("headquarters", ParamType.UNIT, "the headquarters activated", required=False),
                UNITS,
                Param(
                    "mode",
                    ParamType.CHOICE,
                    "the action mode; empty: not chosen yet",
                    choices=("", *MODES),
                ),
                _count("segment", "how many segments have begun"),
                Param("moved", ParamType.UNITS, "those that have moved"),
                Param("fought", ParamType.UNITS, "those that have fought"),
                Param("targets", ParamType.CELLS, "the hexes attacked"),
            ),
            rules=("TOW-4.3b",),
            asks=False,
            phases=FIGHTING,
        ),
        FrameType(
            "mode",
            "Action mode",
            rules=("TOW-4.3d",),
            upon=("activation",),
            phases=ACTION,
        ),
        FrameType(
            "movement",
            "Moves",
            rules=("TOW-9.0a",),
            upon=("activation",),
            phases=ACTION,
            silence=Silence("end_segment"),
        ),
        FrameType(
            "combat",
            "Attacks",
            rules=("TOW-10.0a",),
            upon=("activation",),
            phases=FIGHTING,
            silence=Silence("end_segment"),
        ),
        FrameType(
            "battle",
            "A combat",
            (
                SIDE,
                CELL,
                Param("attackers", ParamType.UNITS, "the attackers"),
                Param(
                    "origins",
                    ParamType.MAP,
                    "where those who may advance stood",
                    items=CELL,
                    keys=ParamType.UNIT,
                ),
                Param("stage", ParamType.CHOICE, "how far it has come", choices=STAGES),
                Param("opening", ParamType.BOOL, "in the Soviet opening", required=False),
                _count("offensive", "offensive markers used", required=False),
                _count("defensive", "defensive markers used", required=False),
                Param("loser", ParamType.SIDE, "who loses steps", required=False),
                _count("losses", "the steps lost", required=False),
                _count("retreat", "the hexes of retreat", required=False),
            ),
            rules=("TOW-10.1",),
            upon=("activation",),
            asks=False,
            phases=FIGHTING,
        ),
        FrameType(
            "air_support",
            "Luftwaffe or not",
            rules=("TOW-7.0b",),
            upon=("battle",),
            deciders=(AXIS,),
            phases=FIGHTING,
            silence=Silence("air_support", FrozenMap({"markers": ()})),
        ),
        FrameType(
            "losses",
            "Step losses",
            (UNITS, _count("steps", "how many steps are lost")),
            rules=("TOW-10.3b",),
            upon=("battle",),
            phases=FIGHTING,
        ),
        FrameType(
            "retreat",
            "Retreats",
            (UNITS, Param("hexes", ParamType.INT, "how many hexes", minimum=1, maximum=9)),
            rules=("TOW-10.4a",),
            upon=("battle",),
            phases=FIGHTING,
        ),
        FrameType(
            "advance",
            "Advance after combat",
            (
                CELL,
                UNITS,
                Param(
                    "went",
                    ParamType.MAP,
                    "who has advanced on which way",
                    items=Param("way", ParamType.CELLS, "the hexes"),
                    keys=ParamType.UNIT,
                ),
            ),
            rules=("TOW-10.5a",),
            upon=("battle",),
            phases=FIGHTING,
            silence=Silence("end_advance"),
        ),
        FrameType(
            "relocation",
            "Relocation of a headquarters",
            (UNIT, Param("cell", ParamType.TEXT, "where it stood")),
            rules=("TOW-2.3e",),
        ),
        FrameType(
            "reinforcements",
            "Soviet reinforcements",
            (UNITS, _count("draw", "the number of the draw")),
            rules=("TOW-11.1a",),
            deciders=(SOVIET,),
            phases=ACTION,
        ),
        FrameType(
            "landing",
            "Airborne operation",
            rules=("TOW-11.1d",),
            deciders=(SOVIET,),
            phases=ACTION,
        ),
        FrameType(
            "negotiation",
            "Supreme Command negotiation",
            (Param("points", ParamType.NUMBER, "the negotiation points left", minimum=0),),
            rules=("TOW-4.2.2g",),
            deciders=(AXIS,),
            phases=ACTION,
            silence=Silence("end_negotiation"),
        ),
    ]
)
