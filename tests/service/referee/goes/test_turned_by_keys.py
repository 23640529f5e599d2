"""Counters that are turned by several key presses: what is done in a row is done once."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("resvg_py")

import coh_table
from coh_goes import activate, hand_over, pay, untouched

from hexmarshal.referee.samples.log_recorder import Recorder


def turn(log: Recorder, unit: str, *facings: int) -> None:
    for facing in facings:
        known = log.position.units[unit]
        log.show(log.position.with_unit(replace(known, facing=facing)))


def test_two_presses_are_one_pivot() -> None:
    log = untouched()
    activate(log, "g5")
    hand_over(log, "soviet")
    hand_over(log, "german")
    facing = log.position.units["g5"].facing or 0
    turn(log, "g5", (facing + 1) % 6, (facing + 2) % 6)
    pay(log, "ap-german", 1)
    hand_over(log, "soviet")
    report = coh_table.checked(log)
    assert [entry.what for entry in report.violations] == []
    assert sum(entry.kind == "pivot" for entry in report.entries) == 1


def test_who_is_turned_there_and_back_has_done_nothing() -> None:
    log = untouched()
    activate(log, "g5")
    facing = log.position.units["g5"].facing or 0
    turn(log, "g5", (facing + 1) % 6, facing)
    hand_over(log, "soviet")
    report = coh_table.checked(log)
    assert [entry.what for entry in report.violations] == []
    assert all(entry.kind != "pivot" for entry in report.entries)


def test_turns_that_are_undone_are_none() -> None:
    log = untouched()
    activate(log, "g5")
    facing = log.position.units["g5"].facing or 0
    turn(log, "g5", (facing + 1) % 6, (facing + 2) % 6)
    for _ in range(2):
        log.undo()
    hand_over(log, "soviet")
    report = coh_table.checked(log)
    assert [entry.what for entry in report.violations] == []
    assert all(entry.kind != "pivot" for entry in report.entries)
