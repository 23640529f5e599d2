"""The game's tables, read once: what a player could check against the book."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.games.kharkov.state.source import Source
    from hexmarshal.rules.verdict import Amount

__all__ = ["UnitKind", "Tables", "printed"]


@lru_cache(maxsize=1024)
def printed(text: str) -> tuple[int, int, int]:
    """Attack, defence and movement of a counter (KHA-3.23).

    An Axis counter prints one combat value, a Soviet one attack and defence; a value of the tank
    pool may name its type first.
    """
    numbers = [int(part) for part in text.rpartition(" ")[2].split("-")]
    if len(numbers) == 2:
        return numbers[0], numbers[0], numbers[1]
    return numbers[0], numbers[1], numbers[2]


def _amount(value: str | int) -> Amount:
    number = Fraction(value)
    return int(number) if number.denominator == 1 else number


@dataclass(frozen=True, slots=True)
class UnitKind:
    """A type of counter."""

    key: str
    title: str
    side: str = ""
    size: str = ""
    moves: str = "infantry"
    ladder: tuple[str, ...] = ()
    armour: bool = False
    mechanised: bool = False
    pool: str = ""
    move: int = 0
    arm: str = ""
    # Whether it fights, stacks and has a zone of control: headquarters and markers do not.
    combat: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "combat", self.key not in ("hq", "reserve"))


@dataclass(frozen=True)
class Tables:
    """Every table of the book."""

    combat: Mapping[str, Any]
    terrain: Mapping[str, Any]
    units: Mapping[str, Any]
    schedule: Mapping[str, Any]
    victory: Mapping[str, Any]
    breakdown: Mapping[str, Any]
    setup: Mapping[str, Any]

    @classmethod
    def load(cls, source: Source) -> Tables:
        """From a folder of data."""
        names = ("combat", "terrain", "units", "schedule", "victory", "breakdown", "setup")
        return cls(**{name: source.read(f"rules/{name}.yaml", name) for name in names})

    @cached_property
    def kinds(self) -> dict[str, UnitKind]:
        """The types of counters."""
        return {
            key: UnitKind(key, **{**row, "ladder": tuple(row.get("ladder", ()))})
            for key, row in self.units["types"].items()
        }

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The columns of the combat results table, the worst for the attacker first."""
        return tuple(self.combat["columns"])

    def result(self, column: int, die: int) -> str:
        """KHA-9.4; a die beyond the table is read in its last row."""
        row: list[str] = self.combat["results"][self.columns[column]]
        return row[min(max(die, 1), len(row)) - 1]

    def morale(self, turn: int) -> tuple[int, ...]:
        """Shifts of a Soviet attack by die (KHA-9.85); none after turn 4 (KHA-9.84)."""
        return tuple(self.combat["morale"].get(turn, ()))

    @cached_property
    def hex_cost(self) -> dict[tuple[str, str], Amount]:
        """Movement points by terrain and class (KHA-6.3)."""
        rows = {**self.terrain["hexes"], "road": self.terrain["road"]}
        return {(t, c): _amount(row[c]) for t, row in rows.items() for c in ("infantry", "other")}

    @cached_property
    def side_cost(self) -> dict[tuple[str, str], Amount]:
        """What crossing a river adds, by class (KHA-6.3)."""
        rows = self.terrain["sides"]
        classes = ("infantry", "other")
        return {(t, c): _amount(row.get(c, 0)) for t, row in rows.items() for c in classes}

    def defence(self, terrain: str) -> int:
        """What terrain makes of a defender (KHA-9.31)."""
        return int(self.terrain["hexes"].get(terrain, {}).get("defence", 1))

    def losses(self, type: str) -> int:
        """Points for a destroyed unit (KHA-17.25, KHA-17.3)."""
        return int(self.victory["losses"].get(type, 0))
