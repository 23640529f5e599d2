"""Actions of the turn: preparation, activation, stalling, passing."""

from hexmarshal.games.conflict_of_heroes.actions.words import (
    LUCK,
    OWN_GO,
    PLAY,
    PREP,
    UNIT,
    optional,
    slots,
)
from hexmarshal.games.conflict_of_heroes.rules.candidates import likely as quick
from hexmarshal.games.conflict_of_heroes.rules.candidates import means, paying
from hexmarshal.games.conflict_of_heroes.rules.cards import cardplay
from hexmarshal.games.conflict_of_heroes.rules.offers import of_kind
from hexmarshal.games.conflict_of_heroes.rules.turn import turns
from hexmarshal.rules.action import ActionType, Param, ParamType
from hexmarshal.rules.choosing.slots import by_slot

__all__ = ["ACTIVATE", "BEGIN_TURN", "BID", "FINISH", "PASS", "QUICK_ACTION", "STALL"]

PASS = ActionType(
    "pass",
    "Pass",
    rules=("COH-2.2d",),
    phases=PLAY,
    states=OWN_GO,
    sentence="pass",
    apply=turns.apply_pass,
    offers=of_kind("pass"),
)
FINISH = ActionType(
    "finish",
    "End the activation",
    doc="No action.",
    rules=("COH-3.0c",),
    phases=PLAY,
    states=OWN_GO,
    sentence="end of the activation",
    check=turns.check_finish,
    apply=turns.apply_finish,
    offers=of_kind("finish"),
)
BEGIN_TURN = ActionType(
    "begin_turn",
    "Prepare the turn",
    rules=("COH-2.0a",),
    phases=PREP,
    states=("start",),
    sentence="preparation of the turn",
    apply=turns.apply_begin,
    offers=of_kind("begin_turn"),
)
BID = ActionType(
    "bid",
    "Bid for the initiative",
    (Param("cap", ParamType.INT, "CAP added to the roll", minimum=0, said="{} CAP"), LUCK),
    rules=("COH-3.2.4a",),
    phases=PREP,
    states=("bid",),
    sentence="bid of {cap}",
    check=turns.check_bid,
    apply=turns.apply_bid,
    candidates=slots(cap=paying.bids),
    offers=of_kind("bid"),
)
ACTIVATE = ActionType(
    "activate",
    "Activate a unit",
    (
        UNIT,
        optional(
            "cap",
            ParamType.INT,
            "CAP for the roll of action points",
            minimum=0,
            said={"0": "", "*": "{} CAP on the roll of action points"},
        ),
        LUCK,
    ),
    doc="No action by itself: the side goes on.",
    rules=("COH-3.0a", "COH-3.0d"),
    phases=PLAY,
    states=OWN_GO,
    sentence="activation of {unit}",
    check=turns.check_activate,
    apply=turns.apply_activate,
    candidates=slots(),
    likely=by_slot(unit=quick.fresh_ones),
    offers=of_kind("activate"),
)
QUICK_ACTION = ActionType(
    "quick_action",
    "Announce two actions in a row",
    doc="No action by itself.",
    rules=("COH-C10", "COH-8.2a"),
    phases=PLAY,
    states=OWN_GO,
    sentence="two actions in a row announced",
    check=cardplay.check_quick,
    apply=cardplay.apply_quick,
    offers=of_kind("quick_action"),
)
STALL = ActionType(
    "stall",
    "Stall",
    (
        optional(
            "by",
            ParamType.CHOICE,
            "AP of the active unit or CAP",
            choices=("ap", "command"),
            said={"ap": "paid with action points", "command": "paid with command points"},
        ),
    ),
    rules=("COH-2.2c",),
    phases=PLAY,
    states=OWN_GO,
    sentence="stall",
    check=turns.check_stall,
    apply=turns.apply_stall,
    candidates=slots(by=paying.stalling),
    likely=by_slot(by=means.stalling),
    offers=of_kind("stall"),
)
