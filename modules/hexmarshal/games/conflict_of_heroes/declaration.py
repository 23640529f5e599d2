"""What the plugin declares: sides, phases, actions, queries, counters, options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.actions import ACTIONS
from hexmarshal.games.conflict_of_heroes.frames import EXTRAS, FRAMES, KNOWLEDGE
from hexmarshal.games.conflict_of_heroes.queries.declared import QUERIES
from hexmarshal.games.conflict_of_heroes.state.options import OPTIONS
from hexmarshal.rules.action import Param, ParamType
from hexmarshal.rules.plugin import Game, Named, Phase, ScenarioTerms, UnitType
from hexmarshal.rules.values import EMPTY, FrozenMap, Record, freeze

if TYPE_CHECKING:
    from hexmarshal.games.conflict_of_heroes.state.board import Board
    from hexmarshal.games.conflict_of_heroes.state.tables import Counter, Tables
    from hexmarshal.kit.game import Boards

__all__ = ["KEY", "SIDES", "VERSION", "game"]

KEY = "conflict_of_heroes"
VERSION = "1"
# The players of a firefight for two; the others join in those for three or four.
SIDES = ("german", "soviet", "german2", "soviet2")


def game(tables: Tables, boards: Boards[Board]) -> Game:
    """The declaration."""
    gone: Record = FrozenMap({"gone": "destroyed-{side}"})
    hits = tuple(
        Named(h.key, h.title, values=gone if h.eliminated else EMPTY) for h in tables.hits.values()
    )
    works = tuple(Named(w.key, w.title) for w in tables.works.values())
    return Game(
        key=KEY,
        title="Conflict of Heroes",
        headings=(
            "north",
            "north-east",
            "south-east",
            "south",
            "south-west",
            "north-west",
        ),
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
            Named("exited", "Left the map", "off the map"),
            Named("cup", "The cup of the solitaire game"),
            *(Named(f"destroyed-{s}", f"Losses of {s}", "destroyed") for s in SIDES),
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
        # COH-3.0c: who is spent is active no more, whatever sign was left on the counter.
        overruled={"active": "spent"},
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
