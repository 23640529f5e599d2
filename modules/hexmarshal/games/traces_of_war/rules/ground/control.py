"""Sections 8.1 and 12.3: who controls cities and crossing points; what entering a hex does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.traces_of_war.state.kinds import AXIS, HQ, SOVIET
from hexmarshal.games.traces_of_war.state.situation import BRIDGEHEAD
from hexmarshal.rules.state.effects import RemoveMarker, SetCell
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Step

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.traces_of_war.state.execution import Play
    from hexmarshal.games.traces_of_war.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["COMMANDED_FROM", "LATE_TURN", "enter", "sweep"]

COMMANDED_FROM = 2  # hexes from which a Soviet unit commands a crossing point (TOW-12.3b)
LATE_TURN = 7  # from this turn on empty crossing points count as Soviet (TOW-12.3e)


def enter(play: Play, unit: Unit, cells: Iterable[str]) -> Iterator[Step]:
    """What changes because a unit enters these hexes one after the other."""
    for cell in cells:
        now = play.now
        if cell in now.board.cities and now.controller(cell) != unit.side:
            # TOW-8.1c: at once, and for as long as no enemy enters.
            play.do(SetCell(cell, FrozenMap({"control": unit.side})))
            yield Step(f"{now.board.cities[cell].name} comes under {unit.side} control", "TOW-8.1c")
        if unit.side == AXIS and unit.type != HQ:
            yield from _destroy_bridgehead(play, cell)
        if unit.side == SOVIET:
            yield from _take(play, unit, cell)


def _destroy_bridgehead(play: Play, cell: str) -> Iterator[Step]:
    # TOW-11.1e: an Axis combat unit destroys it; it stays a crossing point all the same.
    for marker in play.position.markers_at(cell):
        if marker.kind == BRIDGEHEAD:
            play.do(RemoveMarker(marker.id))
            yield Step("the airborne bridgehead is destroyed", "TOW-11.1e")


def _take(play: Play, unit: Unit, cell: str) -> Iterator[Step]:
    """The crossing points that a Soviet unit takes from this hex."""
    now = play.now
    for point, crossing in now.board.crossings.items():
        if now.crossing_controller(point) == SOVIET:
            continue  # TOW-12.3d: for good
        if cell == point:
            yield _taken(play, point, f"{now.name(unit)} enters it", "TOW-12.3b")
        elif not _held(now, point) and _commands(now, cell, point, crossing.key):
            rule = "TOW-12.3c" if crossing.key else "TOW-12.3b"
            yield _taken(play, point, f"{now.name(unit)} commands it from {cell}", rule)


def _held(now: Situation, point: str) -> bool:
    """Whether any Axis unit, a headquarters too, stands on the crossing point."""
    return bool(now.enemies(point, SOVIET))


def _commands(now: Situation, cell: str, point: str, key: str) -> bool:
    if key:
        return cell == key  # TOW-12.3c: from there alone
    return now.near(now.board.distance(cell, point), COMMANDED_FROM)  # TOW-12.3b


def _taken(play: Play, point: str, why: str, rule: str) -> Step:
    play.do(SetCell(point, FrozenMap({"crossing": SOVIET})))
    return Step(f"crossing point {point} is Soviet for good: {why}", rule)


def sweep(play: Play) -> Iterator[Step]:
    """The crossing points that fall to the Soviets by how the units stand now."""
    now = play.now
    for point, crossing in now.board.crossings.items():
        if now.crossing_controller(point) == SOVIET or _held(now, point):
            continue
        if play.position.turn >= LATE_TURN:
            yield _taken(play, point, "no Axis unit holds it", "TOW-12.3e")
            continue
        for unit in now.on_map(SOVIET):
            if unit.cell == point or _commands(now, unit.cell, point, crossing.key):
                rule = "TOW-12.3c" if crossing.key else "TOW-12.3b"
                yield _taken(play, point, f"{now.name(unit)} commands it from {unit.cell}", rule)
                break
