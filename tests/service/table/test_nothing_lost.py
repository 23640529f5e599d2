"""Positions onto tables and back: what was revealed, the turn, and whoever waits to be set up."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from kharkov_table import PLUGIN, binding, builder, module

from hexmarshal.rules import engine, registry
from hexmarshal.rules.position import Position
from hexmarshal.table.module_finder import Means
from hexmarshal.table.placing import Placer, write_save
from hexmarshal.table.scenarios import Form, Reader, write_scenario
from hexmarshal.vassal.pieces.piece_names import properties_of
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.state.game_state import GameState


def shown(state: GameState, **wanted: str) -> list[dict[str, str]]:
    """The properties of the pieces that show all this."""
    found = [
        {**properties_of(piece.piece), "at": f"{piece.map}"} for piece in state.pieces.values()
    ]
    return [one for one in found if all(one.get(k) == v for k, v in wanted.items())]


def revealed() -> Position:
    """A tank brigade that has turned out to be worth 5-5-11."""
    start = engine.start(PLUGIN, "training")
    values = start.units["tnk-01"].values.set("ladder", ("5-5-11",))
    return start.with_unit(replace(start.units["tnk-01"], values=values))


def test_what_was_revealed_lies_open_with_its_value_and_the_rest_stays_covered() -> None:
    saved, notes = write_save(module(), binding(), PLUGIN, revealed())
    assert notes == ()
    (open_one,) = shown(saved.state(), UnitId="tnk-01")
    assert open_one["Obscured"] == "false"
    assert open_one["PieceName"] == "Tank brigade 01 (tank 5-5-11)"
    (covered,) = shown(saved.state(), UnitId="tnk-02")
    assert (covered["Obscured"], covered["PieceName"]) == ("true", "Tank brigade 02")


def test_a_save_of_the_engine_keeps_through_yaml_what_was_revealed(
    corpus: Path, tmp_path: Path
) -> None:
    means = Means(module=builder().save(tmp_path / "kharkov.vmod"))
    loaded = Reader(registry.default(), means).read(str(corpus / "engine-logs" / "k-mid.vsav"))
    text = write_scenario(loaded.scenario, Form.YAML, loaded.plugin, means)
    (tmp_path / "k.yaml").write_bytes(text.data)
    again = Reader(registry.default(), means).read(str(tmp_path / "k.yaml"))
    written = write_scenario(again.scenario, Form.SAVE, again.plugin, means)
    assert (written.losses, written.notes) == ((), ())
    (tmp_path / "k.vsav").write_bytes(written.data)
    (tank,) = shown(SavedGame.open(tmp_path / "k.vsav").state(), UnitId="tnk-01")
    assert (tank["Obscured"], tank["Face_Level"]) == ("false", "4")


def test_a_mask_that_no_sign_speaks_of_is_told_where_it_covers_something() -> None:
    signs = tuple(replace(sign, also={case: {} for case in sign.also}) for sign in binding().signs)
    silent = replace(binding(), signs=signs)
    _, notes = write_save(module(), silent, PLUGIN, revealed())
    assert [note.text for note in notes] == [
        "tnk-01 lies face down: no sign says when Obscured is false"
    ]


@pytest.mark.parametrize("turn", [1, 2, 3])
def test_the_marker_of_turns_lies_on_its_turn(turn: int) -> None:
    position = replace(engine.start(PLUGIN, "training"), turn=turn)
    placer = Placer(module(), binding(), PLUGIN, position)
    state = placer.place(position)
    assert placer.notes == []
    marker = [p for p in state.pieces.values() if "game-turn" in p.state]
    locate = placer.table.reader.locator.locate
    assert [locate(str(p.map), p.x, p.y).name for p in marker] == [f"Turn {turn}"]
