"""Region and zoned grids, engine quirks and bad grids, one by one."""

import pytest

from hexmarshal.errors import GeometryError
from hexmarshal.geometry.grids import Pixel, Zone, grid_from_spec
from hexmarshal.geometry.grids.java import crosses_odd, polygon_contains, round_half_up
from hexmarshal.geometry.grids.regiongrid import _hash_order

BOARD = {"width": 600, "height": 400}


def region(name, x, y):
    return {"name": name, "originx": str(x), "originy": str(y)}


def zone(name, path, **attributes):
    return {"name": name, "path": path, **attributes}


HEXES = {"kind": "hex", "grid": {}, "numbering": {}}


def test_a_pixel_belongs_to_the_nearest_region():
    towns = [region("Kursk", 100, 100), region("Orel", 300, 100), region("Tula", 300, 300)]
    grid = grid_from_spec({"kind": "region", "regions": towns, **BOARD})
    assert grid.location_name((199, 100)) == "Kursk"
    assert grid.location_name((201, 100)) == "Orel"
    assert grid.snap((290, 260)) == (300, 300)
    assert grid.range((100, 100), (300, 300)) == 283
    assert {r.name for r in grid.neighbours(grid.cell_named("Orel"))} == {"Kursk", "Tula"}
    with pytest.raises(GeometryError) as caught:
        grid.pixel_named("Kurks")
    assert "Kursk" in caught.value.hint


def test_regions_equally_near_are_told_apart_as_the_engine_does():
    # The order of a Java 17 hash map, seen by running one.
    origins = [Pixel(100, 100), Pixel(300, 100), Pixel(200, 0), Pixel(200, 200)]
    assert _hash_order(origins) == [(300, 100), (200, 0), (100, 100), (200, 200)]
    crossing = [region(f"({x},{y})", x, y) for x, y in origins]
    grid = grid_from_spec({"kind": "region", "regions": crossing, **BOARD})
    assert grid.location_name((200, 100)) == "(300,100)"


def test_a_grid_without_regions_names_nothing():
    grid = grid_from_spec({"kind": "region", "grid": {"snapto": "true"}, **BOARD})
    assert grid.location_name((5, 5)) is None
    assert grid.snap((5, 5), force=True) == (5, 5)
    with pytest.raises(GeometryError):
        grid.cell_at((5, 5))


def test_the_first_zone_in_order_decides():
    zones = [
        zone("Paris", "100,100;200,100;200,200;100,200"),
        zone(
            "France",
            "50,50;300,50;300,300;50,300",
            locationFormat="$name$ $gridLocation$",
            useParentGrid="true",
        ),
    ]
    grid = grid_from_spec({"kind": "zoned", "zones": zones, "background": HEXES, **BOARD})
    assert grid.location_name((150, 150)) == "Paris"
    assert grid.location_name((110, 96)) == "France 0302"
    assert grid.location_name((554, 32)) == "1101"
    assert grid.pixel_named("France 0302") == (110, 96)
    assert grid.pixel_named("Paris") == (150, 150)
    assert grid.snap((150, 150)) == (150, 150), "a zone without a grid does not snap"
    paris, france = grid.cell_at((150, 150)), grid.cell_at((110, 96))
    assert grid.polygon(paris).area == 100 * 100
    assert grid.polygon(france).intersection(grid.polygon(paris)).area == 0


def test_a_name_in_a_zone_that_cuts_the_centre_off_leads_into_the_zone():
    strip = zone(
        "Strip",
        "90,70;130,70;130,80;90,80",
        locationFormat="$name$ $gridLocation$",
        useParentGrid="true",
    )
    grid = grid_from_spec({"kind": "zoned", "zones": [strip], "background": HEXES, **BOARD})
    name = grid.location_name((110, 75))
    pixel = grid.pixel_named(name)
    assert name == "Strip 0302"
    assert grid.zone_at(pixel) == 0
    assert grid.location_name(pixel) == name
    with pytest.raises(GeometryError):
        grid.zones[0].grid.pixel_named(name)


def test_a_zones_own_grid_counts_down_from_its_box():
    own = {"kind": "square", "numbering": {"hDescend": "true", "vDescend": "true"}}
    grid = grid_from_spec(
        {
            "kind": "zoned",
            "zones": [zone("Z", "0,0;96,0;96,96;0,96", locationFormat="$gridLocation$", grid=own)],
            **BOARD,
        }
    )
    assert grid.location_name((24, 24)) == "0303"
    assert grid.pixel_named("0303") == (24, 24)
    assert grid.location_name((300, 300)) is None


def test_a_concave_zone_is_found_at_its_first_corner():
    u_shape = Zone(
        "U",
        tuple(
            Pixel(*p)
            for p in [(0, 0), (90, 0), (90, 90), (60, 90), (60, 10), (30, 10), (30, 90), (0, 90)]
        ),
    )
    assert u_shape.middle() == (0, 0)


def test_zone_borders_are_inside_at_the_left_and_top():
    square = [(0, 0), (10, 0), (10, 10), (0, 10)]
    for contains in (crosses_odd, polygon_contains):
        inside = [(x, y) for x in (-1, 0, 9, 10) for y in (-1, 0, 9, 10) if contains(square, x, y)]
        assert inside == [(0, 0), (0, 9), (9, 0), (9, 9)]


def test_the_engine_misjudges_some_points_on_a_slanted_border():
    # Exactly on the right border, and so outside; but 7 / 25 * 25 is a little more than 7.
    triangle = [(0, 0), (25, 25), (0, 25)]
    assert not crosses_odd(triangle, 7, 7)
    assert polygon_contains(triangle, 7, 7)


@pytest.mark.parametrize(
    ("number", "rounded"), [(0.5, 1), (-0.5, 0), (1.5, 2), (-1.5, -1), (0.49999999999999994, 0)]
)
def test_halves_are_rounded_up(number, rounded):
    assert round_half_up(number) == rounded


@pytest.mark.parametrize(
    ("spec", "field"),
    [
        ({"kind": "hex", "grid": {"dx": "0"}}, "dx"),
        ({"kind": "hex", "grid": {"dy": "-64"}}, "dy"),
        ({"kind": "hex", "grid": {"dx": "NaN"}}, "dx"),
        ({"kind": "hex", "grid": {"dy": "1e300"}}, "dy"),
        ({"kind": "square", "grid": {"dx": "Infinity"}}, "dx"),
        ({"kind": "square", "grid": {"dy": "wide"}}, "dy"),
        ({"kind": "square", "grid": {"x0": "1.5"}}, "x0"),
        ({"kind": "hex", "grid": {"y0": "99999999999"}}, "y0"),
        ({"kind": "hex", "numbering": {"hLeading": "1000000"}}, "hLeading"),
        ({"kind": "hex", "numbering": {"first": ""}}, "first"),
        ({"kind": "hex", "numbering": "N"}, "numbering"),
        ({"kind": "region", "regions": "none"}, "regions"),
        ({"kind": "zoned", "zones": [zone("Z", "1,2;3")]}, "path"),
        ({"kind": "octagonal"}, "kind"),
        ({"kind": "hex", "width": 0}, "width"),
        ({"kind": "hex", "height": "tall"}, "height"),
    ],
)
def test_degenerate_grids_are_refused_by_field(spec, field):
    with pytest.raises(GeometryError) as caught:
        grid_from_spec({**BOARD, **spec})
    assert caught.value.place.field == field


def test_a_bad_grid_in_a_zone_names_the_zone():
    bad = zone("East", "0,0;9,0;9,9", grid={"kind": "hex", "grid": {"dx": "0"}})
    with pytest.raises(GeometryError) as caught:
        grid_from_spec({"kind": "zoned", "zones": [bad], **BOARD})
    assert (caught.value.place.cell, caught.value.place.field) == ("East", "dx")


def test_a_self_crossing_zone_answers_like_the_engine_but_has_no_polygon():
    bow = zone("Bow", "0,0;100,100;100,0;0,100")
    grid = grid_from_spec({"kind": "zoned", "zones": [bow], **BOARD})
    assert grid.location_name((10, 50)) == "Bow"
    with pytest.raises(GeometryError, match=r"Self-intersection\[50 50\]"):
        grid.polygon(grid.cell_at((10, 50)))


@pytest.mark.parametrize("pixel", [(1.5, 2), (float("nan"), 0), ("1", "2"), (1,), None, (10**9, 0)])
def test_what_is_no_pixel_is_refused(pixel):
    grid = grid_from_spec({**HEXES, **BOARD})
    for ask in (grid.location_name, grid.cell_at, grid.snap):
        with pytest.raises(GeometryError, match="not a pixel"):
            ask(pixel)


@pytest.mark.parametrize("name", ["", "9999", "01", "0101 ", "A1", "-", "٠١٠١"])
def test_names_that_no_hex_carries_are_refused(name):
    grid = grid_from_spec({**HEXES, **BOARD})
    with pytest.raises(GeometryError) as caught:
        grid.pixel_named(name)
    assert caught.value.place.cell == name


def test_a_grid_that_does_not_snap_leaves_pieces_alone_unless_forced():
    grid = grid_from_spec({"kind": "hex", "grid": {"snapTo": "false"}, **BOARD})
    assert grid.snap((100, 100)) == (100, 100)
    assert grid.snap((100, 100), force=True) == (110, 96)


def test_a_fine_snap_divides_the_hex():
    grid = grid_from_spec({"kind": "hex", "grid": {"snapscale": "4"}, **BOARD})
    assert grid.snap((110, 96)) == (110, 96)
    assert grid.snap((118, 96)) == (117, 96)
    assert grid.snap((100, 112)) == (103, 112)
