"""Where a broken unit may rout: steps that do not approach the enemy, the nearest shelter first."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.rules.movement.costs import price
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["FACTORS", "Routes", "factors_of", "routes_of", "step_fault"]

FACTORS: Final = 6
WOUNDED: Final = 3


def factors_of(unit: Unit) -> int:
    """ASL-ROUT-2: six movement factors; three for a wounded SMC."""
    return WOUNDED if unit.has(marks.WOUNDED) else FACTORS


def known_enemies(now: Situation, place: Location, side: str) -> list[Unit]:
    """ASL-ROUT-3: armed enemies in sight; a leader counts as armed here (ASL-ROUT-1)."""
    return [
        enemy
        for enemy in now.on_map(other(side))
        if not now.is_hidden(enemy)
        and now.is_armed(enemy)
        and (now.at(enemy) == place or not now.line_to(place, enemy).blocked)
    ]


def step_fault(now: Situation, a: Location, b: Location, seen: Iterable[str], side: str) -> str:
    """ASL-ROUT-3: why a step may not be made; '' if it may."""
    ground = now.ground
    # ASL-ROUT-6: concealed enemies are not known
    if any(not now.is_hidden(unit) for unit in now.people(b, other(side))):
        return f"{b} is held by the enemy"
    for name in seen:
        enemy = now.position.units.get(name)
        if enemy is None:
            continue
        here = now.at(enemy)
        if a == here:
            continue  # out of the enemy's own location any way may be taken
        if ground.distance(b.cell, here.cell) < ground.distance(a.cell, here.cell):
            return f"{b} is nearer to {name} in {here}"
        if now.adjacent(a, here) and now.adjacent(b, here) and a.cell != b.cell:
            return f"{a} and {b} are both ADJACENT to {name} in {here}"
    return ""


@dataclass(frozen=True, slots=True)
class Routes:
    """What a unit can reach: the least cost of each location, and the nearest shelters."""

    costs: dict[Location, Fraction]
    shelters: tuple[Location, ...]
    """The nearest ones, all at the same cost."""

    @property
    def nearest(self) -> Fraction | None:
        """What the nearest shelter costs; None if none can be reached."""
        return self.costs[self.shelters[0]] if self.shelters else None


def near_enemy(now: Situation, place: Location, side: str) -> bool:
    """ASL-ROUT-1: adjacent to a known enemy who is not in melee."""
    for cell in (place.cell, *now.ground.near[place.cell]):
        for unit in now.position.at(cell):
            if unit.side == side or not now.is_personnel(unit):
                continue
            if unit.flags & {marks.MELEE, *marks.UNSEEN}:
                continue
            at = now.at(unit)
            if at == place or now.adjacent(place, at):
                return True
    return False


def routes_of(now: Situation, unit: Unit) -> Routes:
    """ASL-ROUT-4: all ways within its movement factors, and the nearest woods or building."""
    return now.remember(f"routes {unit.id}", lambda: _routes(now, unit))


def _routes(now: Situation, unit: Unit) -> Routes:
    start = now.at(unit)
    limit = Fraction(factors_of(unit))
    side = unit.side
    first = frozenset(enemy.id for enemy in known_enemies(now, start, side))
    best: dict[tuple[Location, frozenset[str]], Fraction] = {(start, first): Fraction(0)}
    queue: list[tuple[Fraction, int, Location, frozenset[str]]] = [(Fraction(0), 0, start, first)]
    sights: dict[Location, frozenset[str]] = {start: first}
    costs: dict[Location, Fraction] = {start: Fraction(0)}
    number = 0
    while queue:
        spent, _, place, seen = heapq.heappop(queue)
        if best.get((place, seen), spent) < spent:
            continue
        for after in steps_from(now, place):
            cost = price(now, place, after, (unit,), crowd=False)
            if cost.barred or cost.minimum:
                continue
            if cost.all_mf and spent:
                continue
            total = limit if cost.all_mf else spent + cost.total
            if total > limit or step_fault(now, place, after, seen, side):
                continue
            if after not in sights:
                sights[after] = frozenset(e.id for e in known_enemies(now, after, side))
            met = seen | sights[after]
            key = (after, met)
            if total < best.get(key, limit + 1):
                best[key] = total
                costs[after] = min(total, costs.get(after, limit + 1))
                number += 1
                heapq.heappush(queue, (total, number, after, met))
    shelters = [
        place
        for place in costs
        if place.cell != start.cell
        and now.ground.terrain(place.cell).shelter
        and not near_enemy(now, place, side)
    ]
    least = min((costs[place] for place in shelters), default=None)
    return Routes(costs, tuple(sorted(p for p in shelters if costs[p] == least)))


def steps_from(now: Situation, place: Location) -> list[Location]:
    """The locations next to one: hexes around at the same level, and other storeys."""
    found = [Location(cell, 0) for cell in now.ground.near[place.cell]] if not place.level else []
    if place.level:
        found += [
            Location(cell, place.level)
            for cell in now.ground.near[place.cell]
            if place.level in now.ground.levels(cell)
        ]
    if now.ground.stairs(place.cell):
        found += [
            Location(place.cell, level)
            for level in now.ground.levels(place.cell)
            if abs(level - place.level) == 1
        ]
    return found
