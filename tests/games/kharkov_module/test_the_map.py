"""The reconstructed map: what the rulebook names is there, and the rest hangs together."""

from __future__ import annotations

from itertools import pairwise

import pytest

from hexmarshal.games.kharkov.art.field import Field
from hexmarshal.games.kharkov.state.board import Board
from hexmarshal.kit.ground.operational import chains


@pytest.fixture(scope="module")
def board(source):
    return Board.load(source, "kharkov")


@pytest.fixture(scope="module")
def field(source):
    return Field.load(source)


def sides(field, kind):
    return [side for side, kinds in field.terrain.side_terrain.items() if kind in kinds]


def strung(field, stretches):
    return chains([field.point(vertex) for vertex in side.vertices] for side in stretches)


def links(field, kind):
    found = {}
    for path in field.terrain.paths:
        if path.terrain == kind:
            for one, other in pairwise(field.terrain.names[c] for c in path.cells):
                found.setdefault(one, set()).add(other)
                found.setdefault(other, set()).add(one)
    return found


def test_rows_are_straight_and_columns_count_from_the_east(field):
    assert len(field.hexes) == 39 * 34
    x, y = field.centre(field.hexes["1410"])
    assert field.centre(field.hexes["1409"]) == (x + 74, y)
    assert field.centre(field.hexes["1610"]) == (x, y + 128)


@pytest.mark.parametrize(
    "cell", ["0116", "0409", "0618", "0819", "1808", "2118", "2214", "2501", "2602", "2822",
             "3016", "3706", "3932"],
)  # fmt: skip
def test_every_hex_that_the_rulebook_names_is_on_the_map(board, cell):
    assert cell in board.hexes


def test_the_named_hexes_are_what_the_rulebook_says(board):
    assert board.terrain["0819"] == "city"
    assert board.garrison("0819") == 1
    assert board.terrain["0618"] in ("forest", "city")
    assert board.bit["3932"] & board.region("road")
    soviet = ("0409", "1808", "2118", "2214", "2501", "2602", "3016")
    assert board.mask(soviet) & ~board.soviet == 0
    assert not board.mask(["0116", "0819", "2822", "3706", "3932"]) & board.soviet
    assert {name: city.points for name, city in board.cities.items()} == {
        "Kharkov": 25, "Poltava": 10, "Dnepropetrovsk": 10,
    }  # fmt: skip


def test_the_front_runs_from_the_north_edge_to_the_east_edge_in_one_line(field, board):
    (line,) = strung(field, field.front)
    assert line[0] != line[-1]
    for side in ("axis", "soviet"):
        first, last = board.front(side)[0], board.front(side)[-1]
        assert board.row(first) == 1
        assert board.column(last) == 1


def test_stretches_of_the_front_follow_one_another(board):
    for side in ("axis", "soviet"):
        for one, other in pairwise(board.front(side)):
            assert board.distance(one, other) <= 2, (one, other)


@pytest.mark.parametrize("river", ["donets", "dnieper"])
def test_a_great_river_is_one_line_across_the_map(field, river):
    (line,) = strung(field, sides(field, river))
    wide, high = field.size
    for x, y in (line[0], line[-1]):
        assert min(x, y, wide - x, high - y) < 80


def components(places, onward):
    """The groups of places that hang together."""
    groups, seen = [], set()
    for place in places:
        if place in seen:
            continue
        group = {place: None}
        for here in (queue := [place]):
            for to, _ in onward(here):
                if to not in group:
                    group[to] = None
                    queue.append(to)
        seen |= group.keys()
        groups.append(tuple(group))
    return groups


def test_a_small_river_ends_in_another_or_at_the_edge_and_begins_once(field):
    great = {v for kind in ("donets", "dnieper") for s in sides(field, kind) for v in s.vertices}
    small = set(sides(field, "river"))
    corners = {v for side in small for v in side.vertices}

    def onward(vertex):
        for side in vertex.sides:
            if side in small:
                yield from ((other, side) for other in side.vertices if other != vertex)

    wide, high = field.size
    systems = components(corners, onward)
    assert len(systems) > 5
    for system in systems:
        ends = [v for v in system if len(list(onward(v))) == 1]
        mouths = [v for v in system if v in great]
        edges = [v for v in ends if min(*field.point(v), wide - field.point(v)[0],
                                        high - field.point(v)[1]) < 80]  # fmt: skip
        assert mouths or edges, field.terrain.describe(system[0])


@pytest.mark.parametrize("kind", ["road", "rail"])
def test_all_ways_of_a_kind_hang_together(field, kind):
    net = links(field, kind)
    assert len(components(net, lambda cell: [(to, None) for to in net[cell]])) == 1


def test_roads_lead_from_kharkov_to_the_west_edge_and_to_3932(board, field):
    net = links(field, "road")
    assert "3932" in net
    assert board.mask(net) & board.region("west_edge")
    assert board.isolation


def test_the_dnieper_has_a_bridge_by_road(board):
    bridges = {pair for pair, side in board.sides.items() if side.river == "dnieper" and side.road}
    assert bridges
    assert {c for pair in bridges for c in pair} & {"3631"}


def test_every_town_with_a_name_is_drawn_as_one(board, field):
    towns = {c for c, kinds in field.terrain.cell_terrain.items() if "town" in kinds}
    assert set(field.map["towns"]) == {field.terrain.names[c] for c in towns}
