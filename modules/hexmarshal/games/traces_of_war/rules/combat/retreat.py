"""Section 10.4: beaten units retreat, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.traces_of_war.rules.combat.losses import eliminate, lose
from hexmarshal.games.traces_of_war.rules.combat.routes import (
    barred,
    legal_routes,
    routes,
    zones_on,
)
from hexmarshal.games.traces_of_war.rules.ground.control import enter
from hexmarshal.games.traces_of_war.rules.movement.relocation import displace
from hexmarshal.games.traces_of_war.rules.sequence.agenda import go_on
from hexmarshal.games.traces_of_war.state.kinds import HQ, other
from hexmarshal.rules.state.effects import MoveUnit
from hexmarshal.rules.verdict import Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.traces_of_war.rules.combat.routes import Route
    from hexmarshal.games.traces_of_war.state.execution import Play
    from hexmarshal.games.traces_of_war.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.frames import Frame
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

__all__ = ["begin", "candidates", "check", "listed", "retreat"]


def begin(play: Play, battle: Frame) -> bool:
    """Ask for the next unit's retreat; False when nobody is left to retreat."""
    hexes = battle.value("retreat", 0)
    if not isinstance(hexes, int) or not hexes:
        return False
    now = play.now
    cell, loser = battle.text("cell"), other(battle.text("side"))
    left = now.friends(cell, loser)
    for unit in left:
        if not legal_routes(now, unit, hexes):
            # TOW-10.4h: forced off the map, into enemies or across a blocked hexside.
            eliminate(play, unit, "TOW-10.4h")
            return True
    if not left:
        return False
    about = {"units": [unit.id for unit in left], "hexes": hexes}
    play.ask("retreat", loser, about=about)
    return True


def check(now: Situation, action: Action) -> Verdict:
    """Whether a unit may retreat on this way."""
    return Verdict.of(_faults(now, action))


def _hexes(frame: Frame) -> int:
    value = frame.value("hexes")
    assert isinstance(value, int)
    return value


def _faults(now: Situation, action: Action) -> Iterator[Violation]:
    frame = now.position.frame("retreat")
    unit = now.unit(action.text("unit"))
    if frame is None or unit.id not in frame.texts("units"):
        yield Violation("TOW-10.4a", f"{unit.id} need not retreat", units=(unit.id,))
        return
    path = action.texts("path")
    legal = legal_routes(now, unit, _hexes(frame))
    if any(route.path == path for route in legal):
        return
    longer = [route for route in legal if route.path[: len(path)] == path]
    if longer:
        short = len(path) < _hexes(frame)
        rule = "TOW-10.4a" if short else "TOW-10.4e"
        text = (
            f"it retreats {_hexes(frame)} hexes"
            if short
            else f"there is no room in {path[-1]}: it must go on"
        )
        yield Violation(rule, text, units=(unit.id,), field="path", cured_by=("path",))
        return
    yield _reason(now, unit, path, legal, _hexes(frame))


def _reason(
    now: Situation, unit: Unit, path: tuple[str, ...], legal: list[Route], hexes: int
) -> Violation:
    """The first rule that forbids a way."""
    mine = (unit.id,)
    here = unit.cell
    for i, cell in enumerate(path):
        if cell in now.board.hexes and not now.board.adjacent(here, cell):
            text = f"{cell} is not adjacent to {here}"
            return Violation("TOW-10.4a", text, cells=(here, cell), units=mine)
        rule, text = barred(now, unit, here, cell)
        if rule:
            return Violation(rule, text, cells=(here, cell), units=mine)
        if cell == unit.cell or cell in path[:i]:
            return Violation("TOW-10.4a", f"it comes back to {cell}", cells=(cell,), units=mine)
        here = cell
    fewest = min((route.zones for route in legal), default=0)
    entered = zones_on(now, unit, path[:hexes])
    if entered > fewest:
        text = f"it enters {entered} hexes in enemy zones, and {fewest} would do"
        return Violation("TOW-10.4b", text, cells=path, units=mine)
    if len(path) > hexes and any(route.path == path[:hexes] for route in legal):
        text = f"it retreats {hexes} hexes, not {len(path)}"
        return Violation("TOW-10.4a", text, cells=path, units=mine)
    same = [r for r in routes(now, unit, hexes) if r.path[: len(path)] == path[:hexes]]
    if any(route.closer for route in legal) and not any(route.closer for route in same):
        text = "each hex must be closer to a friendly supply source, as other ways are"
    else:
        text = "there must be room in the last hex, as there is on other ways"
    return Violation("TOW-10.4d", text, cells=path, units=mine)


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """The units that must retreat, and the hexes with which a legal way goes on."""
    frame = now.position.frame("retreat")
    if frame is None:
        return ()
    if slot == "unit":
        return frame.texts("units")
    unit, path = now.unit(action.text("unit")), action.so_far("path")
    legal = [r.path for r in legal_routes(now, unit, _hexes(frame))]
    onward = (p[len(path)] for p in legal if p[: len(path)] == path and len(p) > len(path))
    return sorted(set(onward))


def listed(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Every legal way."""
    frame = now.position.frame("retreat")
    if slot != "path" or frame is None:
        return None
    unit = now.unit(action.text("unit"))
    return [route.path for route in legal_routes(now, unit, _hexes(frame))]


def retreat(play: Play, action: Action) -> None:
    """One unit goes; it loses steps for enemy zones on its way (TOW-10.4c)."""
    play.answered("retreat")
    now = play.now
    unit, path = now.unit(action.text("unit")), action.texts("path")
    zones = zones_on(now, unit, path)
    if now.option("retreat_losses") == "once":
        zones = min(zones, 1)
    play.do(MoveUnit(unit.id, path[-1]))
    steps = [
        Step(f"{now.name(unit)} retreats to {path[-1]}", "TOW-10.4a"),
        *enter(play, unit, path),
    ]
    play.decide(Resolution("retreat", path[-1], steps=tuple(steps)))
    if zones:
        lose(play, play.now.unit(unit.id), zones, "TOW-10.4c")
    still = play.now.unit(unit.id)
    if unit.type == HQ and still.cell and len(play.now.headquarters(still.cell, unit.side)) > 1:
        displace(play, still, "TOW-2.3h")
    go_on(play)
