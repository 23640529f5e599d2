"""Which files the game's data are."""

from pathlib import Path
from typing import Final

from hexmarshal.kit.data import TERRAIN, GameData, Source

__all__ = ["DATA", "TABLES", "Source"]

TABLES: Final = ("combat", "terrain", "tables")
DATA: Final = GameData(
    "traces_of_war",
    Path(__file__).parent.parent / "data",
    {
        **{f"rules/{name}.yaml": name for name in TABLES},
        "counters.yaml": "counters",
        "boards/*/terrain.yaml": TERRAIN,
        "boards/*/map.yaml": "map",
        "scenarios/*.yaml": "scenario",
    },
    {
        "boards/ukraine/terrain.yaml": "all but the hexes that map.yaml lists without `ours`",
        "boards/plain/*.yaml": "all of it: an empty ground to try the rules on",
        "scenarios/exercise.yaml": "all of it: a small set-up to try the rules with",
    },
)
