"""Going into hiding in the course of a firefight."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes import hiding, marching, payment, source
from hexmarshal.games.conflict_of_heroes.flow import end_action
from hexmarshal.games.conflict_of_heroes.movement import connected
from hexmarshal.rules.state.effects import AddUnit
from hexmarshal.rules.verdict import Cost, CostPart, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.games.conflict_of_heroes.scene import Scene
    from hexmarshal.games.conflict_of_heroes.table import Table
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["apply_hide", "check_hide"]


def check_hide(scene: Scene, action: Action) -> Verdict:
    """COH-10.2a."""
    units = [scene.position.unit(u) for u in action.texts("units")]
    cells = action.texts("cells")
    cost = Cost((CostPart(source.number("costs", "hide"), "go into hiding", "COH-10.2a"),), "AP")
    found = list(_hide_objections(scene, units, cells))
    found += payment.objections(scene, action, units, cost)
    return Verdict(tuple(found), payment.bill(action, cost))


def _hide_objections(
    scene: Scene, units: Sequence[Unit], cells: tuple[str, ...]
) -> Iterator[Violation]:
    rule = "COH-10.2a"
    if not units or len(units) != len(cells) or len({u.id for u in units}) != len(units):
        yield Violation(rule, "name each unit once, and a hex for each", field="cells")
        return
    if not connected(scene, units):
        yield Violation("COH-9.1a", "the group does not hang together")
    for unit, cell in zip(units, cells, strict=True):
        me, here = (unit.id,), scene.cell(unit)
        if scene.hidden(unit) or not here or unit.carrier:
            yield Violation(rule, f"{unit.id} is not in the open on the map", units=me)
            continue
        if not scene.counter(unit).light:
            yield Violation(rule, f"{unit.id} is no light foot unit", units=me)
        if scene.hit_marker(unit) is not None:
            yield Violation(rule, f"{unit.id} is hit", units=me)
        if scene.board.distance(here, cell) > 1:
            yield Violation(rule, f"{cell} is more than a hex away", units=me, cells=(cell,))
        for place in dict.fromkeys((here, cell)):
            if scene.watched(place, unit.side):
                yield Violation(rule, f"an enemy sees {place}", units=me, cells=(place,))
        if any(not scene.hidden(u) and u not in units for u in scene.at(cell)):
            text = f"{cell} holds a unit that is not hidden"
            yield Violation("COH-10.0c", text, units=me, cells=(cell,))


def apply_hide(table: Table, action: Action) -> None:
    """Off the map, to a hex that its owner alone knows."""
    units, cells = action.texts("units"), action.texts("cells")
    cost = Cost((CostPart(source.number("costs", "hide"), "hide", "COH-10.2a"),), "AP")
    payment.settle(table, action, units, cost)
    for unit, cell in zip(units, cells, strict=True):
        own = table.unit(unit)
        # In one stroke, so that the account shows the enemy nothing of where it went.
        gone = replace(
            own,
            cell=cell,
            facing=None,
            seen_by=frozenset({own.side}),
            flags=own.flags - {"hasty"},
            values=own.values.without("fort"),
        )
        table.do(AddUnit(unit, gone))
    hiding.look_around(table)
    for unit in units:
        # COH-18.3.3a: to hide is an action, and into another hex it is entering it.
        marching.mine_attack(table, marching.Way(unit, hidden=True))
    end_action(table, action.side)
