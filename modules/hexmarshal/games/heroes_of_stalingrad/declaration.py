"""What the plugin declares: sides, phases, counters, boxes, queries, switches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.actions import ACTIONS
from hexmarshal.games.heroes_of_stalingrad.agenda import choice, count
from hexmarshal.games.heroes_of_stalingrad.frames import FRAMES
from hexmarshal.games.heroes_of_stalingrad.queries.declared import QUERIES
from hexmarshal.games.heroes_of_stalingrad.state.kinds import (
    ABSENT,
    ACTIVATED,
    AMBUSHED,
    ARMY,
    ARTILLERY,
    DAMAGE,
    DESTROYED,
    GERMAN,
    HEAVY,
    INFANTRY,
    INITIATIVE,
    MOVED,
    REPAIRED,
    RUSSIAN,
    SIDES,
    SPENT,
    WAITING,
)
from hexmarshal.games.heroes_of_stalingrad.state.options import OPTIONS
from hexmarshal.rules.params import Param, ParamType
from hexmarshal.rules.plugin import Game, MarkerType, Named, Phase, ScenarioTerms, UnitType
from hexmarshal.rules.state.lifetimes import Lifetime, Until
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.heroes_of_stalingrad.state.tables import Tables
    from hexmarshal.rules.values import Record

__all__ = ["VERSION", "game"]

VERSION = "1"

PHASES = (
    Phase("setup", "Set-up", SIDES, ("recruit_tile", "deploy", "scout")),
    Phase("order", "Order Phase", SIDES, ("order", "end_orders")),
    Phase("activation", "Activation Phase", SIDES, ("reveal", "move", "fire")),
    Phase("reserve", "Reserve Phase", SIDES, ("move", "end_reserve", "refill")),
)
BOXES = {
    WAITING: "Counters to be placed",
    DESTROYED: "Destroyed",
    ABSENT: "Not in this battle",
    SPENT: "Order tokens whose bearer is gone",
    ARTILLERY: "Order tokens for the artillery",
    ARMY: "Recruitment tiles and options, on a table",
}
# What units are that are out of the game, in words.
OUT = {DESTROYED: "destroyed", ABSENT: "not in this battle"}
FLAGS = {
    ACTIVATED: "Activated marker",
    MOVED: "Has moved in the Reserve Phase",
    REPAIRED: "Has repaired in this turn",
    "scouted": "Has scouted",
    DAMAGE["crew"]: "Crew damaged",
    DAMAGE["tracks"]: "Tracks damaged",
    DAMAGE["hull"]: "Hull damaged",
    DAMAGE["main"]: "Main weapon destroyed",
}
ATTRIBUTES = (
    Param("group", ParamType.TEXT, "its tile or option in the army", required=False),
    Param("suppressed", ParamType.INT, "Suppressed markers", required=False, minimum=0, maximum=99),
    Param(
        "counter",
        ParamType.VALUE,
        "a counter of the position's own, as a row of counters.yaml",
        required=False,
    ),
)
_TOKENS = (count("numbered", "with numbers"), count("bluff", "bluffs"))


def _by_side(name: str, doc: str, item: Param) -> Param:
    return Param(name, ParamType.MAP, doc, required=False, items=item, keys=ParamType.SIDE)


EXTRAS = (
    Param(
        "initiative",
        ParamType.SIDE,
        "who has the initiative, where no marker tells it",
        required=False,
    ),
    _by_side("army", "the armies, by side and id", Param("mine", ParamType.MAP, "by id")),
    Param(
        "objectives",
        ParamType.MAP,
        "objectives by name: cells and points",
        required=False,
        items=Param(
            "objective",
            ParamType.RECORD,
            "one of them",
            fields=(
                Param("cells", ParamType.CELLS, "where it is"),
                count("points", "what it is worth", required=True),
            ),
        ),
    ),
    _by_side("hand", "the hand size of each side", count("size", "how many cards")),
    Param("turns", ParamType.INT, "the last turn", required=False, minimum=1),
    Param(
        "victory",
        ParamType.RECORD,
        "how the scenario is won",
        required=False,
        fields=(Param("points", ParamType.INT, "with so many points", False, minimum=1),),
    ),
    _by_side("zones", "deployment zones by side", Param("zone", ParamType.CELLS, "the cells")),
    Param("budget", ParamType.INT, "army points of a free battle", required=False, minimum=0),
    Param(
        "tokens",
        ParamType.RECORD,
        "the tokens of this turn, by side",
        required=False,
        fields=(
            Param("turn", ParamType.INT, "the turn", required=False),
            *(
                Param(side, ParamType.RECORD, "what it has", required=False, fields=_TOKENS)
                for side in SIDES
            ),
        ),
    ),
    _by_side(
        "bonus",
        "the alternative bonus that a side has played",
        choice("sort", "for what", "fire", "assault", "movement", "any"),
    ),
    Param(
        "windows",
        ParamType.MAP,
        "windows that units may pass by a card",
        required=False,
        items=count("count", "how many"),
        keys=ParamType.UNIT,
    ),
    Param(
        "fury",
        ParamType.LIST,
        "the sides whose units have Assault +2",
        required=False,
        items=Param("side", ParamType.SIDE, "the side"),
    ),
    Param(
        "ended",
        ParamType.RECORD,
        "how the game ended",
        required=False,
        fields=(
            Param(
                "winners", ParamType.LIST, "who won", items=Param("side", ParamType.SIDE, "a side")
            ),
            Param("text", ParamType.TEXT, "why"),
            Param("rule", ParamType.TEXT, "by which rule"),
        ),
    ),
)
LIFETIMES = (
    Lifetime(Until.TURN, flags=frozenset((ACTIVATED, MOVED, REPAIRED)), rule="HOS-7.2"),
    Lifetime(Until.PHASE, extras=("fury", "bonus", "windows"), rule="HOS-6.5"),
)
MARKERS = (
    MarkerType(
        "order",
        "Order token",
        params=(
            Param("token", ParamType.TEXT, "1 to 10, special or bluff", required=False),
            Param("entry", ParamType.TEXT, "the artillery option it lies on", required=False),
        ),
    ),
    MarkerType(
        "tile",
        "Terrain tile",
        params=(
            Param("tile", ParamType.TEXT, "which tile"),
            Param(
                "across", ParamType.VALUE, "halves of a cell to the right and down", required=False
            ),
            Param("ruins", ParamType.VALUE, "the parts that are in ruins", required=False),
        ),
    ),
    MarkerType(
        "destruction",
        "Destruction points",
        params=(Param("points", ParamType.INT, "how many", minimum=0),),
    ),
)


def _types(tables: Tables) -> Iterator[UnitType]:
    arms = {INFANTRY: "infantry", HEAVY: "armour"}
    for key, counter in tables.counters.items():
        values: Record = FrozenMap({"family": counter.family, "border": counter.border})
        arm = arms.get(counter.family, "mechanised")
        yield UnitType(key, counter.title, counter.side, values, arm=arm)
    yield UnitType(AMBUSHED, "Unit in ambush", arm="infantry")
    yield UnitType("counter", "A counter of the position's own")


def game(tables: Tables, boards: Iterable[str]) -> Game:
    """The declaration, with the counters of the data and the boards that there are."""
    return Game(
        key="heroes_of_stalingrad",
        title="Heroes of Stalingrad",
        headings=(
            "north",
            "north-east",
            "east",
            "south-east",
            "south",
            "south-west",
            "west",
            "north-west",
        ),
        version=VERSION,
        sides=(
            Named(RUSSIAN, "Russian", values=FrozenMap({"colour": "red"})),
            Named(GERMAN, "German", values=FrozenMap({"colour": "grey"})),
        ),
        phases=PHASES,
        states=(
            Phase("reveal", "The next token", SIDES, ("reveal",)),
            Phase("closing", "All numbers are out", SIDES, ("pass_orders",)),
        ),
        actions=ACTIONS,
        queries=QUERIES,
        unit_types=tuple(_types(tables)),
        attributes=ATTRIBUTES,
        flags=tuple(Named(key, title) for key, title in FLAGS.items()),
        terrain=tuple(Named(key, kind.title) for key, kind in tables.kinds.items()),
        markers=MARKERS,
        boards=tuple(Named(key, key.replace("_", " ").title()) for key in boards),
        boxes=tuple(Named(key, title, OUT.get(key, "")) for key, title in BOXES.items()),
        tracks=(
            Named(INITIATIVE, "The initiative marker: 1 Russian, 2 German"),
            *(
                Named(f"{key}-{side}", f"{title}, {side}")
                for key, title in (("score", "Victory points"), ("special", "Special order tokens"))
                for side in SIDES
            ),
        ),
        options=OPTIONS,
        frames=FRAMES,
        extras=EXTRAS,
        knowledge=(),
        lifetimes=LIFETIMES,
        turn_rule="HOS-2.1",
        timing_rules=frozenset(("HOS-2.20", "HOS-2.24", "HOS-2.100", "HOS-2.101")),
        unmasked=frozenset((ACTIVATED, "suppressed", "facing")),
        terms=ScenarioTerms(deployment=WAITING, length="turns"),
        doc="Stalingrad, squad by squad: hidden orders, cards and heroes.",
    )
