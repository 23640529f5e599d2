"""Movement: reserves, marches, railways, overruns, arrivals, disengagement and pursuit."""

from __future__ import annotations

from typing import Final

from hexmarshal.games.kharkov.actions.words import (
    CELL,
    MAIN_MOVEMENT,
    MOVEMENT,
    OPEN,
    PATH,
    UNIT,
    UNITS,
    flag,
)
from hexmarshal.games.kharkov.rules import apply, check, likely, offers
from hexmarshal.rules.action import ActionType, Param, ParamType
from hexmarshal.rules.choosing.slots import by_slot

__all__ = ["MOVING"]

MOVING: Final = (
    ActionType(
        "commit",
        "Reserve commitment",
        (UNIT, CELL),
        "Brings a unit of a reserve onto the map, within 2 hexes of its marker.",
        ("KHA-6.73", "KHA-6.74", "KHA-6.75"),
        states=("", "alarm_placement"),
        sentence="{unit} of a reserve committed in {cell}",
        check=check.commit,
        apply=apply.commit,
        candidates=by_slot(unit=offers.in_reserve, cell=offers.reserve_hexes),
    ),
    ActionType(
        "move",
        "Movement",
        (UNITS, PATH),
        "Moves a unit, or units of one hex together. While no other unit is touched, the same "
        "group may go on from where it is.",
        ("KHA-6.0-P", "KHA-6.11", "KHA-6.22", "KHA-6.23", "KHA-6.24", "KHA-6.25", "KHA-8.1"),
        phases=MOVEMENT,
        states=OPEN,
        sentence="move of {units}: {path}",
        check=check.move,
        apply=apply.move,
        candidates=by_slot(units=offers.more_of("units")),
        likely=by_slot(units=likely.movers, path=likely.steps),
        listed=by_slot(units=offers.stacks, path=offers.reach),
    ),
    ActionType(
        "rail",
        "Rail movement",
        (UNIT, PATH),
        "Moves a unit along its side's railways.",
        ("KHA-6.41", "KHA-6.42", "KHA-6.43", "KHA-6.44", "KHA-6.45"),
        phases=MOVEMENT,
        states=OPEN,
        sentence="rail movement of {unit}: {path}",
        check=check.ride,
        apply=apply.ride,
        candidates=by_slot(unit=offers.riders),
        likely=by_slot(unit=likely.riders, path=likely.along_the_line),
        listed=by_slot(path=offers.rides),
    ),
    ActionType(
        "overrun",
        "Overrun",
        (
            UNITS,
            Param("target", ParamType.CELL, "the hex overrun"),
            Param("hq", ParamType.UNIT, "the Soviet headquarters that leads it", required=False),
        ),
        "For 3 MP attacks an adjacent hex in the course of movement.",
        ("KHA-7.0-P", "KHA-7.12", "KHA-7.17"),
        states=OPEN,
        words=("overrun overran",),
        sentence="overrun of {target} by {units}[, led by {hq}]",
        check=check.run_over,
        apply=apply.run_over,
        candidates=by_slot(
            units=offers.beside_enemies, target=offers.beside("units"), hq=offers.leaders
        ),
        likely=by_slot(units=likely.overrunners, target=likely.overrun_hexes, hq=likely.leaders),
        listed=by_slot(units=offers.stacks_beside_enemies),
    ),
    ActionType(
        "enter",
        "Reinforcements",
        (UNITS, flag("rail", "they come by rail", "by rail", "not by rail"), PATH),
        "Brings reinforcements onto the map; the first hex of the path is on the edge.",
        ("KHA-16.0", "KHA-16.1", "KHA-16.21", "KHA-16.22"),
        phases=MAIN_MOVEMENT,
        states=OPEN,
        sentence="reinforcements {units} enter: {path}[, {rail}]",
        check=check.enter,
        apply=apply.enter,
        candidates=by_slot(units=offers.more_arrivals, path=offers.ways_in),
        likely=by_slot(path=likely.ways_in),
        listed=by_slot(
            units=offers.single_arrivals, rail=offers.by_rail_or_not, path=offers.entries
        ),
    ),
    ActionType(
        "disengage",
        "Tactical disengagement",
        (UNITS, CELL),
        "German units leave an enemy zone of control for 3 MP; then they may move on.",
        ("KHA-6.6", "KHA-6.61", "KHA-6.64"),
        phases=("axis_movement", "mechanised_movement"),
        states=OPEN,
        sentence="tactical disengagement of {units} to {cell}",
        check=check.disengage,
        apply=apply.disengage,
        candidates=by_slot(units=offers.in_enemy_zones, cell=offers.beside("units")),
        likely=by_slot(units=likely.leavers, cell=likely.ways_off),
        listed=by_slot(units=offers.stacks),
    ),
    ActionType(
        "pursue",
        "Pursuit",
        (UNIT,),
        "A Soviet unit occupies the hex that disengaging units left.",
        ("KHA-6.62",),
        states=("pursuit",),
        sentence="pursuit by {unit}",
        check=check.pursue,
        apply=apply.pursue,
        candidates=by_slot(unit=offers.pursuers),
    ),
    ActionType(
        "end_pursuit",
        "No (more) pursuit",
        rules=("KHA-6.62",),
        states=("pursuit",),
        sentence="no (more) pursuit",
        apply=apply.end_pursuit,
    ),
    ActionType(
        "alarm",
        "Alarm of a reserve",
        (
            flag(
                "accept",
                "whether the whole reserve is committed",
                "the reserve is committed on alarm",
                "no reserve committed on alarm",
                required=True,
            ),
        ),
        "An Axis unit came near a reserve: the Soviet player may commit it at once.",
        ("KHA-6.75",),
        states=("alarm",),
        sentence="{accept}",
        apply=apply.alarm,
    ),
)
