"""A second model of sight, arcs and costs: slow, plain, and without a line of the game's own code.

It reads the data files by itself. A hex is a polygon in a plane that is stretched so that all its
corners have whole coordinates, and a line is tried against every hex that there could be.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import yaml

DATA = Path(__file__).parents[3] / "modules/hexmarshal/games/conflict_of_heroes/data"
# From the top, clockwise.
SIDES = ("N", "NE", "SE", "S", "SW", "NW")
STEPS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
CORNERS = ((-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0))

Spot = tuple[int, int]


@cache
def table(name: str) -> dict[str, Any]:
    """A data file as it is."""
    found: dict[str, Any] = yaml.safe_load((DATA / f"{name}.yaml").read_text("utf-8"))
    return found


def centre(cell: Spot) -> Spot:
    """In the stretched plane."""
    return 3 * cell[0], 2 * cell[1] + cell[0]


def distance(one: Spot, other: Spot) -> int:
    """How many hexes one is from the other."""
    q, r = other[0] - one[0], other[1] - one[1]
    return max(abs(q), abs(r), abs(q + r))


def part_of_line(start: Spot, end: Spot, cell: Spot) -> str:
    """What a line has of a hex: `inside` it, `along` its side, or nothing that counts."""
    (ax, ay), (bx, by), (cx, cy) = centre(start), centre(end), centre(cell)
    first, last = Fraction(0), Fraction(1)
    along = False
    for (x1, y1), (x2, y2) in zip(CORNERS, (*CORNERS[1:], CORNERS[0]), strict=True):
        # How far to the inner side of this edge the two ends lie.
        ex, ey = x2 - x1, y2 - y1
        at_a = ex * (ay - cy - y1) - ey * (ax - cx - x1)
        at_b = ex * (by - cy - y1) - ey * (bx - cx - x1)
        if at_a == at_b:
            if at_a < 0:
                return ""
            along = along or at_a == 0
        else:
            cut = Fraction(at_a, at_a - at_b)
            if at_b > at_a:
                first = max(first, cut)
            else:
                last = min(last, cut)
    if first >= last:
        return ""
    return "along" if along else "inside"


@dataclass(frozen=True)
class Ground:
    """A board: what its file says, hex by hex."""

    spots: dict[str, Spot]
    kinds: dict[str, str]
    levels: dict[str, int]
    walls: set[frozenset[str]]
    roads: set[frozenset[str]]

    @property
    def names(self) -> dict[Spot, str]:
        return {spot: name for name, spot in self.spots.items()}

    def side(self, one: str, other: str) -> int | None:
        """The side of a hex at which another lies."""
        (q, r), (s, t) = self.spots[one], self.spots[other]
        return STEPS.index((s - q, t - r)) if (s - q, t - r) in STEPS else None

    # Sight

    def way(self, start: str, end: str) -> list[list[str]]:
        """What lies between two hexes, in order; two together where the line has a side of both.

        A hex that is not on the map has the name ''.
        """
        a, b = self.spots[start], self.spots[end]
        far = distance(a, b)
        reach = range(-far, far + 1)
        around = [(a[0] + q, a[1] + r) for q in reach for r in reach]
        near = [c for c in around if distance(a, c) <= far and distance(b, c) <= far]
        parts = {c: part for c in near if c not in (a, b) and (part := part_of_line(a, b, c))}
        (ax, ay), (bx, by) = centre(a), centre(b)

        def progress(cell: Spot) -> int:
            x, y = centre(cell)
            # The plane is stretched, and so is the way that its lengths are measured.
            return (x - ax) * (bx - ax) + 3 * (y - ay) * (by - ay)

        names = self.names
        found: dict[int, list[str]] = {}
        for cell in parts:
            found.setdefault(progress(cell), []).append(names.get(cell, ""))
        return [found[place] for place in sorted(found)]

    def ground(self, cell: str) -> int:
        return self.levels.get(cell, 0)

    def grown(self, cell: str) -> bool:
        """Whether woods or buildings stand there."""
        return bool(cell) and bool(table("rules/terrain")["terrain"][self.kinds[cell]]["blocks"])

    def sees(self, smoke: dict[str, int], start: str, end: str) -> tuple[bool, int]:
        """Whether one hex sees the other, and through how much smoke."""
        way = self.way(start, end)
        high = max(self.ground(start), self.ground(end))
        flat = self.ground(start) == self.ground(end)

        def stands_in_the_way(cell: str) -> bool:
            if self.grown(cell):
                return self.ground(cell) + 1 >= high
            return self.ground(cell) > high or (self.ground(cell) == high and not flat)

        haze = 0
        for place in way:
            open_ = [c for c in place if not stands_in_the_way(c)]
            if not open_:
                return False, 0
            clouds = {c: smoke.get(c, 0) for c in open_}
            haze += min(n if self.ground(c) + n >= high else 0 for c, n in clouds.items())
        if haze >= 2 or (way and not flat and self.blind(way, start, end)):
            return False, 0
        return True, haze

    def blind(self, way: list[list[str]], start: str, end: str) -> bool:
        """Whether the lower hex hides behind what is next to it."""
        down = self.ground(start) > self.ground(end)
        upper, lower = (start, end) if down else (end, start)
        low = self.ground(lower)
        for line in product(*(way if down else way[::-1])):
            screen = line[-1]
            heights = [self.ground(upper), *(self.ground(c) for c in line)]
            falls = all(one >= other for one, other in pairwise(heights))
            top = self.ground(screen) + self.grown(screen)
            if top <= low or (not self.grown(screen) and falls):
                return False
        return True

    # Arcs

    def in_front(self, cell: str, facing: int, other: str) -> bool:
        """Whether a hex lies in the fan that the outer two of the three front hexes open."""
        (q, r), (s, t) = self.spots[cell], self.spots[other]
        (lq, lr), (rq, rr) = STEPS[(facing - 1) % 6], STEPS[(facing + 1) % 6]
        # The vector as so much of the one and so much of the other.
        scale = lq * rr - lr * rq
        left = Fraction((s - q) * rr - (t - r) * rq, scale)
        right = Fraction(lq * (t - r) - lr * (s - q), scale)
        return left >= 0 and right >= 0

    # Moves

    def price(self, mover: Mover, path: list[str]) -> int | None:
        """The points for a way in one action; None if it may not be."""
        chart, rates = table("rules/terrain")["terrain"], table("rules/terrain")["movement"]
        unit, on = mover.unit, mover.unit["move_class"]
        if mover.hit.get("only_rally") or mover.hit.get("no_move"):
            return None
        if on == "foot" and len(path) > 1:
            return None
        if len(path) - 1 > unit.get("bonus", 0) and on != "foot":
            return None
        first = self.side(mover.cell, path[0])
        back = first is not None and (first - mover.facing) % 6 in (2, 3, 4)
        if back and len(path) > 1:
            return None
        total = rates["backwards"] if back else 0
        here = mover.cell
        for number, cell in enumerate(path):
            if self.side(here, cell) is None:
                return None
            road = frozenset((here, cell)) in self.roads
            extra = chart[self.kinds[cell]][on]
            light = on == "foot" and unit["move"] <= 2
            if not road and (extra == "no" or (self.kinds[cell] == "water" and not light)):
                return None
            works = mover.works.get(cell, set())
            if on == "wheeled" and works & {"trench", "wire", "roadblock"}:
                return None
            wall = frozenset((here, cell)) in self.walls
            if wall and on == "wheeled":
                return None
            up = self.ground(cell) - self.ground(here)
            if on != "foot" and abs(up) > 1:
                return None
            if len(path) > 1 and not self.free(mover, cell, works, road=road):
                return None
            if number == 0:
                total += unit["move"] + mover.hit.get("move", 0) + (0 if road else extra)
            total += wall + max(0, up) * rates["climb"]
            here = cell
        return total

    def free(self, mover: Mover, cell: str, works: set[str], *, road: bool) -> bool:
        """Whether a hex gives a vehicle the hexes that it does not pay for."""
        on = mover.unit["move_class"]
        if mover.smoke.get(cell, 0) >= 2 or works & {"trench", "wire"}:
            return False
        if road:
            return on == "tracked" or cell not in mover.jammed
        return on == "tracked" and self.kinds[cell] == "open"


@dataclass
class Mover:
    """A unit that wants to go, or to fire, and what is in its way."""

    unit: dict[str, Any]
    cell: str
    facing: int
    hit: dict[str, Any]
    works: dict[str, set[str]]
    smoke: dict[str, int]
    jammed: set[str]


def shot(ground: Ground, mover: Mover, target: str) -> int | None:
    """The points for a direct shot; None if it may not be."""
    unit, hit = mover.unit, mover.hit
    if unit.get("fire") is None or hit.get("only_rally") or len(hit.get("no_fire", ())) == 2:
        return None
    reach = hit.get("range", unit["range"])
    far = distance(ground.spots[mover.cell], ground.spots[target])
    if not unit.get("min_range", 0) <= far <= 2 * reach:
        return None
    if not ground.sees(mover.smoke, mover.cell, target)[0]:
        return None
    points = int(unit["fire"]) + int(hit.get("fire", 0))
    if ground.in_front(mover.cell, mover.facing, target):
        return max(0, points)
    return points + int(table("rules/terrain")["costs"]["turret"]) if unit.get("turret") else None


@cache
def ground_of(key: str) -> Ground:
    """A board out of its file."""
    file = table(f"boards/{key}")
    spots = {name: (q, r) for name, (q, r) in file["grid"]["cells"].items()}
    names = {spot: name for name, spot in spots.items()}
    kinds, levels = {}, {}
    for name in spots:
        said = file["cells"].get(name, "open")
        entry = said if isinstance(said, dict) else {"terrain": said}
        kinds[name] = entry.get("terrain", "open")
        levels[name] = entry.get("level", 0)
    walls = set()
    for side in file["sides"]:
        name, _, where = side.partition("/")
        step = STEPS[SIDES.index(where)]
        beyond = names.get((spots[name][0] + step[0], spots[name][1] + step[1]), "")
        walls.add(frozenset((name, beyond)))
    roads = {frozenset(two) for path in file["paths"] for two in pairwise(path["cells"])}
    return Ground(spots, kinds, levels, walls, roads)
