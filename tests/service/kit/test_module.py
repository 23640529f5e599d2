"""A module made of declarations: its set-up reads back as the rules set it up."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from dataclasses import replace

from crossroads_plan import COLOURS, Crowded, plan, terrain, units

from hexmarshal.errors import NotFoundError, RulesError, UsageError
from hexmarshal.geometry.svg.view import View
from hexmarshal.geometry.terrain.terrain_file import loads
from hexmarshal.kit.ground.plain import bounds
from hexmarshal.kit.module import build
from hexmarshal.kit.module.boards import board_of, grid_of
from hexmarshal.kit.module.setups import fitted
from hexmarshal.rules import engine
from hexmarshal.table.binding import Binding
from hexmarshal.table.binding.coverage import coverage
from hexmarshal.table.reading import TableReader
from hexmarshal.vassal.components import (
    GameModule,
    HexGrid,
    MassKeyCommand,
    RegionGrid,
    SquareGrid,
)
from hexmarshal.vassal.lint import check_module, open_subject
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.state.locator import grid_of as read_grid
from hexmarshal.vassal.values import KeyStroke, ctrl


@pytest.fixture(scope="module")
def module(tmp_path_factory) -> Module:
    built = build(Crowded(), plan())
    return Module.open(built.save(tmp_path_factory.mktemp("crossroads") / "crossroads.vmod"))


@pytest.fixture(scope="module")
def binding(module) -> Binding:
    found = Binding.inside(module)
    assert found is not None
    return found


def test_the_set_up_reads_back_as_the_rules_set_it_up(module, binding):
    plugin = Crowded()
    state = SavedGame.from_archive(module.archive.nested("Meeting-engagement.vsav")).state()
    start = engine.start(plugin)
    # Nothing but the table tells: a base without pieces.
    reading = TableReader(module, binding, plugin, state).read(state, replace(plugin.blank()))
    found = reading.position
    assert reading.notes == ()
    assert found.units == start.units
    assert found.markers == start.markers
    assert found.cells == start.cells
    assert found.tracks == start.tracks
    assert (found.turn, found.phase, found.active) == (1, "move", ("blue",))
    assert {name: pile.cards for name, pile in found.piles.items() if pile.cards} == {
        name: pile.cards for name, pile in start.piles.items()
    }


def test_a_fact_about_a_cell_is_shown_by_the_counter_made_for_it(module):
    state = SavedGame.from_archive(module.archive.nested("Meeting-engagement.vsav")).state()
    flags = [piece.name for piece in state.pieces.values() if piece.name.startswith("Held by")]
    assert flags == ["Held by red"]


def test_the_binding_covers_every_counter(module, binding):
    found = coverage(module, binding, Crowded())
    assert found.problems == ()
    assert found.unknown == ()


def test_nothing_is_broken_in_the_module(module):
    assert list(check_module(open_subject(module.archive.path))) == []


def test_the_same_plan_gives_the_same_bytes():
    one, other = (build(Crowded(), plan()).to_bytes() for _ in range(2))
    assert one == other


def test_counters_have_their_palettes_and_charts_and_pages(module):
    names = {slot.name for slot in module.slots()}
    assert {f"{side.title()} infantry" for side in COLOURS} <= names
    assert {"Smoke", "Hit", "Held by red"} <= names
    pages = [entry for entry in module.archive.names() if entry.startswith("help/")]
    assert sorted(pages) == [
        "help/announcements.html",
        "help/keys.html",
        "help/rules-of-crossroads.html",
        "help/sequence-of-play.html",
    ]
    keys = module.archive.read("help/keys.html").decode()
    assert "Ctrl+A" in keys
    assert "attacked" in keys


def test_a_plan_whose_pieces_cannot_show_a_scenario_is_refused():
    short = replace(plan(), units=tuple(unit for unit in units() if unit.type != "scout"))
    with pytest.raises(RulesError, match=r"no counter of the module is r3 \(scout of red\)"):
        build(Crowded(), short)


def test_a_pile_without_a_sheet_and_a_scenario_that_is_not_there_are_refused():
    with pytest.raises(UsageError, match="needs a sheet"):
        build(Crowded(), replace(plan(), sheet=None))
    with pytest.raises(NotFoundError, match="no scenario 'waterloo'") as caught:
        build(Crowded(), replace(plan(), scenarios=("waterloo",)))
    assert "meeting" in caught.value.hint
    with pytest.raises(UsageError, match="needs a board"):
        build(Crowded(), replace(plan(), boards=()))


SQUARES = """
format: hexmarshal-terrain/1
grid:
  kind: square
  width: 400
  height: 320
  grid: {dx: 80, dy: 80, x0: 40, y0: 40}
  numbering: {first: H, hType: A, vType: N, sep: "", hOff: 0, vOff: 1, hLeading: 0, vLeading: 0}
terrain: {rubble: {}}
cells: {B2: rubble}
"""


COUNTED = "format: hexmarshal-terrain/1\ngrid: {%s}\n"
GRIDS = {
    "block": ("kind: block, columns: 9, rows: 7, pitch: 52, breadth: 60", HexGrid),
    "large block": ("kind: block, columns: 101, rows: 3, pitch: 52, breadth: 60", HexGrid),
    "pointy": ("kind: block, columns: 5, rows: 6, orientation: pointy", HexGrid),
    "even": ("kind: block, columns: 5, rows: 6, shoved: even", RegionGrid),
    "squares": ("kind: squares, columns: 8, rows: 5, width: 90", SquareGrid),
    "across": ("kind: squares, columns: 8, rows: 5, offset: {X: [2.5, 1.5]}", RegionGrid),
    "hexes": ("kind: hexes, cells: {A: [0, 0], B: [1, 0], C: [5, 2]}", RegionGrid),
}


@pytest.mark.parametrize("given", GRIDS)
def test_columns_and_rows_become_a_grid_of_vassals_own(given):
    text, kind = GRIDS[given]
    ground = loads(COUNTED % text)
    assert type(grid_of(ground)) is kind
    for zoom in (1.0, 1.37):
        left, top, right, bottom = bounds(ground)
        size = round((right - left) * zoom), round((bottom - top) * zoom)
        grid, view = read_grid(grid_of(ground, zoom), size), View(ground)
        for cell in ground.cells():
            x, y = view.centre(cell)
            at = round((x - left) * zoom), round((y - top) * zoom)
            assert grid.location_name(at) == ground.name(cell)


@pytest.mark.parametrize("zoom", [1.0, 1.5])
def test_a_grid_names_the_middle_of_each_cell_as_the_map_does(zoom):
    for ground in (terrain(), loads(SQUARES)):
        left, top, right, bottom = bounds(ground)
        size = round((right - left) * zoom), round((bottom - top) * zoom)
        grid = read_grid(grid_of(ground, zoom), size)
        view = View(ground)
        for cell in ground.cells():
            x, y = view.centre(cell)
            at = round((x - left) * zoom), round((y - top) * zoom)
            assert grid.location_name(at) == ground.name(cell)


def test_a_board_without_a_picture_is_drawn_plainly():
    board = board_of(loads(SQUARES), "town", name="The town")
    assert 'width="400" height="320"' in board.svg
    assert board.svg.count('aria-label="B2"') == 1


def test_buttons_of_the_toolbar_have_keys_that_the_help_lists(module):
    (root,) = module.each(GameModule)
    keys = {}
    for part in root.children():
        for name in ("hotkey", "markUnmovedHotkey", "nexthotkey", "prevhotkey"):
            key = KeyStroke(str(part.get(name) or "")).human()
            if key.startswith("Alt+") and key.count("+") == 1:
                assert key not in keys, "one key, one button"
                keys[key] = part
    assert {f"Alt+{letter}" for letter in "ACINOPRU1"} <= set(keys)
    assert not set(keys) & {f"Alt+{letter}" for letter in "FHST"}
    page = module.archive.read("help/keys.html").decode()
    assert all(f"<b>{key}</b>" in page for key in keys)


def test_a_button_of_the_map_shows_all_trails(module):
    (trails,) = module.each(MassKeyCommand)
    assert str(trails.get("hotkey")) == ctrl("T").text
    assert f"images/{trails.get('icon')}" in module.archive.names()


def test_notes_fit_into_their_window():
    """The window breaks no lines."""
    cells = ", ".join(f"{n:04}" for n in range(60))
    told = fitted(f"One\n\nPlaced: {cells}\n\nThe end")
    assert max(map(len, told.split("\n"))) <= 72
    assert told.startswith("One\n\nPlaced: 0000, ")
    assert told.endswith("\n\nThe end")
    assert " ".join(told.split()).endswith(f"Placed: {cells} The end")
