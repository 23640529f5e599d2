"""Actions of movement, transport, fortifications and hiding."""

from hexmarshal.games.conflict_of_heroes.actions.words import (
    CAP,
    FACING,
    FORT,
    HOW,
    LEG,
    LUCK,
    OCCUPY,
    OWN_GO,
    PAYING,
    PLAY,
    TOP_UP,
    UNIT,
    UNITS,
    likely,
    slots,
)
from hexmarshal.games.conflict_of_heroes.rules.candidates import acting, means, moving, paying
from hexmarshal.games.conflict_of_heroes.rules.candidates import likely as quick
from hexmarshal.games.conflict_of_heroes.rules.movement import moves, transport
from hexmarshal.games.conflict_of_heroes.rules.offers import of_kind
from hexmarshal.games.conflict_of_heroes.rules.terrain import concealment, fortifications
from hexmarshal.rules.action import ActionType, Param, ParamType

__all__ = [
    "DIG_IN",
    "GROUP_MOVE",
    "HIDE",
    "LEAVE",
    "LOAD",
    "MOVE",
    "OBSTACLE",
    "PIVOT",
    "SHIFT",
    "UNLOAD",
]

MOVE = ActionType(
    "move",
    "Move",
    (
        UNIT,
        *PAYING,
        HOW,
        Param("path", ParamType.PATH, "the hexes entered, in order"),
        FACING,
        OCCUPY,
        FORT,
        CAP,
        LUCK,
        TOP_UP,
    ),
    doc="One hex; vehicles more where they have free hexes.",
    rules=("COH-5.0a", "COH-14.0a"),
    phases=PLAY,
    states=OWN_GO,
    check=moves.check_move,
    apply=moves.apply_move,
    candidates=slots(
        mode=moving.modes,
        path=moving.first_hexes,
        facing=moving.facings_after,
        occupy=moving.occupying,
        fort=moving.forts,
    ),
    likely=likely(unit=quick.movers, path=quick.steps),
    offers=of_kind("move"),
)
PIVOT = ActionType(
    "pivot",
    "Pivot",
    (UNIT, *PAYING, Param("facing", ParamType.FACING, "the new facing"), TOP_UP),
    rules=("COH-5.3a",),
    phases=PLAY,
    states=OWN_GO,
    check=moves.check_move,
    apply=moves.apply_move,
    candidates=slots(facing=moving.other_facings),
    likely=likely(unit=quick.turners),
    offers=of_kind("pivot"),
)
DIG_IN = ActionType(
    "dig_in",
    "Build hasty defences",
    (*PAYING, UNITS, TOP_UP),
    rules=("COH-18.1.3a",),
    phases=PLAY,
    states=OWN_GO,
    check=fortifications.check_dig_in,
    apply=fortifications.apply_dig_in,
    candidates=slots(by=paying.ways_for(acting.together), units=acting.together),
    likely=likely(by=means.ways_for(quick.diggers_by), units=quick.diggers),
    offers=of_kind("dig_in"),
)
HIDE = ActionType(
    "hide",
    "Go into hiding",
    (
        *PAYING,
        UNITS,
        Param("cells", ParamType.CELLS, "a hex for each unit", ordered=True),
        TOP_UP,
    ),
    rules=("COH-10.2a",),
    phases=PLAY,
    states=OWN_GO,
    check=concealment.check_hide,
    apply=concealment.apply_hide,
    candidates=slots(
        by=paying.ways_for(acting.light_ones),
        units=acting.light_ones,
        cells=acting.hiding_places,
    ),
    likely=likely(
        by=means.ways_for(quick.hiders_by), units=quick.hiders, cells=quick.hiding_places
    ),
    offers=of_kind("hide"),
)
SHIFT = ActionType(
    "shift",
    "Enter or leave a fortification",
    (UNIT, *PAYING, FORT, FACING, TOP_UP),
    doc="Within the hex: in if the unit is out, out if it is in.",
    rules=("COH-18.2a",),
    phases=PLAY,
    states=OWN_GO,
    check=fortifications.check_shift,
    apply=fortifications.apply_shift,
    candidates=slots(unit=acting.at_forts, fort=moving.forts, facing=moving.every_facing),
    likely=likely(unit=quick.at_forts),
    offers=of_kind("shift"),
)
LOAD = ActionType(
    "load",
    "Load or hitch",
    (Param("vehicle", ParamType.UNIT, "who carries or tows"), *PAYING, UNITS, TOP_UP),
    rules=("COH-17.0b",),
    phases=PLAY,
    states=OWN_GO,
    check=transport.check_load,
    apply=transport.apply_load,
    candidates=slots(vehicle=acting.empty_vehicles, units=acting.to_load),
    likely=likely(),
    offers=of_kind("load"),
)
UNLOAD = ActionType(
    "unload",
    "Unload or unhitch",
    (
        Param("vehicle", ParamType.UNIT, "who carries or tows"),
        *PAYING,
        UNITS,
        FACING,
        TOP_UP,
    ),
    rules=("COH-17.0c",),
    phases=PLAY,
    states=OWN_GO,
    check=transport.check_unload,
    apply=transport.apply_unload,
    candidates=slots(
        vehicle=acting.full_vehicles,
        units=acting.aboard,
        facing=moving.every_facing,
    ),
    likely=likely(),
    offers=of_kind("unload"),
)
LEAVE = ActionType(
    "leave",
    "Leave the map",
    (UNIT, *PAYING, TOP_UP),
    rules=("COH-5.6a",),
    phases=PLAY,
    states=OWN_GO,
    check=moves.check_leave,
    apply=moves.apply_leave,
    candidates=slots(unit=acting.at_exits),
    likely=likely(unit=quick.at_exits),
    offers=of_kind("leave"),
)
OBSTACLE = ActionType(
    "obstacle",
    "Pay for an obstacle, or stay",
    (Param("pay", ParamType.BOOL, "pay and enter"), TOP_UP),
    rules=("COH-18.3.1b",),
    states=("obstacle",),
    check=moves.check_obstacle,
    apply=moves.apply_obstacle,
    candidates=slots(),
    offers=of_kind("obstacle"),
)
GROUP_MOVE = ActionType(
    "group_move",
    "Group move",
    (
        *PAYING,
        Param(
            "moves",
            ParamType.LIST,
            "the units and their ways",
            items=Param("move", ParamType.RECORD, "a unit and its way", fields=LEG),
            grows=True,
            fewest=2,
        ),
        CAP,
        LUCK,
        TOP_UP,
    ),
    rules=("COH-9.1.1a",),
    phases=PLAY,
    states=OWN_GO,
    check=moves.check_move,
    apply=moves.apply_move,
    candidates=slots(moves=moving.entries),
    likely=likely(by=means.ways_for(quick.marchers_by, fewest=2), moves=quick.entries),
)
