"""Random games end without a finding, and replay; every switch can be played."""

from __future__ import annotations

import pytest
from hos_ground import game

from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.playing.selfplay import play_game


@pytest.mark.parametrize(
    ("scenario", "seed"), [("drill", "a"), ("drill", "b"), ("free_battle", "a")]
)
def test_a_random_game_ends_without_a_finding(scenario: str, seed: str) -> None:
    played = play_game(game(), seed, scenario=scenario)
    assert played.findings == []
    assert played.winners is not None


@pytest.mark.parametrize("scenario", ["tractor_works", "railway"])
def test_a_large_scenario_goes_well_for_a_while(scenario: str) -> None:
    """The first turn; whole games take half a minute and are played by hand."""
    played = play_game(game(), "v", scenario=scenario, max_actions=70)
    assert [finding.kind for finding in played.findings] == ["no end"]


@pytest.mark.parametrize(("unit", "cell", "facing"), [("g4", "0108", 2), ("g1", "0101", 0)])
def test_a_counter_is_placed_as_it_pointed_while_it_waited(
    unit: str, cell: str, facing: int
) -> None:
    plugin = game()
    position = engine.start(plugin, "railway")
    while "german" not in position.active:
        end = plugin.game.actions.make("end_deployment", position.active[0])
        position = engine.perform(plugin, position, end, Dice(None)).position
    placed = plugin.game.actions.make("deploy", "german", unit=unit, cell=cell)
    after = engine.perform(plugin, position, placed, Dice(None)).position
    assert (after.units[unit].cell, after.units[unit].facing) == (cell, facing)
    turned = plugin.game.actions.make("deploy", "german", unit=unit, cell=cell, facing=5)
    assert engine.perform(plugin, position, turned, Dice(None)).position.units[unit].facing == 5


OTHER_READINGS = {
    option.param.name: option.param.choices[-1] if option.param.choices else not option.default
    for option in game().game.options
}


def test_every_switch_can_be_played() -> None:
    played = play_game(game(), "s", scenario="drill", options=OTHER_READINGS)
    assert played.findings == []
    assert played.winners is not None
