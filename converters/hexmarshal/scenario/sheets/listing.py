"""Lists the units of a scenario as a sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.scenario.model import MarkerEntry
from hexmarshal.scenario.sheets.cells import ColumnKind, read_cell, write_cell
from hexmarshal.scenario.sheets.columns import (
    COLUMNS,
    DEFAULTS,
    ENTRY,
    OWN,
    Part,
    is_total,
    value_header,
)
from hexmarshal.workbook import NewSheet, make_workbook
from hexmarshal.workbook.reading import CSV_ENDINGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hexmarshal.scenario.model import Scenario, UnitEntry, Value
    from hexmarshal.workbook.model import NewValue

__all__ = [
    "facts_of",
    "marker_table",
    "objective_table",
    "rule_table",
    "said_of",
    "said_places",
    "typed_cell",
    "unit_table",
    "write_sheet",
]


def write_sheet(
    scenario: Scenario,
    part: Part = Part.BOTH,
    kinds: Mapping[str, ColumnKind] | None = None,
    separator: str = ",",
    name: str = "units.csv",
) -> bytes:
    """The units of a scenario as a sheet; columns that nobody needs are left out.

    A workbook (.xlsx, .ods) has sheets of its own for the areas and for the scenario as a whole.
    """
    typed = not name.lower().endswith(CSV_ENDINGS)
    units = unit_table(scenario, part, kinds or {}, typed=typed)
    if not typed:
        return make_workbook([NewSheet("Units", units)], name, separator)
    sheets = [NewSheet("Units", units)]
    if scenario.areas and part is not Part.BATTLE:
        areas = [
            [
                typed_cell(a.key, ColumnKind.TEXT),
                typed_cell(a.title, ColumnKind.TEXT),
                typed_cell([*a.cells], ColumnKind.LIST),
            ]
            for a in scenario.areas.values()
        ]
        sheets.append(NewSheet("Areas", [["Area", "Title", "Cells"], *areas]))
    if scenario.markers and part is not Part.BATTLE:
        sheets.append(NewSheet("Markers", marker_table(scenario)))
    if scenario.objectives and part is not Part.BATTLE:
        sheets.append(NewSheet("Objectives", objective_table(scenario)))
    if scenario.special_rules and part is not Part.BATTLE:
        sheets.append(NewSheet("Special rules", rule_table(scenario)))
    facts = [[title, typed_cell(v, ColumnKind.ANY)] for title, v in facts_of(scenario)]
    return make_workbook([*sheets, NewSheet("Scenario", [["Scenario", None], *facts])], name)


def marker_table(scenario: Scenario) -> list[list[NewValue]]:
    """The titles, and a row for each marker, as in a sheet of a workbook."""
    columns = [("Marker", "id"), ("Type", "kind"), ("Side", "side"), ("Cell", "cell")]
    more = [("Unit", "unit"), ("Box", "box"), ("Facing", "facing"), ("Level", "level")]
    more += [("Seen by", "seen_by"), ("Known to", "known_to"), ("Face", "face")]
    bare = MarkerEntry("", "")
    markers = list(scenario.markers.values())
    columns += [
        (title, key)
        for title, key in more
        if any(getattr(one, key) != getattr(bare, key) for one in markers)
    ]
    values = sorted({name for one in markers for name in one.values})
    rows: list[list[NewValue]] = [[*(t for t, _ in columns), *(f"value:{v}" for v in values)]]
    for one in markers:
        said = [_plain(getattr(one, key)) for _, key in columns]
        cells = [
            typed_cell(v, ColumnKind.LIST if isinstance(v, list) else ColumnKind.TEXT)
            if isinstance(v, str | list) and v != ""
            else v
            if isinstance(v, int)
            else None
            for v in said
        ]
        free = [
            typed_cell(one.values[v], ColumnKind.ANY) if v in one.values else None for v in values
        ]
        rows.append([*cells, *free])
    return rows


def objective_table(scenario: Scenario) -> list[list[NewValue]]:
    """The titles, and a row for each objective."""
    facts = sorted({name for one in scenario.objectives for name in one.facts})
    rows: list[list[NewValue]] = [["Objective", "Cell", "Area", *(f"value:{f}" for f in facts)]]
    for one in scenario.objectives:
        said = (one.text, one.cell, one.area)
        words = [typed_cell(text, ColumnKind.TEXT) if text else None for text in said]
        told = [typed_cell(one.facts[f], ColumnKind.ANY) if f in one.facts else None for f in facts]
        rows.append([*words, *told])
    return rows


def rule_table(scenario: Scenario) -> list[list[NewValue]]:
    """The titles, and a row for each special rule."""
    rows: list[list[NewValue]] = [["Special rule", "Text", "Rules"]]
    for one in scenario.special_rules:
        title, text = (typed_cell(t, ColumnKind.TEXT) if t else None for t in (one.title, one.text))
        rows.append([title, text, typed_cell([*one.rules], ColumnKind.LIST) if one.rules else None])
    return rows


def facts_of(scenario: Scenario) -> Iterator[tuple[str, Value]]:
    """What is told of a scenario as a whole in a sheet of its own: titles and values."""
    for name in ("game", "title", "based_on", "map", "turns", "summary", "author"):
        value = getattr(scenario, name)
        if value:
            yield name.replace("_", " ").capitalize(), value
    for name in ("source", "licence", "victory"):
        if getattr(scenario, name):
            yield name.capitalize(), getattr(scenario, name)


def unit_table(
    scenario: Scenario, part: Part, kinds: Mapping[str, ColumnKind], *, typed: bool
) -> list[list[NewValue]]:
    """The titles, and a row for each unit; `typed` for the cells of a workbook."""
    places = said_places(scenario)
    rows = [(unit, said_of(unit, places)) for unit in _in_order(scenario)]
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
    write = typed_cell if typed else write_cell
    titles = [c.title for c in columns] + [value_header(name, kinds) for name in values]
    table: list[list[NewValue]] = [[*titles]]
    for unit, said in rows:
        fixed: list[NewValue] = [
            write(said[c.key], kinds.get(ENTRY, c.kind) if c.key == ENTRY else c.kind)
            if c.key in said
            else None
            for c in columns
        ]
        free: list[NewValue] = [
            write(unit.values[name], kinds.get(name, ColumnKind.ANY))
            if name in unit.values
            else None
            for name in values
        ]
        table.append(fixed + free)
    return table


def said_of(unit: UnitEntry, places: Mapping[str, Mapping[str, Value]]) -> dict[str, Value]:
    """What the columns say of a unit: what is not as by default."""
    said = {name: _plain(getattr(unit, name)) for name in OWN if _is_said(unit, name)}
    return {"id": unit.id, **said, **places.get(unit.id, {})}


def typed_cell(value: Value, kind: ColumnKind) -> NewValue:
    """The content of a cell of a workbook, which keeps text and numbers as they are."""
    if isinstance(value, bool):
        return value if kind in (ColumnKind.TRUTH, ColumnKind.ANY) else write_cell(value, kind)
    if isinstance(value, int):
        return value if kind in (ColumnKind.WHOLE, ColumnKind.ANY) else write_cell(value, kind)
    if not isinstance(value, str):
        text = write_cell(value, kind)
        plain = text.removeprefix("'")
        return plain if kind is ColumnKind.LIST and read_cell(plain, kind) == value else text
    return value if _stays(value, kind) else write_cell(value, kind)


def _stays(text: str, kind: ColumnKind) -> bool:
    """Whether text that stands in a workbook as it is comes back as it is."""
    if not text or text != text.strip() or text[0] in "'#=" or not text.isprintable():
        return False
    counted = text[0].isdigit() and any(sign in text for sign in "x×*")
    return not counted and not is_total(text) and read_cell(text, kind) == text


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


def said_places(scenario: Scenario) -> dict[str, dict[str, Value]]:
    """What the columns for places say of each unit."""
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
