"""Named places of maps: where in one its pieces lie, side by side as far as it has room."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.geometry.terrain.boards import PlacedBoard
    from hexmarshal.vassal.state.locator import ModuleLocator

__all__ = ["MapPoint", "NamedPlace", "Places", "Point", "Size"]

Point = tuple[int, int]
Size = tuple[int, int]
MapPoint = tuple[str, Point]
"""A map and a point of it."""

_GAP: Final = 3
_MARGIN: Final = 4


@dataclass(frozen=True, slots=True, eq=False)
class NamedPlace:
    """A location of a map: its name, its middle, and the cell of a board that it is."""

    map: str
    name: str
    middle: Point
    board: PlacedBoard
    cell: Any

    def rectangle(self) -> tuple[Point, Size]:
        """The upper left corner of the rectangle around it, and how large that is."""
        assert self.board.board.grid is not None
        left, top, right, bottom = self.board.board.grid.polygon(self.cell).bounds
        ends = (
            self.board.outward(self.board.board.laid((round(x), round(y))))
            for x, y in ((left, top), (right, bottom))
        )
        (x1, x2), (y1, y2) = (sorted(pair) for pair in zip(*ends, strict=True))
        return (x1, y1), (x2 - x1, y2 - y1)


class Places:
    """Every named place of the maps of a game."""

    def __init__(self, locator: ModuleLocator) -> None:
        self._locator = locator
        self._named: dict[str, tuple[NamedPlace, ...]] = {}
        self._rows: dict[tuple[NamedPlace, Size], tuple[Point, ...]] = {}

    def on(self, map: str) -> tuple[NamedPlace, ...]:
        """The named places of a map, in the order of its boards and grids."""
        if map not in self._named:
            self._named[map] = tuple(self._find(map))
        return self._named[map]

    def nth(self, place: NamedPlace, number: int, of: int, size: Size) -> Point:
        """The middle of one of so many pieces, row by row; where they are too many, in stacks.

        Neighbours share a stack, so that the order of all of them can still be told.
        """
        points = self._points(place, size)
        return points[number if of <= len(points) else number * len(points) // of]

    def last(self, place: NamedPlace, size: Size) -> Point:
        """The lower right: what is printed in a box stands at its top or its left."""
        return self._points(place, size)[-1]

    def _points(self, place: NamedPlace, size: Size) -> tuple[Point, ...]:
        key = (place, size)
        if key not in self._rows:
            self._rows[key] = tuple(self._lay(place, size)) or (place.middle,)
        return self._rows[key]

    def _lay(self, place: NamedPlace, size: Size) -> Iterator[Point]:
        """Rows from the left, the lowest at the bottom; none where no second piece has room."""
        step_x, step_y = size[0] + _GAP, size[1] + _GAP
        (left, top), (wide, high) = place.rectangle()
        across, down = (wide - 2 * _MARGIN) // step_x, (high - 2 * _MARGIN) // step_y
        if not all(size) or across < 1 or down < 1 or across * down < 2:
            return
        first_x = left + (wide - across * step_x) // 2 + step_x // 2
        first_y = top + high - _MARGIN - down * step_y + step_y // 2
        for number in range(across * down):
            row, column = divmod(number, across)
            point = (first_x + column * step_x, first_y + row * step_y)
            # A corner of the rectangle may be another place, or a grid may draw the piece away.
            found = self._locator.locate(place.map, *point)
            if found.name == place.name and found.snap == point:
                yield point

    def _find(self, map: str) -> Iterator[NamedPlace]:
        for placed in self._locator.on(map).boards:
            grid = placed.board.grid
            for cell in grid.cells() if grid is not None else ():
                assert grid is not None
                name = grid.name(cell)
                if name:
                    x, y = placed.outward(placed.board.laid(grid.centre(cell)))
                    yield NamedPlace(map, name, (x, y), placed, cell)
