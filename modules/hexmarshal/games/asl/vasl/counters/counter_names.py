"""What VASL's pictures and names stand for, from the data: men, weapons, nations, markers."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from hexmarshal.games.asl.state.source import DATA

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.kit.data import Source

__all__ = ["Mark", "Men", "Names", "Weapon", "names_of", "own_names"]


@dataclass(frozen=True, slots=True)
class Men:
    """What a counter of several men prints, and the counter of the rules with all its values."""

    kind: str
    fp: int
    morale: int
    range: int = 0
    broken: int = 0
    counter: str = ""

    @property
    def text(self) -> str:
        """As players write it: 4-6-7."""
        return f"{self.fp}-{self.range}-{self.morale}"


@dataclass(frozen=True, slots=True)
class Weapon:
    """A support weapon, and the counter of the rules with its values, if they have it."""

    kind: str
    counter: str = ""
    dismantled: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """What a marker means."""

    name: re.Pattern[str]
    flag: str = ""
    covers: str = "one"
    marker: str = ""
    values: Mapping[str, int] = field(default_factory=dict)
    level: int | None = None
    roof: bool = False
    entrenched: bool = False
    crest: bool = False


@dataclass(frozen=True, slots=True)
class Names:
    """All of them."""

    men: Mapping[str, Men]
    weapons: Mapping[str, Weapon]
    nations: Mapping[str, str]
    """By the folder of a picture."""
    sides: Mapping[str, str]
    """`axis` or `allied` by nation; empty where VASL leaves it open."""
    folders: Mapping[str, str]
    marks: tuple[Mark, ...]

    def mark(self, name: str) -> tuple[Mark, re.Match[str]] | None:
        """What a marker that shows this name means."""
        for mark in self.marks:
            found = mark.name.fullmatch(name.strip())
            if found is not None:
                return mark, found
        return None


def names_of(data: Source) -> Names:
    """The names in these data."""
    names: dict[str, Any] = data.read("vasl/names.yaml", "vasl_names")
    men = data.read("vasl/men.yaml", "vasl_men")["men"]
    weapons = data.read("vasl/weapons.yaml", "vasl_weapons")["weapons"]
    nations = names["nations"]
    return Names(
        {stem: Men(**row) for stem, row in men.items()},
        {stem: Weapon(**row) for stem, row in weapons.items()},
        {folder: row["nation"] for folder, row in nations.items()},
        {row["nation"]: row["side"] for row in nations.values()},
        names["folders"],
        tuple(Mark(**{**row, "name": re.compile(row["name"])}) for row in names["marks"]),
    )


@cache
def own_names() -> Names:
    """The names in the game's own data."""
    return names_of(DATA.source())
