"""Legal games of sloppy people: nothing in them is certainly wrong."""

from __future__ import annotations

import os

import pytest

pytest.importorskip("resvg_py")

from dataclasses import replace

import kharkov_table
from game_table import table
from sloppy_log import sloppy

from hexmarshal.referee.check.findings import CheckReport
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine

DEEP = os.environ.get("HYPOTHESIS_PROFILE") == "deep"
GAMES = ("kharkov", "conflict_of_heroes", "traces_of_war", "heroes_of_stalingrad")


def check(game: str, seed: str, actions: int) -> CheckReport:
    played = table(game)
    log = sloppy(played, played.plugin.scenarios()[0].key, seed, actions=actions)
    return played.checked(log)


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_certain(game: str) -> None:
    for seed in range(100 if DEEP else 1):
        report = check(game, str(seed), 60 if DEEP else 20)
        certain = [entry for entry in report.entries if entry.is_certain_violation]
        assert certain == [], seed


@pytest.mark.parametrize(("game", "seed"), [("kharkov", "8"), ("kharkov", "10")])
def test_nothing_is_wrong(game: str, seed: str) -> None:
    assert list(check(game, seed, 20).violations) == []


def test_a_stack_goes_on_unit_by_unit() -> None:
    """Each by itself would have finished its movement when the other moved."""
    here = replace(engine.start(kharkov_table.PLUGIN, "training"), phase="soviet_movement")
    log = kharkov_table.game(here)
    log.drag(["grd-1"], ["0713", "0813"])
    log.drag(["rif-03"], ["0713", "0813"])
    log.drag(["grd-1"], ["0712", "0612"])
    log.drag(["rif-03"], ["0712", "0612"])
    assert list(kharkov_table.checked(log).violations) == []


def test_who_has_moved_does_not_go_on_after_others_of_other_stacks() -> None:
    here = replace(engine.start(kharkov_table.PLUGIN, "training"), phase="soviet_movement")
    log = kharkov_table.game(here)
    log.drag(["grd-1"], ["0713"])
    log.drag(["tnk-01"], ["0614"])
    log.drag(["grd-1"], ["0712"])
    (wrong,) = kharkov_table.checked(log).violations
    assert wrong.units == ("grd-1",)


def combat() -> Recorder:
    here = engine.start(kharkov_table.PLUGIN, "training").with_track("air-axis", 1)
    return kharkov_table.game(replace(here, phase="soviet_combat"))


def test_an_answer_said_after_the_dice_was_meant_before_them() -> None:
    log = combat()
    log.say("[soviet: attack] grd-1 rif-03 -> 0615", side="soviet")
    log.roll(6, 2, side="soviet")
    log.roll(6, 6, side="soviet")
    log.say("[axis: air_defence] yes", side="axis")
    (answer,) = [e for e in kharkov_table.checked(log).entries if e.kind == "air_defence"]
    assert (answer.what, answer.status, answer.dice) == ("[axis: air_defence] yes", "legal", (2, 6))


def test_an_answer_to_what_nobody_said_breaks_no_rule() -> None:
    log = combat()
    log.say("[axis: air_defence] no", side="axis")
    (said,) = kharkov_table.checked(log).entries
    assert (said.kind, said.certainty.value) == ("air_defence", "cannot tell")


@pytest.mark.parametrize("first", ["reg-01", "inf-71", "reg-03"])
def test_of_two_divisions_that_are_broken_down_that_is_recombined_which_comes(first: str) -> None:
    """Who puts a regiment away before he brings the division does not say which."""
    here = engine.start(kharkov_table.PLUGIN, "training")
    here = replace(here, phase="axis_movement", active=("axis",))
    for division in ("inf-294", "inf-71"):
        broken = kharkov_table.MAKE("break_down", "axis", unit=division)
        here = engine.perform(kharkov_table.PLUGIN, here, broken).position
    units = ["reg-01", "reg-02", "reg-03"]
    whole = kharkov_table.MAKE("recombine", "axis", units=units, division="inf-71")
    after = engine.perform(kharkov_table.PLUGIN, here, whole).position
    log = kharkov_table.game(here)
    for unit in dict.fromkeys((first, "inf-71", *units)):
        log.show(log.position.with_unit(after.units[unit]))
    log.drag(["sec-454"], ["0716"])
    report = kharkov_table.checked(log)
    assert [entry.units for entry in report.violations] == [("sec-454",)]
    assert [e.what for e in report.entries if e.kind == "recombine"] == [
        "in silence: [axis: recombine] reg-01 reg-02 reg-03 -> inf-71"
    ]
