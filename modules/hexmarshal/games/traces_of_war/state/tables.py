"""The game's tables, read once: what a player could check against the book, and what is ours."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from hexmarshal.errors import RulesError
from hexmarshal.games.traces_of_war.state.source import TABLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.games.traces_of_war.state.source import Source
    from hexmarshal.rules.verdict import Amount

__all__ = ["Cell", "Tables", "Token", "amount"]


@cache
def amount(value: str | int) -> Amount:
    """A number of a table: whole, or a fraction written 1/2."""
    number = Fraction(value)
    return int(number) if number.denominator == 1 else number


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table, and whether it is an invention of ours."""

    value: str | int
    ours: bool

    @property
    def number(self) -> Amount:
        """The value as a number."""
        return amount(self.value)


@dataclass(frozen=True, slots=True)
class Token:
    """One of the round command tokens; `key` is what it is, `id` tells two of the same apart."""

    id: str
    key: str
    title: str
    kind: str
    side: str
    from_turn: int = 1


@dataclass(frozen=True)
class Tables:
    """Every table of the game."""

    combat: Mapping[str, Any]
    terrain: Mapping[str, Any]
    tables: Mapping[str, Any]
    _entries: dict[tuple[str, ...], tuple[str, Cell]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @classmethod
    def load(cls, source: Source) -> Tables:
        """From a folder of data."""
        made = cls(*(source.read(f"rules/{name}.yaml", name) for name in TABLES))
        for i, column in enumerate(made.columns):
            if column not in made.combat["results"]:
                raise RulesError(
                    f"the column {column} has no results",
                    place=source.place("rules/combat.yaml", "columns", i),
                )
        return made

    # Combat

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The columns of the combat results table, the worst for the attacker first."""
        return tuple(self.combat["columns"])

    @cached_property
    def ratios(self) -> tuple[Fraction, ...]:
        """The ratio that each column begins with."""
        return tuple(Fraction(name.removesuffix("+").removesuffix("-1")) for name in self.columns)

    def result(self, column: int, die: int) -> Cell:
        """TOW-10.3a: one cell of the combat results table."""
        row = self.combat["results"][self.columns[column]]
        return Cell(row["die"][die - 1], die in row.get("ours", ()))

    # Terrain

    def closed(self, kind: str) -> bool:
        """Whether a hex with this terrain is no part of the map."""
        return bool(self.terrain["hexes"].get(kind, {}).get("closed"))

    def entry(self, kinds: tuple[str, ...]) -> tuple[str, Cell]:
        """The terrain that gives the cost to enter a hex, the dearest there, and that cost."""
        if kinds not in self._entries:
            self._entries[kinds] = self._entry(kinds)
        return self._entries[kinds]

    def _entry(self, kinds: tuple[str, ...]) -> tuple[str, Cell]:
        rows = self.terrain["hexes"]
        priced = [kind for kind in kinds if "cost" in rows.get(kind, {})] or ["clear"]
        kind = max(priced, key=lambda one: amount(rows[one]["cost"]))
        return kind, Cell(rows[kind]["cost"], "cost" in rows[kind].get("ours", ()))

    def shift(self, kind: str) -> Cell:
        """How many columns a defender in this terrain gains."""
        row = self.terrain["hexes"][kind]
        return Cell(row.get("shift", 0), "shift" in row.get("ours", ()))

    # The tables that crossing points or turns drive

    def by_count(self, name: str, crossing_points: int) -> Cell:
        """A cell of the Luftwaffe, negotiation or OKH command table (TOW-2.1c)."""
        row = self.tables[name]
        count = min(crossing_points, len(row["cells"]) - 1)
        return Cell(row["cells"][count], count in row.get("ours", ()))

    def stavka(self, turn: int) -> Cell | None:
        """The most crossing points with which STAVKA appears on a turn; None: not at all."""
        row = self.tables["stavka"]
        found = row["cells"].get(str(turn))
        return None if found is None else Cell(found, turn in row.get("ours", ()))

    def axis_tokens(self, turn: int) -> Cell:
        """How many tokens the Axis player chooses on a turn (TOW-4.2.2a)."""
        row = self.tables["axis_tokens"]
        turn = min(turn, len(row["cells"]))
        return Cell(row["cells"][turn - 1], turn in row.get("ours", ()))

    def cost(self, name: str) -> Amount:
        """The negotiation points that lifting an order or a reinforcement costs (TOW-11.2)."""
        return amount(self.tables["costs"][name])

    @cached_property
    def air_markers(self) -> tuple[str, ...]:
        """The Luftwaffe markers, by id."""
        return tuple(
            f"{kind}-{n}"
            for kind in ("offensive", "defensive")
            for n in range(1, self.tables["markers"][kind] + 1)
        )

    @cached_property
    def tokens(self) -> Mapping[str, Token]:
        """Every command token, by id."""
        found = {}
        for key, row in self.tables["tokens"].items():
            for n in range(1, row["count"] + 1):
                name = key if row["count"] == 1 else f"{key}-{n}"
                made = Token(name, key, row["title"], row["kind"], row["side"], row.get("from", 1))
                found[name] = made
        return found
