"""Boards laid out on the table by what is typed, and files of many lines."""

from __future__ import annotations

import csv
import io

import pytest
from asl_canvas import Canvas

from hexmarshal.errors import BadInputError, HexMarshalError, NotFoundError, UsageError
from hexmarshal.games.asl.layout import laid_out
from hexmarshal.games.asl.many import ADDED, answered, read_lines, table_of_answers
from hexmarshal.games.asl.sight import Conditions, Spot


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
        (["bdA@9-4"], "nothing is left"),
        (["bdA", "/"], "stands between rows"),
        (["@flip"], "names no board"),
        (["bdNone@flip"], "cannot be read"),
    ],
)
def test_what_cannot_be_laid_out_is_said(table, boards, message):
    with pytest.raises(HexMarshalError, match=message):
        laid_out(boards)


HEAD = "board,from,from_level,to,to_level,note\n"


def test_answers_stand_in_the_order_of_the_lines(table):
    (table / "lines.csv").write_text(
        HEAD + "bdB,D3,1,H3,0,up\nbdA,E2,0,E4,0,woods\nbdB,C3,,E3,0,\nA,B4,0,D4,0,grain\n"
    )
    rows = answered(read_lines(table / "lines.csv"), table, None, Conditions())
    assert [row["note"] for row in rows] == ["up", "woods", "", "grain"]
    assert [row["blocked"] for row in rows[1:]] == [1, 1, 0]
    assert (rows[1]["rule"], rows[1]["at"]) == ("A6.2", "E3")
    assert rows[3]["hindrance"] == 1
    read = list(csv.DictReader(io.StringIO(table_of_answers(rows))))
    assert list(read[0]) == ["board", "from", "from_level", "to", "to_level", "note", *ADDED]
    for row in rows:
        name = row["board"] if row["board"].startswith("bd") else f"bd{row['board']}"
        one = laid_out([name]).sight.answer(
            Spot(row["from"], int(row["from_level"] or 0)), Spot(row["to"], int(row["to_level"]))
        )
        assert (one.range, one.blocked, one.hindrance) == (
            row["range"],
            bool(row["blocked"]),
            row["hindrance"],
        )


def test_no_lines_make_a_table_of_a_head(table):
    (table / "lines.csv").write_text(HEAD)
    rows = answered(read_lines(table / "lines.csv"), table, None, Conditions())
    assert table_of_answers(rows).startswith("board,from,from_level,to,to_level")


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("board,from\n", "column 'from_level' is missing", None),
        (HEAD + "bdA,A1,0,A2,0,x,y\n", "more cells than columns", 2),
        (HEAD + '"bdA",A1,0,A2,0,"two\nlines"\nbdA,A1,up,A2,0,\n', "'up' is not a level", 4),
        (HEAD + "bdA,A1,0,Z9,0,\n", "no hex Z9 on bdA", 2),
        (HEAD + "bdA,A1,0,A2,4,\n", "no level 4", 2),
        (HEAD + "bdX,A1,0,A2,4,\n", "no board bdX", 2),
    ],
)
def test_bad_lines_are_named(table, text, message, line):
    (table / "lines.csv").write_text(text)
    with pytest.raises(HexMarshalError, match=message) as caught:
        answered(read_lines(table / "lines.csv"), table, None, Conditions())
    assert caught.value.place.line == line


def test_a_file_that_is_no_text_is_refused(table):
    (table / "lines.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadInputError, match="not a CSV file"):
        read_lines(table / "lines.csv")
    with pytest.raises(BadInputError, match="cannot be read"):
        read_lines(table / "none.csv")


def test_a_map_needs_a_board(table):
    with pytest.raises(UsageError):
        laid_out([])
