"""Section 10.4: the ways on which a beaten unit may retreat, and why not the others."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from hexmarshal.games.traces_of_war.rules.ground.stacking import crowded
from hexmarshal.games.traces_of_war.rules.ground.supply import sources
from hexmarshal.games.traces_of_war.state.kinds import HQ

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.traces_of_war.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["Route", "barred", "best", "legal_routes", "routes", "zones_on"]

FURTHEST = 40  # hexes that a retreat can take at most, however crowded the country is


@dataclass(frozen=True, slots=True)
class Route:
    """A way of retreat and how it does by the rules of precedence.

    `zones` are the hexes in enemy zones that it enters; `closer` says that each hex is closer to a
    friendly supply source than the one before, `fits` that there is room in the last.
    """

    path: tuple[str, ...]
    zones: int
    closer: bool
    fits: bool

    @property
    def order(self) -> tuple[int, bool, bool]:
        """Fewest zones first (TOW-10.4b), then closer to supply, then room (TOW-10.4d)."""
        return self.zones, not self.closer, not self.fits


def barred(now: Situation, unit: Unit, here: str, to: str) -> tuple[str, str]:
    """Why a retreat may not go from a hex to its neighbour, and by which rule; '' if it may."""
    if to not in now.board.hexes:
        return "TOW-10.4h", f"{to} is off the map"
    side = now.board.side(here, to)
    if side.blocked:
        return "TOW-10.4h", f"the hexside between {here} and {to} is blocked"
    if now.enemies(to, unit.side):
        return "TOW-10.4h", f"enemies are in {to}"
    if side.river == "major":
        # TOW-10.4g: bridged or not, friends there or not.
        if now.in_enemy_zone(here, unit.side) and now.in_enemy_zone(to, unit.side):
            return "TOW-10.4g", f"a major river between two enemy zones bars {here} to {to}"
        # TOW-10.4f: minor rivers do not matter.
        if side.unbridged_major and here != unit.cell:
            return "TOW-10.4f", f"the river at {here} has no bridge, and it does not start there"
    return "", ""


def zones_on(now: Situation, unit: Unit, path: tuple[str, ...]) -> int:
    """How many hexes in enemy zones a way enters; friendly units there do not help."""
    return sum(now.in_enemy_zone(cell, unit.side) for cell in path)


def _closer(now: Situation, unit: Unit, path: tuple[str, ...]) -> bool:
    """Whether every hex entered is closer to one friendly source than the one before it."""
    way = (unit.cell, *path)
    for source in sources(now, unit.side):
        far = [now.board.distance(cell, source) for cell in way if source in now.board.hexes]
        if far and all(b < a for a, b in pairwise(far)):
            return True
    return False


def _route(now: Situation, unit: Unit, path: tuple[str, ...]) -> Route:
    return Route(
        path,
        zones_on(now, unit, path),
        _closer(now, unit, path),
        not crowded(now, unit, path[-1]),
    )


def routes(now: Situation, unit: Unit, hexes: int) -> list[Route]:
    """TOW-10.4a: every way of so many hexes that nothing bars; no hex twice."""
    ways: list[tuple[str, ...]] = [()]
    for _ in range(hexes):
        ways = [(*way, near) for way in ways for near in _onward(now, unit, way)]
    return [_route(now, unit, way) for way in ways]


def _onward(now: Situation, unit: Unit, way: tuple[str, ...]) -> Iterator[str]:
    here = way[-1] if way else unit.cell
    for near in now.board.near.get(here, ()):
        if near != unit.cell and near not in way and not barred(now, unit, here, near)[0]:
            yield near


def best(found: list[Route]) -> list[Route]:
    """Those that satisfy the precedence as well as any."""
    least = min((route.order for route in found), default=None)
    return [route for route in found if route.order == least]


def legal_routes(now: Situation, unit: Unit, hexes: int) -> list[Route]:
    """The ways among which the owner may choose; none: the unit is eliminated (TOW-10.4h).

    TOW-10.4e: with no room in the last hex it goes on, one hex at a time, by the same precedence.
    A headquarters that ends with another one relocates instead (TOW-2.3h).
    """
    found: list[Route] = []
    waiting = best(routes(now, unit, hexes))
    while waiting:
        onward: list[Route] = []
        for route in waiting:
            if route.fits or unit.type == HQ:
                found.append(route)
                continue
            steps = [_route(now, unit, (*route.path, n)) for n in _onward(now, unit, route.path)]
            onward += best(steps)
        waiting = onward if onward and len(onward[0].path) <= FURTHEST else []
    return found
