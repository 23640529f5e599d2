"""Shots that players tell in plain words: who may not fire is told by the rule for it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from test_hos_silent_turn import (
    ORDERS,
    checked,
    drag_from_under,
    end_turn,
    lose_step,
    turn_up,
    with_orders,
)

from hexmarshal.referee.check.findings import Certainty
from hexmarshal.table.binding import Binding


@pytest.fixture(scope="module")
def binding(module):
    return Binding.inside(module)


@pytest.fixture
def recorder(module, binding):
    """The tokens of r3 and g4 come first."""
    return with_orders(module, binding, {**ORDERS, "german": ("g4", "g2")})


def told_wrong(module, binding, recorder):
    report = checked(module, binding, recorder.finish())
    assert all(entry.certainty is Certainty.LIKELY for entry in report.violations)
    return [
        (e.what.removeprefix("in words: "), {v.rule for v in e.violations})
        for e in report.violations
    ]


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("hit", [True, False])
def test_a_shot_through_a_house_is_told_and_what_it_did_belongs_to_it(
    module, binding, recorder, before, hit
):
    turn_up(recorder, "r3")
    drag_from_under(recorder, "r3", ("0406",))
    turn_up(recorder, "g4")
    if before:
        recorder.say("g4 fires at r3", "german")
    recorder.roll(6, 5, side="german")
    if not before:
        recorder.say("g4 shot at r3", "german")
    if hit:
        lose_step(recorder, "r3")
    turn_up(recorder, "r4")
    wrong = told_wrong(module, binding, recorder)
    assert wrong == [("[german: fire] g4 -> r3", {"HOS-2.73", "HOS-3.11"})]


@pytest.mark.parametrize("before", [True, False])
def test_who_moves_and_fires_is_told(module, binding, recorder, before):
    turn_up(recorder, "r3")
    if before:
        recorder.say("r3 moves and fires at g3", "russian")
    drag_from_under(recorder, "r3", ("0406",))
    if not before:
        recorder.say("r3 fires at g3", "russian")
    recorder.roll(6, 5, side="russian")
    lose_step(recorder, "g3")
    turn_up(recorder, "g4")
    ((what, rules),) = told_wrong(module, binding, recorder)
    assert what == "[russian: fire] r3 -> g3"
    assert "HOS-2.24" in rules


def test_a_shot_in_the_reserve_phase_is_told(module, binding, recorder):
    recorder.show(replace(recorder.position, phase="reserve", state="", frames=()))
    recorder.say("r2 shoots at g2", "russian")
    recorder.roll(6, 5, side="russian")
    lose_step(recorder, "g2")
    end_turn(recorder)
    ((what, rules),) = told_wrong(module, binding, recorder)
    assert what == "[russian: fire] r2 -> g2"
    assert "HOS-2.101" in rules


@pytest.mark.parametrize("hit", [True, False])
def test_a_shot_in_the_reserve_phase_told_in_passing_shows_by_the_hit(
    module, binding, recorder, hit
):
    """No verb, and a remark that may mean anything; but its aim shows what came of the die."""
    here = recorder.position
    recorder.show(replace(here, phase="reserve", state="reserve", active=("russian",), frames=()))
    recorder.say(f"and r2, it had no order, down the lane at {here.units['g2'].cell}", "russian")
    recorder.roll(6, 5, side="russian")
    if hit:
        lose_step(recorder, "g2")
    end_turn(recorder)
    wrong = told_wrong(module, binding, recorder)
    shots = [rules for what, rules in wrong if what == "[russian: fire] r2 -> g2"]
    assert len(shots) == hit
    assert all("HOS-2.101" in rules for rules in shots)


def test_a_right_shot_is_right(module, binding, recorder):
    turn_up(recorder, "r3")
    drag_from_under(recorder, "r3", ("0407", "0507", "0607", "0707"))
    turn_up(recorder, "g4")
    recorder.say("g4 fires at r3", "german")
    recorder.roll(6, 2, side="german")
    lose_step(recorder, "r3")
    turn_up(recorder, "r4")
    assert told_wrong(module, binding, recorder) == []
