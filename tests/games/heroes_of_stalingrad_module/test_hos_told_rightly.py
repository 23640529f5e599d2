"""Findings as a director reads them: the rule that decides, the player's choices, and no more."""

from __future__ import annotations

from dataclasses import replace

import pytest
from test_hos_by_one import by_one, told
from test_hos_silent_turn import (
    ORDERS,
    PLUGIN,
    action,
    checked,
    drag_from_under,
    end_turn,
    lose_step,
    turn_up,
    with_orders,
)
from test_hos_tokens_in_heaps import WORKS

from hexmarshal.rules import engine
from hexmarshal.table.binding import Binding


@pytest.fixture(scope="module")
def binding(module):
    return Binding.inside(module)


@pytest.fixture
def recorder(module, binding):
    return with_orders(module, binding)


@pytest.mark.parametrize("line", ["[fire] r4 -> g3", "r4 fires at g3", "g3 is fired at by r4"])
def test_a_loss_after_a_miss_is_told_by_the_rule_that_decides(module, binding, recorder, line):
    """HOS-2.87, also where the turn of the last token ends the phase."""
    turn_up(recorder, "r3")
    turn_up(recorder, "g2")
    turn_up(recorder, "r4")
    recorder.say(line, "russian")
    recorder.roll(6, 1, side="russian")
    lose_step(recorder, "g3")
    turn_up(recorder, "g3")
    (entry,) = checked(module, binding, recorder.finish()).violations
    assert entry.what.endswith("r4 -> g3")
    assert entry.right == "missed; g3 has 2 steps"
    assert [v.rule for v in entry.violations] == ["HOS-2.87"]


def test_a_loss_after_a_miss_is_told_where_dice_may_be_rolled_again(module, binding):
    """Cards are held: nobody says that the dice stand."""
    recorder = with_orders(module, binding, WORKS, engine.start(PLUGIN, "tractor_works"))
    turn_up(recorder, "g7")
    recorder.announce(action("fire", "german", unit="g7", target="r4"))
    recorder.roll(6, 1, side="german")
    lose_step(recorder, "r4")
    turn_up(recorder, "r4")
    (entry,) = checked(module, binding, recorder.finish()).violations
    assert [v.rule for v in entry.violations] == ["HOS-2.87"]
    assert entry.right == "missed; r4 has 2 steps"


def test_the_token_of_who_was_destroyed_may_lie_anywhere(module, binding):
    """He is taken off the board, and his token stays where he was."""
    recorder = with_orders(module, binding, WORKS, engine.start(PLUGIN, "tractor_works"))
    turn_up(recorder, "g7")
    recorder.announce(action("fire", "german", unit="g7", target="r4"))
    recorder.roll(6, 6, side="german")
    here = recorder.position
    gone = replace(here.units["r4"], cell="", box="destroyed")
    left = replace(here.markers["order-r4"], unit="", cell="0609")
    recorder.show(replace(here.with_unit(gone), markers=here.markers.set("order-r4", left)))
    turn_up(recorder, "g6")
    wrong = checked(module, binding, recorder.finish()).violations
    assert not [e for e in wrong if "r4" in e.units]


def test_tokens_that_nobody_can_take_off_serve_again(module, binding, recorder):
    """The German ones still lie there in the next turn: the Russian player cannot touch them."""
    for unit, cells in (("r3", ("0407",)), ("g2", ("1105",)), ("g3", ("1107",))):
        drag_from_under(recorder, unit, cells)
    end_turn(recorder)
    theirs = recorder.position.markers.without(*(f"order-{unit}" for unit in ORDERS["russian"]))
    recorder.show(replace(recorder.position, markers=theirs))
    recorder.show(replace(recorder.position, phase="activation", state="reveal"))
    recorder.drag(["g2"], ["1005"])
    report = by_one(module, binding, recorder, "russian")
    assert not [e for e in report.violations if e.side == "german"]


def test_an_assault_is_carried_out_in_any_order(module, binding):
    """Who has lost goes back first, and is turned over; then the winner is dragged there."""
    start = engine.start(PLUGIN, "drill")
    for unit, cell in (("r3", "0607"), ("g3", "0808")):
        start = start.with_unit(replace(start.units[unit], cell=cell))
    recorder = with_orders(module, binding, start=start)
    turn_up(recorder, "r3")
    recorder.say("[move] r3 -> 0708 0808 assault=g3", "russian")
    for die, side in ((5, "russian"), (2, "russian"), (3, "german"), (1, "german")):
        recorder.roll(6, die, side=side)
    recorder.drag(["g3"], ["0908"])
    lose_step(recorder, "g3")
    recorder.drag(["r3"], ["0808"])
    turn_up(recorder, "g2")
    assert told(checked(module, binding, recorder.finish())) == []


def test_who_moves_and_fires_is_told_just_that(module, binding, recorder):
    """Nor that it is the other side's turn by then, which comes of it."""
    turn_up(recorder, "r3")
    drag_from_under(recorder, "r3", ("0407", "0507"))
    recorder.say("r3 fires at g3", "russian")
    recorder.roll(6, 2, side="russian")
    turn_up(recorder, "g2")
    (entry,) = checked(module, binding, recorder.finish()).violations
    assert ([v.rule for v in entry.violations], entry.right) == (["HOS-2.24"], "r3 may not act now")


def test_whoever_is_hit_by_a_refused_shot_and_stays_acts_by_his_token(module, binding, recorder):
    """The dice of the next shot that players tell of are not those of the refused one."""
    turn_up(recorder, "r3")
    drag_from_under(recorder, "r3", ("0407",))
    recorder.show(recorder.position.with_unit(replace(recorder.position.units["g3"], steps=1)))
    turn_up(recorder, "g2")
    turn_up(recorder, "r4")
    recorder.say("r4 fires at g3", "russian")
    recorder.roll(6, 6, side="russian")
    recorder.say("g3 fires at r3", "german")
    recorder.roll(6, 1, side="german")
    turn_up(recorder, "g3")
    turn_up(recorder, "r1")
    drag_from_under(recorder, "r1", ("0405",))
    report = checked(module, binding, recorder.finish())
    wrong = [e for e in report.violations if e.kind != "change"]
    assert [({*e.units}, e.dice) for e in wrong] == [({"r4", "g3"}, (6,))]


def test_where_a_unit_may_go_is_a_handful_of_cells_near_where_it_went(module, binding, recorder):
    turn_up(recorder, "r3")
    drag_from_under(recorder, "r3", ("0811",))
    (entry,) = checked(module, binding, recorder.finish()).violations
    listed = entry.right.removeprefix("r3 may go to ").removesuffix(" and more").split(", ")
    far = [max(8 - int(cell[:2]), 11 - int(cell[2:])) for cell in listed]
    assert far == [1, 2, 2, 2, 3]


def test_a_gun_dragged_with_its_tripod_up_is_told_how_it_is_done(module, binding, recorder):
    recorder.show(replace(recorder.position, phase="reserve", state="", frames=()))
    recorder.announce(action("end_reserve", "russian"))
    recorder.drag(["g4"], ["1206"])
    (entry,) = checked(module, binding, recorder.finish()).violations
    assert ([v.rule for v in entry.violations]) == ["HOS-2.37"]
    assert entry.right == "move of g4: 1206, turned over at the start"
