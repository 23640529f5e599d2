"""VASL boards: pixels of terrain and elevation, hexes, buildings, and maps made of boards."""

from hexmarshal.vassal.vasl.board import Board, Level, read_board
from hexmarshal.vassal.vasl.catalogue import Catalogue, Terrain, catalogue_from, known_terrain

__all__ = [
    "Board",
    "Catalogue",
    "Level",
    "Terrain",
    "catalogue_from",
    "known_terrain",
    "read_board",
]
