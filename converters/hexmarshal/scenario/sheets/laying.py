"""Lays a sheet onto a scenario: its units, and where they begin."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from hexmarshal.geometry.sourced import Sourced
from hexmarshal.scenario.consistency import places_of
from hexmarshal.scenario.model import Reinforcement, Setup, UnitEntry
from hexmarshal.scenario.sheets.columns import DEFAULTS, OWN, PLACES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.scenario.model import Scenario
    from hexmarshal.scenario.sheets.rows import Row, Sheet

__all__ = ["lay"]


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
        (group, [((-1, i), u) for i, u in enumerate(group.units) if u not in moved])
        for group in base.reinforcements
    ]
    for number, row in enumerate(sheet.rows):
        _place(sheet, row, number, places, groups)
    reinforcements = tuple(
        replace(group, units=tuple(u for _, u in sorted(members)))
        for group, members in groups
        if members
    )
    laid = replace(laid, setup=places.setup(), reinforcements=reinforcements)
    _note_places(laid, sheet, source)
    return laid, source


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
    unsaid = {name: DEFAULTS[name] for name in OWN & sheet.columns if name not in ("side", "type")}
    kept = {k: v for k, v in known.values.items() if k not in sheet.value_columns}
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


def _note_places(laid: Scenario, sheet: Sheet, source: Sourced) -> None:
    lines = {row.id: row.line for row in sheet.rows}
    for unit, keys, _, _ in places_of(laid):
        if unit in lines:
            source.lines[keys] = lines[unit]
