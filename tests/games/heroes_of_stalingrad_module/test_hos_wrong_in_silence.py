"""What is done against the rules without a word is told by the rule that it breaks."""

from __future__ import annotations

from dataclasses import replace

import pytest
from test_hos_silent_turn import (
    ORDERS,
    PLUGIN,
    action,
    checked,
    lose_step,
    turn_up,
    with_orders,
)

from hexmarshal.referee.check.findings import Certainty
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice
from hexmarshal.table.binding import Binding


@pytest.fixture(scope="module")
def binding(module):
    return Binding.inside(module)


def told(report):
    return [(e.kind, e.certainty, [v.rule for v in e.violations]) for e in report.violations]


def test_a_token_that_a_side_does_not_have_is_an_order_against_the_rules(module, binding):
    """Two stars, three numbers; and whoever bears the third acts in his turn."""
    recorder = with_orders(module, binding, {"russian": ORDERS["russian"]})
    for token, unit in enumerate(("g2", "g3", "g1"), 1):
        laid = action("order", "german", unit=unit, token=str(token))
        after = PLUGIN.apply(recorder.position, laid, Dice(None)).position
        recorder.show(replace(after, generator=recorder.position.generator))
    done = engine.perform(PLUGIN, recorder.position, action("end_orders", "german"), Dice(None))
    recorder.show(done.position)
    turn_up(recorder, "r3")
    for unit in ("g2", "r4", "g3", "r1", "g1"):
        turn_up(recorder, unit)
    recorder.drag(["g1"], ["1203"])
    report = checked(module, binding, recorder.finish())
    assert told(report) == [("order", Certainty.LIKELY, ["HOS-2.5"])]


def test_a_hit_out_of_range_is_a_shot_against_the_rules(module, binding):
    """The token of r1 lies open, and g2 is hit by the die: nobody else could have fired."""
    recorder = with_orders(module, binding, {**ORDERS, "russian": ("r1", "r3", "r4")})
    turn_up(recorder, "r1")
    recorder.roll(6, 6, side="russian")
    lose_step(recorder, "g2")
    turn_up(recorder, "g2")
    report = checked(module, binding, recorder.finish())
    ((kind, certainty, rules),) = told(report)
    assert (kind, certainty) == ("fire", Certainty.LIKELY)
    assert "HOS-5.18" in rules
