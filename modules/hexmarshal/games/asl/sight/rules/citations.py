"""The rules that decide a line of sight, and where each stands in the rulebook."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

__all__ = ["Cause", "Citation"]


class Citation(NamedTuple):
    """Where a rule stands in the book, its entry in our rulebook, and a sentence for a person."""

    rule: str
    entry: str
    sentence: str


class Cause(IntEnum):
    """Why a line is stopped or hindered: a number, so that arrays can hold it."""

    CLEAR = 0
    HIGHER = 1
    ADVANTAGE = 2
    GROUND = 3
    PLATEAU = 4
    BLIND = 5
    CREST = 6
    CLIFF = 7
    WALL = 8
    BOCAGE = 9
    PARTY_WALL = 10
    DEPRESSION = 11
    BUILDING = 12
    HALF_LEVEL = 13
    TOTAL = 14
    NIGHT = 15
    STAIRS = 16
    BRIDGE = 17
    HINDERED = 18
    SMOKE = 19
    VEHICLE = 20
    WEATHER = 21
    FOG = 22
    SHELLING = 23
    ALPINE = 24
    ENTRENCHED = 25

    @property
    def blocks(self) -> bool:
        """Whether it stops a line, and does not only hinder it."""
        return self not in _OPEN

    @property
    def rule(self) -> str:
        """The section of the rulebook."""
        return _CITATIONS[self].rule

    @property
    def entry(self) -> str:
        """The rule's id in `rulebook/rulebook-sight.yaml`."""
        return _CITATIONS[self].entry

    @property
    def sentence(self) -> str:
        """What it means, for a person."""
        return _CITATIONS[self].sentence


_OPEN = frozenset(
    {
        Cause.CLEAR,
        Cause.HINDERED,
        Cause.SMOKE,
        Cause.VEHICLE,
        Cause.WEATHER,
        Cause.FOG,
        Cause.SHELLING,
    }
)

_CITATIONS = {
    Cause.CLEAR: Citation("", "ASL-LOS-1b", "nothing stops the line"),
    Cause.HIGHER: Citation("A6.2", "ASL-LOS-6", "terrain is higher than both ends"),
    Cause.ADVANTAGE: Citation("A6.2", "ASL-HILL-2", "terrain is as high as the higher end"),
    Cause.GROUND: Citation("B10.2", "ASL-HILL-1", "the ground is higher than both ends"),
    Cause.PLATEAU: Citation(
        "B10.2", "ASL-HILL-1", "a crest as high as the higher end hides what lies beyond"
    ),
    Cause.BLIND: Citation("A6.4", "ASL-LOS-9", "the lower end is in a blind hex behind terrain"),
    Cause.CREST: Citation("B10.23", "ASL-LOS-9", "the lower end is in a blind hex behind a crest"),
    Cause.CLIFF: Citation("B11.21", "ASL-CLIFF-1", "the lower end is in a blind hex below a cliff"),
    Cause.WALL: Citation("B9.2", "ASL-WALL-1", "a half-level hexside stands between level ends"),
    Cause.BOCAGE: Citation("B9.52", "ASL-BOCAGE-2", "bocage hides what lies behind it"),
    Cause.PARTY_WALL: Citation(
        "B23.71", "ASL-ROW-1", "the line crosses the wall between two buildings"
    ),
    Cause.DEPRESSION: Citation(
        "A6.3", "ASL-LOS-8", "the line leaves the depression too far from the other end"
    ),
    Cause.BUILDING: Citation(
        "A6.8", "ASL-BLDG-4", "the line leaves its hex inside the building, to another level"
    ),
    Cause.HALF_LEVEL: Citation(
        "A6.21", "ASL-LOS-7", "a half-level obstacle stands on the level of both ends"
    ),
    Cause.TOTAL: Citation("A6.7", "ASL-LOS-11", "hindrances add up to six or more"),
    Cause.NIGHT: Citation("E1.1", "ASL-NVR-1", "it is farther than one sees at night"),
    Cause.STAIRS: Citation("B23.25", "ASL-BLDG-4", "no stairway joins the two levels"),
    Cause.BRIDGE: Citation("B6.2", "ASL-BRIDGE-1", "one end is on the bridge, the other under it"),
    Cause.HINDERED: Citation("A6.7", "ASL-LOS-11", "terrain hinders the line"),
    Cause.SMOKE: Citation("A24.2", "ASL-SMOKE-1", "smoke hinders the line"),
    Cause.VEHICLE: Citation("D9.4", "ASL-COV-02", "a vehicle or wreck hinders the line"),
    Cause.WEATHER: Citation("E3.1", "ASL-LV-1", "low visibility hinders the line"),
    Cause.FOG: Citation("E3.31", "ASL-FOG-1", "fog hinders the line"),
    Cause.SHELLING: Citation("C1.57", "ASL-FFE-1", "the fire of artillery hinders the line"),
    Cause.ALPINE: Citation("B10.211", "ASL-HILL-5", "alpine hills rise between level ends"),
    Cause.ENTRENCHED: Citation(
        "B27.2", "ASL-FOX-6", "from an entrenchment one does not see over the wall before it"
    ),
}
