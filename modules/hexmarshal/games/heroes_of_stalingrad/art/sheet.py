"""The sheet beside the board: scores, decks, to be placed and destroyed."""

from __future__ import annotations

from typing import Final

from hexmarshal.games.heroes_of_stalingrad.art import colours
from hexmarshal.games.heroes_of_stalingrad.state.kinds import SIDES
from hexmarshal.kit.drawing.boxes import Box, Row, Track, laid_out
from hexmarshal.kit.drawing.colours import tone

__all__ = ["SHEET", "TURNS"]

TURNS: Final = 12
"""The last turn of the track."""
_PALE: Final = {side: tone(colours.SIDES[side]).lit for side in SIDES}
_PILE: Final = 166


def _boxes(title: str) -> tuple[Box, ...]:
    return tuple(_box(f"{side.capitalize()} {title}", side) for side in SIDES)


def _box(name: str, side: str) -> Box:
    return Box(name, title=name, ground=_PALE[side])


def _pile(name: str, side: str) -> Box:
    return Box(name, wide=_PILE, title=name, ground=_PALE[side], dashed=True)


def _cards(side: str) -> tuple[Box, ...]:
    seat = side.capitalize()
    return (
        _pile(f"{seat} deck", side),
        _pile(f"{seat} discards", side),
        _box(f"{seat} army", side),
    )


SHEET: Final = laid_out(
    "Scores, cards and counters",
    1040,
    (
        Track("Turn", 1, TURNS, row=TURNS),
        Track("Initiative", 1, 2, row=20, label="Initiative: 1 Russian, 2 German"),
        *(
            Track(f"{side.capitalize()} points", 0, 19, row=20, ground=_PALE[side])
            for side in SIDES
        ),
        *(
            Track(f"{side.capitalize()} special orders", 0, 9, row=20, ground=_PALE[side])
            for side in SIDES
        ),
        Row(240, _boxes("to be placed")),
        Row(170, (*_boxes("destroyed"), *_boxes("not in battle"))),
        Row(110, (*_boxes("artillery"), *_boxes("spent orders"))),
        *(Row(240, _cards(side)) for side in SIDES),
    ),
)
