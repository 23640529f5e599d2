"""The switches of the game: conditions of sight, and other readings of the book."""

from __future__ import annotations

from typing import Final

from hexmarshal.kit.options import choice, defaults, number, switch
from hexmarshal.rules.action import Param, ParamType
from hexmarshal.rules.plugin import Option

__all__ = ["DAY", "DEFAULTS", "OPTIONS"]

DAY: Final = -1
"""The night visibility range of a scenario by day."""

OPTIONS: Final = (
    Option(Param("map", ParamType.TEXT, "boards, as bd01@A-P+bd02@flip/bd03"), default=""),
    number("weather", "hindrance of low visibility", "ASL-LV-1", default=0, least=0),
    number("night", "night visibility range, -1 by day", "ASL-NVR-1", default=DAY, least=DAY),
    number("mist", "1 in mist, 2 in heavy rain", "ASL-LV-1", default=0, least=0, most=2),
    number("fog", "hindrance of each level of fog", "ASL-FOG-1", default=0, least=0),
    number("fog_level", "the highest level of the fog", "ASL-FOG-1", default=0),
    switch("alpine", "hills rise and fall in every hex", "ASL-HILL-5"),
    switch("free_sight", "lines of sight may be checked before firing", "ASL-LOS-1", default=True),
    switch(
        "sustained_halves_twice", "sustained fire halves once more than SFF", "ASL-A8.3", "ASL-MG-3"
    ),
    switch("residual_in_all_locations", "residual fire covers the whole hex", "ASL-RFP-6"),
    switch("short_weapons_interdict_16", "every weapon interdicts at 16 hexes", "ASL-A10.53b"),
    switch("dm_must_rout", "every DM unit that can rout has to", "ASL-ROUT-2"),
    switch("overstack_by_unit", "each unit too many costs a factor", "ASL-STACK-3"),
    switch("assault_engineers", "assault engineers place smoke at +2", "ASL-A24.1a"),
    switch("british_phosphorus", "the British have white phosphorus", "ASL-A24.1b"),
    switch("finns_abroad", "Finns outside of the borders of 1939", "ASL-NAT-FIN"),
    number(
        "date",
        "year and month of the scenario: 194406",
        "ASL-NAT-GER",
        "ASL-NAT-FFL",
        default=0,
        least=0,
    ),
    number("commissar_rally", "what a commissar adds to a rally", "ASL-NAT-COM", default=1),
    switch("hidden_units", "either side may have hidden units", "ASL-HIP-1"),
    switch("hand_to_hand", "close combat may be hand-to-hand", "ASL-CC-3"),
    switch("interrogation", "prisoners are interrogated", "ASL-INTERRO-1"),
    switch("beyond_ten_from_eleven", "odds above 10-1 begin at 11-1", "ASL-CC-2"),
    choice(
        "booby_traps",
        ("", "attacker", "defender", "both"),
        "who may lay booby traps",
        "ASL-A12.154",
    ),
)
DEFAULTS = defaults(OPTIONS)
