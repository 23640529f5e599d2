"""HOS-2.73 to HOS-2.78, HOS-3.11 to HOS-3.15: lines of sight over cells, walls and units."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from hexmarshal.games.heroes_of_stalingrad.state.ground.ground import WALL
from hexmarshal.games.heroes_of_stalingrad.state.kinds import INFANTRY
from hexmarshal.geometry.lattice.squares import Square
from hexmarshal.geometry.sight.course import course_of
from hexmarshal.geometry.sight.vantage import vantage_points
from hexmarshal.rules.copying import quick

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.geometry.lattice.tiling import Tiling
    from hexmarshal.geometry.sight.course import Course, Stretch
    from hexmarshal.geometry.terrain.points import Point
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["Line", "Obstacle", "Spot", "best", "lines", "sees", "spot_of", "spots", "trace"]


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Something in the way: it blocks, or takes `value` off the result."""

    where: str
    what: str
    rule: str
    value: int = 0


@quick
@dataclass(frozen=True, slots=True)
class Spot:
    """An end of a line: a point, and the cells of who is there, which never count (HOS-2.76)."""

    point: Point
    cells: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """HOS-2.73: clear without obstacles, reduced by some, or blocked."""

    start: Spot
    end: Spot
    blocks: tuple[Obstacle, ...] = ()
    reduces: tuple[Obstacle, ...] = ()

    @property
    def visible(self) -> bool:
        """Clear or reduced."""
        return not self.blocks

    @property
    def clear(self) -> bool:
        """No obstacle at all."""
        return not self.blocks and not self.reduces

    @property
    def malus(self) -> int:
        """HOS-2.75: what the obstacles take off together."""
        return sum(obstacle.value for obstacle in self.reduces)


@lru_cache(maxsize=1 << 15)
def _course(
    tiling: Tiling, start: Point, end: Point, first: tuple[Any, ...], last: tuple[Any, ...]
) -> Course:
    """What a line meets of the map, which is the same whoever stands on it."""
    return course_of(tiling.pieces(start, end), tiling, first, last)


def trace(
    now: Situation,
    start: Spot,
    end: Spot,
    *,
    infantry_blocks: bool = False,
    ignoring: frozenset[str] = frozenset(),
    facade: bool = False,
) -> Line:
    """The line between two spots; units named in `ignoring` are not in the way.

    `facade`: the end is the outside of a building, whose own walls do not count.
    """
    if start.point == end.point:
        return Line(start, end)
    ground = now.ground
    first, last = (
        tuple(s for c in spot.cells if (s := ground.find(c)) is not None) for spot in (start, end)
    )
    course = _course(ground.map.tiling, start.point, end.point, first, last)
    judge = _Judge(now, start, end, course, infantry_blocks, ignoring)
    if facade:
        judge.facade = frozenset(end.cells)
    blocks, reduces = judge.found()
    return Line(start, end, blocks, reduces)


class _Judge:
    """What is in the way of one line."""

    def __init__(
        self,
        now: Situation,
        start: Spot,
        end: Spot,
        course: Course,
        infantry_blocks: bool,
        ignoring: frozenset[str],
    ) -> None:
        self.now, self.course = now, course
        self.ends = start, end
        self.infantry_blocks, self.ignoring = infantry_blocks, ignoring
        house = now.ground.house
        self.houses = tuple(frozenset(filter(None, map(house, s.cells))) for s in self.ends)
        self._thresholds: dict[str, set[str]] | None = None
        self.facade: frozenset[str] = frozenset()

    def found(self) -> tuple[tuple[Obstacle, ...], tuple[Obstacle, ...]]:
        """All that blocks, and all that reduces."""
        course = self.course
        met = list(self._met(course.cells, course.sides))
        less = self.now.option("corners") == "less"
        for fork in course.forks:
            ways = [list(self._met(way.cells, way.sides)) for way in fork.ways]
            # HOS-2.73: where a line passes exactly between two cells one of them counts, by one
            # rule for all directions; the less blocking one unless the switch says otherwise.
            met += min(ways, key=_weight) if less else max(ways, key=_weight)
        return (
            tuple(o for o in met if not o.value),
            tuple(o for o in met if o.value),
        )

    def _met(self, cells: Iterable[Stretch], sides: Iterable[Stretch]) -> Iterator[Obstacle]:
        for stretch in cells:
            if isinstance(stretch.place, Square) and (name := self.now.ground.name(stretch.place)):
                yield from self._cell(name)
        if self.now.ground.has_walls:
            for stretch in sides:
                yield from self._side(stretch)

    def _cell(self, cell: str) -> Iterator[Obstacle]:
        now = self.now
        for unit in now.occupants(cell):
            if unit.id in self.ignoring or now.ambushed(unit):
                continue  # HOS-5.2: a unit in ambush does not block
            vehicle = now.is_vehicle(unit)
            if vehicle or self.infantry_blocks:
                # HOS-2.74: vehicles always, infantry between two infantry units.
                yield Obstacle(cell, unit.id, "HOS-2.74")
        element = now.element(cell)
        if element is not None and element.house:
            yield from self._inside(cell, element.house)
        for kind in now.kinds(cell):
            if kind.building:
                continue
            if kind.blocks:
                yield Obstacle(cell, kind.key, "HOS-3.6")
            elif kind.obstacle:
                yield Obstacle(cell, kind.key, "HOS-3.6", kind.obstacle)

    def _inside(self, cell: str, house: str) -> Iterator[Obstacle]:
        """HOS-3.11, HOS-3.14, HOS-3.15: a cell of a building on the way."""
        within = [house in houses for houses in self.houses]
        kind = next(k for k in self.now.kinds(cell) if k.building)
        if all(within):
            return
        if not any(within):
            if kind.blocks:
                yield Obstacle(cell, kind.key, "HOS-3.11")
            elif kind.obstacle:
                yield Obstacle(cell, kind.key, "HOS-3.6", kind.obstacle)
            return
        outside = self.ends[within.index(False)]
        if not self.thresholds.get(house, set()).intersection(outside.cells):
            # Who is inside must be next to the opening, unless who is outside is.
            rule = "HOS-3.14" if within[0] else "HOS-3.15"
            yield Obstacle(cell, kind.key, rule)

    @property
    def thresholds(self) -> dict[str, set[str]]:
        """By building, the cells outside from which the line goes in through an opening."""
        if self._thresholds is None:
            found: dict[str, set[str]] = {}
            ground = self.now.ground
            sides = [
                *self.course.sides,
                *(s for f in self.course.forks for w in f.ways for s in w.sides),
            ]
            for stretch in sides:
                pair = [c for c in stretch.place if isinstance(c, Square)]  # type: ignore[attr-defined]
                if len(pair) != 2:
                    continue
                for one, two in (pair, pair[::-1]):
                    house = ground.house(ground.name(one))
                    leaves = bool(house) and ground.house(ground.name(two)) != house
                    if leaves and ground.edge(one, two) != WALL:
                        found.setdefault(house, set()).add(ground.name(two))
            self._thresholds = found
        return self._thresholds

    def _side(self, stretch: Stretch) -> Iterator[Obstacle]:
        pair = [c for c in stretch.place if isinstance(c, Square)]  # type: ignore[attr-defined]
        if len(pair) != 2:
            return
        one, two = pair
        ground = self.now.ground
        names = ground.name(one), ground.name(two)
        if self.facade.intersection(names):
            return
        if all(names) and ground.edge(one, two) == WALL:
            yield Obstacle("|".join(sorted(names)), WALL, "HOS-3.11")


def _weight(met: Iterable[Obstacle]) -> tuple[bool, int, tuple[str, ...]]:
    met = list(met)
    blocked = any(not obstacle.value for obstacle in met)
    value = 0 if blocked else sum(obstacle.value for obstacle in met)
    # Where both weigh the same, which one is told must not depend on the line's direction.
    return blocked, value, tuple(sorted(obstacle.where for obstacle in met))


# Between units


def spot_of(now: Situation, cell: str, cells: tuple[str, ...] = ()) -> Spot:
    """The centre of a cell."""
    return Spot(now.ground.square(cell).middle, cells or (cell,))


def spots(now: Situation, unit: Unit) -> tuple[Spot, ...]:
    """HOS-2.78, HOS-5.92: the centres from which a unit looks, and at which it is looked at."""
    cells = tuple(c for c in now.cells(unit) if now.ground.has(c))
    return tuple(spot_of(now, cell, cells) for cell in cells)


def _between(now: Situation, mine: tuple[Spot, ...], aim: Spot) -> tuple[Spot, ...]:
    """HOS-2.78: the points between the two centres of a vehicle that stand for all others."""
    if len(mine) < 2:
        return ()
    one, two = (now.ground.square(c) for c in mine[0].cells[:2])
    points = vantage_points(now.ground.map, one, two, aim.point)
    return tuple(Spot(point, mine[0].cells) for point in points[1:-1])


def lines(now: Situation, firer: Unit, target: Unit) -> tuple[Line, ...]:
    """Every line that a firer may choose to a target; the first ones from centre to centre."""
    # HOS-2.74, HOS-5.92: infantry blocks only between two infantry units, never passengers.
    both = now.family(firer) == now.family(target) == INFANTRY and not firer.carrier
    ignoring = frozenset((firer.id, target.id, firer.carrier, target.carrier))

    def drawn(a: Spot, b: Spot) -> Line:
        return trace(now, a, b, infantry_blocks=both, ignoring=ignoring)

    starts, ends = spots(now, firer), spots(now, target)
    found = [drawn(a, b) for a in starts for b in ends]
    if (len(starts) > 1 or len(ends) > 1) and not any(line.clear for line in found):
        found += [drawn(a, b) for b in ends for a in _between(now, starts, b)]
        found += [drawn(a, b) for a in starts for b in _between(now, ends, a)]
    return tuple(found)


def best(found: Iterable[Line]) -> Line | None:
    """The line with the least in its way."""
    return min(found, key=lambda line: (not line.visible, line.malus), default=None)


def sees(now: Situation, one: Unit, two: Unit) -> Line | None:
    """HOS-2.77: the best line between two units, which see each other; None: not on the board."""
    pair = sorted((one, two), key=lambda unit: unit.id)
    key = f"sight {pair[0].id}|{pair[1].id}"
    return now.remember(key, lambda: best(lines(now, *pair)))
