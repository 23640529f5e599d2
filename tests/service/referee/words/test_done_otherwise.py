"""Who drags otherwise than he announced, or not at all."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("resvg_py")

from kharkov_table import PLUGIN, checked, game, told

from hexmarshal.referee.check.findings import Certainty, CheckReport, Status
from hexmarshal.rules import engine


def taken_back(report: CheckReport) -> list[str]:
    return [entry.what for entry in report.entries if entry.status is Status.TAKEN_BACK]


@pytest.mark.parametrize("said", ["0613", "0512"])
def test_a_move_to_elsewhere_than_was_said_is_judged_as_it_was_made(said: str) -> None:
    """The first is too far for one step, and the second would be right."""
    log = game()
    log.say(f"[move] hq-28 -> {said}", "soviet")
    log.drag(["hq-28"], ["0612"])
    log.drag(["rif-04"], ["0912"])
    report = checked(log)
    assert told(report) == []
    assert taken_back(report) == [f"[soviet: move] hq-28 -> {said}"]


def test_a_move_that_was_said_and_not_made_left_the_unit_where_it_was() -> None:
    log = game()
    log.say("[move] rif-04 -> 0814", "soviet")
    log.drag(["hq-28"], ["0612"])
    log.drag(["rif-04"], ["0912"])
    log.show(replace(log.position, phase="soviet_combat"))
    report = checked(log)
    assert told(report) == []
    assert taken_back(report) == ["[soviet: move] rif-04 -> 0814"]


def test_a_move_against_the_rules_is_one_if_it_was_made_as_it_was_said() -> None:
    log = game()
    log.say("[move] rif-04 -> 0812 0811 0810 0809 0808 0807 0806", "soviet")
    log.drag(["rif-04"], ["0806"])
    log.show(replace(log.position, phase="soviet_combat"))
    report = checked(log)
    (entry,) = report.violations
    assert "KHA-6.11" in {v.rule for v in entry.violations}
    assert entry.certainty is Certainty.CERTAIN
    assert taken_back(report) == []


def test_who_takes_off_another_than_he_called_has_taken_that_one() -> None:
    """The dice come first, and what was called in between is not asked before all is laid out."""
    here = replace(engine.start(PLUGIN, "training"), phase="axis_combat", active=("axis",))
    here = here.without_unit("sec-454")
    for unit in ("pz-126-23", "pz-128-23", "pz-201-23"):
        here = here.with_unit(replace(here.units[unit], cell="0716"))
    for unit in ("tnk-01", "tnk-02", "tnk-03"):
        values = here.units[unit].values.set("ladder", ("4-4-11",))
        here = here.with_unit(replace(here.units[unit], cell="0715", values=values))
    log = game(here)
    log.roll(6, 4, side="axis")
    log.say("whole 23rd at the tanks", "axis")
    lost = log.position.units["pz-128-23"]
    log.show(log.position.with_unit(replace(lost, steps=lost.steps - 1)))
    log.say("[take_losses] tnk-02", "soviet")
    log.show(log.position.without_unit("tnk-03"))
    log.show(replace(log.position, phase="mechanised_movement"))
    report = checked(log)
    assert told(report) == []
    assert taken_back(report) == ["[soviet: take_losses] tnk-02"]
