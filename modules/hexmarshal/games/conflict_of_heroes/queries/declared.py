"""The questions that the game answers."""

from __future__ import annotations

from hexmarshal.games.conflict_of_heroes.actions.words import (
    AIMED,
    MODE,
    SUPPORTERS,
    THROWN,
    UNIT,
    WEAPON,
    optional,
)
from hexmarshal.rules.action import Param, ParamType, QueryTable, QueryType

__all__ = ["QUERIES"]

FROM = Param("cell", ParamType.CELL, "seen from this hex")
HOW = optional("mode", ParamType.CHOICE, "how", choices=("normal", "cautious", "hidden"))
QUERIES = QueryTable(
    [
        QueryType(
            "sight",
            "What a line of sight crosses",
            (FROM, Param("target", ParamType.CELL, "to this hex")),
            "Every hex crossed, what blocks the line, the smoke on it.",
            ("COH-6.0a", "COH-6.0e"),
        ),
        QueryType("visible", "What a hex sees", (FROM,), "", ("COH-6.0a",)),
        QueryType("view", "The field of view of a hex, with the smoke on the way", (FROM,)),
        QueryType(
            "sight_picture",
            "A line of sight to look at",
            (FROM, Param("target", ParamType.CELL, "to this hex")),
            "An SVG: the line, each hex that it crosses, and why it is blocked or hindered.",
            ("COH-6.0a", "COH-6.0e"),
        ),
        QueryType(
            "view_picture",
            "A field of view to look at",
            (FROM,),
            "An SVG: what is seen, what lies in shadow, the smoke on the way.",
            ("COH-6.0a",),
        ),
        QueryType(
            "reach",
            "Where a unit can go in one action",
            (UNIT, HOW),
            "",
            ("COH-5.0a", "COH-14.0a"),
        ),
        QueryType(
            "path",
            "The cheapest way to a hex, action by action",
            (UNIT, Param("cell", ParamType.CELL, "the hex to reach"), HOW),
            "The hexes entered, the action points, the hexes whose obstacle adds a die.",
            ("COH-5.0a", "COH-14.0a"),
        ),
        QueryType(
            "odds",
            "What a shot or a close combat would do, target by target",
            (
                UNIT,
                optional("cell", ParamType.CELL, "the hex fired at"),
                optional("target", ParamType.UNIT, "the enemy in close combat"),
                MODE,
                optional("observer", ParamType.CELL, "the observer's hex"),
                SUPPORTERS,
                THROWN,
                WEAPON,
                AIMED,
                optional("cap", ParamType.INT, "CAP for each roll", minimum=0, maximum=2),
            ),
            "",
            ("COH-7.0b", "COH-7.2a", "COH-7.3a"),
        ),
        QueryType(
            "rally_odds",
            "The chance to rally",
            (UNIT, optional("cap", ParamType.INT, "CAP for the roll", minimum=0, maximum=2)),
            "",
            ("COH-7.6b", "COH-7.6.1a"),
        ),
        QueryType(
            "values",
            "A unit's values as its hit marker leaves them",
            (UNIT,),
            "",
            ("COH-7.5b",),
        ),
        QueryType(
            "hex", "What a hex is", (Param("cell", ParamType.CELL, "the hex"),), "", ("COH-4.0a",)
        ),
        QueryType("control", "Who holds the objectives", (), "", ("COH-2.5.2a",)),
        QueryType("score", "The victory points", (), "", ("COH-2.4a",)),
        QueryType(
            "doctrine",
            "What the solitaire doctrine has a unit do",
            (UNIT,),
            "",
            ("COH-20.2c", "COH-20.2f", "COH-20.2h"),
        ),
    ]
)
