"""Samples of the demo with every announcement taken out of the file: the same verdicts."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from collections import Counter

import coh_table
import kharkov_table
from muted_log import muted

from hexmarshal.cli import demo_referee
from hexmarshal.referee.check.findings import CheckReport, Entry
from hexmarshal.referee.samples.faulty_samples import Planted, plant
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.playing.selfplay import play_game
from hexmarshal.rules.values import thaw
from hexmarshal.vassal.saves.savegame import SavedGame

TABLES = {"kharkov": kharkov_table, "conflict_of_heroes": coh_table}
SAME_VERDICTS = 0.95


def verdicts(report: CheckReport) -> Counter[tuple[object, ...]]:
    """Who did what kind of thing in which phase, and whether he might."""

    def verdict(entry: Entry) -> tuple[object, ...]:
        return entry.turn, entry.phase, entry.side, entry.kind, entry.status

    return Counter(verdict(entry) for entry in report.entries if entry.action)


def same(spoken: CheckReport, silent: CheckReport) -> float:
    """The part of the actions that get the same verdict without a word."""
    wanted = verdicts(spoken)
    return (wanted & verdicts(silent)).total() / wanted.total()


def sample(game: str) -> tuple[SavedGame, tuple[Planted, ...]]:
    table = TABLES[game]
    return plant(
        table.module(),
        table.binding(),
        table.PLUGIN,
        demo_referee.SEED,
        scenario=table.PLUGIN.scenarios()[0].key,
        wanted=demo_referee.WANTED,
        most_actions=demo_referee.ACTIONS,
        in_words=False,
    )


@pytest.mark.parametrize("game", TABLES)
def test_a_sample_of_the_demo_gets_the_same_verdicts_without_a_word(game: str) -> None:
    saved, planted = sample(game)
    spoken, silent = (TABLES[game].checked(log) for log in (saved, muted(saved)))
    assert spoken.steps > silent.steps
    assert same(spoken, silent) >= SAME_VERDICTS
    # Every rule that was broken is found, by the unit that broke it; nothing else is certain.
    broken = {rule.what.split()[0] for rule in planted}
    assert len(planted) >= 2
    assert broken <= {unit for entry in silent.violations for unit in entry.units}
    certain = [e for e in silent.violations if e.certainty.value == "certain"]
    assert all(broken.intersection(entry.units) for entry in certain)


@pytest.mark.parametrize(
    ("game", "scenario", "seed", "actions"),
    [
        ("kharkov", "training", "a", 60),
        ("conflict_of_heroes", "first_steps", "a", 50),
    ],
)
def test_games_of_the_random_player_are_understood_without_a_word(
    game: str, scenario: str, seed: str, actions: int
) -> None:
    table = TABLES[game]
    record = play_game(
        table.PLUGIN, seed, scenario=scenario, max_actions=actions, check_replay=False
    ).record
    start = engine.start(table.PLUGIN, scenario, seed=record.opening.seed)
    log = Recorder(table.module(), table.binding(), table.PLUGIN, start)
    for event in record.events:
        log.perform(table.PLUGIN.game.actions.decode(thaw(event.action)))
    saved = log.finish()
    spoken, silent = (table.checked(one) for one in (saved, muted(saved)))
    assert silent.certain == 0
    assert same(spoken, silent) >= 0.9
