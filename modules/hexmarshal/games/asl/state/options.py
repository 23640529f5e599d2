"""The switches of the game: conditions of sight, and other readings of the book."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.rules.action import Param, ParamType
from hexmarshal.rules.plugin import Option

if TYPE_CHECKING:
    from hexmarshal.rules.values import Value

__all__ = ["DAY", "DEFAULTS", "OPTIONS"]

DAY: Final = -1
"""The night visibility range of a scenario by day."""

OPTIONS: Final = (
    Option(Param("map", ParamType.TEXT, "boards, as bd01@A-P+bd02@flip/bd03"), default=""),
    Option(
        Param("weather", ParamType.INT, "hindrance of low visibility", minimum=0),
        default=0,
        rules=("ASL-LV-1",),
    ),
    Option(
        Param("night", ParamType.INT, "night visibility range, -1 by day", minimum=DAY),
        default=DAY,
        rules=("ASL-NVR-1",),
    ),
    Option(
        Param("mist", ParamType.INT, "1 in mist, 2 in heavy rain", minimum=0, maximum=2),
        default=0,
        rules=("ASL-LV-1",),
    ),
    Option(
        Param("fog", ParamType.INT, "hindrance of each level of fog", minimum=0),
        default=0,
        rules=("ASL-FOG-1",),
    ),
    Option(
        Param("fog_level", ParamType.INT, "the highest level of the fog"),
        default=0,
        rules=("ASL-FOG-1",),
    ),
    Option(
        Param("alpine", ParamType.BOOL, "hills rise and fall in every hex"),
        default=False,
        rules=("ASL-HILL-5",),
    ),
    Option(
        Param("free_sight", ParamType.BOOL, "lines of sight may be checked before firing"),
        default=True,
        rules=("ASL-LOS-1",),
    ),
    Option(
        Param("sustained_halves_twice", ParamType.BOOL, "sustained fire halves once more than SFF"),
        default=False,
        rules=("ASL-A8.3", "ASL-MG-3"),
    ),
    Option(
        Param("residual_in_all_locations", ParamType.BOOL, "residual fire covers the whole hex"),
        default=False,
        rules=("ASL-RFP-6",),
    ),
    Option(
        Param("short_weapons_interdict_16", ParamType.BOOL, "every weapon interdicts at 16 hexes"),
        default=False,
        rules=("ASL-A10.53b",),
    ),
    Option(
        Param("dm_must_rout", ParamType.BOOL, "every DM unit that can rout has to"),
        default=False,
        rules=("ASL-ROUT-2",),
    ),
    Option(
        Param("overstack_by_unit", ParamType.BOOL, "each unit too many costs a factor"),
        default=False,
        rules=("ASL-STACK-3",),
    ),
    Option(
        Param("assault_engineers", ParamType.BOOL, "assault engineers place smoke at +2"),
        default=False,
        rules=("ASL-A24.1a",),
    ),
    Option(
        Param("british_phosphorus", ParamType.BOOL, "the British have white phosphorus"),
        default=False,
        rules=("ASL-A24.1b",),
    ),
    Option(
        Param("finns_abroad", ParamType.BOOL, "Finns outside of the borders of 1939"),
        default=False,
        rules=("ASL-NAT-FIN",),
    ),
    Option(
        Param("date", ParamType.INT, "year and month of the scenario: 194406", minimum=0),
        default=0,
        rules=("ASL-NAT-GER", "ASL-NAT-FFL"),
    ),
    Option(
        Param("commissar_rally", ParamType.INT, "what a commissar adds to a rally"),
        default=1,
        rules=("ASL-NAT-COM",),
    ),
    Option(
        Param("hidden_units", ParamType.BOOL, "either side may have hidden units"),
        default=False,
        rules=("ASL-HIP-1",),
    ),
    Option(
        Param("hand_to_hand", ParamType.BOOL, "close combat may be hand-to-hand"),
        default=False,
        rules=("ASL-CC-3",),
    ),
    Option(
        Param("interrogation", ParamType.BOOL, "prisoners are interrogated"),
        default=False,
        rules=("ASL-INTERRO-1",),
    ),
    Option(
        Param("beyond_ten_from_eleven", ParamType.BOOL, "odds above 10-1 begin at 11-1"),
        default=False,
        rules=("ASL-CC-2",),
    ),
    Option(
        Param("booby_traps", ParamType.CHOICE, "who may lay booby traps",
              choices=("", "attacker", "defender", "both")),
        default="",
        rules=("ASL-A12.154",),
    ),
)  # fmt: skip
DEFAULTS: Final[dict[str, Value]] = {option.param.name: option.default for option in OPTIONS}
