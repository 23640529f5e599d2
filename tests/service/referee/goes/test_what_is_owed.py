"""Prices that nobody pays, in part or at all: told once, of what they are for, and by its rule."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from collections.abc import Callable
from dataclasses import replace

import coh_table
from coh_goes import MAKE, activate, hand_over, pay, spend, untouched, without_a_word

from hexmarshal.referee.check.findings import CheckReport
from hexmarshal.referee.samples.log_recorder import Recorder

Handing = Callable[[Recorder, str], None]


def keep(log: Recorder, side: str) -> None:
    """Leave the marker for whose go it is where it lies."""


def told(report: CheckReport) -> list[tuple[int, str, str]]:
    return [(e.first, e.kind, e.violations[0].rule) for e in report.violations]


def soviets(log: Recorder, cell: str) -> None:
    if not log.position.units["s2"].has("active"):
        activate(log, "s2")
    log.drag(["s2"], [cell])
    pay(log, "ap-soviet", 1)


def three_shots() -> Recorder:
    """The Germans have one point left, and know what 2 AP are for."""
    log = untouched()
    activate(log, "g5")
    for _ in range(3):
        log.announce(MAKE("fire", "german", unit="g5", cell="1-E09"))
        log.roll(6, 1, 2, side="german")
        pay(log, "ap-german", 2)
        hand_over(log, "soviet")
        hand_over(log, "german")
    return log


@pytest.mark.parametrize("over", [False, True])
def test_points_missing_behind_the_last_ones_are_told_and_not_the_sign(over: bool) -> None:
    log = three_shots()
    log.drag(["g5"], ["1-E11"])
    if over:
        spend(log, "g5")
    else:
        pay(log, "ap-german", 1)
    hand_over(log, "soviet")
    soviets(log, "1-D09")
    hand_over(log, "german")
    (entry,) = coh_table.checked(log).violations
    (wrong,) = entry.violations
    assert (entry.units, wrong.rule) == (("g5",), "COH-5.0a")
    assert "Command points of German: 4 by the rules, and shows 5" in wrong.text
    assert entry.right.endswith("Action points of German 1, Command points of German 1")


@pytest.mark.parametrize("hand", [keep, hand_over])
def test_who_is_spent_and_moves_for_nothing_may_not_move(hand: Handing) -> None:
    log = untouched()
    activate(log, "g3")
    log.drag(["g3"], ["1-F11"])
    spend(log, "g3")
    hand(log, "soviet")
    soviets(log, "1-D09")
    hand(log, "german")
    log.drag(["g3"], ["1-F10"])
    hand(log, "soviet")
    soviets(log, "1-D10")
    (entry,) = without_a_word(log).violations
    assert (entry.units, entry.violations[0].rule) == (("g3",), "COH-2.2g")
    assert entry.right == "cost 1 CAP"


def a_go_unpaid(hand: Handing, kind: str) -> Recorder:
    """A unit turns, or moves, and nobody pays; then the others move."""
    log = untouched()
    activate(log, "g3")
    log.drag(["g3"], ["1-F11"])
    pay(log, "ap-german", 1)
    hand(log, "soviet")
    soviets(log, "1-D09")
    hand(log, "german")
    if kind == "pivot":
        log.show(log.position.with_unit(replace(log.position.units["g3"], facing=4)))
    else:
        log.drag(["g3"], ["1-F10"])
    hand(log, "soviet")
    soviets(log, "1-D10")
    hand(log, "german")
    return log


@pytest.mark.parametrize("hand", [keep, hand_over])
@pytest.mark.parametrize(("kind", "rule"), [("pivot", "COH-5.3a"), ("move", "COH-5.0a")])
@pytest.mark.parametrize("paid", ["behind it", "with it", "for both"])
def test_what_was_not_paid_is_told_by_itself_unless_it_is_paid_late(
    hand: Handing, kind: str, rule: str, paid: str
) -> None:
    log = a_go_unpaid(hand, kind)
    at = log.steps
    cell = "1-F10" if kind == "pivot" else "1-F09"
    if paid == "with it":
        squad = replace(log.position.units["g3"], cell=cell)
        left = log.position.track("ap-german") - 1
        log.show(log.position.with_unit(squad).with_track("ap-german", left))
    else:
        log.drag(["g3"], [cell])
        pay(log, "ap-german", 2 if paid == "for both" else 1)
    hand(log, "soviet")
    soviets(log, "1-D11")
    hand(log, "german")
    log.drag(["g3"], ["1-F09" if kind == "pivot" else "1-F08"])
    pay(log, "ap-german", 1)
    hand(log, "soviet")
    soviets(log, "1-D12")
    wrong = told(without_a_word(log))
    assert [(kind, rule) for _, kind, rule in wrong] == (
        [] if paid == "for both" else [(kind, rule)]
    )
    assert all(first < at - 1 for first, *_ in wrong)


def begin(log: Recorder, side: str, left: int) -> None:
    log.show(log.position.with_track(f"ap-{side}", left))


@pytest.mark.parametrize("hand", [keep, hand_over])
def test_a_track_that_rises_behind_a_drag_is_a_new_activation(hand: Handing) -> None:
    log = untouched()
    for number, (german, soviet) in enumerate((("1-F11", "1-D09"), ("1-F10", "1-D10"))):
        log.drag(["g3"], [german])
        begin(log, "german", 6 - number)
        hand(log, "soviet")
        log.drag(["s2"], [soviet])
        begin(log, "soviet", 6 - number)
        hand(log, "german")
    log.drag(["g1"], ["1-D12"])
    begin(log, "german", 6)
    hand(log, "soviet")
    log.drag(["s2"], ["1-D11"])
    begin(log, "soviet", 4)
    hand(log, "german")
    log.drag(["g1"], ["1-E12"])
    begin(log, "german", 5)
    hand(log, "soviet")
    report = without_a_word(log)
    assert told(report) == []
    assert [e.units for e in report.entries if e.kind == "activate" and e.side == "german"] == [
        ("g3",),
        ("g1",),
    ]


@pytest.mark.parametrize("raised", ["before", "behind", "with the price"])
def test_a_track_that_rises_beside_an_announced_shot_is_a_new_activation(raised: str) -> None:
    log = untouched()
    activate(log, "g3")
    for number, (german, soviet) in enumerate(
        (("1-F11", "1-D09"), ("1-F10", "1-D10"), ("1-F09", "1-D11"))
    ):
        log.drag(["g3"], [german])
        begin(log, "german", 6 - number)
        hand_over(log, "soviet")
        soviets(log, soviet)
        hand_over(log, "german")
    if raised == "before":
        begin(log, "german", 7)
    log.announce(MAKE("fire", "german", unit="g5", cell="1-E09"))
    log.roll(6, 1, 2, side="german")
    if raised == "behind":
        begin(log, "german", 7)
    begin(log, "german", 5)
    hand_over(log, "soviet")
    soviets(log, "1-D12")
    report = coh_table.checked(log)
    assert told(report) == []
    assert ("g5",) in [e.units for e in report.entries if e.kind == "activate"]


def test_a_refused_shot_was_paid_as_the_marks_show_it() -> None:
    log = untouched()
    activate(log, "g4")
    log.drag(["g4"], ["1-E12"])
    pay(log, "ap-german", 1)
    hand_over(log, "soviet")
    log.announce(MAKE("pass", "soviet"))
    hand_over(log, "german")
    log.say("g1 fires at s4", "german")
    log.roll(6, 3, 4, side="german")
    spend(log, "g1")
    hand_over(log, "soviet")
    soviets(log, "1-D09")
    hand_over(log, "german")
    log.drag(["g4"], ["1-E11"])
    pay(log, "ap-german", 1)
    hand_over(log, "soviet")
    (entry,) = coh_table.checked(log).violations
    assert (entry.units[0], entry.violations[0].rule) == ("g1", "COH-6.0a")
    assert entry.action["by"] == "opportunity"


def test_who_is_activated_behind_a_refused_shot_is_no_part_of_it() -> None:
    log = untouched()
    activate(log, "g1")
    log.drag(["g1"], ["1-D12"])
    pay(log, "ap-german", 1)
    hand_over(log, "soviet")
    log.announce(MAKE("pass", "soviet"))
    hand_over(log, "german")
    log.say("g1 fires at s4", "german")
    log.roll(6, 3, 4, side="german")
    pay(log, "ap-german", 3)
    hand_over(log, "soviet")
    soviets(log, "1-D09")
    hand_over(log, "german")
    log.drag(["g1"], ["1-D11"])
    pay(log, "ap-german", 1)
    hand_over(log, "soviet")
    (entry,) = coh_table.checked(log).violations
    assert (entry.units[0], entry.violations[0].rule) == ("g1", "COH-6.0a")
