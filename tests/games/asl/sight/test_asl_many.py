"""Files of many lines: what may stand in them, and what is said of what may not."""

from __future__ import annotations

import csv
import io

import pytest
from asl_canvas import Canvas

from hexmarshal.errors import BadInputError, HexMarshalError, NotFoundError
from hexmarshal.games.asl.commands.csv_batch import ADDED, ERROR, AnsweredLines, read_lines
from hexmarshal.games.asl.maps.layout import map_in, typed_spot
from hexmarshal.games.asl.sight import Conditions, Smoke

HEAD = "board,from,from_level,to,to_level,note\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    boards = tmp_path_factory.mktemp("boards")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HEXMARSHAL_CACHE", str(tmp_path_factory.mktemp("cache")))
        Canvas(name="bdA").spot("Woods", "E3").fill("Grain", "C4").write(boards)
        Canvas(name="bdB").fill("Stone Building, 1 Level", "D3", "D4").write(boards)
        (boards / "bdBroken").write_bytes(b"noise")
        yield boards


@pytest.fixture
def asked(folder, tmp_path):
    """What becomes of a text."""

    def asked(text: str | bytes, **more: object) -> AnsweredLines:
        path = tmp_path / "lines.csv"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        conditions = more.pop("conditions", Conditions())
        return read_lines(path).answered(folder, None, conditions, **more)

    return asked


def rows_of(answered: AnsweredLines) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(answered.csv())))


def test_answers_stand_in_the_order_of_the_lines(asked, folder):
    rows = rows_of(
        asked(HEAD + "bdB,D3,1,H3,0,up\nbdA,E2,0,E4,0,woods\nbdB,C3,,E3,0,\nA,B4,0,D4,0,grain\n")
    )
    assert list(rows[0]) == ["board", "from", "from_level", "to", "to_level", "note", *ADDED]
    assert [row["note"] for row in rows] == ["up", "woods", "", "grain"]
    assert [row["blocked"] for row in rows[1:]] == ["1", "1", "0"]
    assert (rows[1]["rule"], rows[1]["at"]) == ("A6.2", "E3")
    assert rows[3]["hindrance"] == "1"
    for row in rows:
        ends = [typed_spot(row[end], int(row[f"{end}_level"] or 0)) for end in ("from", "to")]
        one = map_in(folder, row["board"]).sight.answer(*ends)
        told = (str(one.range), str(int(one.blocked)), str(one.hindrance), one.rule, one.at)
        assert told == tuple(row[name] for name in ADDED)


def test_no_lines_make_a_table_of_a_head(asked):
    assert asked(HEAD).csv() == f"{HEAD.strip()},{','.join(ADDED)}\n"


@pytest.mark.parametrize(
    "text",
    [
        "to,to_level,extra,board,from_level,from\nE4,0,x,bdA,0,E2\n",
        "\ufeffboard,from,from_level,to,to_level\r\n\r\nbdA,E2,0,E4,0\r\n\r\n,,,,\r\n",
        '"board","from","from_level","to","to_level"\n"bdA","E2","0","E4","0"',
        "Board, From, From_Level, To, To_Level\n bdA , e2 , 0 , E4 ,\n",
        "board;from;from_level;to;to_level\nbdA;E2;0;E4;0\n",
        "board\tfrom\tfrom_level\tto\tto_level\nA\tE2\t0.0\tE4\t+0\n",
        "board,from,from_level,to,to_level\nbdA,E2,0,E4\n",
    ],
)
def test_a_table_may_come_from_any_spreadsheet(asked, text):
    answered = asked(text)
    assert [told[:5] for told in answered.told] == [(2, 1, 0, "A6.2", "E3")]
    first, second = answered.csv().splitlines()
    assert first.replace(";", ",").replace("\t", ",").endswith("range,blocked,hindrance,rule,at")
    assert second.replace(";", ",").replace("\t", ",").endswith("2,1,0,A6.2,E3")


def test_other_cells_come_out_as_they_went_in(asked):
    note = 'a "word",\nand a line; ö'
    cell = note.replace('"', '""')
    row = rows_of(asked(f'{HEAD}bdA,E2,0,E4,0,"{cell}"\n'))[0]
    assert row["note"] == note


def test_answers_to_answers_take_their_place(asked):
    once = asked(HEAD + "bdA,E2,0,E4,0,x\n").csv()
    assert asked(once).csv() == once
    stale = once.replace("A6.2", "Z9")
    assert asked(stale).csv() == once


def test_maps_vertices_and_conditions_can_be_asked_for(asked):
    text = HEAD + "bdA+bdB@flip,bdA:H3,0,bdB:H3,0,\nbdA@A-F,E2,0,E4,0,\nbdA,E2^3,0,E4,0,\n"
    joined, cropped, vertex = asked(text).told
    assert joined[:2] == (2, 0)
    assert cropped[:2] == (2, 1)
    assert vertex[0] == 2
    smoked = asked(HEAD + "bdA,A1,0,A4,0,\n", conditions=Conditions({"A2": Smoke(2)}))
    assert smoked.told[0][2] == 2


BAD = [
    ("bdA,A1,up,A2,0,", BadInputError, "'up' is not a level", "from_level"),
    ("bdA,A1,1e3,A2,0,", BadInputError, "'1e3' is not a level", "from_level"),
    ("bdA,A1,0,Z9,0,", NotFoundError, "no hex Z9 on bdA", "to"),
    ("bdA,A1,0,A2,4,", NotFoundError, "hex A2 of bdA has no level 4", "to_level"),
    ("bdA@A-C,A1,0,G2,0,", NotFoundError, "hex G2 was cropped away from bdA", "to"),
    ("bdX,A1,0,A2,4,", NotFoundError, "no board bdX", "board"),
    ("bdBroken,A1,0,A2,4,", BadInputError, "bdBroken: ", "board"),
    ("../bdA,A1,0,A2,0,", HexMarshalError, "is not a map", "board"),
    (",A1,0,A2,0,", BadInputError, "no board is named", "board"),
    ("bdA,,0,A2,0,", BadInputError, "no hex is named", "from"),
    ("bdA,A1,0", BadInputError, "no hex is named", "to"),
    ("bdA,A1^7,0,A2,0,", HexMarshalError, "a vertex is", "from"),
    ("bdA,A1^0,0,C5,0,", NotFoundError, "vertex 0 of hex A1 lies off", None),
]


@pytest.mark.parametrize(("line", "kind", "message", "field"), BAD)
def test_a_bad_line_is_named_and_the_others_can_be_had(asked, line, kind, message, field):
    text = f'{HEAD}bdB,A1,0,B1,0,good\n"bdA",E2,0,E4,0,"two\nlines"\n{line}\nbdA,E2,0,E4,0,last\n'
    with pytest.raises(kind, match=message) as caught:
        asked(text)
    place = caught.value.place
    assert (place.line, place.field) == (5, field)
    assert place.file.endswith("lines.csv")
    answered = asked(text, keep_going=True)
    good, two, bad, last = rows_of(answered)
    assert [row["blocked"] for row in (good, two, last)] == ["0", "1", "1"]
    assert [row[ERROR] for row in (good, two, last)] == ["", "", ""]
    assert {bad[name] for name in ADDED} == {""}
    assert message in bad[ERROR]
    assert [one["blocked"] for one in answered.documents()] == [False, True, None, True]


def test_the_first_bad_line_is_told_whatever_its_board(asked):
    text = HEAD + "bdA,A1,0,A2,0,\nbdB,Z1,0,A2,0,\nbdA,Z2,0,A2,0,\nbdC,A1,0,A2,0,\n"
    with pytest.raises(NotFoundError, match="no hex Z1") as caught:
        asked(text)
    assert caught.value.hint == "3 of 4 lines are not answered"


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("", "column 'board' is missing", None),
        ("board,from\n", "column 'from_level' is missing", 1),
        ("board,from,from,from_level,to,to_level\n", "column 'from' is there twice", 1),
        (HEAD + "bdA,A1,0,A2,0,x,y\n", "more cells than columns", 2),
        (HEAD + 'bdA,A1,0,A2,0,"x\n', "not a CSV file", 2),
        (HEAD + "bdA,A1,0,A2,0," + "x" * (1 << 20) + "x", "not a CSV file", 2),
        (b"\xff\xfe\x00", "not a CSV file in UTF-8", None),
    ],
)
def test_what_is_no_table_of_lines_is_refused(asked, text, message, line):
    with pytest.raises(BadInputError, match=message) as caught:
        asked(text, keep_going=True)
    assert caught.value.place.line == line


def test_a_file_that_is_not_there_is_not_found(tmp_path):
    with pytest.raises(NotFoundError, match="no such file"):
        read_lines(tmp_path / "none.csv")
    with pytest.raises(BadInputError, match="cannot be read"):
        read_lines(tmp_path)
