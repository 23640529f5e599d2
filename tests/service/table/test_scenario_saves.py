"""Scenarios as saves of the Kharkov module, and as the end of a log."""

from __future__ import annotations

from dataclasses import replace

import pytest
from kharkov_table import PLUGIN, builder, game

from hexmarshal.errors import HexMarshalError, NotFoundError
from hexmarshal.rules import engine
from hexmarshal.rules.playing.record import replay
from hexmarshal.rules.playing.selfplay import play_game
from hexmarshal.rules.plugins import registry
from hexmarshal.table.module_finder import Means
from hexmarshal.table.scenarios import Form, Reader, scenario_of, write_scenario
from hexmarshal.table.scenarios.conversion import convert


@pytest.fixture(scope="module")
def means(tmp_path_factory) -> Means:
    return Means(module=builder().save(tmp_path_factory.mktemp("module") / "kharkov.vmod"))


def reader(means: Means, **more: str) -> Reader:
    return Reader(registry.default(), means, **more)


@pytest.mark.parametrize("scenario", ["training", "campaign"])
def test_a_scenario_comes_back_from_a_save(scenario: str, means: Means, tmp_path) -> None:
    save = tmp_path / "s.vsav"
    done = convert(reader(means), f"kharkov:{scenario}", save, strict=True)
    assert done.written
    loaded = reader(means).read(str(save))
    position = engine.start(PLUGIN, scenario)
    assert loaded.position == position
    assert loaded.scenario == scenario_of(PLUGIN, position)
    assert loaded.notes == ()


def test_a_battle_in_full_swing_comes_back_from_a_save(means: Means) -> None:
    played = play_game(PLUGIN, "1", scenario="training", max_actions=60, check_replay=False)
    *_, position = replay(PLUGIN, played.record)
    written = write_scenario(
        scenario_of(PLUGIN, replace(position, generator=None)), Form.SAVE, PLUGIN, means
    )
    assert written.losses == ()


def test_the_end_of_a_log_is_a_scenario_too(means: Means, tmp_path) -> None:
    log = game("training")
    move = next(
        o.action for o in engine.offers(PLUGIN, log.position, "soviet") if o.action.kind == "move"
    )
    log.perform(move)
    path = tmp_path / "g.vlog"
    path.write_bytes(log.finish().to_bytes())
    found = reader(means).read(str(path)).scenario
    unit = move.texts("units")[0] if "units" in move.params else move.text("unit")
    assert unit in found.setup.cells[move.texts("path")[-1]]
    assert unit not in scenario_of(PLUGIN, engine.start(PLUGIN, "training")).setup.cells.get(
        move.texts("path")[-1], ()
    )


def test_words_of_another_scenario_are_taken_over(means: Means, tmp_path) -> None:
    save, base = tmp_path / "s.vsav", tmp_path / "b.yaml"
    convert(reader(means), "kharkov:training", save)
    text = "format: hexmarshal-scenario/1\ngame: kharkov\ntitle: Mine\nlicence: CC0-1.0\n"
    base.write_text(text)
    loaded = reader(means, onto=str(base)).read(str(save))
    assert (loaded.scenario.title, loaded.scenario.licence) == ("Mine", "CC0-1.0")
    assert loaded.scenario.setup.cells


def test_a_save_without_a_module_or_of_another_game_is_told(means: Means, tmp_path) -> None:
    with pytest.raises(NotFoundError, match="the binding is for the game 'kharkov'"):
        write_scenario(
            scenario_of(
                coh := registry.default().get("conflict_of_heroes"),
                engine.start(coh, "first_steps"),
            ),
            Form.SAVE,
            coh,
            means,
        )
    broken = tmp_path / "x.vsav"
    broken.write_bytes(b"PK\x03\x04 cut")
    with pytest.raises(HexMarshalError) as caught:
        reader(means).read(str(broken))
    assert caught.value.place.file == str(broken)
