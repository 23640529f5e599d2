"""The zones of a board before and after: what lay in one shall lie in it still."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hexmarshal.geometry.grids.java import polygon_contains
from hexmarshal.vassal.components import ZonedGrid

if TYPE_CHECKING:
    from hexmarshal.vassal.components import Board
    from hexmarshal.vassal.scaling.stretch import Stretch

__all__ = ["NO_ZONES", "Zones"]

Point = tuple[int, int]
# Corners and pieces are rounded each for itself: so far from each other that can bring them.
_REACH: Final = 2
_AROUND: Final = tuple(
    (x, y) for x in range(-_REACH, _REACH + 1) for y in range(-_REACH, _REACH + 1) if x or y
)


@dataclass(frozen=True, slots=True)
class _Outline:
    corners: tuple[Point, ...]
    left: int
    top: int
    right: int
    bottom: int

    @classmethod
    def of(cls, corners: tuple[Point, ...]) -> _Outline:
        if not corners:
            return cls((), 0, 0, -1, -1)
        xs, ys = zip(*corners, strict=True)
        return cls(corners, min(xs), min(ys), max(xs), max(ys))

    def holds(self, x: int, y: int) -> bool:
        """Whether a pixel is inside, by the engine's arithmetic."""
        if not (self.left <= x <= self.right and self.top <= y <= self.bottom):
            return False
        return polygon_contains(self.corners, x, y)


@dataclass(frozen=True, slots=True)
class Zones:
    """The outlines of a board's zones, in their order, as they are and as they become."""

    old: tuple[_Outline, ...] = ()
    new: tuple[_Outline, ...] = ()

    @classmethod
    def of(cls, board: Board, stretch: Stretch) -> Zones:
        """The zones of a board, and where a stretch brings them."""
        grid = board.grid
        if not isinstance(grid, ZonedGrid):
            return NO_ZONES
        paths = [zone.path.points for zone in grid.zones]
        stretched = [tuple(stretch.point(corner) for corner in path) for path in paths]
        return cls(tuple(map(_Outline.of, paths)), tuple(map(_Outline.of, stretched)))

    def point(self, point: Point, stretch: Stretch) -> Point:
        """Where a pixel comes to lie: as near as can be, in the zone that it was in, if in any."""
        plain = stretch.point(point)
        if not self.old:
            return plain
        was = _at(self.old, point)
        if _at(self.new, plain) == was:
            return plain
        x, y = stretch.across * point[0] + stretch.right, stretch.down * point[1] + stretch.below
        near = ((plain[0] + across, plain[1] + down) for across, down in _AROUND)
        by_distance = sorted(near, key=lambda p: ((p[0] - x) ** 2 + (p[1] - y) ** 2, p))
        return next((p for p in by_distance if _at(self.new, p) == was), plain)


NO_ZONES: Final = Zones()


def _at(zones: tuple[_Outline, ...], point: Point) -> int | None:
    return next((i for i, zone in enumerate(zones) if zone.holds(*point)), None)
