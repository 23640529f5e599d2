"""Too many dice and too few, dice that come before the words, and who it is that speaks."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from dataclasses import replace

import kharkov_table as kharkov

from hexmarshal.referee.check.findings import Certainty, CheckReport, Entry, Status
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine

ATTACK = kharkov.MAKE("attack", "soviet", attackers=["grd-1"], targets=["0615"])
NO_AIR = kharkov.MAKE("air_defence", "axis", use=False)


def in_combat() -> Recorder:
    return kharkov.game(replace(engine.start(kharkov.PLUGIN, "training"), phase="soviet_combat"))


def declared() -> Recorder:
    """An attack for which two dice are due."""
    log = in_combat()
    log.announce(ATTACK)
    log.announce(NO_AIR)
    return log


def rolls(report: CheckReport) -> list[Entry]:
    return [entry for entry in report.entries if entry.kind == "roll"]


def combat(report: CheckReport) -> Entry:
    return next(entry for entry in report.entries if entry.kind == "air_defence")


@pytest.mark.parametrize("dice", [[(4, 3, 2)], [(4, 3), (2,)], [(4,), (3,), (2,)]])
def test_a_die_too_many_is_likely_wrong_by_the_rule_that_asks_for_two(
    dice: list[tuple[int, ...]],
) -> None:
    log = declared()
    for values in dice:
        log.roll(6, *values, side="axis")
    log.say("well", "axis")
    log.drag(["tnk-02"], ["0813"])
    report = kharkov.checked(log)
    assert combat(report).dice == (4, 3)
    (more,) = rolls(report)
    assert (more.status, more.certainty, more.dice) == (Status.VIOLATION, Certainty.LIKELY, (2,))
    assert [(v.rule, v.text) for v in more.violations] == [
        ("KHA-9.4", "3 dice were rolled here, and 2 are due")
    ]


def test_dice_that_come_later_may_be_for_anything() -> None:
    log = declared()
    log.roll(6, 4, 3, side="axis")
    log.say("who shall bring the coffee?", "axis")
    log.roll(6, 2, side="soviet")
    log.drag(["tnk-02"], ["0813"])
    (coffee,) = rolls(kharkov.checked(log))
    assert coffee.status is Status.UNKNOWN


def test_one_die_where_two_are_due_is_likely_wrong() -> None:
    log = declared()
    log.roll(6, 4, side="axis")
    log.announce(kharkov.MAKE("attack", "soviet", attackers=["tnk-02"], targets=["0914"]))
    found = combat(kharkov.checked(log))
    assert (found.status, found.certainty) == (Status.VIOLATION, Certainty.LIKELY)
    assert [(v.rule, v.text) for v in found.violations] == [
        ("KHA-9.4", "1 die was rolled for it, and 2 are due: Soviet morale, the combat")
    ]


def test_dice_may_be_rolled_before_it_is_said_what_for() -> None:
    log = in_combat()
    log.roll(6, 4, 3, side="axis")
    log.announce(ATTACK)
    report = kharkov.checked(log)
    assert not rolls(report)
    assert combat(report).dice == (4, 3)


def test_but_those_that_follow_count_if_there_are_any() -> None:
    log = in_combat()
    log.roll(6, 4, 3, side="axis")
    log.announce(ATTACK)
    log.roll(6, 1, 2, side="axis")
    report = kharkov.checked(log)
    assert combat(report).dice == (1, 2)
    assert {entry.status for entry in rolls(report)} == {Status.UNKNOWN}


def test_an_action_is_of_the_side_whose_units_it_names_whoever_says_it() -> None:
    log = in_combat()
    log.say("[attack] grd-1 -> 0615", "axis")
    (attack,) = kharkov.checked(log).entries
    assert (attack.side, attack.status) == ("soviet", Status.LEGAL)
