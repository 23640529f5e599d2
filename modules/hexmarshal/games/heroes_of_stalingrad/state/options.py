"""The switches: readings of the book on which players differ."""

from __future__ import annotations

from hexmarshal.kit.options import choice, defaults, switch

__all__ = ["DEFAULTS", "OPTIONS"]


OPTIONS = (
    switch(
        "simultaneous_orders",
        "both sides place their order tokens at the same time",
        "HOS-2.9",
        tacit=True,
    ),
    choice(
        "corners",
        ("less", "more"),
        "which of two cells counts where a line passes exactly between them: the less blocking or "
        "the more blocking one",
        "HOS-2.73",
    ),
    choice(
        "panzer_front",
        ("text", "label"),
        "whether the Panzer III has the front defence of the text, 9, or of its label, 8",
        "HOS-2.79",
    ),
    choice(
        "disturbing",
        ("equal", "above"),
        "whether disturbing fire succeeds with the number printed, or only above it",
        "HOS-5.22",
    ),
    switch("sniper_range", "snipers suffer the penalty of long range", "HOS-5.20"),
    switch("location_suppressed", "Suppressed counts on location rolls", "HOS-2.89"),
    choice(
        "building_cover",
        ("building", "room"),
        "whether a firer in another room of the same building takes the building's bonus away, or "
        "only one in the same room",
        "HOS-3.12",
    ),
    choice(
        "forced_active",
        ("flip", "destroyed"),
        "whether a unit with movement X on its active face that is forced to move is flipped "
        "first, or destroyed",
        "HOS-2.52",
    ),
    switch(
        "ram_into_zones",
        "a unit that is rammed or pushed away may enter an enemy zone of control",
        "HOS-2.45",
    ),
    switch(
        "suppressed_is_null",
        "a movement that Suppressed markers lower to 0 counts as null for ramming",
        "HOS-2.45",
    ),
    switch(
        "immobilised_null_move",
        "an immobilised unit may still make a null move: turn or change state",
        "HOS-2.33",
        default=True,
    ),
    switch("ambush_zone", "units in ambush have a zone of control", "HOS-2.60"),
    choice(
        "battle_plan",
        ("once", "each_turn"),
        "whether a Battle Plan gives one special order in the game, or one each turn",
        "HOS-8.10",
    ),
    choice(
        "bluff_option",
        ("bluff", "order"),
        "whether the Bluff ordinance gives a bluff token (text) or a numbered one (caption)",
        "HOS-8.10",
    ),
    choice(
        "boarding",
        ("cell", "free"),
        "whether to board a vehicle costs one cell of movement, or nothing",
        "HOS-5.91",
    ),
    switch("crush_by_light", "light vehicles crush wrecks as well", "HOS-2.46"),
    switch(
        "vehicles_pass",
        "vehicles of two cells may drive through friendly vehicles",
        "HOS-2.43",
    ),
    switch(
        "pushed_suppressed",
        "a unit that a pushed wreck drives away gets a Suppressed marker, as a rammed one does",
        "HOS-2.49",
    ),
    switch("inspires_itself", "Inspiration helps the inspiring unit too", "HOS-5.81", default=True),
    switch(
        "ejected_near_vehicles",
        "passengers of a destroyed vehicle may go beside enemy vehicles, whose zones others ignore",
        "HOS-5.94",
        default=True,
    ),
)
DEFAULTS = defaults(OPTIONS)
