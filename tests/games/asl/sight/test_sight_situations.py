"""Situations that the rules of sight name, each on a board painted for it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from asl_canvas import Canvas, see

from hexmarshal.games.asl.sight.conditions import Conditions, Smoke
from hexmarshal.games.asl.sight.explain import explain
from hexmarshal.games.asl.sight.rules.citations import Cause
from hexmarshal.games.asl.sight.view import Sight, Spot

# Heights and blind hexes


def test_level_ends_look_over_what_is_as_high_as_they_are():  # ASL-HILL-2
    canvas = Canvas().raise_to(1, "E1", "E5").spot("Woods", "E3")
    assert not see(canvas, "E1", "E5").blocked


def test_the_higher_end_must_be_higher_than_what_it_looks_past():  # ASL-HILL-2
    canvas = Canvas(9, 8).raise_to(1, "E1").spot("Woods", "E3")
    assert see(canvas, "E1", "E8").cause is Cause.ADVANTAGE
    assert not see(canvas.raise_to(2, "E1"), "E1", "E8").blocked


def _blind_behind(viewer: int, top: int, target: int, away: int, *, crest: bool) -> int:
    """The book's arithmetic, in whole levels: ASL-LOS-9."""
    hexes = 2 * top + away // 5 - viewer - target
    return max(0, hexes) if crest else max(1, hexes + 1)


@pytest.mark.parametrize("viewer", [2, 3, 4])
@pytest.mark.parametrize("away", [2, 5, 10])
@pytest.mark.parametrize("hill", [True, False])
def test_blind_hexes_follow_the_arithmetic(viewer, away, hill):  # ASL-LOS-9
    row = Canvas(9, 18)
    row.raise_to(viewer, "E1")
    wall = f"E{1 + away}"
    row.raise_to(1, wall) if hill else row.spot("Woods", wall, 26)
    sight = row.sight()
    expected = _blind_behind(viewer, 1, 0, away, crest=hill)
    blind = [
        behind
        for behind in range(1, 5)
        if sight.answer(Spot("E1"), Spot(f"E{1 + away + behind}")).blocked
    ]
    assert blind == list(range(1, expected + 1))


def test_a_half_level_obstacle_has_no_blind_hexes():  # ASL-LOS-7
    canvas = Canvas().raise_to(1, "E1").fill("Stone Rubble", "E3")
    assert not see(canvas, "E1", "E4").blocked


def test_ground_of_the_viewer_s_level_in_a_lower_hex_beside_it_hides_nothing():  # ASL-HILL-1
    canvas = Canvas().raise_to(1, "E1").band("Open Ground", 1, "E1", "E2", wide=12)
    canvas.band("Open Ground", 0, "E2", "E2", wide=13)
    assert canvas.board().facts.base[canvas.grid.by_name["E2"]] == 0
    assert not see(canvas, "E1", "E5").blocked
    assert see(canvas.raise_to(1, "E2"), "E1", "E5").cause is Cause.PLATEAU


def test_level_ends_see_each_other_over_a_valley():  # ASL-HILL-1
    assert not see(Canvas().raise_to(2, "E1", "E5").raise_to(1, "E2"), "E1", "E5").blocked


def test_an_elevated_road_is_a_crest_line():  # ASL-ELEV-1
    canvas = Canvas().band("Elevated Road", 1, "B3", "C3", "D3", "E3", "F3", "G3", "H3", wide=10)
    assert see(canvas, "E1", "E5").cause is Cause.GROUND
    # From one hex of the road the next but one lies behind the road between.
    assert not see(canvas, "E3", "E5").blocked


# Inherent terrain against drawn terrain


def test_drawn_woods_beside_a_line_along_a_hexside_do_not_matter():  # ASL-LOS-1b
    assert not see(Canvas().spot("Woods", "E3", 20).spot("Woods", "E4", 20), "D3", "F3").blocked


def test_inherent_rubble_beside_a_line_along_its_hexside_blocks():  # ASL-LOS-4 ASL-RUBBLE-1
    answer = see(Canvas().fill("Stone Rubble", "E3"), "D3", "F3")
    assert (answer.cause, answer.at) == (Cause.HALF_LEVEL, "E3")


@pytest.mark.parametrize("terrain", ["Crags", "Graveyard"])
def test_crags_and_graveyards_hinder_to_their_hexsides(terrain):  # ASL-CRAG-1 ASL-GRAVE-1
    assert see(Canvas().spot(terrain, "E3", 10), "E1", "E5").hindrance == 1
    assert see(Canvas().fill(terrain, "E3"), "D3", "F3").hindrance == 1


def test_an_orchard_fills_its_hex_whatever_is_drawn_of_it():  # ASL-LOS-4 ASL-ORCH-1
    # The line from C2 to G3 passes above the middle of E3.
    assert see(Canvas().spot("Orchard", "E3", 6), "C2", "G3").hindrance == 1
    assert see(Canvas().spot("Grain", "E3", 6), "C2", "G3").hindrance == 0
    road = Canvas().fill("Orchard", "E3").band("Dirt Road", 0, "E2", "E4", wide=5)
    assert see(road, "E1", "E5").hindrance == 0


def test_crags_on_a_hill_beside_the_line_are_out_of_its_way():  # ASL-LOS-4
    answer = see(Canvas().band("Crags", 1, "E3", "E3", wide=18), "D3", "F3")
    assert (answer.blocked, answer.hindrance) == (False, 0)


def test_two_hindrances_in_one_hex_count_once():  # ASL-LOS-11
    canvas = Canvas().fill("Grain", "E3").spot("Brush", "E3", 12)
    assert see(canvas, "E1", "E5").hindrance == 1
    assert [i.hindrance for i in explain(canvas.sight(), Spot("E1"), Spot("E5")).items] == [1]


def test_five_hindrances_are_seen_through():  # ASL-LOS-11
    canvas = Canvas(9, 8).fill("Brush", *(f"E{n}" for n in range(2, 7)))
    assert see(canvas, "E1", "E7").hindrance == 5


# Hexsides


def test_a_line_along_a_wall_away_from_both_ends_is_blocked():  # ASL-WALL-1
    # B3 to H3 runs along the hexsides between C3 and C4, E3 and E4, G3 and G4.
    free = Canvas().side("Wall", "C3", 3).side("Wall", "G3", 3)
    assert not see(free, "B3", "H3").blocked
    assert see(free.side("Wall", "E3", 3), "B3", "H3").cause is Cause.WALL


def test_walls_on_all_sides_of_the_far_vertex_block():  # ASL-WALL-1
    canvas = Canvas().side("Hedge", "C3", 3).side("Hedge", "C3", 2)
    assert not see(canvas, "B3", "F3").blocked
    answer = see(canvas.side("Hedge", "C4", 1), "B3", "F3")
    assert (answer.cause, answer.rule) == (Cause.WALL, "B9.2")


def test_nobody_sees_along_bocage():  # ASL-BOCAGE-2
    canvas = Canvas().side("Bocage", "C3", 3)
    assert see(canvas, "B3", "D3").cause is Cause.BOCAGE
    assert not see(Canvas().side("Wall", "C3", 3), "B3", "D3").blocked


@pytest.mark.parametrize(("target", "blocked"), [("F3", True), ("G3", False), ("F2", False)])
def test_only_a_line_along_bocage_from_its_vertex_is_stopped(target, blocked):  # ASL-BOCAGE-2
    # The bocage starts at a vertex of E5; lines beside it touch its broad drawing alone.
    assert see(Canvas(9, 8).side("Bocage", "E4", 2, thick=8), "E5", target).blocked is blocked


def test_those_behind_bocage_see_through_it():  # ASL-BOCAGE-2
    canvas = Canvas().side("Bocage", "E3", 0)
    assert not see(canvas, "E1", "E3").blocked
    assert not see(canvas, "E2", "E5").blocked


def test_from_high_enough_bocage_has_no_blind_hex():  # ASL-BOCAGE-2
    canvas = Canvas().raise_to(2, "E1").side("Bocage", "E3", 0)
    assert see(canvas, "E1", "E4").cause is Cause.BOCAGE
    assert not see(canvas.raise_to(3, "E1"), "E1", "E4").blocked


def test_at_the_edge_of_a_cliff_one_sees_its_foot():  # ASL-CLIFF-1
    canvas = Canvas().raise_to(2, "E3").side("Cliff", "E3", 3)
    assert not see(canvas, "E3", "E4").blocked


def test_along_a_cliff_one_sees_at_its_foot():  # ASL-CLIFF-1
    canvas = Canvas().raise_to(1, "E3").side("Cliff", "E3", 3, thick=2)
    assert not see(canvas, "D3", "F3").blocked


def test_embankments_and_partial_orchards_are_listed_and_not_drawn():  # ASL-WALL-1
    canvas = Canvas()
    canvas.meta = replace(canvas.meta, embankments={"E3": frozenset({0})})
    assert see(canvas, "E1", "E5").cause is Cause.WALL


# Depressions and bridges


@pytest.mark.parametrize(
    "terrain", ["Gully", "Shallow Stream", "Sunken Road"]
)  # ASL-GULLY-2 ASL-STREAM-2 ASL-SUNK-2
def test_depressions_are_seen_into_along_them_and_from_beside(terrain):
    canvas = Canvas(9, 8).band(terrain, -1, *(f"E{n}" for n in range(1, 7)), wide=14)
    assert not see(canvas, "E1", "E6").blocked
    assert not see(canvas, "E3", "F3").blocked
    assert see(canvas, "E3", "G4").rule == "A6.3"
    assert not see(canvas, "D3", "F3").blocked


def test_the_rise_must_be_as_many_levels_as_hexes():  # ASL-LOS-8
    canvas = Canvas(9, 8).band("Gully", -1, "C5", "D5", "E6", "F5", "G5")
    for level, first in ((1, 4), (2, 3), (3, 2)):
        high = canvas.raise_to(level, "E1", "E2", "E3", "E4").sight()
        seen = [n for n in (1, 2, 3, 4) if not high.answer(Spot(f"E{n}"), Spot("E6")).blocked]
        # Of a plateau only the edge sees down.
        assert seen == [4]
        single = Canvas(9, 8).band("Gully", -1, "C5", "D5", "E6", "F5", "G5")
        single.raise_to(level, f"E{first}")
        assert not see(single, f"E{first}", "E6").blocked
        assert (
            see(
                Canvas(9, 8).band("Gully", -1, "D5", "E6", "F5").raise_to(level, f"E{first - 1}"),
                f"E{first - 1}",
                "E6",
            ).cause
            is Cause.DEPRESSION
        )


def test_two_gullies_side_by_side_do_not_see_each_other():  # ASL-GULLY-2
    canvas = Canvas().band("Gully", -1, "D1", "D2", "D3").band("Gully", -1, "E1", "E2", "E3")
    assert see(canvas, "D2", "E2").cause is Cause.DEPRESSION


def test_a_gully_goes_on_below_a_bridge():  # ASL-BRIDGE-1 ASL-LOS-8
    canvas = Canvas().band("Gully", -1, *(f"E{n}" for n in range(1, 6)), wide=14)
    canvas.band("Single Hex Stone Bridge", 0, "E3", "E3", wide=10)
    answer = see(canvas, "E1", "E5")
    assert (answer.blocked, answer.hindrance) == (False, 0)


def _span() -> Canvas:
    """A gully from left to right in row 3 with a bridge over D3, beside its centre."""
    canvas = Canvas().band("Gully", -1, "B3", "C3", "D3", "E3", "F3", "G3", wide=16)
    canvas.band("Stone Bridge", 0, "D3", "D3", wide=12)
    return canvas.band("Gully", -1, "D3", "D3", wide=3)


def test_a_bridge_hinders_lines_on_its_level():  # ASL-BRIDGE-1
    assert see(_span(), "D1", "D5").hindrance == 1


def test_a_bridge_hinders_between_those_above_and_those_below():  # ASL-BRIDGE-1
    canvas = _span().raise_to(2, "C2", "B2")
    board = canvas.board()
    assert [level.kind for level in board.levels[board.hex("D3")]] == ["ground", "bridge"]
    above = canvas.raise_to(3, "D1")
    assert see(above, "D1", "D5").hindrance == 0


def test_on_a_bridge_one_is_on_its_level():  # ASL-BRIDGE-1
    canvas = _span()
    assert not see(canvas, "D3", "D1", 1).blocked
    assert see(canvas, "D3", "D1").cause is Cause.DEPRESSION


# Buildings


def _house(storeys: str = "Stone Building, 2 Level") -> Canvas:
    return Canvas().band(storeys, 0, "E3", "E4", wide=22)


def test_from_a_roof_one_looks_over_a_house_as_high():  # ASL-ROOF-1
    canvas = Canvas()
    for row in (1, 3, 5):
        canvas.band("Stone Building, 2 Level", 0, f"E{row}", f"D{row}", wide=12)
    assert see(canvas, "E1", "E5", 2, 2).blocked
    assert not see(canvas, "E1", "E5", 3, 3).blocked


def test_a_rooftop_sees_the_storey_below_it_alone():  # ASL-ROOF-1
    assert not see(_house(), "E3", "E3", 3, 2).blocked
    assert see(_house(), "E3", "E3", 3, 0).cause is Cause.STAIRS


def test_a_line_that_leaves_the_building_first_sees_other_levels():  # ASL-BLDG-4
    canvas = Canvas().band("Stone Building, 2 Level", 0, "E3", "E4", wide=8)
    assert not see(canvas, "E3", "E1", 2).blocked
    assert see(canvas, "E3", "E4", 2).cause is Cause.BUILDING
    # From D3 over the open corner of its hex.
    assert not see(canvas, "E4", "D3", 2).blocked


def test_a_cellar_looks_out_at_ground_level():  # ASL-BLDG-4
    assert not see(_house(), "E3", "E1", -1).blocked


def test_inside_a_factory_each_hex_hinders():  # ASL-FACT-1
    canvas = Canvas().fill("Stone Factory, 1.5 Level", "E2", "E3", "E4")
    answer = see(canvas, "E2", "E4")
    assert (answer.blocked, answer.hindrance) == (False, 1)
    assert see(canvas, "E1", "E5").blocked


def test_the_roof_of_a_factory_hides_those_below_it():  # ASL-FACT-1 ASL-BLDG-4
    canvas = Canvas().fill("Stone Factory, 1.5 Level", "E2", "E3", "E4").stairway("E2")
    assert see(canvas, "E2", "E3", 2).cause is Cause.BUILDING
    assert see(canvas, "E2", "E4", 2).blocked
    assert not see(canvas, "E2", "E4", 2, 2).blocked
    # From the floor of a factory one sees out at one's own level alone.
    assert not see(canvas, "E4", "E6").blocked
    assert see(canvas.raise_to(1, "E6"), "E3", "E6").cause is Cause.BUILDING
    assert not see(canvas, "E4", "E6").blocked


def test_a_rooftop_sees_over_the_wall_between_rowhouses():  # ASL-ROW-1
    canvas = _house("Stone Building, 1 Level").side("Rowhouse Wall, 1 Level", "E3", 3)
    assert see(canvas, "E3", "E4", 1, 1).cause is Cause.PARTY_WALL
    assert not see(canvas, "E3", "E4", 2, 2).blocked


# Vertices


def test_the_walls_of_its_hex_never_hide_a_unit_in_bypass():  # ASL-BYP-6
    canvas = Canvas()
    for side in range(6):
        canvas.side("Wall", "E3", side)
    sight = canvas.sight()
    for vertex in range(6):
        assert not sight.answer(Spot("E1"), Spot("E3", vertex=vertex)).blocked


def test_the_obstacle_that_it_passes_may_hide_a_unit_in_bypass():  # ASL-BYP-6 ASL-LOS-5
    sight = Canvas().spot("Woods", "E3", 22).sight()
    near, far = (sight.answer(Spot("E1"), Spot("E3", vertex=v)) for v in (0, 4))
    assert not near.blocked
    assert (far.cause, far.at) == (Cause.HIGHER, "E3")
    assert not sight.answer(Spot("E3", vertex=0), Spot("E3", vertex=1)).blocked


def test_in_bypass_on_a_crest_line_one_is_on_its_higher_side():  # ASL-BYP-6
    # The hill of E2 reaches into the top of E3, whose middle is at level 0.
    canvas = Canvas().raise_to(1, "E2").band("Open Ground", 1, "E2", "E3", wide=30)
    canvas.band("Open Ground", 0, "E3", "E4", wide=20).fill("Stone Rubble", "F4")
    assert canvas.board().facts.base[canvas.grid.by_name["E3"]] == 0
    sight = canvas.sight()
    assert sight.answer(Spot("E3"), Spot("G5")).cause is Cause.HALF_LEVEL
    assert not sight.answer(Spot("E3", vertex=1), Spot("G5")).blocked
    plain = Canvas().fill("Stone Rubble", "F4").sight()
    assert plain.answer(Spot("E3", vertex=1), Spot("G5")).blocked


# What a scenario adds


def _smoky(line: tuple[Spot, Spot], smoke: dict[str, Smoke], canvas: Canvas | None = None) -> int:
    sight = Sight((canvas or Canvas()).board(), Conditions(smoke=smoke))
    return sight.answer(*line).hindrance


def test_smoke_hinders_into_out_of_and_through_its_hex():  # ASL-SMOKE-1
    line = (Spot("E1"), Spot("E5"))
    assert [_smoky(line, {at: Smoke(2)}) for at in ("E1", "E3", "E5", "D3")] == [2, 2, 2, 0]


def test_smoke_fills_two_levels_and_phosphorus_four():  # ASL-SMOKE-1
    canvas = Canvas().raise_to(2, "E1", "E5")
    line = (Spot("E1"), Spot("E5"))
    assert _smoky(line, {"E3": Smoke(3)}, canvas) == 0
    assert _smoky(line, {"E3": Smoke(2, rises=4)}, canvas) == 2


def test_a_vehicle_hinders_level_lines_between_the_ends_alone():  # ASL-COV-02
    def hindrance(at: str, canvas: Canvas | None = None) -> int:
        sight = Sight((canvas or Canvas()).board(), Conditions(vehicles=frozenset({at})))
        return sight.answer(Spot("E1"), Spot("E5")).hindrance

    assert [hindrance(at) for at in ("E1", "E3", "E5")] == [0, 1, 0]
    assert hindrance("E3", Canvas().raise_to(1, "E1")) == 0


def test_low_visibility_and_night_hold_on_every_line():  # ASL-LV-1 ASL-NVR-1 ASL-LOS-10
    sight = Sight(Canvas().board(), Conditions(weather=2, night_range=4))
    assert sight.answer(Spot("E1"), Spot("E2")).hindrance == 2
    assert sight.answer(Spot("E1"), Spot("E6")).cause is Cause.NIGHT
    assert sight.answer(Spot("E6"), Spot("E1")).cause is Cause.NIGHT
