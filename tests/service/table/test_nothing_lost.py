"""Positions onto tables and back: what was revealed, the turn, and whoever waits to be set up."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import coh_table
import kharkov_table
import pytest
from kharkov_table import PLUGIN, binding, builder, module

from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.plugins import registry
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import FrozenMap
from hexmarshal.table.binding import Binding
from hexmarshal.table.module_finder import Means
from hexmarshal.table.placing import Placer, write_save
from hexmarshal.table.reading import TableReader
from hexmarshal.table.scenarios import Form, Reader, check_scenario, write_scenario
from hexmarshal.table.scenarios.from_position import scenario_of
from hexmarshal.vassal.commands.piece import MovePiece
from hexmarshal.vassal.container.archive import Archive
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
    values = start.units["tnk-01"].values.set("ladder", ("5-5-11",)).without("move")
    return start.with_unit(replace(start.units["tnk-01"], values=values))


def test_what_was_revealed_lies_open_with_its_value_and_the_rest_stays_covered() -> None:
    saved, notes = write_save(module(), binding(), PLUGIN, revealed())
    assert notes == ()
    (open_one,) = shown(saved.state(), UnitId="tnk-01")
    assert open_one["Obscured"] == "false"
    assert open_one["PieceName"] == "tnk-01 Tank brigade (tank 5-5-11)"
    (covered,) = shown(saved.state(), UnitId="tnk-02")
    assert (covered["Obscured"], covered["PieceName"]) == ("true", "tnk-02 Tank brigade")


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


@pytest.fixture
def silent() -> Binding:
    """A binding whose signs say nothing of masks, as those of older modules."""
    signs = tuple(replace(sign, also={case: {} for case in sign.also}) for sign in binding().signs)
    return replace(binding(), signs=signs)


def test_a_mask_that_no_sign_speaks_of_is_lifted_from_what_everybody_knows(silent: Binding) -> None:
    saved, notes = write_save(module(), silent, PLUGIN, revealed())
    assert notes == ()
    (open_one,) = shown(saved.state(), UnitId="tnk-01")
    assert (open_one["Obscured"], open_one["Face_Level"]) == ("false", "4")
    (covered,) = shown(saved.state(), UnitId="tnk-02")
    assert covered["Obscured"] == "true"


def test_a_mask_that_no_sign_speaks_of_is_told_where_it_covers_something(silent: Binding) -> None:
    tank = replace(revealed().units["tnk-01"], known_to=frozenset({"soviet"}))
    _, notes = write_save(module(), silent, PLUGIN, revealed().with_unit(tank))
    assert "tnk-01 lies face down: no sign says when Obscured is false" in {
        note.text for note in notes
    }


@pytest.mark.parametrize("turn", [1, 2, 3])
def test_the_marker_of_turns_lies_on_its_turn(turn: int) -> None:
    position = replace(engine.start(PLUGIN, "training"), turn=turn)
    placer = Placer(module(), binding(), PLUGIN, position)
    state = placer.place(position)
    assert placer.notes == []
    marker = [p for p in state.pieces.values() if "game-turn" in p.state]
    locate = placer.table.reader.locator.locate
    assert [locate(str(p.map), p.x, p.y).name for p in marker] == [f"Turn {turn}"]


def test_a_marker_of_turns_that_disagrees_with_the_tracker_is_told() -> None:
    position = replace(engine.start(PLUGIN, "training"), turn=2)
    placer = Placer(module(), binding(), PLUGIN, position)
    state = placer.place(position)
    table = TableReader(module(), binding(), PLUGIN, state)
    assert "turn" not in {note.code for note in table.read(state, position).notes}
    (marker,) = (p for p in state.pieces.values() if "game-turn" in p.state)
    at = (marker.map, marker.x + 149, marker.y, None)
    state.apply(MovePiece(marker.id, *at, marker.map, marker.x, marker.y, None))
    (told,) = (note.text for note in table.read(state, position).notes if note.code == "turn")
    assert told == "the marker lies on turn 3, and the tracker shows turn 2"


# Units with a set-up area alone

MILL = """\
format: hexmarshal-scenario/1
game: conflict_of_heroes
based_on: first_steps
areas:
  start_line: {cells: [1-E12, 1-E13, 1-D08]}
units:
  german:
    g1: {type: german_rifles_41, facing: 5}
    g2: {type: german_rifles_41, facing: 5}
    g3: {type: german_hmg_34}
    g4: {type: german_rifles_41, seen_by: [german]}
  soviet:
    s2: {type: soviet_maxim, facing: 1}
    s4: {type: soviet_truck}
setup:
  cells: {1-D08: [s2], 1-E13: [g1]}
  areas: {start_line: [g1, g2, g3, g4]}
reinforcements:
  - {turn: 3, entry: [1-E01], units: [s4]}
"""
FRONT = """\
format: hexmarshal-scenario/1
game: kharkov
based_on: training
areas:
  line: {cells: ["0414", "0514"]}
units:
  axis:
    inf-294: {type: infantry, steps: 4}
    inf-297: {type: infantry, steps: 4}
setup:
  areas: {line: [inf-294, inf-297]}
"""
WAIT = "is yet to be set up: until then it lies at"


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("modules")
    for name, own in (("kharkov", kharkov_table), ("coh", coh_table)):
        archive = own.module().archive
        assert archive is not None
        (folder / f"{name}.vmod").write_bytes(archive.to_bytes())
    return folder


@pytest.mark.parametrize(
    ("text", "name", "waiting"),
    [
        (MILL, "coh", {"g2": "1-E12", "g3": "1-E13", "g4": "1-E12"}),
        (FRONT, "kharkov", {"inf-294": "0414", "inf-297": "0514"}),
    ],
)
def test_who_is_yet_to_be_set_up_lies_in_his_area_and_comes_back_as_he_was(
    text: str, name: str, waiting: dict[str, str], modules: Path, tmp_path: Path
) -> None:
    means = Means(module=modules / f"{name}.vmod")
    (tmp_path / "s.yaml").write_text(text)
    given = Reader(registry.default(), means).read(str(tmp_path / "s.yaml"))
    written = write_scenario(given.scenario, Form.SAVE, given.plugin, means)
    assert written.losses == ()
    assert written.notes == tuple(f"{u} {WAIT} {c}, in its area" for u, c in waiting.items())
    (tmp_path / "s.vsav").write_bytes(written.data)
    back = Reader(registry.default(), means).read(str(tmp_path / "s.vsav"))
    assert back.scenario == given.scenario
    assert (back.notes, back.left_out) == ((), ())
    state = SavedGame.open(tmp_path / "s.vsav").state()
    own = kharkov_table if name == "kharkov" else coh_table
    on_table = TableReader(own.module(), own.binding(), own.PLUGIN, state).units(state)
    assert {unit: on_table[unit].where.cell for unit in waiting} == waiting


@pytest.mark.parametrize(
    ("text", "name", "unit", "cell", "other"),
    [(MILL, "coh", "g2", "1-E13", "g3"), (FRONT, "kharkov", "inf-294", "0514", "inf-297")],
)
def test_who_was_set_up_since_is_there_and_the_others_wait_on(
    text: str, name: str, unit: str, cell: str, other: str, modules: Path, tmp_path: Path
) -> None:
    own = kharkov_table if name == "kharkov" else coh_table
    means = Means(module=modules / f"{name}.vmod")
    (tmp_path / "s.yaml").write_text(text)
    given = Reader(registry.default(), means).read(str(tmp_path / "s.yaml"))
    data = write_scenario(given.scenario, Form.SAVE, given.plugin, means).data
    saved = SavedGame.from_archive(Archive.from_bytes(data))
    state = saved.state()
    table = TableReader(own.module(), own.binding(), own.PLUGIN, state)
    on = own.binding().map.name
    piece = table.units(state)[unit].piece
    state.table.move(piece, on, *table.reader.locator.on(on).pixel_named(cell), piece)
    entries = {name: saved.entry(name) or b"" for name in saved.entry_names()}
    moved = SavedGame.from_state(state, key=0, entries=entries)
    (tmp_path / "m.vsav").write_bytes(moved.to_bytes())
    back = Reader(registry.default(), means).read(str(tmp_path / "m.vsav"))
    assert unit in back.scenario.setup.cells[cell]
    assert back.scenario.setup.areas == given.scenario.setup.areas
    assert other not in {u for stack in back.scenario.setup.cells.values() for u in stack}
    assert other not in {u for stack in back.scenario.setup.boxes.values() for u in stack}
    assert back.notes == (
        "the table shows another position than the scenario that the file carries",
    )


def test_a_unit_that_is_nowhere_is_told() -> None:
    start = engine.start(coh_table.PLUGIN, "first_steps")
    lost = start.with_unit(replace(start.units["g1"], cell=""))
    _, notes = write_save(coh_table.module(), coh_table.binding(), coh_table.PLUGIN, lost)
    assert [note.text for note in notes] == ["g1 is nowhere: in no cell, no box and on no carrier"]


def test_places_within_a_cell_and_bonds_travel_beside_the_table_and_are_told() -> None:
    start = engine.start(coh_table.PLUGIN, "first_steps")
    held = replace(start.units["g1"], cell="", bonds=FrozenMap({"possesses": ("g2",)}))
    position = start.with_unit(held).with_unit(replace(start.units["g3"], place="entrenched"))
    own = coh_table.module(), coh_table.binding(), coh_table.PLUGIN
    saved, notes = write_save(*own, position)
    assert [note.text for note in notes] == [
        "g1 goes with g2, and has no piece of its own",
        "nothing shows where in its cell g3 is: entrenched",
    ]
    state = saved.state()
    table = TableReader(*own, state)
    assert table.read(state, position).position == position
    piece = table.units(state)["g3"].piece
    x, y = table.reader.locator.on("Main Map").pixel_named("1-F13")
    state.table.move(piece, "Main Map", x, y, piece)
    moved = table.read(state, position).position.units["g3"]
    assert (moved.cell, moved.place) == ("1-F13", "")


# What only the file carries is told

HQ = "nothing on the table shows overran of hq-28"


def test_what_no_piece_shows_of_units_and_cells_is_told_in_one_line_for_all() -> None:
    start = engine.start(PLUGIN, "training")
    flags = (replace(start.units[one], flags=frozenset({"overran"})) for one in ("hq-28", "tnk-01"))
    _, notes = write_save(module(), binding(), PLUGIN, start.with_unit(*flags))
    assert [note.text for note in notes] == [f"{HQ}, tnk-01"]


def test_a_board_that_the_module_does_not_have_is_told() -> None:
    elsewhere = replace(engine.start(PLUGIN, "training"), board="ground")
    _, notes = write_save(module(), binding(), PLUGIN, elsewhere)
    assert [note.text for note in notes] == ["the module has no board for the map 'ground'"]


def test_a_conversion_into_a_save_tells_what_the_table_does_not_show(tmp_path: Path) -> None:
    start = engine.start(PLUGIN, "training")
    hq = replace(start.units["hq-28"], flags=frozenset({"overran"}))
    means = Means(module=builder().save(tmp_path / "kharkov.vmod"))
    written = write_scenario(scenario_of(PLUGIN, start.with_unit(hq)), Form.SAVE, PLUGIN, means)
    assert (written.losses, written.notes) == ((), (HQ,))


def test_a_decision_that_is_open_is_told_where_a_position_becomes_a_scenario(
    tmp_path: Path,
) -> None:
    start = engine.start(coh_table.PLUGIN, "first_steps", seed="x")
    action = next(iter(engine.offers(coh_table.PLUGIN, start, start.active[0]))).action
    asked = engine.perform(coh_table.PLUGIN, start, action, Dice(start.generator)).position
    assert asked.frames != start.frames
    (tmp_path / "p.position.json").write_text(json.dumps(asked.to_json()))
    read = Reader(registry.default(), Means()).read(str(tmp_path / "p.position.json"))
    _, told = read.left_out
    assert told.startswith("a scenario holds no open decision: how far play is in bid, by ")
    again = write_scenario(read.scenario, Form.POSITION, read.plugin, Means())
    assert again.losses == ()


def test_a_position_out_of_a_game_is_not_held_to_the_rules_of_setting_up(tmp_path: Path) -> None:
    start = engine.start(PLUGIN, "training")
    hurt = replace(start.units["inf-297"], steps=2)
    dead = replace(start.units["inf-79"], cell="", box="eliminated")

    def wrong(position: Position) -> list[str]:
        (tmp_path / "p.position.json").write_text(json.dumps(position.to_json()))
        reader = Reader(registry.default(), Means())
        return [one.rule for one in check_scenario(reader.read(str(tmp_path / "p.position.json")))]

    assert wrong(start.with_unit(hurt)) == ["KHA-5.11"]
    assert wrong(start.with_unit(hurt, dead)) == []
    assert wrong(replace(start.with_unit(hurt), turn=2)) == []


def test_what_is_the_same_of_many_units_is_told_once(tmp_path: Path) -> None:
    means = Means(module=builder().save(tmp_path / "kharkov.vmod"))
    start = engine.start(PLUGIN, "training")
    lost = start.with_unit(*(replace(u, box="moon") for u in start.in_box("regiments")[:3]))
    scenario = scenario_of(PLUGIN, lost)
    written = write_scenario(scenario, Form.SAVE, PLUGIN, means)
    assert "no place of the module is the box moon (3 units)" in written.notes
