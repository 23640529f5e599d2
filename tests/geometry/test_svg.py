"""Pictures: valid XML, the same bytes every time, everything shown, no font needed."""

from __future__ import annotations

import builtins
import sys
from fractions import Fraction
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexmarshal.errors import GeometryError, MissingExtraError
from hexmarshal.geometry.lattice.hexes import Hex, Hexside, Vertex
from hexmarshal.geometry.movement.terrain_costs import movement
from hexmarshal.geometry.sight.line_of_sight import line_of_sight
from hexmarshal.geometry.sight.trace import trace
from hexmarshal.geometry.svg import (
    FireLayer,
    PathLayer,
    Picture,
    ReachLayer,
    SightLayer,
    TraceLayer,
    Unit,
    ZoneLayer,
)
from hexmarshal.geometry.svg.canvas import Canvas, number
from hexmarshal.geometry.svg.glyphs import ACCENTS, GLYPHS
from hexmarshal.geometry.svg.lettering import has_strokes, width
from hexmarshal.geometry.svg.movement_layers import mixed
from hexmarshal.geometry.svg.palette import SIDES, side_colour, style
from hexmarshal.geometry.svg.png import png
from hexmarshal.geometry.svg.units import ARMS
from hexmarshal.geometry.svg.view import View
from hexmarshal.geometry.terrain.outlines import Polygon
from hexmarshal.geometry.terrain.terrain_map import (
    Path,
    Shape,
    SightEffect,
    TerrainMap,
    TerrainType,
)

SVG = "{http://www.w3.org/2000/svg}"
TYPES = {
    kind.name: kind
    for kind in (
        TerrainType("woods", SightEffect.OBSTACLE, Fraction(1)),
        TerrainType("brush", SightEffect.HINDRANCE, Fraction(1)),
        TerrainType("wall", SightEffect.OBSTACLE, Fraction(1)),
        TerrainType("road"),
        TerrainType("house", SightEffect.OBSTACLE, Fraction(2)),
    )
}


def field(wide: int = 5, high: int = 4, **layers) -> TerrainMap:
    names = {
        Hex.from_offset(col, row): f"{col + 1:02}{row + 1:02}"
        for col in range(wide)
        for row in range(high)
    }
    return TerrainMap(names, TYPES, name_of_map="A field", **layers)


def at(name: str) -> Hex:
    return Hex.from_offset(int(name[:2]) - 1, int(name[2:]) - 1)


def full_map() -> TerrainMap:
    return field(
        levels={at("0202"): Fraction(1), at("0203"): Fraction(-1)},
        cell_terrain={at("0302"): ("woods",), at("0202"): ("brush",)},
        side_terrain={Hexside(at("0402"), 1): ("wall",)},
        vertex_terrain={Vertex(at("0303"), 2): ("wall",)},
        paths=(Path("the road", "road", (at("0101"), at("0102"), at("0103"))),),
        shapes=(Shape("manor", "house", Polygon.of([(9, 3), (10, 3), (10, 4), (9, 4)])),),
    )


def parsed(svg: str) -> ET.Element:
    return ET.fromstring(svg)


def written(svg: str) -> list[str]:
    """Every text in the picture, drawn in strokes or native."""
    root = parsed(svg)
    strokes = [g.get("aria-label", "") for g in root.iter(f"{SVG}g") if g.get("aria-label")]
    return strokes + ["".join(t.itertext()) for t in root.iter(f"{SVG}text")]


def titles(svg: str) -> list[str]:
    return [t.text or "" for t in parsed(svg).iter(f"{SVG}title")]


def test_a_map_shows_every_cell_name_and_terrain():
    terrain = full_map()
    svg = Picture(terrain).svg()
    texts = written(svg)
    assert set(terrain.names.values()) <= set(texts)
    assert {"A field", "woods", "brush", "wall", "road", "house"} <= set(texts)
    for title in ("0302: woods", "0202: brush, level 1", "manor: house", "the road: road"):
        assert title in titles(svg)


def test_a_legend_names_only_what_is_on_the_map():
    texts = written(Picture(field(cell_terrain={at("0101"): ("woods",)})).svg())
    assert "woods" in texts
    assert "brush" not in texts


def test_names_and_legend_can_be_left_out():
    svg = Picture(full_map(), names=False, legend=False, title="Only this").svg()
    assert sorted(written(svg)) == ["-1", "1", "Only this"]


def everything() -> Picture:
    terrain = full_map()
    reach = movement(terrain).reach(at("0101"), allowance=3)
    sight = line_of_sight(terrain, "0102", "0503")
    return Picture(
        terrain,
        (
            PathLayer(reach.path(at("0301"))),
            ReachLayer(reach, "three points", reach.path(at("0202"))),
            ZoneLayer([at("0404"), at("0504")]),
            SightLayer(sight),
            FireLayer(at("0101"), frozenset([at("0102")]), {at("0102"): 2}),
        ),
        tuple(Unit(at("0303"), side, arm[:2], arm) for side, arm in zip(SIDES, ARMS, strict=False)),
    )


def test_the_same_picture_has_the_same_bytes():
    assert everything().svg() == everything().svg()


def test_a_picture_with_every_layer_is_valid_and_refers_only_to_what_it_defines():
    root = parsed(everything().svg())
    known = {element.get("id") for element in root.iter() if element.get("id")}
    for element in root.iter():
        for value in element.attrib.values():
            if value.startswith("url(#"):
                assert value[5:-1] in known
        if element.tag == f"{SVG}use":
            assert element.get("href", "")[1:] in known


def test_everything_lies_within_the_picture():
    root = parsed(everything().svg())
    left, top, wide, high = map(float, root.get("viewBox", "").split())
    for element in root.iter():
        for x, y in (("x", "y"), ("cx", "cy"), ("x1", "y1")):
            if element.get(x) and element.get(y) and element.tag != f"{SVG}use":
                assert left <= float(element.get(x)) <= left + wide
                assert top <= float(element.get(y)) <= top + high


def test_a_sight_line_tells_what_blocks_and_what_hinders():
    terrain = field(cell_terrain={at("0202"): ("brush",), at("0203"): ("woods",)})
    sight = line_of_sight(terrain, "0201", "0204")
    svg = Picture(terrain, (SightLayer(sight),)).svg()
    texts = written(svg)
    assert sight.blocked
    assert "0201 to 0204, range 3: blocked" in texts
    for finding in (*sight.obstacles, *sight.hindrances):
        assert any(
            text.startswith(f"{finding.terrain} at {sight.place(finding)}") for text in texts
        )


def test_a_hindrance_is_marked_in_the_middle_of_its_stretch():
    terrain = field(7, 4, cell_terrain={at("0402"): ("brush",)})
    layer = SightLayer(line_of_sight(terrain, "0202", "0602"))
    svg = Picture(terrain, (layer,)).svg()
    (mark,) = [
        circle
        for circle in parsed(svg).iter(f"{SVG}circle")
        if any(title.text == "brush at 0402: +1" for title in circle)
    ]
    centre = View(terrain).centre(at("0402"))
    assert (float(mark.get("cx")), float(mark.get("cy"))) == pytest.approx(centre, abs=0.01)


def test_a_clear_line_says_so():
    terrain = field()
    svg = Picture(terrain, (SightLayer(line_of_sight(terrain, "0101", "0102")),)).svg()
    assert "0101 to 0102, range 1: clear" in written(svg)
    assert "blocked from here" not in written(svg)


def test_a_trace_shows_the_vertices_and_sides_that_it_meets():
    terrain = field()
    line = trace(terrain, "0202", "0402")  # two columns over: along the side between
    assert line.along
    svg = Picture(terrain, (TraceLayer(line),)).svg()
    assert any(t.startswith("along ") for t in titles(svg))
    assert sum(t.startswith("through ") for t in titles(svg)) == len(line.vertices)
    assert "along a side, between two cells" in written(svg)


def test_a_reach_shows_each_cost_once_in_its_cell():
    terrain = field(3, 3)
    reach = movement(terrain).reach(at("0101"), allowance=2)
    texts = written(Picture(terrain, (ReachLayer(reach),), names=False, legend=False).svg())
    assert sorted(t for t in texts if t.isdigit()) == sorted(
        str(cost) for cost in reach.costs.values() if cost
    )


@pytest.mark.parametrize(
    ("cost", "text"),
    [(3, "3"), (Fraction(7, 2), "3½"), (Fraction(1, 2), "½"), (Fraction(7, 3), "2 1/3"),
     (Fraction(1, 3), "1/3"), (0, "0")],
)  # fmt: skip
def test_costs_are_written_as_players_write_them(cost, text):
    assert mixed(cost) == text


def test_cells_of_any_shape_can_be_drawn():
    squares = {
        (x, y): Polygon.of([(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)])
        for x in range(3)
        for y in range(2)
    }
    names = {(x, y): f"{'ABC'[x]}{y + 1}" for x, y in squares}
    terrain = TerrainMap(
        names,
        TYPES,
        outlines=squares,
        cell_terrain={(1, 1): ("woods",)},
        side_terrain={frozenset(((0, 0), (1, 0))): ("wall",)},
    )
    svg = Picture(terrain, (SightLayer(line_of_sight(terrain, "A1", "C2")),)).svg()
    assert {"A1", "B2", "C2"} <= set(written(svg))
    assert any("wall" in title for title in titles(svg))


awkward = st.text(
    st.one_of(st.characters(), st.sampled_from("<>&\"'\x00\x07\ud800\ufffe]]>é漢")), min_size=1
)


@given(awkward, awkward)
def test_any_text_gives_valid_xml(name, title):
    terrain = TerrainMap({Hex(0, 0): name}, TYPES)
    units = (Unit(Hex(0, 0), title, name, title),)
    for native in (True, False):
        svg = Picture(terrain, units=units, title=title).svg(native_text=native)
        parsed(svg)
        svg.encode()


def test_text_needs_no_font():
    svg = Picture(field(), title="Höhe 304, Łódź, 3½ → ñ").svg()
    assert "<text" not in svg
    assert "Höhe 304, Łódź, 3½ → ñ" in written(svg)


def test_scripts_without_strokes_become_native_text_or_boxes():
    picture = Picture(field(), title="Москва")
    assert "Москва" in written(picture.svg())
    assert "<text" in picture.svg()
    assert "<text" not in picture.svg(native_text=False)


def test_every_glyph_and_accent_is_a_path_that_can_be_drawn():
    paths = [path for _, path in GLYPHS.values()] + list(ACCENTS.values())
    body = "".join(f'<path d="{path}"/>' for path in paths)
    picture = f'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">{body}</svg>'
    assert png(picture).startswith(b"\x89PNG")
    assert all(has_strokes(chr(code)) for code in range(32, 127))


def test_wider_text_is_wider():
    assert width("", 10) == 0
    assert 0 < width("ii", 10) < width("WW", 10)
    assert width("WW", 20) == pytest.approx(2 * width("WW", 10))


def test_numbers_have_one_form():
    assert [number(v) for v in (0, -0.0, -0.001, 1.5, 2.0, 1e-9, 1234567.891)] == [
        "0", "0", "0", "1.5", "2", "0", "1234567.89",
    ]  # fmt: skip


def test_a_terrain_keeps_the_colour_that_its_map_gives_it():
    assert style(TerrainType("woods", colour="#123456")).fill == "#123456"
    assert style(TerrainType("Dark Forest")).symbol == "trees"
    assert style(TerrainType("xyzzy")) == style(TerrainType("xyzzy"))


def test_a_png_shows_the_lettering_even_without_fonts():
    canvas, blank = Canvas(), Canvas()
    canvas.write("0203", (50, 30), 20)
    bounds = (0.0, 0.0, 100.0, 40.0)
    assert png(canvas.render(bounds)) != png(blank.render(bounds))


def test_a_png_of_native_text_without_fonts_falls_back_to_boxes(monkeypatch):
    monkeypatch.setattr("hexmarshal.geometry.svg.picture.fonts_work", lambda: False)
    drawn = []

    def draw(svg, *, zoom, instead):
        drawn.append(svg)
        return b""

    monkeypatch.setattr("hexmarshal.geometry.svg.picture.png", draw)
    Picture(field(), title="漢字").png()
    assert "<text" not in drawn[0]


def test_a_png_has_the_size_of_the_picture():
    picture = Picture(field())
    root = parsed(picture.svg())
    data = picture.png(zoom=2)
    wide, high = (int.from_bytes(data[i : i + 4]) for i in (16, 20))
    assert (wide, high) == pytest.approx(
        (2 * float(root.get("width")), 2 * float(root.get("height"))), abs=2
    )


def test_without_the_renderer_the_error_says_what_to_install(monkeypatch):
    real = builtins.__import__

    def refuse(name, *args, **kwargs):
        if name == "resvg_py":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.delitem(sys.modules, "resvg_py", raising=False)
    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(MissingExtraError) as refused:
        Picture(field()).png()
    assert refused.value.hint == "pip install 'hexmarshal[render]', or ask for SVG"
    with pytest.raises(MissingExtraError) as refused:  # what has no other form offers none
        png(Picture(field()).svg())
    assert refused.value.hint == "pip install 'hexmarshal[render]'"


def test_a_picture_that_is_no_svg_is_an_error():
    with pytest.raises(GeometryError, match="cannot be drawn"):
        png("<nonsense")


def test_half_a_character_has_a_colour_too():
    assert side_colour("\ud800") != side_colour("\ud801")
