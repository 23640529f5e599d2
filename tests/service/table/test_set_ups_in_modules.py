"""Set-ups in built modules: what the plugin's own `setup` says, to the last sign."""

from __future__ import annotations

from dataclasses import replace

import coh_table
import kharkov_table
import pytest

from hexmarshal.errors import RulesError
from hexmarshal.rules import engine
from hexmarshal.table.reading import TableReader
from hexmarshal.table.set_ups import lay_set_up
from hexmarshal.vassal.components import PredefinedSetup
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.state.game_state import GameState


def set_up(own, title: str) -> GameState:
    module = own.module()
    (entry,) = (s.get("file") for s in module.each(PredefinedSetup) if s.name == title)
    return SavedGame.from_archive(module.archive.nested(entry)).state()


SCENARIOS = [
    *((kharkov_table, s.key, s.title) for s in kharkov_table.PLUGIN.scenarios()[:2]),
    *((coh_table, s.key, s.title) for s in coh_table.PLUGIN.scenarios()),
]


@pytest.mark.parametrize(("own", "key", "title"), SCENARIOS, ids=[s[1] for s in SCENARIOS])
def test_a_set_up_is_the_start_that_the_rules_give(own, key: str, title: str) -> None:
    start, state = engine.start(own.PLUGIN, key), set_up(own, title)
    table = TableReader(own.module(), own.binding(), own.PLUGIN, state)
    assert table.units(state).keys() == start.units.keys()
    reading = table.read(state, start)
    assert reading.position == start
    assert reading.notes == ()


def test_units_without_supply_bear_the_sign_of_it() -> None:
    start = engine.start(kharkov_table.PLUGIN, "campaign")
    state = set_up(kharkov_table, "The Kharkov offensive")
    table = TableReader(
        kharkov_table.module(), kharkov_table.binding(), kharkov_table.PLUGIN, state
    )
    signs = {
        unit: next(f.value for f in seen.facts if f.key == ("flag", "unsupplied"))
        for unit, seen in table.units(state).items()
    }
    cut_off = {unit.id for unit in start.units.values() if unit.has("unsupplied")}
    assert cut_off
    assert {unit for unit, shown in signs.items() if shown} == cut_off


def test_a_module_that_cannot_show_a_scenario_is_refused() -> None:
    built = kharkov_table.builder()
    no_boxes = replace(kharkov_table.binding(), boxes=())
    setup = built.setup("Half of it")
    with pytest.raises(RulesError, match=r"cannot show the scenario training: no place .* box"):
        lay_set_up(setup, built, no_boxes, kharkov_table.PLUGIN, "training")
