"""Which files the game's data are."""

from pathlib import Path
from typing import Final

from hexmarshal.kit.data import TERRAIN, GameData, Source

__all__ = ["DATA", "Source"]

DATA: Final = GameData(
    "heroes_of_stalingrad",
    Path(__file__).parent.parent / "data",
    {
        "rules/terrain.yaml": "terrain",
        "rules/tables.yaml": "tables",
        "boards/*.yaml": TERRAIN,
        "tiles.yaml": "tiles",
        "counters.yaml": "counters",
        "army.yaml": "army",
        "cards.yaml": "cards",
        "scenarios/*.yaml": "scenario",
    },
    {
        "boards/*.yaml": "all of it: the rulebook prints no board",
        "scenarios/*.yaml": "all of it: the rulebook prints no scenario",
    },
)
