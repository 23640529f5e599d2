"""Lines of sight: what stands in the way between two places, by a rule given as data."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from hexmarshal.errors import GeometryError, Place
from hexmarshal.geometry.lattice.tiling import Regular
from hexmarshal.geometry.sight.course import Course, course_of
from hexmarshal.geometry.sight.index import Obstruction
from hexmarshal.geometry.sight.obstacles import Inquiry
from hexmarshal.geometry.sight.sight_rule import SightRule
from hexmarshal.geometry.sight.trace import Trace, point_of, trace
from hexmarshal.geometry.terrain.points import Point

if TYPE_CHECKING:
    from collections.abc import Hashable

    from hexmarshal.geometry.terrain.terrain_map import TerrainMap

__all__ = ["DEFAULT_RULE", "Obstruction", "Sight", "line_of_sight", "passed"]

DEFAULT_RULE = SightRule()

Level = int | Fraction


class Sight(NamedTuple):
    """The answer: blocked or not, what blocks, what hinders, and why."""

    start: Hashable
    end: Hashable
    range: int
    obstacles: tuple[Obstruction, ...]
    hindrances: tuple[Obstruction, ...]
    rule: SightRule
    terrain: TerrainMap

    @property
    def hindrance(self) -> int:
        """All hindrances together."""
        return sum(finding.value for finding in self.hindrances)

    @property
    def blocked(self) -> bool:
        """Whether the line is blocked: by an obstacle, by too much hindrance, or by its length."""
        rule = self.rule
        return (
            bool(self.obstacles)
            or (rule.hindrance_limit is not None and self.hindrance >= rule.hindrance_limit)
            or (rule.max_range is not None and self.range > rule.max_range)
        )

    @property
    def visible(self) -> bool:
        """Not blocked."""
        return not self.blocked

    @property
    def trace(self) -> Trace:
        """All that the line meets, in order; worked out when asked for."""
        return trace(self.terrain, self.start, self.end)

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it is blocked and what hinders, in sentences."""
        rule = self.rule
        told = [f"{self.place(f)}: {f.terrain} blocks" for f in self.obstacles]
        told += [f"{self.place(f)}: {f.terrain} hinders by {f.value}" for f in self.hindrances]
        if rule.hindrance_limit is not None and self.hindrance >= rule.hindrance_limit:
            told.append(f"a hindrance of {self.hindrance} blocks: {rule.hindrance_limit} or more")
        if rule.max_range is not None and self.range > rule.max_range:
            told.append(f"a range of {self.range} is more than {rule.max_range}")
        return tuple(told)

    def place(self, finding: Obstruction) -> str:
        """Where a finding is, in words."""
        place = finding.place
        return place if isinstance(place, str) else self.terrain.describe(place)


def line_of_sight(
    terrain: TerrainMap,
    a: Hashable,
    b: Hashable,
    rule: SightRule = DEFAULT_RULE,
    *,
    a_level: Level | None = None,
    b_level: Level | None = None,
    a_cells: tuple[Hashable, ...] = (),
    b_cells: tuple[Hashable, ...] = (),
) -> Sight:
    """The line of sight between two places: cells, sides, vertices, exact points or cell names.

    Levels are absolute; without them, viewer and target stand on the ground of their cells. Who
    covers more than one cell names them in `a_cells` or `b_cells`: none of them is in the way.
    """
    index = terrain.index
    if isinstance(a, str):
        a = terrain.cell(a)
    if isinstance(b, str):
        b = terrain.cell(b)
    tiling = index.tiling
    spread = a_cells or b_cells
    if type(a) is type(b) is tiling.cell_type and isinstance(tiling, Regular) and not spread:
        if a not in terrain.names or b not in terrain.names:
            off = b if a in terrain.names else a
            raise GeometryError(f"{off} is not on this map", place=Place(cell=str(off)))
        course, origin = tiling.course(a, b)
        first: int = tiling.key(a)  # type: ignore[assignment]
        last = tiling.key(b)
        base = 0 if origin is None else first
        ground = index.ground
        la: Level = ground.get(first, 0) if ground else 0
        lb: Level = ground.get(last, 0) if ground else 0
        (ax, ay), (bx, by) = tiling.centre(a), tiling.centre(b)
        ux, uy = index.unit_x, index.unit_y
        start: tuple[Level, Level] = (ax * ux, ay * uy)
        end: tuple[Level, Level] = (bx * ux, by * uy)
    else:
        p, q = point_of(terrain, a), point_of(terrain, b)
        course = _course(terrain, a, b, a_cells, b_cells)
        base, origin = 0, None
        la, lb = _ground(terrain, course.first_cells), _ground(terrain, course.last_cells)
        start, end = index.scaled(p), index.scaled(q)
    unit = index.level_unit
    if rule.eye:
        la, lb = la + rule.eye * unit, lb + rule.eye * unit
    if a_level is not None:
        la = a_level * unit
    if b_level is not None:
        lb = b_level * unit
    obstacles, hindrances = Inquiry(
        index, rule, course, base, origin, start, end, la, lb
    ).findings()
    return Sight(a, b, course.range, obstacles, hindrances, rule, terrain)


def passed(
    terrain: TerrainMap,
    a: Hashable,
    b: Hashable,
    *,
    a_cells: tuple[Hashable, ...] = (),
    b_cells: tuple[Hashable, ...] = (),
) -> tuple[tuple[Hashable, ...], ...]:
    """What the line passes between its ends, in order: a cell, or the two that it passes between.

    For what moves about the map and is in the way as well, such as units: the line is blocked by a
    cell that it passes, and between two cells where both block.
    """
    a, b = (terrain.cell(p) if isinstance(p, str) else p for p in (a, b))
    course = _course(terrain, a, b, a_cells, b_cells)
    found: list[tuple[tuple[Fraction, Fraction], tuple[Hashable, ...]]]
    found = [((one.start, one.end), (one.place,)) for one in course.cells]
    for fork in course.forks:
        one, other = (way.cells for way in fork.ways)
        if one and other:
            found.append(((one[0].start, one[0].end), (one[0].place, other[0].place)))
    return tuple(cells for _, cells in sorted(found, key=lambda each: each[0]))


def _course(
    terrain: TerrainMap,
    a: Hashable,
    b: Hashable,
    a_cells: tuple[Hashable, ...],
    b_cells: tuple[Hashable, ...],
) -> Course:
    """The course between any two places; a cell is its own end, whatever else its middle is in."""
    # A point may be equal to the pair of numbers that a square is, and is not the square.
    first, last = (
        cells or ((place,) if place in terrain and not isinstance(place, Point) else ())
        for place, cells in ((a, a_cells), (b, b_cells))
    )
    tiling = terrain.tiling
    pieces = tiling.pieces(point_of(terrain, a), point_of(terrain, b))
    return course_of(pieces, tiling, first, last)


def _ground(terrain: TerrainMap, cells: tuple[Hashable, ...]) -> int:
    return max((terrain.index.level(terrain.level(cell)) for cell in cells), default=0)
