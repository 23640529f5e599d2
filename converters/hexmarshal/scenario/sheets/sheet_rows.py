"""What the sheets of a file say, row by row, and where they say it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hexmarshal.errors import BadInputError, Place

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.scenario.model import Area, MarkerEntry, Objective, SpecialRule, Value

__all__ = ["Row", "Sheet", "Spot"]


@dataclass(frozen=True, slots=True)
class Spot:
    """Where something is said: a sheet, a row, a column; in CSV a line."""

    sheet: str
    row: int
    column: str = ""
    number: int = 0
    typed: bool = True

    def place(self, file: str | None = None, unit: str | None = None) -> Place:
        """As the place of an error or a finding."""
        where = Place(row=self.row) if self.typed else Place(line=self.row)
        known = Place(
            file=file, sheet=self.sheet or None, column=self.column or None, unit=unit or None
        )
        return known.within(where)

    def __str__(self) -> str:
        return str(self.place())


@dataclass(frozen=True, slots=True)
class Row:
    """One unit: what each column says of it; an empty cell says nothing.

    `spots` tells where, `columns` which columns there are for it. A row that counts several units
    makes a Row of each; `share` is which of how many. `bare` is one with nothing but a name.
    """

    at: Spot
    id: str
    said: Mapping[str, Value]
    values: Mapping[str, Value]
    spots: Mapping[str, Spot] = field(default_factory=dict)
    columns: frozenset[str] = frozenset()
    value_columns: frozenset[str] = frozenset()
    share: tuple[int, int] = (1, 1)
    bare: bool = False

    @property
    def line(self) -> int:
        """The number of its row."""
        return self.at.row


@dataclass(frozen=True, slots=True)
class Sheet:
    """What the sheets of a file say: of units, areas, markers, of the scenario as a whole."""

    file: str | None
    encoding: str
    separator: str
    rows: tuple[Row, ...]
    areas: Mapping[str, Area] = field(default_factory=dict)
    markers: Mapping[str, MarkerEntry] = field(default_factory=dict)
    objectives: tuple[Objective, ...] = ()
    special_rules: tuple[SpecialRule, ...] = ()
    fields: Mapping[str, Value] = field(default_factory=dict)
    spots: Mapping[tuple[str, ...], Spot] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def error(self, message: str, row: Row, column: str = "", hint: str = "") -> BadInputError:
        """An error about a row."""
        spot = row.spots.get(column, row.at)
        return BadInputError(message, place=spot.place(self.file, row.id), hint=hint)
