"""Draws the game: boards, counters, cards, markers and charts, each from the game's own data."""

from hexmarshal.games.conflict_of_heroes.art.board import board_svg
from hexmarshal.games.conflict_of_heroes.art.counters import counter_svg
from hexmarshal.games.conflict_of_heroes.art.pages import Shot, Shown, counter_sheet_svg, field_svg

__all__ = [
    "Shot",
    "Shown",
    "board_svg",
    "counter_sheet_svg",
    "counter_svg",
    "field_svg",
]
