"""Boards of our own with their sight, for tests that read as situations on a table."""

from __future__ import annotations

from hexmarshal.games.asl.sight.view import Answer, Sight, Spot
from hexmarshal.vassal.vasl.painting import Painting


class Canvas(Painting):
    """A board of open ground to paint on; 9 columns of 6 rows unless told otherwise."""

    def sight(self) -> Sight:
        return Sight(self.board())


def see(canvas: Canvas, a: str, b: str, a_level: int = 0, b_level: int = 0) -> Answer:
    """The answer for one line, after making sure that it is the same from the other end."""
    sight = canvas.sight()
    answer = sight.answer(Spot(a, a_level), Spot(b, b_level))
    assert sight.answer(Spot(b, b_level), Spot(a, a_level)) == answer
    return answer
