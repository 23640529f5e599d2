"""The colours of the game."""

from __future__ import annotations

from typing import Final

__all__ = ["BORDERS", "GROUNDS", "SIDES", "TILES", "WRECK"]

SIDES: Final = {"russian": "#b98a5a", "german": "#8b9aa0"}
"""The card of each army."""
BORDERS: Final = {"red": "#b3261e", "yellow": "#e8b820"}
"""The borders of weapons and of heroes; every other counter has the border of its army."""
WRECK: Final = "#5a534b"
GROUNDS: Final = {
    "grove": "#7f9a5c",
    "crater": "#a08a66",
    "water": "#7fa3c0",
    "marsh": "#9fb08a",
    "hedge": "#7d8f57",
    "thicket": "#61774a",
    "block": "#8a8a86",
    "position": "#b59a6c",
    "emplacement": "#a89468",
    "wire": "#b8b09c",
    "house": "#b4684f",
    "hall": "#9a8f86",
    "rubble": "#a89c8c",
}
"""The ground of each kind of terrain, on tiles and charts."""
TILES: Final = "#d9d2b4"
"""The yard around what a tile shows."""
