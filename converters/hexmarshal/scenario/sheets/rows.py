"""The rows of a sheet: what each column says of a unit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.errors import BadInputError, HexMarshalError, Place
from hexmarshal.scenario.sheets.cells import ABSENT, ColumnKind, read_cell
from hexmarshal.scenario.sheets.columns import ENTRY, Header, known_columns
from hexmarshal.workbook.csv_text import read_table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.scenario.model import Value

__all__ = ["Row", "Sheet", "read_sheet"]


@dataclass(frozen=True, slots=True)
class Row:
    """One unit: what each column says of it; an empty cell says nothing."""

    line: int
    id: str
    said: Mapping[str, Value]
    values: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet as read: which columns it has, and its rows."""

    file: str | None
    encoding: str
    separator: str
    columns: frozenset[str]
    value_columns: frozenset[str]
    rows: tuple[Row, ...]

    def error(self, message: str, row: Row, column: str = "", hint: str = "") -> BadInputError:
        """An error about a row."""
        place = Place(file=self.file, line=row.line, field=column or None, unit=row.id or None)
        return BadInputError(message, place=place, hint=hint)


def read_sheet(
    data: bytes,
    file: str | None = None,
    kinds: Mapping[str, ColumnKind] | None = None,
    encoding: str = "",
) -> Sheet:
    """The sheet in a CSV file; `kinds` tells what the values of the game's counters hold."""
    kinds = kinds or {}
    table = read_table(data, file, lambda cells: known_columns(cells, kinds), encoding)
    (line, titles), *rest = table.rows
    header = Header(titles, kinds, Place(file=file, line=line))
    rows: list[Row] = []
    lines: dict[str, int] = {}
    for number, cells in rest:
        if cells[0].strip().startswith("#"):
            continue
        row = _row(header, titles, cells, Place(file=file, line=number))
        if row.id in lines:
            raise BadInputError(
                f"the unit {row.id} is in line {lines[row.id]} already",
                place=Place(file=file, line=number, unit=row.id),
            )
        lines[row.id] = number
        rows.append(row)
    columns = frozenset(column.key for column in header.fixed.values())
    values = frozenset(name for name, _ in header.values.values())
    return Sheet(file, table.encoding, table.separator, columns, values, tuple(rows))


def _row(header: Header, titles: tuple[str, ...], cells: tuple[str, ...], place: Place) -> Row:
    said: dict[str, Value] = {}
    values: dict[str, Value] = {}
    for i, cell in enumerate(cells):
        if i in header.notes or not cell.strip():
            continue
        title = titles[i].strip() if i < len(titles) else ""
        if not title:
            raise BadInputError(
                f"column {i + 1} has a cell and no title",
                place=place,
                hint="give it one, or one that begins with # for notes",
            )
        try:
            if i in header.fixed:
                column = header.fixed[i]
                value = read_cell(cell, column.kind)
                if value is not ABSENT:
                    said[column.key] = value if column.key == ENTRY else _typed(value, column.kind)
            else:
                name, kind = header.values[i]
                value = read_cell(cell, kind)
                if value is not ABSENT:
                    values[name] = value
        except HexMarshalError as error:
            raise error.at(Place(field=title).within(place)) from None
    unit = said.pop("id", "")
    if not isinstance(unit, str) or not unit:
        raise BadInputError("a row without a unit", place=place)
    return Row(place.line or 0, unit, said, values)


def _typed(value: Value, kind: ColumnKind) -> Value:
    """What `json:` may have brought into a column that has a type."""
    fits = {
        ColumnKind.TEXT: isinstance(value, str),
        ColumnKind.WHOLE: isinstance(value, int) and not isinstance(value, bool),
        ColumnKind.LIST: isinstance(value, list) and all(isinstance(item, str) for item in value),
    }
    if not fits.get(kind, True):
        raise BadInputError(f"must be {kind.value}")
    return value
