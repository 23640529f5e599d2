"""What a scenario adds to a board: where it fills hexes, who sees it, how far it reaches."""

from __future__ import annotations

import pytest
from asl_canvas import Canvas

from hexmarshal.games.asl.sight.citations import Cause
from hexmarshal.games.asl.sight.conditions import Conditions, Smoke
from hexmarshal.games.asl.sight.explain import explain
from hexmarshal.games.asl.sight.view import Answer, Spot


def under(conditions: Conditions, a: Spot, b: Spot, canvas: Canvas | None = None) -> Answer:
    """The answer for a line that is the same from the other end and in the whole story."""
    sight = (canvas or Canvas()).sight().under(conditions)
    answer = sight.answer(a, b)
    assert sight.answer(b, a) == answer
    story = explain(sight, a, b)
    assert story.answer == answer
    if not answer.blocked:
        assert sum(item.hindrance for item in story.items) == answer.hindrance
    return answer


# D3 to F3 runs along the hexside between E3 and E4; D2 to E4 along the one of D3 and E3.
ALONG = [("D3", "F3", "E3"), ("D3", "F3", "E4"), ("D2", "E4", "D3"), ("D2", "E4", "E3")]


@pytest.mark.parametrize(("a", "b", "beside"), ALONG)
def test_smoke_and_vehicles_fill_their_hexes_to_the_hexsides(a, b, beside):  # ASL-LOS-4
    line = Spot(a), Spot(b)
    assert under(Conditions(smoke={beside: Smoke(2)}), *line).hindrance == 2
    assert under(Conditions(vehicles=frozenset({beside})), *line).hindrance == 1


def test_of_smoke_on_either_hand_of_a_line_the_thicker_counts():  # ASL-LOS-4 ASL-SMOKE-1
    both = Conditions(smoke={"E3": Smoke(1), "E4": Smoke(3)})
    answer = under(both, Spot("B3"), Spot("H3"))
    assert (answer.hindrance, answer.cause) == (3, Cause.SMOKE)
