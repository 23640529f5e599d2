"""Samples with every announcement left out: less can be told, and nothing false is certain."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

import coh_table

from hexmarshal.referee.check.findings import Status
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.action import Action
from hexmarshal.rules.playing.selfplay import play_game
from hexmarshal.rules.values import thaw


class Mute(Recorder):
    """Writes what the table shows, and not a word."""

    def announce(self, action: Action) -> None:
        del action

    def seal(self, action: Action) -> None:
        del action


GAMES = [
    (coh_table, "first_steps", 40),
    (coh_table, "drill", 26),
]


@pytest.mark.parametrize(("table", "scenario", "actions"), GAMES)
def test_a_game_without_a_word_breaks_no_rule_for_certain(
    table: object, scenario: str, actions: int
) -> None:
    plugin = table.PLUGIN  # type: ignore[attr-defined]
    record = play_game(
        plugin, "strip", scenario=scenario, max_actions=actions, check_replay=False
    ).record
    start = engine.start(plugin, scenario, seed=record.opening.seed)
    log = Mute(table.module(), table.binding(), plugin, start)  # type: ignore[attr-defined]
    for event in record.events:
        log.perform(plugin.game.actions.decode(thaw(event.action)))
    report = table.checked(log.finish())  # type: ignore[attr-defined]
    assert report.certain == 0
    assert any(entry.status is Status.LEGAL for entry in report.entries)
