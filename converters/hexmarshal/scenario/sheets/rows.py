"""Units and their places as rows of a sheet, and a sheet laid onto a scenario."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.errors import BadInputError, HexMarshalError, Place
from hexmarshal.geometry.sourced import Sourced
from hexmarshal.scenario.model import Reinforcement, Scenario, Setup, UnitEntry, Value
from hexmarshal.scenario.sheets.cells import ABSENT, Kind, read_cell, write_cell
from hexmarshal.scenario.sheets.columns import (
    COLUMNS,
    ENTRY,
    PLACES,
    Header,
    Part,
    known_columns,
    value_header,
)
from hexmarshal.scenario.sheets.table import read_table, write_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["Row", "Sheet", "lay", "read_sheet", "write_sheet"]

# Fields of a unit that have a column of the same name.
_OWN: Final = frozenset(f.name for f in fields(UnitEntry)) - {"id", "values"}


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
    kinds: Mapping[str, Kind] | None = None,
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


def _typed(value: Value, kind: Kind) -> Value:
    """What `json:` may have brought into a column that has a type."""
    fits = {
        Kind.TEXT: isinstance(value, str),
        Kind.WHOLE: isinstance(value, int) and not isinstance(value, bool),
        Kind.LIST: isinstance(value, list) and all(isinstance(item, str) for item in value),
    }
    if not fits.get(kind, True):
        raise BadInputError(f"must be {kind.value}")
    return value


# A sheet onto a scenario


@dataclass(slots=True)
class _Places:
    """Stacks being put together; a place in the list is kept for the order of rows."""

    stacks: dict[str, dict[str, list[tuple[tuple[int, int], str]]]] = field(
        default_factory=lambda: {"cells": {}, "boxes": {}, "carried": {}, "areas": {}}
    )

    def add(self, kind: str, name: str, order: tuple[int, int], unit: str) -> None:
        self.stacks[kind].setdefault(name, []).append((order, unit))

    def setup(self) -> Setup:
        return Setup(
            **{
                kind: {
                    name: tuple(u for _, u in sorted(stack))
                    for name, stack in places.items()
                    if stack
                }
                for kind, places in self.stacks.items()
            }
        )


def lay(sheet: Sheet, base: Scenario) -> tuple[Scenario, Sourced]:
    """The scenario with what the sheet says of its units, and where each part of that was said.

    Units that the sheet does not list, and what it has no column for, stay as they are. A sheet
    with a column for places tells each of its units' place anew.
    """
    units = dict(base.units)
    for row in sheet.rows:
        units[row.id] = _unit(sheet, row, units.get(row.id))
    source = Sourced(None, sheet.file)
    for row in sheet.rows:
        source.lines["units", units[row.id].side, row.id] = row.line
    laid = replace(base, units=units)
    if not sheet.columns & PLACES:
        return laid, source
    moved = {row.id for row in sheet.rows}
    places = _Places()
    for kind in places.stacks:
        stacks: Mapping[str, tuple[str, ...]] = getattr(base.setup, kind)
        for name, stack in stacks.items():
            # Kept although all may leave it: places stay in their order.
            places.stacks[kind][name] = []
            for i, unit in enumerate(stack):
                if unit not in moved:
                    places.add(kind, name, (-1, i), unit)
    groups = [
        (replace(group, units=stay), [((-1, i), u) for i, u in enumerate(stay)])
        for group in base.reinforcements
        if (stay := tuple(u for u in group.units if u not in moved))
    ]
    for number, row in enumerate(sheet.rows):
        _place(sheet, row, number, places, groups)
    reinforcements = tuple(
        replace(group, units=tuple(u for _, u in sorted(members))) for group, members in groups
    )
    laid = replace(laid, setup=places.setup(), reinforcements=reinforcements)
    _note_places(laid, sheet, source)
    return laid, source


def _unit(sheet: Sheet, row: Row, known: UnitEntry | None) -> UnitEntry:
    said: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in row.said.items()
        if name in _OWN
    }
    if known is None:
        for name in ("side", "type"):
            if name not in said:
                raise sheet.error(
                    f"the unit {row.id} is new and has no {name}",
                    row,
                    name,
                    "give it one, or lay the sheet onto a scenario that has the unit with --onto",
                )
        return UnitEntry(row.id, values=dict(row.values), **said)
    unsaid = {
        f.name: f.default
        for f in fields(UnitEntry)
        if f.name in _OWN & sheet.columns and f.name not in ("side", "type")
    }
    kept = {k: v for k, v in known.values.items() if k not in sheet.value_columns}
    return replace(known, **{**unsaid, **said, "values": {**kept, **row.values}})


def _place(
    sheet: Sheet,
    row: Row,
    number: int,
    places: _Places,
    groups: list[tuple[Reinforcement, list[tuple[tuple[int, int], str]]]],
) -> None:
    said = row.said
    given = [name for name in ("cell", "box", "carrier", "turn") if name in said]
    if len(given) > 1:
        raise sheet.error(f"a unit has one place, not {' and '.join(given)}", row, given[1])
    if "entry" in said and "turn" not in said:
        raise sheet.error("an entry needs the turn of the arrival", row, "entry")
    order = said.get("order")
    at = (order if isinstance(order, int) else 0, number)
    for column, kind in (("cell", "cells"), ("box", "boxes"), ("carrier", "carried")):
        if column in said:
            places.add(kind, str(said[column]), at, row.id)
    if "area" in said:
        places.add("areas", str(said["area"]), (0, number) if given else at, row.id)
    turn = said.get("turn")
    if isinstance(turn, int):
        entry = said.get("entry")
        for group, members in groups:
            if (group.turn, group.entry) == (turn, entry):
                members.append((at, row.id))
                return
        groups.append((Reinforcement(turn, (), entry), [(at, row.id)]))


def _note_places(laid: Scenario, sheet: Sheet, source: Sourced) -> None:
    from hexmarshal.scenario.consistency import places_of

    lines = {row.id: row.line for row in sheet.rows}
    for unit, keys, _, _ in places_of(laid):
        if unit in lines:
            source.lines[keys] = lines[unit]


# A scenario as a sheet


def write_sheet(
    scenario: Scenario,
    part: Part = Part.BOTH,
    kinds: Mapping[str, Kind] | None = None,
    separator: str = ",",
) -> bytes:
    """The units of a scenario as CSV; columns that nobody needs are left out."""
    kinds = kinds or {}
    places = _said_places(scenario)
    rows = []
    for unit in _in_order(scenario):
        said = {name: _plain(getattr(unit, name)) for name in _OWN if _is_said(unit, name)}
        rows.append((unit, {"id": unit.id, **said, **places.get(unit.id, {})}))
    wanted = (Part.BOTH, part) if part is not Part.BOTH else tuple(Part)
    always = {"id", "side", "type"} if part is not Part.SETUP else {"id", "cell"}
    columns = [
        column
        for column in COLUMNS
        if column.part in wanted
        and (column.key in always or any(column.key in said for _, said in rows))
    ]
    values = sorted({name for unit, _ in rows for name in unit.values})
    if part is Part.SETUP:
        values = []
    table = [[c.title for c in columns] + [value_header(name, kinds) for name in values]]
    for unit, said in rows:
        fixed = [
            write_cell(said[c.key], kinds.get(ENTRY, c.kind) if c.key == ENTRY else c.kind)
            if c.key in said
            else ""
            for c in columns
        ]
        free = [
            write_cell(unit.values[name], kinds.get(name, Kind.ANY)) if name in unit.values else ""
            for name in values
        ]
        table.append(fixed + free)
    return write_table(table, separator)


def _in_order(scenario: Scenario) -> Iterator[UnitEntry]:
    """Side by side; reinforcements last, group by group, which keeps the order of the groups."""
    late = [u for g in scenario.reinforcements for u in g.units if u in scenario.units]
    waiting = set(late)
    sides = list(scenario.sides or ())
    sides += [unit.side for unit in scenario.units.values()]
    for side in dict.fromkeys(sides):
        for unit in scenario.units.values():
            if unit.side == side and unit.id not in waiting:
                yield unit
    yield from (scenario.units[unit] for unit in dict.fromkeys(late))


def _said_places(scenario: Scenario) -> dict[str, dict[str, Value]]:
    setup = scenario.setup
    said: dict[str, dict[str, Value]] = {}
    for column, stacks in (
        ("cell", setup.cells),
        ("box", setup.boxes),
        ("carrier", setup.carried),
        ("area", setup.areas),
    ):
        for name, stack in stacks.items():
            for i, unit in enumerate(stack, 1):
                row = said.setdefault(unit, {})
                if len(stack) > 1 and not row:
                    row["order"] = i
                row[column] = name
    for group in scenario.reinforcements:
        for i, unit in enumerate(group.units, 1):
            row = said.setdefault(unit, {})
            row["turn"] = group.turn
            if len(group.units) > 1:
                row["order"] = i
            if group.entry is not None:
                row["entry"] = group.entry
    return said


def _is_said(unit: UnitEntry, name: str) -> bool:
    default = {f.name: f.default for f in fields(UnitEntry)}[name]
    return bool(getattr(unit, name) != default)


def _plain(value: object) -> Value:
    plain: Value = list(value) if isinstance(value, tuple) else value  # type: ignore[assignment]
    return plain
