"""What play waits for, and business in progress: the frames and extras of a position."""

from __future__ import annotations

from hexmarshal.games.kharkov.state.situation import SOVIET
from hexmarshal.rules.action import Param, ParamType
from hexmarshal.rules.frames import FrameTable, FrameType, ItemType, Silence
from hexmarshal.rules.values import FrozenMap

__all__ = ["ABOUT_AN_ENGAGEMENT", "ENGAGEMENT", "EXTRAS", "FRAMES", "HAND"]

ENGAGEMENT = "engagement"
HAND = "hand"
# The decisions that settle a combat or an overrun, above its frame.
ABOUT_AN_ENGAGEMENT = ("air_defence", "result", "retreat", "displacement", "advance")
DEFENDER = ("De", "D1", "D2")
ATTACKER = ("Ae", "A1", "A2")
RESULTS = ("Eng", *ATTACKER, *DEFENDER, *(f"{d}/{a}" for d in DEFENDER for a in ATTACKER))
MARKER = Param("marker", ParamType.UNIT, "the marker of the reserve")


def _units(name: str, doc: str, *, required: bool = False) -> Param:
    return Param(name, ParamType.UNITS, doc, required=required)


def _flag(name: str, doc: str) -> Param:
    return Param(name, ParamType.BOOL, doc, required=False)


def _few(name: str, doc: str) -> Param:
    return Param(name, ParamType.INT, doc, required=False, minimum=0, maximum=2)


def _of(owner: str, results: tuple[str, ...]) -> ItemType:
    choices = (*results, "E1")
    return ItemType(
        owner,
        f"What the {owner} suffers",
        (Param("result", ParamType.CHOICE, "his part of the result", choices=choices),),
        rules=("KHA-9.58", "KHA-9.59"),
    )


ALARMED = (ItemType("reserve", "Another reserve that heard the alarm", (MARKER,)),)
FRAMES = FrameTable(
    [
        FrameType(
            HAND,
            "The group that is moving",
            (
                _units("units", "who", required=True),
                Param("began", ParamType.CELL, "where they began the phase"),
                Param(
                    "spent",
                    ParamType.MAP,
                    "what each has spent, in half movement points",
                    keys=ParamType.UNIT,
                    items=Param("points", ParamType.INT, "half points", minimum=0, maximum=1000),
                ),
                _flag("won", "an overrun has just cleared their way"),
                Param(
                    "ridden",
                    ParamType.INT,
                    "the rail hexes of a train that an alarm stopped",
                    required=False,
                    minimum=0,
                    maximum=1000,
                ),
            ),
            rules=("KHA-6.0-P",),
            asks=False,
        ),
        FrameType(
            ENGAGEMENT,
            "A combat or an overrun that is being settled",
            (
                Param("kind", ParamType.CHOICE, "which", choices=("attack", "overrun")),
                Param("side", ParamType.SIDE, "who attacks"),
                _units("attackers", "who attack", required=True),
                Param("targets", ParamType.CELLS, "the hexes attacked", minimum=1),
                _units("defenders", "who defend"),
                _flag("air_attack", "the attacker spends an air point"),
                Param("result", ParamType.CHOICE, "as rolled", required=False, choices=RESULTS),
                _units("pending", "who must still retreat"),
                _few("hexes", "how far they retreat"),
                Param(
                    "trails",
                    ParamType.LIST,
                    "the ways of those that fell back, from the hex of the combat on",
                    required=False,
                    items=Param("trail", ParamType.PATH, "a way", minimum=1),
                ),
                Param("wiped", ParamType.CELLS, "hexes whose units are gone", required=False),
                _flag("hurt", "the attackers lost steps or fell back"),
                _units("shaken", "who lost steps or fell back"),
                _units("stayed", "who may still advance"),
                Param(
                    "halfway",
                    ParamType.LIST,
                    "whom an alarm stopped on their advance",
                    required=False,
                    items=Param(
                        "one",
                        ParamType.RECORD,
                        "one of them",
                        fields=(
                            Param("unit", ParamType.UNIT, "who"),
                            Param("path", ParamType.PATH, "the hexes behind it", minimum=1),
                        ),
                    ),
                ),
                _few("called", "how far an advance may go"),
            ),
            "Its agenda is what is still to settle, in order.",
            ("KHA-9.0-P", "KHA-9.58"),
            asks=False,
            agenda=(
                _of("defender", DEFENDER),
                _of("attacker", ATTACKER),
                ItemType(
                    "displace",
                    "A headquarters is displaced",
                    (Param("unit", ParamType.UNIT, "the headquarters"),),
                    rules=("KHA-10.17",),
                ),
                ItemType("vacated", "What is left in a hex that was given up"),
                ItemType("advance", "Advance after combat", rules=("KHA-9.71",)),
            ),
        ),
        FrameType(
            "air_defence",
            "The defender may spend an air point",
            rules=("KHA-13.12",),
            silence=Silence("air_defence", FrozenMap({"use": False})),
        ),
        FrameType("result", "Step losses or retreat", rules=("KHA-9.56",)),
        FrameType("retreat", "Where the others retreat", rules=("KHA-9.62",)),
        FrameType("displacement", "Where a headquarters is displaced to", rules=("KHA-10.17",)),
        FrameType(
            "advance",
            "Advance after combat",
            rules=("KHA-9.73",),
            silence=Silence("end_advance"),
        ),
        FrameType(
            "pursuit",
            "Pursuit of a disengagement",
            (Param("cell", ParamType.CELL, "the hex that was left"),),
            rules=("KHA-6.62",),
            deciders=(SOVIET,),
            silence=Silence("end_pursuit"),
        ),
        FrameType(
            "alarm",
            "Commit a reserve that the Axis came near",
            (MARKER,),
            rules=("KHA-6.75",),
            deciders=(SOVIET,),
            agenda=ALARMED,
            silence=Silence("alarm", FrozenMap({"accept": False})),
        ),
        FrameType(
            "alarm_placement",
            "Place that reserve",
            (MARKER,),
            rules=("KHA-6.75",),
            deciders=(SOVIET,),
            agenda=ALARMED,
        ),
    ]
)
EXTRAS = (
    Param(
        "south",
        ParamType.INT,
        "the turn from which the southern sector is active",
        required=False,
        minimum=0,
        maximum=1000,
    ),
    Param("assaulted", ParamType.CELLS, "hexes attacked in this phase", required=False),
)
