"""Section 11.0: where reinforcements of either side may be placed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.traces_of_war.rules.ground import rail
from hexmarshal.games.traces_of_war.rules.ground.control import enter, sweep
from hexmarshal.games.traces_of_war.rules.ground.stacking import crowded, overfull
from hexmarshal.games.traces_of_war.state.situation import ISOLATED, OUT_OF_SUPPLY
from hexmarshal.rules.state.effects import ChangeUnit, MoveUnit
from hexmarshal.rules.verdict import Resolution, Step, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.traces_of_war.state.execution import Play
    from hexmarshal.games.traces_of_war.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["faults", "open_stations", "put"]


def faults(now: Situation, unit: Unit, cell: str) -> Iterator[Violation]:
    """What forbids placing a unit in a hex; command radius does not matter (TOW-11.0c)."""
    mine, there = (unit.id,), (cell,)
    if cell not in now.board.hexes:
        yield Violation("TOW-11.0a", f"{cell} is off the map", cells=there, units=mine)
        return
    if now.enemies(cell, unit.side):
        yield Violation("TOW-5.0d", f"enemies are in {cell}", cells=there, units=mine)
    if not now.board.has_rail(cell):
        yield Violation("TOW-11.0a", f"{cell} is not on a railway", cells=there, units=mine)
    elif cell not in rail.stations(now, unit.side):
        if cell in rail.stations(now, unit.side, friends=True):
            text = f"friendly units do not open the enemy zones on the way to {cell}"
            yield Violation("TOW-11.0b", text, cells=there, units=mine)
        else:
            why = rail.barred(now, cell, unit.side) or "no free rail route to a friendly source"
            text = f"{cell} has no rail route: {why}"
            yield Violation("TOW-11.0a", text, cells=there, units=mine)
    if rule := crowded(now, unit, cell):
        yield from overfull(now, unit, cell, rule, "TOW-11.0c")


def open_stations(now: Situation, unit: Unit) -> list[str]:
    """The hexes where a unit may be placed."""
    return [c for c in sorted(rail.stations(now, unit.side)) if not crowded(now, unit, c)]


def put(play: Play, unit: Unit, cell: str, rule: str) -> None:
    """The unit enters play, at full strength (TOW-2.2c)."""
    ladder = unit.values.get("ladder")
    full = len(ladder) if isinstance(ladder, tuple) else unit.steps
    gone = frozenset({OUT_OF_SUPPLY, ISOLATED})
    play.do(MoveUnit(unit.id, cell), ChangeUnit(unit.id, steps=full, unflags=gone))
    steps = [Step(f"{play.now.name(unit)} arrives in {cell}", rule)]
    steps += enter(play, unit, (cell,))
    steps += sweep(play)
    play.decide(Resolution("arrival", cell, steps=tuple(steps)))
