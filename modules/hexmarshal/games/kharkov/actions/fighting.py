"""Attacks, and what comes of them: losses, retreats, displacement, advances."""

from __future__ import annotations

from typing import Final

from hexmarshal.games.kharkov.actions.words import CELL, COMBAT, OPEN, PATH, UNIT, UNITS, flag
from hexmarshal.games.kharkov.rules import apply, check, combat_offers, likely, offers
from hexmarshal.rules.action import ActionType, Param, ParamType
from hexmarshal.rules.choosing.slots import by_slot

__all__ = ["FIGHTING"]

FIGHTING: Final = (
    ActionType(
        "attack",
        "Attack",
        (
            Param("attackers", ParamType.UNITS, "the attacking units", fewest=1),
            Param("targets", ParamType.CELLS, "the hexes attacked, usually one", fewest=1),
            Param(
                "air",
                ParamType.BOOL,
                "spend an air point",
                required=False,
                said={"yes": "with an air point", "no": "without an air point"},
                words=("air", "plane", "planes", "aircraft", "bombers", "stukas"),
            ),
        ),
        "Units attack the enemies in one adjacent hex or several.",
        ("KHA-9.11", "KHA-9.14", "KHA-9.15", "KHA-9.23", "KHA-13.13"),
        phases=COMBAT,
        states=OPEN,
        words=("attack", "assault", "strike struck"),
        sentence="attack by {attackers} on {targets}[, {air}]",
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
        (
            flag(
                "use",
                "whether to spend one",
                "an air point for the defender",
                "no air point for the defender",
                required=True,
            ),
        ),
        rules=("KHA-13.12",),
        states=("air_defence",),
        sentence="{use}",
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
        sentence="steps lost by {units}",
        check=check.take_losses,
        apply=apply.take_losses,
        candidates=by_slot(units=combat_offers.losers),
        listed=by_slot(units=combat_offers.step_losses),
    ),
    ActionType(
        "retreat",
        "Retreat",
        (
            UNITS,
            Param(
                "path",
                ParamType.PATH,
                "the way; empty: off the map, and eliminated",
                said={"": "off the map", "*": "by {}"},
            ),
        ),
        rules=("KHA-9.56", "KHA-9.61", "KHA-9.63", "KHA-9.64"),
        states=("result", "retreat"),
        sentence="retreat of {units} {path}",
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
        sentence="displacement of {unit} to {cell}",
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
        sentence="advance of {units} into {path}",
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
        sentence="no (more) advance after combat",
        check=check.end_advance,
        apply=apply.end_advance,
    ),
)
