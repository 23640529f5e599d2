"""The questions that the game answers."""

from __future__ import annotations

from typing import Final

from hexmarshal.rules.action import Param, ParamType, QueryTable, QueryType

__all__ = ["QUERIES", "VERTEX"]

VERTEX: Final = "a vertex of the hex, from 0 at the top left clockwise, instead of its centre"


def _end(name: str, who: str) -> tuple[Param, ...]:
    return (
        Param(name, ParamType.CELL, f"the hex of {who}", required=False),
        Param(f"{name}_level", ParamType.INT, "levels above the ground of the hex", required=False),
        Param(f"{name}_vertex", ParamType.INT, VERTEX, required=False, minimum=0, maximum=5),
    )


_UNIT = Param("unit", ParamType.UNIT, "the unit")
_LEVEL = Param("level", ParamType.INT, "levels above the ground of the hex", required=False)
_FIRERS = Param("firers", ParamType.UNITS, "units that use their own firepower, and weapons")
_LEADERS = Param("leaders", ParamType.UNITS, "the leaders who direct", required=False)

QUERIES: Final = QueryTable(
    [
        QueryType(
            "quality",
            "What a unit is by nation and state, and what it would become",
            (_UNIT,),
            rules=("ASL-A15.1c", "ASL-A19.13a", "ASL-BH-1"),
        ),
        QueryType(
            "nation",
            "What a nation can do",
            (Param("nation", ParamType.TEXT, "the nation, as counters name it"),),
            rules=("ASL-NAT-GER", "ASL-NAT-RUS"),
        ),
        QueryType(
            "sight",
            "Whether one location sees another",
            (
                Param("unit", ParamType.UNIT, "the unit that looks", required=False),
                *_end("from", "the viewer"),
                Param("target", ParamType.UNIT, "the unit looked at", required=False),
                *_end("to", "what is looked at"),
            ),
            rules=("ASL-LOS-1b", "ASL-LOS-10"),
            by_sight=True,
        ),
        QueryType(
            "visible",
            "What a location sees",
            (
                Param("unit", ParamType.UNIT, "the unit that looks", required=False),
                *_end("from", "the viewer"),
                Param(
                    "level",
                    ParamType.INT,
                    "this level of every hex that has it, and the ground of the others",
                    required=False,
                ),
            ),
            rules=("ASL-LOS-1b",),
            by_sight=True,
        ),
        QueryType(
            "attack",
            "Firepower, column, modifiers and odds of an attack",
            (
                Param("target", ParamType.CELL, "the hex fired at"),
                _LEVEL,
                _FIRERS,
                _LEADERS,
            ),
            rules=("ASL-IFT-1",),
            by_sight=True,
        ),
        QueryType(
            "odds",
            "What becomes of each unit in the target, through the whole chain",
            (
                Param("target", ParamType.CELL, "the hex fired at"),
                _LEVEL,
                _FIRERS,
                _LEADERS,
            ),
            rules=("ASL-IFT-1", "ASL-IFT-2", "ASL-IFT-3", "ASL-IFT-4", "ASL-LLMC-1"),
            by_sight=True,
        ),
        QueryType(
            "firers",
            "What can fire at a location, with what odds",
            (
                Param("target", ParamType.CELL, "the hex fired at"),
                _LEVEL,
                Param("side", ParamType.SIDE, "who fires"),
            ),
            rules=("ASL-FIRE-1", "ASL-IFT-1"),
            by_sight=True,
        ),
        QueryType(
            "reach",
            "Where a stack can go, for how many movement factors, and what could fire at it there",
            (Param("units", ParamType.UNITS, "the stack"),),
            rules=("ASL-MOVE-4", "ASL-DF-1"),
        ),
        QueryType(
            "movement_factors",
            "The movement factors of a unit in a stack, item by item",
            (
                Param("units", ParamType.UNITS, "the stack"),
                Param("double_time", ParamType.INT, "0, 1 or 2", False, minimum=0, maximum=2),
                Param("road", ParamType.BOOL, "all by road", required=False),
            ),
            rules=("ASL-MOVE-4", "ASL-MOVE-7", "ASL-MOVE-8", "ASL-CX-6"),
        ),
        QueryType(
            "rout",
            "Where a broken unit may or must rout, with reasons",
            (_UNIT,),
            rules=("ASL-ROUT-3", "ASL-ROUT-4"),
            by_sight=True,
        ),
        QueryType(
            "stack",
            "Squad-equivalents and overstacking of a location",
            (
                Param("cell", ParamType.CELL, "the hex"),
                _LEVEL,
                Param("side", ParamType.SIDE, "whose"),
            ),
            rules=("ASL-A5.5", "ASL-STACK-4"),
        ),
        QueryType(
            "close_combat",
            "Ratio, kill number, modifiers and odds of an attack in close combat",
            (
                Param("attackers", ParamType.UNITS, "who attacks"),
                Param("targets", ParamType.UNITS, "who is attacked"),
                Param("capture", ParamType.BOOL, "to capture", required=False),
                Param("hand_to_hand", ParamType.BOOL, "hand-to-hand", required=False),
                Param("ambush", ParamType.SIDE, "who has laid an ambush", required=False),
                Param("leaving", ParamType.UNITS, "who of the targets withdraws", required=False),
                Param("staying", ParamType.INT, "how many of their friends stay", False, minimum=0),
            ),
            rules=("ASL-CC-2", "ASL-CC-3", "ASL-PRIS-3"),
        ),
        QueryType(
            "ambush",
            "Who may ambush whom in a location, and how likely",
            (Param("cell", ParamType.CELL, "the hex"), _LEVEL),
            rules=("ASL-AMB-1", "ASL-AMB-2"),
        ),
        QueryType(
            "concealment",
            "Who sees a unit, and how it could gain concealment",
            (_UNIT,),
            rules=("ASL-A12.122a", "ASL-A12.122c"),
            by_sight=True,
        ),
        QueryType(
            "prisoners",
            "Whom a side guards",
            (Param("side", ParamType.SIDE, "whose prisoners"),),
            rules=("ASL-A20.5c", "ASL-PRIS-2"),
        ),
        QueryType(
            "vehicle",
            "What a vehicle can do in close combat, and who mans it",
            (_UNIT,),
            rules=("ASL-CCAFV-1", "ASL-CAPT-4a", "ASL-CAPT-4b"),
        ),
        QueryType(
            "fire_table",
            "What the fire table says",
            (
                Param("firepower", ParamType.NUMBER, "firepower"),
                Param("total", ParamType.INT, "the final roll"),
            ),
            rules=("ASL-IFT-1",),
        ),
    ]
)  # fmt: skip
