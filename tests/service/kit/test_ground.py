"""Painted land: hexes and squares of any size, with every brush, the same in every run."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree as ET

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from hexmarshal.errors import GeometryError
from hexmarshal.geometry.terrain.terrain_file import loads
from hexmarshal.kit.ground import operational
from hexmarshal.kit.ground.areas import Fields, Marsh, Rubble, Water
from hexmarshal.kit.ground.buildings import Houses, Yards, factory, stone, wooden
from hexmarshal.kit.ground.land import Land
from hexmarshal.kit.ground.operational import chains
from hexmarshal.kit.ground.painting import Grid, Veil, painted_svg
from hexmarshal.kit.ground.relief import Cliffs, Contours, Hills, Meadow, Tufts
from hexmarshal.kit.ground.ways import Hedges, Rails, Roads, Streams, Walls
from hexmarshal.kit.ground.woods import Floor, Trees, forest, light_woods, orchard

KINDS = ("field", "water", "marsh", "rubble", "house", "barn", "hall", "forest", "copse", "orchard")
STANDS = (forest("forest"), light_woods("copse"), orchard("orchard"))
ROOFS = (stone("house"), wooden("barn"), factory("hall"))
TACTICAL = {
    "field": Fields("field"),
    "water": Water("water"),
    "marsh": Marsh("marsh"),
    "rubble": Rubble("rubble"),
    "floor": Floor(STANDS),
    "yards": Yards(ROOFS),
    "hills": Hills(),
    "contours": Contours(),
    "cliffs": Cliffs(),
    "road": Roads("road", water="water"),
    "rail": Rails("rail"),
    "tufts": Tufts(),
    "wall": Walls("wall"),
    "hedge": Hedges("hedge"),
    "stream": Streams("stream"),
    "houses": Houses(ROOFS, ways=("road", "rail")),
    "trees": Trees(STANDS),
    "veil": Veil(),
}
OPERATIONAL = {
    "steppe": operational.Steppe(),
    "tints": operational.Tints("marsh", "#9bb"),
    "crowns": operational.Crowns("forest"),
    "outlines": operational.Outlines(),
    "rivers": operational.Rivers((("stream", 8.0),)),
    "cities": operational.Cities("house"),
    "towns": operational.Towns("barn"),
    "ways": operational.Ways((operational.Way.road("road"), operational.Way.rail("rail"))),
    "numbers": operational.Numbers(),
}
ALL = (*KINDS, "road", "rail", "wall", "hedge", "stream")
NUMBERING = {
    "first": "H", "hType": "A", "vType": "N", "sep": "", "hOff": 0, "vOff": 1, "hLeading": 0,
    "vLeading": 0,
}  # fmt: skip


def ground(kind: str, size: int):
    """Two rows of every terrain, a hill with a cliff, ways and sides."""
    columns = range(len(KINDS))
    if kind == "square":
        names = [[f"{chr(65 + c)}{r + 1}" for c in columns] for r in range(4)]
        grid = {
            "kind": "square",
            "width": len(columns) * size,
            "height": 4 * size,
            "grid": {"dx": size, "dy": size, "x0": size // 2, "y0": size // 2},
            "numbering": NUMBERING,
        }
    elif kind == "squares":
        names = [[f"{c + 1:02}{r + 1:02}" for c in columns] for r in range(4)]
        grid = {"kind": "squares", "columns": len(columns), "rows": 4, "width": size}
    else:
        names = [[f"{c + 1:02}{r + 1:02}" for c in columns] for r in range(4)]
        grid = {"kind": "block", "columns": len(columns), "rows": 4}
        grid |= {"pitch": size * 0.866, "breadth": size}
    stood = ((0, "wall"), (1, "hedge"), (4, "stream"), (5, "stream"))
    return loads(
        json.dumps(
            {
                "format": "hexmarshal-terrain/1",
                "name": "A town",
                "grid": grid,
                "terrain": {one: {} for one in ALL},
                "cells": {
                    **{names[r][c]: one for c, one in enumerate(KINDS) for r in (0, 3)},
                    names[1][2]: {"level": 2},
                    names[1][3]: {"level": 1, "terrain": "forest"},
                },
                "sides": {f"{names[1][c]}|{names[2][c]}": one for c, one in stood},
                "paths": [
                    {"name": "a", "terrain": "road", "cells": [row[1] for row in names]},
                    {"name": "b", "terrain": "rail", "cells": names[2]},
                ],
            }
        )
    )


GROUNDS = [("square", 100), ("square", 40), ("squares", 64), ("hex", 72), ("hex", 120)]


@pytest.mark.parametrize(("kind", "size"), GROUNDS)
def test_every_tactical_brush_leaves_something_on_the_map(kind, size):
    land = ground(kind, size)
    bare = painted_svg(land, (Meadow(),))
    for name, brush in TACTICAL.items():
        drawn = painted_svg(land, (Meadow(), brush))
        ET.fromstring(drawn)
        missing = name == "veil" and kind != "hex"
        assert (len(drawn) > len(bare) + 60) is not missing, name


@pytest.mark.parametrize(("kind", "size"), GROUNDS)
def test_every_operational_brush_leaves_something_on_the_map(kind, size):
    land = ground(kind, size)
    bare = painted_svg(land, (), made_for=operational.CELLS)
    for name, brush in OPERATIONAL.items():
        drawn = painted_svg(land, (brush,), made_for=operational.CELLS)
        ET.fromstring(drawn)
        assert len(drawn) > len(bare) + 60, name


def test_a_painting_has_the_size_of_its_map_and_all_its_names():
    land = ground("square", 40)
    svg = painted_svg(land, (*TACTICAL.values(), Grid(dark=frozenset({"forest"}))))
    assert 'width="400" height="160"' in svg
    assert sorted(re.findall(r'aria-label="([^"]*)"', svg)) == sorted(land.names.values())
    assert svg == painted_svg(land, (*TACTICAL.values(), Grid(dark=frozenset({"forest"}))))


@pytest.mark.parametrize(("kind", "size"), GROUNDS)
def test_cells_of_any_size_are_of_one_size_to_a_brush(kind, size):
    land = Land(ground(kind, size))
    area = land.polygon(land.cells[0]).area
    assert area == pytest.approx(62.35 * 72, rel=0.001)
    assert shapely.union_all([land.polygon(c) for c in land.cells]).area == pytest.approx(
        area * len(land.cells), rel=0.001
    )


def test_the_rim_goes_on_with_what_lies_at_the_edge():
    land = Land(ground("square", 100))
    above = [cell for cell in land.rim if cell.row == -1 and 0 <= cell.column < len(KINDS)]
    assert [land.terrain(cell) for cell in sorted(above)] == list(KINDS)


def test_trees_keep_off_roads_and_houses():
    land = Land(ground("square", 100))
    land.covers(land.polygon(land.cells[0]), built=True)
    assert not land.taken.is_empty
    from hexmarshal.kit.drawing.canvas import Drawing

    canvas = Drawing(1000)
    land.covers(land.area("forest", "copse", "orchard"), built=True)
    Trees(STANDS).draw(canvas, land)
    assert "<use" not in canvas.svg()


def test_areas_cannot_be_painted():
    areas = (
        "format: hexmarshal-terrain/1\ngrid: {kind: areas, cells: {A: [[0, 0], [9, 0], [0, 9]]}}\n"
    )
    with pytest.raises(GeometryError, match="hexes or squares"):
        Land(loads(areas))


@given(st.permutations(range(8)), st.lists(st.booleans(), min_size=8, max_size=8))
def test_stretches_in_any_order_make_one_line(order, turned):
    corners = [(10.0 * i, 5.0 * (i % 3)) for i in range(9)]
    stretches = [
        [corners[i + 1], corners[i]] if turned[i] else [corners[i], corners[i + 1]] for i in order
    ]
    (line,) = chains(stretches)
    assert line in (corners, corners[::-1])
