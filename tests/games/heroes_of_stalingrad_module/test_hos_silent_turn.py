"""A turn that is played without a word, and with pieces handled as people do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hexmarshal.games.heroes_of_stalingrad import HeroesOfStalingrad
from hexmarshal.referee.check.findings import Certainty, Status
from hexmarshal.referee.check.log_check import check_file
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice
from hexmarshal.table.binding import Binding
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.saves.savegame import SavedGame

PLUGIN = HeroesOfStalingrad()
ORDERS = {"russian": ("r3", "r4", "r1"), "german": ("g2", "g3")}
ACTIVATED = (
    ("r3", ("0407", "0507")),
    ("g2", ("1105", "1005")),
    ("r4", ()),
    ("g3", ("1107",)),
    ("r1", ("0405",)),
)


@pytest.fixture(scope="module")
def binding(module):
    return Binding.inside(module)


def checked(module, binding, log):
    again = SavedGame.from_archive(Archive.from_bytes(log.to_bytes()))
    return check_file(again, module, binding, PLUGIN)


def action(kind, side, **params):
    return PLUGIN.game.actions.make(kind, side, **params)


def with_orders(module, binding):
    """The tokens are laid, and the tracker goes on to the activations."""
    recorder = Recorder(module, binding, PLUGIN, engine.start(PLUGIN, "drill"))
    for side, units in ORDERS.items():
        for token, unit in enumerate(units, 1):
            done = action("order", side, unit=unit, token=str(token))
            recorder.show(engine.perform(PLUGIN, recorder.position, done, Dice(None)).position)
        done = action("end_orders", side)
        recorder.show(engine.perform(PLUGIN, recorder.position, done, Dice(None)).position)
    return recorder


def drag_from_under(recorder, unit, cells):
    """The unit goes, and what lay on it stays where it was."""
    kept = recorder.position.markers
    recorder.position = replace(recorder.position, markers=kept.without(f"order-{unit}"))
    recorder.drag([unit], cells)
    recorder.position = replace(recorder.position, markers=kept)


def mark(recorder, unit):
    marked = recorder.position.units[unit]
    recorder.show(recorder.position.with_unit(replace(marked, flags=marked.flags | {"activated"})))


def take_token(recorder, unit):
    left = recorder.position.markers.without(f"order-{unit}")
    recorder.show(replace(recorder.position, markers=left))


def end_turn(recorder):
    for phase, turn in (("reserve", 1), ("order", 2)):
        recorder.show(replace(recorder.position, phase=phase, turn=turn, state="", frames=()))


@pytest.mark.parametrize("taken", [True, False])
def test_tokens_left_behind_taken_off_and_marks_put_on_are_no_faults(module, binding, taken):
    """Nobody says a word: who moves was revealed before, and is marked when he has moved."""
    recorder = with_orders(module, binding)
    for unit, cells in ACTIVATED:
        drag_from_under(recorder, unit, cells)
        mark(recorder, unit)
        if taken:
            take_token(recorder, unit)
    end_turn(recorder)
    report = checked(module, binding, recorder.finish())
    assert [(e.first, e.what) for e in report.violations] == []
    moved = [e.units[0] for e in report.entries if e.path and e.status is Status.LEGAL]
    assert moved == [unit for unit, cells in ACTIVATED if cells]


def test_who_is_marked_and_did_nothing_is_told(module, binding):
    recorder = with_orders(module, binding)
    drag_from_under(recorder, "r3", ("0407",))
    mark(recorder, "r2")
    end_turn(recorder)
    report = checked(module, binding, recorder.finish())
    assert any("r2" in e.units and "activated" in e.what for e in report.violations)


def test_dice_of_a_shot_that_may_not_be_fired_are_not_those_of_the_next(module, binding):
    """They are spent, however many there are; the next shot has its own."""
    recorder = with_orders(module, binding)
    recorder.announce(action("reveal", "russian"))
    recorder.drag(["r3"], ["0407"])
    recorder.announce(action("reveal", "german"))
    recorder.drag(["g2"], ["0605"])
    recorder.announce(action("reveal", "russian"))
    recorder.announce(action("fire", "russian", unit="r4", target="g2"))
    recorder.roll(6, 6, side="russian")
    recorder.roll(6, 6, side="russian")
    recorder.announce(action("reveal", "german"))
    recorder.announce(action("fire", "german", unit="g3", target="r3"))
    recorder.roll(6, 1, side="german")
    report = checked(module, binding, recorder.finish())
    shots = [(e.status, e.dice) for e in report.entries if e.kind == "fire"]
    assert shots == [(Status.VIOLATION, (6, 6)), (Status.LEGAL, (1,))]
    assert not any(e.kind == "roll" for e in report.entries)


def lose_step(recorder, unit):
    hurt = recorder.position.units[unit]
    recorder.show(recorder.position.with_unit(replace(hurt, steps=hurt.steps - 1)))


@pytest.mark.parametrize(("die", "explained"), [(5, True), (1, False)])
def test_a_shot_without_a_word_is_found_by_its_die_and_what_it_did(module, binding, die, explained):
    """The next token is of r4, who can hit g3: with five, not with one."""
    recorder = with_orders(module, binding)
    drag_from_under(recorder, "r3", ("0406", "0506"))
    drag_from_under(recorder, "g2", ("1105", "1005"))
    recorder.roll(6, die, side="russian")
    lose_step(recorder, "g3")
    report = checked(module, binding, recorder.finish())
    assert [e.units for e in report.entries if e.kind == "fire"] == [("g3", "r4")]
    assert [e.units for e in report.violations] == ([] if explained else [("g3",)])


def test_a_shot_is_found_while_the_tracker_is_still_with_the_orders(module, binding):
    recorder = Recorder(module, binding, PLUGIN, engine.start(PLUGIN, "drill"))
    for side, units in (("russian", ("r4", "r3", "r1")), ("german", ("g2", "g4"))):
        for token, unit in enumerate(units, 1):
            done = action("order", side, unit=unit, token=str(token))
            recorder.show(engine.perform(PLUGIN, recorder.position, done, Dice(None)).position)
        end = action("end_orders", side)
        after = engine.perform(PLUGIN, recorder.position, end, Dice(None)).position
        recorder.position = replace(after, phase="order")
    recorder.roll(6, 5, side="russian")
    lose_step(recorder, "g3")
    recorder.show(replace(recorder.position, phase="activation"))
    report = checked(module, binding, recorder.finish())
    assert [(e.first, e.what) for e in report.violations] == []
    assert [(e.units, e.dice) for e in report.entries if e.kind == "fire"] == [(("g3", "r4"), (5,))]


def test_a_bare_reveal_of_who_plays_alone_is_of_the_side_whose_turn_it_is(module, binding):
    """His seat is Russian; nobody fires at who has moved, and the next token is of the other."""
    (seat,) = (name for name, side in binding.sides.items() if side == "russian")
    recorder = with_orders(module, replace(binding, sides={seat: "russian"}))
    for unit, cells in ACTIVATED:
        recorder.say("[reveal]", "russian")
        if cells:
            recorder.drag([unit], cells)
    report = checked(module, binding, recorder.finish())
    assert [(e.first, e.what) for e in report.violations] == []
    revealed = [(e.side, e.result) for e in report.entries if e.kind == "reveal"]
    assert [side for side, _ in revealed] == ["russian", "german", "russian", "german", "russian"]
    assert [result.split()[-1] for _, result in revealed] == [unit for unit, _ in ACTIVATED]


def test_a_tracker_that_goes_on_before_all_is_ordered_is_obeyed(module, binding):
    """Tokens that lie there are revealed: the phase is the one that the tracker shows."""
    recorder = Recorder(module, binding, PLUGIN, engine.start(PLUGIN, "drill"))
    done = action("order", "russian", unit="r3", token="1")
    recorder.show(engine.perform(PLUGIN, recorder.position, done, Dice(None)).position)
    wrong = recorder.position.units["g3"]
    recorder.drag([wrong.id], ["1107"])
    recorder.show(replace(recorder.position, phase="activation", state="", frames=()))
    recorder.announce(action("reveal", "russian"))
    report = checked(module, binding, recorder.finish())
    assert report.entries[-1].kind == "reveal"
    assert report.entries[-1].status is Status.LEGAL
    assert not any(e.certainty is Certainty.CERTAIN for e in report.violations)
