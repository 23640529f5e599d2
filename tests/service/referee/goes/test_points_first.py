"""Points that are laid before anybody sees for whom, or said before the dice and paid late."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from dataclasses import replace

import coh_table
from coh_goes import MAKE, PLUGIN, activate, by_one, hand_over, pay, untouched

from hexmarshal.referee.check.findings import CheckReport
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice


def begin(log: Recorder, side: str, points: int) -> None:
    """Lay the marker for action points where it is when all is paid."""
    log.show(log.position.with_track(f"ap-{side}", points))


def told(report: CheckReport) -> list[str]:
    return [entry.line for entry in report.violations]


@pytest.mark.parametrize("marker", [True, False])
def test_who_lays_his_points_first_has_paid_with_them_for_what_he_drags(*, marker: bool) -> None:
    log = untouched()
    for side, unit, cells in (("german", "g3", "1-F11"), ("soviet", "s2", "1-D09")):
        begin(log, side, 6)
        log.drag([unit], [cells])
        if marker:
            hand_over(log, "soviet" if side == "german" else "german")
    log.drag(["g3"], ["1-F10"])
    begin(log, "german", 5)
    assert told(by_one(log)) == []


def prepared() -> Recorder:
    """The first turn is to be prepared, and nobody has said anything."""
    start = engine.start(PLUGIN, "first_steps", seed="a")
    log = Recorder(coh_table.module(), coh_table.binding(), PLUGIN, start)
    done = engine.perform(PLUGIN, start, MAKE("begin_turn", start.active[0])).position
    log.show(replace(start, piles=done.piles))
    return log


def test_of_points_that_break_a_tie_those_were_laid_that_were_spoken_of() -> None:
    log = prepared()
    log.say("Germans put 2 points on the dice, the Soviets none", "german")
    log.roll(6, 3, 3, side="german")
    log.roll(6, 4, 2, side="german")
    log.show(replace(log.position, phase="play"))
    begin(log, "german", 6)
    log.drag(["g3"], ["1-F11"])
    log.show(log.position.with_track("cap-german", log.position.track("cap-german") - 2))
    begin(log, "soviet", 6)
    log.drag(["s2"], ["1-D09"])
    report = by_one(log)
    assert told(report) == []
    bids = {entry.what for entry in report.entries if entry.kind == "bid"}
    assert bids == {"in silence: [soviet: bid] 0", "in silence: [german: bid] 2"}


def test_points_that_break_a_tie_may_be_paid_while_others_act() -> None:
    log = prepared()
    log.say("one CAP for the Germans", "german")
    log.roll(6, 3, 3, side="german")
    log.roll(6, 4, 2, side="german")
    log.show(replace(log.position, phase="play"))
    begin(log, "german", 6)
    log.drag(["g3"], ["1-F11"])
    log.show(log.position.with_track("cap-german", log.position.track("cap-german") - 2))
    begin(log, "soviet", 6)
    log.drag(["s2"], ["1-D09"])
    report = by_one(log)
    assert told(report) == []
    assert "in silence: [german: bid] 2" in [e.what for e in report.entries if e.kind == "bid"]


def shoot(log: Recorder, doer: str, cell: str, *rolled: int, **more: object) -> None:
    """Roll for a shot, and lay out what comes of it but for its price."""
    side = log.position.units[doer].side
    here = replace(log.position, active=(side,))
    fire = MAKE("fire", side, unit=doer, cell=cell, by="command", **more)
    after = engine.perform(PLUGIN, here, fire, Dice(None, given=rolled, picks=[3])).position
    log.roll(6, *rolled, side="german")
    if after.markers != here.markers:
        log.show(replace(log.position, markers=after.markers, piles=after.piles))


def test_those_who_were_named_shoot_together_and_the_next_dice_are_of_others() -> None:
    log = untouched()
    begin(log, "german", 4)
    log.say("g2 together with g1, at s1 in C08", "german")
    shoot(log, "g2", "1-C08", 6, 4, supporters=["g1"])
    log.roll(6, 1, 2, side="german")
    log.show(log.position.with_unit(replace(log.position.units["s5"], flags=frozenset({"spent"}))))
    log.drag(["g1"], ["1-D12"])
    begin(log, "german", 3)
    report = by_one(log)
    assert told(report) == []
    shots = [entry.line for entry in report.entries if entry.kind == "fire"]
    assert len(shots) == 2
    assert "supported by g1" in shots[0]
    assert "s5" in shots[1]


def test_dice_that_somebody_points_at_are_not_for_what_is_said_next() -> None:
    log = untouched()
    log.roll(6, 1, 1, side="german")
    log.say("thats g5 at the trench, 1-E09", "german")
    begin(log, "german", 5)
    log.say("s5 shoots at E13", "german")
    begin(log, "soviet", 3)
    log.roll(6, 1, 2, side="german")
    log.roll(6, 2, 1, side="german")
    log.drag(["g4"], ["1-E12"])
    begin(log, "german", 6)
    report = by_one(log)
    dice = {entry.units[0]: entry.dice for entry in report.entries if entry.kind == "fire"}
    assert dice["g5"] == (1, 1)
    assert told(report) == []


def test_who_bears_the_sign_has_his_go_and_the_others_forgot_the_marker() -> None:
    log = untouched()
    activate(log, "g1")
    for cell in ("1-C12", "1-C11"):
        log.drag(["g1"], [cell])
        pay(log, "ap-german", 1)
        hand_over(log, "soviet")
        hand_over(log, "german")
    log.roll(6, 1, 2, side="german")
    pay(log, "ap-german", 3)
    log.show(log.position.with_unit(replace(log.position.units["s1"], flags=frozenset({"active"}))))
    begin(log, "soviet", 3)
    shoot(log, "s1", "1-C11", 6, 5)
    report = by_one(log)
    assert told(report) == []
    shots = [entry.units[0] for entry in report.entries if entry.kind == "fire"]
    assert shots == ["g1", "s1"]


def test_who_lays_points_for_a_drag_against_the_rules_was_made_ready_for_it() -> None:
    log = untouched()
    log.drag(["g3"], ["1-K01"])
    begin(log, "german", 6)
    hand_over(log, "soviet")
    log.drag(["s2"], ["1-D09"])
    begin(log, "soviet", 6)
    (entry,) = by_one(log).violations
    assert "COH-3.0a" not in {broken.rule for broken in entry.violations}


def test_a_shot_that_was_paid_first_and_missed_is_over_when_the_others_pay() -> None:
    log = untouched()
    activate(log, "g5")
    pay(log, "ap-german", 2)
    log.roll(6, 1, 2, side="german")
    begin(log, "soviet", 6)
    log.drag(["s2"], ["1-D09"])
    begin(log, "german", 3)
    log.roll(6, 2, 1, side="german")
    begin(log, "soviet", 5)
    log.drag(["s2"], ["1-D10"])
    report = by_one(log)
    assert told(report) == []
    assert [e.units[0] for e in report.entries if e.kind == "fire"] == ["g5", "g5"]
