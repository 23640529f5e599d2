"""What play may wait for: the next step of a stack, and the enemy's fire at it."""

from __future__ import annotations

from typing import Final

from hexmarshal.rules.action import Param, ParamType
from hexmarshal.rules.frames import FrameTable, FrameType, Silence
from hexmarshal.rules.frames.declared import ItemType

__all__ = ["FRAMES"]

_UNITS = Param("units", ParamType.UNITS, "the stack that moves")
_ABOUT = (
    _UNITS,
    Param("spent", ParamType.NUMBER, "movement factors spent"),
    Param("here", ParamType.NUMBER, "of these in the present location"),
    Param("steps", ParamType.INT, "locations entered", minimum=0),
    Param("assault", ParamType.BOOL, "assault movement", required=False),
    Param("double_time", ParamType.INT, "factors gained by double time", False, minimum=0),
    Param("minimum", ParamType.BOOL, "a minimum move", required=False),
    Param("dash", ParamType.PATH, "the road hex and the hex beyond it", required=False),
    Param("roads", ParamType.BOOL, "every hexside so far was a road's", required=False),
    Param("road", ParamType.BOOL, "the last step was along a road", required=False),
    Param("left", ParamType.CELL, "the hex left by the last step", required=False),
    Param("found", ParamType.CELL, "where a single man was found", required=False),
    Param("overrun", ParamType.TEXT, "the single man who is overrun", required=False),
)

_MAN = (
    Param("unit", ParamType.UNIT, "the single man"),
    Param("cost", ParamType.INT, "movement factors of the overrun", minimum=0),
)

_SNIPER_PHASES = ("prep_fire", "movement", "defensive_fire", "advancing_fire")
_RESULT = Param("result", ParamType.INT, "the die that activated it", minimum=1, maximum=2)
_LEVEL = Param("level", ParamType.INT, "at which level", False, minimum=-9, maximum=99)
_PLACE = (Param("cell", ParamType.CELL, "where it is fought"), _LEVEL)
# Somebody may be gone meanwhile: his name is all that is left.
_NAME = Param("name", ParamType.TEXT, "who")
_OFFER = Param(
    "offer",
    ParamType.RECORD,
    "weapons that kept their rate, or snapped",
    required=False,
    fields=(
        Param("snapped", ParamType.LIST, "who fired a snap shot", required=False, items=_NAME),
        Param("power", ParamType.NUMBER, "what the others fired", required=False, minimum=0),
        Param("cowered", ParamType.INT, "columns lost", False, minimum=0, maximum=9),
        Param("worse", ParamType.INT, "modifiers outside of the hex", False, minimum=0, maximum=99),
        Param(
            "weapons",
            ParamType.MAP,
            "what those fired that kept their rate",
            required=False,
            items=Param("power", ParamType.NUMBER, "its firepower", minimum=0),
        ),
    ),
)
_UNIT = Param("unit", ParamType.UNIT, "who")
_BY = Param("by", ParamType.UNITS, "who attacked")
_DIE = Param("die", ParamType.INT, "the coloured die", minimum=1, maximum=6)
_NUMBER = Param("number", ParamType.INT, "the kill number", minimum=0)

_CLOSE = (
    FrameType(
        "combat",
        "A close combat is fought",
        (
            *_PLACE,
            Param("melee", ParamType.BOOL, "it was a melee before", required=False),
            Param("ambush", ParamType.SIDE, "who has laid an ambush", required=False),
            Param(
                "order",
                ParamType.LIST,
                "who has yet to declare attacks",
                required=False,
                items=Param("side", ParamType.SIDE, "a side"),
            ),
            Param("asked", ParamType.BOOL, "the ambushers were asked to leave", required=False),
            Param("sequential", ParamType.BOOL, "sides take turns: a vehicle", required=False),
        ),
        rules=("ASL-CC-4",),
        phases=("close_combat",),
        asks=False,
        agenda=(
            ItemType(
                "attack",
                "An attack that is declared",
                (
                    Param("side", ParamType.SIDE, "whose"),
                    Param("attackers", ParamType.UNITS, "who attacks"),
                    Param("targets", ParamType.UNITS, "who is attacked"),
                    Param("capture", ParamType.BOOL, "to capture", required=False),
                    Param("hand_to_hand", ParamType.BOOL, "hand-to-hand", required=False),
                ),
            ),
            ItemType(
                "done",
                "An attack that was made",
                (
                    Param("side", ParamType.SIDE, "whose"),
                    Param("attackers", ParamType.LIST, "who attacked", items=_NAME),
                    Param("targets", ParamType.LIST, "who was attacked", items=_NAME),
                ),
            ),
            ItemType(
                "leaving",
                "A withdrawal that is announced",
                (_UNIT, Param("to", ParamType.CELL, "where to"), _LEVEL),
            ),
            ItemType(
                "loss",
                "A loss that is decided",
                (
                    _UNIT,
                    Param(
                        "fate",
                        ParamType.CHOICE,
                        "what befalls it",
                        choices=("eliminated", "reduced", "captured", "half captured"),
                    ),
                    _BY,
                    _DIE,
                    _NUMBER,
                ),
            ),
        ),
    ),
    FrameType(
        "before_combat",
        "Who fights with whom, and who leaves?",
        _PLACE,
        rules=("ASL-CC-6b", "ASL-A11.21a"),
        upon=("combat",),
        phases=("close_combat",),
        silence=Silence("ready"),
    ),
    FrameType(
        "attacks",
        "Who attacks whom?",
        _PLACE,
        rules=("ASL-CC-4",),
        upon=("combat",),
        phases=("close_combat",),
        silence=Silence("strike"),
    ),
    FrameType(
        "slip_away",
        "Who leaves at once?",
        (Param("units", ParamType.UNITS, "who may"),),
        rules=("ASL-A11.21b", "ASL-AMB-2"),
        upon=("combat",),
        phases=("close_combat",),
        silence=Silence("stay"),
    ),
    FrameType(
        "searching",
        "Which hexes are searched?",
        (
            Param("cells", ParamType.CELLS, "the accessible ones"),
            Param("count", ParamType.INT, "how many of them", minimum=1, maximum=6),
        ),
        rules=("ASL-A12.152a",),
        upon=("moving",),
        phases=("movement",),
    ),
    FrameType(
        "surrender",
        "Are those who surrender taken prisoner?",
        (
            Param("units", ParamType.UNITS, "who surrenders"),
            Param("guards", ParamType.UNITS, "who can take them"),
            Param("side", ParamType.SIDE, "whose rout is ending"),
        ),
        rules=("ASL-A20.21a", "ASL-PRIS-6"),
        phases=("rout",),
        silence=Silence("take"),
    ),
    FrameType(
        "give_up",
        "Who is captured?",
        (Param("units", ParamType.UNITS, "one of these"), _BY, _DIE, _NUMBER),
        rules=("ASL-PRIS-3",),
        upon=("combat",),
        phases=("close_combat",),
    ),
)

FRAMES: Final = FrameTable(
    [
        FrameType(
            "moving",
            "Where does the stack go on?",
            _ABOUT,
            rules=("ASL-MOVE-2",),
            phases=("movement",),
            silence=Silence("stop"),
            agenda=(ItemType("group", "A group that waits", _ABOUT),),
        ),
        FrameType(
            "wave",
            "Where does the human wave go on?",
            (
                Param("units", ParamType.UNITS, "who takes part"),
                Param("grain", ParamType.CELLS, "the hexes that it makes for"),
                Param("spent", ParamType.NUMBER, "movement factors spent"),
                Param("impulse", ParamType.NUMBER, "what this impulse has cost so far"),
                Param("moved", ParamType.UNITS, "who has moved in this impulse", required=False),
                Param(
                    "waiting",
                    ParamType.LIST,
                    "locations not fired at yet: hex and level",
                    required=False,
                    items=Param("location", ParamType.TEXT, "such as K9 0"),
                ),
            ),
            rules=("ASL-A25.23c",),
            phases=("movement",),
        ),
        FrameType(
            "overrun",
            "Does the single man stand or leave?",
            _MAN,
            rules=("ASL-A4.15c",),
            upon=("moving",),
            phases=("movement",),
            silence=Silence("stand"),
        ),
        FrameType(
            "expel",
            "Where does the single man go?",
            _MAN,
            rules=("ASL-A4.15c",),
            upon=("moving",),
            phases=("movement",),
        ),
        FrameType(
            "sniper",
            "Does the sniper attack, or is it moved?",
            (_RESULT,),
            rules=("ASL-SAN-3",),
            phases=_SNIPER_PHASES,
            silence=Silence("snipe"),
        ),
        FrameType(
            "sniper_target",
            "Whom does the sniper attack?",
            (Param("cell", ParamType.CELL, "the hex that was rolled"), _RESULT),
            rules=("ASL-SAN-3",),
            phases=_SNIPER_PHASES,
        ),
        FrameType(
            "place_sniper",
            "Where is the sniper put?",
            (),
            rules=("ASL-SAN-1",),
            phases=_SNIPER_PHASES,
        ),
        FrameType(
            "sniper_check",
            "Do they look for the sniper?",
            (
                Param("cell", ParamType.CELL, "where it has attacked"),
                _LEVEL,
            ),
            rules=("ASL-SAN-8",),
            phases=_SNIPER_PHASES,
            silence=Silence("ignore_sniper"),
        ),
        FrameType(
            "first_fire",
            "Does the DEFENDER fire?",
            (
                Param("cell", ParamType.CELL, "where factors were spent"),
                _LEVEL,
                Param("targets", ParamType.UNITS, "who can be fired at"),
                _OFFER,
            ),
            rules=("ASL-DF-1",),
            upon=("moving",),
            phases=("movement",),
            silence=Silence("hold_fire"),
        ),
        *_CLOSE,
    ]
)
