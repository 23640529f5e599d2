"""Name to pixel to cell and back, on random grids of every kind."""

import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from shapely import Point, unary_union

from hexmarshal.errors import GeometryError
from hexmarshal.geometry.grids import HexGrid, grid_from_spec

BOOLEANS = st.sampled_from(["true", "false"])
LENGTHS = st.one_of(st.integers(6, 90).map(float), st.floats(6, 90).map(lambda v: round(v, 4)))
OFFSETS = st.integers(-60, 90)


@st.composite
def numberings(draw):
    return {
        "first": draw(st.sampled_from("HV")),
        "sep": draw(st.sampled_from(["", "-", ".", "/", " "])),
        **{f"{a}Type": draw(st.sampled_from("NA")) for a in "hv"},
        **{f"{a}Leading": str(draw(st.integers(0, 3))) for a in "hv"},
        **{f"{a}Off": str(draw(st.integers(-3, 12))) for a in "hv"},
        **{f"{a}Descend": draw(BOOLEANS) for a in "hv"},
        "stagger": draw(BOOLEANS),
        "locationFormat": draw(
            st.sampled_from(["$gridLocation$", "Hex $gridLocation$", "$row$ of $column$"])
        ),
        "oblique": draw(BOOLEANS),
    }


@st.composite
def regular(draw, kind):
    attributes = {
        "dx": repr(draw(LENGTHS)),
        "dy": repr(draw(LENGTHS)),
        "x0": str(draw(OFFSETS)),
        "y0": str(draw(OFFSETS)),
        **{key: draw(BOOLEANS) for key in ("snapTo", "edgesLegal", "cornersLegal", "sideways")},
        "range": draw(st.sampled_from(["Metric", "Manhattan"])),
    }
    # Hexes as flat as a coin or as slim as a needle leave no room for the engine's whole pixels.
    if kind == "hex":
        assume(0.4 < float(attributes["dx"]) / float(attributes["dy"]) < 1.8)
    return {"kind": kind, "grid": attributes, "numbering": draw(numberings())}


@st.composite
def regions(draw):
    points = draw(
        st.lists(st.tuples(st.integers(0, 499), st.integers(0, 399)), min_size=1, max_size=25)
    )
    named = [
        {"name": f"R{i}", "originx": str(x), "originy": str(y)} for i, (x, y) in enumerate(points)
    ]
    return {"kind": "region", "grid": {"snapto": draw(BOOLEANS)}, "regions": named}


@st.composite
def zoned(draw):
    inner = st.one_of(regular("hex"), regular("square"), regions())
    corner = st.tuples(st.integers(0, 500), st.integers(0, 400))
    zones = [
        {
            "name": f"Zone {i}",
            "path": ";".join(f"{x},{y}" for x, y in draw(st.lists(corner, min_size=3, max_size=5))),
            "locationFormat": draw(
                st.sampled_from(["$name$", "$name$ $gridLocation$", "$gridLocation$"])
            ),
            "useParentGrid": draw(BOOLEANS),
            "grid": draw(st.one_of(st.none(), inner)),
        }
        for i in range(draw(st.integers(0, 3)))
    ]
    return {"kind": "zoned", "background": draw(inner), "zones": zones}


def built(strategy):
    return strategy.map(lambda spec: grid_from_spec(spec, (500, 400)))


PIXELS = st.tuples(st.integers(0, 499), st.integers(0, 399))
CELLED = st.one_of(built(regular("hex")), built(regular("square")), built(regions()))
ANY = st.one_of(CELLED, built(zoned()))


@given(ANY, PIXELS)
@settings(max_examples=200)
def test_a_name_leads_back_to_a_pixel_with_that_name(grid, pixel):
    name = grid.location_name(pixel)
    assume(name)
    assert grid.location_name(grid.pixel_named(name)) == name


@given(CELLED, PIXELS)
@settings(max_examples=200)
def test_a_cell_is_where_its_centre_is(grid, pixel):
    cell = grid.cell_at(pixel)
    centre = grid.centre(cell)
    assert grid.cell_at(centre) == cell
    assert grid.location_name(centre) == grid.name(cell)
    assert grid.snap(centre, force=True, centre_only=True) == centre or getattr(
        grid, "edges_legal", False
    )


@given(CELLED, PIXELS)
def test_a_cells_name_leads_back_to_the_cell(grid, pixel):
    cell = grid.cell_at(pixel)
    assert cell in list(grid.cells_named(grid.name(cell)))


@given(built(regular("hex")), PIXELS)
@settings(max_examples=200)
def test_the_polygon_of_a_pixels_hex_holds_the_pixel(grid, pixel):
    # The engine decides on whole pixels, so up to two pixels off the true outline.
    assert grid.polygon(grid.cell_at(pixel)).distance(Point(pixel)) <= 2.5


@given(built(regular("square")), PIXELS)
def test_the_polygon_of_a_pixels_square_holds_the_pixel(grid, pixel):
    assert grid.polygon(grid.cell_at(pixel)).distance(Point(pixel)) < 1e-6


@given(built(regular("hex")), PIXELS)
def test_neighbouring_hexes_share_a_whole_side(grid, pixel):
    cell = grid.cell_at(pixel)
    outline = grid.polygon(cell)
    for other in grid.neighbours(cell):
        corners = set(outline.exterior.coords) & set(grid.polygon(other).exterior.coords)
        assert len(corners) == 2


@given(built(regular("hex")), PIXELS, PIXELS)
def test_range_is_the_distance_of_the_hexes_between_centres(grid, one, other):
    cells = grid.cell_at(one), grid.cell_at(other)
    assert grid.range(*map(grid.centre, cells)) == cells[0].distance(cells[1])


@given(built(regular("hex")), PIXELS)
def test_snapping_stays_in_reach_of_the_pixel(grid, pixel):
    snapped = grid.snap(pixel)
    assert math.dist(snapped, pixel) <= 0.75 * max(grid.dx * 4 / 3, grid.dy) + 3


@given(built(regions()))
@settings(max_examples=20)
def test_regions_divide_the_board(grid):
    shapes = [grid.polygon(region) for region in grid.regions]
    assert sum(s.area for s in shapes) == pytest.approx(500 * 400, rel=1e-6)
    assert unary_union(shapes).area == pytest.approx(500 * 400, rel=1e-6)


@given(built(regular("hex")))
@settings(max_examples=20)
def test_the_cells_of_a_hex_board_have_different_names(grid):
    assume(grid.numbering.separator)
    names = [grid.name(cell) for cell in grid.cells()]
    assert len(set(names)) == len(names) > 0


@given(st.dictionaries(st.sampled_from(["dx", "dy", "x0", "y0", "snapTo", "snapscale"]), st.text()))
def test_any_text_in_an_attribute_is_read_or_refused(attributes):
    try:
        grid = grid_from_spec({"kind": "hex", "grid": attributes, "width": 300, "height": 200})
    except GeometryError as error:
        assert error.place.field in attributes  # noqa: PT017
    else:
        assert isinstance(grid, HexGrid)


@given(ANY, st.text(max_size=12))
def test_any_text_is_a_name_or_refused(grid, name):
    try:
        pixel = grid.pixel_named(name)
    except GeometryError as error:
        assert error.place.cell == name  # noqa: PT017
    else:
        assert grid.location_name(pixel) == name
