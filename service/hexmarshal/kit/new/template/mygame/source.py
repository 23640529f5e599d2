"""Which files the game's data are; a user's own may take their place, file by file."""

from pathlib import Path

from hexmarshal.kit.data import TERRAIN, GameData

__all__ = ["DATA", "FOLDER"]

FOLDER = Path(__file__).parent
DATA = GameData(
    "mygame",
    FOLDER / "data",
    {
        "tables.yaml": "tables",
        "units.yaml": "units",
        "boards/*.yaml": TERRAIN,
        "scenarios/*.yaml": "scenario",
    },
    {"boards/*.yaml": "all of it is an invention"},
)
