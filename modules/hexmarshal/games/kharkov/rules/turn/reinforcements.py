"""Section 16: when and where new units enter."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.rules.movement import movement, rail, reachable_hexes, stacking
from hexmarshal.games.kharkov.state.situation import SOVIET, halves, other
from hexmarshal.rules.verdict import Cost, CostPart, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.games.kharkov.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = [
    "bill",
    "due",
    "entries",
    "entry_cost",
    "gates",
    "group_violations",
    "reach",
    "rides",
    "train_violations",
    "way_violations",
]

ENTRY_RULES = {"east_edge": "KHA-16.1", "south_edge": "KHA-16.21", "north_edge": "KHA-16.22"}


def due(now: Situation, side: str) -> tuple[Unit, ...]:
    """Units that may enter now: this turn's, and those that were delayed (KHA-16.0)."""
    waiting = now.position.in_box("arrivals")
    return tuple(u for u in waiting if u.side == side and u.number("turn") <= now.turn)


def gates(now: Situation, unit: Unit) -> int:
    """The hexes by which the unit may enter."""
    board = now.board
    match unit.value("entry"):
        case "east_edge":
            # KHA-16.1: the part of the east edge on the Soviet side of the line.
            return board.region("east_edge") & board.soviet
        case "south_edge":
            return board.region("south_edge")  # KHA-16.21
        case _:
            return _north(now)  # KHA-16.22


def _north(now: Situation) -> int:
    board = now.board
    edge = tuple(board.names(board.region("north_edge")))
    limit = board.column(board.north_entry)
    if now.option("north_entry") == "front":
        first = now.held(SOVIET) & board.around(board.region("north_edge"))
        first |= now.held(SOVIET) & board.region("north_edge")
        limit = max((board.column(c) for c in board.names(first)), default=0)
    return board.mask(c for c in edge if board.column(c) > limit)


def entry_cost(now: Situation, unit: Unit, cell: str) -> CostPart:
    """The entry hex is paid for like any other (KHA-16.0); off the map there is no road."""
    moves = "infantry" if now.moves_as(unit) == "hq" else now.moves_as(unit)
    terrain = now.board.terrain.get(cell, "clear")
    return CostPart(now.tables.hex_cost[terrain, moves], f"entry, {terrain}", "KHA-16.0", cell)


def group_violations(now: Situation, units: Sequence[Unit], side: str) -> Iterator[Violation]:
    """What is wrong with these entering anywhere."""
    ids = tuple(u.id for u in units)
    if not units:
        yield Violation("KHA-16.0", "who enters?", field="units")
    if len(set(ids)) < len(ids):
        yield Violation("KHA-16.0", "a unit is named twice", units=ids, field="units")
    yield from movement.out_of_phase(now, units)
    for unit in units:
        if unit.box.startswith("reserve-") or unit.box in ("regiments", "broken-down"):
            yield movement.off_map(unit)
        elif not _reinforces(unit, side):
            text = f"{unit.id} is no reinforcement of {side}"
            yield Violation("KHA-16.0", text, units=(unit.id,))
        elif unit.number("turn") > now.turn:
            text = f"{unit.id} comes on turn {unit.number('turn')}"
            yield Violation("KHA-16.0", text, units=(unit.id,))


def _reinforces(unit: Unit, side: str) -> bool:
    return unit.side == side and unit.box == "arrivals"


def train_violations(now: Situation, units: Sequence[Unit], side: str) -> Iterator[Violation]:
    """What is wrong with these coming by rail, whatever the line."""
    for unit in units:
        yield from rail.boarding_violations(now, unit, side)
    if len(units) > 1:
        yield Violation("KHA-6.41", "units ride one by one", units=tuple(u.id for u in units))


def way_violations(
    now: Situation, units: Sequence[Unit], path: Sequence[str], side: str, *, train: bool
) -> Iterator[Violation]:
    """What is wrong with this way in; the first hex of the path is the one on the edge."""
    ids = tuple(u.id for u in units)
    if not units:
        return
    if not path:
        yield Violation("KHA-16.0", "where do they enter?", field="path")
        return
    for unit in units:
        if _reinforces(unit, side):
            yield from _gate(now, unit, path[0], side)
    if train:
        for unit in units:
            yield from rail.line_violations(now, unit, path[0], path[1:], side)
        if now.zoc(other(side)) & now.board.bit[path[0]]:
            text = f"{path[0]} is in an enemy zone of control"
            yield Violation("KHA-6.43", text, cells=(path[0],), units=ids)
        return
    yield from _way(now, units, path, side)
    for unit in units:
        yield from movement.over_budget(now, unit, Fraction(_bill(now, unit, path).total))


def bill(now: Situation, units: Sequence[Unit], path: Sequence[str], *, train: bool) -> Cost:
    """What it costs the dearest of them, or their ticket."""
    if train:
        return rail.fare(path)
    return max((_bill(now, unit, path) for unit in units), key=lambda bill: bill.total)


def _gate(now: Situation, unit: Unit, gate: str, side: str) -> Iterator[Violation]:
    mine = (unit.id,)
    if not gates(now, unit) & now.board.bit[gate]:
        rule = ENTRY_RULES.get(str(unit.value("entry")), "KHA-16.0")
        text = f"{unit.id} may not enter in {gate}"
        yield Violation(rule, text, cells=(gate,), units=mine)
    if now.closed(side) & now.board.bit[gate]:
        yield Violation("KHA-6.22", f"the enemy is in {gate}", cells=(gate,), units=mine)


def _way(
    now: Situation, units: Sequence[Unit], path: Sequence[str], side: str
) -> Iterator[Violation]:
    here = path[0]
    ids = tuple(u.id for u in units)
    for to in path[1:]:
        yield from movement.step_violations(now, units, here, to, side)
        if now.zoc(other(side)) & now.board.bit[here]:
            text = f"must stop in the enemy zone of control in {here}"
            yield Violation("KHA-6.23", text, cells=(here,), units=ids)
        here = to
    yield from stacking.violations(now, units, here, side, cured_by=("path",))


def _bill(now: Situation, unit: Unit, path: Sequence[str]) -> Cost:
    parts = [entry_cost(now, unit, path[0])]
    for here, to in pairwise(path):
        if now.board.adjacent(here, to):
            parts += movement.price(now, now.moves_as(unit), here, to)
    return Cost(tuple(parts), "MP")


def entries(now: Situation, unit: Unit, side: str) -> Iterator[tuple[str, ...]]:
    """Ways in: each gate that is open; from there the unit moves on while it is in the hand."""
    for gate in now.board.names(gates(now, unit) & ~now.closed(side)):
        if next(way_violations(now, (unit,), (gate,), side, train=False), None) is None:
            yield (gate,)


def reach(now: Situation, units: Sequence[Unit], side: str) -> dict[str, tuple[str, ...]]:
    """Every hex to which units may come in this phase, each with a cheapest way from the edge.

    Of units that pay for ground in different ways nobody asks that: they come one by one.
    """
    classes = {(now.moves_as(u), now.allowance(u), u.value("entry")) for u in units}
    if len(classes) != 1 or next(group_violations(now, units, side), None) is not None:
        return {}
    open_gates = now.board.names(gates(now, units[0]) & ~now.closed(side))
    costs = {gate: halves(entry_cost(now, units[0], gate).amount) for gate in open_gates}
    return reachable_hexes.reach_from_edge(now, units, side, costs)


def rides(now: Situation, unit: Unit, side: str) -> Iterator[tuple[str, ...]]:
    """Ways in by rail: a gate on the network, and the line from there."""
    through = gates(now, unit) & rail.network(now, side) & ~now.closed(side)
    through &= ~now.zoc(other(side))
    if next(train_violations(now, (unit,), side), None) is not None:
        return
    for gate in now.board.names(through):
        for way in ((), *rail.reach(now, unit, gate, side).values()):
            path = (gate, *way)
            if next(way_violations(now, (unit,), path, side, train=True), None) is None:
                yield path
