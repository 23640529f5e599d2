"""The pictures: they show what the data say, and are the same in every run."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from hexmarshal.errors import GeometryError
from hexmarshal.games.conflict_of_heroes.art import (
    Shot,
    Shown,
    board_svg,
    counter_sheet_svg,
    counter_svg,
    field_svg,
)
from hexmarshal.games.conflict_of_heroes.art.cards import card_svg, card_text
from hexmarshal.games.conflict_of_heroes.art.charts import charts
from hexmarshal.games.conflict_of_heroes.art.hits import hit_svg
from hexmarshal.games.conflict_of_heroes.art.sheet import SHEET, SHEETS
from hexmarshal.games.conflict_of_heroes.plugin import ConflictOfHeroes
from hexmarshal.games.conflict_of_heroes.rules.terrain.sight import field_of_view
from hexmarshal.geometry.terrain.terrain_file import loads
from hexmarshal.kit.drawing.canvas import pixels
from hexmarshal.kit.drawing.charts import chart_svg
from hexmarshal.kit.ground.land import Land

COH = ConflictOfHeroes()


def written(svg):
    """The texts that are drawn into a picture, in order."""
    ET.fromstring(svg)
    return re.findall(r'aria-label="([^"]*)"', svg)


@pytest.fixture(scope="module")
def pictures():
    return {key: board_svg(COH.boards[key].map) for key in COH.boards.keys}


def test_a_board_shows_the_name_of_every_hex(pictures):
    for key, svg in pictures.items():
        assert sorted(written(svg)) == sorted(COH.boards[key].hexes)


def test_a_board_is_drawn_the_same_twice(pictures):
    assert board_svg(COH.boards["9"].map) == pictures["9"]


def test_a_board_has_a_triangle_for_each_level_of_a_hex(pictures):
    levels = sum(COH.boards["1"].levels.values())
    assert pictures["1"].count('fill="#8a2a12"') == levels > 0


def test_what_lies_at_the_edge_goes_on_beyond_it():
    land = Land(COH.boards["1"].map)
    beyond = {land.terrain(h) for h in land.rim}
    assert "water" in beyond
    for road in land.roads("road"):
        ends = [road.line.coords[0], road.line.coords[-1]]
        edge = [
            h for h in (road.stops[0], road.stops[-1]) if any(n in land.rim for n in h.neighbours())
        ]
        outside = [p for p in ends if not land.sheet.buffer(-1).covers(_point(p))]
        assert len(outside) == len(edge)


def _point(at):
    import shapely

    return shapely.Point(at)


def test_only_a_map_of_hexes_with_a_layout_makes_a_board():
    areas = loads(
        "format: hexmarshal-terrain/1\n"
        "grid: {kind: areas, cells: {a: [[0, 0], [9, 0], [9, 9], [0, 9]]}}\n"
    )
    with pytest.raises(GeometryError, match="needs hexes"):
        board_svg(areas)


def test_a_counter_shows_all_its_numbers():
    for unit in COH.tables.counters.values():
        texts = written(counter_svg(unit))
        numbers = [str(unit.move), str(unit.front), str(unit.flank)]
        if unit.fire is not None:
            reach = f"{unit.min_range}-{unit.range}" if unit.min_range else str(unit.range)
            numbers += [str(unit.fire), str(unit.red), str(unit.blue), reach]
        if unit.indirect is not None:
            numbers.append(f"({unit.indirect})")
        for number in numbers:
            texts.remove(number)  # fails if it is not there often enough


def test_spent_fresh_white_and_open_topped_look_different():
    tank = COH.tables.counters["german_panzer_3e"]
    looks = {
        counter_svg(tank),
        counter_svg(tank, spent=True),
        counter_svg(replace(tank, white=frozenset({"red"}))),
        counter_svg(replace(tank, open_top=True)),
        counter_svg(replace(tank, turret=False)),
        counter_svg(replace(tank, side="soviet")),
    }
    assert len(looks) == 6


def test_a_hit_marker_shows_what_it_changes():
    for hit in COH.tables.hits.values():
        texts = written(hit_svg(hit))
        assert texts[0] == hit.title
        if not hit.eliminated:
            assert (f"{hit.rally}+" in texts) == (hit.rally is not None)
            for value in (hit.fire, hit.move, hit.red, hit.blue, hit.front, hit.flank):
                assert not value or f"{value:+d}" in texts


def test_a_card_shows_its_title_and_text_within_its_frame():
    long = "Every unit of the group takes one action for nothing. " * 4
    for entry in COH.tables.cards.values():
        texts = written(card_svg(entry, long))
        assert entry.title in texts
        assert " ".join(texts).count("Every unit") == 4


def test_every_card_says_what_it_does():
    for entry in COH.tables.cards.values():
        text = card_text(COH.tables, entry)
        assert text.endswith(".")
        assert "{" not in text
    assert "+2 firepower" in card_text(COH.tables, COH.tables.cards["09"])
    assert "6: 3" in card_text(COH.tables, COH.tables.cards["13"])


def test_charts_show_the_data():
    shown = {chart.title: chart_svg(chart) for chart in charts(COH.tables)}
    for kind in COH.tables.terrain.values():
        assert kind.title in written(shown["Terrain"])
    for hit in COH.tables.hits.values():
        pool = hit.key.partition("-")[0]
        assert hit.title in written(shown[f"Hits: {pool}"])
    assert {entry.title for entry in COH.tables.cards.values()} <= set(written(shown["Cards"]))


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_the_boxes_of_a_sheet_lie_on_it_and_apart(sheet):
    boxes = [box for track in sheet.tracks for _, box in track.boxes()]
    boxes += [*sheet.boxes, *sheet.piles]
    for i, one in enumerate(boxes):
        assert one.left >= 0
        assert one.left + one.wide <= SHEET[0]
        assert one.top + one.high <= SHEET[1]
        for other in boxes[i + 1 :]:
            across = min(one.left + one.wide, other.left + other.wide) - max(one.left, other.left)
            down = min(one.top + one.high, other.top + other.high) - max(one.top, other.top)
            assert across <= 0 or down <= 0, (one.name, other.name)
    assert len({box.name for box in boxes}) == len(boxes)


def test_a_field_of_view_darkens_what_is_not_seen():
    ground = COH.boards["9"]
    cell = next(iter(ground.hexes))
    seen = field_of_view(ground, {}, cell)
    unit = Shown(COH.tables.counters["german_rifles_41"], cell, 2)
    svg = field_svg(ground.map, cell, seen, units=(unit,), shots=(Shot(cell, next(iter(seen))),))
    assert f"What {cell} sees" in svg
    assert 'fill="#10131f"' in svg
    everything = field_svg(ground.map, cell, dict.fromkeys(ground.hexes, 0))
    assert svg != everything


def test_pictures_become_png_with_transparent_corners():
    import io

    import PIL.Image

    unit = COH.tables.counters["soviet_t34a"]
    image = PIL.Image.open(io.BytesIO(pixels(counter_svg(unit))))
    assert image.size == (72, 72)
    assert image.getpixel((0, 0))[3] == 0
    assert image.getpixel((36, 60))[3] == 255


def test_what_is_no_picture_is_refused():
    with pytest.raises(GeometryError, match="cannot be drawn"):
        pixels("<svg")


def test_a_counter_sheet_holds_every_type_twice():
    units = COH.tables.counters.values()
    svg = counter_sheet_svg(units, columns=12)
    assert svg.count('transform="translate(10 ') >= 1
    assert len(written(svg)) == 2 * sum(len(written(counter_svg(unit))) for unit in units)
