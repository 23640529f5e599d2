"""Logs of the module: recorded games are found clean, and what is wrong in one is found."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from hexmarshal.games.heroes_of_stalingrad import HeroesOfStalingrad
from hexmarshal.referee.check.findings import Certainty, Status
from hexmarshal.referee.check.log_check import check_file
from hexmarshal.referee.samples.log_recorder import Recorder, record_log
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.playing.selfplay import play_game
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import FrozenMap, thaw
from hexmarshal.table.binding import Binding
from hexmarshal.table.placing import Placer
from hexmarshal.table.reading import TableReader
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.saves.log import GameLog
from hexmarshal.vassal.saves.savegame import SavedGame

PLUGIN = HeroesOfStalingrad()


@cache
def played(scenario, actions, seed="clean"):
    game = play_game(PLUGIN, seed, scenario=scenario, max_actions=actions, check_replay=False)
    return game.record


@pytest.fixture(scope="module")
def binding(module):
    return Binding.inside(module)


def action(kind, side, **params):
    return PLUGIN.game.actions.make(kind, side, **params)


def checked(module, binding, log):
    again = SavedGame.from_archive(Archive.from_bytes(log.to_bytes()))
    return check_file(again, module, binding, PLUGIN)


@pytest.mark.parametrize(
    ("scenario", "actions", "among"),
    [
        ("drill", 40, {"order", "reveal", "move", "fire"}),
        ("railway", 34, {"deploy", "end_deployment", "order"}),
    ],
)
def test_a_game_by_the_rules_is_found_clean(module, binding, scenario, actions, among):
    """Secret orders, activations, moves and fire, cards: all of it is read back."""
    record = played(scenario, actions)
    assert among <= {event.action["kind"] for event in record.events}
    report = checked(module, binding, record_log(module, binding, PLUGIN, record))
    assert len(report.entries) >= len(record.events)
    assert {entry.status for entry in report.entries} == {Status.LEGAL}


@pytest.mark.parametrize(("seed", "actions"), [("h", 22), ("7", 22), ("k", 37)])
def test_moves_that_are_fired_at_on_their_way_are_found_clean(module, binding, seed, actions):
    """They stop among friends, where no move may end, and go across the corners of squares."""
    record = played("tractor_works", actions, seed)
    assert "move" in {event.action["kind"] for event in record.events}
    report = checked(module, binding, record_log(module, binding, PLUGIN, record))
    assert [e.what for e in report.entries if e.status is not Status.LEGAL] == []


def test_a_drag_that_stops_where_it_is_fired_at_is_the_beginning_of_a_move(module, binding):
    """Nobody says where it was to go on to: it stops among friends, and is no violation."""
    record = played("tractor_works", 37, "k")
    start = engine.start(PLUGIN, "tractor_works", seed=record.opening.seed)
    recorder = Recorder(module, binding, PLUGIN, start)
    stopped = 0
    for event in record.events:
        done = PLUGIN.game.actions.decode(thaw(event.action))
        after = engine.perform(PLUGIN, recorder.position, done).position
        path = done.texts("path") if done.kind == "move" else ()
        stop = after.units[done.text("unit")].cell if path else ""
        if stop in path[:-1]:
            stopped += 1
            recorder.drag([done.text("unit")], path[: path.index(stop) + 1])
            recorder.show(after)
        else:
            recorder.perform(done)
    assert stopped
    report = checked(module, binding, recorder.finish())
    assert [e.what for e in report.entries if e.status is not Status.LEGAL] == []


def test_two_orders_on_a_unit_are_found(module, binding):
    recorder = Recorder(module, binding, PLUGIN, engine.start(PLUGIN, "drill"))
    recorder.perform(action("order", "russian", unit="r3", token="1"))
    recorder.announce(action("order", "russian", unit="r3", token="2"))
    (found,) = checked(module, binding, recorder.finish()).violations
    assert found.certainty is Certainty.CERTAIN
    assert "HOS-2.10" in {one.rule for one in found.violations}


def test_a_counter_is_placed_as_it_points(module, binding):
    """Nobody says which way a gun faces that is dragged onto the map: its counter shows it."""
    start = engine.start(PLUGIN, "railway")
    gun = replace(start.units["g4"], facing=2)
    recorder = Recorder(module, binding, PLUGIN, start.with_unit(gun))
    recorder.drag(["g4"], ["0108"])
    recorder.drag(["g8"], ["0208"])
    report = checked(module, binding, recorder.finish())
    assert [e.status for e in report.entries] == [Status.LEGAL] * 2
    assert report.position.units["g4"].facing == 2


def test_a_counter_placed_outside_its_zone_is_found(module, binding):
    recorder = Recorder(module, binding, PLUGIN, engine.start(PLUGIN, "railway"))
    side = recorder.position.active[0]
    unit = next(u.id for u in recorder.position.of_side(side) if u.box == "waiting")
    recorder.drag([unit], ["1009"])
    report = checked(module, binding, recorder.finish())
    assert any(unit in found.units for found in report.violations)


def under_fire():
    """The drill, with a German fire group about to fire at a Russian one."""
    start = engine.start(PLUGIN, "drill")
    units = {
        **start.units,
        "g3": replace(start.units["g3"], cell="0710"),
        "r3": replace(start.units["r3"], cell="0410"),
    }
    about = {"side": "german", "unit": "g3", "source": "order", "following": "russian", "done": []}
    frames = [
        {"kind": "activation", "about": about},
        {"kind": "act", "deciders": [{"side": "german"}], "about": {"unit": "g3"}},
    ]
    moved = replace(start, units=FrozenMap(units), phase="activation", frames=())
    return Position.from_json({**moved.to_json(), "frames": frames, "state": "", "active": []})


def forgetting(position):
    """What players show who do not turn the counter over."""
    loser = position.units["r3"]
    return position.with_unit(replace(loser, steps=2))


@pytest.mark.parametrize(("slip", "found"), [(None, 0), (forgetting, 1)])
def test_a_loss_that_nobody_took_is_found(module, binding, slip, found):
    recorder = Recorder(module, binding, PLUGIN, under_fire())
    shot = action("fire", "german", unit="g3", target="r3")
    applied = recorder.perform(shot, Dice(None, given=[5]), slip)
    assert applied.position.units["r3"].steps == 1
    recorder.perform(action("hold_fire", "russian"))
    wrong = [e for e in checked(module, binding, recorder.finish()).entries if _is_wrong(e)]
    assert len(wrong) == found
    assert all("r3 has 1 step by the rules" in e.violations[0].text for e in wrong)


def test_of_two_equal_dice_only_the_one_that_was_asked_for_is_taken(module, binding):
    recorder = Recorder(module, binding, PLUGIN, under_fire())
    shot = action("fire", "german", unit="g3", target="r3")
    applied = engine.perform(PLUGIN, recorder.position, shot, Dice(None, given=[5]))
    (roll,) = applied.rolls
    recorder.announce(shot)
    recorder.roll(roll.sides, 5, 5, side="german")
    recorder.show(applied.position)
    fire, spare = checked(module, binding, recorder.finish()).entries
    assert (fire.kind, fire.status, fire.dice) == ("fire", Status.LEGAL, (5,))
    assert (spare.kind, spare.status, spare.dice) == ("roll", Status.VIOLATION, (5,))
    assert spare.certainty is Certainty.LIKELY
    assert [one.text for one in spare.violations] == ["2 dice were rolled here, and 1 is due"]


def _is_wrong(entry):
    return entry.status is not Status.LEGAL


def test_a_sealed_order_is_opened_by_the_end_of_the_log_and_not_before(module, binding):
    """The chat tells that an order was given; what the German reads of the table does not say it.

    The file itself holds what masks cover, as all files of VASSAL do: who reads a save for a seat
    gets the view of that seat.
    """
    recorder = Recorder(module, binding, PLUGIN, engine.start(PLUGIN, "drill"))
    recorder.perform(action("order", "russian", unit="r3", token="2"))
    recorder.perform(action("order", "russian", unit="r2", token="bluff"))
    told = [line.text for line in _chat(recorder.log.finish()) if line.player == "Russian player"]
    assert len(told) == 2
    assert not any(word in line for line in told for word in ("r3", "r2", "bluff", "-> 2"))
    report = checked(module, binding, recorder.finish())
    assert {entry.status for entry in report.entries} == {Status.LEGAL}
    state = Placer(module, binding, PLUGIN, recorder.position).place(recorder.position)
    read = TableReader(module, binding, PLUGIN, state).read(state, None).position
    assert {m.values.get("token") for m in read.markers.values() if m.kind == "order"} == {
        "2",
        "bluff",
    }
    seen = engine.view(PLUGIN, read, "german")
    orders = [marker for marker in seen.markers.values() if marker.kind == "order"]
    assert {marker.unit for marker in orders} == {"r2", "r3"}
    assert not any("token" in marker.values for marker in orders)


def _chat(log):
    return [line for step in GameLog(log).steps() for line in step.chat]


def in_silence(recorder, *actions):
    """Players lay on the table what an action comes to, and say nothing."""
    for one in actions:
        recorder.show(engine.perform(PLUGIN, recorder.position, one, Dice(None)).position)


@pytest.mark.parametrize("said", [True, False])
def test_tokens_that_are_laid_without_a_word_are_orders(module, binding, said):
    """Nobody announces a secret, and nobody seals one by hand: the tokens tell it.

    That all are placed may be said as well, or be shown by the tracker.
    """
    recorder = Recorder(module, binding, PLUGIN, engine.start(PLUGIN, "drill"))
    placed = {"russian": ("r3", "r1", "r2"), "german": ("g1", "g4")}
    for side, units in placed.items():
        tokens = [action("order", side, unit=u, token=str(i)) for i, u in enumerate(units, 1)]
        in_silence(recorder, *tokens)
        ended = action("end_orders", side)
        recorder.perform(ended) if said else in_silence(recorder, ended)
    recorder.perform(action("reveal", "russian"))
    report = checked(module, binding, recorder.finish())
    assert {entry.status for entry in report.entries} == {Status.LEGAL}
    found = [dict(e.action) for e in report.entries if e.kind == "order"]
    assert {(one["unit"], one["token"]) for one in found} == {
        ("r3", "1"), ("r1", "2"), ("r2", "3"), ("g1", "1"), ("g4", "2"),
    }  # fmt: skip


def test_a_token_that_a_side_does_not_own_is_no_order(module, binding):
    recorder = Recorder(module, binding, PLUGIN, engine.start(PLUGIN, "drill"))
    in_silence(recorder, action("order", "russian", unit="r3", token="1"))
    token = recorder.position.markers["order-r3"]
    other = replace(token, id="order-r1", unit="r1", values=FrozenMap({"token": "9"}))
    markers = recorder.position.markers.set(other.id, other)
    recorder.show(replace(recorder.position, markers=markers))
    recorder.announce(action("end_orders", "russian"))
    report = checked(module, binding, recorder.finish())
    assert [e.kind for e in report.entries if e.status is Status.LEGAL] == ["order"]
    assert any("HOS-2.5" in {v.rule for v in e.violations} for e in report.violations)
    assert any("HOS-2.9" in {v.rule for v in e.violations} for e in report.violations)
