"""Control of hexes, and how a scenario ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.sequence.losses import points_against
from hexmarshal.games.asl.state.situation import SIDES, other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.state.effects import SetCell
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Outcome

if TYPE_CHECKING:
    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["outcome", "take_control"]


def take_control(play: Play) -> None:
    """A hex of the victory conditions is controlled by whose MMC in good order alone is in it."""
    now = play.now
    goal = now.position.extras.get("victory")
    hexes = goal.get("hexes", ()) if isinstance(goal, FrozenMap) else ()
    for cell in hexes if isinstance(hexes, tuple) else ():
        here = [
            unit
            for unit in now.position.at(str(cell))
            if now.good_order(unit) and not unit.has(marks.HIDDEN) and not unit.by(marks.GUARDS)
        ]
        # A "?" takes no control while nobody knows what it is, and lets nobody else take it.
        sides = {u.side for u in here if _holds(now, u) and not u.has(marks.CONCEALED)}
        sides |= {u.side for u in here if u.has(marks.CONCEALED) and u.side not in sides and sides}
        if len(sides) == 1:
            (side,) = sides
            if now.position.cells.get(str(cell), FrozenMap()).get("control") != side:
                play.do(SetCell(str(cell), FrozenMap({"control": side})))


def _holds(now: Situation, unit: Unit) -> bool:
    return now.is_mmc(unit) and not unit.has(marks.UNARMED)


def _controller(now: Situation, cell: str) -> object:
    """Who controls a hex at the end: who is really there in good order, or had it before."""
    sides = {
        unit.side
        for unit in now.position.at(cell)
        if _holds(now, unit) and now.good_order(unit) and not unit.by(marks.GUARDS)
    }
    if len(sides) == 1:
        return sides.pop()
    return now.position.cells.get(cell, FrozenMap()).get("control")


def outcome(now: Situation) -> Outcome | None:
    """At the end of the last turn by the victory conditions; before, if a side has nobody left."""
    position = now.position
    goal = position.extras.get("victory")
    if not isinstance(goal, FrozenMap):
        return None
    for side in SIDES:
        if side != position.viewer and position.viewer and now.option("hidden_units") is True:
            continue  # who cannot be seen may be there
        if not any(
            now.is_personnel(unit) and not now.is_dummy(unit) and not unit.by(marks.GUARDS)
            for unit in position.of_side(side)
        ):
            return Outcome((other(side),), f"{side} has nobody left", "ASL-DEF-5")
    turns = position.extras.get("turns", 0)
    if not isinstance(turns, int) or position.turn <= turns:
        return None
    hexes = goal.get("hexes", ())
    cells = [str(cell) for cell in hexes] if isinstance(hexes, tuple) else []
    side = str(goal.get("side", SIDES[0]))
    needed = goal.get("control", len(cells))
    held = sum(_controller(now, cell) == side for cell in cells)
    won = isinstance(needed, int) and held >= needed
    texts = [f"{side} controls {held} of {len(cells)} hexes, {needed} needed"] if cells else []
    least = goal.get("casualties")
    if isinstance(least, int):  # ASL-PRIS-2
        points = points_against(now, other(side))
        won = won and points >= least
        texts.append(f"{side} has {points} casualty points, {least} needed")
    rule = "ASL-DEF-5" if cells else "ASL-PRIS-2"
    return Outcome((side if won else other(side),), "; ".join(texts), rule)
