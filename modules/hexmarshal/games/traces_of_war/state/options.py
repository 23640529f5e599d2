"""The switches: optional rules, and readings of the book on which players differ."""

from __future__ import annotations

from hexmarshal.kit.options import choice, defaults, number, switch

__all__ = ["DEFAULTS", "OPTIONS"]


OPTIONS = (
    switch(
        "book_only",
        "use no number of ours: what the rulebook does not print is answered with just that",
        "TOW-10.3a",
        "TOW-9.1a",
    ),
    switch("ukrainian_fronts", "Soviet headquarters convert at the start of turn 4", "TOW-14.2"),
    number(
        "bid",
        "the victory points that the Soviets need by a bid; 0: as the scenario says",
        "TOW-14.1",
        default=0,
        least=0,
        most=1000,
    ),
    choice(
        "relocation",
        ("at_least", "within"),
        "whether a headquarters relocates at least five hexes away, or within five",
        "TOW-2.3e",
    ),
    choice(
        "distances",
        ("at_most", "fewer_than"),
        "whether hexes exactly two (crossing points) or eight (airborne) away still count",
        "TOW-11.1d",
        "TOW-12.3b",
    ),
    choice(
        "supply_before_river",
        ("yes", "no"),
        "whether the 2 points of supply go off each unit before the river halves, or afterwards",
        "TOW-10.2b",
    ),
    choice(
        "retreat_losses",
        ("each_hex", "once"),
        "whether a retreat costs a step for each hex in an enemy zone, or one in all",
        "TOW-10.4c",
    ),
    switch(
        "source_in_zone",
        "a supply source in an enemy zone of control, without a friendly unit there, supplies",
        "TOW-8.1b",
    ),
    choice(
        "rail_cities",
        ("major", "any"),
        "which enemy-controlled cities bar a rail route",
        "TOW-11.0a",
    ),
    switch(
        "opening_advance", "units advance in the attacks of rule 12.1", "TOW-12.1", default=True
    ),
    switch("headquarters_score", "headquarters count as units for victory points", "TOW-13.2b"),
    switch("several_markers", "several air markers may help one combat", "TOW-7.0b", default=True),
    switch("panzergrenadiers", "mechanized infantry counts as panzers when lost", "TOW-13.3b"),
    choice(
        "breakthrough",
        ("unit", "hex"),
        "whether each Soviet unit on a breakthrough hex scores, or each such hex once",
        "TOW-13.3b",
    ),
    choice(
        "river_and_zone",
        ("included", "extra"),
        "whether the whole allowance that an unbridged major river takes pays for zones too",
        "TOW-9.1c",
    ),
)
DEFAULTS = defaults(OPTIONS)
