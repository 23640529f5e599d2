"""Draws the game: boards, counters, cards, markers and charts, each from the game's own data."""

from hexmarshal.games.conflict_of_heroes.art.board import board_svg
from hexmarshal.games.conflict_of_heroes.art.raster import raster

__all__ = ["board_svg", "raster"]
