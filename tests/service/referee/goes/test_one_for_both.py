"""One person on one seat who plays both sides, and announcements beside the marker for the go."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from collections.abc import Callable
from dataclasses import replace

import coh_table
from coh_goes import MAKE, by_one, hand_over, table

from hexmarshal.referee.check.findings import Certainty, CheckReport
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice


def begun() -> Recorder:
    """The Germans have fired and handed over, and a Soviet unit has fired for 4 of its 7 AP."""
    log = table()
    log.perform(MAKE("activate", "german", unit="g5"))
    log.perform(MAKE("fire", "german", unit="g5", cell="1-E09"), Dice(None, given=[1, 1]))
    log.perform(MAKE("activate", "soviet", unit="s5"))
    log.announce(MAKE("fire", "soviet", unit="s5", cell="1-E12"))
    log.roll(6, 1, 1, side="soviet")
    log.show(log.position.with_track("ap-soviet", 3))
    return log


def fire_back(log: Recorder) -> None:
    log.announce(MAKE("fire", "german", unit="g5", cell="1-E09"))
    log.roll(6, 1, 1, side="german")
    log.show(log.position.with_track("ap-german", log.position.track("ap-german") - 2))


@pytest.mark.parametrize("check", [by_one, coh_table.checked])
def test_a_second_action_before_the_marker_is_handed_over_is_out_of_turn(
    check: Callable[[Recorder], CheckReport],
) -> None:
    log = begun()
    log.announce(MAKE("pivot", "soviet", unit="s5", facing=2))
    log.show(log.position.with_unit(replace(log.position.units["s5"], facing=2)))
    log.show(log.position.with_track("ap-soviet", 2))
    hand_over(log, "german")
    fire_back(log)
    (entry,) = check(log).violations
    # Others may have passed without a word, and without the marker.
    assert (entry.side, entry.units, entry.certainty) == ("soviet", ("s5",), Certainty.LIKELY)
    assert [told.rule for told in entry.violations] == ["COH-2.2a"]


def test_who_speaks_before_he_was_given_the_marker_has_his_go() -> None:
    log = begun()
    hand_over(log, "german")
    fire_back(log)
    hand_over(log, "soviet")
    log.drag(["s1"], ["1-D09"])
    # An opportunity: the one who is active, and its points, stay as they are.
    log.show(log.position.with_unit(replace(log.position.units["s1"], flags=frozenset({"spent"}))))
    fire_back(log)
    hand_over(log, "soviet")
    report = by_one(log)
    assert list(report.violations) == []
    (move,) = [entry for entry in report.entries if entry.kind == "move"]
    assert move.action["by"] == "opportunity"


def test_who_bids_without_a_name_bids_for_his_own_seat() -> None:
    start = engine.start(coh_table.PLUGIN, "first_steps", seed="a")
    log = Recorder(coh_table.module(), coh_table.binding(), coh_table.PLUGIN, start)
    log.perform(MAKE("begin_turn", start.active[0]))
    assert log.position.active == ("soviet",)
    log.say("[bid] 0", "german")
    log.say("[soviet: bid] 0", "german")
    for dice in ((5, 5), (2, 6)):
        log.roll(6, *dice, side="german")
    log.show(replace(log.position, phase="play"))
    assert list(by_one(log).violations) == []


def test_a_bid_that_is_told_second_was_not_made_in_silence() -> None:
    start = engine.start(coh_table.PLUGIN, "first_steps", seed="a")
    log = Recorder(coh_table.module(), coh_table.binding(), coh_table.PLUGIN, start)
    log.perform(MAKE("begin_turn", start.active[0]))
    assert log.position.active == ("soviet",)
    log.say("[german: bid] 2", "german")
    log.say("[soviet: bid] 2", "german")
    for dice in ((1, 2), (4, 3)):
        log.roll(6, *dice, side="german")
    log.show(replace(log.position, phase="play"))
    bids = [(e.side, e.what) for e in by_one(log).entries if e.kind == "bid"]
    assert bids == [("soviet", "[soviet: bid] 2"), ("german", "[german: bid] 2")]
