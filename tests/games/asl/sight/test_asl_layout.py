"""Boards laid out on the table by what is typed."""

from __future__ import annotations

from fractions import Fraction

import pytest
from asl_canvas import Canvas

from hexmarshal.errors import HexMarshalError, NotFoundError, UsageError
from hexmarshal.games.asl.maps.layout import laid_out, map_in


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.setenv("HEXMARSHAL_CACHE", "")
    monkeypatch.chdir(tmp_path)
    Canvas(name="bdA").spot("Woods", "E3").fill("Grain", "C4").write(tmp_path)
    Canvas(name="bdB").fill("Stone Building, 1 Level", "D3", "D4").write(tmp_path)
    return tmp_path


def test_one_board_is_itself(table):
    assert laid_out(["bdA"]).board.name == "bdA"
    assert laid_out(["bdA"]).sight.table is not None


def test_boards_stand_side_by_side_and_in_rows(table):
    row = laid_out(["bdA", "bdB@flip"]).board
    assert row.hex("bdA:I3") == row.hex("bdB:I4")
    rows = laid_out(["bdA", "bdB", "/", "bdA@flip", "bdB"]).board
    assert rows.grid.height == 2 * row.grid.height


def test_boards_are_cropped_by_columns_and_rows(table):
    part = laid_out(["bdA@C-G@1-3@flip"]).board
    assert {n[0] for n in part.grid.names} == set("CDEFG")
    assert part.turned
    with pytest.raises(NotFoundError, match="A1 was cropped away from bdA"):
        part.hex("A1")


@pytest.mark.parametrize(
    ("boards", "message"),
    [
        (["bdA@sideways"], "changed by 'sideways' in no way"),
        (["bdA@Q-Z"], "bdA has no column Q"),
        (["bdA@4-9"], "bdA has no row 9"),
        (["bdA@4-2"], "nothing is left"),
        (["bdA@P-A"], "bdA has no column P"),
        (["bdA@E-B"], "nothing is left"),
        (["bdA", "/"], "stands between rows"),
        (["@flip"], "names no board"),
        (["bdNone@flip"], "no such file"),
    ],
)
def test_what_cannot_be_laid_out_is_said(table, boards, message):
    with pytest.raises(HexMarshalError, match=message):
        laid_out(boards)


def test_rows_are_cropped_by_their_numbers(tmp_path, monkeypatch):
    monkeypatch.setenv("HEXMARSHAL_CACHE", "")
    Canvas(9, 8, "bdLower", a1_y=Fraction("-612.75")).write(tmp_path)
    part = laid_out([f"{tmp_path / 'bdLower'}@12-15"]).board
    assert [n for n in part.grid.names if n.startswith("A")] == ["A12", "A13", "A14", "A15"]
    with pytest.raises(UsageError, match="no row 5") as caught:
        laid_out([f"{tmp_path / 'bdLower'}@5-15"])
    assert caught.value.hint == "rows 11 to 18"


def test_boards_can_be_named_by_their_folder(table, tmp_path_factory, monkeypatch):
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert laid_out(["A"], folder=table).board.name == "bdA"
    assert laid_out(["bdA@A-E", "B@FLIP"], folder=table).board.name == "bdA+bdB"
    with pytest.raises(NotFoundError, match="no board bdZ"):
        laid_out(["bdZ"], folder=table)
    assert map_in(table, "bdA@A-E+bdB@flip").board.name == "bdA+bdB"
    for name in ("../bdA", "/bdA", "bdA+", "bdA//bdB", "", ".", "bdA\x00"):
        with pytest.raises(UsageError, match="is not a map"):
            map_in(table, name)


def test_a_board_may_have_an_odd_name(table):
    (table / "my board@home.v2").write_bytes((table / "bdA").read_bytes())
    assert laid_out(["my board@home.v2"]).board.name == "my board@home.v2"
    (table / "my-board & 1.2").write_bytes((table / "bdA").read_bytes())
    assert map_in(table, "my-board & 1.2").board.name == "my-board & 1.2"


def test_a_map_needs_a_board(table):
    with pytest.raises(UsageError):
        laid_out([])
