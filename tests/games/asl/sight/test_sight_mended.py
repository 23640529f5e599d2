"""Lines that were once judged wrongly, on boards of ours and where they were found."""

from __future__ import annotations

import numpy as np
import pytest
from asl_canvas import Canvas, see
from lxml import etree

from hexmarshal.games.asl.art.sight_picture import draw_field, draw_line
from hexmarshal.games.asl.sight.conditions import Conditions, Smoke
from hexmarshal.games.asl.sight.explain import explain
from hexmarshal.games.asl.sight.rules.citations import Cause
from hexmarshal.games.asl.sight.view import Sight, Spot
from hexmarshal.vassal.vasl.board import read_board

STOREY = "Stone Building, 1 Level"
WALL = "Rowhouse Wall, 1 Level"


def real(corpus, name):
    path = corpus / "vasl-boards" / name
    if not path.is_file():
        pytest.skip(f"the corpus has no board {name}")
    return Sight(read_board(path))


def words(svg):
    return " | ".join(str(label) for label in etree.fromstring(svg.encode()).xpath("//@aria-label"))


def both_ways(sight, a, b):
    answer = sight.answer(a, b)
    assert sight.answer(b, a) == answer
    return answer


def within(canvas, name, terrain, other):
    """Paint what lies beyond some pixels left of a hex's centre, in that hex alone."""
    x, _ = canvas._at(name)
    half = (canvas.owner == canvas._hex(name)) & (np.arange(canvas.terrain.shape[1]) < x - other)
    canvas.terrain[half] = canvas._code(terrain)
    return canvas


def test_a_party_wall_hides_the_hex_behind_it_from_a_roof_as_high():  # ASL-ROW-1
    canvas = Canvas().spot(STOREY, "E3", 20).spot(STOREY, "E4", 20).band(STOREY, 0, "E3", "E4")
    assert not see(canvas, "E3", "F1", 2).blocked
    # The wall runs along the line from vertex to vertex; no house stands on the line.
    answer = see(canvas.side(WALL, "E2", 2), "E3", "F1", 2)
    assert answer.cause is Cause.PARTY_WALL


def test_the_first_hex_behind_a_party_wall_is_blind_and_farther_ones_are_not():  # ASL-ROW-1
    canvas = Canvas().raise_to(4, "E1").side(WALL, "E3", 0)
    assert see(canvas, "E1", "E3").cause is Cause.PARTY_WALL
    assert not see(canvas, "E1", "E4").blocked


def test_paint_past_the_far_end_of_a_spine_does_not_stop_but_a_hedge_there_does():  # ASL-WALL-1
    # The hedge between E8 and F8 starts at a vertex of E9; its paint strays into F7.
    plain, stray = (Canvas(9, 12).side("Hedge", "E8", 2) for _ in range(2))
    x, y = stray._at("F7")
    rows, columns = np.indices(stray.terrain.shape)
    dx, dy = (part / stray.grid.scale for part in stray.grid.spokes[4])
    blot = np.hypot(columns + 0.5 - x - dx, rows + 0.5 - y - dy) < 9
    stray.terrain[blot & (stray.owner == stray._hex("F7"))] = stray._code("Hedge")
    before, after = plain.sight(), stray.sight()
    assert before.board.facts.side.tolist() == after.board.facts.side.tolist()
    for name in before.board.grid.names:
        answer = before.answer(Spot("E9"), Spot(name))
        assert both_ways(after, Spot("E9"), Spot(name)).blocked == answer.blocked, name
    crossed = Canvas(9, 12).side("Hedge", "E8", 2).side("Hedge", "F7", 4).side("Hedge", "F7", 3)
    assert see(crossed, "E9", "G6").cause is Cause.WALL


def test_all_of_a_building_in_the_hex_of_a_market_place_is_open_below():  # ASL-SPLIT-1
    def market():
        return Canvas().spot("Stone Market Place", "E3")

    assert not see(within(market(), "E3", STOREY, 15), "C4", "F2").blocked
    taller = within(market(), "E3", "Stone Building, 2 Level", 15)
    assert see(taller, "C4", "F2").cause is Cause.HIGHER


@pytest.mark.parametrize(
    ("board", "a", "b", "cause"),
    [
        ("bd46", Spot("X7", 2), Spot("W6"), Cause.PARTY_WALL),
        ("bd04", Spot("Y2"), Spot("U9"), Cause.HINDERED),
        ("bd04", Spot("O3"), Spot("S3"), Cause.WALL),
        ("bd12", Spot("Q8"), Spot("S7"), Cause.CLEAR),
        ("bd08", Spot("Q4"), Spot("E3", 3), Cause.ADVANTAGE),
    ],
)
def test_real_boards_where_it_was_found(corpus, board, a, b, cause):
    sight = real(corpus, board)
    assert both_ways(sight, a, b).cause is cause


def test_a_roof_is_shown_as_high_as_it_is_judged():  # ASL-ROOF-1
    canvas = Canvas().fill("Stone Building, 2 Level", "D3", "D4")
    sight = canvas.sight()
    roof, ground = Spot("D3", 3), Spot("H3")
    story = explain(sight, roof, ground)
    assert story.eyes == (2.5, 0)
    assert sight.elevation(roof) == 2.5
    assert "D3, elevation 2.5" in words(draw_line(sight.board, story, (roof, ground)))


def test_a_field_of_view_tells_of_storeys_whose_ground_is_hidden():
    canvas = (
        Canvas().fill("Stone Building, 2 Level", "F3", "F4").fill("Woods", "D3").raise_to(2, "A3")
    )
    sight = canvas.sight()
    seen = sight.other_levels(Spot("A3"))
    for index, levels in seen.items():
        name = sight.board.grid.names[index]
        for level, hindrance in levels.items():
            answer = sight.answer(Spot("A3"), Spot(name, level))
            assert (answer.blocked, answer.hindrance) == (False, hindrance)
    hidden = [
        (index, at.above)
        for index, known in enumerate(sight.board.levels)
        for at in known
        if at.above and at.above not in seen.get(index, {})
    ]
    for index, level in hidden:
        assert sight.answer(Spot("A3"), Spot(sight.board.grid.names[index], level)).blocked
    assert seen
    field = sight.field(Spot("A3"))
    assert "other levels" in words(
        draw_field(sight.board, Spot("A3"), field, "from A3", upper=seen)
    )


def test_what_was_given_is_drawn_on_a_blocked_line_too():
    canvas = Canvas().fill("Woods", "D3")
    given = Conditions(smoke={"F3": Smoke(2)}, vehicles=frozenset({"G3"}))
    sight = Sight(canvas.board()).under(given)
    spots = (Spot("A3"), Spot("H4"))
    story = explain(sight, *spots)
    assert story.answer.blocked
    shown = words(draw_line(sight.board, story, spots, conditions=given))
    assert "SMOKE +2" in shown
    assert "vehicle" in shown
    assert "+2 F3 SMOKE" in shown
