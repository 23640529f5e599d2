"""What the plugin declares: sealed orders, what play waits for, and the table of actions."""

from __future__ import annotations

from hexmarshal.rules.action import (
    ActionTable,
    ActionType,
    Param,
    ParamType,
    QueryTable,
    QueryType,
    Seal,
)
from hexmarshal.rules.frames import FrameTable, FrameType, ItemType, Silence
from hexmarshal.rules.frames.standing import standing_order
from hexmarshal.rules.plugin import Game, Named, Option, Phase, UnitType
from tutorial2 import marching, orders
from tutorial2.board import SIDES, data

UNIT = Param("unit", ParamType.UNIT, "the unit")
PATH = Param("path", ParamType.PATH, "the squares entered, in order; none: no order")
CELLS = (
    Param("from", ParamType.CELL, "from where"),
    Param("to", ParamType.CELL, "to where"),
)

FRAMES = FrameTable(
    [
        FrameType("orders", "Both sides write orders", rules=("PIC-2",)),
        FrameType(
            "march",
            "Orders are carried out",
            rules=("PIC-3",),
            asks=False,
            agenda=(
                ItemType(
                    "step", "One step", (UNIT, Param("cell", ParamType.CELL, "where it goes"))
                ),
            ),
        ),
        FrameType(
            "reaction",
            "Does anybody fire?",
            (Param("target", ParamType.UNIT, "the unit that took a step"),),
            rules=("PIC-4",),
            silence=Silence("hold_fire"),
        ),
    ]
)

ACTIONS = ActionTable(
    [
        ActionType(
            "order",
            "Order",
            (UNIT, PATH),
            rules=("PIC-2",),
            states=("orders",),
            sealed=Seal.SILENT,
            check=orders.check,
            apply=orders.write,
        ),
        ActionType(
            "ready", "Ready", rules=("PIC-2", "PIC-3"), states=("orders",), apply=orders.ready
        ),
        ActionType(
            "fire",
            "Reaction fire",
            (UNIT,),
            rules=("PIC-4", "PIC-6"),
            states=("reaction",),
            check=marching.check_fire,
            apply=marching.fire,
        ),
        ActionType(
            "hold_fire",
            "Hold fire",
            rules=("PIC-4",),
            states=("reaction",),
            apply=marching.hold_fire,
        ),
        standing_order(FRAMES, "reaction", rules=("PIC-4",)),
    ]
)


def game() -> Game:
    return Game(
        key="picket",
        title="Night picket",
        version=data()["version"],
        sides=tuple(Named(side, side.title()) for side in SIDES),
        phases=(Phase("turn", "Turn", SIDES),),
        actions=ACTIONS,
        queries=QueryTable(
            [QueryType("sight", "Sight", CELLS, rules=("PIC-6",), by_sight=True)],
        ),
        unit_types=tuple(UnitType(key, value["title"]) for key, value in data()["types"].items()),
        options=(
            Option(
                Param("free_sight", ParamType.BOOL, "sight may be checked before one fires"),
                default=True,
                rules=("PIC-6",),
            ),
        ),
        frames=FRAMES,
        extras=(),
        knowledge=(
            Param(
                orders.ORDERS,
                ParamType.MAP,
                "the paths that the side has ordered, by unit",
                required=False,
                keys=ParamType.UNIT,
                items=PATH,
            ),
        ),
        turn_rule="PIC-1",
        free_sight="free_sight",
        doc="A patrol feels its way to a mill at night.",
    )
