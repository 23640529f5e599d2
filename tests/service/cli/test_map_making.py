"""Terrain for the map of any module: made from its grid, painted by its picture, and as a sheet."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import openpyxl
import pytest
from PIL import Image, ImageDraw

from hexmarshal.cli.main import run
from hexmarshal.geometry.svg.view import View
from hexmarshal.geometry.terrain.terrain_file import load, loads

DATA = (
    '<data version="1"><version>1.0</version><VassalVersion>3.7.0</VassalVersion>'
    "<name>Any</name></data>"
)
COLOURS = {"grass": (150, 190, 110), "woods": (40, 110, 50), "sea": (70, 120, 200)}
HEX = """<VASSAL.build.module.map.boardPicker.board.HexGrid dx="52.0" dy="60.0" x0="30" y0="30"
 edgesLegal="false" cornersLegal="false" sideways="false" snapTo="true" color="0,0,0"
 visible="false" dotsVisible="false">
<VASSAL.build.module.map.boardPicker.board.mapgrid.HexGridNumbering first="H" sep="" hType="N"
 hOff="1" hLeading="1" vType="N" vOff="1" vLeading="1" hDescend="false" vDescend="false"
 locationFormat="$gridLocation$" stagger="false" visible="false" color="0,0,0" fontSize="9"/>
</VASSAL.build.module.map.boardPicker.board.HexGrid>"""
SQUARE = (
    HEX.replace("HexGrid ", "SquareGrid ")
    .replace(
        "/VASSAL.build.module.map.boardPicker.board.HexGrid",
        "/VASSAL.build.module.map.boardPicker.board.SquareGrid",
    )
    .replace("HexGridNumbering", "SquareGridNumbering")
)
REGIONS = """<VASSAL.build.module.map.boardPicker.board.RegionGrid fontsize="9" snapto="true"
 visible="false">
<VASSAL.build.module.map.boardPicker.board.Region name="North" originx="200" originy="60"/>
<VASSAL.build.module.map.boardPicker.board.Region name="South" originx="200" originy="300"/>
</VASSAL.build.module.map.boardPicker.board.RegionGrid>"""
ZONED = f"""<VASSAL.build.module.map.boardPicker.board.ZonedGrid>
<VASSAL.build.module.map.boardPicker.board.mapgrid.Zone name="Track" path="0,0;480,0;480,60;0,60"
 locationFormat="$name$" useParentGrid="false" useHighlight="false" highlightProperty=""/>
{HEX}</VASSAL.build.module.map.boardPicker.board.ZonedGrid>"""


def true_terrain(name: str) -> str:
    column, row = int(name[:2]), int(name[2:])
    return "sea" if column <= 2 else "woods" if (column * 7 + row * 3) % 5 == 0 else "grass"


def module(path: Path, grid: str, picture: Image.Image | None = None) -> Path:
    build = f"""<VASSAL.launch.BasicModule name="Any" version="1.0" VassalVersion="3.7.0">
<VASSAL.build.module.Map mapName="Main"><VASSAL.build.module.map.BoardPicker>
<VASSAL.build.module.map.boardPicker.Board name="Land" image="land.png">{grid}
</VASSAL.build.module.map.boardPicker.Board></VASSAL.build.module.map.BoardPicker>
</VASSAL.build.module.Map></VASSAL.launch.BasicModule>"""
    out = io.BytesIO()
    (picture or Image.new("RGB", (480, 380), COLOURS["grass"])).save(out, "PNG")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("moduledata", DATA)
        archive.writestr("buildFile.xml", build)
        archive.writestr("images/land.png", out.getvalue())
    return path


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def said(capsys):
    def call(*words: str) -> tuple[int, str, str]:
        code = run(["map", *words])
        out = capsys.readouterr()
        return code, out.out, out.err

    return call


@pytest.fixture
def land(said) -> Path:
    """A module whose picture shows the terrain in flat colours, with lines and names over it."""
    plain = module(Path("plain.vmod"), HEX)
    said("new", str(plain), "-o", "plain.yaml")
    terrain = load("plain.yaml")
    view = View(terrain)
    picture = Image.new("RGB", (480, 380), "white")
    pen = ImageDraw.Draw(picture)
    for cell in terrain.cells():
        name = terrain.name(cell)
        pen.polygon(view.corners(cell), fill=COLOURS[true_terrain(name)], outline="black")
        x, y = view.centre(cell)
        pen.text((x - 12, y - 20), name, fill="black")
    pen.line((0, 180, 480, 240), fill="black", width=3)
    return module(Path("land.vmod"), HEX, picture)


@pytest.mark.parametrize("grid", [HEX, SQUARE, REGIONS, ZONED])
def test_a_new_file_has_the_grid_and_every_name(said, grid) -> None:
    module(Path("a.vmod"), grid)
    code, out, err = said("new", "a.vmod", "-o", "a.yaml", "--json")
    assert code == 0, err
    found = load("a.yaml")
    assert json.loads(out)["cells"] == len(found.names)
    text = Path("a.yaml").read_text()
    assert all(name in text for name in found.names.values())
    assert said("check", "a.yaml", "--module", "a.vmod")[1].count("not as on the board") == 0


def test_a_zone_of_hexes_keeps_its_hexes_and_leaves_out_the_rest(said) -> None:
    module(Path("a.vmod"), ZONED)
    said("new", "a.vmod", "-o", "a.yaml")
    found = load("a.yaml")
    assert found.is_hexes
    assert "0101" not in found.names.values()
    assert "0503" in found.names.values()


def test_a_grid_that_is_not_the_board_s_is_told(said) -> None:
    module(Path("a.vmod"), HEX)
    said("new", "a.vmod", "-o", "a.yaml")
    text = Path("a.yaml").read_text().replace('x0: "30"', 'x0: "50"')
    Path("b.yaml").write_text(text)
    code, out, _ = said("check", "b.yaml", "--module", "a.vmod")
    assert code == 1
    assert "cells that lie elsewhere on the board" in out


def test_painting_takes_the_terrain_of_nearly_every_cell_from_three_examples(said, land) -> None:
    said("new", "land.vmod", "-o", "t.yaml")
    code, out, _ = said("paint", "t.yaml", "--module", "land.vmod")
    assert code == 1
    assert "Cells that look alike" in out
    names = list(load("t.yaml").names.values())
    first = {kind: next(n for n in names if true_terrain(n) == kind) for kind in COLOURS}
    words = [w for kind, n in first.items() for w in ("--is", f"{n}={kind}")]
    _, out, err = said("paint", "t.yaml", "--module", "land.vmod", *words, "--json")
    assert json.loads(out)["painted"] == len(names) - 3, err
    painted = load("t.yaml")
    right = [
        painted.cell_terrain[cell] == (true_terrain(name),) for cell, name in painted.names.items()
    ]
    assert sum(right) / len(right) >= 0.9


def test_painting_never_overwrites_what_a_person_set(said, land) -> None:
    said("new", "land.vmod", "-o", "t.yaml")
    examples = ["--is", "0101=sea", "--is", "0303=grass", "--is", "0501=woods"]
    said("paint", "t.yaml", "--module", "land.vmod", *examples)
    text = Path("t.yaml").read_text()
    old = next(line for line in text.splitlines() if line.startswith('  "0404":'))
    text = text.replace(old, '  "0404": swamp  # by hand').replace(
        "terrain:\n", "terrain:\n  swamp: {}\n"
    )
    Path("t.yaml").write_text(text)
    _, out, _ = said("paint", "t.yaml", "--module", "land.vmod", "--json")
    after = Path("t.yaml").read_text()
    assert '  "0404": swamp  # by hand' in after
    assert json.loads(out)["kept"] == 4
    assert loads(after).cell_terrain[loads(after).cell("0404")] == ("swamp",)


def test_a_sheet_of_the_terrain_comes_back_and_only_its_changes_count(said, land) -> None:
    said("new", "land.vmod", "-o", "t.yaml")
    said("convert", "t.yaml", "t.xlsx")
    assert said("convert", "t.xlsx", "u.yaml", "--onto", "t.yaml")[0] == 0
    assert Path("u.yaml").read_text() == Path("t.yaml").read_text()
    book = openpyxl.load_workbook("t.xlsx")
    page = book["Terrain"]
    titles = [cell.value for cell in page[1]]
    row = next(r for r in page.iter_rows(min_row=2) if r[0].value == "0303")
    row[1].value, row[2].value = "woods", 2
    row[titles.index("N")].value = "river"
    book.save("v.xlsx")
    assert "2 entries" in said("convert", "v.xlsx", "v.yaml", "--onto", "t.yaml")[1]
    found = load("v.yaml")
    assert found.cell_terrain[found.cell("0303")] == ("woods",)
    assert found.level(found.cell("0303")) == 2
    assert list(found.side_terrain.values()) == [("river",)]
    said("convert", "v.yaml", "w.xlsx")
    said("convert", "w.xlsx", "w.yaml", "--onto", "v.yaml")
    assert load("w.yaml").side_terrain == found.side_terrain
    book = openpyxl.load_workbook("w.xlsx")
    for row in book["Terrain"].iter_rows(min_row=2):
        for cell in row:
            cell.value = None if cell.value == "river" else cell.value
    book.save("x.xlsx")
    said("convert", "x.xlsx", "x.yaml", "--onto", "v.yaml")
    assert not [kinds for kinds in load("x.yaml").side_terrain.values() if kinds]


def test_terrain_and_sight_are_drawn_over_the_picture_of_the_board(said, land, capsys) -> None:
    pytest.importorskip("resvg_py")
    said("new", "land.vmod", "-o", "t.yaml")
    assert said("render", "t.yaml", "-o", "t.svg", "--module", "land.vmod")[0] == 0
    assert "data:image/png;base64," in Path("t.svg").read_text()
    words = ["los", "t.yaml", "0202", "0504", "--module", "land.vmod", "--png", "l.png"]
    assert run(words) == 0
    with Image.open("l.png") as picture:
        assert picture.size[0] > 480


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        (("new", "land.vmod", "-o", "t.csv"), 2, "a terrain file is YAML"),
        (("new", "land.vmod", "--map", "Moon", "-o", "t.yaml"), 4, "there is no map 'Moon'"),
        (("new", "land.vmod", "--board", "Sea", "-o", "t.yaml"), 4, "there is no board 'Sea'"),
        (("paint", "plain.yaml"), 2, "say where the picture is"),
        (("paint", "plain.yaml", "--module", "land.vmod", "--is", "x"), 2, "'x' is no example"),
        (("paint", "plain.yaml", "--module", "land.vmod", "--is", "99=a"), 3, "no cell 99"),
        (("paint", "none.yaml", "--module", "land.vmod"), 4, "there is no such file"),
        (("convert", "plain.vmod", "x.yaml"), 2, "a sheet has no grid"),
        (("convert", "plain.yaml", "x.doc"), 2, "OUT is no sheet"),
    ],
)
def test_what_is_wrong_is_told(said, land, words, code, text) -> None:
    got, _, err = said(*words)
    assert got == code, err
    assert text in err


def test_los_tells_the_cell_that_was_meant(said, capsys) -> None:
    Path("m.yaml").write_text(
        "format: hexmarshal-terrain/1\ngrid: {kind: hexes, cells: {B02: [0, 0], H02: [6, 0]}}\n"
    )
    assert run(["los", "m.yaml", "b02", "H02"]) == 4
    assert "did you mean B02?" in capsys.readouterr().err
