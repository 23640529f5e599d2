"""Lays a sheet onto a scenario: its units, and where they begin."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.errors import Place
from hexmarshal.geometry.values_with_lines import Sourced
from hexmarshal.scenario.model import Reinforcement, Setup, UnitEntry
from hexmarshal.scenario.sheets.columns import DEFAULTS, OWN, PLACES, VALUE
from hexmarshal.scenario.sheets.lexicon import same_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hexmarshal.geometry.values_with_lines import Keys
    from hexmarshal.scenario.model import Scenario
    from hexmarshal.scenario.sheets.sheet_rows import Row, Sheet

__all__ = ["SheetSource", "lay"]


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


def lay(sheet: Sheet, base: Scenario, *, replacing: bool = False) -> tuple[Scenario, SheetSource]:
    """The scenario with what the sheet says of its units, and where each part of that was said.

    Units that the sheet does not list, and what it has no column for, stay as they are; `replacing`
    takes the others out. A sheet with a column for places tells each of its units' place anew.
    """
    rows = [row for row in _known_by_their_names(sheet, base) if not _is_heading(row, base)]
    told = {row.id for row in rows}
    units = {key: unit for key, unit in base.units.items() if key in told or not replacing}
    for row in rows:
        units[row.id] = _unit(sheet, row, units.get(row.id))
    source = SheetSource(None, sheet.file, rows={row.id: row for row in rows}, sheet=sheet)
    facts: dict[str, Any] = dict(sheet.fields)
    areas, markers = {**base.areas, **sheet.areas}, {**base.markers, **sheet.markers}
    laid = replace(
        base,
        **facts,
        units=units,
        areas=areas,
        markers=markers,
        objectives=sheet.objectives or base.objectives,
        special_rules=sheet.special_rules or base.special_rules,
    )
    source.scenario = laid
    moved = {row.id for row in rows if row.columns & PLACES}
    if not moved and not replacing:
        return laid, source
    places = _Places()
    for kind in places.stacks:
        stacks: Mapping[str, tuple[str, ...]] = getattr(base.setup, kind)
        for name, stack in stacks.items():
            # Kept although all may leave it: places stay in their order.
            places.stacks[kind][name] = []
            for i, unit in enumerate(stack):
                if unit not in moved and unit in units:
                    places.add(kind, name, (-1, i), unit)
    groups = [
        (group, [((-1, i), u) for i, u in enumerate(group.units) if u in units and u not in moved])
        for group in base.reinforcements
    ]
    for number, row in enumerate(rows):
        if row.id in moved:
            _place(sheet, row, number, places, groups)
    reinforcements = tuple(
        replace(group, units=tuple(u for _, u in sorted(members)))
        for group, members in groups
        if members
    )
    laid = replace(laid, setup=places.setup(), reinforcements=reinforcements)
    source.scenario = laid
    return laid, source


def _known_by_their_names(sheet: Sheet, base: Scenario) -> Iterator[Row]:
    """The rows with the ids that the scenario has: INF-294 is inf-294, and no second one."""
    alike: dict[str, list[str]] = {}
    for unit in base.units:
        alike.setdefault(same_name(unit), []).append(unit)
    listed = {row.id for row in sheet.rows}
    by_name = {same_name(row.id): row.id for row in sheet.rows}

    def known(name: str) -> str:
        if name in base.units:
            return name
        meant = alike.get(same_name(name), ())
        if len(meant) == 1 and meant[0] not in listed:
            return meant[0]
        return name if name in listed else by_name.get(same_name(name), name)

    for row in sheet.rows:
        carrier = row.said.get("carrier")
        said = {**row.said, "carrier": known(carrier)} if isinstance(carrier, str) else row.said
        yield replace(row, id=known(row.id), said=said)


def _is_heading(row: Row, base: Scenario) -> bool:
    """Whether a row with nothing but a name is a heading, and no unit."""
    return row.bare and row.id not in base.units


def _unit(sheet: Sheet, row: Row, known: UnitEntry | None) -> UnitEntry:
    said: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in row.said.items()
        if name in OWN
    }
    if not _are_bonds(said.get("bonds", {})):
        raise sheet.error("bonds name units by role", row, "bonds", 'write json:{"tows":["t1"]}')
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
    unsaid = {name: DEFAULTS[name] for name in OWN & row.columns if name not in ("side", "type")}
    kept = {k: v for k, v in known.values.items() if k not in row.value_columns}
    return replace(known, **{**unsaid, **said, "values": {**kept, **row.values}})


def _are_bonds(value: object) -> bool:
    return isinstance(value, dict) and all(
        isinstance(units, list) and all(isinstance(unit, str) for unit in units)
        for units in value.values()
    )


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


@dataclass(slots=True)
class SheetSource(Sourced):
    """Where each part of a scenario was said in the sheets: file, sheet, row and column."""

    rows: Mapping[str, Row] = field(default_factory=dict)
    sheet: Sheet | None = None
    scenario: Scenario | None = None

    def place(self, *keys: str | int) -> Place:
        """Where the part under these keys is said."""
        unit, column = self._said(keys)
        row = self.rows.get(unit)
        if row is not None:
            spot = row.spots.get(column, row.at)
            return spot.place(self.file, row.id)
        spots = self.sheet.spots if self.sheet is not None else {}
        named = tuple(map(str, keys))
        for end in range(len(named), 0, -1):
            if named[:end] in spots:
                return spots[named[:end]].place(self.file)
        return Place(file=self.file, field=".".join(named) or None)

    def _said(self, keys: Keys) -> tuple[str, str]:
        """The unit whose row says this, and the column."""
        scenario = self.scenario
        if scenario is None or not keys:
            return "", ""
        head, rest = keys[0], keys[1:]
        if head == "units" and len(rest) > 1:
            what = str(rest[2]) if len(rest) > 2 else ""
            if what == "values" and len(rest) > 3:
                return str(rest[1]), self._value_column(str(rest[3]))
            return str(rest[1]), what
        if head == "setup" and len(rest) > 1:
            stack = getattr(scenario.setup, str(rest[0]), {}).get(str(rest[1]), ())
            i = rest[2] if len(rest) > 2 and isinstance(rest[2], int) else 0
            return (stack[i] if i < len(stack) else ""), _COLUMN_OF.get(str(rest[0]), "")
        if head == "reinforcements" and rest and isinstance(rest[0], int):
            group = scenario.reinforcements[rest[0]].units
            i = rest[2] if len(rest) > 2 and isinstance(rest[2], int) else 0
            column = str(rest[1]) if len(rest) > 1 and rest[1] != "units" else "turn"
            listed = [unit for unit in group if unit in self.rows] or list(group)
            return (group[i] if i and i < len(group) else listed[0] if listed else ""), column
        return "", ""

    def _value_column(self, name: str) -> str:
        """Where a value of a unit is told; when it arrives, and where, in columns of their own."""
        own = {key for row in self.rows.values() for key in row.spots}
        if VALUE + name in own:
            return VALUE + name
        return next((key for key in ("entry", "turn") if key in name), VALUE + name)


_COLUMN_OF: Final = {"cells": "cell", "boxes": "box", "carried": "carrier", "areas": "area"}
