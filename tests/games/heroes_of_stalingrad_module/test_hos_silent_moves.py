"""Moves that others interrupt, without a word."""

from __future__ import annotations

import pytest
from test_hos_silent_turn import (
    ORDERS,
    PLUGIN,
    checked,
    drag_from_under,
    lose_step,
    mark,
    take_token,
    turn_up,
    with_orders,
)

from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice
from hexmarshal.table.binding import Binding


@pytest.fixture(scope="module")
def binding(module):
    return Binding.inside(module)


def test_who_was_fired_at_on_the_move_goes_on_by_a_drag(module, binding):
    """The die is for a shot at where he lies; what is dragged then is the rest of his move."""
    recorder = with_orders(module, binding, {**ORDERS, "german": ("g3", "g2")})
    turn_up(recorder, "r3")
    turn_up(recorder, "g3")
    drag_from_under(recorder, "g3", ("1107", "1007"))
    recorder.roll(6, 3, side="russian")
    lose_step(recorder, "g3")
    mark(recorder, "r4")
    # Wherever he lays it.
    take_token(recorder, "r4")
    drag_from_under(recorder, "g3", ("0907",))
    report = checked(module, binding, recorder.finish())
    assert [(e.first, e.what, e.violations) for e in report.violations] == []
    shot, rest = [e for e in report.entries if e.kind in ("fire", "go_on")]
    assert shot.before.units["g3"].cell == "1007"
    assert (rest.kind, rest.path) == ("go_on", ("0907",))


def test_who_goes_too_far_after_a_shot_is_told_so(module, binding):
    recorder = with_orders(module, binding, {**ORDERS, "german": ("g3", "g2")})
    turn_up(recorder, "r3")
    turn_up(recorder, "g3")
    drag_from_under(recorder, "g3", ("1107", "1007"))
    recorder.roll(6, 3, side="russian")
    lose_step(recorder, "g3")
    mark(recorder, "r4")
    take_token(recorder, "r4")
    drag_from_under(recorder, "g3", ("0907", "0807", "0707"))
    report = checked(module, binding, recorder.finish())
    (entry,) = report.violations
    assert [v.text for v in entry.violations] == ["5 cells, and g3 goes 4"]


def test_silence_on_the_move_ends_it(module, binding):
    """Where the unit may stay."""
    recorder = with_orders(module, binding, {**ORDERS, "german": ("g3", "g2")})
    now = recorder.position
    for kind, side, params in (
        ("reveal", "russian", {}),
        ("hold", "russian", {}),
        ("reveal", "german", {}),
        ("move", "german", {"unit": "g3", "path": ["1107", "1007"], "pause": True}),
        ("hold_fire", "russian", {}),
        ("hold_fire", "russian", {}),
    ):
        done = PLUGIN.game.actions.make(kind, side, **params)
        now = engine.perform(PLUGIN, now, done, Dice(None)).position
    assert now.state == "step"
    said = engine.silence(PLUGIN, now, "german")
    assert said == PLUGIN.game.actions.make("go_on", "german", path=())
    assert engine.perform(PLUGIN, now, said, Dice(None)).position.units["g3"].cell == "1007"
