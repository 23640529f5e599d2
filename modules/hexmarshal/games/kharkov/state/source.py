"""Which files the game's data are."""

from pathlib import Path
from typing import Final

from hexmarshal.kit.data import TERRAIN, GameData, Source

__all__ = ["DATA", "Source"]

_TABLES: Final = ("combat", "terrain", "units", "schedule", "victory", "breakdown", "setup")
DATA: Final = GameData(
    "kharkov",
    Path(__file__).parents[1] / "data",
    {
        **{f"rules/{name}.yaml": name for name in _TABLES},
        "counters.yaml": "counters",
        "boards/*/terrain.yaml": TERRAIN,
        "boards/*/map.yaml": "map",
        "scenarios/*.yaml": "scenario",
    },
    {
        "boards/kharkov/terrain.yaml": "all but the hexes that the rulebook names",
        "boards/ground/*.yaml": "all of it: a small map to try the rules on",
        "scenarios/exercise.yaml": "all of it: a small set-up to try the rules with",
    },
)
