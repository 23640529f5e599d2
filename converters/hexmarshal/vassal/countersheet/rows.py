"""A sheet of counters read: each row with its cells by title, and where it stands in the file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import BadInputError, Place
from hexmarshal.errors.names import did_you_mean
from hexmarshal.vassal.countersheet.facets import IMAGE, KINDS, NAME, PROTOTYPES
from hexmarshal.vassal.countersheet.listing import ID, KIND, TEMPLATE, WHERE
from hexmarshal.workbook import CellKind, read_workbook

if TYPE_CHECKING:
    from hexmarshal.workbook import Row, Sheet

__all__ = ["CounterRow", "SheetRows"]

_KNOWN: Final = (ID, NAME, KIND, WHERE, TEMPLATE, IMAGE, PROTOTYPES)


@dataclass(frozen=True, slots=True)
class CounterRow:
    """A row: its cells by title; a title that the sheet does not have is not in it."""

    number: int
    cells: dict[str, str]
    place: Place

    @property
    def id(self) -> str:
        """The piece that the row is about; empty for a new one."""
        return self.cells.get(ID, "")

    def at(self, column: str) -> Place:
        """What to call a cell in an error."""
        return Place(file=self.place.file, line=self.number, field=column)


@dataclass(frozen=True, slots=True)
class SheetRows:
    """The rows of a sheet, in order."""

    columns: tuple[str, ...]
    rows: tuple[CounterRow, ...]
    place: Place

    @classmethod
    def read(cls, data: bytes, file: str) -> SheetRows:
        """The first sheet with a column `id` and a column `name`, in .xlsx, .ods or .csv."""
        book = read_workbook(data, file, lambda titles: sum(t in _KNOWN for t in titles))
        place = Place(file=file)
        for sheet in book.sheets:
            for at, row in enumerate(sheet.rows[:20]):
                titles = [text.strip() for text in row.texts]
                if ID in titles and NAME in titles:
                    return cls._of(sheet, at, titles, place)
        raise BadInputError(
            "no sheet has the columns 'id' and 'name'",
            place=place,
            hint="hexmarshal sheet list MODULE -o counters.xlsx makes one",
        )

    @classmethod
    def _of(cls, sheet: Sheet, at: int, titles: list[str], place: Place) -> SheetRows:
        header = sheet.rows[at].number
        for title in titles:
            where = Place(file=place.file, line=header, field=title)
            if title and titles.count(title) > 1:
                raise BadInputError("two columns have this title", place=where)
            kind, colon, name = title.partition(": ")
            if title and title not in _KNOWN and not (colon and kind in KINDS and name):
                raise BadInputError(
                    "no such column",
                    place=where,
                    hint=did_you_mean(title, _KNOWN, f"others are called {': X, '.join(KINDS)}: X"),
                )
        rows = [cls._row(row, titles, place) for row in sheet.rows[at + 1 :]]
        seen: dict[str, int] = {}
        for row in rows:
            if row.id and seen.setdefault(row.id, row.number) != row.number:
                raise BadInputError(
                    f"row {seen[row.id]} is about {row.id} too",
                    place=row.at(ID),
                    hint="a copy of a row is a new piece when its id is emptied",
                )
        return cls(tuple(filter(None, titles)), tuple(rows), place)

    @staticmethod
    def _row(row: Row, titles: list[str], place: Place) -> CounterRow:
        cells: dict[str, str] = {}
        for at, title in enumerate(titles):
            if not title:
                continue
            cell = row.cells[at] if at < len(row.cells) else None
            if cell is not None and cell.kind in {CellKind.ERROR, CellKind.UNCALCULATED}:
                raise BadInputError(
                    f"holds {cell.kind.value}",
                    place=Place(file=place.file, line=row.number, field=title),
                )
            cells[title] = "" if cell is None else cell.text.strip()
        return CounterRow(row.number, cells, Place(file=place.file, line=row.number))
