"""What the plugin declares: sides, phases, queries, options, and the table of actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.rules.action import (
    ActionTable,
    ActionType,
    Param,
    ParamType,
    QueryTable,
    QueryType,
)
from hexmarshal.rules.plugin import Game, Named, Phase, UnitType
from hexmarshal.rules.values import FrozenMap
from mygame.rules import combat, movement, sequence
from mygame.rules.sequence import SIDES

if TYPE_CHECKING:
    from mygame.state.tables import Tables

__all__ = ["game"]

KEY, TITLE, VERSION = "mygame", "My Game", "1"
UNIT = Param("unit", ParamType.UNIT, "the unit that moves")
ATTACKERS = Param("attackers", ParamType.UNITS, "the units that attack together")
TARGET = Param("target", ParamType.UNIT, "the unit attacked")

ACTIONS = ActionTable(
    [
        ActionType(
            "move",
            "Movement",
            (UNIT, Param("path", ParamType.PATH, "the hexes entered, in order")),
            rules=("MG-2",),
            phases=("movement",),
            check=movement.check,
            apply=movement.move_along,
        ),
        ActionType(
            "attack",
            "Attack",
            (ATTACKERS, TARGET),
            rules=("MG-3",),
            phases=("combat",),
            check=combat.check,
            apply=combat.fight,
        ),
        ActionType("end_phase", "End of phase", rules=("MG-1",), apply=sequence.end_phase),
    ]
)
QUERIES = QueryTable(
    [
        QueryType("reach", "Where a unit can go", (UNIT,), rules=("MG-2",)),
        QueryType("odds", "What an attack would do", (ATTACKERS, TARGET), rules=("MG-3",)),
        QueryType("score", "Steps left, and who holds the village", rules=("MG-4",)),
    ]
)


def game(tables: Tables) -> Game:
    """The declaration, with the types of units and terrain that the data has."""
    return Game(
        key=KEY,
        title=TITLE,
        version=VERSION,
        sides=tuple(
            Named(side, side.title(), values=FrozenMap({"colour": side})) for side in SIDES
        ),
        phases=(
            Phase("movement", "Movement", SIDES, ("move", "end_phase")),
            Phase("combat", "Combat", SIDES, ("attack", "end_phase")),
        ),
        actions=ACTIONS,
        queries=QUERIES,
        unit_types=tuple(
            UnitType(
                key,
                row["title"],
                values=FrozenMap({"strength": row["strength"], "move": row["move"]}),
                arm=row["arm"],
            )
            for key, row in tables.types.items()
        ),
        terrain=tuple(Named(key, row["title"]) for key, row in tables.numbers["terrain"].items()),
        boxes=(Named("eliminated", "Eliminated units"),),
        turn_rule="MG-1",
        doc="Two sides meet at a village.",
    )
