"""HOS-2.79 to HOS-2.82, HOS-5.18: ranges, arcs, and which side of a vehicle is hit."""

from __future__ import annotations

from collections import deque
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING

from hexmarshal.geometry.lattice.squares import STEPS, Square

if TYPE_CHECKING:
    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.geometry.terrain.points import Point
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["apart", "arc_holds", "cell_range", "corner_range", "side_hit", "unit_range"]

FAR = 10**6
FULL = 360


def cell_range(now: Situation, one: str, two: str) -> int:
    """HOS-2.80: the shortest way in cells, diagonals allowed, the first cell not counted."""
    ground = now.ground
    if ground.tiled is None:
        return ground.square(one).distance(ground.square(two))
    return _counted(now, one).get(two, FAR)


def _counted(now: Situation, start: str) -> dict[str, int]:
    """Over complete cells and cells of tiles; what is left of covered cells is not counted."""

    def search() -> dict[str, int]:
        ground, found, waiting = now.ground, {start: 0}, deque([start])
        while waiting:
            here = waiting.popleft()
            if here != start and ground.incomplete(here):
                continue  # such a cell can be aimed at, and no count goes through it
            for near in (*ground.near[here], *_overlapping(now, here)):
                if near not in found:
                    found[near] = found[here] + 1
                    waiting.append(near)
        return found

    cache: dict[str, dict[str, int]] = now.remember("ranges", dict)
    if start not in cache:
        cache[start] = search()
    return cache[start]


def _overlapping(now: Situation, cell: str) -> tuple[str, ...]:
    """The cells of the other grid that lie over or under a part of a cell."""
    ground = now.ground
    square = ground.square(cell)
    halves = (Fraction(-1, 2), 0, Fraction(1, 2))
    near = (Square(square.column + x, square.row + y) for x in halves for y in halves)
    return tuple(
        name
        for one in near
        if one != square and one.is_offset != square.is_offset and (name := ground.name(one))
    )


def apart(now: Situation, one: tuple[str, ...], two: tuple[str, ...]) -> int:
    """HOS-2.80: between units of several cells the shorter distance."""
    return min((cell_range(now, a, b) for a in one for b in two), default=FAR)


def unit_range(now: Situation, one: Unit, two: Unit) -> int:
    """The range between two units."""
    return apart(now, now.cells(one), now.cells(two))


def corner_range(now: Situation, unit: Unit, corner: Point) -> int:
    """HOS-5.18, HOS-8.8: the range in intercells; the corners of the own cell are the first."""
    found = [
        floor(max(abs(s.column - corner.x), abs(s.row - corner.y)) + Fraction(1, 2))
        for s in now.squares(unit)
    ]
    return max(1, min(found, default=FAR))


def arc_holds(facing: int | None, degrees: int, start: Point, aim: Point) -> bool:
    """HOS-2.82: whether a point lies within an arc around a facing; its edges are within."""
    if degrees >= FULL:
        return True
    here, there = (Square(p.x, p.y) for p in (start, aim))
    return here == there or here.in_arc(there, facing or 0, degrees)


def side_hit(facing: int | None, aimed: Point, start: Point) -> tuple[str, ...]:
    """HOS-2.79: which side of a heavy vehicle a shot hits; exactly on a mark, either of two."""
    fx, fy = STEPS[(facing or 0) % 8]
    x, y = start.x - aimed.x, start.y - aimed.y
    ahead, beside = fx * x + fy * y, abs(fx * y - fy * x)
    if ahead > beside:
        return ("front",)
    if -ahead > beside:
        return ("rear",)
    if beside > abs(ahead):
        return ("side",)
    return ("front", "side") if ahead >= 0 else ("side", "rear")
