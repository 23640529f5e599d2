"""Units that their players have yet to set up: where they lie on a table until then."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.scenario.model import Scenario
    from hexmarshal.table.binding import Binding

__all__ = ["laid_out", "still_waiting", "where_they_wait", "without_deployment"]


def laid_out(
    plugin: GamePlugin, binding: Binding, scenario: Scenario, position: Position
) -> Position:
    """The position with every unit that has a set-up area alone on a cell of that area.

    Units go round the cells of their area, past those that an enemy holds. Where the module has a
    place for units that are not set up yet, they lie there, as the position says.
    """
    units = position.units
    for key, waiting in scenario.setup.areas.items():
        area = scenario.areas.get(key)
        cells = [c for c in area.cells if plugin.has_cell(position, c)] if area is not None else []
        number = 0
        for unit in (units[one] for one in waiting if one in units):
            own = [cell for cell in cells if not _held_against(unit, cell, position)]
            if own and _is_waiting(plugin, binding, unit):
                cell = own[number % len(own)]
                rank = max((one.rank for one in units.values() if one.cell == cell), default=0)
                units = units.set(unit.id, replace(unit, cell=cell, box="", rank=rank))
                number += 1
    return replace(position, units=units)


def _is_waiting(plugin: GamePlugin, binding: Binding, unit: Unit) -> bool:
    if unit.box:
        place = any(rule.can_be(unit.box) for rule in binding.boxes)
        return unit.box == plugin.game.terms.deployment and not place
    return not (unit.cell or unit.carrier)


def _held_against(unit: Unit, cell: str, position: Position) -> bool:
    return any(one.cell == cell and one.side != unit.side for one in position.units.values())


def where_they_wait(shown: Position, position: Position) -> Iterator[str]:
    """What was laid out otherwise than the position has it, in words."""
    for unit in shown.units.values():
        if unit is not position.units[unit.id]:
            yield f"{unit.id} is yet to be set up: until then it lies at {unit.cell}, in its area"


def still_waiting(read: Position, shown: Position, position: Position) -> Position:
    """What was read, with those who lie as they were laid out where the position had them."""
    units = read.units
    for unit in shown.units.values():
        seen = units.get(unit.id)
        if unit is position.units[unit.id] or seen is None:
            continue
        # Who joins or leaves the stack says nothing about those who stay.
        if replace(seen, rank=unit.rank) == unit:
            units = units.set(unit.id, position.units[unit.id])
    return replace(read, units=units)


def without_deployment(plugin: GamePlugin, scenario: Scenario, told: Scenario) -> Scenario:
    """The scenario with those out of the box for deployment whose area `told` knows."""
    box = plugin.game.terms.deployment
    there = scenario.setup.boxes.get(box, ())
    known = {unit for stack in told.setup.areas.values() for unit in stack}
    left = {**scenario.setup.boxes, box: tuple(unit for unit in there if unit not in known)}
    boxes = {key: stack for key, stack in left.items() if stack}
    return replace(scenario, setup=replace(scenario.setup, boxes=boxes))
