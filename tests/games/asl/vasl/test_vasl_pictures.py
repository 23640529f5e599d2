"""Boards of VASL as pictures: laid out, cropped and turned, and games drawn on them."""

from __future__ import annotations

import io

import pytest
from vasl_saves import Table, module, squad

from hexmarshal.cli.main import run
from hexmarshal.errors import NotFoundError, RulesError
from hexmarshal.games.asl.vasl.boards.board_command import boards_in, read_board_command
from hexmarshal.games.asl.vasl.boards.board_picture import board_picture, picture_of_boards
from hexmarshal.games.asl.vasl.boards.map_geometry import MARGIN, vasl_map
from hexmarshal.table.module_readers import reader_for
from hexmarshal.vassal.pieces.piece import Piece
from hexmarshal.vassal.render.figure import figure
from hexmarshal.vassal.render.pictures import Pictures
from hexmarshal.vassal.vasl.painting import Painting

PIL = pytest.importorskip("PIL.Image")
RED, BLUE, GREY = (255, 0, 0), (0, 0, 255), (90, 90, 90)


@pytest.fixture
def folder(tmp_path):
    """Boards One and Two: red in the upper left corner, blue in the lower right one."""
    boards = tmp_path / "boards"
    boards.mkdir()
    for name in ("One", "Two"):
        painting = Painting(9, 6, f"bd{name}")
        high, wide = painting.terrain.shape
        picture = PIL.new("RGB", (wide, high), GREY)
        picture.paste(RED, (0, 0, 20, 20))
        picture.paste(BLUE, (wide - 20, high - 20, wide, high))
        told = io.BytesIO()
        picture.save(told, "PNG")
        # Without a name in the metadata a board's picture is called as old ones are.
        painting.write(boards, {f"bd{name}.gif": told.getvalue()})
    return boards


def size(folder):
    placed = vasl_map(read_board_command("bd\t0\t0\tOne\tVER\t1\t"), folder).placed[0]
    return placed.size


def test_boards_lie_beside_and_below_each_other_within_the_margin(folder):
    wide, high = size(folder)
    text = "bd\t0\t0\tOne\tVER\t1\tbd\t1\t0\trTwo\tVER\t1\t"
    found = picture_of_boards(read_board_command(text), folder)
    assert [(part.name, part.x, part.y) for part in found.parts] == [
        ("bdOne", MARGIN, MARGIN),
        ("bdTwo", MARGIN + wide, MARGIN),
    ]
    assert (found.width, found.height) == (2 * wide + 2 * MARGIN, high + 2 * MARGIN)
    whole = found.composed()
    assert whole.getpixel((MARGIN + 5, MARGIN + 5))[:3] == RED
    # The second one is turned: its last corner comes first.
    assert whole.getpixel((MARGIN + wide + 5, MARGIN + 5))[:3] == BLUE
    assert whole.getpixel((5, 5))[:3] not in (RED, BLUE, GREY)


def test_a_cropped_board_begins_where_it_was_cut(folder):
    wide, high = size(folder)
    text = f"bd\t0\t0\trOne\t0\t0\t{wide // 2}\t-1\tVER\t1\t"
    (part,) = picture_of_boards(read_board_command(text), folder).parts
    assert part.size == (wide // 2, high)
    # What is left has the red corner, and was turned after it was cut.
    assert part.image.getpixel((wide // 2 - 5, high - 5)) == RED
    assert BLUE not in {part.image.getpixel((x, 5)) for x in range(0, wide // 2, 10)}


def test_an_enlarged_board_is_drawn_and_its_hexes_are_found(folder):
    wide, high = size(folder)
    boards = read_board_command("bd\t0\t0\trOne\tVER\t1\t\tZOOM\t2.0")
    (part,) = picture_of_boards(boards, folder).parts
    assert part.size == (2 * wide, 2 * high)
    laid = vasl_map(boards, folder)
    for name in ("B2", "C3", "H5"):
        x, y = laid.point(name)
        assert laid.locate(x, y).cell == name
        assert laid.locate(x + 30, y).cell == name


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0\t0\tOne\t5000\t0\t300\t-1\tVER\t1\t", "cropped to the pixels 5000 to 5300"),
        ("0\t0\tOne\t0\t0\t999999999\t-1\tVER\t1\t", "cropped"),
        ("0\t0\tOne\tVER\t1\t\tZOOM\t1e9", "times as large"),
        ("0\t0\tOne\tVER\t1\t\tZOOM\tnan", "times as large"),
        ("0\t0\tOne\tVER\t1\t\tZOOM\t0", "times as large"),
    ],
)
def test_what_no_board_can_be_is_refused_at_once(folder, text, words):
    boards = read_board_command(f"bd\t{text}")
    for read in (picture_of_boards, vasl_map):
        with pytest.raises(RulesError, match=words):
            read(boards, folder)


def test_far_away_boards_take_no_time(folder):
    text = "bd\t999999999\t0\tOne\tVER\t1\tbd\t0\t999999999\tTwo\tVER\t1\t"
    assert len(picture_of_boards(read_board_command(text), folder).parts) == 2
    assert len(vasl_map(read_board_command(text), folder).placed) == 2


def test_a_missing_board_is_named_and_its_folder_is_not_told(folder):
    with pytest.raises(NotFoundError, match="bdNone is missing") as caught:
        picture_of_boards(read_board_command("bd\t0\t0\tNone\tVER\t1\t"), folder)
    assert str(folder) not in str(caught.value)


def test_the_reader_of_the_module_gives_the_picture(folder, tmp_path):
    table = Table("0\t0\tOne\tVER\t1\t")
    reader = reader_for("VASL")
    assert reader is not None
    found = reader.board_picture(table.state, tmp_path / "game.vsav", folder)
    assert found is not None
    assert found.names("Main Map")
    assert found.names("Map0")
    assert not found.names("Casualties")
    assert board_picture(Table().state, folder) is None


def test_the_hexes_of_the_boards_are_where_counters_lie(folder, tmp_path):
    wide, _ = size(folder)
    table = Table(f"0\t0\trOne\t0\t0\t{wide // 2}\t-1\tVER\t1\tbd\t1\t0\tTwo\tVER\t1\t")
    reader = reader_for("VASL")
    assert reader is not None
    cells = list(reader.board_cells(table.state, tmp_path / "game.vsav", folder))
    laid = vasl_map(boards_in(table.state.others), folder)
    assert len({cell.name for cell in cells}) == len(cells) > 60
    for cell in cells:
        assert laid.point(cell.name) == cell.middle
        assert len(cell.corners) == 6
        x, y = (sum(corner[i] for corner in cell.corners) / 6 for i in (0, 1))
        assert (round(x), round(y)) == cell.middle


def test_a_game_is_drawn_on_its_boards(folder, tmp_path, capsys):
    table = Table("0\t0\tOne\tVER\t1\t\tSSR\tNoGrain")
    table.stack(MARGIN + 50, MARGIN + 50, squad())
    table.stack(MARGIN + 80, MARGIN + 50, squad(), map="Map0")
    save = table.save(tmp_path / "game.vsav")
    vmod = tmp_path / "VASL.vmod"
    module(squad()).save(vmod)
    out = tmp_path / "game.png"
    words = ["render", str(save), "--module", str(vmod), "-o", str(out)]
    # The boards beside the save are found without being named.
    assert run([*words, "--json"]) == 0
    told = capsys.readouterr().out
    assert '"pieces": 2' in told
    assert "NoGrain" in told
    with PIL.open(out) as picture:
        wide, high = size(folder)
        assert picture.size == (wide + 2 * MARGIN, high + 2 * MARGIN)
        assert picture.getpixel((MARGIN + 5, MARGIN + 5)) == RED
    nowhere = tmp_path / "nowhere"
    nowhere.mkdir()
    assert run([*words, "--force", "--board-dir", str(nowhere)]) == 4
    assert "bdOne is missing" in capsys.readouterr().err


def test_a_concealed_counter_shows_its_cover_alone():
    cover = "conceal;C;ru/ruqmark58;ru;;"
    one, two = squad(), squad()
    one.traits.insert(0, (cover, "me;|0"))
    two.traits.insert(0, (cover, "null;"))
    pictures = Pictures(module(squad()))

    def drawn(counter, *, reveal=False):
        found = figure(Piece.parse(*counter.texts("Main Map", 0, 0)), pictures, reveal=reveal)
        assert found is not None
        return found.image

    # The module has no picture of the cover: the counter is blank, and nobody sees through it.
    assert drawn(one).size == (48, 48)
    assert len(drawn(one).getcolors()) == 1
    assert "ru/ruqmark58.gif" in pictures.missing
    assert drawn(two).size != (48, 48)
    assert drawn(one, reveal=True).size == drawn(two).size
