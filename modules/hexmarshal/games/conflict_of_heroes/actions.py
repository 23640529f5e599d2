"""The actions of the game and their parameters."""

from __future__ import annotations

from hexmarshal.games.conflict_of_heroes.payment import WAYS
from hexmarshal.rules.action import ActionTable, ActionType, Param, ParamType

__all__ = ["ACTIONS", "AIMED", "MODE", "SUPPORTERS", "THROWN", "UNIT", "WEAPON", "optional"]

PLAY = ("play",)
PREP = ("prep",)
OWN_GO = ("",)


def optional(name: str, type: ParamType, doc: str, **more: object) -> Param:
    """A parameter that may be left out."""
    return Param(name, type, doc, required=False, **more)  # type: ignore[arg-type]


UNIT = Param("unit", ParamType.UNIT, "the unit that acts")
UNITS = Param("units", ParamType.UNITS, "the units that act")
BY = optional("by", ParamType.CHOICE, "how it is paid for; `ap` if not given", choices=WAYS)
CARD = optional("card", ParamType.CARD, "the card it is played with")
TOP_UP = optional("top_up", ParamType.INT, "CAP that complete the AP", minimum=0)
PAY_CARD = optional(
    "pay_card", ParamType.CHOICE, "what a card's cost is paid with", choices=("ap", "cap")
)
PAYING = (BY, CARD, TOP_UP, PAY_CARD)
CAP = optional("cap", ParamType.VALUE, "CAP for the roll, or by target for each roll")
LUCK = optional("luck", ParamType.BOOL, "play card 12 where it makes the difference")
FACING = optional("facing", ParamType.FACING, "the facing afterwards: 0 is up, clockwise to 5")
SUPPORTERS = optional("supporters", ParamType.UNITS, "the units that support the fire leader")
THROWN = optional("thrown", ParamType.UNITS, "supporters who use their weapon cards")
WEAPON = optional("weapon", ParamType.BOOL, "use the weapon card given to the unit")
AIMED = optional("aimed", ParamType.BOOL, "play card 09 with it")
MODE = optional(
    "mode",
    ParamType.CHOICE,
    "how it fires; `direct` if not given",
    choices=("direct", "indirect", "flame", "smoke"),
)
OCCUPY = optional("occupy", ParamType.BOOL, "go into the trench or bunker there")
FORT = optional("fort", ParamType.MARKER, "which one, where there is a trench and a bunker")
HOW = optional(
    "mode",
    ParamType.CHOICE,
    "how it moves; `normal` if not given",
    choices=("normal", "cautious", "hidden"),
)
LEG = (
    Param("unit", ParamType.UNIT, "who"),
    optional("path", ParamType.PATH, "the hexes entered, in order; none: it pivots"),
    FACING,
    HOW,
    OCCUPY,
    FORT,
)

ACTIONS = ActionTable(
    [
        ActionType(
            "begin_turn", "Prepare the turn", rules=("COH-2.0a",), phases=PREP, states=("start",)
        ),
        ActionType(
            "plot",
            "Plot artillery",
            (
                optional("card", ParamType.CARD, "the battery; none: no plot this turn"),
                optional("cell", ParamType.CELL, "the target"),
                optional("smoke", ParamType.BOOL, "smoke shells"),
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
            (Param("cap", ParamType.INT, "CAP added to the roll", minimum=0), LUCK),
            rules=("COH-3.2.4a",),
            phases=PREP,
            states=("bid",),
        ),
        ActionType(
            "activate",
            "Activate a unit",
            (
                UNIT,
                optional("cap", ParamType.INT, "CAP for the roll of action points", minimum=0),
                LUCK,
            ),
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
                HOW,
                OCCUPY,
                FORT,
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
                Param(
                    "moves",
                    ParamType.LIST,
                    "the units and their ways",
                    items=Param("move", ParamType.RECORD, "a unit and its way", fields=LEG),
                ),
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
                optional("observer", ParamType.CELL, "the observer's hex of indirect fire"),
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
                optional("target", ParamType.UNIT, "the enemy in the same hex"),
                optional("work", ParamType.MARKER, "or the fortification or obstacle"),
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
            (UNIT, FACING, FORT, *PAYING),
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
                optional("unit", ParamType.UNIT, "the unit that it is played on"),
                optional("cell", ParamType.CELL, "the hex that it is about"),
                optional("marker", ParamType.MARKER, "the marker that it is about"),
                optional("against", ParamType.SIDE, "the force that it is played against"),
                PAY_CARD,
                TOP_UP,
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
                optional(
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
