"""The demonstration's samples: what is planted is found, nothing else; and without a word, too."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from collections import Counter
from importlib.metadata import entry_points
from pathlib import Path

from game_table import table
from muted_log import muted

from hexmarshal.cli.demo_referee import ACTIONS, WANTED, compared, write_sample_log
from hexmarshal.cli.vassal.make.offers import GROUP
from hexmarshal.referee.check.check_inputs import check_path
from hexmarshal.referee.check.findings import CheckReport, Entry
from hexmarshal.referee.samples.faulty_samples import plant
from hexmarshal.referee.samples.log_recorder import record_log
from hexmarshal.rules.playing.selfplay import play_game
from hexmarshal.rules.plugins import registry
from hexmarshal.rules.values import thaw
from hexmarshal.table.module_finder import Means
from hexmarshal.vassal.saves.savegame import SavedGame

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


@pytest.mark.parametrize("game", sorted(entry.name for entry in entry_points(group=GROUP)))
def test_what_the_demonstration_plants_is_found_and_nothing_else(game: str, tmp_path: Path) -> None:
    played = table(game)
    module, log = tmp_path / "game.vmod", tmp_path / "game.vlog"
    played.builder().save(module)
    planted = write_sample_log(game, module, log)
    assert len(planted) >= 2
    spoken = check_path(log, Means(module=module, game=game), registry.default())
    compared(spoken, planted)
    # The same without a word: nothing is certain but about those who broke a rule.
    silent = played.checked(muted(SavedGame.open(log)))
    assert spoken.steps > silent.steps
    broken = {rule.what.split()[0] for rule in planted}
    certain = [e for e in silent.violations if e.certainty.value == "certain"]
    assert all(broken.intersection(entry.units) for entry in certain)
    assert same(spoken, silent) >= SAME_VERDICTS
    assert broken <= {unit for entry in silent.violations for unit in entry.units}


# What players did there that nobody understood once who only saw the table.
OTHER_SAMPLES = [
    # A retreat of several units, of whom the first is marked as disrupted when all are gone.
    ("kharkov", "ember"),
    # A drag against the rules between the dice of an attack and what came of them.
    ("kharkov", "salt"),
    # A drag against the rules, after which it shows that two overran and not one.
    ("kharkov", "gold"),
    # Two of three who stand together overran, and the third dug in.
    ("kharkov", "elm"),
    # Two of three overran, and the third moved on; a drag against the rules before it shows.
    ("kharkov", "silver"),
    # A division is broken down while another is dragged on as it may not be.
    ("kharkov", "hazel"),
    # A drag against the rules between two attacks that left nothing.
    ("traces_of_war", "elm"),
    # Who moved last moves first after the next token was drawn.
    ("traces_of_war", "hazel"),
    # Units that are fired at for a move by which they stay where they are.
    ("heroes_of_stalingrad", "cedar"),
    # The marker for the initiative moves behind a move against the rules, which does not cost it.
    ("heroes_of_stalingrad", "pine"),
    # The first attack was on another hex than was thought, by units of another headquarters.
    ("traces_of_war", "willow"),
    # Who advances took part in the attack, of which only that tells.
    ("traces_of_war", "copper"),
    # All who were thought to have attacked have advanced already when another one does.
    ("traces_of_war", "fir"),
    # A retreat further than anybody may, after an attack that might have eliminated.
    ("traces_of_war", "pike"),
    # A drag against the rules between two attacks, after which nobody moved yet.
    ("traces_of_war", "gold"),
]


@pytest.mark.parametrize(("game", "seed"), OTHER_SAMPLES)
def test_other_samples_are_understood_without_a_word(game: str, seed: str) -> None:
    played = table(game)
    written, planted = plant(
        played.module(),
        played.binding(),
        played.plugin,
        seed,
        scenario=played.plugin.scenarios()[0].key,
        wanted=WANTED,
        most_actions=ACTIONS,
        in_words=False,
    )
    spoken, silent = (played.checked(one) for one in (written, muted(written)))
    broken = {rule.what.split()[0] for rule in planted}
    assert all(broken.intersection(entry.units) for entry in silent.violations)
    assert same(spoken, silent) >= SAME_VERDICTS


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
    played = table(game)
    record = play_game(
        played.plugin, seed, scenario=scenario, max_actions=actions, check_replay=False
    ).record
    log = played.game(played.start(scenario, record.opening.seed))
    for event in record.events:
        log.perform(played.plugin.game.actions.decode(thaw(event.action)))
    saved = log.finish()
    spoken, silent = (played.checked(one) for one in (saved, muted(saved)))
    assert silent.certain == 0
    assert same(spoken, silent) >= 0.9


def test_who_does_not_survive_his_retreat_was_attacked_without_a_word() -> None:
    played = table("traces_of_war")
    scenario = played.plugin.scenarios()[0].key
    record = play_game(
        played.plugin, "basalt", scenario=scenario, max_actions=100, check_replay=False
    ).record
    log = record_log(played.module(), played.binding(), played.plugin, record)
    silent = played.checked(muted(log))
    assert list(silent.violations) == []
    lost = [entry for entry in silent.entries if entry.kind == "retreat"][-1]
    assert (lost.units, lost.certainty, lost.path) == (("de-167",), "likely", ())
