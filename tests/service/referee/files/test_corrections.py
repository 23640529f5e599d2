"""Players who put right what they did by mistake: nothing was done then."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from dataclasses import replace

import kharkov_table

from hexmarshal.referee.check.findings import CheckReport, Status
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine

PLUGIN = kharkov_table.PLUGIN


def played(*, combat: bool = False) -> Recorder:
    start = engine.start(PLUGIN, "training", seed="f")
    return kharkov_table.game(replace(start, phase="soviet_combat") if combat else start)


def legal(report: CheckReport) -> list[str]:
    assert not [(e.what, e.violations) for e in report.violations]
    return [entry.what for entry in report.entries if entry.status is Status.LEGAL]


def test_a_unit_that_goes_back_after_another_has_moved_has_not_moved() -> None:
    log = played()
    log.drag(["rif-04"], ["0812"])
    log.drag(["cav-01"], ["0814"])
    log.drag(["rif-04"], ["0813"])
    log.drag(["rif-04"], ["0912"])
    assert legal(kharkov_table.checked(log)) == ["cav-01: 0712 -> 0814", "rif-04: 0813 -> 0912"]


def test_a_unit_goes_back_after_others_have_moved_rightly_and_wrongly() -> None:
    log = played()
    log.drag(["cav-01"], ["0713"])
    log.drag(["rif-04"], ["0812"])
    log.drag(["rif-01"], ["0305"])
    log.drag(["rif-04"], ["0813"])
    log.drag(["hq-28"], ["0612"])
    report = kharkov_table.checked(log)
    assert [entry.what for entry in report.violations] == ["rif-01: 0313 -> 0305"]
    assert [entry.what for entry in report.entries if entry.status is Status.LEGAL] == [
        "cav-01: 0712 -> 0713",
        "hq-28: 0611 -> 0612",
    ]


def test_an_attack_that_is_said_again_with_more_units_is_one_attack() -> None:
    log = played(combat=True)
    *alone, together, defence = kharkov_table.said("""
        [soviet: attack] grd-1 -> 0615 air=no
        [soviet: attack] grd-1 rif-03 -> 0615 air=no
        [axis: air_defence] no
    """)
    for action in alone:
        log.announce(action)
    log.perform(together)
    log.perform(defence)
    told = legal(kharkov_table.checked(log))
    assert [what for what in told if "attack" in what] == [
        "[soviet: attack] grd-1 rif-03 -> 0615 air=no"
    ]


def test_a_step_that_is_taken_and_given_back_at_once_is_nothing() -> None:
    log = played()
    before = log.position
    unit = next(u for u in before.units.values() if u.cell and u.steps > 1)
    log.show(before.with_unit(replace(unit, steps=unit.steps - 1)))
    log.show(before)
    log.drag(["rif-04"], ["0812"])
    assert legal(kharkov_table.checked(log)) == ["rif-04: 0813 -> 0812"]
