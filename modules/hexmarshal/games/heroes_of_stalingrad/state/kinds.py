"""The words of the game: sides, families, names of boxes and flags."""

from __future__ import annotations

from typing import Final

__all__ = [
    "ABSENT",
    "ACTIVATED",
    "AMBUSHED",
    "ARMY",
    "ARTILLERY",
    "DAMAGE",
    "DESTROYED",
    "DRIVEN",
    "FAMILIES",
    "GERMAN",
    "HEAVY",
    "INFANTRY",
    "INITIATIVE",
    "LIGHT",
    "MOVED",
    "ORDER",
    "REPAIRED",
    "RUSSIAN",
    "SIDES",
    "SPENT",
    "WAITING",
    "other",
]

RUSSIAN, GERMAN = "russian", "german"
SIDES: Final = (RUSSIAN, GERMAN)
INFANTRY, LIGHT, HEAVY = "infantry", "light", "heavy"
FAMILIES: Final = (INFANTRY, LIGHT, HEAVY)
# What others see of a unit in ambush.
AMBUSHED: Final = "ambushed"
# Boxes: counters that are destroyed, counters that are still to be placed, tokens whose bearer
# is gone, tokens on an artillery option, counters that are not in this battle; on a table the
# recruitment tiles and options of a side.
ABSENT: Final = "absent"
ARMY: Final = "army"
DESTROYED, WAITING, SPENT, ARTILLERY = "destroyed", "waiting", "spent", "artillery"
ORDER: Final = "order"
# The track of the initiative marker: 1 Russian, 2 German.
INITIATIVE: Final = "initiative"
# Flags of units.
ACTIVATED, MOVED, REPAIRED = "activated", "moved", "repaired"
DAMAGE: Final = {
    "crew": "damage_crew",
    "tracks": "damage_tracks",
    "hull": "damage_hull",
    "main": "damage_main",
}
# What drives a unit from its cell, and by which rule.
DRIVEN: Final = {
    "ram": "HOS-2.44",
    "push": "HOS-2.49",
    "crowded": "HOS-2.52",
    "repelled": "HOS-5.57",
    "passenger": "HOS-5.94",
    "crew": "HOS-5.5",
}


def other(side: str) -> str:
    """The enemy."""
    return GERMAN if side == RUSSIAN else RUSSIAN
