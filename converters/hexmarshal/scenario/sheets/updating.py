"""Writes a scenario into a user's own workbook: only cells that say something else are changed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import Place
from hexmarshal.scenario.sheets.cells import ColumnKind, write_cell
from hexmarshal.scenario.sheets.columns import COLUMNS, ENTRY, VALUE, value_header
from hexmarshal.scenario.sheets.lexicon import same_name
from hexmarshal.scenario.sheets.listing import said_of, said_places, typed_cell
from hexmarshal.scenario.sheets.rows import sheet_in
from hexmarshal.scenario.sheets.tables import tables_of
from hexmarshal.workbook import Change, change_workbook

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hexmarshal.scenario.model import Scenario, UnitEntry, Value
    from hexmarshal.scenario.sheets.lexicon import Lexicon
    from hexmarshal.scenario.sheets.sheet_rows import Row
    from hexmarshal.scenario.sheets.tables import Table
    from hexmarshal.workbook import Workbook
    from hexmarshal.workbook.model import NewValue

__all__ = ["Update", "update_workbook"]

_KINDS: Final = {column.key: column.kind for column in COLUMNS}
_TITLES: Final = {column.key: column.title for column in COLUMNS}


@dataclass(frozen=True, slots=True)
class Update:
    """A workbook as changed: its bytes, and what was done, in words."""

    data: bytes
    cells: int
    notes: tuple[str, ...]


def update_workbook(data: bytes, book: Workbook, scenario: Scenario, lexicon: Lexicon) -> Update:
    """The workbook with what the scenario says of its units; all else of it stays as it is.

    Units that have no row get one under the last; rows of units that are no more are emptied. What
    no column is there for gets one. A row that counts several units is told apart if they differ.
    """
    writer = _Writer(book, scenario, lexicon)
    writer.compare()
    return Update(
        change_workbook(data, book, list(writer.changes.values())),
        len(writer.changes),
        tuple(writer.notes),
    )


@dataclass(slots=True)
class _Place:
    """The table that new rows and columns go to."""

    sheet: str
    table: Table
    columns: dict[str, int] = field(default_factory=dict)
    last: int = 0


class _Writer:
    def __init__(self, book: Workbook, scenario: Scenario, lexicon: Lexicon) -> None:
        self.book, self.scenario, self.lexicon = book, scenario, lexicon
        self.typed = not book.separator
        self.changes: dict[tuple[str, int, int], Change] = {}
        self.notes: list[str] = []
        self.rows = sheet_in(book, lexicon).rows
        self.said = {
            unit.id: _said(unit, places)
            for places in (said_places(scenario),)
            for unit in scenario.units.values()
        }
        self.ordered: frozenset[str] = frozenset()
        self.places = {place.sheet: place for place in self._tables()}

    def _tables(self) -> Iterator[_Place]:
        """The last table of units of each sheet."""
        for page in self.book.sheets:
            if page.title.startswith("#"):
                continue
            place = Place(file=self.book.file, sheet=page.title or None)
            _, tables = tables_of(page, self.lexicon.kinds, place, typed=self.typed)
            for table in reversed(tables):
                if table.header.lists_units and not page.hidden:
                    columns = {one.key: one.number for one in table.header.columns.values()}
                    last = max((row.number for row in table.rows), default=table.last)
                    yield _Place(page.title, table, columns, last)
                    break

    def compare(self) -> None:
        known = {same_name(unit): unit for unit in self.scenario.units}
        rows: dict[tuple[str, int], list[tuple[str, Row]]] = {}
        for row in self.rows:
            unit = row.id if row.id in self.said else known.get(same_name(row.id), row.id)
            rows.setdefault((row.at.sheet, row.at.row), []).append((unit, row))
        listed = [unit for members in rows.values() for unit, _ in members]
        self.ordered = self._out_of_order([*listed, *self.scenario.units])
        for members in rows.values():
            self._group(members)
        for unit in self.scenario.units:
            if unit not in listed:
                self._append(unit)
                self.notes.append(f"{unit} had no row: it has one now")

    def _out_of_order(self, listed: list[str]) -> frozenset[str]:
        """The units of stacks that lie otherwise than their rows stand."""
        number = {unit: i for i, unit in reversed(list(enumerate(listed)))}
        setup = self.scenario.setup
        stacks = [s for part in (setup.cells, setup.boxes, setup.carried) for s in part.values()]
        stacks += [group.units for group in self.scenario.reinforcements]
        return frozenset(
            unit
            for stack in stacks
            if list(stack) != sorted(stack, key=lambda unit: number.get(unit, 0))
            for unit in stack
        )

    def _group(self, members: list[tuple[str, Row]]) -> None:
        """The units of one row of the workbook; more than one where it counts them."""
        (first, row), *others = members
        if first not in self.said and all(unit not in self.said for unit, _ in others):
            self._empty(row)
            return
        if not others:
            self._bring_up_to_date(first, row)
            return
        alike = all(unit in self.said and not self._differences(unit, one) for unit, one in members)
        if alike:
            return
        self.notes.append(f"{row.at}: its units are no longer alike: each has a row of its own now")
        stays = next(unit for unit, _ in members if unit in self.said)
        self._write(row, "id", stays)
        self._write(row, "count", None)
        kind = self.said[stays].get("type")
        if "type" in row.spots:
            self._write(row, "type", kind)
        self._bring_up_to_date(stays, row)
        for unit, _ in members:
            if unit in self.said and unit != stays:
                self._append(unit)

    def _differences(self, unit: str, row: Row) -> dict[str, Value]:
        """What is to be written otherwise than the row has it; None where nothing is said."""
        said = self.said[unit]
        told: dict[str, Value] = {**row.said, **{VALUE + k: v for k, v in row.values.items()}}
        told = {key: value for key, value in told.items() if key not in ("id", "count")}
        found: dict[str, Value] = {}
        for key in {**told, **said}:
            if key == "id" or (key == "order" and key not in told and unit not in self.ordered):
                continue
            if said.get(key) != told.get(key) and not _is_default(key, said, told):
                found[key] = said.get(key)
        return found

    def _bring_up_to_date(self, unit: str, row: Row) -> None:
        for key, value in self._differences(unit, row).items():
            self._write(row, key, value)

    def _empty(self, row: Row) -> None:
        for spot in row.spots.values():
            self._put(spot.sheet, spot.row, spot.number, None)
        self.notes.append(f"{row.at}: {row.id} is no more, and its cells are empty now")

    def _append(self, unit: str) -> None:
        place = next(iter(self.places.values()))
        place.last += 1
        for key, value in self.said[unit].items():
            if key == "order" and key not in place.columns and unit not in self.ordered:
                continue
            number = self._column(place, key)
            self._put(place.sheet, place.last, number, self._cell(key, value))

    def _write(self, row: Row, key: str, value: Value) -> None:
        spot = row.spots.get(key)
        if spot is not None:
            self._put(spot.sheet, spot.row, spot.number, self._cell(key, value))
            return
        place = self._place_for(row, key)
        if value is None and key not in place.columns:
            return
        at = next((s.row for s in row.spots.values() if s.sheet == place.sheet), row.at.row)
        self._put(place.sheet, at, self._column(place, key), self._cell(key, value))

    def _place_for(self, row: Row, key: str) -> _Place:
        """The table with a row for the unit that has this column, else the one that it is in."""
        own = {spot.sheet for spot in row.spots.values()}
        for sheet in own:
            if key in self.places[sheet].columns:
                return self.places[sheet]
        return self.places[row.at.sheet]

    def _column(self, place: _Place, key: str) -> int:
        if key not in place.columns:
            header = place.table.header
            taken = [*place.columns.values(), *header.unread]
            place.columns[key] = max(taken) + 1
            title = _TITLES.get(key) or value_header(key.removeprefix(VALUE), self.lexicon.kinds)
            if key == "count":
                title = "Count"
            self._put(place.sheet, place.table.last, place.columns[key], title)
            self.notes.append(f"a column {title!r} was added")
        return place.columns[key]

    def _cell(self, key: str, value: Value) -> NewValue:
        if value is None:
            return None
        kind = self.lexicon.kinds.get(key.removeprefix(VALUE), ColumnKind.ANY)
        if key == ENTRY:
            kind = self.lexicon.kinds.get(ENTRY, ColumnKind.ANY)
        elif not key.startswith(VALUE):
            kind = _KINDS.get(key, ColumnKind.ANY)
        return typed_cell(value, kind) if self.typed else write_cell(value, kind)

    def _put(self, sheet: str, row: int, column: int, value: NewValue) -> None:
        self.changes[sheet, row, column] = Change(sheet, row, column, value)


def _said(unit: UnitEntry, places: Mapping[str, Mapping[str, Value]]) -> dict[str, Value]:
    said = said_of(unit, places)
    return said | {VALUE + name: value for name, value in unit.values.items()}


def _is_default(key: str, said: Mapping[str, Value], told: Mapping[str, Value]) -> bool:
    """Whether a row merely spells out what is so by default, such as one step."""
    return key not in said and told.get(key) in ({"steps": 1, "level": 0}.get(key), [])
