"""Reads the sheets that people make: their tables, and what each row of one says."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.errors import BadInputError, HexMarshalError, Place
from hexmarshal.scenario.model import Area, MarkerEntry
from hexmarshal.scenario.sheets.cells import ABSENT, ColumnKind, read_cell
from hexmarshal.scenario.sheets.columns import ENTRY, VALUE, field_called, is_total
from hexmarshal.scenario.sheets.goals import objective_of, reads_beside, rule_of
from hexmarshal.scenario.sheets.lexicon import Lexicon
from hexmarshal.scenario.sheets.row_names import merged, named
from hexmarshal.scenario.sheets.sheet_rows import Row, Sheet, Spot
from hexmarshal.scenario.sheets.tables import is_note, known_columns, preface_of, tables_of
from hexmarshal.workbook import CellKind, read_workbook

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.scenario.model import Objective, SpecialRule, Value
    from hexmarshal.scenario.sheets.tables import Table, Titled
    from hexmarshal.workbook import Cell, Workbook
    from hexmarshal.workbook import Row as BookRow
    from hexmarshal.workbook import Sheet as BookSheet

__all__ = ["facts_in", "read_sheet", "sheet_in"]

_COUNTED: Final = re.compile(r"([1-9][0-9]{0,2})\s*[x×*]\s+(\S.*)|([1-9][0-9]{0,2})[x×]\s*(\S.*)")
_NUMBERED: Final = re.compile(r"[^\W\d_]+[\s.]*([0-9]{1,3})")
_MOST_OF_A_ROW: Final = 200
# What the game has a spelling of its own for, and the columns that hold it.
_SPELT: Final = {
    "side": "side",
    "known_to": "side",
    "seen_by": "side",
    "type": "type",
    "face": "type",
    "cell": "cell",
    "footprint": "cell",
    "cells": "cell",
    "box": "box",
    ENTRY: ENTRY,
}


# The columns of a table of markers, and what each is of a marker.
_OF_MARKERS: Final = {
    "marker": "id",
    "type": "kind",
    "id": "unit",
    **{name: name for name in ("side", "cell", "level", "box", "facing", "face")},
    **{name: name for name in ("seen_by", "known_to")},
}


def read_sheet(
    data: bytes,
    file: str | None = None,
    lexicon: Lexicon | None = None,
    encoding: str = "",
) -> Sheet:
    """What a file of sheets says: .xlsx, .ods or CSV."""
    known = lexicon or Lexicon()
    book = read_workbook(data, file, lambda cells: known_columns(cells, known.kinds), encoding)
    return sheet_in(book, known)


def facts_in(data: bytes, file: str | None = None, encoding: str = "") -> dict[str, str]:
    """What a file of sheets says of the scenario as a whole: its game, its map."""
    book = read_workbook(data, file, lambda cells: known_columns(cells, {}), encoding)
    reading = _Reading(book, Lexicon())
    for page in book.sheets:
        if not page.hidden and not page.title.startswith("#"):
            for row in preface_of(page, {}, typed=not book.separator):
                reading.fact(page, row)
    return {name: str(value) for name, value in reading.fields.items()}


def sheet_in(book: Workbook, lexicon: Lexicon) -> Sheet:
    """What the sheets of a workbook say."""
    return _Reading(book, lexicon).sheet()


class _Reading:
    def __init__(self, book: Workbook, lexicon: Lexicon) -> None:
        self.book, self.lexicon = book, lexicon
        self.typed = not book.separator
        self.rows: list[Row] = []
        self.areas: dict[str, Area] = {}
        self.markers: dict[str, MarkerEntry] = {}
        self.objectives: list[Objective] = []
        self.special_rules: list[SpecialRule] = []
        self.fields: dict[str, Value] = {}
        self.spots: dict[tuple[str, ...], Spot] = {}
        self.notes = list(book.notes)
        self.tables = 0

    def sheet(self) -> Sheet:
        for page in self.book.sheets:
            if not page.hidden and not page.title.startswith("#"):
                self._page(page)
        if not self.tables and not self.fields:
            first = next((row.number for page in self.book.sheets for row in page.rows), 1)
            raise BadInputError(
                "no row names the columns: Unit or Type, and what else is told of the units",
                place=Spot("", first, typed=self.typed).place(self.book.file),
                hint="'hexmarshal scenario template' makes a workbook with the titles",
            )
        return Sheet(
            self.book.file,
            self.book.encoding,
            self.book.separator,
            merged(named(self.rows), self.book.file, typed=self.typed),
            self.areas,
            self.markers,
            tuple(self.objectives),
            tuple(self.special_rules),
            self.fields,
            self.spots,
            tuple(self.notes),
        )

    def _page(self, page: BookSheet) -> None:
        place = Place(file=self.book.file, sheet=page.title or None)
        preface, tables = tables_of(page, self.lexicon.kinds, place, typed=self.typed)
        facts = len(self.fields)
        for row in preface:
            self.fact(page, row)
        if not tables and page.rows and len(self.fields) == facts:
            self.notes.append(f"the sheet {page.title!r} has no titles that are known: not read")
        self.tables += len(tables)
        side = self.lexicon.side_in(page.title) if page.title else ""
        for table in tables:
            for title in table.header.unread.values():
                beside = table.header.lists_rules and reads_beside(title)
                titled = table.header.lists_areas and field_called(title)
                if not (is_note(title) or titled or beside):
                    where = f"the sheet {page.title!r}: " if page.title else ""
                    self.notes.append(f"{where}the column {title!r} is for people, and not read")
            for row in table.rows:
                side = self._row(page, table, row, side)

    def fact(self, page: BookSheet, row: BookRow) -> None:
        """A row before the tables: a fact of the scenario, or a title for people."""
        filled = [(i, cell) for i, cell in enumerate(row.cells, 1) if cell]
        if len(filled) < 2:
            return
        name = field_called(filled[0][1].text)
        if name and not filled[0][1].text.strip().startswith("#"):
            number, cell = filled[1]
            spot = Spot(page.title, row.number, filled[0][1].text.strip(), number, self.typed)
            kind = ColumnKind.WHOLE if name == "turns" else ColumnKind.TEXT
            self.fields[name] = self._value(cell, kind, spot, name)
            self.spots[name,] = spot

    # Rows of tables

    def _row(self, page: BookSheet, table: Table, row: BookRow, side: str) -> str:
        """Read one row; the side that those after it have, unless they say so themselves."""
        filled = {i: cell for i, cell in enumerate(row.cells, 1) if cell}
        at = Spot(page.title, row.number, typed=self.typed)
        first = next(iter(filled.values())).text.strip()
        if first.startswith("#"):
            return side
        read = {i: cell for i, cell in filled.items() if i in table.header.columns}
        single = self.typed and len(filled) == 1 and not first.startswith("'")
        if single and (named := self._heading(page, row, first, read)):
            return named if named in self.lexicon.sides else side
        if self.typed and is_total(first):
            return side
        untitled = [i for i in filled if i not in read and i not in table.header.unread]
        if untitled and not self.typed:
            raise BadInputError(
                f"column {untitled[0]} has a cell and no title",
                place=at.place(self.book.file),
                hint="give it one, or one that begins with # for notes",
            )
        if not read:
            return side
        if table.header.lists_areas:
            titled = [i for i, t in table.header.unread.items() if field_called(t) == "title"]
            title = next((filled[i].text.strip() for i in titled if i in filled), "")
            self._area(table, read, at, title)
        elif table.header.lists_markers:
            self._marker(table, read, at)
        elif table.header.lists_objectives:
            self._objective(table, read, at)
        elif table.header.lists_rules:
            beside = [(t, filled[i].text) for i, t in table.header.unread.items() if i in filled]
            self._special_rule(read, beside, at)
        else:
            self._unit(table, read, at, side)
        return side

    def _heading(self, page: BookSheet, row: BookRow, text: str, read: Mapping[int, Cell]) -> str:
        """The side that a row of one cell names for those below, or the text of another heading."""
        side = self.lexicon.side_in(text)
        merged = any(
            first <= row.number <= last and right > left for first, left, last, right in page.merged
        )
        return side or (text if merged or not read else "")

    def _area(self, table: Table, read: Mapping[int, Cell], at: Spot, title: str) -> None:
        said: dict[str, Value] = {}
        for i, cell in read.items():
            column = table.header.columns[i]
            spot = replace(at, column=column.title, number=i)
            value = self._value(cell, column.kind, spot, column.key)
            said[column.key] = self._spelt(column.key, value, "")
        key, cells = said.get("area"), said.get("cells")
        if not isinstance(key, str) or not isinstance(cells, list):
            raise BadInputError("an area needs a name and cells", place=at.place(self.book.file))
        self.areas[key] = Area(key, tuple(map(str, cells)), title)
        self.spots["areas", key] = at

    def _marker(self, table: Table, read: Mapping[int, Cell], at: Spot) -> None:
        said: dict[str, Any] = {}
        values: dict[str, Value] = {}
        for i, cell in read.items():
            column = table.header.columns[i]
            spot = replace(at, column=column.title, number=i)
            value = self._value(cell, column.kind, spot, column.key)
            if column.key.startswith(VALUE):
                values[column.key.removeprefix(VALUE)] = value
                continue
            key = _OF_MARKERS.get(column.key)
            if key is None:
                raise BadInputError(
                    f"a marker has no {column.title}", place=spot.place(self.book.file)
                )
            if key != "kind":
                value = self._spelt(column.key, value, "")
            said[key] = tuple(value) if isinstance(value, list) else value
        if "id" not in said or "kind" not in said:
            raise BadInputError("a marker needs a name and a type", place=at.place(self.book.file))
        self.markers[said["id"]] = MarkerEntry(**said, values=values)
        self.spots["markers", said["id"]] = at

    def _objective(self, table: Table, read: Mapping[int, Cell], at: Spot) -> None:
        said: dict[str, Value] = {}
        facts: dict[str, Value] = {}
        for i, cell in read.items():
            column = table.header.columns[i]
            spot = replace(at, column=column.title, number=i)
            value = self._value(cell, column.kind, spot, column.key)
            if column.key.startswith(VALUE):
                facts[column.key.removeprefix(VALUE)] = value
            else:
                said[column.key] = self._spelt(column.key, value, "")
        found = objective_of(said, facts)
        if found is None:
            raise BadInputError(
                "an objective needs a cell or an area", place=at.place(self.book.file)
            )
        self.spots["objectives", str(len(self.objectives))] = at
        self.objectives.append(found)

    def _special_rule(
        self, read: Mapping[int, Cell], beside: list[tuple[str, str]], at: Spot
    ) -> None:
        title = next((cell.text.strip() for cell in read.values()), "")
        found = rule_of(title, beside)
        if found is None:
            raise BadInputError("a special rule has no text", place=at.place(self.book.file))
        self.spots["special_rules", str(len(self.special_rules))] = at
        self.special_rules.append(found)

    def _unit(self, table: Table, read: Mapping[int, Cell], at: Spot, side: str) -> None:
        said: dict[str, Value] = {}
        values: dict[str, Value] = {}
        spots: dict[str, Spot] = {}
        count = 1
        for i, cell in read.items():
            column = table.header.columns[i]
            spot = replace(at, column=column.title, number=i)
            text, several = self._counted(column, cell)
            count = several or count
            value = self._value(replace(cell, text=text), column.kind, spot, column.key)
            spots[column.key] = spot
            if column.key.startswith(VALUE):
                values[column.key.removeprefix(VALUE)] = value
            else:
                said[column.key] = value
        if "count" in said:
            count = int(str(said.pop("count")))
        if not 1 <= count <= _MOST_OF_A_ROW:
            raise BadInputError(
                f"a row stands for 1 to {_MOST_OF_A_ROW} units, not {count}",
                place=spots.get("count", at).place(self.book.file),
            )
        if side and "side" not in said:
            said["side"] = side
        for key in ("side", *(k for k in said if k != "side")):
            if key in said:
                said[key] = self._spelt(key, said[key], str(said.get("side", "")))
        unit = said.pop("id", "")
        if not isinstance(unit, str) or not (unit or "type" in said):
            raise BadInputError(
                "a row without a unit", place=at.place(self.book.file), hint="or begin it with #"
            )
        columns = table.header.keys
        own = frozenset(key for key in columns if not key.startswith(VALUE))
        free = frozenset(key.removeprefix(VALUE) for key in columns if key.startswith(VALUE))
        bare = self.typed and len(read) == 1 and "id" in spots
        for number in range(1, count + 1):
            self.rows.append(Row(at, unit, said, values, spots, own, free, (number, count), bare))

    def _counted(self, column: Titled, cell: Cell) -> tuple[str, int]:
        """The text of a cell without the number before it: '3 x rifle division' is three."""
        found = _COUNTED.fullmatch(cell.text.strip()) if column.key in ("id", "type") else None
        if found is None:
            if column.key == "turn" and (turn := _NUMBERED.fullmatch(cell.text.strip())):
                # "Turn 3", "Runde 3", "GT 3".
                return turn[1], 0
            return cell.text, 0
        return found[2] or found[4], int(found[1] or found[3])

    def _value(self, cell: Cell, kind: ColumnKind, spot: Spot, key: str) -> Value:
        place = spot.place(self.book.file)
        match cell.kind:
            case CellKind.UNCALCULATED:
                raise BadInputError(
                    f"the formula {cell.formula[:40]} has no value",
                    place=place,
                    hint="open the workbook in a spreadsheet and save it: that calculates it",
                )
            case CellKind.ERROR:
                raise BadInputError(f"the spreadsheet shows {cell.text}", place=place)
            case CellKind.DATE:
                raise BadInputError(
                    f"this is the date {cell.text}",
                    place=place,
                    hint="spreadsheets make dates of text such as 7-12: format the column as text "
                    "and write it again",
                )
        text = cell.text
        if self.typed and text.lstrip().startswith("="):
            # A cell of text, which no spreadsheet would calculate.
            text = f"'{text.lstrip()}"
        try:
            value = read_cell(text, kind)
            assert value is not ABSENT
            free = key == ENTRY or key.startswith(VALUE)
            return value if free else _typed(value, kind)
        except HexMarshalError as error:
            raise error.at(place) from None

    def _spelt(self, key: str, value: Value, side: str) -> Value:
        what = _SPELT.get(key, "")
        if not what:
            return value
        if isinstance(value, list):
            return [self.lexicon.spell(what, v, side) if isinstance(v, str) else v for v in value]
        return self.lexicon.spell(what, value, side) if isinstance(value, str) else value


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
