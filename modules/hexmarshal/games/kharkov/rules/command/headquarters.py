"""Section 10: headquarters, command radius, displacement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.state.situation import SOVIET, other
from hexmarshal.rules.state.effects import ChangeUnit, Effect, MoveUnit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.games.kharkov.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["active", "activated", "command", "commanders", "nearest", "reach", "recovered"]


def all_of(now: Situation, side: str) -> Sequence[Unit]:
    """The side's headquarters on the map."""
    return [u for u in now.position.of_type(side, "hq") if u.cell]


def active(now: Situation, side: str) -> Sequence[Unit]:
    """Those that enable attacks and supply: the active ones alone (KHA-10.1, KHA-10.11)."""
    return [u for u in all_of(now, side) if "inactive" not in u.flags]


def reach(now: Situation, hq: Unit) -> int:
    """The hexes that its communication lines reach (KHA-10.23).

    The headquarters' own hex is not counted, the unit's is; no enemy hex, and no enemy zone
    without a friend in it.
    """
    board = now.board
    return now.position.remember(
        f"reach of {hq.id}",
        lambda: board.spread(
            board.bit[hq.cell],
            now.traceable(hq.side),
            now.lines("passable"),
            hq.number("radius"),
        ),
    )


def command(now: Situation, side: str) -> int:
    """Every hex in the radius of an active headquarters of the side (KHA-10.21, KHA-10.24)."""
    return now.position.remember(f"command of {side}", lambda: _command(now, side))


def _command(now: Situation, side: str) -> int:
    found = 0
    for hq in active(now, side):
        found |= reach(now, hq)
    return found


def commanders(now: Situation, unit: Unit) -> tuple[str, ...]:
    """The active headquarters whose lines reach the unit."""
    here = now.board.bit[unit.cell]
    return tuple([hq.id for hq in active(now, unit.side) if reach(now, hq) & here])


def in_command(now: Situation, unit: Unit) -> bool:
    """Whether a line joins the unit to an active headquarters (KHA-9.15, KHA-10.21)."""
    return bool(command(now, unit.side) & now.board.bit[unit.cell])


def nearest(now: Situation, hq: Unit) -> tuple[str, ...]:
    """Where a displaced headquarters may go: onto the nearest friendly unit (KHA-10.17).

    Several hexes are equally near now and then: the owner chooses. No unit left: none.
    """
    cells = {u.cell for u in now.on_map(hq.side) if now.fights(u)} - {""}
    if not cells:
        return ()
    far = {cell: now.board.distance(hq.cell, cell) for cell in cells}
    least = min(far.values())
    return tuple(sorted(cell for cell, distance in far.items() if distance == least))


def displaced(hq: Unit, cell: str) -> Iterator[Effect]:
    """KHA-10.17: at once, and inactive until the next disruption phase."""
    yield MoveUnit(hq.id, cell)
    yield ChangeUnit(hq.id, flags=frozenset({"inactive", "displaced"}))


def recovered(now: Situation, side: str) -> Iterator[Effect]:
    """KHA-4.2.A4, KHA-10.17: in the disruption phase displaced headquarters become active.

    The book says the next such phase; by default that is the owner's own.
    """
    whose = (side,) if now.option("hq_recovery") == "owner" else (side, other(side))
    for one in whose:
        for hq in all_of(now, one):
            if hq.has("displaced"):
                yield ChangeUnit(hq.id, unflags=frozenset({"inactive", "displaced"}))


def activated(now: Situation) -> Iterator[Effect]:
    """The plan of the Stavka: which Soviet headquarters become active this turn.

    KHA-10.31: all are inactive when set up; KHA-10.32, KHA-10.33 and KHA-10.34 wake them by
    turn, unless a displacement did so before.
    """
    plan = now.tables.schedule["headquarters"]
    for hq in all_of(now, SOVIET):
        turn = plan.get(hq.value("army"))
        due = turn is not None and now.turn >= turn
        if due and hq.has("inactive") and not hq.has("displaced"):
            yield ChangeUnit(hq.id, unflags=frozenset({"inactive"}))
