"""What play waits for, and what a position notes beside its pieces, each with its types."""

from __future__ import annotations

from hexmarshal.rules.action import Param, ParamType
from hexmarshal.rules.frames import FrameTable, FrameType, Silence
from hexmarshal.rules.values import FrozenMap

__all__ = ["EXTRAS", "FRAMES", "KNOWLEDGE"]


def _one(name: str, type: ParamType, doc: str) -> Param:
    return Param(name, type, doc, required=False)


def _count(name: str, doc: str, least: int | None = 0, most: int | None = None) -> Param:
    return Param(name, ParamType.INT, doc, required=False, minimum=least, maximum=most)


def _by_side(name: str, doc: str, items: Param) -> Param:
    return Param(name, ParamType.MAP, doc, required=False, keys=ParamType.SIDE, items=items)


def _list(name: str, doc: str, type: ParamType) -> Param:
    items = Param("one", type, "one of them")
    return Param(name, ParamType.LIST, doc, required=False, items=items)


PREP = ("prep",)
# Where a unit stands on its way: see `marching.Way`.
WAY = (
    _one("unit", ParamType.UNIT, "who is on its way"),
    _one("came", ParamType.CELL, "the hex that it came from"),
    _one("rest", ParamType.PATH, "the hexes still to go"),
    Param("facing", ParamType.FACING, "its facing then", required=False, minimum=0, maximum=5),
    _one("occupy", ParamType.BOOL, "into the trench or bunker at the end"),
    _one("hidden", ParamType.BOOL, "out of sight"),
    _one("fort", ParamType.MARKER, "which trench or bunker"),
)
FRAMES = FrameTable(
    [
        FrameType(
            "plot",
            "Plot artillery",
            rules=("COH-12.3a",),
            phases=PREP,
            silence=Silence("plot"),
        ),
        FrameType(
            "barrage",
            "Artillery falls",
            (_one("card", ParamType.TEXT, "the battery"),),
            rules=("COH-12.3b",),
            phases=PREP,
            silence=Silence("barrage"),
        ),
        FrameType(
            "bid",
            "Bids for the initiative",
            rules=("COH-3.2.4a",),
            phases=PREP,
            silence=Silence("bid", FrozenMap({"cap": 0})),
        ),
        FrameType(
            "face",
            "A unit that came to light takes its facing",
            (Param("unit", ParamType.UNIT, "who"),),
            rules=("COH-10.0a",),
        ),
        FrameType(
            "mines",
            "Mines attack",
            (
                _one("marker", ParamType.TEXT, "the minefield, which may be cleared by now"),
                _one("of", ParamType.SIDE, "whose hidden unit it is"),
                *WAY,
            ),
            "Of a hidden unit its owner alone knows who it is.",
            ("COH-18.3.3a", "COH-18.3.3b"),
            silence=Silence("mines"),
        ),
        FrameType(
            "obstacle",
            "An obstacle is paid for",
            (
                Param("action", ParamType.ACTION, "the move that waits"),
                Param("cost", ParamType.INT, "what it costs now", minimum=0),
                Param(
                    "dice",
                    ParamType.MAP,
                    "what was rolled, by unit",
                    required=False,
                    keys=ParamType.UNIT,
                    items=Param("die", ParamType.INT, "points", minimum=0),
                ),
            ),
            "Where hidden units want to go is nobody else's business.",
            ("COH-18.3.1a", "COH-18.3.2a"),
            silence=Silence("obstacle", FrozenMap({"pay": False})),
        ),
    ]
)
EXTRAS = (
    _list("passers", "who passed in succession (COH-2.2e)", ParamType.SIDE),
    Param(
        "quick",
        ParamType.RECORD,
        "whose second action in a row follows (COH-C10)",
        required=False,
        fields=(Param("side", ParamType.SIDE, "whose"),),
    ),
    Param(
        "last",
        ParamType.RECORD,
        "what only the very next action may use",
        required=False,
        fields=(
            _one("exposed", ParamType.UNITS, "who moved without caution (COH-5.0.3a)"),
            Param(
                "fired",
                ParamType.MAP,
                "from where somebody shot at which hex (COH-20.2h)",
                required=False,
                keys=ParamType.CELL,
                items=Param("target", ParamType.CELL, "the hex fired at"),
            ),
            Param(
                "rushed",
                ParamType.MAP,
                "from where an enemy's hex was entered (COH-7.7.3h)",
                required=False,
                keys=ParamType.CELL,
                items=Param("from", ParamType.CELLS, "the hexes"),
            ),
            _one("by", ParamType.SIDE, "who entered it"),
        ),
    ),
    _by_side("bids", "command points for the initiative", _count("points", "points", 0, 2)),
    _list("refused", "where the doctrine's units held back (COH-20.2g)", ParamType.TEXT),
    _one("over", ParamType.BOOL, "the firefight is over (COH-2.4a)"),
    _count("turns", "how many turns it lasts", 1),
    _count("victory_points", "the points that end it at once", None),
    _by_side("draw", "cards drawn each turn", _count("cards", "how many")),
    _by_side("deal", "cards dealt at the start", _count("cards", "how many")),
    Param(
        "event",
        ParamType.RECORD,
        "the firefight's own event (COH-CE1)",
        required=False,
        fields=(
            _one("side", ParamType.TEXT, "the camp that it favours"),
            _count("cap", "command points"),
        ),
    ),
    Param(
        "secret_objectives",
        ParamType.MAP,
        "what each card of an objective is worth (COH-CE1)",
        required=False,
        items=Param(
            "objective",
            ParamType.RECORD,
            "one of them",
            fields=(_one("hex", ParamType.CELL, "where"), _count("vp", "points", None)),
        ),
    ),
    _by_side("exits", "where units may leave the map", Param("hexes", ParamType.CELLS, "where")),
    _by_side("observers", "who directs artillery", Param("units", ParamType.UNITS, "who")),
    _one("smoke_units", ParamType.UNITS, "who may fire smoke besides (COH-13.1a)"),
    _one("no_smoke", ParamType.BOOL, "there is no smoke"),
    _one("keep_weapons", ParamType.BOOL, "weapon cards are kept after use"),
    _one("guns_in_bunkers", ParamType.BOOL, "guns may be in bunkers"),
)
# What one side alone knows.
KNOWLEDGE = (
    _count("activation", "its action points, counted up in secret (COH-3.0.1b)", None),
    _one("lucky", ParamType.BOOL, "it means to play luck with the initiative (COH-C12)"),
    Param(
        "shown",
        ParamType.MAP,
        "hits of the enemy that it was shown (COH-7.5c)",
        required=False,
        items=Param("hit", ParamType.TEXT, "which"),
    ),
    _one("objective", ParamType.TEXT, "the card of its secret objective (COH-CE1)"),
)
