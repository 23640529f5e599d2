"""KHA-6.6: tactical disengagement of German units, and the pursuit that it may draw."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.rules.movement import movement, stacking
from hexmarshal.games.kharkov.rules.movement.moving_group import in_hand
from hexmarshal.games.kharkov.state.situation import AXIS, SOVIET
from hexmarshal.rules.verdict import Cost, CostPart, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.games.kharkov.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

# The rules of breaking off, without those that hold for every movement.
OWN = ("KHA-6.6",)

__all__ = [
    "bill",
    "cost",
    "group_violations",
    "instead",
    "pursuers",
    "pursuit_violations",
    "way_violations",
]


def cost(now: Situation, unit: Unit, to: str) -> Fraction:
    """3 MP, the hex entered included; by the switch the terrain comes on top."""
    total = Fraction(now.tables.schedule["disengagement_cost"])
    if now.option("disengagement_terrain") and now.board.adjacent(unit.cell, to):
        parts = movement.price(now, now.moves_as(unit), unit.cell, to)
        total += sum(Fraction(p.amount) for p in parts)
    return total


def bill(now: Situation, units: Sequence[Unit], to: str) -> Cost:
    """What it costs the dearest of them."""
    dearest = max(cost(now, u, to) for u in units)
    return Cost((CostPart(dearest, "disengagement", "KHA-6.6", to),), "MP")


def group_violations(now: Situation, units: Sequence[Unit]) -> Iterator[Violation]:
    """What is wrong with these breaking off; how often is not limited (KHA-6.63)."""
    here = units[0].cell
    ids = tuple(u.id for u in units)
    if now.turn in now.tables.schedule["no_disengagement"]:
        yield Violation("KHA-6.64", "no disengagement on this turn", units=ids)
    if now.position.phase == movement.MECHANISED_PHASE and not now.option(
        "disengagement_mechanised"
    ):
        yield Violation("KHA-6.61", "only in the Initial Movement Phase", units=ids)
    if not now.zoc(SOVIET) & now.board.bit[here]:
        text = f"{here} is in no enemy zone of control"
        yield Violation("KHA-6.61", text, cells=(here,), units=ids)
    if set(ids) & set(in_hand(now).units):
        yield Violation("KHA-6.61", "it disengages first, or not at all", units=ids)
    for unit in units:
        if not now.german(unit):
            yield Violation("KHA-6.6", f"{unit.id} is not German", units=(unit.id,))


def way_violations(now: Situation, units: Sequence[Unit], to: str) -> Iterator[Violation]:
    """What is wrong with breaking off to this hex."""
    board, here = now.board, units[0].cell
    ids = tuple(u.id for u in units)
    if now.zoc(SOVIET) & board.bit[to]:
        text = f"{to} is in an enemy zone of control"
        yield Violation("KHA-6.61", text, cells=(to,), units=ids)
    for unit in units:
        yield from movement.over_budget(now, unit, cost(now, unit, to))
    yield from movement.step_violations(now, units, here, to, AXIS)
    if board.adjacent(here, to) and board.side(here, to).river == "donets":
        # The Dnieper has its bridges, and nobody crosses it elsewhere.
        yield Violation("KHA-6.64", "never across the Donets", cells=(here, to), units=ids)
    yield from stacking.violations(now, units, to, AXIS)


def instead(now: Situation, units: Sequence[Unit], path: Sequence[str]) -> Iterator[Violation]:
    """The first reason why units that leave an enemy zone of control do not break off."""
    here, to = units[0].cell, path[0]
    found = (*group_violations(now, units), *way_violations(now, units, to))
    own = next((v for v in found if v.rule.startswith(OWN)), None)
    if own is not None:
        yield own
        return
    for unit in units:
        halves = movement.halves_of(now, now.moves_as(unit), to, path[1:])
        total = cost(now, unit, to) + Fraction(halves, 2)
        if total > now.allowance(unit):
            whole, rest = divmod(total, 1)
            text = (
                f"{unit.id} would spend {whole}{' 1/2' if rest else ''} MP with what it costs to "
                f"leave the enemy zone of control in {here}, and has {now.allowance(unit)}"
            )
            yield Violation("KHA-6.6", text, units=(unit.id,))


# Pursuit (KHA-6.62): the exception to KHA-6.13.


def vacated(now: Situation) -> str:
    """The hex that was left, and may be occupied now; '' if there is none."""
    frame = now.position.frame("pursuit")
    return frame.text("cell") if frame is not None else ""


def pursuers(now: Situation, cell: str) -> tuple[Unit, ...]:
    """Soviet combat units beside a hex that was left empty, if they may go in."""
    if now.at(cell, AXIS) or now.garrison(cell):
        return ()
    return tuple(
        unit
        for near in now.board.near[cell]
        for unit in now.fighters(near, SOVIET)
        if next(pursuit_violations(now, unit, cell), None) is None
    )


def pursuit_violations(now: Situation, unit: Unit, cell: str) -> Iterator[Violation]:
    """Free of cost and of zones; but not for the disrupted, and not over the stacking limit."""
    mine = (unit.id,)
    if unit.side != SOVIET or not unit.cell or not now.fights(unit):
        yield Violation("KHA-6.62", f"{unit.id} is no Soviet combat unit", units=mine)
        return
    if not now.board.adjacent(unit.cell, cell):
        text = f"{unit.id} is not beside {cell}"
        yield Violation("KHA-6.62", text, cells=(unit.cell, cell), units=mine)
    elif now.board.side(unit.cell, cell).barred:
        yield Violation("KHA-6.3", "the Dnieper has no bridge here", cells=(cell,), units=mine)
    if unit.has("disrupted"):
        yield Violation("KHA-7.32", f"{unit.id} is disrupted", units=mine)
    yield from stacking.violations(now, (unit,), cell, SOVIET)
