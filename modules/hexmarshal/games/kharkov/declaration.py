"""What the plugin declares: types of counters, boxes, tracks, and its actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.actions import ACTIONS
from hexmarshal.games.kharkov.frames import EXTRAS, FRAMES
from hexmarshal.games.kharkov.queries.declared import QUERIES
from hexmarshal.games.kharkov.rules.turn.sequence import LIFETIMES, PHASES
from hexmarshal.games.kharkov.state.options import OPTIONS
from hexmarshal.games.kharkov.state.roster import BOXES, OUT
from hexmarshal.games.kharkov.state.situation import AXIS, SOVIET
from hexmarshal.rules.action import Param, ParamType
from hexmarshal.rules.plugin import Game, Named, ScenarioTerms, UnitType
from hexmarshal.rules.values import FrozenMap, Value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.games.kharkov.state.board import Board
    from hexmarshal.games.kharkov.state.tables import Tables, UnitKind

__all__ = ["VERSION", "game"]

VERSION = "1"

ATTRIBUTES = (
    Param("name", ParamType.TEXT, "its designation", required=False),
    Param("division", ParamType.TEXT, "the mechanised division that it belongs to", required=False),
    Param("army", ParamType.TEXT, "the army of a headquarters or of a reserve", required=False),
    Param(
        "ladder",
        ParamType.LIST,
        "its steps as printed, full strength first",
        required=False,
        items=Param("step", ParamType.TEXT, "one of them"),
        said={"": "its untried side up", "*": "the strength {}"},
    ),
    Param("move", ParamType.INT, "movement allowance", required=False, minimum=0),
    Param(
        "inactive_move",
        ParamType.INT,
        "that of an inactive headquarters",
        required=False,
        minimum=0,
    ),
    Param("radius", ParamType.INT, "command radius", required=False, minimum=0),
    Param("turn", ParamType.INT, "the turn of its arrival", required=False),
    Param(
        "entry",
        ParamType.CHOICE,
        "where it arrives",
        required=False,
        choices=("south_edge", "north_edge", "east_edge"),
    ),
    Param("began", ParamType.CELL, "where it began the phase, once it has moved", required=False),
    Param("command", ParamType.UNITS, "who commanded it when the phase began", required=False),
    Param("group", ParamType.TEXT, "its line of the set-up, while that lasts", required=False),
)


def _sign(key: str, title: str, doc: str, rule: str, ends: str) -> Named:
    """What players mark a unit with: by which rule it gets that, and by which it loses it."""
    return Named(key, title, doc, FrozenMap({"rule": rule, "ends": ends}))


_SPENT = "a side spends one on a combat, and no more"

FLAGS = (
    _sign(
        "disrupted",
        "disrupted",
        "defenders that lost steps or fell back before an overrun",
        "KHA-7.31",
        "KHA-7.33",
    ),
    _sign(
        "strongpoint",
        "in a strongpoint",
        "regiments that dug in instead of moving",
        "KHA-15.21",
        "KHA-15.23",
    ),
    # Which side of a headquarters is up follows from its turn (KHA-10.31).
    Named("inactive", "inactive", values=FrozenMap({"aid": True})),
    *(
        Named(key, title)
        for key, title in (
            ("displaced", "displaced"),
            ("empty", "without units in reserve"),
            ("unsupplied", "out of supply"),
            ("moved", "done with its movement"),
            ("stopped", "stopped by an enemy zone of control"),
            ("fought", "done with its attack"),
            ("attacked", "attacked in this phase"),
            ("fled", "driven back in this phase"),
            ("advanced", "advanced in this phase"),
            ("overran", "done with its overrun"),
            ("arrived", "arrived in this turn"),
            ("activated", "in its turn of activation"),
            ("southern", "of the southern sector at the start"),
        )
    ),
)


def _type(kind: UnitKind) -> UnitType:
    values: dict[str, Value] = {"moves": kind.moves}
    if kind.ladder:
        values["ladder"] = kind.ladder
    if kind.size:
        values["size"] = kind.size
    if kind.armour:
        values["armour"] = True
    return UnitType(kind.key, kind.title, kind.side, FrozenMap(values), arm=kind.arm)


def game(tables: Tables, boards: Iterable[Board | str]) -> Game:
    """The declaration, with the types that the tables list and the maps that there are."""
    return Game(
        key="kharkov",
        title="Kharkov",
        version=VERSION,
        sides=(
            Named(SOVIET, "Soviet", values=FrozenMap({"colour": "red"})),
            Named(AXIS, "Axis", values=FrozenMap({"colour": "grey"})),
        ),
        phases=PHASES,
        actions=ACTIONS,
        queries=QUERIES,
        unit_types=tuple(_type(kind) for kind in tables.kinds.values()),
        attributes=ATTRIBUTES,
        flags=FLAGS,
        terrain=tuple(Named(key, key.title()) for key in tables.terrain["hexes"]),
        markers=(Named("air_supply", "Air supply"),),
        boards=tuple(Named(str(b), str(b).title()) for b in boards),
        boxes=tuple(Named(key, title, OUT.get(key, "")) for key, title in BOXES.items()),
        tracks=(
            *(
                Named(key, title, _SPENT, FrozenMap({"rule": "KHA-13.13"}))
                for key, title in (
                    ("air-axis", "Axis air points left"),
                    ("air-soviet", "Soviet air points left"),
                )
            ),
            *(
                Named(key, title)
                for key, title in (
                    ("vp-soviet", "Soviet victory points noted"),
                    ("vp-kharkov", "of these, for turns with Kharkov isolated or held"),
                    ("vp-front", "of these, for turns with a broken front"),
                    ("vp-axis", "Axis victory points noted"),
                    ("rail-used", "Units that have ridden this phase"),
                    ("regiments-lost", "German infantry regiments destroyed"),
                    ("committed", "Reserve units committed"),
                )
            ),
        ),
        options=OPTIONS,
        frames=FRAMES,
        lifetimes=LIFETIMES,
        extras=EXTRAS,
        turn_rule="KHA-4.1",
        result_rules={
            "De": "KHA-9.55",
            "Ae": "KHA-9.55",
            "D": "KHA-9.56",
            "A": "KHA-9.58",
            "Eng": "KHA-9.59",
        },
        formations=("division",),
        terms=ScenarioTerms(
            arrivals="arrivals",
            arrival_turn="turn",
            arrival_entry="entry",
            deployment="deploy",
        ),
        doc="The Soviet spring offensive of May 1942, and the German counterstroke.",
    )
