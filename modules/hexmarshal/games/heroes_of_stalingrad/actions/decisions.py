"""Answers to what play waits for: retreats, forced movement, ruins, dice."""

from hexmarshal.games.heroes_of_stalingrad.actions.words import ACTIVATION, UNIT
from hexmarshal.games.heroes_of_stalingrad.rules.assault import outcome, resolve
from hexmarshal.games.heroes_of_stalingrad.rules.cards import windows
from hexmarshal.games.heroes_of_stalingrad.rules.damage import location, structures
from hexmarshal.games.heroes_of_stalingrad.rules.movement import forced
from hexmarshal.rules.action import ActionType, Param, ParamType

__all__ = ["DECISIONS"]

CELL = Param("cell", ParamType.CELL, "where it goes")

DECISIONS = (
    ActionType(
        "displace",
        "Forced movement",
        (CELL,),
        "The owner chooses where a unit goes that is driven away.",
        ("HOS-2.44", "HOS-2.49", "HOS-5.5", "HOS-5.57", "HOS-5.94"),
        states=("displace",),
        sentence="forced movement to {cell}",
        check=forced.check,
        apply=forced.choose,
        candidates=forced.candidates,
    ),
    ActionType(
        "retreat",
        "Retreat",
        (
            CELL,
            Param(
                "card",
                ParamType.CARD,
                "a Surprise card, to go through a window",
                required=False,
                said="through a window with {}",
            ),
        ),
        "",
        ("HOS-5.52", "HOS-5.53", "HOS-6.5"),
        phases=ACTIVATION,
        states=("retreat",),
        sentence="retreat to {cell}",
        check=outcome.check,
        apply=outcome.choose,
        candidates=outcome.candidates,
    ),
    ActionType(
        "give_up",
        "No retreat",
        (),
        "The unit is destroyed.",
        ("HOS-5.52",),
        phases=ACTIVATION,
        states=("retreat",),
        sentence="no retreat",
        apply=outcome.give_up,
    ),
    ActionType(
        "redeploy",
        "Placed in a ruin",
        (UNIT, CELL),
        "",
        ("HOS-5.12",),
        states=("redeploy",),
        sentence="{unit} placed in the ruin {cell}",
        check=structures.check,
        apply=structures.deploy,
        candidates=structures.candidates,
    ),
    ActionType(
        "choose_location",
        "Good vibes",
        (Param("die", ParamType.INT, "one of the two dice", minimum=1, maximum=6),),
        "",
        ("HOS-5.71",),
        states=("location",),
        sentence="the die {die} chosen for the hit location",
        check=location.check,
        apply=location.choose,
        candidates=location.candidates,
    ),
    ActionType(
        "stand",
        "The assault is met",
        (),
        "",
        ("HOS-5.48",),
        phases=ACTIVATION,
        states=("defence",),
        sentence="the assault is met",
        apply=resolve.stand,
    ),
    ActionType(
        "keep_dice",
        "The dice stand",
        (),
        "",
        ("HOS-6.5",),
        states=("reroll",),
        sentence="no roll again",
        apply=windows.keep_dice,
    ),
    ActionType(
        "reroll",
        "Second chance",
        (Param("card", ParamType.CARD, "a card that lets one roll again"),),
        "",
        ("HOS-6.5", "HOS-6.1", "HOS-6.3"),
        states=("reroll",),
        sentence="roll again with {card}",
        check=windows.check_card,
        apply=windows.reroll_card,
        candidates=windows.card_candidates,
    ),
    ActionType(
        "veteran",
        "Veteran",
        (),
        "A marker lets one roll again.",
        ("HOS-8.9",),
        states=("reroll",),
        sentence="roll again with a Veteran marker",
        check=windows.check_veteran,
        apply=windows.reroll_veteran,
    ),
)
