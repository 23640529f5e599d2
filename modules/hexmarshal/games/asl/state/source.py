"""Which files the game's data are."""

from pathlib import Path
from typing import Final

from hexmarshal.kit.data import GameData

__all__ = ["DATA"]

DATA: Final = GameData(
    "asl",
    Path(__file__).parent.parent / "data",
    {
        "counters/*.yaml": "counters",
        "tables/fire.yaml": "fire",
        "tables/terrain.yaml": "terrain_chart",
        "tables/close_combat.yaml": "close_combat",
        "tables/clearance.yaml": "clearance",
        "tables/nations.yaml": "nations",
        "tables/heat.yaml": "heat",
        "boards/*.yaml": "board",
        "scenarios/*.yaml": "scenario",
        "vasl/men.yaml": "vasl_men",
        "vasl/weapons.yaml": "vasl_weapons",
        "vasl/names.yaml": "vasl_names",
    },
    {
        "counters/leaders.yaml": "the morale of the broken sides",
        "tables/clearance.yaml": "what labor adds",
        "tables/nations.yaml": "what replaces what below its ELR",
        "boards/*.yaml": "all of it: boards of our own, to play without anybody's files",
        "scenarios/*.yaml": "all of it",
    },
)
