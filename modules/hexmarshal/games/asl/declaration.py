"""What the plugin declares: that it knows sight, and how a position tells what is on the board."""

from __future__ import annotations

from hexmarshal.rules.action import ActionTable, Param, ParamType, QueryTable, QueryType
from hexmarshal.rules.plugin import Game, Named, Option, Phase, UnitType

__all__ = ["DAY", "VERSION", "game"]

VERSION = "1"
DAY = -1
"""The night visibility range of a scenario by day."""

_SIDES = ("attacker", "defender")
_VERTEX = "a vertex of the hex, from 0 at the top left clockwise, instead of its centre"


def _end(name: str, who: str) -> tuple[Param, ...]:
    return (
        Param(name, ParamType.CELL, f"the hex of {who}", required=False),
        Param(f"{name}_level", ParamType.INT, "levels above the ground of the hex", required=False),
        Param(f"{name}_vertex", ParamType.INT, _VERTEX, required=False, minimum=0, maximum=5),
    )


QUERIES = QueryTable(
    [
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
        ),
    ]
)


def game() -> Game:
    """The game; its board is the name of a map, see `Atlas`."""
    return Game(
        key="asl",
        title="Advanced Squad Leader: lines of sight",
        version=VERSION,
        sides=tuple(Named(side, side.upper()) for side in _SIDES),
        phases=(Phase("look", "Looking", _SIDES, doc="Only sight is ruled."),),
        actions=ActionTable([]),
        queries=QUERIES,
        unit_types=(
            UnitType("personnel", "Infantry, guns and the like", arm="infantry"),
            UnitType("vehicle", "A vehicle", arm="armour", doc="It hinders lines: ASL-COV-02."),
        ),
        attributes=(
            Param("vertex", ParamType.INT, _VERTEX, False, minimum=0, maximum=5),
            Param("entrenched", ParamType.BOOL, "in a foxhole or trench", required=False),
            Param("crest", ParamType.BOOL, "at the edge of its depression", required=False),
            Param(
                "moving",
                ParamType.CHOICE,
                "what a moving vehicle runs on; at night it is seen from afar",
                required=False,
                choices=("wheels", "tracks"),
            ),
        ),
        markers=(
            Named("smoke", "SMOKE", "Values: hindrance [3], rises [2 levels, from its own]."),
            Named("wreck", "A wreck", "It hinders lines: ASL-COV-02."),
            Named("shelling", "Artillery fire", "Value: hindrance [1]; ASL-FFE-1."),
            Named("lit", "An illuminated hex", "Seen at night from any distance: ASL-NVR-2."),
            Named("gunflash", "A gunflash", "Seen at night from any distance: ASL-NVR-2."),
        ),
        options=(
            Option(Param("map", ParamType.TEXT, "boards, as bd01@A-P+bd02@flip/bd03"), default=""),
            Option(
                Param("weather", ParamType.INT, "hindrance of low visibility", minimum=0),
                default=0,
                rules=("ASL-LV-1",),
            ),
            Option(
                Param("night", ParamType.INT, "night visibility range, -1 by day", minimum=DAY),
                default=DAY,
                rules=("ASL-NVR-1",),
            ),
            Option(
                Param("mist", ParamType.INT, "1 in mist, 2 in heavy rain", minimum=0, maximum=2),
                default=0,
                rules=("ASL-LV-1",),
            ),
            Option(
                Param("fog", ParamType.INT, "hindrance of each level of fog", minimum=0),
                default=0,
                rules=("ASL-FOG-1",),
            ),
            Option(
                Param("fog_level", ParamType.INT, "the highest level of the fog"),
                default=0,
                rules=("ASL-FOG-1",),
            ),
            Option(
                Param("alpine", ParamType.BOOL, "hills rise and fall in every hex"),
                default=False,
                rules=("ASL-HILL-5",),
            ),
        ),
        doc="Who sees whom on VASL boards, and why. Nothing else of the game is ruled yet.",
    )
