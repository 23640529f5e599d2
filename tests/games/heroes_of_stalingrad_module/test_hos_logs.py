"""Logs of the module: recorded games are found clean, and what is wrong in one is found."""

from __future__ import annotations

from functools import cache

import pytest

from hexmarshal.games.heroes_of_stalingrad import HeroesOfStalingrad
from hexmarshal.referee.check.findings import Certainty, Status
from hexmarshal.referee.check.log_check import check_file
from hexmarshal.referee.samples.log_recorder import Recorder, record_log
from hexmarshal.rules import engine
from hexmarshal.rules.playing.selfplay import play_game
from hexmarshal.table.binding import Binding
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.saves.savegame import SavedGame

PLUGIN = HeroesOfStalingrad()


@cache
def played(scenario, actions):
    game = play_game(PLUGIN, "clean", scenario=scenario, max_actions=actions, check_replay=False)
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


def test_two_orders_on_a_unit_are_found(module, binding):
    recorder = Recorder(module, binding, PLUGIN, engine.start(PLUGIN, "drill"))
    recorder.perform(action("order", "russian", unit="r3", token="1"))
    recorder.announce(action("order", "russian", unit="r3", token="2"))
    (found,) = checked(module, binding, recorder.finish()).violations
    assert found.certainty is Certainty.CERTAIN
    assert "HOS-2.10" in {one.rule for one in found.violations}


def test_a_counter_placed_outside_its_zone_is_found(module, binding):
    recorder = Recorder(module, binding, PLUGIN, engine.start(PLUGIN, "railway"))
    side = recorder.position.active[0]
    unit = next(u.id for u in recorder.position.of_side(side) if u.box == "waiting")
    recorder.drag([unit], ["1009"])
    report = checked(module, binding, recorder.finish())
    assert any(unit in found.units for found in report.violations)
