"""The queries of the game."""

from __future__ import annotations

from hexmarshal.rules.action import Param, ParamType, QueryTable, QueryType

__all__ = ["QUERIES"]

UNIT = Param("unit", ParamType.UNIT, "the unit")
TARGET = Param("target", ParamType.UNIT, "the enemy unit")
WEAPON = Param("weapon", ParamType.TEXT, "which weapon, if there are several", required=False)


def _count(name: str, doc: str) -> Param:
    return Param(name, ParamType.INT, doc, required=False, minimum=0, maximum=10)


QUERIES = QueryTable(
    [
        QueryType(
            "sight",
            "Line of sight",
            (
                Param("from", ParamType.CELL, "from where"),
                Param("to", ParamType.CELL, "to where"),
                Param("infantry", ParamType.BOOL, "between two infantry units", required=False),
            ),
            "Clear, reduced or blocked, and by what.",
            ("HOS-2.73",),
        ),
        QueryType(
            "field_of_view",
            "Field of view",
            (UNIT,),
            "Every cell that a unit sees, and what reduces the line.",
            ("HOS-2.73",),
        ),
        QueryType(
            "arc",
            "Arc of fire",
            (UNIT, WEAPON),
            "The cells that a weapon can aim at.",
            ("HOS-2.82",),
        ),
        QueryType("range", "Range", (UNIT, TARGET), "", ("HOS-2.80",)),
        QueryType(
            "odds",
            "Odds of fire",
            (
                UNIT,
                TARGET,
                WEAPON,
                Param("suppression", ParamType.BOOL, "Suppression fire", required=False),
                Param("moving", ParamType.BOOL, "while moving", required=False),
                _count("ammo", "Ammo markers"),
                _count("bonus", "other bonuses, such as cards"),
            ),
            "The distribution of results, and the arithmetic.",
            ("HOS-2.87", "HOS-2.88"),
        ),
        QueryType(
            "assault_odds",
            "Odds of an assault",
            (
                UNIT,
                TARGET,
                _count("bonus", "bonuses of the attacker"),
                _count("defence", "of the defender"),
            ),
            "",
            ("HOS-5.51",),
        ),
        QueryType(
            "reach", "Reach", (UNIT,), "Where a unit can go in a Move Action.", ("HOS-2.30",)
        ),
        QueryType("zone", "Zone of control", (UNIT,), "", ("HOS-2.60",)),
        QueryType(
            "template",
            "Explosion",
            (
                Param("corner", ParamType.TEXT, "an intercell: 0304@SE"),
                Param("grenade", ParamType.BOOL, "the template of grenades", required=False),
            ),
            "The cells and units under the template.",
            ("HOS-5.26",),
        ),
        QueryType(
            "flame",
            "Flame",
            (
                UNIT,
                Param("direction", ParamType.FACING, "where it goes", minimum=0, maximum=7),
            ),
            "The cells and units that a flame reaches.",
            ("HOS-5.13",),
        ),
        QueryType(
            "orders",
            "Order tokens",
            (Param("of", ParamType.SIDE, "whose"),),
            "The stars, and the tokens that they give.",
            ("HOS-2.5",),
        ),
        QueryType(
            "order_options",
            "What an order could do",
            (UNIT,),
            "Where the unit could move, at whom it could fire, whom it could assault.",
            ("HOS-2.24",),
        ),
        QueryType("score", "Score", (), "", ("HOS-2.2",)),
        QueryType(
            "transport",
            "Load of a vehicle",
            (UNIT,),
            "Who is aboard, what each counts, what room is left.",
            ("HOS-5.90",),
        ),
    ]
)
