"""What was decided when a board was made ready is what is decided when asked."""

from __future__ import annotations

import numpy as np
import pytest
from asl_canvas import Canvas

from hexmarshal.errors import NotFoundError
from hexmarshal.games.asl.sight import answer_table
from hexmarshal.games.asl.sight.conditions import Conditions
from hexmarshal.games.asl.sight.view import Sight, Spot


def town() -> Canvas:
    canvas = Canvas().fill("Stone Building, 2 Level", "D3", "E3").spot("Woods", "F4")
    canvas.fill("Grain", "C2", "C3", "G3").raise_to(2, "H2", "H3").side("Wall", "E4", 1)
    return canvas.band("Gully", -1, "B2", "B3", "C4").stairway("D3")


def test_the_table_says_what_the_rules_say():
    board = town().board()
    asked, ready = Sight(board), Sight(board)
    ready.decide_all()
    spots = np.array([(i, v.above) for i, levels in enumerate(board.levels) for v in levels])
    chosen = np.random.default_rng(4).integers(0, len(spots), (3000, 2))
    (a, b), (c, d) = spots[chosen[:, 0]].T, spots[chosen[:, 1]].T
    anew, known = asked.answers(a, b, c, d), ready.answers(a, b, c, d)
    for field in ("range", "blocked", "hindrance", "cause", "at"):
        assert getattr(anew, field).tolist() == getattr(known, field).tolist()
    for line in zip(*(part[:300].tolist() for part in (a, b, c, d)), strict=True):
        assert ready.between(*line) == asked.between(*line)


def test_conditions_are_not_in_the_table():
    board = town().board()
    ready = Sight(board)
    ready.decide_all()
    foggy = ready.under(Conditions(weather=2))
    assert ready.answer(Spot("A1"), Spot("A3")).hindrance == 0
    assert foggy.answer(Spot("A1"), Spot("A3")).hindrance == 2
    a, b = board.hex("A1"), board.hex("A3")
    assert foggy.between(a, 0, b, 0).hindrance == 2
    assert foggy.answers(*(np.array([n]) for n in (a, 0, b, 0))).hindrance.tolist() == [2]


@pytest.mark.parametrize("level", [10**30, -(10**30)])
@pytest.mark.parametrize("vertex", [None, 1])
def test_a_level_that_no_array_holds_is_refused_like_any_other(level, vertex):
    asked, ready = Sight(town().board()), Sight(town().board())
    ready.decide_all()
    for sight in (asked, ready):
        with pytest.raises(NotFoundError, match=f"B2 .*no level {level}"):
            sight.answer(Spot("D3"), Spot("B2", level, vertex))
        with pytest.raises(NotFoundError, match=f"B2 .*no level {level}"):
            sight.field(Spot("B2", level, vertex))


@pytest.mark.parametrize("level", [-9, 1, 3, 99])
def test_a_level_that_is_not_there_is_refused_as_without_a_table(level):
    ready = Sight(town().board())
    ready.decide_all()
    with pytest.raises(NotFoundError, match=f"A1 .*no level {level}"):
        ready.answer(Spot("A1", level), Spot("D3"))
    with pytest.raises(NotFoundError, match=f"no level {level}"):
        ready.answers(*(np.array([n]) for n in (0, level, 5, 0)))


@pytest.mark.parametrize("limit", ["MOST_HEXES", "MOST_LOCATIONS"])
def test_large_maps_have_no_table(monkeypatch, limit):
    monkeypatch.setattr(answer_table, limit, 20)
    ready = Sight(town().board())
    ready.decide_all()
    assert ready.table is None
    assert ready.answer(Spot("A1"), Spot("A3")).range == 2
