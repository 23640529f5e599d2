"""Parameters that many actions share, and what their slots offer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.candidates import acting, means, paying
from hexmarshal.games.conflict_of_heroes.rules.turn.payment import WAYS
from hexmarshal.rules.action import Param, ParamType
from hexmarshal.rules.choosing.slots import by_slot

if TYPE_CHECKING:
    from hexmarshal.rules.action import Candidates

__all__ = [
    "AIMED",
    "BY",
    "CAP",
    "CARD",
    "FACING",
    "FORT",
    "HOW",
    "LEG",
    "LUCK",
    "MODE",
    "OCCUPY",
    "OWN_GO",
    "PAYING",
    "PAY_CARD",
    "PLAY",
    "PREP",
    "SUPPORTERS",
    "THROWN",
    "TOP_UP",
    "UNIT",
    "UNITS",
    "WEAPON",
    "likely",
    "optional",
    "slots",
]

PLAY = ("play",)
PREP = ("prep",)
OWN_GO = ("",)


def optional(name: str, type: ParamType, doc: str, **more: object) -> Param:
    """A parameter that may be left out."""
    return Param(name, type, doc, required=False, **more)  # type: ignore[arg-type]


UNIT = Param("unit", ParamType.UNIT, "the unit that acts")
UNITS = Param("units", ParamType.UNITS, "the units that act")
BY = optional(
    "by",
    ParamType.CHOICE,
    "how it is paid for; `ap` if not given",
    choices=WAYS,
    said={
        "ap": "paid with action points",
        "command": "paid with command points",
        "opportunity": "as an opportunity action",
        # Which card it is says more.
        "card": "",
    },
)
CARD = optional("card", ParamType.CARD, "the card it is played with", said="with the card {}")
TOP_UP = optional(
    "top_up", ParamType.INT, "CAP that complete the AP", minimum=0, said="{} CAP to complete the AP"
)
PAY_CARD = optional(
    "pay_card",
    ParamType.CHOICE,
    "what a card's cost is paid with",
    choices=("ap", "cap"),
    said={"ap": "the card paid with AP", "cap": "the card paid with CAP"},
)
# First how it is paid for, as that decides who may act; how many points complete it comes last.
PAYING = (BY, CARD, PAY_CARD)
CAP = optional(
    "cap",
    ParamType.VALUE,
    "CAP for the roll, or by target for each roll",
    said={"0": "", "*": "{} CAP on the roll"},
)
LUCK = optional(
    "luck",
    ParamType.BOOL,
    "play card 12 where it makes the difference",
    said={"yes": "with card 12 where it makes the difference", "no": "without card 12"},
)
FACING = optional(
    "facing",
    ParamType.FACING,
    "the facing afterwards: 0 is up, clockwise to 5",
    said="facing {}",
)
SUPPORTERS = optional(
    "supporters", ParamType.UNITS, "the units that support the fire leader", said="supported by {}"
)
THROWN = optional(
    "thrown",
    ParamType.UNITS,
    "supporters who use their weapon cards",
    said="weapon cards used by {}",
)
WEAPON = optional(
    "weapon",
    ParamType.BOOL,
    "use the weapon card given to the unit",
    said={"yes": "with its weapon card", "no": "without its weapon card"},
    words=("grenade", "grenades", "molotov", "molotovs", "cocktail", "tellermine", "tellermines"),
)
AIMED = optional("aimed", ParamType.BOOL, "play card 09 with it", said={"yes": "with card 09"})
MODE = optional(
    "mode",
    ParamType.CHOICE,
    "how it fires; `direct` if not given",
    choices=("direct", "indirect", "flame", "smoke"),
    said={
        "direct": "directly",
        "indirect": "indirectly",
        "flame": "with flames",
        "smoke": "with smoke",
    },
)
OCCUPY = optional(
    "occupy",
    ParamType.BOOL,
    "go into the trench or bunker there",
    said={"yes": "into the trench or bunker there", "no": "beside the trench or bunker there"},
)
FORT = optional(
    "fort", ParamType.MARKER, "which one, where there is a trench and a bunker", said="that is {}"
)
HOW = optional(
    "mode",
    ParamType.CHOICE,
    "how it moves; `normal` if not given",
    choices=("normal", "cautious", "hidden"),
    said={"normal": "normally", "cautious": "cautiously", "hidden": "while hidden"},
)
LEG = (
    Param("unit", ParamType.UNIT, "who"),
    optional(
        "path",
        ParamType.PATH,
        "the hexes entered, in order; none: it pivots",
        said={"": "pivoting", "*": "to {}"},
    ),
    FACING,
    HOW,
    OCCUPY,
    FORT,
)


def slots(**own: object) -> Candidates:
    """What the slots offer that most actions have, and those of one of them."""
    common = {
        "unit": acting.own,
        "by": paying.ways_to_pay,
        "card": paying.cards,
        "pay_card": paying.card_colours,
        "top_up": paying.completions,
        "cap": paying.points,
        "luck": paying.luck,
    }
    return by_slot(**{**common, **own})  # type: ignore[arg-type]


def likely(**own: object) -> Candidates:
    """What of that a quick look does not rule out."""
    common = {"by": means.ways_of, "card": means.cards}
    return by_slot(**{**common, **own})  # type: ignore[arg-type]
