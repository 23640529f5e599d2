"""Lists the units of a scenario as a sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.scenario.sheets.cells import ColumnKind, write_cell
from hexmarshal.scenario.sheets.columns import COLUMNS, DEFAULTS, ENTRY, OWN, Part, value_header
from hexmarshal.workbook.csv_text import write_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hexmarshal.scenario.model import Scenario, UnitEntry, Value

__all__ = ["write_sheet"]


def write_sheet(
    scenario: Scenario,
    part: Part = Part.BOTH,
    kinds: Mapping[str, ColumnKind] | None = None,
    separator: str = ",",
) -> bytes:
    """The units of a scenario as CSV; columns that nobody needs are left out."""
    kinds = kinds or {}
    places = _said_places(scenario)
    rows = []
    for unit in _in_order(scenario):
        said = {name: _plain(getattr(unit, name)) for name in OWN if _is_said(unit, name)}
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
            write_cell(unit.values[name], kinds.get(name, ColumnKind.ANY))
            if name in unit.values
            else ""
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
    return bool(getattr(unit, name) != DEFAULTS[name])


def _plain(value: object) -> Value:
    plain: Value = list(value) if isinstance(value, tuple) else value  # type: ignore[assignment]
    return plain
