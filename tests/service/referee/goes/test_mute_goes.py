"""Goes of players who say nothing: what was paid and marked tells whose they were, and for what."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from dataclasses import replace

from coh_goes import MAKE, PLUGIN, activate, kinds, pay, spend, untouched, without_a_word

from hexmarshal.referee.interpret.log_dice import LogDice, Throw
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice


def test_a_drag_of_some_hexes_is_one_go_if_nothing_is_paid_for_it() -> None:
    log = untouched()
    activate(log, "g4")
    log.drag(["g4"], ["1-E12"])
    pay(log, "ap-german", 1)
    activate(log, "s2")
    log.drag(["s2"], ["1-D09"])
    pay(log, "ap-soviet", 1)
    log.drag(["g1"], ["1-D10"])
    spend(log, "g1")
    log.drag(["s2"], ["1-D10"])
    pay(log, "ap-soviet", 1)
    (entry,) = without_a_word(log).violations
    assert (entry.units, entry.violations[0].rule) == (("g1",), "COH-5.0c")


def test_who_turns_a_unit_over_may_go_on_with_another() -> None:
    log = untouched()
    activate(log, "g4")
    log.drag(["g4"], ["1-E12"])
    pay(log, "ap-german", 1)
    activate(log, "s2")
    log.drag(["s2"], ["1-D09"])
    spend(log, "g4")
    activate(log, "g3")
    pay(log, "ap-soviet", 1)
    log.drag(["g3"], ["1-F11"])
    pay(log, "ap-german", 1)
    report = without_a_word(log)
    assert list(report.violations) == []
    assert ("german", "pass") not in kinds(report)


def test_a_marker_put_to_who_begins_is_not_handed_over_by_that() -> None:
    log = untouched()
    log.show(replace(log.position, active=("soviet",)))
    activate(log, "g4")
    log.drag(["g4"], ["1-E12"])
    pay(log, "ap-german", 1)
    activate(log, "s2")
    log.drag(["s2"], ["1-D09"])
    pay(log, "ap-soviet", 1)
    report = without_a_word(log)
    assert list(report.violations) == []
    assert not [one for one in kinds(report) if one[1] == "pass"]


def test_a_shot_for_which_too_little_is_paid_is_told_with_its_price() -> None:
    log = untouched()
    activate(log, "g5")
    for unit, cell in (("s3", "1-C07"), ("s2", "1-C09"), ("s1", "1-D09")):
        log.roll(6, 1, 2, side="german")
        pay(log, "ap-german", 2)
        log.drag([unit], [cell])
        spend(log, unit)
    fire = MAKE("fire", "german", unit="g5", by="ap", cell="1-E09")
    had = log.position.track("cap-german")
    after = engine.perform(PLUGIN, log.position, fire, Dice(None, given=[1, 1])).position
    assert after.track("cap-german") < had
    log.roll(6, 1, 1, side="german")
    pay(log, "ap-german", 1)
    log.drag(["s5"], ["1-E10"])
    spend(log, "s5")
    told = [entry for entry in without_a_word(log).violations if entry.kind == "fire"]
    assert [entry.units[0] for entry in told] == ["g5"]
    assert "Command points of German" in told[0].violations[0].text


def test_a_pass_in_silence_lets_the_other_side_roll_after_a_unit_was_turned_over() -> None:
    log = untouched()
    activate(log, "g5")
    log.roll(6, 1, 1, side="german")
    pay(log, "ap-german", 2)
    activate(log, "s5")
    log.roll(6, 1, 2, side="soviet")
    pay(log, "ap-soviet", 4)
    spend(log, "g5")
    log.drag(["s2"], ["1-D09"])
    pay(log, "cap-soviet", 1)
    report = without_a_word(log)
    assert list(report.violations) == []


def test_dice_are_of_the_side_that_rolled_them_in_whatever_order() -> None:
    rolled = {"soviet": (5, 4), "german": (2, 3)}
    tray = [Throw(1, 6, value, side, side) for side, dice in rolled.items() for value in dice]
    dice = LogDice(tray)
    for side in ("german", "soviet"):
        assert dice.roll_many(2, 6, "initiative", side) == rolled[side]
    # Where one person rolls for both, they come in the order of the rules.
    alone = LogDice([replace(throw, side="soviet") for throw in tray])
    assert alone.roll_many(2, 6, "initiative", "german") == rolled["soviet"]
    assert alone.roll_many(2, 6, "initiative", "soviet") == rolled["german"]
