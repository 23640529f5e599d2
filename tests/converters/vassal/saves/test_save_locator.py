"""Points of a game's maps get the names that VASSAL would give them."""

from __future__ import annotations

from pathlib import Path

import pytest
from saved_games import deck, unit

from hexmarshal.errors import Place
from hexmarshal.vassal.commands import game
from hexmarshal.vassal.images.image_size import image_size
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.saves.log import GameLog
from hexmarshal.vassal.saves.logwriter import LogWriter
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.state.game_state import GameState
from hexmarshal.vassal.state.locator import OFFBOARD, ModuleLocator
from hexmarshal.vassal.xml.xmlio import Document

BOARD = "VASSAL.build.module.map.boardPicker.Board"
GRID = "VASSAL.build.module.map.boardPicker.board"
HEXES = f"""<{GRID}.HexGrid dx="55.42562584220407" dy="64.0" x0="0" y0="32">
  <{GRID}.mapgrid.HexGridNumbering/></{GRID}.HexGrid>"""
ZONES = f"""<{GRID}.ZonedGrid>
  <{GRID}.mapgrid.Zone name="Holding box" path="0,0;200,0;200,200;0,200"/>
  <{GRID}.RegionGrid><{GRID}.Region name="Kyiv" originx="300" originy="300"/></{GRID}.RegionGrid>
</{GRID}.ZonedGrid>"""
BUILD_FILE = f"""<VASSAL.build.GameModule name="Test">
 <VASSAL.build.module.Map mapName="Main Map" edgeWidth="75" edgeHeight="50">
  <VASSAL.build.module.map.BoardPicker>
   <{BOARD} name="North" width="1000" height="800" reversible="true">{HEXES}</{BOARD}>
   <{BOARD} name="South" width="1000" height="600" reversible="true">{HEXES}</{BOARD}>
   <{BOARD} name="Plain" width="100" height="100"/>
   <{BOARD} name="Bad" width="100" height="100"><{GRID}.HexGrid dx="zero"/></{BOARD}>
  </VASSAL.build.module.map.BoardPicker>
 </VASSAL.build.module.Map>
 <VASSAL.build.module.Map mapName="">
  <VASSAL.build.module.map.BoardPicker>
   <{BOARD} name="Off-map" width="400" height="400">{ZONES}</{BOARD}>
  </VASSAL.build.module.map.BoardPicker>
 </VASSAL.build.module.Map>
</VASSAL.build.GameModule>"""
MAP = "Main Map"


@pytest.fixture(scope="module")
def module() -> Module:
    return Module(Document.parse(BUILD_FILE.encode(), Place()))


def locator(module: Module, *boards: game.BoardChoice) -> ModuleLocator:
    return ModuleLocator(module, {MAP: boards})


def test_a_point_is_named_by_the_grid_of_its_board_on_the_snapped_point(module: Module):
    there = locator(module, game.BoardChoice("North")).locate(MAP, 75 + 100, 50 + 100)
    assert (there.board, there.name, there.snap) == ("North", "0302", (75 + 110, 50 + 96))


def test_boards_lie_side_by_side_inside_the_edge(module: Module):
    found = locator(
        module,
        game.BoardChoice("North", 0, 0),
        game.BoardChoice("South", 0, 1),
        game.BoardChoice("Plain", 1, 0),
    )
    corners = {placed.board.name: (placed.x, placed.y) for placed in found.on(MAP).boards}
    assert corners == {"North": (75, 50), "South": (75, 850), "Plain": (1075, 50)}
    assert found.locate(MAP, 75 + 55, 850 + 64).name == "0202"


def test_a_reversed_board_is_read_upside_down(module: Module):
    found = locator(module, game.BoardChoice("North", reversed=True))
    there = found.locate(MAP, 75 + 1000 - 100, 50 + 800 - 100)
    assert (there.name, there.snap) == ("0302", (75 + 1000 - 110, 50 + 800 - 96))


def test_outside_every_board_is_offboard_and_does_not_snap(module: Module):
    found = locator(module, game.BoardChoice("North"))
    there = found.locate(MAP, 10, 10)
    assert (there.board, there.name, there.snap) == (None, OFFBOARD, (10, 10))
    assert found.locate("No such map", 1, 1).name == OFFBOARD


def test_a_board_without_a_grid_has_no_names(module: Module):
    there = locator(module, game.BoardChoice("Plain")).locate(MAP, 80, 60)
    assert (there.board, there.name, there.snap) == ("Plain", OFFBOARD, (80, 60))


def test_a_map_without_a_name_goes_by_its_number_and_shows_its_only_board(module: Module):
    found = ModuleLocator(module)
    assert found.locate("Map1", 20, 20).name == "Holding box"
    there = found.locate("Map1", 350, 350)
    assert (there.name, there.snap) == ("Kyiv", (300, 300))


def test_a_deck_gives_its_name_to_its_place(module: Module):
    state = GameState()
    state.apply_all([game.ChooseBoards(MAP, (game.BoardChoice("North"),)), deck("8", 185, 146)])
    assert ModuleLocator.for_game(module, state).locate(MAP, 180, 140).name == "Draw"


def test_unknown_boards_and_bad_grids_are_problems_not_errors(module: Module):
    found = locator(module, game.BoardChoice("Gone"), game.BoardChoice("Bad"))
    assert [problem.place.unit for problem in found.problems] == ["Gone", "Bad"]
    assert found.locate(MAP, 80, 60).board == "Bad"


def test_a_snap_just_off_the_board_is_pulled_back(module: Module):
    found = locator(module, game.BoardChoice("North"))
    for x in range(75, 1075, 7):
        for y in (50, 51, 848, 849):
            snap = found.snap(MAP, x, y)
            assert found.on(MAP).boards[0].contains(snap) or abs(snap[1] - y) > 1


def test_a_log_names_its_moves(module: Module):
    state = GameState()
    state.apply_all(
        [
            game.BeginSave(),
            unit("1", 75 + 110, 50 + 96),
            game.ChooseBoards(MAP, (game.BoardChoice("North"),)),
            game.EndSave(),
        ]
    )
    log = LogWriter(state)
    with log.step() as step:
        step.move("1", MAP, 75 + 277, 50 + 320)
    saved = SavedGame.from_text(log.finish().text)
    (step,) = GameLog(saved, ModuleLocator.for_game(module, saved.state())).steps()
    assert [(str(m.source), str(m.target)) for m in step.moves] == [("0302", "0606")]


def test_a_real_module_names_its_hexes(corpus: Path):
    module = Module.open(corpus / "buildfiles" / "tld.buildFile")
    found = ModuleLocator(module)
    names = [
        each.name for each in module.maps() if found.on(each.name).boards and each.boards[0].grid
    ]
    there = next(found.locate(name, 1000, 1000) for name in names)
    assert (there.name, there.snap) == ("1816", (978, 992))


@pytest.mark.parametrize(
    ("head", "size"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\0\0\0\0\x80", (256, 128)),
        (b"GIF89a\x10\0\x20\0", (16, 32)),
        (b"\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x11\x08\0\x20\0\x10rest", (16, 32)),
        (b'<?xml version="1.0"?><svg width="12px" height="7.6" viewBox="0 0 1 1">', (12, 8)),
        (b'<svg xmlns="x" viewBox="0 0 30 40">', (30, 40)),
        (b"\xff\xd8\xff\xe0", None),
        (b"\xff\xd8\xff\xe0\0\0\0\0\0\0\0\0\0\0", None),
        (b"\x89PNG\r\n\x1a\n", None),
        (b"", None),
        (b"<svg width='1.2.3' height='4'>", None),
    ],
)
def test_the_size_of_a_picture_is_read_from_its_head(head: bytes, size: tuple[int, int] | None):
    assert image_size(head) == size
