"""Going into hiding in the course of a firefight."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.movement import move_execution
from hexmarshal.games.conflict_of_heroes.rules.movement.move_costs import connected
from hexmarshal.games.conflict_of_heroes.rules.terrain import hiding
from hexmarshal.games.conflict_of_heroes.rules.turn import payment
from hexmarshal.games.conflict_of_heroes.rules.turn.turn_order import end_action
from hexmarshal.rules.state.effects import AddUnit
from hexmarshal.rules.verdict import Cost, CostPart, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.games.conflict_of_heroes.state.execution import Play
    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["apply_hide", "check_hide"]

RULE = "COH-10.2a"


def check_hide(now: Situation, action: Action) -> Verdict:
    """COH-10.2a."""
    cost = Cost(
        (CostPart(now.tables.number("costs", "hide"), "go into hiding", "COH-10.2a"),), "AP"
    )
    return payment.verdict(now, _hide_objections(now, action, cost), action, cost)


def _hide_objections(now: Situation, action: Action, cost: Cost) -> Iterator[Violation]:
    named = [now.position.unit(u) for u in action.so_far("units")]
    yield from payment.objections(now, action, named, cost)
    units = [now.position.unit(u) for u in action.texts("units")]
    if not units or len({u.id for u in units}) != len(units):
        yield Violation(RULE, "name each unit once, and a hex for each", field="units")
        return
    for unit in units:
        yield from _in_the_open(now, unit)
    if not connected(now, units):
        text = "the group does not hang together"
        yield Violation("COH-9.1a", text, cured_by=("units",))
    cells = action.texts("cells")
    if len(units) != len(cells):
        cure = ("cells",) if len(cells) < len(units) else ("units",)
        text = "name each unit once, and a hex for each"
        yield Violation(RULE, text, field="cells", cured_by=cure)
    for unit, cell in zip(units, cells, strict=False):
        yield from _dark_hex(now, unit, cell, units)


def _in_the_open(now: Situation, unit: Unit) -> Iterator[Violation]:
    """Who may go into hiding: a light foot unit that is whole and that nobody sees."""
    me, here = (unit.id,), now.cell(unit)
    if now.hidden(unit) or not here or unit.carrier:
        yield Violation(RULE, f"{unit.id} is not in the open on the map", units=me)
        return
    if not now.counter(unit).light:
        yield Violation(RULE, f"{unit.id} is no light foot unit", units=me)
    if now.hit_marker(unit) is not None:
        yield Violation(RULE, f"{unit.id} is hit", units=me)
    if now.watched(here, unit.side):
        yield Violation(RULE, f"an enemy sees {here}", units=me, cells=(here,))


def _dark_hex(now: Situation, unit: Unit, cell: str, units: Sequence[Unit]) -> Iterator[Violation]:
    """Where it may go: its own hex or the next, unseen, and nobody in the open there."""
    me, here = (unit.id,), now.cell(unit)
    if here and not unit.carrier:
        if now.board.distance(here, cell) > 1:
            yield Violation(RULE, f"{cell} is more than a hex away", units=me, cells=(cell,))
        if cell != here and now.watched(cell, unit.side):
            yield Violation(RULE, f"an enemy sees {cell}", units=me, cells=(cell,))
        if any(not now.hidden(u) and u not in units for u in now.at(cell)):
            text = f"{cell} holds a unit that is not hidden"
            yield Violation("COH-10.0c", text, units=me, cells=(cell,), cured_by=("units",))


def apply_hide(play: Play, action: Action) -> None:
    """Off the map, to a hex that its owner alone knows."""
    units, cells = action.texts("units"), action.texts("cells")
    cost = Cost((CostPart(play.now.tables.number("costs", "hide"), "hide", "COH-10.2a"),), "AP")
    payment.settle(play, action, units, cost)
    for unit, cell in zip(units, cells, strict=True):
        own = play.unit(unit)
        # In one stroke, so that the account shows the enemy nothing of where it went.
        gone = replace(
            own,
            cell=cell,
            facing=None,
            seen_by=frozenset({own.side}),
            flags=own.flags - {"hasty"},
            values=own.values.without("fort"),
        )
        play.do(AddUnit(unit, gone))
    hiding.look_around(play)
    for unit in units:
        # COH-18.3.3a: to hide is an action, and into another hex it is entering it.
        move_execution.mine_attack(play, move_execution.Way(unit, hidden=True))
    end_action(play, action.side)
