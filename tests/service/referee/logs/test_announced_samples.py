"""Games of the random player with all that their players say: nothing in them is wrong."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

import coh_table
import kharkov_table
from game_table import table

from hexmarshal.referee.check.findings import Status
from hexmarshal.referee.samples.log_recorder import record_log
from hexmarshal.rules.playing.selfplay import play_game

TABLES = {"kharkov": kharkov_table, "conflict_of_heroes": coh_table}


LONGER = [
    # Headquarters relocate, which is counted, to where they could have marched as well.
    ("traces_of_war", "amber", 60),
    # A token that commands nobody is drawn; the last reinforcement to come ends the turn.
    ("traces_of_war", "elm", 160),
]


@pytest.mark.parametrize(("game", "seed", "actions"), LONGER)
def test_nothing_is_wrong_with_a_longer_game(game: str, seed: str, actions: int) -> None:
    at = table(game)
    scenario = at.plugin.scenarios()[0].key
    played = play_game(
        at.plugin, seed, scenario=scenario, max_actions=actions, check_replay=False
    ).record
    report = at.checked(record_log(at.module(), at.binding(), at.plugin, played))
    assert [e.what for e in report.entries if e.status is not Status.LEGAL] == []


@pytest.mark.parametrize("seed", ["d", "e"])
@pytest.mark.parametrize(
    ("game", "scenario", "actions"),
    [("kharkov", "training", 40), ("conflict_of_heroes", "first_steps", 24)],
)
def test_an_announced_game_is_found_clean(
    game: str, scenario: str, actions: int, seed: str
) -> None:
    table = TABLES[game]
    played = play_game(
        table.PLUGIN, seed, scenario=scenario, max_actions=actions, check_replay=False
    )
    log = record_log(table.module(), table.binding(), table.PLUGIN, played.record)
    report = table.checked(log)
    # Two moves of a unit in a row are one march.
    assert len(report.entries) >= 0.9 * len(played.record.events) > 0
    assert [e.what for e in report.entries if e.status is not Status.LEGAL] == []
