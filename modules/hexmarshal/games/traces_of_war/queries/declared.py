"""The questions that the game answers."""

from __future__ import annotations

from hexmarshal.games.traces_of_war.actions.words import UNIT
from hexmarshal.rules.action import QueryTable, QueryType
from hexmarshal.rules.params import Param, ParamType

__all__ = ["QUERIES"]

SIDE = Param("side", ParamType.SIDE, "whose")


def _markers(kind: str) -> Param:
    doc = f"how many {kind} air markers help"
    return Param(kind, ParamType.INT, doc, required=False, minimum=0, maximum=4)


QUERIES = QueryTable(
    [
        QueryType(
            "odds",
            "Column, shifts and chances of an attack",
            (
                Param("target", ParamType.CELL, "the hex attacked"),
                Param("attackers", ParamType.UNITS, "the attacking units"),
                _markers("offensive"),
                _markers("defensive"),
            ),
            rules=("TOW-10.2c", "TOW-10.3a"),
        ),
        QueryType(
            "portion",
            "A half or a quarter of a strength",
            (
                Param("value", ParamType.INT, "the strength", minimum=0, maximum=999),
                Param("divide_by", ParamType.INT, "2 or 4", minimum=2, maximum=4),
            ),
            rules=("TOW-1.3a",),
        ),
        QueryType(
            "supply", "Whether a unit can trace supply, and how", (UNIT,), rules=("TOW-8.1b",)
        ),
        QueryType("command", "Whom a headquarters activates", (UNIT,), rules=("TOW-2.3i",)),
        QueryType(
            "reach",
            "Hexes that a unit can move to",
            (UNIT, Param("strategic", ParamType.BOOL, "by strategic movement", required=False)),
            rules=("TOW-9.1a", "TOW-9.2a"),
        ),
        QueryType(
            "retreats",
            "Where a unit may retreat to, and why not elsewhere",
            (UNIT, Param("hexes", ParamType.INT, "how far", minimum=1, maximum=2)),
            rules=("TOW-10.4b", "TOW-10.4d"),
        ),
        QueryType(
            "relocations", "Where a headquarters may relocate to", (UNIT,), rules=("TOW-2.3e",)
        ),
        QueryType("stations", "Railway hexes for reinforcements", (SIDE,), rules=("TOW-11.0a",)),
        QueryType("zoc", "Zones of control", (SIDE,), rules=("TOW-6.0a",)),
        QueryType(
            "control", "Who controls cities and crossing points", rules=("TOW-8.1c", "TOW-12.3a")
        ),
        QueryType(
            "tables",
            "What the number of crossing points and the turn give",
            rules=("TOW-2.1c", "TOW-4.2.1f"),
        ),
        QueryType(
            "score", "Victory points if the game were judged now", rules=("TOW-13.2b", "TOW-13.3b")
        ),
        QueryType(
            "bid",
            "Who plays the Soviets after a bid, and what they need",
            (
                Param("first", ParamType.INT, "the first player's bid", minimum=0),
                Param("second", ParamType.INT, "the second player's bid", minimum=0),
            ),
            rules=("TOW-14.1",),
        ),
    ]
)
