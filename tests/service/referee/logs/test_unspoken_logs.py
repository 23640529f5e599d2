"""Samples with every announcement left out: less can be told, and nothing false is certain."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from dataclasses import replace

import coh_table
import kharkov_table

from hexmarshal.referee.check.findings import Certainty, Status
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


FOUGHT = """
[soviet: end_phase]
[soviet: attack] rif-03 tnk-03 -> 0615 air=yes
[axis: air_defence] yes
[soviet: retreat] tnk-03 -> 0713
[soviet: retreat] rif-03 -> 0713
[soviet: attack] tnk-01 tnk-02 -> 0715 air=no
[axis: retreat] sec-454 -> 0716 0717
[soviet: advance] tnk-01 -> 0715
[soviet: end_advance]
[soviet: end_phase]
[axis: break_down] inf-294
"""


def test_attacks_and_other_actions_that_nobody_announced_are_found_by_what_they_left() -> None:
    plugin = kharkov_table.PLUGIN
    start = engine.start(plugin, "training", seed="f")
    log = Mute(kharkov_table.module(), kharkov_table.binding(), plugin, start)
    for action in kharkov_table.said(FOUGHT):
        log.perform(action)
    report = kharkov_table.checked(log.finish())
    legal = [entry.kind for entry in report.entries if entry.status is Status.LEGAL]
    for kind in ("attack", "retreat", "advance", "break_down"):
        assert kind in legal
    attacks = [entry for entry in report.entries if entry.kind == "attack"]
    assert all(entry.what.startswith("in silence: ") for entry in attacks)
    assert "-> 0715" in attacks[-1].what
    # Nobody knows whether it was another that would have left the same.
    assert {entry.certainty for entry in attacks} == {Certainty.LIKELY}
    # Whoever went on then, it was his side's player who did it.
    assert {(entry.side, entry.player) for entry in report.entries} == {
        ("soviet", "Soviet player"),
        ("axis", "Axis player"),
    }
    assert report.certain == 0


def test_a_division_broken_down_piece_by_piece_is_no_crime() -> None:
    start = replace(engine.start(kharkov_table.PLUGIN, "training"), phase="axis_movement")
    start = replace(start, active=("axis",))
    log = kharkov_table.game(start)
    for regiment in ("reg-01", "reg-02", "reg-03"):
        log.drag([regiment], ["0414"])
    report = kharkov_table.checked(log)
    assert report.certain == 0
    assert [entry.kind for entry in report.entries][:1] == ["break_down"]


def test_an_attack_is_found_when_the_last_of_its_results_is_shown() -> None:
    plugin = kharkov_table.PLUGIN
    here = replace(engine.start(plugin, "training"), phase="axis_combat", active=("axis",))
    there = dict.fromkeys(("pz-126-23", "pz-128-23", "pz-201-23"), "0616") | {
        "grd-1": "0615",
        "inf-297": "0317",
    }
    for name, cell in there.items():
        here = here.with_unit(replace(here.units[name], cell=cell))
    log = kharkov_table.game(here)
    log.roll(6, 2, side="axis")
    hurt = here.with_unit(replace(here.units["pz-126-23"], steps=1))
    log.show(hurt)
    log.show(hurt.without_unit("grd-1"))
    log.drag(["pz-201-23"], ["0615"])
    report = kharkov_table.checked(log)
    assert not list(report.violations)
    kinds = [entry.kind for entry in report.entries]
    assert kinds == ["attack", "air_defence", "take_losses", "advance"]
