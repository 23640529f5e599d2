"""Actions before the first turn: recruitment, deployment, scouts."""

from hexmarshal.games.heroes_of_stalingrad.actions.words import FACING, PATH, UNIT
from hexmarshal.games.heroes_of_stalingrad.rules.army import deployment, recruitment
from hexmarshal.rules.action import ActionType, Param, ParamType

__all__ = ["SETTING_UP"]

SETUP = ("setup",)

SETTING_UP = (
    ActionType(
        "recruit_tile",
        "Recruitment tile",
        (Param("tile", ParamType.TEXT, "a recruitment tile of the own army"),),
        "",
        ("HOS-8.1",),
        phases=SETUP,
        states=("recruit",),
        check=recruitment.check_tile,
        apply=recruitment.recruit_tile,
        candidates=recruitment.tile_candidates,
    ),
    ActionType(
        "recruit_option",
        "Recruitment option",
        (
            Param("option", ParamType.TEXT, "a recruitment option"),
            Param("of", ParamType.TEXT, "the tile in whose slot it goes"),
            Param("slot", ParamType.INT, "the slot, counted from 0", minimum=0, maximum=9),
        ),
        "",
        ("HOS-8.2", "HOS-8.3"),
        phases=SETUP,
        states=("recruit",),
        check=recruitment.check_option,
        apply=recruitment.recruit_option,
        candidates=recruitment.option_candidates,
    ),
    ActionType(
        "end_recruitment",
        "The army is complete",
        (),
        "",
        ("HOS-8.1",),
        phases=SETUP,
        states=("recruit",),
        check=recruitment.check_end,
        apply=recruitment.end,
    ),
    ActionType(
        "deploy",
        "Deployment",
        (
            UNIT,
            Param("cell", ParamType.CELL, "where; of a vehicle of two cells its front"),
            FACING,
            Param("flip", ParamType.BOOL, "on its other face", required=False),
        ),
        "",
        ("HOS-8.1", "HOS-5.1"),
        phases=SETUP,
        states=("deploy",),
        check=deployment.check_deploy,
        apply=deployment.deploy,
        candidates=deployment.candidates,
    ),
    ActionType(
        "deploy_aboard",
        "Deployment in a vehicle",
        (UNIT, Param("vehicle", ParamType.UNIT, "the transport")),
        "",
        ("HOS-5.90",),
        phases=SETUP,
        states=("deploy",),
        check=deployment.check_aboard,
        apply=deployment.deploy_aboard,
        candidates=deployment.candidates,
    ),
    ActionType(
        "end_deployment",
        "No more counters are placed",
        (),
        "Those that wait stay out of the game.",
        ("HOS-8.1",),
        phases=SETUP,
        states=("deploy",),
        apply=deployment.end_deployment,
    ),
    ActionType(
        "scout",
        "Scouting",
        (UNIT, PATH),
        "A free move before the first turn.",
        ("HOS-5.84",),
        phases=SETUP,
        states=("scout",),
        check=deployment.check_scout,
        apply=deployment.scout,
        candidates=deployment.scout_candidates,
    ),
    ActionType(
        "end_scouting",
        "No more scouting",
        (),
        "",
        ("HOS-5.84",),
        phases=SETUP,
        states=("scout",),
        apply=deployment.end_scouting,
    ),
)
