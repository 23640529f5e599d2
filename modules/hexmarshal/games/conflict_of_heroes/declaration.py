"""What the plugin declares: sides, phases, actions, queries, counters, options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.actions import ACTIONS
from hexmarshal.games.conflict_of_heroes.actions.words import (
    AIMED,
    MODE,
    SUPPORTERS,
    THROWN,
    UNIT,
    WEAPON,
    optional,
)
from hexmarshal.games.conflict_of_heroes.frames import EXTRAS, FRAMES, KNOWLEDGE
from hexmarshal.kit.options import choice, number, switch
from hexmarshal.rules.action import Param, ParamType, QueryTable, QueryType
from hexmarshal.rules.plugin import Game, Named, Option, Phase, ScenarioTerms, UnitType
from hexmarshal.rules.values import FrozenMap, freeze

if TYPE_CHECKING:
    from hexmarshal.games.conflict_of_heroes.state.board import Board
    from hexmarshal.games.conflict_of_heroes.state.tables import Counter, Tables
    from hexmarshal.kit.game import Boards

__all__ = ["ACTIONS", "KEY", "QUERIES", "SIDES", "VERSION", "game"]

KEY = "conflict_of_heroes"
VERSION = "1"
# The players of a firefight for two; the others join in those for three or four.
SIDES = ("german", "soviet", "german2", "soviet2")

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


OPTIONS = (
    switch("variable_ap", "3D6 for an activation: highest and lowest", "COH-3.0.1a"),
    switch("fog_of_war", "action points are rolled in secret and counted up", "COH-3.0.1b"),
    switch("cautious_movement", "who moves without caution is easier to hit", "COH-5.0.3a"),
    Option(
        Param("balance", ParamType.VALUE, "more starting CAP by side, 1 or 2"),
        default=FrozenMap(),
        rules=("COH-3.2.5a",),
    ),
    choice("solo", ("", "german", "soviet"), "the side that the doctrine plays", "COH-20.2a"),
    number("players", "2: forces of one side are joined", "COH-20.1a", default=4, least=2, most=4),
    choice(
        "order",
        ("alternate", "together"),
        "of three or four players: turn about, or side by side",
        "COH-20.0a",
    ),
    switch(
        "free_cards",
        "cards 30, 40 and 41 are no action of the unit: the stunned may, and no mines notice",
        "COH-C30",
        "COH-C40",
        "COH-C41",
    ),
    switch("armed_clearing", "mines attack who clears them with card 41", "COH-18.3.3a"),
    switch("own_works", "friends inside do not save a fort from close combat", "COH-18.4d"),
    switch("smoke_at_home", "guns and mortars lay smoke on their own hex too", "COH-13.1a"),
)


def game(tables: Tables, boards: Boards[Board]) -> Game:
    """The declaration."""
    hits = tuple(Named(h.key, h.title) for h in tables.hits.values())
    works = tuple(Named(w.key, w.title) for w in tables.works.values())
    return Game(
        key=KEY,
        title="Conflict of Heroes",
        version=VERSION,
        sides=(
            Named("german", "German", values=FrozenMap({"colour": "grey"})),
            Named("soviet", "Soviet", values=FrozenMap({"colour": "red"})),
            Named("german2", "Second German force", values=FrozenMap({"colour": "black"})),
            Named("soviet2", "Second Soviet force", values=FrozenMap({"colour": "brown"})),
        ),
        phases=(
            Phase("prep", "Preparation", SIDES),
            Phase("play", "Actions", SIDES),
        ),
        actions=ACTIONS,
        queries=QUERIES,
        unit_types=tuple(
            UnitType(
                c.key,
                c.title,
                c.side,
                FrozenMap({k: freeze(v) for k, v in _printed(c).items()}),
                arm=ARMS.get(c.kind, ""),
            )
            for c in tables.counters.values()
        ),
        attributes=(
            Param("fort", ParamType.MARKER, "the trench or bunker that it occupies"),
            Param("weapon", ParamType.TEXT, "the weapon card given to it"),
            Param("arrives", ParamType.INT, "the turn from which it may enter"),
            Param("entry", ParamType.CELLS, "the hexes by which it enters"),
            Param("stuck_in", ParamType.TEXT, "the terrain that holds it"),
            Param("decoy", ParamType.BOOL, "a decoy of the solitaire game"),
        ),
        terrain=tuple(Named(k.key, k.title) for k in tables.terrain.values()),
        states=(Phase("start", "The turn is prepared"),),
        markers=(
            *hits,
            *works,
            Named("hit", "Hit (face down)"),
            Named("smoke", "Smoke"),
            Named("barrage", "Plotted barrage"),
            Named("coin", "Candidate hex of the solitaire game"),
        ),
        boards=tuple(Named(key, boards[key].title) for key in boards.keys),
        boxes=(
            Named("reinforcements", "Reinforcements"),
            Named("exited", "Left the map"),
            Named("cup", "The cup of the solitaire game"),
            *(Named(f"destroyed-{s}", f"Losses of {s}") for s in SIDES),
        ),
        tracks=tuple(
            Named(f"{name}-{side}", f"{title} of {side}")
            for side in SIDES
            for name, title in (
                ("ap", "Action points"),
                ("cap", "Command points"),
                ("cap-start", "Starting command points"),
                ("losses", "Units lost"),
                ("vp", "Victory points"),
            )
        ),
        options=OPTIONS,
        frames=FRAMES,
        extras=EXTRAS,
        knowledge=KNOWLEDGE,
        turn_rule="COH-2.2a",
        terms=ScenarioTerms(
            arrivals="reinforcements",
            arrival_turn="arrives",
            arrival_entry="entry",
            objectives=("vp",),
            length="turns",
        ),
        doc="Firefights of squads and vehicles on the Eastern Front, 1941.",
    )


# What plain pictures show a kind of counter as.
ARMS = {
    **dict.fromkeys(("squad", "mg", "engineers", "at_team"), "infantry"),
    **dict.fromkeys(("gun", "mortar"), "artillery"),
    **dict.fromkeys(("tank", "spg"), "armour"),
    **dict.fromkeys(("apc", "car"), "mechanised"),
    **dict.fromkeys(("truck", "wagon"), "supply"),
}
PRINTED = (
    *("kind", "move_class", "fire", "indirect", "move", "bonus", "red", "blue", "range"),
    *("min_range", "front", "flank", "armour", "turret", "open_top", "he", "vp"),
)


def _printed(counter: Counter) -> dict[str, object]:
    values = {name: getattr(counter, name) for name in PRINTED}
    return {name: value for name, value in values.items() if value is not None}
