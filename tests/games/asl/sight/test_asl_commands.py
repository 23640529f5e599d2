"""`hexmarshal asl`, as a user calls it: lines, fields of view, terrain, tables of lines."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from asl_canvas import Canvas
from lxml import etree

from hexmarshal.cli.main import run
from hexmarshal.errors import ExitCode


@pytest.fixture(scope="module", autouse=True)
def _cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HEXMARSHAL_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def boards(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("boards")
    Canvas(name="bdA").fill("Grain", "E2").spot("Woods", "C3").write(folder)
    Canvas(name="bdB").band("Stone Building, 2 Level", 0, "E3", "E4", wide=22).write(folder)
    return folder


def asl(capsys, *words: object) -> tuple[int, str, str]:
    code = run(["asl", *map(str, words)])
    told = capsys.readouterr()
    return code, told.out, told.err


def table(*rows: str, header: str = "board,from,from_level,to,to_level") -> str:
    return "\n".join((header, *rows)) + "\n"


# One line


def test_a_line_is_told_with_its_rule_and_place(boards, capsys):
    code, out, _ = asl(capsys, "los", boards / "bdA", "C1", "C5")
    assert code == ExitCode.OK
    assert "C1 to C5, range 4: blocked" in out
    assert "A6.2 at C3: terrain is higher than both ends [ASL-LOS-6]" in out
    code, out, _ = asl(capsys, "los", boards / "bdA", "E1", "E5")
    assert (code, "clear, hindrance +1" in out) == (ExitCode.OK, True)


def test_a_line_as_json_has_every_item(boards, capsys):
    code, out, _ = asl(
        capsys, "los", boards / "bdA", "E1", "E6", "--smoke", "E4=2", "--vehicle", "E3", "--json"
    )
    answer = json.loads(out)
    assert code == ExitCode.OK
    assert (answer["blocked"], answer["hindrance"], answer["rule"]) == (False, 4, "A6.7")
    assert answer["from"] == {"hex": "E1", "level": 0, "vertex": None, "elevation": 0}
    assert answer["hexes"] == ["E1", "E2", "E3", "E4", "E5", "E6"]
    items = [(item["hex"], item["rule"], item["hindrance"]) for item in answer["items"]]
    assert items == [("E2", "A6.7", 1), ("E3", "D9.4", 1), ("E4", "A24.2", 2)]


def test_levels_and_vertices_can_be_given(boards, capsys):
    _, out, _ = asl(capsys, "los", boards / "bdB", "E3", "E4", "--from-level", 2)
    assert "A6.8" in out
    code, out, _ = asl(capsys, "los", boards / "bdB", "E3^0", "E1", "--json")
    assert (code, json.loads(out)["blocked"]) == (ExitCode.OK, False)


def test_boards_are_joined_and_turned(boards, capsys):
    code, out, _ = asl(
        capsys, "los", boards / "bdA", f"{boards / 'bdB'}@flip", "bdA:H3", "bdB:H3", "--json"
    )
    assert (code, json.loads(out)["range"]) == (ExitCode.OK, 2)


@pytest.mark.parametrize("conditions", [("--weather", 6), ("--night", 2), ("--smoke", "E3=9")])
def test_weather_night_and_smoke_are_heard(boards, capsys, conditions):
    _, out, _ = asl(capsys, "los", boards / "bdA", "E1", "E5", *conditions, "--json")
    answer = json.loads(out)
    assert answer["blocked"] or answer["hindrance"] == 4


def test_smoke_of_one_hex_adds_up(boards, capsys):
    words = ("los", boards / "bdA", "A1", "A4", "--smoke", "A2=1", "--smoke", "a2=1", "--json")
    _, out, _ = asl(capsys, *words)
    assert json.loads(out)["hindrance"] == 2


def test_a_line_and_a_field_are_drawn(boards, capsys, tmp_path):
    picture = tmp_path / "line.svg"
    code, out, _ = asl(capsys, "los", boards / "bdA", "C1", "C5", "--svg", picture)
    assert (code, str(picture) in out) == (ExitCode.OK, True)
    assert etree.fromstring(picture.read_bytes()).tag == "{http://www.w3.org/2000/svg}svg"
    code, _, err = asl(capsys, "los", boards / "bdA", "C1", "C5", "--svg", picture)
    assert (code, "--force" in err) == (ExitCode.OUTPUT, True)
    code, _, _ = asl(capsys, "field", boards / "bdA", "C1", "--svg", picture, "--force")
    assert code == ExitCode.OK
    assert b"svg" in picture.read_bytes()[:200]


# Fields of view and terrain


def test_a_field_of_view_lists_what_is_seen(boards, capsys):
    code, out, _ = asl(capsys, "field", boards / "bdA", "E1", "--json")
    found = json.loads(out)
    assert code == ExitCode.OK
    assert "E5" in found["seen"]
    assert "B4" not in found["seen"]
    assert found["hindered"]["E5"] == 1
    _, out, _ = asl(capsys, "field", boards / "bdA", "E1")
    assert f"E1 sees {len(found['seen'])} of {found['hexes']} hexes" in out


def test_the_terrain_of_a_board_is_listed_and_drawn(boards, capsys, tmp_path):
    picture = tmp_path / "terrain.svg"
    code, out, _ = asl(capsys, "terrain", boards / "bdA", "--json", "--svg", picture)
    assert code == ExitCode.OK
    listed = json.loads(out)["regions"]
    assert listed == {
        "Grain, elevation 0": 1,
        "Open Ground, elevation 0": 1,
        "Woods, elevation 0": 1,
    }
    assert picture.stat().st_size > 0


# Many lines


def test_many_lines_keep_their_order_and_get_their_columns(boards, capsys, tmp_path):
    lines, output = tmp_path / "in.csv", tmp_path / "out.csv"
    lines.write_text(
        table(
            "bdB,E3,2,E4,0,one",
            "bdA,C1,0,C5,0,two",
            "B,E1,0,E3,2,three",
            "",
            "bdA,E1,0,E5,,four",
            header="board,from,from_level,to,to_level,note",
        ),
        "utf-8",
    )
    code, _, _ = asl(capsys, "los", "--board-dir", boards, "--lines", lines, "-o", output)
    assert code == ExitCode.OK
    rows = list(csv.DictReader(io.StringIO(output.read_text("utf-8"))))
    assert list(rows[0]) == [
        *("board", "from", "from_level", "to", "to_level", "note"),
        *("range", "blocked", "hindrance", "rule", "at"),
    ]
    assert [row["note"] for row in rows] == ["one", "two", "three", "four"]
    assert [(r["range"], r["blocked"], r["hindrance"], r["rule"], r["at"]) for r in rows] == [
        ("1", "1", "0", "A6.8", "E3"),
        ("4", "1", "0", "A6.2", "C3"),
        ("2", "0", "0", "", ""),
        ("4", "0", "1", "A6.7", "E2"),
    ]


def test_many_lines_go_to_the_screen_as_csv_or_json(boards, capsys, tmp_path):
    lines = tmp_path / "in.csv"
    lines.write_text(table("bdA,C1,0,C5,0"), "utf-8")
    _, out, _ = asl(capsys, "los", "--board-dir", boards, "--lines", lines)
    assert out.splitlines()[1] == "bdA,C1,0,C5,0,4,1,0,A6.2,C3"
    _, out, _ = asl(capsys, "los", "--board-dir", boards, "--lines", lines, "--json")
    assert json.loads(out)[0]["at"] == "C3"
    lines.write_text(table(), "utf-8")
    code, out, _ = asl(capsys, "los", "--board-dir", boards, "--lines", lines)
    assert (code, out.count("\n")) == (ExitCode.OK, 1)


def test_lines_come_from_and_go_to_other_commands(boards, capsys, tmp_path, monkeypatch):
    data = table("bdA,C1,0,C5,0").encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    code, out, _ = asl(capsys, "los", "--board-dir", boards, "--lines", "-", "-o", "-")
    assert (code, out.splitlines()[1]) == (ExitCode.OK, "bdA,C1,0,C5,0,4,1,0,A6.2,C3")
    assert not Path("-").exists()


def test_a_table_is_its_own_output_only_when_told_so(boards, capsys, tmp_path):
    lines = tmp_path / "in.csv"
    lines.write_text(table("bdA,C1,0,C5,0"), "utf-8")
    words = ("los", "--board-dir", boards, "--lines", lines, "-o", lines)
    code, _, err = asl(capsys, *words)
    assert (code, "exists already" in err) == (ExitCode.OUTPUT, True)
    assert lines.read_text("utf-8") == table("bdA,C1,0,C5,0")
    code, _, _ = asl(capsys, *words, "--force")
    assert code == ExitCode.OK
    assert lines.read_text("utf-8").endswith("4,1,0,A6.2,C3\n")


def test_the_answers_to_good_lines_can_be_had_beside_bad_ones(boards, capsys, tmp_path):
    lines = tmp_path / "in.csv"
    lines.write_text(table("bdA,C1,0,C5,0", "bdA,Z1,0,C5,0", "bdZ,C1,0,C5,0"), "utf-8")
    words = ("los", "--board-dir", boards, "--lines", lines, "--keep-going")
    code, out, err = asl(capsys, *words)
    assert code == ExitCode.FINDINGS
    assert out.splitlines()[0].endswith("rule,at,error")
    assert out.splitlines()[1:3] == [
        "bdA,C1,0,C5,0,4,1,0,A6.2,C3,",
        "bdA,Z1,0,C5,0,,,,,,there is no hex Z1 on bdA",
    ]
    assert "in.csv, line 3, field from, cell Z1: there is no hex Z1" in err
    assert "2 of 3 lines are not answered" in err
    code, out, _ = asl(capsys, *words, "--json")
    assert [row["blocked"] for row in json.loads(out)] == [True, None, None]


def test_boards_are_found_in_the_folder_of_the_environment(boards, capsys, monkeypatch):
    monkeypatch.setenv("HEXMARSHAL_ASL_BOARDS", str(boards))
    code, out, _ = asl(capsys, "los", "A", "C1", "C5")
    assert (code, "blocked" in out) == (ExitCode.OK, True)
    code, out, _ = asl(capsys, "field", "A", "bdB@flip", "bdA:H3", "--json")
    found = json.loads(out)
    assert (code, found["board"]) == (ExitCode.OK, "bdA+bdB")
    assert "bdA:I3/bdB:I4" in found["seen"]


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        (table("bdA,C1,0,C5,0", "bdZ,C1,0,C5,0"), ExitCode.NOT_FOUND, ("bdZ", "line 3")),
        (
            table("bdA,C1,0,C5,0", "", "bdA,Z9,0,C5,0"),
            ExitCode.NOT_FOUND,
            ("line 4", "bdA", "cell Z9", "no hex Z9"),
        ),
        (
            table("bdB,E3,7,C5,0"),
            ExitCode.NOT_FOUND,
            ("line 2", "bdB", "cell E3", "no level 7", "0, 1, 2, 3, -1"),
        ),
        (
            table("bdA,C1,high,C5,0"),
            ExitCode.BAD_INPUT,
            ("line 2", "bdA", "from_level", "cell C1", "'high' is not"),
        ),
        (table("bdA,C1,0,C5,0,extra"), ExitCode.BAD_INPUT, ("line 2", "more cells")),
        (table("bdA,C1"), ExitCode.BAD_INPUT, ("line 2", "field to", "no hex")),
        ("board,from\nbdA,C1\n", ExitCode.BAD_INPUT, ("'from_level' is missing",)),
        ("", ExitCode.BAD_INPUT, ("'board' is missing",)),
        ("\udcff", ExitCode.BAD_INPUT, ("not a CSV file",)),
    ],
)
def test_a_bad_table_is_refused_with_its_line(boards, capsys, tmp_path, text, code, said):
    lines = tmp_path / "in.csv"
    lines.write_bytes(text.encode("utf-8", "surrogateescape"))
    found, out, err = asl(capsys, "los", "--board-dir", boards, "--lines", lines)
    assert (found, out) == (code, "")
    assert all(part in err for part in said), err


# Bad input


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("los",), ExitCode.USAGE, "two hexes"),
        (("los", "bdA", "C1"), ExitCode.USAGE, "two hexes"),
        (("los", "bdX", "C1", "C5"), ExitCode.NOT_FOUND, "bdX"),
        (("los", "bdA@A-E", "C1", "G3"), ExitCode.NOT_FOUND, "G3 was cropped away from bdA"),
        (("los", "bdA", "C1", "Q9"), ExitCode.NOT_FOUND, "no hex Q9 on bdA"),
        (("los", "bdA", "C1^6", "C5"), ExitCode.USAGE, "^0 to ^5"),
        (("los", "bdA", "A1^0", "C5"), ExitCode.NOT_FOUND, "vertex 0 of hex A1 lies off bdA"),
        (("los", "bdA", "C1", "C5", "--to-level", "2"), ExitCode.NOT_FOUND, "has no level 2"),
        (("los", "bdA", "C1", "C5", "--smoke", "E3"), ExitCode.USAGE, "HEX=N"),
        (("los", "bdA", "C1", "C5", "--smoke", "Z3=1"), ExitCode.NOT_FOUND, "no hex Z3"),
        (("los", "bdA", "C1", "C5", "--vehicle", "Z3"), ExitCode.NOT_FOUND, "no hex Z3"),
        (("los", "bdA", "C1", "C5", "--terrain", "none.xml"), ExitCode.NOT_FOUND, "none.xml"),
        (("los", "bdA", "--lines", "in.csv"), ExitCode.USAGE, "--board-dir"),
        (("los", "bdA", "C1", "C5", "--svg", "a.jpg"), ExitCode.USAGE, ".svg or a .png"),
        (("los", "bdA", "C1", "C5", "-o", "a.csv"), ExitCode.USAGE, "go with --lines"),
        (("los", "--lines", "in.csv", "--board-dir", ".", "--svg", "a.svg"), ExitCode.USAGE, "one"),
        (("los", "bdA", "C1", "C5", "--svg", "bdA.svg/x.svg"), ExitCode.OUTPUT, "bdA.svg"),
        (("los", "bdA", "C1", "C5", "--weather", 10**20), ExitCode.USAGE, "--weather"),
        (("los", "bdA", "C1", "C5", "--night", 10**20), ExitCode.USAGE, "--night"),
        (("los", "bdA", "C1", "C5", "--from-level", 10**20), ExitCode.NOT_FOUND, "has no level 1"),
        (("field", "bdA", "C1", "--level", 10**20), ExitCode.NOT_FOUND, "has no level 1"),
        (("los", "bdA", "bdB", "C1", "C5"), ExitCode.NOT_FOUND, "name its board, too: bdA:C1"),
        (("los", "bdA@I-A", "C1", "C5"), ExitCode.BAD_INPUT, "nothing is left of bdA"),
        (("los", "bdA@1-99", "C1", "C5"), ExitCode.USAGE, "no row 99"),
        (("los", ".", "C1", "C5"), ExitCode.NOT_FOUND, "cannot be read"),
        (("field", "bdA"), ExitCode.USAGE, "boards and a hex"),
        (("field", "bdA", "Q9"), ExitCode.NOT_FOUND, "no hex Q9"),
        (("field", "bdA", "E1", "--level", "3"), ExitCode.NOT_FOUND, "has no level 3"),
        (("terrain", "bdX"), ExitCode.NOT_FOUND, "bdX"),
    ],
)
def test_bad_words_are_refused_in_a_line_or_two(boards, capsys, monkeypatch, words, code, said):
    monkeypatch.chdir(boards)
    found, out, err = asl(capsys, *words)
    assert (found, out) == (code, "")
    assert said in err
    assert "Traceback" not in err
    assert len(err.splitlines()) <= 3


def test_damaged_boards_are_refused_with_their_name(boards, capsys, tmp_path):
    from hexmarshal.vassal.container.archive import build_archive

    whole = (boards / "bdA").read_bytes()
    strange = Canvas(name="bdStrange")
    strange.terrain[70:90, 130:150] = 250
    bad = {
        "bdCut": (whole[: len(whole) // 2], "bdCut"),
        "bdNoise": (b"noise", "bdNoise"),
        "bdPicture": (b"".join(build_archive({"bdPicture.gif": b"GIF89a"})), "no sight data"),
        "bdStrange": (strange.write(tmp_path).read_bytes(), "terrain code 250"),
    }
    for name, (data, said) in bad.items():
        path = tmp_path / name
        path.write_bytes(data)
        code, out, err = asl(capsys, "los", path, "C1", "C5")
        assert (code, out) == (ExitCode.BAD_INPUT, "")
        assert name in err
        assert said in err
    assert "cell C" in err or "cell D" in err


# What is printed about it

PAGES = Path(__file__).parents[4] / "docs"


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """Boards on which every line of the pages can be run."""
    folder = tmp_path_factory.mktemp("library")
    (folder / "boards").mkdir()
    for name in ("bd01", "bd02", "bd03"):
        canvas = Canvas(17, 10, name).band("Stone Building, 2 Level", 0, "F5", "G6", wide=12)
        canvas.band("Stone Building, 2 Level", 0, "K5", "J4", wide=12).spot("Woods", "L6")
        canvas.write(folder / "boards")
    page = (PAGES / "geometry" / "asl-sight.md").read_text("utf-8")
    table = page.partition("```\nboard,")[2].partition("```")[0]
    (folder / "lines.csv").write_text(f"board,{table}", "utf-8")
    return folder


def printed(text: str) -> list[str]:
    lines = (line.strip().partition("#")[0].strip() for line in text.splitlines())
    return [line for line in lines if line.startswith("hexmarshal asl ")]


def test_every_command_of_the_page_runs_as_printed(library, capsys, monkeypatch):
    monkeypatch.chdir(library)
    lines = printed((PAGES / "geometry" / "asl-sight.md").read_text("utf-8"))
    assert len(lines) > 8
    for line in lines:
        code, _, err = asl(capsys, *line.split()[2:])
        assert (code, err) == (ExitCode.OK, ""), line
    for name in ("line.svg", "view.png", "polygons.svg"):
        assert (library / name).stat().st_size > 1000
    answers = list(csv.DictReader(io.StringIO((library / "answers.csv").read_text("utf-8"))))
    assert len(answers) == 3
    assert all(row["range"] for row in answers)


def test_every_example_of_the_help_runs_as_printed(library, capsys, monkeypatch):
    monkeypatch.chdir(library)
    for command in ("los", "field", "terrain"):
        _, out, _ = asl(capsys, command, "--help")
        lines = printed(out)
        assert lines
        for line in lines:
            code, _, err = asl(capsys, *line.split()[2:], "--force")
            assert (code, err) == (ExitCode.OK, ""), line


def test_the_python_of_the_page_runs_as_printed(library, capsys, monkeypatch):
    monkeypatch.chdir(library)
    page = (PAGES / "geometry" / "asl-sight.md").read_text("utf-8")
    names: dict[str, object] = {}
    for code in page.split("```python\n")[1:]:
        exec(code.partition("```")[0], names)
    one, many = capsys.readouterr().out.splitlines()
    assert one.startswith("3 ")
    assert many.startswith("[3, 2, 2] [")


def test_json_has_the_fields_that_the_page_tells(library, capsys, monkeypatch):
    monkeypatch.chdir(library)
    page = (
        (PAGES / "geometry" / "asl-sight.md")
        .read_text("utf-8")
        .partition("### JSON")[2]
        .partition("###")[0]
    )
    for words in (("los", "boards/bd01", "K5", "L8"), ("field", "boards/bd01", "K5")):
        _, out, _ = asl(capsys, *words, "--json")
        document = json.loads(out)
        names = {*document, *document["from"], *(document.get("items") or [{}])[0]} - {"board"}
        assert [name for name in sorted(names) if f"`{name}`" not in page] == []
