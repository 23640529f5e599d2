"""Goes in whatever order people mark, pay and drag; and who of them paid for what."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from dataclasses import replace

import coh_table
from coh_goes import MAKE, activate, kinds, pay, spend, untouched, without_a_word

from hexmarshal.referee.check.findings import Certainty, CheckReport
from hexmarshal.referee.samples.log_recorder import Recorder


def turn(log: Recorder, unit: str, facing: int) -> None:
    log.show(log.position.with_unit(replace(log.position.units[unit], facing=facing)))


def told(report: CheckReport) -> list[tuple[tuple[str, ...], str]]:
    return [(entry.units, entry.violations[0].rule) for entry in report.violations]


def test_a_unit_that_is_turned_over_before_its_move_has_not_dug_in() -> None:
    log = untouched()
    spend(log, "g4")
    log.drag(["g4"], ["1-E14"])
    activate(log, "s2")
    log.drag(["s2"], ["1-D09"])
    pay(log, "ap-soviet", 1)
    report = without_a_word(log)
    assert told(report) == []
    assert kinds(report)[:2] == [("german", "move"), ("soviet", "activate")]


def test_who_is_turned_after_his_move_may_be_marked_for_it_in_the_next_step() -> None:
    log = untouched()
    log.drag(["g2"], ["1-D13"])
    turn(log, "g2", 3)
    spend(log, "g2")
    log.announce(MAKE("activate", "soviet", unit="s3"))
    activate(log, "s3")
    log.drag(["s3"], ["1-C07"])
    pay(log, "ap-soviet", 2)
    report = coh_table.checked(log)
    assert told(report) == []
    (moved,) = (entry for entry in report.entries if entry.units == ("g2",))
    assert moved.action["by"] == "opportunity"


def test_points_of_one_side_are_not_paid_for_what_the_other_did() -> None:
    log = untouched()
    spend(log, "g2")
    log.drag(["g2"], ["1-E12"])
    log.drag(["s2"], ["1-C07"])
    spend(log, "s2")
    activate(log, "g5")
    log.drag(["g5"], ["1-E11"])
    pay(log, "ap-german", 2)
    # Nobody pays for this, and the Germans pay for the next before they do it.
    log.drag(["s2"], ["1-C08"])
    pay(log, "cap-german", 1)
    log.drag(["g2"], ["1-E11"])
    log.announce(MAKE("activate", "soviet", unit="s1"))
    activate(log, "s1")
    log.drag(["s1"], ["1-D09"])
    pay(log, "ap-soviet", 1)
    report = coh_table.checked(log)
    assert [units for units, _ in told(report)] == [("s2",)]
    # He may have forgotten to pay for an action by command.
    assert [entry.certainty for entry in report.violations] == [Certainty.LIKELY]


def handed(log: Recorder) -> None:
    """Put the marker for whose go it is to the other side."""
    other = "soviet" if log.position.active == ("german",) else "german"
    log.show(replace(log.position, active=(other,)))


def go_of_soviets(log: Recorder) -> None:
    activate(log, "s2")
    log.drag(["s2"], ["1-D09"])
    pay(log, "ap-soviet", 1)
    handed(log)


def test_a_unit_went_where_it_was_dragged_and_not_by_a_shorter_way() -> None:
    log = untouched()
    activate(log, "g4")
    log.drag(["g4"], ["1-E12"])
    pay(log, "ap-german", 1)
    handed(log)
    go_of_soviets(log)
    log.drag(["g2"], ["1-E12", "1-D12"])
    spend(log, "g2")
    handed(log)
    log.drag(["s2"], ["1-D10"])
    pay(log, "ap-soviet", 1)
    handed(log)
    assert told(without_a_word(log)) == [(("g2",), "COH-5.0c")]


def test_one_of_a_group_may_bear_the_sign_of_all() -> None:
    log = untouched()
    activate(log, "g4")
    log.drag(["g4"], ["1-D12"])
    log.drag(["g2"], ["1-D12"])
    pay(log, "ap-german", 1)
    handed(log)
    go_of_soviets(log)
    log.drag(["g4"], ["1-D11"])
    pay(log, "ap-german", 1)
    handed(log)
    report = without_a_word(log)
    assert told(report) == []
    assert ("german", "group_move") in kinds(report)


def test_a_unit_may_be_turned_over_after_the_go_of_the_others() -> None:
    log = untouched()
    activate(log, "g4")
    log.drag(["g4"], ["1-E12"])
    pay(log, "ap-german", 1)
    handed(log)
    go_of_soviets(log)
    log.drag(["g3"], ["1-F11"])
    handed(log)
    log.drag(["s2"], ["1-D10"])
    pay(log, "ap-soviet", 1)
    handed(log)
    spend(log, "g3")
    log.drag(["g4"], ["1-E11"])
    pay(log, "ap-german", 1)
    handed(log)
    assert told(without_a_word(log)) == []


def test_a_marker_that_is_forgotten_after_a_go_does_not_undo_it() -> None:
    start = untouched().position.with_track("ap-soviet", 1)
    start = start.with_unit(replace(start.units["s2"], flags=frozenset({"active"})))
    log = Recorder(coh_table.module(), coh_table.binding(), coh_table.PLUGIN, start)
    activate(log, "g4")
    log.drag(["g4"], ["1-E12"])
    pay(log, "ap-german", 1)
    handed(log)
    turn(log, "s2", 3)
    pay(log, "ap-soviet", 1)
    spend(log, "s2")
    # Nobody hands over, and the Germans act.
    log.drag(["g4"], ["1-E11"])
    pay(log, "ap-german", 1)
    log.drag(["s1"], ["1-D09"])
    spend(log, "s1")
    handed(log)
    log.drag(["g4"], ["1-E10"])
    pay(log, "ap-german", 1)
    handed(log)
    assert told(without_a_word(log)) == []


def test_how_somebody_waits_is_told_by_what_he_pays() -> None:
    log = untouched()
    log.announce(MAKE("stall", "german"))
    pay(log, "cap-german", 1)
    log.announce(MAKE("activate", "soviet", unit="s1"))
    assert told(coh_table.checked(log)) == []
    unpaid = untouched()
    unpaid.announce(MAKE("stall", "german"))
    unpaid.announce(MAKE("activate", "soviet", unit="s1"))
    assert [rule for _, rule in told(coh_table.checked(unpaid))] == ["COH-2.2c"]


def test_who_has_used_up_his_points_may_be_turned_over_a_go_later() -> None:
    start = untouched().position.with_track("ap-german", 2)
    start = start.with_unit(replace(start.units["g5"], flags=frozenset({"active"})))
    log = Recorder(coh_table.module(), coh_table.binding(), coh_table.PLUGIN, start)
    log.announce(MAKE("fire", "german", unit="g5", cell="1-E09"))
    pay(log, "ap-german", 2)
    log.roll(6, 1, 1, side="german")
    handed(log)
    log.announce(MAKE("activate", "soviet", unit="s2"))
    go_of_soviets(log)
    spend(log, "g5")
    log.announce(MAKE("activate", "german", unit="g4"))
    activate(log, "g4")
    log.drag(["g4"], ["1-E12"])
    pay(log, "ap-german", 1)
    assert told(coh_table.checked(log)) == []


def test_a_spent_unit_that_is_activated_is_told_once_and_not_for_what_it_does_then() -> None:
    log = untouched()
    log.drag(["g4"], ["1-E12"])
    spend(log, "g4")
    handed(log)
    go_of_soviets(log)
    log.announce(MAKE("activate", "german", unit="g4"))
    log.show(log.position.with_unit(replace(log.position.units["g4"], flags=frozenset())))
    activate(log, "g4")
    log.drag(["g4"], ["1-E11"])
    pay(log, "ap-german", 1)
    handed(log)
    log.drag(["s2"], ["1-D10"])
    pay(log, "ap-soviet", 1)
    handed(log)
    log.drag(["g4"], ["1-E10"])
    pay(log, "ap-german", 1)
    handed(log)
    assert told(coh_table.checked(log)) == [(("g4",), "COH-2.2g")]
