"""Squares, areas, rooms, stacked locations and maps of hexes as maps of cells."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexmarshal.errors import GeometryError
from hexmarshal.geometry.areas import AreaMap
from hexmarshal.geometry.borders import shared_borders
from hexmarshal.geometry.buildings import Building, Room
from hexmarshal.geometry.grids import grid_from_spec
from hexmarshal.geometry.hexes import Hex, Orientation
from hexmarshal.geometry.hexmaps import HexMap
from hexmarshal.geometry.layout import Layout
from hexmarshal.geometry.locations import GROUND, Level, Location, LocationMap
from hexmarshal.geometry.squares import Metric, Square, SquareMap

SQUARES = st.builds(Square, st.integers(-20, 20), st.integers(-20, 20))


def walk(start, goal, step_cost):
    """The cheapest cost by relaxing until nothing changes, in a box around both."""
    columns = range(min(start.column, goal.column), max(start.column, goal.column) + 1)
    rows = range(min(start.row, goal.row), max(start.row, goal.row) + 1)
    cost = {start: Fraction(0)}
    changed = True
    while changed:
        changed = False
        for square, spent in list(cost.items()):
            for other in square.neighbours():
                if other.column in columns and other.row in rows:
                    price = spent + (step_cost if square.is_diagonal(other) else 1)
                    if price < cost.get(other, price + 1):
                        cost[other] = price
                        changed = True
    return cost[goal]


@given(st.builds(Square, st.integers(-5, 5), st.integers(-5, 5)), st.sampled_from(Metric))
def test_square_distances_are_what_walking_costs(goal, metric):
    start = Square(0, 0)
    assert start.exact_distance(goal, metric) == walk(start, goal, metric.value)
    assert start.distance(goal, metric) == int(walk(start, goal, metric.value))


@given(SQUARES, st.integers(0, 6))
def test_square_rings_lie_at_their_distance(square, radius):
    ring = list(square.ring(radius))
    assert len(ring) == len(set(ring)) == max(1, 8 * radius)
    assert {square.distance(other) for other in ring} == {radius}
    assert len(set(square.disk(radius))) == (2 * radius + 1) ** 2


def test_a_square_map_keeps_to_its_edges():
    board = SquareMap(3, 2, name_of=lambda s: f"{'ABC'[s.column]}{s.row + 1}")
    assert [board.name(cell) for cell in board.cells()] == ["A1", "B1", "C1", "A2", "B2", "C2"]
    assert {board.name(c) for c in board.neighbours(board.cell("A1"))} == {"B1", "A2", "B2"}
    assert board.polygon(board.cell("B2")).bounds == (48, 48, 96, 96)
    with pytest.raises(GeometryError, match="D1") as caught:
        board.cell("D1")
    assert caught.value.place.cell == "D1"
    with pytest.raises(GeometryError):
        SquareMap(0, 2)


TRIO = {
    "West": [(0, 0), (10, 0), (10, 10), (0, 10)],
    "North-East": [(10, 0), (20, 0), (20, 5), (10, 5)],
    "South-East": [(10, 5), (20, 5), (20, 10), (10, 10)],
    "Corner": [(20, 10), (30, 10), (30, 20), (20, 20)],
}


def test_areas_are_neighbours_along_a_border_not_at_a_corner():
    areas = AreaMap(TRIO, links=(("Corner", "West"),))
    assert areas.neighbours("West") == ("North-East", "South-East", "Corner")
    assert areas.neighbours("South-East") == ("West", "North-East")
    assert areas.distance("Corner", "South-East") == 2
    assert areas.borders["West", "South-East"] == (((10, 5), (10, 10)),)


def test_areas_may_be_known_by_their_neighbours_alone():
    areas = AreaMap.linked({"A": ["B"], "B": [], "C": []})
    assert areas.neighbours("B") == ("A",)
    assert areas.distance("A", "C") is None
    with pytest.raises(GeometryError, match="no outline"):
        areas.polygon("A")


@pytest.mark.parametrize(
    ("outlines", "says"),
    [
        ({"Bow": [(0, 0), (4, 4), (4, 0), (0, 4)]}, r"Self-intersection\[2 2\]"),
        ({"Line": [(0, 0), (4, 4)]}, "three corners"),
        ({"A": TRIO["West"], "B": [(5, 5), (15, 5), (15, 15), (5, 15)]}, "A and B overlap near"),
        ({"Nan": [(0, 0), (float("nan"), 4), (4, 0)]}, "nan is not a coordinate"),
    ],
)
def test_broken_areas_are_refused_with_the_place(outlines, says):
    with pytest.raises(GeometryError, match=says) as caught:
        AreaMap(outlines)
    assert caught.value.place.cell in outlines


def test_unknown_areas_come_with_a_hint():
    with pytest.raises(GeometryError) as caught:
        AreaMap(TRIO).neighbours("Wset")
    assert "West" in caught.value.hint
    with pytest.raises(GeometryError):
        AreaMap(TRIO, links=(("West", "Nowhere"),))


@given(st.integers(1, 10**6), st.integers(1, 10**6), st.integers(1, 50))
def test_borders_are_exact_however_slanted(dx, dy, parts):
    """A long slanted side, and beyond it strips that begin at any fraction of it."""
    ends = [(Fraction(dx * i, parts), Fraction(dy * i, parts)) for i in range(parts + 1)]
    outlines = {"long": [(0, 0), (dx, dy), (0, dy)]}
    for i in range(parts):
        far = [(x + 1, y - 1) for x, y in (ends[i + 1], ends[i])]
        outlines[i] = [ends[i], ends[i + 1], *far]
    borders = shared_borders(outlines)
    assert [borders["long", i] for i in range(parts)] == [
        ((ends[i], ends[i + 1]),) for i in range(parts)
    ]


def house():
    return Building(
        {
            "hall": Room(10, 10, 30, Fraction(61, 3)),
            "kitchen": Room(40, 10, 12.5, 10),
            "stable": Room(40, 20, 12.5, Fraction(31, 3)),
            "shed": Room(52.5, 20, 10, 10),
        },
        closed=(("kitchen", "stable"),),
    )


def test_rooms_are_neighbours_through_common_walls():
    building = house()
    assert building.neighbours("hall") == ("kitchen", "stable")
    assert building.neighbours("kitchen") == ("hall",)
    assert building.neighbours("stable") == ("hall", "shed")


def test_rooms_know_the_cells_beneath():
    below = house().stands_on(SquareMap(3, 2, width=30, height=30))
    assert below["hall"] == (Square(0, 0), Square(1, 0), Square(0, 1), Square(1, 1))
    # It ends where the third column begins: a border is not ground.
    assert Building({"x": Room(30, 0, 30, 30)}).stands_on(SquareMap(3, 2, 30, 30)) == {
        "x": (Square(1, 0),)
    }


@pytest.mark.parametrize("room", [Room(0, 0, 0, 5), Room(0, 0, 5, -1), Room(float("nan"), 0, 1, 1)])
def test_rooms_without_a_size_are_refused(room):
    with pytest.raises(GeometryError) as caught:
        Building({"cell": room})
    assert caught.value.place.cell == "cell"


def test_overlapping_rooms_are_refused():
    with pytest.raises(GeometryError, match="a and b overlap"):
        Building({"a": Room(0, 0, 10, 10), "b": Room(9, 9, 10, 10)})


@pytest.fixture
def town():
    base = HexMap.rectangle(3, 2)
    upper, cellar = Level("upper", 1), Level("cellar", -1, across=False)
    roof = Level("roof", 2, stairs=False)
    bridge = Level("bridge", 1, stairs=False, across=False)
    here, there, stream = (base.cell(name) for name in ("0101", "0201", "0301"))
    return LocationMap(
        base,
        {here: (upper, cellar, roof), there: (upper,), stream: (bridge,)},
        links=((Location(stream, "bridge"), Location(there)),),
    )


def test_locations_are_stacked_by_height(town):
    assert [town.name(loc) for loc in town.stack(town.base.cell("0101"))] == [
        "0101:cellar",
        "0101",
        "0101:upper",
        "0101:roof",
    ]
    assert town.height(town.cell("0101:cellar")) == -1
    assert len(list(town.cells())) == 6 + 5


@pytest.mark.parametrize(
    ("location", "around"),
    [
        ("0101:upper", {"0201:upper", "0101"}),
        ("0101:cellar", {"0101"}),
        ("0101:roof", set()),
        ("0101", {"0201", "0102", "0101:upper", "0101:cellar"}),
        ("0301:bridge", {"0201"}),
    ],
)
def test_one_goes_across_by_stairs_and_by_links(town, location, around):
    found = town.neighbours(town.cell(location))
    assert {town.name(other) for other in found} == around


def test_neighbours_of_locations_are_mutual(town):
    for one in town.cells():
        for other in town.neighbours(one):
            assert one in town.neighbours(other)


def test_locations_have_names_both_ways(town):
    for location in town.cells():
        assert town.cell(town.name(location)) == location
    assert town.cell("0101") == Location(town.base.cell("0101"), GROUND)
    with pytest.raises(GeometryError) as caught:
        town.cell("0101:uper")
    assert "0101:upper" in caught.value.hint
    with pytest.raises(GeometryError):
        town.cell("9999:upper")


def test_levels_must_differ(town):
    cell = town.base.cell("0101")
    with pytest.raises(GeometryError, match="same height"):
        LocationMap(town.base, {cell: (Level("a", 1), Level("b", 1))})
    with pytest.raises(GeometryError, match="same name"):
        LocationMap(town.base, {cell: (Level(GROUND, 1),)})
    with pytest.raises(GeometryError):
        LocationMap(town.base, {Hex(99, 99): (Level("a", 1),)})


def test_a_hex_map_names_hexes_sides_and_vertices():
    board = HexMap.rectangle(33, 10, Layout.regular(Orientation.POINTY, 20))
    cell = board.cell("1204")
    assert board.name(cell) == "1204"
    assert board.hex_at(*board.layout.centre(cell)) == cell
    assert len(list(board.cells())) == 330
    side = board.side("1204/E")
    assert board.side(board.side_name(side)) == side == board.side("1304/W")
    vertex = board.vertex("1204@N")
    assert board.vertex(board.vertex_name(vertex)) == vertex
    assert len(board.neighbours(board.cell("0101"))) == 2
    with pytest.raises(GeometryError, match="off the map"):
        board.hex_at(-500, 0)
    with pytest.raises(GeometryError):
        HexMap({Hex(0, 0): "A", Hex(1, 0): "A"})


def test_a_hex_map_from_a_grid_has_the_printed_names():
    grid = grid_from_spec({"kind": "hex", "numbering": {}, "width": 400, "height": 300})
    board = HexMap.from_grid(grid)
    for name in ("0101", "0302", "0605"):
        assert grid.location_name(grid.centre(board.cell(name))) == name
    grid = grid_from_spec({"kind": "hex", "width": 400, "height": 300})
    with pytest.raises(GeometryError, match="no numbering"):
        HexMap.from_grid(grid)
