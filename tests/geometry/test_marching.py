"""Movement by the map's own costs: terrain, sides, roads, climbs, bars, the road bonus."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hexmarshal.errors import GeometryError
from hexmarshal.geometry.lattice.hexes import Hex, Hexside
from hexmarshal.geometry.lattice.squares import Square
from hexmarshal.geometry.movement.costs import Barred, Standing
from hexmarshal.geometry.movement.terrain_costs import TerrainCosts, exits_of, movement
from hexmarshal.geometry.terrain.outlines import Polygon
from hexmarshal.geometry.terrain.terrain_map import Path, TerrainMap, TerrainType

A, B, C, D, E = row = [Hex(0, -i) for i in range(5)]
TYPES = {
    "woods": TerrainType("woods", cost=(("foot", Fraction(2)), ("truck", Fraction(4)))),
    "mud": TerrainType("mud", cost=(("foot", Fraction(3)),)),
    "river": TerrainType("river", cost=(("foot", Fraction(1)),)),
    "road": TerrainType("road", cost=(("foot", Fraction(1, 2)),)),
    "lake": TerrainType("lake"),
}


def strip(**layers) -> TerrainMap:
    """Five hexes in a row, from A to E."""
    return TerrainMap(dict(zip(row, "ABCDE", strict=True)), TYPES, **layers)


def cost_to(end: Hex, terrain: TerrainMap, **rule):
    return movement(terrain, TerrainCosts(terrain, **rule)).reach(A).cost(end)


def test_open_ground_costs_the_base():
    assert cost_to(E, strip()) == 4
    assert cost_to(E, strip(), base=2) == 8


def test_a_cell_costs_what_its_dearest_terrain_costs():
    assert cost_to(B, strip(cell_terrain={B: ("woods", "mud")})) == 3


def test_each_mode_has_its_own_costs():
    woods = strip(cell_terrain={B: ("woods",)})
    assert [cost_to(B, woods, mode=mode) for mode in ("foot", "truck", "boat")] == [2, 4, 1]


def test_a_side_is_added():
    assert cost_to(B, strip(side_terrain={Hexside.between(A, B): ("river",)})) == 2


def test_a_road_replaces_the_ground_it_leads_over():
    road = Path("the road", "road", (A, B, C))
    terrain = strip(
        cell_terrain={B: ("mud",), C: ("lake",)},
        side_terrain={Hexside.between(A, B): ("river",)},
        paths=(road,),
    )
    assert cost_to(C, terrain, barred=frozenset(["lake"])) == 1
    assert cost_to(B, terrain, mode="boat") == 1  # a road that names no cost for a mode is no road


def test_climbing_costs_by_the_level_and_going_down_is_free():
    hill = strip(levels={B: Fraction(2)})
    assert cost_to(B, hill, climb=1) == 3
    assert cost_to(C, hill, climb=1) == 4


def test_barred_terrain_is_out_of_reach_and_says_why():
    terrain = strip(cell_terrain={C: ("lake",)}, side_terrain={Hexside.between(A, B): ("river",)})
    lake = movement(terrain, TerrainCosts(terrain, barred=frozenset(["lake"]))).reach(A)
    assert list(lake) == [A, B]
    assert [edge.why for edge in lake.frontier()] == ["lake cannot be entered"]
    river = movement(terrain, TerrainCosts(terrain, barred=frozenset(["river"]))).reach(A)
    assert [edge.why for edge in river.frontier()] == ["river cannot be crossed"]


def test_the_road_bonus_is_for_a_way_by_road_alone():
    terrain = strip(paths=(Path("the road", "road", (A, B, C, D)),))
    rule = TerrainCosts(terrain, road_bonus=Fraction(1, 2))
    assert list(movement(terrain, rule).reach(A, allowance=1)) == [A, B, C, D]
    assert E not in movement(terrain, rule).reach(A, allowance=Fraction(3, 2))


def test_a_start_off_the_map_is_an_error_with_the_cell():
    with pytest.raises(GeometryError) as refused:
        movement(strip()).reach(Hex(9, 9))
    assert "(9,9)" in str(refused.value)


def test_cells_of_any_shape_have_exits():
    squares = {(x, 0): Polygon.of([(x, 0), (x + 1, 0), (x + 1, 1), (x, 1)]) for x in range(3)}
    terrain = TerrainMap({c: str(c[0]) for c in squares}, TYPES, outlines=squares)
    assert exits_of(terrain)((0, 0)) == [((1, 0), frozenset({(0, 0), (1, 0)}))]
    assert movement(terrain).reach((0, 0)).cost((2, 0)) == 2


def test_around_a_corner_the_cheaper_way_counts_and_a_closed_corner_is_closed():
    squares = {Square(c, r): f"{c}{r}" for c in range(3) for r in range(3)}
    wall = TerrainType("wall", cost=(("foot", Fraction(2)),))
    a, b, c, d = Square(0, 0), Square(1, 0), Square(0, 1), Square(1, 1)

    def cost(*sides, barred=frozenset()):
        layer = {frozenset(side): ("wall",) for side in sides}
        terrain = TerrainMap(squares, {"wall": wall}, side_terrain=layer)
        rule = TerrainCosts(terrain, barred=barred)
        return movement(terrain, rule).rule.step(Standing(a, None), d, terrain.side(a, d))

    assert cost((a, b)).cost == 1
    assert cost((a, b), (c, d)).cost == 3
    assert cost((a, b), (c, d), barred=frozenset({"wall"})) == Barred("wall cannot be crossed")
    assert cost((a, b), (b, d), barred=frozenset({"wall"})).cost == 1
