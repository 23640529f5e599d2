"""Losses and retreats of Kharkov that are laid out when the game has gone on."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from dataclasses import replace

from kharkov_table import checked, game, start, turn_to

from hexmarshal.referee.check.findings import CheckReport
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules.values import FrozenMap

_KNOWN = {"rif-03": "2-2-6", "rif-04": "3-4-6", "rif-01": "3-3-6", "rif-02": "4-4-6"}


def combat() -> Recorder:
    """The rifles are known, and rif-03 and rif-04 lie beside the 294th."""
    here = start("soviet_combat", "soviet", rif_03="0314", rif_04="0413")
    for unit, ladder in _KNOWN.items():
        shown = FrozenMap({"ladder": (ladder,)})
        here = here.with_unit(replace(here.units[unit], values=shown))
    return game(here)


def roll(log: Recorder, *dice: int) -> None:
    for die in dice:
        log.roll(6, die, side="soviet")


def wrong(report: CheckReport) -> list[tuple[str, str, str]]:
    return [
        (entry.certainty.value, entry.what, broken.rule)
        for entry in report.violations
        for broken in entry.violations
    ]


def beaten_off() -> Recorder:
    """rif-03 and rif-04 attack the 294th: A1, and both go back a hex, or lose a step."""
    log = combat()
    log.say("[soviet: attack] rif-03 rif-04 -> 0414", side="soviet")
    roll(log, 6, 6)
    return log


def turn_on(log: Recorder) -> None:
    log.show(replace(log.position, phase="axis_movement", active=("axis",)))


@pytest.mark.parametrize("text", ["A4 Soviet disruption", "B1 Axis initial movement"])
def test_who_was_beaten_off_goes_back_after_the_tracker(text: str) -> None:
    log = beaten_off()
    turn_to(log, text)
    log.drag(["rif-04"], ["0412"])
    log.drag(["rif-03"], ["0214"])
    turn_on(log)
    log.drag(["pz-6-3"], ["0915"])
    report = checked(log)
    assert wrong(report) == []
    assert [e.kind for e in report.entries].count("retreat") == 2


def test_who_never_goes_back_is_told_once_by_the_rule_of_his_result() -> None:
    log = beaten_off()
    turn_on(log)
    log.drag(["pz-6-3"], ["0915"])
    assert [(sure, rule) for sure, _, rule in wrong(checked(log))] == [("likely", "KHA-9.58")]


def test_who_goes_back_alone_leaves_the_other_to_be_told() -> None:
    log = beaten_off()
    turn_on(log)
    log.drag(["rif-04"], ["0412"])
    log.drag(["pz-6-3"], ["0915"])
    (found,) = checked(log).violations
    assert (found.kind, found.certainty.value) == ("air_defence", "likely")
    assert "rif-03" in found.units


def test_nobody_pays_in_the_next_turn() -> None:
    log = beaten_off()
    turn_on(log)
    later = replace(log.position, turn=2, phase="soviet_movement", active=("soviet",))
    log.show(later)
    log.drag(["rif-04"], ["0412"])
    log.drag(["hq-28"], ["0612"])
    assert [rule for *_, rule in wrong(checked(log))][:1] == ["KHA-9.58"]


@pytest.mark.parametrize("is_paid", [True, False])
def test_a_loss_after_the_tracker_belongs_to_its_combat_whatever_else_was_wrong(
    is_paid: bool,
) -> None:
    """Somebody was dragged in the combat phase before, as nobody may be."""
    log = combat()
    log.drag(["hq-28"], ["0612"])
    log.say("[soviet: attack] rif-03 rif-04 -> 0414", side="soviet")
    roll(log, 6, 6)
    turn_on(log)
    if is_paid:
        log.show(log.position.without_unit("rif-03"))
    log.drag(["pz-6-3"], ["0915"])
    rules = [rule for *_, rule in wrong(checked(log))]
    assert rules == ["KHA-4.1"] + ([] if is_paid else ["KHA-9.58"])


def test_steps_are_taken_off_one_by_one_on_both_sides_of_the_tracker() -> None:
    """D2: one step of the 294th in the combat phase, and one after it."""
    log = combat()
    log.say("[soviet: attack] rif-01 rif-02 -> 0414", side="soviet")
    roll(log, 4, 1)
    for _ in range(2):
        hurt = log.position.units["inf-294"]
        log.show(log.position.with_unit(replace(hurt, steps=hurt.steps - 1)))
        turn_on(log)
    log.drag(["pz-6-3"], ["0915"])
    assert wrong(checked(log)) == []
