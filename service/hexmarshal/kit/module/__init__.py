"""Builds a game's VASSAL module from declarations, and the binding that goes with it."""

from hexmarshal.kit.module.boards import Board, board_of
from hexmarshal.kit.module.build import build
from hexmarshal.kit.module.pieces.announcement_menus import Speech
from hexmarshal.kit.module.pieces.declared import Count, MarkerPiece, Sides, State, Text, UnitPiece
from hexmarshal.kit.module.pieces.piles import Card, Hand, Pile, Spread
from hexmarshal.kit.module.pieces.tiles import TilePiece
from hexmarshal.kit.module.plan import Plan
from hexmarshal.kit.module.sheets import Lies, Shown, TableSheet

__all__ = [
    "Board",
    "Card",
    "Count",
    "Hand",
    "Lies",
    "MarkerPiece",
    "Pile",
    "Plan",
    "Shown",
    "Sides",
    "Speech",
    "Spread",
    "State",
    "TableSheet",
    "Text",
    "TilePiece",
    "UnitPiece",
    "board_of",
    "build",
]
