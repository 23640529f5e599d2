"""The entries of the agenda: what each thing that is still to be done is about."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.state.kinds import DRIVEN, FAMILIES
from hexmarshal.rules.frames import ItemType
from hexmarshal.rules.params import Param, ParamType

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["AGENDA", "DICE", "PURPOSE", "TRIGGER", "WEAPONS", "choice", "count", "maybe"]

# Nothing on a counter, a card or a table of the game is larger.
MOST = 99


def count(name: str, doc: str, *, required: bool = False, least: int = 0) -> Param:
    """A number of things."""
    return Param(name, ParamType.INT, doc, required=required, minimum=least, maximum=MOST)


def choice(name: str, doc: str, *choices: str) -> Param:
    """One of these words."""
    return Param(name, ParamType.CHOICE, doc, choices=choices)


def _text(name: str, doc: str) -> Param:
    return Param(name, ParamType.TEXT, doc)


def _flag(name: str, doc: str) -> Param:
    return Param(name, ParamType.BOOL, doc, required=False)


def _figure(name: str, doc: str) -> Param:
    return count(name, doc, least=-MOST)


def _dice(name: str, doc: str) -> Param:
    die = Param("die", ParamType.INT, "one of them", minimum=1, maximum=6)
    return Param(name, ParamType.LIST, doc, minimum=1, maximum=MOST, items=die)


def maybe(*params: Param) -> Iterator[Param]:
    """The same, which may be left out."""
    return (replace(param, required=False) for param in params)


UNIT = Param("unit", ParamType.UNIT, "the unit concerned")
TARGET = Param("target", ParamType.UNIT, "the unit aimed at, or assaulted")
BY = Param("by", ParamType.UNIT, "who does it")
SIDE = Param("side", ParamType.SIDE, "whose it is")
CELL = Param("cell", ParamType.CELL, "the cell concerned")
CELLS = Param("cells", ParamType.CELLS, "the cells concerned")
UNITS = Param("units", ParamType.UNITS, "the units concerned")
WHAT = _text("what", "the structure: a part of a building, a wreck")
DICE = _dice("dice", "the dice that were rolled")
TRIGGER = choice("trigger", "what draws fire", "move", "fire")
WEAPONS = Param(
    "fired",
    ParamType.LIST,
    "the weapons that were fired",
    required=False,
    items=_text("weapon", "its name"),
)
PURPOSE = choice(
    "purpose",
    "what was rolled for",
    *("fire", "sniper", "disturbing fire", "explosion", "scatter", "location", "destruction"),
    *("assault", "defence"),
)
_CAUSE = choice("cause", "what destroys it", "fire", "assault")
_COMBAT = Param(
    "combat",
    ParamType.RECORD,
    "the values of the template, by family",
    fields=tuple(_figure(family, "against such units") for family in FAMILIES),
)
_PARTS = Param(
    "parts",
    ParamType.LIST,
    "how the value came about",
    items=Param(
        "part",
        ParamType.RECORD,
        "one of them",
        fields=(
            _text("label", "what it is"),
            Param("amount", ParamType.INT, "how much", minimum=-MOST, maximum=MOST),
            _text("rule", "by which rule"),
        ),
    ),
)
_CONTEXT = choice("context", "what was asked", "act", "reserve", "step", "opportunity")
_WEAPON = _text("weapon", "its weapon")
_CORNER = _text("corner", "the intercell")

_SHOT = (
    UNIT,
    TARGET,
    *maybe(_WEAPON),
    Param("value", ParamType.INT, "the combat value", minimum=-MOST, maximum=MOST),
    _PARTS,
    _flag("suppression", "fire that suppresses"),
    _flag("burst", "a part of a burst"),
)
_AIMED = (UNIT, TARGET, *maybe(_WEAPON), DICE, _figure("bonus", "what a card adds"))
_BLAST = (
    *maybe(UNIT),
    SIDE,
    _COMBAT,
    _figure("bonus", "what a card or ammunition adds"),
    _figure("malus", "what is in the way"),
    count("destruction", "dice against structures"),
    _flag("bare", "nobody has cover"),
    _flag("flame", "by a flame"),
    _flag("grenade", "by a grenade"),
)
_EXPLOSION = (*_BLAST, *maybe(_CORNER, CELL))
_HIT = (*_BLAST, TARGET)
_LOSS = (
    UNIT,
    *maybe(BY, _CAUSE),
    _flag("piercing", "by an armour-piercing weapon"),
    _flag("double", "by a double hit"),
)
_ASSAULT = (UNIT, TARGET)
_CREW = _flag("crew", "a crew, not passengers")

AGENDA = (
    ItemType("march", "The next step of a Move Action"),
    ItemType("finish_move", "The end of a Move Action"),
    ItemType("moved", "A Move Action is over"),
    ItemType("spot", "Units in ambush are spotted"),
    ItemType(
        "window",
        "A window for opportunity fire",
        (
            UNIT,
            *maybe(TRIGGER),
            Param("firing", ParamType.UNIT, "who has weapons left", required=False),
            WEAPONS,
        ),
    ),
    ItemType(
        "after_fire",
        "After fire",
        (
            UNIT,
            *maybe(_CONTEXT, TARGET, TRIGGER),
            WEAPONS,
        ),
    ),
    ItemType("shot", "A shot", _SHOT),
    ItemType("shot_rolled", "A shot with its dice", (*_SHOT, DICE)),
    ItemType("frighten", "Frightening fire", (UNIT, *maybe(BY))),
    ItemType("snipe_rolled", "A sniper's die", _AIMED),
    ItemType("disturb_rolled", "The die of disturbing fire", _AIMED),
    ItemType(
        "scatter_rolled",
        "A scatter die",
        (*_BLAST, _CORNER, *maybe(CELL), count("count", "how far it may scatter"), DICE),
    ),
    ItemType("explode", "An explosion", _EXPLOSION),
    ItemType("grenade", "A grenade in the air", (UNIT, *_EXPLOSION[1:])),
    ItemType("blast_at", "A template against one unit", _HIT),
    ItemType("blast_rolled", "The same with its die", (*_HIT, DICE)),
    ItemType("flame", "A flame", (*_BLAST, UNITS)),
    ItemType("loss", "A step loss", _LOSS),
    ItemType("destroy", "A unit is destroyed", _LOSS),
    ItemType("remove", "A destroyed unit comes off the board", _LOSS),
    ItemType("suppress", "Suppressed markers", (UNIT, count("count", "how many", required=True))),
    ItemType("location", "A location roll", _LOSS),
    ItemType(
        "located",
        "A location roll with its dice",
        (*_LOSS, DICE, count("chosen", "the die that its owner chose", least=1)),
    ),
    ItemType(
        "demolish",
        "Dice of Destruction",
        (
            CELLS,
            count("count", "how many", required=True, least=1),
            *maybe(BY),
            _flag("all", "against every structure there"),
        ),
    ),
    ItemType("demolished", "The same with its dice", (WHAT, CELL, *maybe(BY), DICE)),
    ItemType(
        "points",
        "Destruction points",
        (
            *maybe(WHAT, TARGET),
            count("count", "how many", required=True),
            *maybe(_text("rule", "by which rule")),
        ),
    ),
    ItemType("collapse", "A building collapses", (WHAT,)),
    ItemType("redeploy", "Units are placed in a ruin", (UNITS, CELLS, SIDE)),
    ItemType(
        "displace",
        "A unit is driven away",
        (UNIT, *maybe(BY), choice("cause", "what drives it", *DRIVEN)),
    ),
    ItemType(
        "eject",
        "A passenger gets out of a wreck, or of what left none",
        (UNIT, Param("vehicle", ParamType.UNIT, "the vehicle"), _CREW, CELLS),
    ),
    ItemType("assault", "An assault", _ASSAULT),
    ItemType("assault_dice", "The attacker's dice", _ASSAULT),
    ItemType("assault_attacked", "The defender's dice", (*_ASSAULT, DICE)),
    ItemType(
        "assault_rolled",
        "An assault with all dice",
        (*_ASSAULT, DICE, _dice("attack", "the attacker's dice")),
    ),
    ItemType("retreat", "A retreat", (UNIT, *maybe(BY), CELL)),
    ItemType(
        "take_cell",
        "The attacker takes a cell",
        (UNIT, CELL, _flag("wreck", "even as a wreck")),
    ),
    ItemType("break", "Break points", (UNIT,)),
    ItemType("reroll", "Who rolls again?", (PURPOSE, SIDE, *maybe(UNIT, TARGET))),
    ItemType(
        "action_done", "After an action", (choice("what", "which", "move", "fire", "repair"),)
    ),
    ItemType("end_activation", "The end of an activation"),
    ItemType("end_turn", "The end of a turn"),
)
