"""One person on the seat of one side who plays both: whose an action is, and whose a token."""

from __future__ import annotations

from dataclasses import replace

import pytest
from test_hos_silent_turn import (
    ORDERS,
    action,
    checked,
    drag_from_under,
    end_turn,
    lose_step,
    turn_up,
    with_orders,
)

from hexmarshal.table.binding import Binding
from hexmarshal.vassal.saves.savegame import SavedGame

SEATS = {"russian": "Russian", "german": "German"}


@pytest.fixture(scope="module")
def binding(module):
    return Binding.inside(module)


def by_one(module, binding, recorder, seat):
    """What is told if one person said and rolled all, and sits on this seat."""
    text = recorder.finish().text
    for name in SEATS.values():
        taken = f"\x1bPLAYER\tseat of {name}\t{name} player\t{name}"
        text = text.replace(taken, taken if name == SEATS[seat] else "")
        text = text.replace(f"{name} player", "Max")
    return checked(module, binding, SavedGame.from_text(text))


def told(report):
    return [(e.first, e.what, [v.rule for v in e.violations]) for e in report.violations]


@pytest.mark.parametrize("seat", ["russian", "german"])
def test_an_action_is_of_the_side_whose_unit_it_names(module, binding, seat):
    """Whoever says so, and while the drag before it may still go on."""
    recorder = with_orders(module, binding)
    for unit, cells in (("r3", ("0406",)), ("g2", ("1105", "1005"))):
        if unit in ORDERS[seat]:
            turn_up(recorder, unit)
        drag_from_under(recorder, unit, cells)
    recorder.say("[fire] r4 -> g3", seat)
    recorder.roll(6, 3, side=seat)
    lose_step(recorder, "g3")
    recorder.say("[fire] g3 -> r4", seat)
    recorder.roll(6, 2, side=seat)
    report = by_one(module, binding, recorder, seat)
    assert told(report) == []
    assert [e.side for e in report.entries if e.kind == "fire"] == ["russian", "german"]


@pytest.mark.parametrize("seat", ["russian", "german"])
def test_tokens_of_an_empty_seat_nobody_can_turn_up(module, binding, seat):
    """The units act by them all the same, or do nothing."""
    recorder = with_orders(module, binding)
    own = ORDERS[seat]
    for unit, cells in (("r3", ("0407",)), ("g2", ()), ("r4", ()), ("g3", ()), ("r1", ("0405",))):
        if unit in own:
            turn_up(recorder, unit)
        if cells:
            drag_from_under(recorder, unit, cells)
    end_turn(recorder)
    assert told(by_one(module, binding, recorder, seat)) == []


def test_a_shot_told_in_words_is_by_a_token_that_cannot_be_turned_up(module, binding):
    recorder = with_orders(module, binding)
    turn_up(recorder, "r3")
    drag_from_under(recorder, "r3", ("0407", "0507", "0607", "0707"))
    recorder.say("g2 fires at r2", "russian")
    recorder.roll(6, 6, side="russian")
    lose_step(recorder, "r2")
    turn_up(recorder, "r4")
    report = by_one(module, binding, recorder, "russian")
    assert told(report) == []
    assert [{*e.units} for e in report.entries if e.kind == "fire"] == [{"g2", "r2"}]


def test_a_shot_told_in_words_before_its_token_is_turned_up_is_right(module, binding):
    recorder = with_orders(module, binding)
    turn_up(recorder, "r3")
    drag_from_under(recorder, "r3", ("0407", "0507", "0607", "0707"))
    recorder.say("g2 fires at r2", "german")
    recorder.roll(6, 6, side="german")
    turn_up(recorder, "g2")
    lose_step(recorder, "r2")
    turn_up(recorder, "r4")
    assert told(checked(module, binding, recorder.finish())) == []


def test_who_moved_against_the_rules_may_still_move_in_the_reserve_phase(module, binding):
    """The piece bears VASSAL's own sign of a move, which is only to remember it by."""
    recorder = with_orders(module, binding)
    turn_up(recorder, "r3")
    moved = recorder.position.units["r2"]
    marked = replace(moved, cell="0303", flags=moved.flags | {"moved"})
    recorder.show(recorder.position.with_unit(marked))
    turn_up(recorder, "g2")
    recorder.show(replace(recorder.position, phase="reserve", state="", frames=()))
    recorder.drag(["r2"], ["0402"])
    recorder.announce(action("end_reserve", "russian"))
    report = checked(module, binding, recorder.finish())
    ((_, _, rules),) = told(report)
    assert rules == ["HOS-2.20"]
