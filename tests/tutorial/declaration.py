"""What the plugin declares: sides, phases, queries, options, and the table of actions."""

from __future__ import annotations

from hexmarshal.rules.action import (
    ActionTable,
    ActionType,
    Param,
    ParamType,
    QueryTable,
    QueryType,
)
from hexmarshal.rules.frames import FrameTable, FrameType, Silence
from hexmarshal.rules.plugin import Game, Named, Option, Phase, UnitType
from hexmarshal.rules.values import FrozenMap
from tutorial import combat, movement, turns
from tutorial.board import data
from tutorial.turns import SIDES

UNIT = Param("unit", ParamType.UNIT, "the unit that moves")
ATTACKERS = Param("attackers", ParamType.UNITS, "the units that attack together")
TARGET = Param("target", ParamType.UNIT, "the unit attacked")

ACTIONS = ActionTable(
    [
        ActionType(
            "move",
            "Movement",
            (UNIT, Param("path", ParamType.PATH, "the hexes entered, in order")),
            rules=("TUT-2", "TUT-4"),
            phases=("move",),
            check=movement.check,
            apply=movement.march,
        ),
        ActionType(
            "attack",
            "Attack",
            (ATTACKERS, TARGET),
            rules=("TUT-3",),
            phases=("combat",),
            states=("",),
            check=combat.check,
            apply=combat.fight,
        ),
        ActionType(
            "end_phase",
            "End of phase",
            rules=("TUT-1",),
            states=("",),
            apply=turns.next_phase,
        ),
        ActionType(
            "advance",
            "Advance after combat",
            (Param("unit", ParamType.UNIT, "the unit that takes the hex", required=False),),
            "Without a unit nobody advances.",
            rules=("TUT-7",),
            states=("advance",),
            check=combat.check_advance,
            apply=combat.advance,
        ),
    ]
)

FRAMES = FrameTable(
    [
        FrameType(
            "advance",
            "Advance after combat",
            (
                ATTACKERS,
                Param("cell", ParamType.CELL, "the hex that the target left empty"),
            ),
            rules=("TUT-7",),
            phases=("combat",),
            silence=Silence("advance"),
        ),
    ]
)

QUERIES = QueryTable(
    [
        QueryType("reach", "Where a unit can go", (UNIT,), rules=("TUT-2",)),
        QueryType("odds", "What an attack would do", (ATTACKERS, TARGET), rules=("TUT-3",)),
        QueryType("control", "Who holds the crossroads", rules=("TUT-5",)),
        QueryType("score", "Steps on the map", rules=("TUT-5",)),
    ]
)


def game() -> Game:
    return Game(
        key="tutorial",
        title="Crossroads",
        version=data()["version"],
        sides=tuple(Named(side, side.title()) for side in SIDES),
        phases=(
            Phase("move", "Move phase", SIDES, ("move", "end_phase")),
            Phase("combat", "Combat phase", SIDES, ("attack", "end_phase")),
        ),
        actions=ACTIONS,
        queries=QUERIES,
        unit_types=tuple(
            UnitType(
                key,
                value["title"],
                values=FrozenMap({"strength": value["strength"], "move": value["move"]}),
            )
            for key, value in data()["types"].items()
        ),
        terrain=tuple(Named(key, value["title"]) for key, value in data()["terrain"].items()),
        options=(
            Option(
                Param("deep_woods", ParamType.BOOL, "a wood shifts two columns instead of one"),
                default=False,
                rules=("TUT-3",),
            ),
            Option(
                Param("advance", ParamType.BOOL, "an attacker may take the hex that it cleared"),
                default=False,
                rules=("TUT-7",),
            ),
        ),
        frames=FRAMES,
        extras=(),
        lifetimes=turns.LIFETIMES,
        turn_rule="TUT-1",
        doc="Two sides meet at a crossroads.",
    )
