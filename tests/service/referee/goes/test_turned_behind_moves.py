"""Units that are turned behind their move, when it is paid: that is a part of the move."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

import coh_table
from coh_goes import activate, hand_over, pay, untouched
from test_turned_by_keys import turn

from hexmarshal.referee.check.findings import CheckReport
from hexmarshal.referee.samples.log_recorder import Recorder


def moved_and_turned() -> Recorder:
    log = untouched()
    activate(log, "g1")
    log.drag(["g1"], ["1-C12"])
    pay(log, "ap-german", 1)
    turn(log, "g1", ((log.position.units["g1"].facing or 0) + 1) % 6)
    return log


def told(report: CheckReport) -> tuple[list[str], int]:
    wrong = [entry.what for entry in report.violations]
    return wrong, sum(entry.kind == "pivot" for entry in report.entries)


def test_who_is_turned_behind_a_move_that_is_paid_has_turned_freely() -> None:
    log = moved_and_turned()
    hand_over(log, "soviet")
    hand_over(log, "german")
    log.drag(["g1"], ["1-C11"])
    pay(log, "ap-german", 1)
    hand_over(log, "soviet")
    assert told(coh_table.checked(log)) == ([], 0)


def test_who_pays_for_the_turn_has_turned_by_itself() -> None:
    log = moved_and_turned()
    pay(log, "ap-german", 1)
    hand_over(log, "soviet")
    assert told(coh_table.checked(log)) == ([], 1)
