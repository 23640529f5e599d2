"""The table of actions: of each its parameters, its place, its check and what it does."""

from __future__ import annotations

from hexmarshal.games.kharkov.rules import apply, check, combat_offers, likely, offers
from hexmarshal.rules.action import ActionTable, ActionType, Param, ParamType
from hexmarshal.rules.choosing.slots import by_slot

__all__ = ["ACTIONS", "CELL", "UNIT", "UNITS", "flag"]

OPEN = ("",)
MOVEMENT = ("soviet_movement", "axis_movement", "mechanised_movement")
MAIN_MOVEMENT = ("soviet_movement", "axis_movement")
COMBAT = ("soviet_combat", "axis_combat")

UNIT = Param("unit", ParamType.UNIT, "the unit")
UNITS = Param("units", ParamType.UNITS, "the units, all in one hex", fewest=1)
PATH = Param("path", ParamType.PATH, "the hexes entered, in order", fewest=1)
CELL = Param("cell", ParamType.CELL, "the hex")


def flag(name: str, doc: str, *, required: bool = False) -> Param:
    """A parameter that is true or false."""
    return Param(name, ParamType.BOOL, doc, required=required)


ACTIONS = ActionTable(
    [
        ActionType(
            "end_phase",
            "End of the phase",
            rules=("KHA-4.1",),
            states=OPEN,
            check=check.end_phase,
            apply=apply.end_phase,
        ),
        ActionType(
            "deploy",
            "Set up a unit",
            (
                UNIT,
                Param(
                    "group", ParamType.TEXT, "the line of the set-up: A-B, 1808/0", required=False
                ),
                CELL,
            ),
            "Places a unit that is not set up yet, or another time one that is.",
            ("KHA-5.0-P", "KHA-5.2", "KHA-5.3"),
            phases=("setup_axis", "setup_soviet"),
            check=check.deploy,
            apply=apply.deploy,
            candidates=by_slot(unit=offers.own, group=offers.lines, cell=offers.set_up_hexes),
            listed=by_slot(unit=offers.not_set_up, group=offers.listed_lines),
        ),
        ActionType(
            "commit",
            "Reserve commitment",
            (UNIT, CELL),
            "Brings a unit of a reserve onto the map, within 2 hexes of its marker.",
            ("KHA-6.73", "KHA-6.74", "KHA-6.75"),
            states=("", "alarm_placement"),
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
                Param(
                    "hq", ParamType.UNIT, "the Soviet headquarters that leads it", required=False
                ),
            ),
            "For 3 MP attacks an adjacent hex in the course of movement.",
            ("KHA-7.0-P", "KHA-7.12", "KHA-7.17"),
            states=OPEN,
            check=check.run_over,
            apply=apply.run_over,
            candidates=by_slot(
                units=offers.beside_enemies, target=offers.beside("units"), hq=offers.leaders
            ),
            likely=by_slot(
                units=likely.overrunners, target=likely.overrun_hexes, hq=likely.leaders
            ),
            listed=by_slot(units=offers.stacks_beside_enemies),
        ),
        ActionType(
            "enter",
            "Reinforcements",
            (UNITS, flag("rail", "they come by rail"), PATH),
            "Brings reinforcements onto the map; the first hex of the path is on the edge.",
            ("KHA-16.0", "KHA-16.1", "KHA-16.21", "KHA-16.22"),
            phases=MAIN_MOVEMENT,
            states=OPEN,
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
            check=check.pursue,
            apply=apply.pursue,
            candidates=by_slot(unit=offers.pursuers),
        ),
        ActionType(
            "end_pursuit",
            "No (more) pursuit",
            rules=("KHA-6.62",),
            states=("pursuit",),
            apply=apply.end_pursuit,
        ),
        ActionType(
            "alarm",
            "Alarm of a reserve",
            (flag("accept", "whether the whole reserve is committed", required=True),),
            "An Axis unit came near a reserve: the Soviet player may commit it at once.",
            ("KHA-6.75",),
            states=("alarm",),
            apply=apply.alarm,
        ),
        ActionType(
            "break_down",
            "Breakdown",
            (UNIT,),
            "Regiments take the place of a German infantry division.",
            ("KHA-15.1", "KHA-15.11", "KHA-15.13", "KHA-15.15"),
            phases=("setup_axis", "axis_movement"),
            states=OPEN,
            check=check.break_down,
            apply=apply.break_down,
            candidates=by_slot(unit=offers.divisions),
            likely=by_slot(unit=likely.breaking_down),
        ),
        ActionType(
            "recombine",
            "Recombination",
            (UNITS, Param("division", ParamType.UNIT, "the division that they form")),
            "Regiments of one hex become a division again.",
            ("KHA-15.12",),
            phases=("setup_axis", "axis_movement"),
            states=OPEN,
            check=check.recombine,
            apply=apply.recombine,
            candidates=by_slot(units=offers.more_of("units"), division=offers.broken_down),
            likely=by_slot(units=likely.regiments, division=likely.divisions),
            listed=by_slot(units=offers.regiments),
        ),
        ActionType(
            "dig_in",
            "Strongpoint",
            (UNIT,),
            "A regiment alone in its hex forms a strongpoint.",
            ("KHA-15.21", "KHA-15.22"),
            phases=("axis_movement",),
            states=OPEN,
            check=check.dig_in,
            apply=apply.dig_in,
            candidates=by_slot(unit=offers.single_regiments),
            likely=by_slot(unit=likely.diggers),
        ),
        ActionType(
            "attack",
            "Attack",
            (
                Param("attackers", ParamType.UNITS, "the attacking units", fewest=1),
                Param("targets", ParamType.CELLS, "the hexes attacked, usually one", fewest=1),
                flag("air", "spend an air point"),
            ),
            "Units attack the enemies in one adjacent hex or several.",
            ("KHA-9.11", "KHA-9.14", "KHA-9.15", "KHA-9.23", "KHA-13.13"),
            phases=COMBAT,
            states=OPEN,
            check=check.attack,
            apply=apply.attack,
            candidates=by_slot(
                attackers=combat_offers.more_attackers, targets=offers.beside("attackers")
            ),
            likely=by_slot(attackers=likely.attackers, targets=likely.targets),
            listed=by_slot(
                attackers=combat_offers.attackers,
                targets=combat_offers.targets,
                air=combat_offers.with_air_or_not,
            ),
        ),
        ActionType(
            "air_defence",
            "Air point of the defender",
            (flag("use", "whether to spend one", required=True),),
            rules=("KHA-13.12",),
            states=("air_defence",),
            check=check.air_defence,
            apply=apply.air_defence,
        ),
        ActionType(
            "take_losses",
            "Step losses",
            (
                Param(
                    "units",
                    ParamType.UNITS,
                    "for each step, the unit that loses it",
                    ordered=True,
                    fewest=1,
                ),
            ),
            rules=("KHA-9.56", "KHA-9.57"),
            states=("result",),
            check=check.take_losses,
            apply=apply.take_losses,
            candidates=by_slot(units=combat_offers.losers),
            listed=by_slot(units=combat_offers.step_losses),
        ),
        ActionType(
            "retreat",
            "Retreat",
            (UNITS, Param("path", ParamType.PATH, "the way; empty: off the map, and eliminated")),
            rules=("KHA-9.56", "KHA-9.61", "KHA-9.63", "KHA-9.64"),
            states=("result", "retreat"),
            check=check.fall_back,
            apply=apply.fall_back,
            candidates=by_slot(units=combat_offers.more_retreaters),
            likely=by_slot(path=likely.ways_back),
            listed=by_slot(units=combat_offers.retreaters, path=combat_offers.ways_back),
        ),
        ActionType(
            "displace",
            "Displacement",
            (UNIT, CELL),
            "The headquarters goes to one of the nearest friendly units.",
            ("KHA-10.17",),
            states=("displacement",),
            check=check.displace,
            apply=apply.displace,
            candidates=by_slot(unit=combat_offers.displaced, cell=combat_offers.nearest_friends),
        ),
        ActionType(
            "advance",
            "Advance after combat",
            (UNITS, PATH),
            rules=("KHA-9.71", "KHA-9.72", "KHA-9.74", "KHA-9.75"),
            states=("advance",),
            check=check.follow,
            apply=apply.follow,
            candidates=by_slot(units=combat_offers.more_advancers),
            likely=by_slot(path=likely.ways_on),
            listed=by_slot(units=combat_offers.advancers, path=combat_offers.ways_on),
        ),
        ActionType(
            "end_advance",
            "No (more) advance",
            rules=("KHA-9.73",),
            states=("advance",),
            check=check.end_advance,
            apply=apply.end_advance,
        ),
        ActionType(
            "air_supply",
            "Air supply",
            (CELL,),
            "An unused Axis air point supplies a hex for the next game turn.",
            ("KHA-13.2",),
            phases=("air_support",),
            states=OPEN,
            check=check.air_supply,
            apply=apply.air_supply,
            candidates=by_slot(cell=combat_offers.axis_hexes),
        ),
        ActionType(
            "remove_excess",
            "Remove an excess unit",
            (UNIT,),
            "Where more than three units are in a hex, the owner chooses who goes.",
            ("KHA-8.1",),
            states=OPEN,
            check=check.remove_excess,
            apply=apply.remove_excess,
            candidates=by_slot(unit=offers.crowded),
            likely=by_slot(unit=offers.crowded),
        ),
    ]
)
