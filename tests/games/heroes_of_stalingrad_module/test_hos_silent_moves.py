"""Moves that others interrupt, without a word."""

from __future__ import annotations

from dataclasses import replace

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

from hexmarshal.referee.check.findings import Certainty
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


def test_a_gun_that_is_turned_over_after_its_drag_was_turned_over_for_it(module, binding):
    """Its active face does not move."""
    recorder = with_orders(module, binding, {**ORDERS, "russian": ("r4", "r3", "r1")})
    turn_up(recorder, "r4")
    recorder.drag(["r4"], ["0408"])
    lose_step(recorder, "r4")
    turn_up(recorder, "g2")
    report = checked(module, binding, recorder.finish())
    assert [(e.first, e.what, e.violations) for e in report.violations] == []


def test_a_gun_that_is_not_turned_over_for_its_drag_is_no_certain_fault(module, binding):
    recorder = with_orders(module, binding, {**ORDERS, "russian": ("r4", "r3", "r1")})
    turn_up(recorder, "r4")
    recorder.drag(["r4"], ["0408"])
    turn_up(recorder, "g2")
    report = checked(module, binding, recorder.finish())
    (entry,) = report.violations
    assert entry.violations[0].rule == "HOS-2.37"
    assert entry.certainty is Certainty.LIKELY


def test_an_activated_sign_taken_off_is_told_once_and_gone_by(module, binding):
    """Then r4 fires again, at g2 on his announced way: he stops there, and is no second fault."""
    recorder = with_orders(module, binding, {**ORDERS, "german": ("g3", "g2")})
    turn_up(recorder, "r3")
    turn_up(recorder, "g3")
    drag_from_under(recorder, "g3", ("1107", "1008"))
    recorder.roll(6, 3, side="russian")
    lose_step(recorder, "g3")
    mark(recorder, "r4")
    take_token(recorder, "r4")
    bare = recorder.position.units["r4"]
    recorder.show(recorder.position.with_unit(replace(bare, flags=bare.flags - {"activated"})))
    turn_up(recorder, "g2")
    way = ["1106", "1107", "1006"]
    recorder.announce(PLUGIN.game.actions.make("move", "german", unit="g2", path=way))
    drag_from_under(recorder, "g2", ("1106", "1107"))
    recorder.announce(PLUGIN.game.actions.make("fire", "russian", unit="r4", target="g2"))
    recorder.roll(6, 1, side="russian")
    report = checked(module, binding, recorder.finish())
    (entry,) = report.violations
    assert entry.units == ("r4",)
    assert "r4 is activated by the rules, and shows not activated" in entry.what


def test_what_silence_told_is_kept_when_the_next_is_announced(module, binding):
    """A shot in silence, then a drag, then words: nothing of it is forgotten."""
    recorder = with_orders(module, binding, {**ORDERS, "russian": ("r4", "r3", "r1")})
    turn_up(recorder, "r4")
    recorder.roll(6, 5, side="russian")
    lose_step(recorder, "g3")
    turn_up(recorder, "g2")
    recorder.drag(["g2"], ["1105"])
    recorder.announce(PLUGIN.game.actions.make("reveal", "russian"))
    report = checked(module, binding, recorder.finish())
    assert [(e.first, e.what, e.violations) for e in report.violations] == []
    assert report.position.units["g3"].steps == 1
    assert report.position.units["g2"].cell == "1105"


def test_a_gun_is_turned_where_it_is_in_the_reserve(module, binding):
    recorder = with_orders(module, binding, {"russian": ("r3", "r2", "r1"), "german": ("g3", "g2")})
    recorder.show(replace(recorder.position, phase="reserve", state="", frames=()))
    gun = recorder.position.units["r4"]
    recorder.show(recorder.position.with_unit(replace(gun, facing=(gun.facing + 1) % 8)))
    report = checked(module, binding, recorder.finish())
    assert [(e.first, e.what, e.violations) for e in report.violations] == []


def test_a_missed_shot_is_over_when_the_next_token_is_turned_up(module, binding):
    """Then the die of the next shot is for that one alone."""
    recorder = with_orders(module, binding, {**ORDERS, "russian": ("r4", "r3", "r1")})
    turn_up(recorder, "r4")
    recorder.roll(6, 1, side="russian")
    turn_up(recorder, "g2")
    recorder.drag(["g2"], ["1105"])
    report = checked(module, binding, recorder.finish())
    assert [(e.first, e.what, e.violations) for e in report.violations] == []
    assert [(e.units[-1], e.dice) for e in report.entries if e.kind == "fire"] == [("r4", (1,))]


def test_a_gun_is_fired_at_where_it_passes_another(module, binding):
    """It was turned over, and cannot stay there: so it is to go on."""
    recorder = with_orders(module, binding, {"russian": ("r3", "r2", "r1"), "german": ("g4", "g2")})
    turn_up(recorder, "r3")
    turn_up(recorder, "g4")
    gun = recorder.position.units["g4"]
    recorder.show(recorder.position.with_unit(replace(gun, cell="1207", steps=1)))
    recorder.roll(6, 5, side="russian")
    gun = recorder.position.units["g4"]
    hit = replace(gun, values=gun.values.set("suppressed", 2))
    recorder.show(recorder.position.with_unit(hit))
    recorder.drag(["g4"], ["1308", "1209"])
    report = checked(module, binding, recorder.finish())
    moves = [(e.kind, e.status.value) for e in report.entries if e.path]
    assert moves == [("move", "legal"), ("go_on", "legal")]
