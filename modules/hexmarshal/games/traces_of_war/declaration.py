"""What the plugin declares: sides, phases, units, boxes, queries, switches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.traces_of_war.actions import ACTIONS
from hexmarshal.games.traces_of_war.frames import FRAMES
from hexmarshal.games.traces_of_war.queries.declared import QUERIES
from hexmarshal.games.traces_of_war.state.kinds import AXIS, KINDS, SIDES, SOVIET
from hexmarshal.games.traces_of_war.state.options import OPTIONS
from hexmarshal.games.traces_of_war.state.situation import ISOLATED, OUT_OF_SUPPLY
from hexmarshal.rules.params import Param, ParamType
from hexmarshal.rules.plugin import Game, Named, Phase, ScenarioTerms, UnitType
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.games.traces_of_war.state.tables import Tables

__all__ = ["VERSION", "game"]

VERSION = "1"

PHASES = (
    Phase("setup", "Set-up", (AXIS,), ("deploy",)),
    Phase("luftwaffe", "Luftwaffe Reorganisation", SIDES, ("relocate",)),
    Phase(
        "opening",
        "Soviet opening (turn 1)",
        SIDES,
        ("activate_hq", "attack", "end_segment"),
        rule="TOW-12.1",
    ),
    Phase("selection", "Command Token Selection", SIDES, ("choose_tokens",)),
    Phase("action", "Action Phase", SIDES, ("draw", "throw_in", "move", "attack")),
    Phase("end", "End of Turn"),
)
BOXES = {
    "deploy": "Security divisions to be placed",
    "arrivals": "Soviet reinforcements",
    "reserve": "Axis reinforcements",
    "airborne": "Soviet paratroops",
    "displaced": "Headquarters that found no place",
    "eliminated": "Eliminated",
    "removed": "Replaced",
}
# What units are that are out of the game, in words.
OUT = {"eliminated": "eliminated", "removed": "replaced"}
ATTRIBUTES = (
    Param("name", ParamType.TEXT, "what is printed on it", required=False),
    Param(
        "nation",
        ParamType.CHOICE,
        "its nationality",
        required=False,
        choices=("soviet", "guards", "german", "romanian", "hungarian"),
    ),
    Param(
        "ladder",
        ParamType.LIST,
        "its steps as printed, full strength first",
        required=False,
        items=Param("step", ParamType.TEXT, "one of them"),
    ),
    Param("radius", ParamType.INT, "command radius", required=False, minimum=0),
    Param("token", ParamType.TEXT, "the command token that activates it", required=False),
    Param("arrival", ParamType.INT, "the draw with which it arrives", required=False, minimum=1),
    Param("replacement", ParamType.BOOL, "whether it replaces a unit", required=False),
    Param(
        "category",
        ParamType.CHOICE,
        "which Axis reinforcement it is",
        required=False,
        choices=("PR", "IR", "AR"),
    ),
    Param("ukrainian", ParamType.VALUE, "its side as a Ukrainian Front", required=False),
    Param("from", ParamType.TEXT, "the hex that it was driven from", required=False),
    Param("ours", ParamType.VALUE, "which of its values are inventions of ours", required=False),
)
# TOW-8.1d: no other token changes them.
FLAGS = (
    Named(
        OUT_OF_SUPPLY,
        "out of supply",
        "units without a line to a source when the Supply token is drawn",
        FrozenMap({"rule": "TOW-8.1d"}),
    ),
    Named(
        ISOLATED,
        "isolated",
        "units without a line at a second Supply token in a row",
        FrozenMap({"rule": "TOW-8.1d"}),
    ),
)
KNOWLEDGE = (
    Param(
        "chosen",
        ParamType.RECORD,
        "the tokens chosen for this turn",
        required=False,
        fields=(
            Param("tokens", ParamType.CARDS, "for the cup"),
            Param("hand", ParamType.CARDS, "kept in hand"),
        ),
    ),
)
EXTRAS = (
    Param(
        "victory", ParamType.CHOICE, "how it is won", required=False, choices=("race", "campaign")
    ),
    Param("turns", ParamType.INT, "the last turn", required=False, minimum=1),
    Param(
        "ended",
        ParamType.RECORD,
        "how the game ended",
        required=False,
        fields=(
            Param("winner", ParamType.SIDE, "who won"),
            Param("text", ParamType.TEXT, "why"),
            Param("rule", ParamType.TEXT, "by which rule"),
            Param("points", ParamType.NUMBER, "the Soviet victory points"),
        ),
    ),
)


def game(tables: Tables, boards: Iterable[str]) -> Game:
    """The declaration, with the terrain of the tables and the maps that there are."""
    return Game(
        key="traces_of_war",
        title="Traces of War",
        version=VERSION,
        sides=(
            Named(SOVIET, "Soviet", values=FrozenMap({"colour": "red"})),
            Named(AXIS, "Axis", values=FrozenMap({"colour": "grey"})),
        ),
        phases=PHASES,
        states=(Phase("draw", "The next token", (AXIS,), ("draw", "throw_in")),),
        actions=ACTIONS,
        queries=QUERIES,
        unit_types=tuple(
            UnitType(
                kind.key,
                kind.title,
                values=FrozenMap({"mechanized": kind.mechanized}),
                arm=kind.arm,
            )
            for kind in KINDS.values()
        ),
        attributes=ATTRIBUTES,
        flags=FLAGS,
        terrain=tuple(
            Named(key, str(row.get("title", key))) for key, row in tables.terrain["hexes"].items()
        ),
        markers=(
            Named("order", "Supreme Command order"),
            Named("bridgehead", "Airborne bridgehead"),
        ),
        boards=tuple(Named(key, key.title()) for key in boards),
        boxes=tuple(Named(key, title, OUT.get(key, "")) for key, title in BOXES.items()),
        tracks=tuple(
            Named(key, title)
            for key, title in (
                ("draws", "Soviet reinforcement draws so far"),
                ("bridgehead", "1 once the airborne bridgehead has been placed"),
                ("relocations-axis", "German headquarters relocated"),
                ("relocations-soviet", "Soviet headquarters relocated"),
            )
        ),
        options=OPTIONS,
        frames=FRAMES,
        extras=EXTRAS,
        knowledge=KNOWLEDGE,
        turn_rule="TOW-4.0",
        terms=ScenarioTerms(arrivals="arrivals", deployment="deploy", length="turns"),
        doc="Ukraine from August 1943 to March 1944: command tokens from one cup.",
    )
