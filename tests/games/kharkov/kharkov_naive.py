"""A second, naive model of Kharkov, to hold against the rules.

It reads the data files itself, knows hexes by their names alone, takes the book's numbers from the
book, and tries everything out: no sets of bits, no clever searches. It shares no code with the
game's plugin.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

DATA = Path(__file__).parents[3] / "modules/hexmarshal/games/kharkov/data/boards"
STACK = 3
COMBAT = {
    "axis": ("infantry", "light", "panzer", "regiment", "romanian"),
    "soviet": ("rifle", "guards", "cavalry", "tank"),
}
ON_FOOT = ("infantry", "light", "regiment", "romanian", "rifle", "guards")
# Half movement points: (on foot, other) for a hex, and on top for a side.
HEX = {"clear": (2, 2), "forest": (2, 4), "city": (2, 1), "road": (2, 1)}
SIDE = {"": (0, 0), "river": (2, 2), "donets": (2, 4), "dnieper": (0, 0)}


def other(side: str) -> str:
    return "axis" if side == "soviet" else "soviet"


@dataclass(frozen=True)
class Ground:
    """A map: names, and what the files say of them."""

    names: frozenset[str]
    kinds: dict[str, str]
    rivers: dict[frozenset[str], str]
    roads: frozenset[frozenset[str]]
    garrisons: dict[str, int]
    cities: dict[str, list[str]]
    road_ends: tuple[str, ...]
    free_row: int

    def near(self, cell: str) -> list[str]:
        """Rows run from west to east, numbers from the east; even rows lie half a hex further."""
        return [name for name in around(cell) if name in self.names]

    def far(self, one: str, two: str) -> int:
        """The distance, ring by ring."""
        return _distance(self, one, two)

    def river(self, one: str, two: str) -> str:
        return self.rivers.get(frozenset((one, two)), "")

    def road(self, one: str, two: str) -> bool:
        return frozenset((one, two)) in self.roads

    def unbridged(self, one: str, two: str) -> bool:
        return self.river(one, two) == "dnieper" and not self.road(one, two)

    def rim(self, cell: str) -> bool:
        return len(self.near(cell)) < 6


@cache
def around(cell: str) -> tuple[str, ...]:
    """The names of the six hexes next to one."""
    row, column = int(cell[:2]), int(cell[2:])
    slant = 1 if row % 2 else -1
    spots = [(row, column - 1), (row, column + 1)]
    spots += [(row + d, column + c) for d in (-1, 1) for c in (0, slant)]
    return tuple(f"{r:02}{c:02}" for r, c in spots)


def _distance(ground: Ground, one: str, two: str) -> int:
    ring, seen, steps = {one}, {one}, 0
    while two not in ring:
        ring = {n for c in ring for n in ground.near(c)} - seen
        seen |= ring
        steps += 1
    return steps


@cache
def ground(key: str) -> Ground:
    terrain = yaml.safe_load((DATA / key / "terrain.yaml").read_text("utf-8"))
    extra = yaml.safe_load((DATA / key / "map.yaml").read_text("utf-8"))
    cells = terrain["grid"].get("cells")
    whole = {f"{row:02}{column:02}" for row in range(1, 40) for column in range(1, 35)}
    paths = [p["cells"] for p in terrain["paths"] if p["terrain"] == "road"]
    return Ground(
        frozenset(cells or whole),
        terrain["cells"],
        {frozenset(pair.split("|")): river for pair, river in terrain["sides"].items()},
        frozenset(frozenset(pair) for p in paths for pair in itertools.pairwise(p)),
        {c: n for city in extra["cities"].values() for c, n in city["hexes"].items()},
        {name: list(city["hexes"]) for name, city in extra["cities"].items()},
        tuple(extra["supply"]["road_ends"]),
        extra["supply"]["donets_free_row"],
    )


@dataclass
class Table:
    """What stands where: plain documents, as a position has them."""

    ground: Ground
    units: dict[str, dict[str, Any]]
    cells: dict[str, dict[str, Any]] = field(default_factory=dict)
    turn: int = 5
    known: dict[object, Any] = field(default_factory=dict)

    def once(self, key: object, make: Callable[[], Any]) -> Any:
        """What was found out before; only once everybody stands where he stands."""
        if key not in self.known:
            self.known[key] = make()
        return self.known[key]

    # Who is where

    def on(self, cell: str, side: str) -> list[str]:
        return [k for k, u in self.units.items() if u["cell"] == cell and u["side"] == side]

    def fights(self, unit: str) -> bool:
        return self.units[unit]["type"] in COMBAT[self.units[unit]["side"]]

    def garrison(self, cell: str) -> bool:
        return bool(self.ground.garrisons.get(cell)) and (
            self.cells.get(cell, {}).get("garrison") != 0
        )

    def shut(self, cell: str, side: str) -> bool:
        """Whether the side cannot come in."""
        enemies = bool(self.on(cell, other(side)))
        return enemies or (side == "soviet" and self.garrison(cell))

    def friends(self, cell: str, side: str) -> bool:
        return bool(self.on(cell, side)) or (side == "axis" and self.garrison(cell))

    def watchers(self, cell: str, side: str) -> set[str]:
        """The enemies whose zones lie on the hex, for a unit of the side."""
        near = self.ground.near(cell)
        return {
            name
            for name, unit in self.units.items()
            if unit["cell"] in near
            and unit["side"] != side
            and self.fights(name)
            and "strongpoint" not in unit.get("flags", ())
        }

    def zone(self, side: str) -> set[str]:
        return {c for c in self.ground.names if self.watchers(c, other(side))}

    def open_line(self, cell: str, side: str) -> bool:
        """Whether lines and retreats may run through a hex."""
        return bool(self.once((cell, side), lambda: self._open(cell, side)))

    def _open(self, cell: str, side: str) -> bool:
        held = self.watchers(cell, side) and not self.friends(cell, side)
        return not self.shut(cell, side) and not held

    # Supply

    def _walk(self, start: str, side: str, longest: int, *, german: bool) -> Iterator[list[str]]:
        """Shortest lines from a hex to every other: each hex once, nearest first."""
        seen, ring = {start}, [[start]]
        for _ in range(longest + 1):
            yield from ring
            further = []
            for line in ring:
                for to in self.ground.near(line[-1]):
                    if to in seen or not self.open_line(to, side):
                        continue
                    if self.steps_well(line[-1], to, german=german, first=len(line) == 1):
                        seen.add(to)
                        further.append([*line, to])
            ring = further

    def steps_well(self, here: str, to: str, *, german: bool, first: bool) -> bool:
        if self.ground.unbridged(here, to):
            return False
        if not german or self.ground.river(here, to) != "donets" or self.ground.road(here, to):
            return True
        north = max(int(here[:2]), int(to[:2])) <= self.ground.free_row
        return north or first

    def road_sources(self) -> set[str]:
        edge: dict[str, int] = {}
        for name in self.ground.names:
            edge[name[:2]] = max(int(name[2:]), edge.get(name[:2], 0))
        ends = {f"{row}{column:02}" for row, column in edge.items()} | set(self.ground.road_ends)
        roads = {c for pair in self.ground.roads for c in pair}
        found = {c for c in ends & roads if self.open_line(c, "axis")}
        grown = True
        while grown:
            more = {
                to
                for c in found
                for to in self.ground.near(c)
                if self.ground.road(c, to) and to not in found and self.open_line(to, "axis")
            }
            grown = bool(more)
            found |= more
        return found

    def city_sources(self) -> set[str]:
        cities = {c for c, kind in self.ground.kinds.items() if kind == "city"}
        return {
            c
            for c in cities
            if not self.cells.get(c, {}).get("soviet") and self.open_line(c, "axis")
        }

    def supplied(self, unit: str) -> bool:
        return bool(self.once(unit, lambda: self._supplied(unit)))

    def _supplied(self, unit: str) -> bool:
        it = self.units[unit]
        if it["side"] == "soviet" or it["type"] == "romanian":
            if it["type"] == "hq":
                ends = self._walk(it["cell"], "soviet", 2000, german=False)
                return any(line[-1][2:] == "01" for line in ends)
            return any(self.commands(hq, unit) for hq in self.units if self.supplied_hq(hq, unit))
        return self.german_source(it["cell"])

    def german_source(self, cell: str) -> bool:
        roads = self.once("roads", self.road_sources)
        cities = self.city_sources()
        for line in self._walk(cell, "axis", 15, german=True):
            if line[-1] in cities or (line[-1] in roads and len(line) <= 6):
                return True
        return False

    def supplied_hq(self, hq: str, unit: str) -> bool:
        it = self.units[hq]
        same = it["type"] == "hq" and it["side"] == self.units[unit]["side"]
        return same and "inactive" not in it.get("flags", ()) and self.supplied(hq)

    def commands(self, hq: str, unit: str) -> bool:
        it = self.units[hq]
        lines = self._walk(it["cell"], it["side"], it["values"]["radius"], german=False)
        return any(line[-1] == self.units[unit]["cell"] for line in lines)

    def lawful(self, unit: str, path: list[str]) -> bool:
        """Whether this is a line that supplies the unit."""
        it = self.units[unit]
        side = it["side"]
        german = side == "axis" and it["type"] != "romanian"
        if path[0] != it["cell"] or any(not self.open_line(c, side) for c in path[1:]):
            return False
        for i, (here, to) in enumerate(itertools.pairwise(path)):
            if to not in self.ground.near(here):
                return False
            if not self.steps_well(here, to, german=german, first=i == 0):
                return False
        end, length = path[-1], len(path) - 1
        if german:
            near_road = end in self.once("roads", self.road_sources) and length <= 5
            return near_road or (end in self.city_sources() and length <= 15)
        if it["type"] == "hq":
            return end[2:] == "01"
        return any(
            self.supplied_hq(hq, unit) and length <= self.units[hq]["values"]["radius"]
            for hq in self.on(end, side)
        )

    # Cities

    def controller(self, hexes: list[str]) -> str | None:
        """KHA-17.11 to KHA-17.13, with garrisons in some hexes and others retaken."""

        def last(cell: str) -> str:
            return str(self.cells.get(cell, {}).get("holder", ""))

        def east(cell: str) -> bool:
            lines = self._walk(cell, "soviet", 2000, german=False)
            return self.open_line(cell, "soviet") and any(w[-1][2:] == "01" for w in lines)

        def axis(cell: str) -> bool:
            back = last(cell) == "axis" or bool(self.on(cell, "axis"))
            return self.garrison(cell) or (back and self.german_source(cell))

        if all(axis(cell) for cell in hexes):
            return "axis"
        soviet = all(last(cell) == "soviet" and east(cell) for cell in hexes)
        return "soviet" if soviet else None

    # Movement

    def price(self, unit: str, here: str, to: str) -> int:
        kind = self.units[unit]["type"]
        foot = kind in ON_FOOT or kind == "hq"
        if self.ground.road(here, to):
            return HEX["road"][0 if kind in ON_FOOT else 1]
        terrain = self.ground.kinds.get(to, "clear")
        terrain = "clear" if terrain == "town" else terrain
        column = 0 if foot else 1
        return HEX[terrain][column] + SIDE[self.ground.river(here, to)][column]

    def allowance(self, unit: str) -> int:
        it = self.units[unit]
        values = it.get("values", {})
        printed = values.get("move") or int(values.get("ladder", ["9-8"])[0].split("-")[-1])
        return 2 * (printed // 2 if "unsupplied" in it.get("flags", ()) else printed)

    def may_enter(self, units: list[str], here: str, to: str, side: str) -> bool:
        if self.shut(to, side) or self.ground.unbridged(here, to):
            return False
        if self.ground.river(here, to) != "donets" or self.on(to, side):
            return True
        return not any(
            self.ground.river(bank, near) == "donets"
            for bank in (self.units[w]["cell"] for w in self.watchers(to, side))
            for near in self.ground.near(bank)
        )

    def may_leave(self, here: str, start: str, side: str) -> bool:
        watchers = self.watchers(here, side)
        if not watchers:
            return True
        return side == "soviet" and self.turn <= 2 and watchers <= self.watchers(start, side)

    def fits(self, units: list[str], cell: str, side: str) -> bool:
        there = {u for u in self.on(cell, side) if self.fights(u)} - set(units)
        coming = [u for u in units if self.fights(u)]
        return not coming or len(there) + len(coming) <= STACK

    def reach(self, units: list[str]) -> set[str]:
        """Every hex where the units may end together: every way with every bill is tried."""
        side, start = self.units[units[0]]["side"], self.units[units[0]]["cell"]
        budget = [self.allowance(u) for u in units]
        todo = [(start, (0,) * len(units))]
        seen = set(todo)
        while todo:
            here, spent = todo.pop()
            if not self.may_leave(here, start, side):
                continue
            for to in self.ground.near(here):
                after = tuple(
                    s + self.price(u, here, to) for u, s in zip(units, spent, strict=True)
                )
                if any(a > b for a, b in zip(after, budget, strict=True)):
                    continue
                if (to, after) not in seen and self.may_enter(units, here, to, side):
                    seen.add((to, after))
                    todo.append((to, after))
        return {c for c, _ in seen if c != start and self.fits(units, c, side)}

    # Retreats

    def retreats(self, unit: str, hexes: int) -> set[tuple[str, ...]]:
        side, start = self.units[unit]["side"], self.units[unit]["cell"]
        ways = self.ways(unit, hexes)
        ways = {w for w in ways if self.ground.far(start, w[-1]) == hexes}
        empty = {
            w
            for w in ways
            if all(self.ground.kinds.get(c) == "city" or not self.on(c, side) for c in w)
        }
        return empty or ways

    def ways(self, unit: str, hexes: int) -> set[tuple[str, ...]]:
        """Every path of so many hexes, none twice."""
        side, start = self.units[unit]["side"], self.units[unit]["cell"]
        ways: set[tuple[str, ...]] = {()}
        for _ in range(hexes):
            ways = {
                (*way, to)
                for way in ways
                for to in self.ground.near(way[-1] if way else start)
                if to != start
                and to not in way
                and self.open_line(to, side)
                and not self.ground.unbridged(way[-1] if way else start, to)
                and self.fits([unit], to, side)
            }
        return ways

    def off_map(self, unit: str, hexes: int) -> bool:
        """No way back on the map, but one that leads to its rim."""
        if self.retreats(unit, hexes):
            return False
        if self.ground.rim(self.units[unit]["cell"]):
            return True
        shorter = (way for n in range(1, hexes) for way in self.ways(unit, n))
        start = self.units[unit]["cell"]
        return any(
            self.ground.rim(w[-1]) and self.ground.far(start, w[-1]) == len(w) for w in shorter
        )
