"""Games whose boards lie in files outside of their module, as pages."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from hexmarshal.cli.demo_war import write_module_and_log
from hexmarshal.errors import NotFoundError
from hexmarshal.table import module_readers
from hexmarshal.vassal.render.board_picture import BoardCell, BoardPart, BoardPicture
from hexmarshal.vassal.saves.savegame import SavedGame

from .conftest import viewed

RED, BLUE = (200, 20, 20), (20, 20, 200)


class Reader:
    """Lays two boards beside each other on a map that saves have another name for."""

    def __init__(self, also: str) -> None:
        self._also = also

    def knows(self, _module: str) -> bool:
        return True

    def board_picture(self, _state, file, boards=None):
        folder = boards or file.parent / "boards"
        if not folder.is_dir():
            raise NotFoundError("the board file one is missing", hint="--board-dir names them")
        parts = (
            BoardPart("one", 40, 40, Image.new("RGB", (300, 200), RED)),
            BoardPart("two", 340, 40, Image.new("RGBA", (300, 200), BLUE)),
        )
        return BoardPicture("Boards", 680, 280, parts, (self._also,), ("not drawn: snow",))

    def board_cells(self, _state, _file, _boards=None):
        corners = ((100.0, 80.0), (140.0, 80.0), (140.0, 120.0), (100.0, 120.0))
        yield BoardCell("one:A1", (120.0, 100.0), corners)


@pytest.fixture
def game(tmp_path, monkeypatch):
    module, log = write_module_and_log(tmp_path)
    piece = next(p for p in SavedGame.open(log).state().pieces.values() if p.map)
    monkeypatch.setattr(module_readers, "reader_for", lambda _module: Reader(piece.map))
    return module, log, piece.map


def test_a_game_is_shown_on_its_boards(game, tmp_path):
    module, log, _ = game
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    with viewed(log, module, boards=folder) as site:
        told = site.ask("GET", "/file").json()
        main = told["maps"][0]
        assert (main["name"], main["w"], main["h"]) == ("Boards", 680, 280)
        assert [(part["x"], part["y"]) for part in main["ground"]] == [(40, 40), (340, 40)]
        colours = []
        for part in main["ground"]:
            data = site.ask("GET", part["src"]).body
            with Image.open(io.BytesIO(data)) as picture:
                assert picture.size == (300, 200)
                colours.append(picture.getpixel((5, 5)))
        assert colours == [RED, BLUE]
        # Whatever the save calls the map, what lies on it lies on the one that is shown.
        assert {piece["map"] for piece in told["pieces"]} == {"Boards"}
        last = site.ask("GET", "/tables/2").json()["pieces"]
        assert {piece["map"] for piece in last} == {"Boards"}
        assert told["notes"] == ["not drawn: snow"]
        cells = site.ask("GET", main["cells"]).json()
        assert cells["cells"] == [["one:A1", 120.0, 100.0, 0]]
        assert cells["shapes"] == [[-20.0, -20.0, 20.0, -20.0, 20.0, 20.0, -20.0, 20.0]]
        links = site.ask("GET", "/").headers["link"]
        assert all(part["src"] in links for part in main["ground"])


def test_without_its_boards_a_game_is_shown_and_what_is_missing_is_named(game):
    module, log, name = game
    with viewed(log, module) as site:
        told = site.ask("GET", "/file").json()
        assert name in {sheet["name"] for sheet in told["maps"]}
        assert {piece["map"] for piece in told["pieces"]} == {name}
        assert told["notes"] == [
            "No boards: the board file one is missing. --board-dir names them."
        ]
