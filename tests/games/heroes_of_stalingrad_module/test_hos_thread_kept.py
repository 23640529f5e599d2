"""The thread is kept: moves in several drags, tokens out of order, too few, or left lying."""

from __future__ import annotations

from dataclasses import replace

import pytest
from test_hos_silent_turn import (
    PLUGIN,
    action,
    checked,
    drag_from_under,
    lose_step,
    turn_up,
    with_orders,
)
from test_hos_tokens_in_heaps import WORKS
from test_hos_tokens_laid import GERMAN, RUSSIAN, put, token

from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.table.binding import Binding


@pytest.fixture(scope="module")
def binding(module):
    return Binding.inside(module)


def told(report):
    return [(e.first, e.units, [v.rule for v in e.violations]) for e in report.violations]


def in_reserve(module, binding):
    orders = {"russian": ("r3", "r2", "r1"), "german": ("g3", "g2")}
    recorder = with_orders(module, binding, orders)
    recorder.show(replace(recorder.position, phase="reserve", state="", frames=()))
    return recorder


def test_a_gun_turned_over_before_it_is_dragged_makes_one_move(module, binding):
    """HOS-5.1: the change of state is the start of its Move Action."""
    recorder = in_reserve(module, binding)
    lose_step(recorder, "r4")
    recorder.drag(["r4"], ["0407"])
    report = checked(module, binding, recorder.finish())
    assert told(report) == []
    assert report.position.units["r4"].cell == "0407"


def test_a_gun_turned_over_and_dragged_too_far_is_told_that(module, binding):
    recorder = in_reserve(module, binding)
    lose_step(recorder, "r4")
    recorder.drag(["r4"], ["0407", "0408", "0409", "0410", "0411", "0412"])
    report = checked(module, binding, recorder.finish())
    assert ["HOS-2.30" in rules for _, _, rules in told(report)] == [True]


def test_a_gun_is_turned_over_after_a_move_of_another_ended_where_it_may_not(module, binding):
    """What is asked because of that nobody answers."""
    recorder = in_reserve(module, binding)
    recorder.drag(["g1"], ["1204", "1205"])
    lose_step(recorder, "g4")
    recorder.drag(["g4"], ["1206"])
    report = checked(module, binding, recorder.finish())
    assert [(units, rules) for _, units, rules in told(report)] == [(("g1",), ["HOS-2.32"])]


def test_a_move_goes_on_after_its_token_was_turned_up(module, binding):
    recorder = with_orders(module, binding)
    drag_from_under(recorder, "r3", ("0407",))
    turn_up(recorder, "r3")
    drag_from_under(recorder, "r3", ("0507",))
    turn_up(recorder, "g2")
    drag_from_under(recorder, "g2", ("1105", "1005"))
    report = checked(module, binding, recorder.finish())
    assert told(report) == []
    assert [e.path for e in report.entries if e.units == ("r3",) and e.path] == [("0407", "0507")]


def test_a_token_turned_up_before_another_of_its_side_is_told_once(module, binding):
    """Whoever comes then comes in his turn."""
    recorder = with_orders(module, binding)
    turn_up(recorder, "r3")
    drag_from_under(recorder, "r3", ("0407",))
    turn_up(recorder, "g2")
    drag_from_under(recorder, "g2", ("1105",))
    turn_up(recorder, "r1")
    drag_from_under(recorder, "r1", ("0405",))
    turn_up(recorder, "g3")
    drag_from_under(recorder, "g3", ("1107",))
    turn_up(recorder, "r4")
    report = checked(module, binding, recorder.finish())
    assert [(units, rules) for _, units, rules in told(report)] == [(("r1",), ["HOS-2.21"])]
    (entry,) = report.violations
    assert entry.violations[0].text == "the order token of r4 comes before that of r1"


def laid_out(module, binding, tokens):
    recorder = Recorder(module, binding, PLUGIN, engine.start(PLUGIN, "drill"))
    for one in tokens:
        put(recorder, one if not isinstance(one, tuple) else token(*one))
    after = replace(recorder.position, phase="activation", state="reveal", active=("russian",))
    recorder.show(after)
    return recorder


def test_two_tokens_on_a_unit_are_told_once_by_their_rule(module, binding):
    second = replace(token("russian", "r1", "bluff"), id="order-r1-again")
    recorder = laid_out(module, binding, [*RUSSIAN, second, *GERMAN])
    for unit in ("r3", "g2", "r4", "g3", "r1"):
        turn_up(recorder, unit)
    drag_from_under(recorder, "r1", ("0405",))
    report = checked(module, binding, recorder.finish())
    assert [(units, rules) for _, units, rules in told(report)] == [(("r1",), ["HOS-2.10"])]


def test_one_token_too_few_is_told_once_of_its_side(module, binding):
    """The others lay theirs, and act by them."""
    recorder = laid_out(module, binding, [*RUSSIAN[:2], *GERMAN])
    for unit in ("r3", "g2", "r4", "g3"):
        turn_up(recorder, unit)
    drag_from_under(recorder, "g3", ("1107",))
    report = checked(module, binding, recorder.finish())
    (entry,) = report.violations
    assert (entry.kind, entry.side) == ("end_orders", "russian")
    assert [v.rule for v in entry.violations] == ["HOS-2.9"]


def test_the_die_of_a_refused_shot_is_not_that_of_who_is_turned_up_next(module, binding):
    recorder = with_orders(module, binding, WORKS, engine.start(PLUGIN, "tractor_works"))
    turn_up(recorder, "g7")
    recorder.drag(["g7"], ["1209", "1109"])
    recorder.announce(action("fire", "german", unit="g7", target="r2"))
    recorder.roll(6, 3, side="german")
    turn_up(recorder, "r4")
    turn_up(recorder, "g6")
    report = checked(module, binding, recorder.finish())
    (entry,) = report.violations
    assert (entry.kind, entry.dice) == ("fire", (3,))


def test_a_token_that_is_done_with_may_lie_anywhere(module, binding):
    """It was turned up on r3, and stays with r4 where r3 went by: r4 is not activated by that."""
    recorder = with_orders(module, binding)
    turn_up(recorder, "r3")
    left = recorder.position.markers["order-r3"]
    drag_from_under(recorder, "r3", ("0407", "0507"))
    put(recorder, replace(left, unit="r4"))
    turn_up(recorder, "g2")
    drag_from_under(recorder, "g2", ("1105",))
    turn_up(recorder, "r4")
    turn_up(recorder, "g3")
    drag_from_under(recorder, "g3", ("1107",))
    turn_up(recorder, "r1")
    drag_from_under(recorder, "r1", ("0405",))
    assert told(checked(module, binding, recorder.finish())) == []


def test_a_shot_without_a_word_that_may_not_be_fired_is_told_where_dice_are_rolled_again(
    module, binding
):
    """Cards are held: whether somebody rolls again is answered by silence."""
    recorder = with_orders(module, binding, WORKS, engine.start(PLUGIN, "tractor_works"))
    turn_up(recorder, "g7")
    recorder.roll(6, 6, side="german")
    lose_step(recorder, "r6")
    turn_up(recorder, "r4")
    report = checked(module, binding, recorder.finish())
    ((kind, units),) = [(e.kind, {*e.units}) for e in report.violations]
    assert (kind, units) == ("fire", {"g7", "r6"})


def test_nobody_is_revealed_for_an_announcement_whose_token_lies_face_down(module, binding):
    """After a drag against the rules r3 has nothing more to do: that is said of r3, of no other."""
    recorder = with_orders(module, binding)
    recorder.perform(action("reveal", "russian"))
    recorder.drag(["r3"], ["0405", "0504", "0605", "0706", "0607"])
    recorder.announce(action("hold", "russian"))
    recorder.announce(action("reveal", "german"))
    turn_up(recorder, "g2")
    recorder.drag(["g2"], ["1105"])
    recorder.announce(action("reveal", "russian"))
    report = checked(module, binding, recorder.finish())
    assert [units for _, units, _ in told(report)] == [("r3",)]
    assert [e.result for e in report.entries if e.kind == "reveal"] == ["1: r3", "1: g2", "2: r4"]


@pytest.mark.parametrize("placed_first", [True, False])
def test_a_counter_is_set_up_on_the_face_of_its_owners_choice(module, binding, placed_first):
    """HOS-5.1: who lies in ambush otherwise is shown and turned over, before it is placed or after.

    That is no fault, and whoever was not turned over is on his first face.
    """
    recorder = Recorder(module, binding, PLUGIN, engine.start(PLUGIN, "railway"))
    for unit, cell in zip(("g1", "g2"), ("0101", "0102"), strict=True):
        recorder.drag([unit], [cell])
    if placed_first:
        recorder.drag(["g4"], ["0104"])
    gun = recorder.position.units["g4"]
    recorder.show(recorder.position.with_unit(replace(gun, known_to=None)))
    lose_step(recorder, "g4")
    if not placed_first:
        recorder.drag(["g4"], ["0104"])
    recorder.drag(["g3"], ["0103"])
    report = checked(module, binding, recorder.finish())
    assert told(report) == []
    assert report.position.units["g4"].steps == 1
    assert report.position.units["g3"].steps == 2


def test_who_fires_after_his_move_is_told_that_he_has_acted(module, binding):
    recorder = with_orders(module, binding)
    turn_up(recorder, "r3")
    drag_from_under(recorder, "r3", ("0407", "0507"))
    recorder.announce(action("fire", "russian", unit="r3", target="g3"))
    recorder.roll(6, 1, side="russian")
    turn_up(recorder, "g2")
    report = checked(module, binding, recorder.finish())
    (entry,) = report.violations
    assert (entry.kind, entry.violations[0].rule) == ("fire", "HOS-2.24")
