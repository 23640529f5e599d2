"""A second model of supply, movement costs and retreats, written for clearness alone.

It knows the plain by its own arithmetic, walks every path, and shares no line with the rules. A
ground is a dict: `off`, `terrain`, `sides` (frozensets of two hexes), `sources`, `enemies`, `own`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise, product

COSTS = {"clear": 1, "rough": 2, "woods": 2, "marsh": 2, "city": 1}


def beside(cell: str) -> list[str]:
    """Doubled coordinates: a hex is two wide, and a line up or down is one to either side."""
    line, place = int(cell[:2]), int(cell[2:])
    x = 2 * place + line % 2
    steps = [(0, -2), (0, 2), (-1, -1), (-1, 1), (1, -1), (1, 1)]
    return [f"{line + a:02}{(x + b - (line + a) % 2) // 2:02}" for a, b in steps]


def far(one: str, two: str) -> int:
    """Hexes between two hexes on an open plain, by doubled coordinates."""
    (a, b), (c, d) = ((int(h[:2]), 2 * int(h[2:]) + int(h[:2]) % 2) for h in (one, two))
    up, across = abs(a - c), abs(b - d)
    return up + max(0, (across - up) // 2)


@dataclass
class Ground:
    """A small piece of country with units on it, seen from one side."""

    cells: set[str]
    terrain: dict[str, str] = field(default_factory=dict)
    sides: dict[frozenset[str], set[str]] = field(default_factory=dict)
    enemies: list[str] = field(default_factory=list)
    own: list[str] = field(default_factory=list)
    enemy_cities: set[str] = field(default_factory=set)

    def on(self, one: str, two: str) -> set[str]:
        return self.sides.get(frozenset({one, two}), set())

    def near(self, cell: str) -> list[str]:
        return [c for c in beside(cell) if c in self.cells]

    def zone(self, cell: str) -> bool:
        return any(n in self.enemies and "blocked" not in self.on(cell, n) for n in beside(cell))

    def unbridged(self, one: str, two: str) -> bool:
        on = self.on(one, two)
        return "major" in on and not on & {"road", "rail"}

    # Supply: try every way from the unit, one hex after the other

    def supplied(self, start: str, sources: set[str]) -> bool:
        reached, before = {start}, -1
        while len(reached) > before:
            before = len(reached)
            for cell in sorted(reached):
                for near in self.near(cell):
                    closed = (
                        near in self.enemies
                        or near in self.enemy_cities
                        or (self.zone(near) and near not in self.own)
                        or "blocked" in self.on(cell, near)
                        or self.unbridged(cell, near)
                    )
                    if not closed:
                        reached.add(near)
        return bool(reached & sources)

    # Movement: the cost of a whole path, None where it is forbidden

    def cost(self, path: list[str], allowance: int) -> Fraction | None:
        total = Fraction(0)
        for i, (here, to) in enumerate(pairwise(path)):
            on = self.on(here, to)
            both = self.zone(here) and self.zone(to)
            if to not in self.near(here) or to in self.enemies or "blocked" in on:
                return None
            if "major" in on and both:
                return None
            if self.terrain.get(to) == "marsh" and "road" not in on:
                last = i == len(path) - 2
                if both or not last or to not in beside(path[0]):
                    return None
            if self.unbridged(here, to):
                if i:
                    return None
                total += allowance
                continue
            if on & {"road", "rail"}:
                total += 1
            else:
                total += COSTS[self.terrain.get(to, "clear")] + ("minor" in on)
            total += 2 * self.zone(here) + 2 * self.zone(to)
        return total if 0 < total <= allowance else None

    def full(self, cell: str) -> bool:
        return self.own.count(cell) >= 2

    def reach(self, start: str, allowance: int) -> dict[str, Fraction]:
        """The cheapest cost to every hex, over every path of at most `allowance` hexes."""
        found: dict[str, Fraction] = {}
        paths = [[start]]
        for _ in range(allowance):
            longer = [[*p, n] for p in paths for n in self.near(p[-1]) if n not in p]
            # What goes on from a forbidden path is forbidden too.
            priced = [(p, c) for p in longer if (c := self.cost(p, allowance)) is not None]
            paths = [path for path, _ in priced]
            for path, cost in priced:
                if not self.full(path[-1]):
                    found[path[-1]] = min(cost, found.get(path[-1], cost))
        return found

    # Retreats of exactly one or two hexes, where there is room everywhere

    def retreats(self, start: str, hexes: int, source: str) -> set[tuple[str, ...]]:
        ways = []
        for way in product(sorted(self.cells), repeat=hexes):
            path = [start, *way]
            steps = list(pairwise(path))
            if len(set(path)) < len(path) or any(b not in beside(a) for a, b in steps):
                continue
            if any(b in self.enemies or "blocked" in self.on(a, b) for a, b in steps):
                continue
            if any("major" in self.on(a, b) and self.zone(a) and self.zone(b) for a, b in steps):
                continue
            if any(self.unbridged(a, b) and a != start for a, b in steps):
                continue
            closer = all(far(b, source) < far(a, source) for a, b in steps)
            zones = sum(self.zone(cell) for cell in way)
            ways.append(((zones, not closer, self.full(way[-1])), way))
        least = min((order for order, _ in ways), default=None)
        return {way for order, way in ways if order == least}
