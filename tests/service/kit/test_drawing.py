"""What the kit draws: texts that are told appear, and nothing sticks out."""

from __future__ import annotations

import io
import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexmarshal.errors import UsageError
from hexmarshal.kit.drawing import markers
from hexmarshal.kit.drawing.canvas import Drawing, fitted, lines_of, pixels, width
from hexmarshal.kit.drawing.charts import ChartLook, chart_svg
from hexmarshal.kit.drawing.colours import is_dark, mixed, tone
from hexmarshal.kit.drawing.counters import SIZE, SYMBOL, Face, Value
from hexmarshal.kit.drawing.silhouettes import KINDS
from hexmarshal.kit.drawing.symbols import ARMS, ECHELONS, MARKS, symbol
from hexmarshal.rules.charts import Chart, ChartTable

words = st.text("ABCDefgh 1-", min_size=1, max_size=60)


def written(svg: str) -> list[str]:
    """The texts that are drawn into a picture, in order."""
    ET.fromstring(svg)
    return re.findall(r'aria-label="([^"]*)"', svg)


def test_a_face_shows_what_it_is_told():
    face = Face(
        "#97a58f",
        symbol="infantry",
        echelon="division",
        left="294",
        strength="9-8",
        values=(Value("2", "nw", on="disc"), Value("7", "se", on="shield")),
    )
    assert written(face.svg()) == ["XX", "294", "9-8", "2", "7"]


def test_each_arm_has_a_picture_of_its_own():
    def drawn(arm: str) -> str:
        canvas = Drawing(SIZE)
        symbol(canvas, arm, SYMBOL)
        return canvas.svg()

    marks = {drawn(mark) for mark in MARKS}
    assert len(marks) == len(MARKS)
    assert len({drawn(arm) for arm in ARMS}) == len(set(ARMS.values()))


def test_an_arm_that_nobody_knows_is_an_error_that_names_those_there_are():
    with pytest.raises(UsageError, match="no arm and no mark 'dragoons'") as caught:
        symbol(Drawing(SIZE), "dragoons", SYMBOL)
    assert "cavalry" in caught.value.hint


def test_small_units_have_dots_above_their_symbol():
    canvas = Drawing(SIZE)
    symbol(canvas, "infantry", SYMBOL, size="platoon")
    assert canvas.svg().count("<circle") == len(ECHELONS["platoon"]) == 3


def test_silhouettes_and_spent_faces_are_drawn():
    faces = {
        Face("#97a58f", silhouette=kind, spent=spent).svg() for kind in KINDS for spent in (0, 1)
    }
    assert len(faces) == 2 * len(KINDS)


def test_a_chart_shows_all_its_cells_and_its_tints():
    table = ChartTable(("Die", "1-1"), (("1", "A1"), ("2", "D1")), note="Odds are rounded down.")
    svg = chart_svg(Chart("crt", "Combat", (table,)), ChartLook(tints={"A1": "#abcdef"}))
    assert written(svg) == ["Combat", "Die", "1-1", "1", "A1", "2", "D1", "Odds are rounded down."]
    assert svg.count("#abcdef") == 1


def test_a_long_note_does_not_make_a_chart_wide():
    note = "A long note that goes on and on. " * 20
    svg = chart_svg(Chart("c", "C", (ChartTable(("a",), (("b",),), note=note),)))
    assert int(re.search(r'width="(\d+)"', svg).group(1)) < 800


@given(words, st.floats(4, 20), st.floats(10, 100))
def test_a_fitted_text_is_no_wider_than_its_room(text, size, room):
    found = fitted(text, size, room)
    assert found <= size
    assert width(text, found) <= room * 1.0001


@given(words, st.floats(20, 200))
def test_lines_are_the_words_in_order_and_as_wide_as_they_may_be(text, room):
    lines = lines_of(text, 8, room)
    assert " ".join(lines).split() == text.split()
    assert all(width(line, 8) <= room or " " not in line for line in lines)


@given(st.integers(0, 0xFFFFFF), st.integers(0, 0xFFFFFF), st.floats(0, 1))
def test_colours_mix_between_the_two(one, other, share):
    a, b = f"#{one:06x}", f"#{other:06x}"
    assert mixed(a, b, 0) == a
    assert mixed(a, b, 1) == b
    for i in (1, 3, 5):
        low, high = sorted((int(a[i : i + 2], 16), int(b[i : i + 2], 16)))
        assert low <= int(mixed(a, b, share)[i : i + 2], 16) <= high


def test_ink_reads_on_its_card():
    assert is_dark(tone("#f0e0c0").ink)
    assert not is_dark(tone("#202830").ink)


def test_markers_are_pictures_with_their_words():
    drawn = {
        "DISRUPTED": markers.band("DISRUPTED", "#b5341f"),
        "S": markers.badge("S", "#8c2f6b", "se"),
        "IN WORKS": markers.tag("IN WORKS", "#6b5427"),
        "VP": markers.disc("VP", "#97a58f"),
        "?": markers.coin("?", "#97a58f"),
        "OUR": markers.flag("#a8312c", "OUR"),
        "FUEL": markers.picture("#444444", "fuel", below="FUEL"),
    }
    for text, svg in drawn.items():
        assert written(svg) == [text]
    assert written(markers.words("#2c4a6e", "GAME", "TURN")) == ["GAME", "TURN"]
    for name in markers.PICTURES:
        ET.fromstring(markers.picture("#444444", name))


def test_pixels_keep_what_is_see_through():
    pytest.importorskip("resvg_py")
    image = pytest.importorskip("PIL.Image")
    picture = image.open(io.BytesIO(pixels(markers.badge("S", "#8c2f6b"), zoom=2)))
    assert picture.size == (2 * SIZE, 2 * SIZE)
    assert picture.convert("RGBA").getpixel((2 * SIZE - 3, 2 * SIZE - 3))[3] == 0
    assert picture.convert("RGBA").getpixel((8, 15))[3] == 255
