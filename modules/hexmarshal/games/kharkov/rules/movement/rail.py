"""Section 6.4: movement by rail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.rules.movement import movement, stacking
from hexmarshal.games.kharkov.rules.movement.moving_group import in_hand
from hexmarshal.games.kharkov.state.situation import SOVIET, other
from hexmarshal.rules.verdict import Cost, CostPart, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.games.kharkov.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = [
    "allowed",
    "boarding_violations",
    "counts",
    "fare",
    "line_violations",
    "network",
    "reach",
    "ridden",
    "rider_violations",
    "way_violations",
]


def network(now: Situation, side: str) -> int:
    """The side's railways: those on its own side of the line of 12 May, for ever (KHA-6.42)."""
    own = now.board.soviet if side == SOVIET else now.board.all & ~now.board.soviet
    return now.board.region("rail") & own


def counts(unit: Unit) -> bool:
    """Whether the unit counts against the limit: Soviet headquarters ride free (KHA-6.45)."""
    return not (unit.type == "hq" and unit.side == SOVIET)


def ridden(now: Situation, unit: Unit) -> int:
    """How many hexes its train had covered when an alarm stopped it (KHA-6.75)."""
    hand = in_hand(now)
    return hand.ridden if unit.id in hand.units else 0


def allowed(now: Situation, side: str) -> int:
    """How many more units may ride this phase (KHA-6.45)."""
    limit: int = now.tables.schedule["rail"][side]
    return limit - now.position.track("rail-used")


def rider_violations(now: Situation, unit: Unit, side: str) -> Iterator[Violation]:
    """What keeps a unit from riding; supply is not needed (KHA-6.41), nor are movement points."""
    yield from movement.out_of_phase(now, (unit,))
    yield from movement.group_violations(now, (unit,), side, train=True)
    if not unit.cell:
        return
    if unit.id in in_hand(now).units and not ridden(now, unit):
        text = "a unit rides, or it marches, in one phase"
        yield Violation("KHA-6.41", text, units=(unit.id,))
    if now.zoc(other(side)) & now.board.bit[unit.cell]:
        text = f"it cannot leave the enemy zone of control in {unit.cell}"
        yield Violation("KHA-6.24", text, cells=(unit.cell,), units=(unit.id,))
    yield from boarding_violations(now, unit, side)


def way_violations(
    now: Situation, unit: Unit, path: Sequence[str], side: str
) -> Iterator[Violation]:
    """What is wrong with the line that a unit on the map takes."""
    if not path:
        yield Violation("KHA-6.41", "a ride has at least one hex", field="path")
    yield from line_violations(now, unit, unit.cell, path, side)


def fare(path: Sequence[str]) -> Cost:
    """What a ride costs: hexes, not movement points (KHA-6.44)."""
    return Cost((CostPart(len(path), "rail hexes", "KHA-6.44"),), "rail hexes")


def boarding_violations(now: Situation, unit: Unit, side: str) -> Iterator[Violation]:
    """Whether there is a train for this unit now."""
    mine = (unit.id,)
    if now.position.phase != movement.phase_of(side):
        text = "no rail movement in this phase"
        yield Violation("KHA-6.45", text, units=mine)
    if unit.type == "reserve":
        yield Violation("KHA-6.72", "a reserve does not ride", units=mine)
    if counts(unit) and not ridden(now, unit) and allowed(now, side) < 1:
        yield Violation("KHA-6.45", "the railways are used up this phase", units=mine)


def line_violations(
    now: Situation, unit: Unit, start: str, path: Sequence[str], side: str
) -> Iterator[Violation]:
    """The railway itself: network, connection, zones, length, room at its end."""
    board, mine = now.board, (unit.id,)
    bit, rails = board.bit, network(now, side)
    closed, zones = now.closed(side), now.zoc(other(side))
    here = ""
    for cell in (start, *path):
        if not rails & bit[cell]:
            rule = "KHA-6.42" if board.region("rail") & bit[cell] else "KHA-6.41"
            text = f"{cell} is not on {side}'s railways"
            yield Violation(rule, text, cells=(cell,), units=mine)
        if here:
            if not board.side(here, cell).rail:
                text = f"no railway joins {here} and {cell}"
                yield Violation("KHA-6.41", text, cells=(here, cell), units=mine)
            if closed & bit[cell]:
                yield Violation("KHA-6.22", f"the enemy is in {cell}", cells=(cell,), units=mine)
            if zones & bit[cell]:
                # Friends in the hex do not help here (KHA-8.25).
                text = f"{cell} is in an enemy zone of control"
                yield Violation("KHA-6.43", text, cells=(cell,), units=mine)
        here = cell
    longest = now.tables.schedule["rail"]["hexes"]
    before = ridden(now, unit)
    if before + len(path) > longest:
        text = f"{before + len(path)} rail hexes, at most {longest}"
        yield Violation("KHA-6.44", text, units=mine)
    yield from stacking.violations(now, (unit,), here, side, cured_by=("path",))


def reach(now: Situation, unit: Unit, start: str, side: str) -> dict[str, tuple[str, ...]]:
    """Every hex that the unit can ride to, each with a shortest way."""
    board = now.board
    through = network(now, side) & ~now.closed(side) & ~now.zoc(other(side))
    if not network(now, side) & board.bit[start]:
        return {}
    longest = now.tables.schedule["rail"]["hexes"] - ridden(now, unit)
    paths: dict[str, tuple[str, ...]] = {start: ()}
    for here in (queue := [start]):
        if len(paths[here]) == longest:
            continue
        for to in board.near[here]:
            if to not in paths and board.side(here, to).rail and through & board.bit[to]:
                paths[to] = (*paths[here], to)
                queue.append(to)
    del paths[start]
    return {c: p for c, p in sorted(paths.items()) if stacking.fits(now, (unit,), c, side)}
