"""The switches: optional rules, and readings of the book on which players differ."""

from __future__ import annotations

from hexmarshal.rules.action import Param, ParamType
from hexmarshal.rules.plugin import Option
from hexmarshal.rules.values import FrozenMap, Value

__all__ = ["DEFAULTS", "OPTIONS"]


def _flag(name: str, doc: str, *rules: str, default: bool = False) -> Option:
    return Option(Param(name, ParamType.BOOL, doc), default, rules)


def _choice(name: str, choices: tuple[str, ...], doc: str, *rules: str) -> Option:
    """The first choice is the default."""
    return Option(Param(name, ParamType.CHOICE, doc, choices=choices), choices[0], rules)


OPTIONS = (
    _flag(
        "book_only",
        "use no number of ours: what the rulebook does not print is answered with just that",
        "TOW-10.3a",
        "TOW-9.1a",
    ),
    _flag("ukrainian_fronts", "Soviet headquarters convert at the start of turn 4", "TOW-14.2"),
    Option(
        Param(
            "bid",
            ParamType.INT,
            "the victory points that the Soviets need by a bid; 0: as the scenario says",
            minimum=0,
            maximum=1000,
        ),
        0,
        ("TOW-14.1",),
    ),
    _choice(
        "relocation",
        ("at_least", "within"),
        "whether a headquarters relocates at least five hexes away, or within five",
        "TOW-2.3e",
    ),
    _choice(
        "distances",
        ("at_most", "fewer_than"),
        "whether hexes exactly two (crossing points) or eight (airborne) away still count",
        "TOW-11.1d",
        "TOW-12.3b",
    ),
    _choice(
        "supply_before_river",
        ("yes", "no"),
        "whether the 2 points of supply go off each unit before the river halves, or afterwards",
        "TOW-10.2b",
    ),
    _choice(
        "retreat_losses",
        ("each_hex", "once"),
        "whether a retreat costs a step for each hex in an enemy zone, or one in all",
        "TOW-10.4c",
    ),
    _flag(
        "source_in_zone",
        "a supply source in an enemy zone of control, without a friendly unit there, supplies",
        "TOW-8.1b",
    ),
    _choice(
        "rail_cities",
        ("major", "any"),
        "which enemy-controlled cities bar a rail route",
        "TOW-11.0a",
    ),
    _flag("opening_advance", "units advance in the attacks of rule 12.1", "TOW-12.1", default=True),
    _flag("headquarters_score", "headquarters count as units for victory points", "TOW-13.2b"),
    _flag("several_markers", "several air markers may help one combat", "TOW-7.0b", default=True),
    _flag("panzergrenadiers", "mechanized infantry counts as panzers when lost", "TOW-13.3b"),
    _choice(
        "breakthrough",
        ("unit", "hex"),
        "whether each Soviet unit on a breakthrough hex scores, or each such hex once",
        "TOW-13.3b",
    ),
    _choice(
        "river_and_zone",
        ("included", "extra"),
        "whether the whole allowance that an unbridged major river takes pays for zones too",
        "TOW-9.1c",
    ),
)
DEFAULTS: FrozenMap[Value] = FrozenMap({option.param.name: option.default for option in OPTIONS})
