"""Terrain files: readable, keyed by printed names, exact, with a place for every error."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from random_maps import random_map

from hexmarshal.errors import GeometryError, HexMarshalError, NotFoundError
from hexmarshal.geometry.lattice.hexes import Hex, Hexside, Orientation, Vertex
from hexmarshal.geometry.sight.line_of_sight import line_of_sight
from hexmarshal.geometry.terrain.outlines import Polygon, Polyline
from hexmarshal.geometry.terrain.terrain_file import dump, load, loads, schema

# One example is many comparisons: half as many of them.
HALF_AS_MANY = settings(max_examples=settings().max_examples // 2, deadline=None)

FARM = """\
format: hexmarshal-terrain/1
name: The farm
grid: {kind: block, columns: 12, rows: 8, pitch: 48, breadth: 56, x0: 32, y0: 28}
terrain:
  woods: {sight: obstacle, height: 1, cost: {foot: 2, wheels: 3.5}, colour: "#2f6f2f"}
  grain: {sight: hindrance, height: 0.5}
  house: {sight: obstacle, height: 2, solid: true}
  wall: {sight: obstacle, height: 0.5}
  road:
cells:
  0304: woods
  0405: [woods, grain]
  0606: {terrain: grain, level: 1.5}
sides:
  0202/N: wall
  0303|0304: wall
vertices:
  0202@E: wall
paths:
  - {name: high road, terrain: road, cells: [0101, 0102, 0202]}
shapes:
  - {name: farm, terrain: house, polygon: [[100, 100], [130.1, 100], [130.1, 120], [100, 120]]}
  - {terrain: wall, line: [[200, 100], [260, 140]], base: 1}
"""

BARN = """\
  - {name: barn, terrain: house, polygon: [[110, 90], [140, 90], [140, 110], [110, 110]]}
  - {terrain: wall, l"""

VASSAL = """\
format: hexmarshal-terrain/1
grid:
  kind: hex
  width: 1000
  height: 800
  grid: {dx: 55.42562584220407, dy: 64.0, x0: 32, y0: 32}
  numbering: {first: H, hLeading: 1, hOff: 1, vLeading: 1, vOff: 1, stagger: "false"}
terrain:
  woods: {sight: obstacle, height: 1}
cells:
  0304: woods
"""


def test_the_schema_is_a_schema_and_every_field_is_described_by_it():
    Draft202012Validator.check_schema(schema())
    assert set(schema()["properties"]) >= {"grid", "terrain", "cells", "sides", "shapes"}


def test_names_keep_their_leading_zeros_and_numbers_stay_exact():
    terrain = loads(FARM)
    woods = terrain.hex("0304")
    assert terrain.cell_terrain[woods] == ("woods",)
    assert terrain.level(terrain.hex("0606")) == Fraction(3, 2)
    assert terrain.side_terrain[Hexside.between(terrain.hex("0202"), terrain.hex("0201"))] == (
        "wall",
    )
    assert terrain.side_terrain[Hexside.between(terrain.hex("0303"), woods)] == ("wall",)
    assert Vertex(terrain.hex("0202"), 2) in terrain.vertex_terrain
    assert terrain.types["woods"].cost == (("foot", 2), ("wheels", Fraction(7, 2)))
    assert set(terrain.links.values()) == {("road",)}
    farm, wall = terrain.shapes
    assert isinstance(farm.outline, Polygon)
    assert isinstance(wall.outline, Polyline)
    # 130.1 pixels are 98.1 right of the first centre: 98.1 * 3 / 48 steps of the lattice.
    assert max(p.x for p in farm.outline.rings[0]) == Fraction(981, 10) * 3 / 48
    assert line_of_sight(terrain, "0202", "0404").blocked


def test_the_grid_of_an_existing_module_gives_the_names():
    terrain = loads(VASSAL)
    assert "0304" in terrain.names.values()
    assert terrain.cell_terrain[terrain.hex("0304")] == ("woods",)
    assert terrain.orientation is Orientation.FLAT
    assert line_of_sight(terrain, "0303", "0305").blocked
    assert loads(dump(terrain)) == terrain


def test_squares_and_areas_carry_terrain_too():
    areas = loads(
        """\
format: hexmarshal-terrain/1
grid:
  kind: areas
  cells:
    West: [[0, 0], [4, 0], [4, 4], [0, 4]]
    Mid: [[4, 0], [8, 0], [8, 4], [4, 4]]
    East: [[8, 0], [12, 0], [12, 4], [8, 4]]
terrain: {woods: {sight: obstacle, height: 1}, wall: {sight: obstacle, height: 1}}
cells: {Mid: woods}
sides: {West|Mid: wall}
"""
    )
    assert areas.neighbours("Mid") == ("West", "East")
    assert line_of_sight(areas, "West", "East").reasons == ("Mid: woods blocks",)
    assert line_of_sight(areas, "West", "Mid").visible
    assert loads(dump(areas)) == areas


def test_geojson_beside_the_file_adds_shapes(tmp_path):
    ring = [[300, 100], [330, 100], [330.5, 130], [300, 100]]
    feature = {
        "type": "Feature",
        "properties": {"name": "barn", "terrain": "house", "height": 1},
        "geometry": {"type": "Polygon", "coordinates": [ring]},
    }
    collection = {"type": "FeatureCollection", "features": [feature]}
    (tmp_path / "shapes.geojson").write_text(json.dumps(collection))
    (tmp_path / "map.yaml").write_text(FARM + "geojson: shapes.geojson\n")
    terrain = load(tmp_path / "map.yaml")
    assert [s.name for s in terrain.shapes] == ["farm", "shape 2", "barn"]
    assert len(terrain.shapes[2].outline.rings[0]) == 3
    (tmp_path / "shapes.geojson").write_text(json.dumps(collection).replace("330.5", "NaN"))
    with pytest.raises(GeometryError, match="NaN is not a finite number") as error:
        load(tmp_path / "map.yaml")
    assert error.value.place.file.endswith("shapes.geojson")


@pytest.mark.parametrize(
    ("good", "bad", "message", "line", "cell"),
    [
        ("0304: woods", "9904: woods", "no cell 9904", 11, "9904"),
        ("[woods, grain]", "[woods, grass]", "no terrain 'grass'", 12, "0405"),
        ("0202/N", "0202/X", "not a hexside", 15, "0202/X"),
        ("0303|0304", "0303|0404", "not neighbours", 16, None),
        ("0202@E", "0202@N", "not a vertex", 18, "0202@N"),
        ("[0101, 0102, 0202]", "[0101, 0103]", "not neighbours", 20, "0103"),
        ("[0101, 0102, 0202]", "[0101, 9999]", "no cell 9999", 20, "9999"),
        (
            "[130.1, 100], [130.1, 120]",
            "[130, 120], [130, 100]",
            "crosses itself at (115, 110)",
            22,
            None,
        ),
        ("130.1, 100", ".nan, 100", "not a finite number", 22, None),
        ("130.1, 100", "far, 100", "'far' is not a number", 22, None),
        ("[100, 120]", "[100, 12000]", "(100, 12000) is off the map", 22, None),
        ("foot: 2", "foot: -2", "less than the minimum", 5, None),
        ("height: 2", "height: -2", "less than the minimum", 7, None),
        ("level: 1.5", "levl: 1.5", "", 13, "0606"),
        ("0405: [", "0304: [", "'0304' is given twice", 12, None),
        ("columns: 12", "columns: 0", "less than the minimum", 3, None),
        ("kind: block", "kind: round", "is not one of", 3, None),
        ("base: 1}", "base: 1", "not YAML", None, None),
        ("0304: woods", "0304: *woods", "aliases", 11, None),
        (
            "  - {terrain: wall, l",
            BARN,
            "farm and barn overlap",
            22,
            None,
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_line_and_cell(good, bad, message, line, cell):
    assert good in FARM
    with pytest.raises(GeometryError) as error:
        loads(FARM.replace(good, bad, 1), file="farm.yaml")
    assert message in error.value.message
    assert error.value.place.file == "farm.yaml"
    if line is not None:
        assert error.value.place.line == line
    if cell is not None:
        assert error.value.place.cell == cell


def test_a_file_that_is_not_there_or_not_text(tmp_path):
    with pytest.raises(NotFoundError):
        load(tmp_path / "none.yaml")
    (tmp_path / "bad.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(GeometryError, match="not UTF-16 text"):
        load(tmp_path / "bad.yaml")


@given(st.text(alphabet="ab01:{}[]-,&*!?|>'\"#%@` \n\t.", max_size=60))
def test_no_text_makes_the_reader_fall_over(text):
    for whole in (text, FARM + text, FARM.replace("0304: woods", text)):
        try:
            loads(whole)
        except HexMarshalError:
            continue


def test_deep_nesting_is_refused():
    with pytest.raises(GeometryError, match="nested too deeply"):
        loads("[" * 5000)


@HALF_AS_MANY
@given(st.integers(0, 10**9))
def test_what_is_dumped_loads_as_an_equal_map(seed):
    terrain = random_map(seed)
    corners = [p for h in terrain.cells() for p in terrain.outline(h).rings[0]]
    x0, x1 = min(p.x for p in corners), max(p.x for p in corners)
    y0, y1 = min(p.y for p in corners), max(p.y for p in corners)
    terrain = replace(
        terrain,
        shapes=tuple(
            s
            for s in terrain.shapes
            if all(x0 <= p.x <= x1 and y0 <= p.y <= y1 for chain in s.outline.chains for p in chain)
        ),
    )
    again = loads(dump(terrain))
    assert again.shapes == terrain.shapes
    assert again.side_terrain == terrain.side_terrain
    assert again.vertex_terrain == terrain.vertex_terrain
    assert (again.names, again.levels, again.cell_terrain) == (
        terrain.names,
        terrain.levels,
        terrain.cell_terrain,
    )
    assert loads(dump(again)) == again


def test_a_map_without_names_for_hexes_twice_is_refused():
    text = "format: hexmarshal-terrain/1\ngrid: {kind: hexes, cells: {A: [0, 0], B: [0, 0]}}\n"
    with pytest.raises(GeometryError, match="two names stand for one hex"):
        loads(text)
    assert loads(text.replace("B: [0, 0]", "B: [0, 1]")).hex("B") == Hex(0, 1)


def test_the_version_of_a_map_of_areas_is_the_same_under_any_hash_seed():
    import os
    import subprocess
    import sys

    probe = (
        "from hexmarshal.geometry.terrain.terrain_file import loads\n"
        "print(loads('''format: hexmarshal-terrain/1\n"
        "grid: {kind: areas, cells: {A: [[0, 0], [4, 0], [4, 4], [0, 4]],"
        " B: [[4, 0], [8, 0], [8, 4], [4, 4]]}}\n"
        "terrain: {wall: {sight: obstacle, height: 1}}\nsides: {A|B: wall}\n''').version)"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", probe],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("0", "1", "2", "4")
    }
    assert len(seen) == 1
