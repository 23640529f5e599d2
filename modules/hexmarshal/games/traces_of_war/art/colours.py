"""The palette, by what it paints."""

from typing import Final

INK: Final = "#221f1b"
PAPER: Final = "#f7f1de"
HALO: Final = "#f4ecd4"
BANK: Final = "#2f6b9c"
SOVIET_RED: Final = "#b3261e"
AXIS_BLUE: Final = "#2f4f7f"
CROSSING: Final = "#c8102e"
BREAKTHROUGH: Final = "#7b3f98"
ORDER: Final = "#c9a227"
NATIONS: Final = {
    "german": "#98a594",
    "romanian": "#d3bf67",
    "hungarian": "#c7a58b",
    "soviet": "#c9875a",
    "guards": "#a8312c",
}
"""The card of each nation's counters."""
ELITE: Final = "#5d6a63"
"""The card of panzer divisions."""
SIDES: Final = {"axis": "#d3dacb", "soviet": "#ecd0b8"}
"""Boxes of a side on the sheet."""
TOKENS: Final = {"axis": "#7c8b7a", "soviet": "#b8503f", "both": "#c9a650"}
"""Command tokens."""
