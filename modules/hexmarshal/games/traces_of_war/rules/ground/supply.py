"""Section 8: supply lines, and what the Supply token does to the units."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.games.traces_of_war.state.kinds import HQ, SIDES, SOVIET, other
from hexmarshal.games.traces_of_war.state.situation import ISOLATED, OUT_OF_SUPPLY
from hexmarshal.rules.state.effects import ChangeUnit
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.games.traces_of_war.state.execution import Play
    from hexmarshal.games.traces_of_war.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["Line", "barred", "can_trace", "check_supply", "crossable", "line_of", "net", "sources"]


def sources(now: Situation, side: str) -> frozenset[str]:
    """The supply sources of a side (TOW-2.1b); a bridgehead is one too (TOW-11.1e)."""
    printed = now.board.sources[side]
    bridgehead = now.bridgehead() if side == SOVIET else ""
    return printed | {bridgehead} if bridgehead else printed


def barred(now: Situation, cell: str, side: str, *, source: bool = False) -> str:
    """TOW-8.1b: why a supply line may not lead through a hex; '' if it may."""
    if now.enemies(cell, side):
        return "enemy units"
    if cell in now.board.cities and now.controller(cell) != side:
        return "an enemy-controlled city"  # any city, occupied or not
    if now.in_enemy_zone(cell, side) and not now.friends(cell, side):
        if source and now.option("source_in_zone"):
            return ""
        return "an enemy zone of control"
    return ""


def crossable(now: Situation, one: str, to: str) -> str:
    """TOW-8.1b: why a supply line may not cross a hexside; '' if it may."""
    side = now.board.side(one, to)
    if side.blocked:
        return "a blocked hexside"
    return "an unbridged major river" if side.unbridged_major else ""


def net(now: Situation, side: str) -> Mapping[str, str]:
    """Every hex from which a source can be reached, each with the next hex on the way.

    TOW-8.1a: a line may be as long as it needs. A source leads to itself.
    """
    return now.remember(f"supply of {side}", lambda: _net(now, side))


def _net(now: Situation, side: str) -> dict[str, str]:
    begin = sorted(c for c in sources(now, side) if not barred(now, c, side, source=True))
    found = {cell: cell for cell in begin}
    waiting = deque(begin)
    closed = _closed(now, side)
    while waiting:
        here = waiting.popleft()
        for near in now.board.near.get(here, ()):
            if near not in found and near not in closed and not crossable(now, here, near):
                found[near] = here
                waiting.append(near)
    return found


def _closed(now: Situation, side: str) -> frozenset[str]:
    """All hexes that are barred, found at once: the net is asked for again and again."""
    enemies, friends = ({unit.cell for unit in now.on_map(s)} for s in (other(side), side))
    cities = {city for city in now.board.cities if now.controller(city) != side}
    return frozenset(enemies | cities | (now.zone(other(side)) - friends))


def can_trace(now: Situation, unit: Unit) -> bool:
    """Whether a unit has a supply line now, whatever its marker says."""
    return unit.cell in net(now, unit.side)


@dataclass(frozen=True, slots=True)
class Line:
    """A supply line from a unit to its source, or what stopped every way."""

    cells: tuple[str, ...] = ()
    blockers: Mapping[str, str] | None = None

    @property
    def found(self) -> bool:
        """Whether there is one."""
        return bool(self.cells)


def line_of(now: Situation, cell: str, side: str) -> Line:
    """A shortest line from a hex, or the hexes and hexsides at which all lines end."""
    ways = net(now, side)
    if cell in ways:
        path = [cell]
        while ways[path[-1]] != path[-1]:
            path.append(ways[path[-1]])
        return Line(tuple(path))
    seen = {cell}
    waiting = deque([cell])
    blockers: dict[str, str] = {}
    if (why := barred(now, cell, side)) and not now.friends(cell, side):
        return Line(blockers={cell: why})
    while waiting:
        here = waiting.popleft()
        for near in now.board.near.get(here, ()):
            if near in seen:
                continue
            if why := crossable(now, here, near):
                blockers.setdefault(f"{here}|{near}", why)
            elif why := barred(now, near, side, source=near in sources(now, side)):
                blockers[near] = why
            else:
                seen.add(near)
                waiting.append(near)
    return Line(blockers=blockers)


def check_supply(play: Play) -> None:
    """TOW-4.3e, TOW-8.1d, TOW-8.1f: the Supply token is drawn; both sides judge every unit.

    Between two such tokens nothing changes a unit's status (TOW-8.1e).
    """
    now = play.now
    steps: list[Step] = []
    effects: list[ChangeUnit] = []
    cut_off: list[Unit] = []
    for side in SIDES:
        for unit in now.on_map(side):
            if can_trace(now, unit):
                if unit.has(OUT_OF_SUPPLY) or unit.has(ISOLATED):
                    gone = frozenset({OUT_OF_SUPPLY, ISOLATED})
                    effects.append(ChangeUnit(unit.id, unflags=gone))
                    steps.append(Step(f"{now.name(unit)} is supplied again", "TOW-8.1d"))
            elif unit.type == HQ:
                cut_off.append(unit)  # TOW-2.3d, TOW-8.1f
                steps.append(Step(f"{now.name(unit)} cannot trace and relocates", "TOW-8.1f"))
            elif unit.has(OUT_OF_SUPPLY):
                flags, gone = frozenset({ISOLATED}), frozenset({OUT_OF_SUPPLY})
                effects.append(ChangeUnit(unit.id, flags=flags, unflags=gone))
                steps.append(Step(f"{now.name(unit)} is isolated", "TOW-8.1d"))
            elif not unit.has(ISOLATED):
                effects.append(ChangeUnit(unit.id, flags=frozenset({OUT_OF_SUPPLY})))
                steps.append(Step(f"{now.name(unit)} is out of supply", "TOW-8.1d"))
    steps = steps or [Step("nothing changes", "TOW-8.1d")]
    play.decide(Resolution("supply", "checked", steps=tuple(steps), effects=tuple(effects)))
    if cut_off:
        from hexmarshal.games.traces_of_war.rules.movement.relocation import displace

        for unit in cut_off:
            displace(play, unit, "TOW-2.3d")
