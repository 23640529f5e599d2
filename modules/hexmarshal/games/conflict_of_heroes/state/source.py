"""Which files the game's data are."""

from pathlib import Path
from typing import Final

from hexmarshal.kit.data import TERRAIN, GameData, Source

__all__ = ["DATA", "Source"]

_TABLES: Final = ("counters", "hits", "objects", "cards")
DATA: Final = GameData(
    "conflict_of_heroes",
    Path(__file__).parents[1] / "data",
    {
        **{f"{name}.yaml": name for name in _TABLES},
        "rules/terrain.yaml": "terrain",
        "boards/*.yaml": TERRAIN,
        "scenarios/*.yaml": "scenario",
    },
    {"boards/*.yaml": "all of it", "scenarios/*.yaml": "all of it"},
)
