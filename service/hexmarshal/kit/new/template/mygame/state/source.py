"""Which files the game's data are; a user's own may take their place, file by file."""

from pathlib import Path

from hexmarshal.kit.data import TERRAIN, GameData

__all__ = ["DATA"]

DATA = GameData(
    "mygame",
    Path(__file__).parents[1] / "data",
    {
        "tables.yaml": "tables",
        "units.yaml": "units",
        "boards/*.yaml": TERRAIN,
        "scenarios/*.yaml": "scenario",
    },
    {"boards/*.yaml": "all of it is an invention"},
)
