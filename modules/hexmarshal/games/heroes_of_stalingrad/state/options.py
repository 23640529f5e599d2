"""The switches: readings of the book on which players differ."""

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
        "simultaneous_orders",
        "both sides place their order tokens at the same time",
        "HOS-2.9",
    ),
    _choice(
        "corners",
        ("less", "more"),
        "which of two cells counts where a line passes exactly between them: the less blocking or "
        "the more blocking one",
        "HOS-2.73",
    ),
    _choice(
        "panzer_front",
        ("text", "label"),
        "whether the Panzer III has the front defence of the text, 9, or of its label, 8",
        "HOS-2.79",
    ),
    _choice(
        "disturbing",
        ("equal", "above"),
        "whether disturbing fire succeeds with the number printed, or only above it",
        "HOS-5.22",
    ),
    _flag("sniper_range", "snipers suffer the penalty of long range", "HOS-5.20"),
    _flag("location_suppressed", "Suppressed counts on location rolls", "HOS-2.89"),
    _choice(
        "building_cover",
        ("building", "room"),
        "whether a firer in another room of the same building takes the building's bonus away, or "
        "only one in the same room",
        "HOS-3.12",
    ),
    _choice(
        "forced_active",
        ("flip", "destroyed"),
        "whether a unit with movement X on its active face that is forced to move is flipped "
        "first, or destroyed",
        "HOS-2.52",
    ),
    _flag(
        "ram_into_zones",
        "a unit that is rammed or pushed away may enter an enemy zone of control",
        "HOS-2.45",
    ),
    _flag(
        "suppressed_is_null",
        "a movement that Suppressed markers lower to 0 counts as null for ramming",
        "HOS-2.45",
    ),
    _flag(
        "immobilised_null_move",
        "an immobilised unit may still make a null move: turn or change state",
        "HOS-2.33",
        default=True,
    ),
    _flag("ambush_zone", "units in ambush have a zone of control", "HOS-2.60"),
    _choice(
        "battle_plan",
        ("once", "each_turn"),
        "whether a Battle Plan gives one special order in the game, or one each turn",
        "HOS-8.10",
    ),
    _choice(
        "bluff_option",
        ("bluff", "order"),
        "whether the Bluff ordinance gives a bluff token (text) or a numbered one (caption)",
        "HOS-8.10",
    ),
    _choice(
        "boarding",
        ("cell", "free"),
        "whether to board a vehicle costs one cell of movement, or nothing",
        "HOS-5.91",
    ),
    _flag("crush_by_light", "light vehicles crush wrecks as well", "HOS-2.46"),
    _flag(
        "vehicles_pass",
        "vehicles of two cells may drive through friendly vehicles",
        "HOS-2.43",
    ),
    _flag(
        "pushed_suppressed",
        "a unit that a pushed wreck drives away gets a Suppressed marker, as a rammed one does",
        "HOS-2.49",
    ),
    _flag("inspires_itself", "Inspiration helps the inspiring unit too", "HOS-5.81", default=True),
    _flag(
        "ejected_near_vehicles",
        "passengers of a destroyed vehicle may go beside enemy vehicles, whose zones others ignore",
        "HOS-5.94",
        default=True,
    ),
)
DEFAULTS: FrozenMap[Value] = FrozenMap({option.param.name: option.default for option in OPTIONS})
