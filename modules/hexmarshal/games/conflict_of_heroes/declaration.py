"""What the plugin declares: sides, phases, actions, queries, counters, options."""

from __future__ import annotations

from functools import cache

from hexmarshal.games.conflict_of_heroes import source
from hexmarshal.games.conflict_of_heroes.board import board, board_keys
from hexmarshal.games.conflict_of_heroes.payment import WAYS
from hexmarshal.rules.action import (
    ActionTable,
    ActionType,
    Param,
    ParamType,
    QueryTable,
    QueryType,
)
from hexmarshal.rules.plugin import Game, Named, Option, Phase, UnitType
from hexmarshal.rules.values import FrozenMap, freeze

__all__ = ["ACTIONS", "KEY", "QUERIES", "SIDES", "VERSION", "game"]

KEY = "conflict_of_heroes"
VERSION = "1"
# The players of a firefight for two; the others join in those for three or four.
SIDES = ("german", "soviet", "german2", "soviet2")

PLAY = ("play",)
PREP = ("prep",)
OWN_GO = ("",)


def _optional(name: str, type: ParamType, doc: str, **more: object) -> Param:
    return Param(name, type, doc, required=False, **more)  # type: ignore[arg-type]


UNIT = Param("unit", ParamType.UNIT, "the unit that acts")
UNITS = Param("units", ParamType.UNITS, "the units that act")
BY = _optional("by", ParamType.CHOICE, "how it is paid for; `ap` if not given", choices=WAYS)
CARD = _optional("card", ParamType.CARD, "the card it is played with")
TOP_UP = _optional("top_up", ParamType.INT, "CAP that complete the AP", minimum=0)
PAY_CARD = _optional(
    "pay_card", ParamType.CHOICE, "what a card's cost is paid with", choices=("ap", "cap")
)
PAYING = (BY, CARD, TOP_UP, PAY_CARD)
CAP = _optional("cap", ParamType.VALUE, "CAP for the roll, or by target for each roll")
LUCK = _optional("luck", ParamType.BOOL, "play card 12 where it makes the difference")
FACING = _optional("facing", ParamType.FACING, "the facing afterwards: 0 is up, clockwise to 5")
SUPPORTERS = _optional("supporters", ParamType.UNITS, "the units that support the fire leader")
THROWN = _optional("thrown", ParamType.UNITS, "supporters who use their weapon cards")
WEAPON = _optional("weapon", ParamType.BOOL, "use the weapon card given to the unit")
AIMED = _optional("aimed", ParamType.BOOL, "play card 09 with it")
MODE = _optional(
    "mode",
    ParamType.CHOICE,
    "how it fires; `direct` if not given",
    choices=("direct", "indirect", "flame", "smoke"),
)
OCCUPY = _optional("occupy", ParamType.BOOL, "go into the trench or bunker there")

ACTIONS = ActionTable(
    [
        ActionType(
            "begin_turn", "Prepare the turn", rules=("COH-2.0a",), phases=PREP, states=("start",)
        ),
        ActionType(
            "plot",
            "Plot artillery",
            (
                _optional("card", ParamType.CARD, "the battery; none: no plot this turn"),
                _optional("cell", ParamType.CELL, "the target"),
                _optional("smoke", ParamType.BOOL, "smoke shells"),
            ),
            rules=("COH-12.3a",),
            phases=PREP,
            states=("plot",),
        ),
        ActionType(
            "barrage",
            "Resolve artillery",
            (CAP, LUCK),
            rules=("COH-12.3b",),
            phases=PREP,
            states=("barrage",),
        ),
        ActionType(
            "bid",
            "Bid for the initiative",
            (Param("cap", ParamType.INT, "CAP added to the roll", minimum=0),),
            rules=("COH-3.2.4a",),
            phases=PREP,
            states=("bid",),
        ),
        ActionType(
            "activate",
            "Activate a unit",
            (UNIT, _optional("cap", ParamType.INT, "CAP for the roll of action points", minimum=0)),
            "No action by itself: the side goes on.",
            ("COH-3.0a", "COH-3.0d"),
            PLAY,
            OWN_GO,
        ),
        ActionType("finish", "End the activation", (), "No action.", ("COH-3.0c",), PLAY, OWN_GO),
        ActionType(
            "move",
            "Move",
            (
                UNIT,
                Param("path", ParamType.PATH, "the hexes entered, in order"),
                FACING,
                _optional(
                    "mode",
                    ParamType.CHOICE,
                    "how it moves; `normal` if not given",
                    choices=("normal", "cautious", "hidden"),
                ),
                OCCUPY,
                CAP,
                LUCK,
                *PAYING,
            ),
            "One hex; vehicles more where they have free hexes.",
            ("COH-5.0a", "COH-14.0a"),
            PLAY,
            OWN_GO,
        ),
        ActionType(
            "pivot",
            "Pivot",
            (UNIT, Param("facing", ParamType.FACING, "the new facing"), *PAYING),
            rules=("COH-5.3a",),
            phases=PLAY,
            states=OWN_GO,
        ),
        ActionType(
            "group_move",
            "Group move",
            (
                Param("moves", ParamType.VALUE, "a list of {unit, path, facing, mode, occupy}"),
                CAP,
                LUCK,
                *PAYING,
            ),
            rules=("COH-9.1.1a",),
            phases=PLAY,
            states=OWN_GO,
        ),
        ActionType(
            "fire",
            "Fire",
            (
                UNIT,
                Param("cell", ParamType.CELL, "the hex fired at"),
                MODE,
                _optional("observer", ParamType.CELL, "the observer's hex of indirect fire"),
                SUPPORTERS,
                THROWN,
                WEAPON,
                AIMED,
                FACING,
                CAP,
                LUCK,
                *PAYING,
            ),
            "At every unit in the hex; the leader names its supporters.",
            ("COH-7.0a", "COH-9.1.2a"),
            PLAY,
            OWN_GO,
        ),
        ActionType(
            "close_combat",
            "Close combat",
            (
                UNIT,
                _optional("target", ParamType.UNIT, "the enemy in the same hex"),
                _optional("work", ParamType.MARKER, "or the fortification or obstacle"),
                MODE,
                SUPPORTERS,
                THROWN,
                WEAPON,
                AIMED,
                CAP,
                LUCK,
                *PAYING,
            ),
            rules=("COH-7.7.3a",),
            phases=PLAY,
            states=OWN_GO,
        ),
        ActionType(
            "rally",
            "Rally",
            (UNITS, CAP, LUCK, *PAYING),
            rules=("COH-7.6a", "COH-9.1.3a"),
            phases=PLAY,
            states=OWN_GO,
        ),
        ActionType(
            "dig_in",
            "Build hasty defences",
            (UNITS, *PAYING),
            rules=("COH-18.1.3a",),
            phases=PLAY,
            states=OWN_GO,
        ),
        ActionType(
            "hide",
            "Go into hiding",
            (UNITS, Param("cells", ParamType.CELLS, "a hex for each unit"), *PAYING),
            rules=("COH-10.2a",),
            phases=PLAY,
            states=OWN_GO,
        ),
        ActionType(
            "shift",
            "Enter or leave a fortification",
            (UNIT, FACING, *PAYING),
            "Within the hex: in if the unit is out, out if it is in.",
            ("COH-18.2a",),
            PLAY,
            OWN_GO,
        ),
        ActionType(
            "load",
            "Load or hitch",
            (Param("vehicle", ParamType.UNIT, "who carries or tows"), UNITS, *PAYING),
            rules=("COH-17.0b",),
            phases=PLAY,
            states=OWN_GO,
        ),
        ActionType(
            "unload",
            "Unload or unhitch",
            (Param("vehicle", ParamType.UNIT, "who carries or tows"), UNITS, FACING, *PAYING),
            rules=("COH-17.0c",),
            phases=PLAY,
            states=OWN_GO,
        ),
        ActionType(
            "leave",
            "Leave the map",
            (UNIT, *PAYING),
            rules=("COH-5.6a",),
            phases=PLAY,
            states=OWN_GO,
        ),
        ActionType(
            "play",
            "Play a card",
            (
                Param("card", ParamType.TEXT, "the card, of the hand or given to the unit"),
                _optional("unit", ParamType.UNIT, "the unit that it is played on"),
                _optional("cell", ParamType.CELL, "the hex that it is about"),
                _optional("marker", ParamType.MARKER, "the marker that it is about"),
                _optional("against", ParamType.SIDE, "the force that it is played against"),
                PAY_CARD,
                CAP,
                LUCK,
            ),
            rules=("COH-8.1a",),
            phases=PLAY,
            states=OWN_GO,
        ),
        ActionType(
            "quick_action",
            "Announce two actions in a row",
            (),
            "No action by itself.",
            ("COH-C10", "COH-8.2a"),
            PLAY,
            OWN_GO,
        ),
        ActionType(
            "stall",
            "Stall",
            (
                _optional(
                    "by",
                    ParamType.CHOICE,
                    "AP of the active unit or CAP",
                    choices=("ap", "command"),
                ),
            ),
            rules=("COH-2.2c",),
            phases=PLAY,
            states=OWN_GO,
        ),
        ActionType("pass", "Pass", (), "", ("COH-2.2d",), PLAY, OWN_GO),
        ActionType(
            "face",
            "Choose a facing",
            (
                Param(
                    "facing",
                    ParamType.FACING,
                    "of the unit that came to light",
                    minimum=0,
                    maximum=5,
                ),
            ),
            rules=("COH-10.0a",),
            states=("face",),
        ),
        ActionType(
            "mines",
            "Roll for mines",
            (CAP, LUCK),
            rules=("COH-18.3.3b",),
            states=("mines",),
        ),
        ActionType(
            "obstacle",
            "Pay for an obstacle, or stay",
            (Param("pay", ParamType.BOOL, "pay and enter"), TOP_UP),
            rules=("COH-18.3.1b",),
            states=("obstacle",),
        ),
    ]
)

FROM = Param("cell", ParamType.CELL, "seen from this hex")
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
            "reach",
            "Where a unit can go in one action",
            (
                UNIT,
                _optional(
                    "mode", ParamType.CHOICE, "how", choices=("normal", "cautious", "hidden")
                ),
            ),
            "",
            ("COH-5.0a", "COH-14.0a"),
        ),
        QueryType(
            "odds",
            "What a shot or a close combat would do, target by target",
            (
                UNIT,
                _optional("cell", ParamType.CELL, "the hex fired at"),
                _optional("target", ParamType.UNIT, "the enemy in close combat"),
                MODE,
                _optional("observer", ParamType.CELL, "the observer's hex"),
                SUPPORTERS,
                WEAPON,
                AIMED,
                _optional("cap", ParamType.INT, "CAP for each roll", minimum=0, maximum=2),
            ),
            "",
            ("COH-7.0b", "COH-7.2a", "COH-7.3a"),
        ),
        QueryType(
            "rally_odds",
            "The chance to rally",
            (UNIT, _optional("cap", ParamType.INT, "CAP for the roll", minimum=0, maximum=2)),
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


def _switch(name: str, doc: str, *rules: str) -> Option:
    return Option(Param(name, ParamType.BOOL, doc), default=False, rules=rules)


OPTIONS = (
    _switch("variable_ap", "3D6 for an activation: highest and lowest", "COH-3.0.1a"),
    _switch("fog_of_war", "action points are rolled in secret and counted up", "COH-3.0.1b"),
    _switch("cautious_movement", "who moves without caution is easier to hit", "COH-5.0.3a"),
    Option(
        Param("balance", ParamType.VALUE, "more starting CAP by side, 1 or 2"),
        default=FrozenMap(),
        rules=("COH-3.2.5a",),
    ),
    Option(
        Param(
            "solo",
            ParamType.CHOICE,
            "the side that the doctrine plays",
            choices=("", "german", "soviet"),
        ),
        default="",
        rules=("COH-20.2a",),
    ),
    Option(
        Param("players", ParamType.INT, "2: forces of one side are joined", minimum=2, maximum=4),
        default=4,
        rules=("COH-20.1a",),
    ),
    Option(
        Param(
            "order",
            ParamType.CHOICE,
            "of three or four players: turn about, or side by side",
            choices=("alternate", "together"),
        ),
        default="alternate",
        rules=("COH-20.0a",),
    ),
)


@cache
def game() -> Game:
    """The declaration."""
    hits = tuple(Named(h.key, h.title) for h in source.hits().values())
    works = tuple(Named(w.key, w.title) for w in source.works().values())
    return Game(
        key=KEY,
        title="Conflict of Heroes",
        version=VERSION,
        sides=(
            Named("german", "German"),
            Named("soviet", "Soviet"),
            Named("german2", "Second German force"),
            Named("soviet2", "Second Soviet force"),
        ),
        phases=(
            Phase("prep", "Preparation", SIDES),
            Phase("play", "Actions", SIDES),
        ),
        actions=ACTIONS,
        queries=QUERIES,
        unit_types=tuple(
            UnitType(
                c.key, c.title, c.side, FrozenMap({k: freeze(v) for k, v in _printed(c).items()})
            )
            for c in source.counters().values()
        ),
        attributes=(
            Param("fort", ParamType.MARKER, "the trench or bunker that it occupies"),
            Param("weapon", ParamType.TEXT, "the weapon card given to it"),
            Param("arrives", ParamType.INT, "the turn from which it may enter"),
            Param("entry", ParamType.CELLS, "the hexes by which it enters"),
            Param("stuck_in", ParamType.TEXT, "the terrain that holds it"),
            Param("decoy", ParamType.BOOL, "a decoy of the solitaire game"),
        ),
        terrain=tuple(Named(k.key, k.title) for k in source.terrain().values()),
        states=(
            Phase("start", "The turn is prepared"),
            Phase("plot", "Plot artillery"),
            Phase("barrage", "Artillery falls"),
            Phase("bid", "Bids for the initiative"),
            Phase("face", "A unit that came to light takes its facing"),
            Phase("mines", "Mines attack"),
            Phase("obstacle", "An obstacle is paid for"),
        ),
        markers=(
            *hits,
            *works,
            Named("hit", "Hit (face down)"),
            Named("smoke", "Smoke"),
            Named("barrage", "Plotted barrage"),
            Named("coin", "Candidate hex of the solitaire game"),
        ),
        boards=tuple(Named(key, board(key).title) for key in board_keys()),
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
        turn_rule="COH-2.2a",
        doc="Firefights of squads and vehicles on the Eastern Front, 1941.",
    )


PRINTED = (
    *("kind", "move_class", "fire", "indirect", "move", "bonus", "red", "blue", "range"),
    *("min_range", "front", "flank", "armour", "turret", "open_top", "he", "vp"),
)


def _printed(counter: source.Counter) -> dict[str, object]:
    values = {name: getattr(counter, name) for name in PRINTED}
    return {name: value for name, value in values.items() if value is not None}
