"""Move Actions."""

from hexmarshal.games.heroes_of_stalingrad.actions.words import FACING, MOVES, PATH, PAUSE, UNIT
from hexmarshal.games.heroes_of_stalingrad.rules.movement import driving, march
from hexmarshal.rules.action import ActionType, Param, ParamType

__all__ = ["MOVING"]

ASSAULT = Param(
    "assault",
    ParamType.UNIT,
    "the enemy to be assaulted, announced now",
    required=False,
    said="to assault {}",
)
BOARD = Param(
    "board",
    ParamType.UNIT,
    "the vehicle boarded at the end",
    required=False,
    said="boarding {}",
)
STEPS = Param(
    "steps",
    ParamType.LIST,
    "ahead, back, left, right (about the front), left_rear, right_rear (about the rear)",
    grows=True,
    ordered=True,
    items=Param("step", ParamType.TEXT, "one step"),
    said={"": "no step"},
)

MOVING = (
    ActionType(
        "move",
        "Move Action",
        (
            UNIT,
            Param(
                "flip",
                ParamType.CHOICE,
                "the change of state, at the start or the end",
                required=False,
                choices=("start", "end"),
                said="turned over at the {}",
            ),
            ASSAULT,
            PATH,
            BOARD,
            FACING,
            PAUSE,
        ),
        "A unit of one cell; an assault ends with the step into the enemy's cell.",
        ("HOS-2.30", "HOS-2.31", "HOS-2.35", "HOS-2.63", "HOS-3.7", "HOS-5.1", "HOS-5.41"),
        phases=MOVES,
        states=("act", "reserve"),
        sentence="move of {unit}: {path}",
        check=march.check,
        apply=march.move,
        candidates=march.candidates,
        listed=march.listed,
    ),
    ActionType(
        "go_on",
        "The rest of a Move Action",
        (
            Param(
                "assault",
                ParamType.UNIT,
                "another target, for one that was destroyed on the way",
                required=False,
                said="to assault {}",
            ),
            PATH,
            Param(
                "flip",
                ParamType.CHOICE,
                "the change of state at the end",
                required=False,
                choices=("end",),
                said="turned over at the {}",
            ),
            BOARD,
            FACING,
            PAUSE,
        ),
        "An empty path ends the move.",
        ("HOS-2.30", "HOS-9.1", "HOS-5.41", "HOS-5.44"),
        phases=MOVES,
        states=("step",),
        sentence="the move goes on: {path}",
        check=march.check_on,
        apply=march.go_on_moving,
        candidates=march.on_candidates,
        listed=march.listed_on,
    ),
    ActionType(
        "drive",
        "Move Action of a vehicle of two cells",
        (
            UNIT,
            ASSAULT,
            Param(
                "push",
                ParamType.UNIT,
                "the wreck to be pushed, announced now",
                required=False,
                said="to push {}",
            ),
            STEPS,
            PAUSE,
        ),
        "",
        ("HOS-2.40", "HOS-2.41", "HOS-2.43", "HOS-2.47", "HOS-3.7"),
        phases=MOVES,
        states=("act", "reserve"),
        sentence="drive of {unit}: {steps}",
        check=driving.check,
        apply=driving.drive,
        candidates=driving.candidates,
        listed=driving.listed,
    ),
    ActionType(
        "drive_on",
        "The rest of a drive",
        (STEPS, PAUSE),
        "No steps end the move.",
        ("HOS-2.40", "HOS-9.1"),
        phases=MOVES,
        states=("step",),
        sentence="the drive goes on: {steps}",
        check=driving.check_on,
        apply=driving.drive_on,
        candidates=driving.on_candidates,
    ),
)
