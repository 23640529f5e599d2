"""A workbook as everybody sees it: sheets of rows of cells, whatever the file."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

__all__ = ["Cell", "CellKind", "Change", "NewValue", "Row", "Sheet", "Workbook", "column_letters"]

# What may be written into a cell; None empties it.
NewValue: TypeAlias = "str | int | bool | None"


class CellKind(Enum):
    """What a cell holds, as far as the file tells; CSV knows text alone."""

    TEXT = "text"
    NUMBER = "a number"
    TRUTH = "a truth value"
    DATE = "a date"
    ERROR = "an error of the spreadsheet"
    UNCALCULATED = "a formula without a value"


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: its text as shown where that says more than its value, such as 0313 for 313."""

    text: str = ""
    kind: CellKind = CellKind.TEXT
    formula: str = ""

    def __bool__(self) -> bool:
        return bool(self.text.strip()) or self.kind is CellKind.UNCALCULATED


@dataclass(frozen=True, slots=True)
class Row:
    """A row that is not empty, with its number as the spreadsheet shows it (in CSV: the line)."""

    number: int
    cells: tuple[Cell, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts alone."""
        return tuple(cell.text for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet: its rows, and which blocks of cells (first row, column; last row, column) are one.

    Rows and columns are counted from 1, as people do.
    """

    title: str
    rows: tuple[Row, ...]
    merged: tuple[tuple[int, int, int, int], ...] = ()
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Workbook:
    """A file of sheets; CSV has one, without a title. `notes` are what a user should know of it."""

    file: str | None
    sheets: tuple[Sheet, ...]
    notes: tuple[str, ...] = ()
    encoding: str = ""
    separator: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """A cell of a workbook that is to hold something else."""

    sheet: str
    row: int
    column: int
    value: NewValue


def column_letters(number: int) -> str:
    """The name of a column: 1 is A, 27 is AA."""
    letters = ""
    while number > 0:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
