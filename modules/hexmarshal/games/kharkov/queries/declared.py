"""The questions that the game answers."""

from __future__ import annotations

from hexmarshal.games.kharkov.actions.words import CELL, UNIT, UNITS, flag
from hexmarshal.rules.action import Param, ParamType, QueryTable, QueryType

__all__ = ["QUERIES"]

_ATTACK = (
    Param("attackers", ParamType.UNITS, "the attacking units"),
    Param("targets", ParamType.CELLS, "the hexes attacked"),
    flag("air", "the attacker spends an air point"),
    flag("defender_air", "the defender spends one"),
)
QUERIES = QueryTable(
    [
        QueryType("reach", "Hexes that units can move to", (UNITS,), rules=("KHA-6.11",)),
        QueryType("path", "A cheapest path", (UNITS, CELL), rules=("KHA-6.3",)),
        QueryType("odds", "Column, shifts and chances of an attack", _ATTACK, rules=("KHA-9.4",)),
        QueryType(
            "overrun_odds",
            "The same for an overrun",
            (
                UNITS,
                Param("target", ParamType.CELL, "the hex overrun"),
                Param("hq", ParamType.UNIT, "the Soviet headquarters", required=False),
            ),
            rules=("KHA-7.0-P",),
        ),
        QueryType("supply", "Whether a unit is supplied, and how", (UNIT,), rules=("KHA-11.1",)),
        QueryType(
            "retreats",
            "Where a unit could retreat to",
            (UNIT, Param("hexes", ParamType.INT, "how far", minimum=1, maximum=2)),
            rules=("KHA-9.61", "KHA-9.64"),
        ),
        QueryType(
            "zoc",
            "Zones of control",
            (Param("side", ParamType.SIDE, "whose"),),
            rules=("KHA-8.0-G",),
        ),
        QueryType("control", "Who controls the cities", rules=("KHA-17.1",)),
        QueryType("score", "Victory points if the game ended now", rules=("KHA-17.0",)),
        QueryType(
            "strength",
            "What a unit prints now, and its points left",
            (UNIT,),
            rules=("KHA-3.23", "KHA-9.51"),
        ),
    ]
)
