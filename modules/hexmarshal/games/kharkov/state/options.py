"""The switches: readings of the book on which players differ."""

from __future__ import annotations

from hexmarshal.kit.options import choice, defaults, switch

__all__ = ["DEFAULTS", "OPTIONS"]


OPTIONS = (
    switch("free_setup", "the players set up by the groups of section 5", "KHA-5.0-P"),
    switch("setup_depth", "units may start one hex behind the line", "KHA-5.14", "KHA-18.1"),
    choice(
        "zoc_stop",
        ("turn", "phase"),
        "how long a unit that entered an enemy zone of control stays put",
        "KHA-6.23",
    ),
    choice(
        "unsupplied",
        ("phase", "turn"),
        "whether the halved allowance is judged anew for the mechanised phase or lasts all turn",
        "KHA-6.26",
        "KHA-11.41",
    ),
    switch(
        "road_bridges",
        "a road carries units over a river without the river's extra cost",
        "KHA-6.3",
        default=True,
    ),
    choice("cavalry", ("other", "infantry"), "the class of movement of cavalry", "KHA-6.3"),
    switch("disengagement_terrain", "the 3 MP come on top of the terrain", "KHA-6.6"),
    switch("disengagement_mechanised", "also in the Mechanised Movement Phase", "KHA-6.61"),
    choice(
        "reserve_distance",
        ("nearer", "within"),
        "whether 3 hexes from an Axis unit are still far enough for a reserve marker",
        "KHA-6.72",
        "KHA-6.75",
    ),
    switch(
        "first_turn_alarm",
        "an Axis unit that comes near alarms a reserve on turn 1 too",
        "KHA-4.2.A1",
        "KHA-6.75",
        default=True,
    ),
    choice(
        "reserve_marker",
        ("blocks", "displaced"),
        "whether a marker bars its hex to the Axis, or gives way as a headquarters does",
        "KHA-6.71",
    ),
    choice(
        "reserve_limit",
        ("turn", "reserve", "both_turns"),
        "what the 3 units of turns 2 and 3 count: each turn, each reserve and turn, both turns",
        "KHA-6.74",
    ),
    choice(
        "sleepers",
        ("anyone", "began"),
        "who sleeps in the southern sector: every Axis unit there, or those that began there",
        "KHA-6.51",
    ),
    switch(
        "overrun_activates",
        "an overrun of a southern unit wakes the southern sector like an attack",
        "KHA-6.52",
        default=True,
    ),
    switch("infiltrate_empty", "the first hex must be empty of friends too", "KHA-6.8"),
    switch("overrun_frees", "a unit that won an overrun may walk out of enemy zones", "KHA-7.25"),
    choice(
        "river_die",
        ("any", "every"),
        "of several hexes attacked, whether one across a river counts, or all must lie so",
        "KHA-9.33",
    ),
    switch(
        "dnieper_lines",
        "supply and communication lines cross the Dnieper where it has no bridge",
        "KHA-10.23",
        "KHA-11.1",
    ),
    choice(
        "minimum_one",
        ("always", "supply"),
        "whether no halving at all, or only lack of supply, leaves a unit at least 1",
        "KHA-11.43",
    ),
    choice(
        "wipeout_advance",
        ("two", "called"),
        "how far to advance when step losses wiped out the hex",
        "KHA-9.74",
        "KHA-9.75",
    ),
    choice(
        "hq_recovery",
        ("owner", "next"),
        "which disruption phase makes a displaced headquarters active",
        "KHA-10.17",
    ),
    choice(
        "romanian_hq",
        ("south", "start"),
        "when the Romanian headquarters becomes active: with the southern sector, or at once",
        "KHA-10.31",
    ),
    switch("mountain_breaks_down", "the mountain division as a light one", "KHA-15.11"),
    choice(
        "north_entry",
        ("fixed", "front"),
        "north of the map Germans enter west of the printed hex, or of all Soviet units there",
        "KHA-16.22",
    ),
    switch(
        "mixed_control",
        "a city may be held by garrisons in some hexes and by retaking the others",
        "KHA-17.11",
        default=True,
    ),
    switch("panzergrenadier_division", "counts 12 when destroyed whole", "KHA-17.25"),
)
DEFAULTS = defaults(OPTIONS)
