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


def with_orders(module, binding, orders=ORDERS, start=None):
    """The tokens are laid, and the tracker goes on to the activations."""
    recorder = Recorder(module, binding, PLUGIN, start or engine.start(PLUGIN, "drill"))
    for side, units in orders.items():
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
    """The next token is of r4, who can hit g3: with five; with one the loss is wrong."""
    recorder = with_orders(module, binding)
    drag_from_under(recorder, "r3", ("0406", "0506"))
    drag_from_under(recorder, "g2", ("1105", "1005"))
    recorder.roll(6, die, side="russian")
    lose_step(recorder, "g3")
    report = checked(module, binding, recorder.finish())
    assert [e.units for e in report.entries if e.kind == "fire"] == [("g3", "r4")]
    assert [e.units for e in report.violations] == ([] if explained else [("g3", "r4")])


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


def turn_up(recorder, unit):
    """The token on a unit is shown to all."""
    token = recorder.position.markers[f"order-{unit}"]
    shown = recorder.position.markers.set(token.id, replace(token, known_to=None))
    recorder.show(replace(recorder.position, markers=shown))


def test_a_shot_is_of_who_has_just_turned_his_token_up(module, binding):
    """It is no opportunity fire at a move that went on to its end."""
    recorder = with_orders(module, binding, {**ORDERS, "german": ("g4", "g2")})
    turn_up(recorder, "r3")
    drag_from_under(recorder, "r3", ("0407", "0507", "0607", "0707"))
    turn_up(recorder, "g4")
    recorder.announce(action("fire", "german", unit="g4", target="r3"))
    recorder.roll(6, 2, side="german")
    lose_step(recorder, "r3")
    turn_up(recorder, "r4")
    report = checked(module, binding, recorder.finish())
    assert [(e.first, e.what) for e in report.violations] == []
    kinds = [e.kind for e in report.entries if e.phase == "activation" and e.kind != "hold_fire"]
    assert kinds == ["reveal", "move", "reveal", "fire", "reveal"]


def test_who_turns_up_his_token_before_the_others_is_told(module, binding):
    recorder = with_orders(module, binding)
    for unit, cells in (("r3", ("0407",)), ("r4", ())):
        turn_up(recorder, unit)
        if cells:
            drag_from_under(recorder, unit, cells)
    report = checked(module, binding, recorder.finish())
    (entry,) = report.violations
    assert (entry.units, entry.violations[0].rule) == (("r4",), "HOS-2.21")
    assert entry.certainty is Certainty.LIKELY


def test_a_shot_without_a_word_is_not_of_who_still_lies_face_down(module, binding):
    """No token but that of r3 is open, and he cannot hit anybody: his shot is against the rules."""
    recorder = with_orders(module, binding)
    turn_up(recorder, "r3")
    recorder.roll(6, 5, side="russian")
    lose_step(recorder, "g3")
    turn_up(recorder, "g2")
    drag_from_under(recorder, "g2", ("1105",))
    report = checked(module, binding, recorder.finish())
    (entry,) = report.violations
    assert (entry.kind, entry.units) == ("fire", ("g3", "r3"))
    assert [e for e in report.entries if e.kind == "fire"] == [entry]


def test_markers_that_are_counted_through_are_judged_by_where_they_stop(module, binding):
    """Two Suppressed markers: one comes off at the end of the Reserve Phase."""
    start = engine.start(PLUGIN, "drill")
    hurt = start.units["g3"]
    hurt = replace(hurt, values=hurt.values.set("suppressed", 2))
    recorder = with_orders(module, binding, start=start.with_unit(hurt))
    recorder.show(replace(recorder.position, phase="reserve", state="", frames=()))
    for count in (3, 4, 5, 6, 0, 1):
        unit = recorder.position.units["g3"]
        values = unit.values.set("suppressed", count)
        recorder.show(recorder.position.with_unit(replace(unit, values=values)))
    recorder.show(replace(recorder.position, phase="order", turn=2))
    report = checked(module, binding, recorder.finish())
    assert [(e.first, e.what) for e in report.violations] == []


def test_a_drag_on_the_announced_way_before_the_dice_is_part_of_the_move(module, binding):
    """The attacker waits beside the cell until the assault is resolved."""
    start = engine.start(PLUGIN, "drill")
    start = start.with_unit(replace(start.units["r3"], cell="0807"))
    recorder = Recorder(module, binding, PLUGIN, start)
    for side, units in ORDERS.items():
        for token, unit in enumerate(units, 1):
            recorder.perform(action("order", side, unit=unit, token=str(token)))
        recorder.perform(action("end_orders", side))
    recorder.perform(action("reveal", "russian"))
    recorder.perform(action("hold", "russian"))
    recorder.perform(action("reveal", "german"))
    way = ["1106", "1007", "0907", "0807"]
    move = action("move", "german", unit="g2", path=way, assault="r3")
    recorder.announce(move)
    recorder.drag(["g2"], ["0907"])
    for side, dice in (("german", (5, 3)), ("russian", (2, 1))):
        for die in dice:
            recorder.roll(6, die, side=side)
    recorder.announce(action("retreat", "russian", cell="0707"))
    recorder.drag(["r3"], ["0707"])
    lose_step(recorder, "r3")
    recorder.drag(["g2"], ["0807"])
    recorder.announce(action("reveal", "russian"))
    report = checked(module, binding, recorder.finish())
    assert [(e.first, e.what) for e in report.violations] == []
    assert [e.dice for e in report.entries if e.kind == "move"] == [(5, 3, 2, 1)]


def test_what_is_right_for_who_may_not_move_at_all_names_no_cells(module, binding):
    recorder = with_orders(module, binding)
    turn_up(recorder, "r3")
    recorder.drag(["r1"], ["0405"])
    report = checked(module, binding, recorder.finish())
    (entry,) = report.violations
    assert entry.violations[0].text == "r1 is not activated now"
    assert entry.right == "r1 may not move"


def test_tokens_are_cleared_some_time_after_the_turn_was_said_to_be_over(module, binding):
    recorder = with_orders(module, binding)
    recorder.show(replace(recorder.position, phase="reserve", state="", frames=()))
    for side in ORDERS:
        recorder.announce(action("end_reserve", side))
    recorder.show(replace(recorder.position, phase="order", turn=2, state="", frames=()))
    for unit in ("r3", "r4", "r1", "g2", "g3"):
        take_token(recorder, unit)
    report = checked(module, binding, recorder.finish())
    assert [(e.first, e.violations) for e in report.violations] == []


def test_who_moves_is_fired_at_where_he_lies(module, binding):
    """A shot at an opportunity is announced when the mover has gone two cells of four."""
    recorder = with_orders(module, binding, {**ORDERS, "german": ("g3", "g2")})
    turn_up(recorder, "r3")
    turn_up(recorder, "g3")
    drag_from_under(recorder, "g3", ("1107", "1007"))
    recorder.announce(action("fire", "russian", unit="r4", target="g3"))
    recorder.roll(6, 1, side="russian")
    report = checked(module, binding, recorder.finish())
    (fire,) = (e for e in report.entries if e.kind == "fire")
    assert fire.before.units["g3"].cell == "1007"


def test_a_token_turned_up_too_early_is_kept_when_a_guess_is_made_again(module, binding):
    """A shot in silence is guessed; then r1 comes before g3, and nothing explains what follows."""
    recorder = with_orders(module, binding)
    drag_from_under(recorder, "r3", ("0406", "0506"))
    drag_from_under(recorder, "g2", ("1105", "1005"))
    recorder.roll(6, 5, side="russian")
    lose_step(recorder, "g3")
    turn_up(recorder, "r1")
    lose_step(recorder, "g4")
    report = checked(module, binding, recorder.finish())
    assert "HOS-2.21" in [v.rule for e in report.violations for v in e.violations]


def test_nobody_is_revealed_in_silence_whose_token_lies_face_down(module, binding):
    """The second Russian goes before the German, whose token is turned up only then."""
    orders = {"russian": ("r3", "r1", "r4"), "german": ("g2", "g3")}
    recorder = with_orders(module, binding, orders)
    turn_up(recorder, "r3")
    drag_from_under(recorder, "r3", ("0407", "0507"))
    drag_from_under(recorder, "r1", ("0405",))
    turn_up(recorder, "g2")
    drag_from_under(recorder, "g2", ("1105", "1005"))
    report = checked(module, binding, recorder.finish())
    assert [e.units for e in report.violations] == [("r1",)]
    assert not [e.what for e in report.violations if e.certainty is Certainty.CERTAIN]


def test_nobody_is_certainly_idle_after_a_go_that_went_by_in_silence(module, binding):
    """A Russian is revealed twice: the first, who moves then, need not have given his go away."""
    recorder = with_orders(module, binding)
    recorder.announce(action("reveal", "russian"))
    recorder.announce(action("reveal", "russian"))
    recorder.drag(["r3"], ["0407", "0507"])
    report = checked(module, binding, recorder.finish())
    assert [e.certainty for e in report.violations] == [Certainty.LIKELY]
