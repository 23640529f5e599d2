"""Boards side by side on a map: flipped, cropped, magnified, with padding around."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from hexmarshal.errors import GeometryError, Place
from hexmarshal.geometry.cells import unknown_cell
from hexmarshal.geometry.grids.grid import Pixel, Size, as_pixel
from hexmarshal.geometry.grids.java import round_half_up

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.geometry.grids.grid import Grid

__all__ = ["OFFBOARD", "MapBoard", "BoardMap", "PlacedBoard"]

OFFBOARD = "offboard"
"""What the engine calls a place without a name, in English."""


@dataclass(frozen=True, slots=True)
class MapBoard:
    """A board with its size on the map and its grid; pixels are the board's own."""

    name: str
    size: Size
    grid: Grid[Any] | None = None
    reversed: bool = False
    """Turned by 180 degrees."""
    magnification: float = 1.0
    crop: tuple[int, int] = (0, 0)
    """The board pixel at the top left of what is left after cropping."""

    def __post_init__(self) -> None:
        if self.size[0] <= 0 or self.size[1] <= 0:
            raise GeometryError(
                f"a board cannot measure {self.size[0]} x {self.size[1]}",
                place=Place(field="size", entry=self.name),
            )
        if not (math.isfinite(self.magnification) and self.magnification > 0):
            raise GeometryError(
                f"a board cannot be magnified {self.magnification} times",
                place=Place(field="magnification", entry=self.name),
            )

    def cropped(self, x: int, y: int, width: int, height: int) -> MapBoard:
        """The part of this board from (x, y) on; cell names stay what they were."""
        if not (x >= 0 and y >= 0 and x + width <= self.size[0] and y + height <= self.size[1]):
            raise GeometryError(
                f"{width} x {height} at ({x}, {y}) is not on the board",
                place=Place(field="crop", entry=self.name),
            )
        if self.reversed:
            x, y = self.size[0] - x - width, self.size[1] - y - height
        corner = self.crop[0] + x, self.crop[1] + y
        return replace(self, size=Size(width, height), crop=corner)

    def local(self, pixel: tuple[int, int]) -> Pixel:
        """The grid's pixel for a pixel counted from the board's top left as it lies."""
        x, y = pixel
        if self.reversed:
            x, y = self.size[0] - x, self.size[1] - y
        x, y = x + self.crop[0], y + self.crop[1]
        if self.magnification != 1:
            x, y = round_half_up(x / self.magnification), round_half_up(y / self.magnification)
        return Pixel(x, y)

    def laid(self, pixel: tuple[int, int]) -> Pixel:
        """The pixel counted from the board's top left as it lies, for a pixel of the grid."""
        x, y = pixel
        if self.magnification != 1:
            x, y = round_half_up(x * self.magnification), round_half_up(y * self.magnification)
        x, y = x - self.crop[0], y - self.crop[1]
        if self.reversed:
            x, y = self.size[0] - x, self.size[1] - y
        return Pixel(x, y)

    def snap(
        self, pixel: tuple[int, int], *, force: bool = False, centre_only: bool = False
    ) -> Pixel:
        """Where a piece snaps to, both counted from the board's top left as it lies."""
        if self.grid is None:
            return Pixel(*pixel)
        local = self.grid.snap(self.local(pixel), force=force, centre_only=centre_only)
        return self.laid(local)


@dataclass(frozen=True, slots=True)
class PlacedBoard:
    """A board and the map pixel of its top left."""

    board: MapBoard
    x: int
    y: int

    def contains(self, pixel: tuple[int, int]) -> bool:
        """Whether a map pixel is on the board."""
        return self.board.size.contains((pixel[0] - self.x, pixel[1] - self.y))

    def nearest(self, pixel: tuple[int, int]) -> Pixel:
        """The pixel of the board that is nearest to a map pixel."""
        width, height = self.board.size
        return Pixel(
            min(max(pixel[0], self.x), self.x + width - 1),
            min(max(pixel[1], self.y), self.y + height - 1),
        )

    def inward(self, pixel: tuple[int, int]) -> Pixel:
        """From the map's pixels to the board's, as it lies."""
        return Pixel(pixel[0] - self.x, pixel[1] - self.y)

    def outward(self, pixel: tuple[int, int]) -> Pixel:
        """From the board's pixels, as it lies, to the map's."""
        return Pixel(pixel[0] + self.x, pixel[1] + self.y)


@dataclass(frozen=True, slots=True)
class BoardMap:
    """A map made of boards; all pixels are the map's, padding included."""

    boards: tuple[PlacedBoard, ...]
    padding: tuple[int, int] = (0, 0)
    size: Size = field(default=Size(0, 0))

    @classmethod
    def lay_out(
        cls, boards: Iterable[tuple[MapBoard, int, int]], padding: tuple[int, int] = (0, 0)
    ) -> BoardMap:
        """Lay boards out in columns and rows, each given as (board, column, row).

        A board starts where the boards before it in its own row and column end.
        """
        given = list(boards)
        places: dict[tuple[int, int], MapBoard] = {}
        for board, column, row in given:
            if column < 0 or row < 0 or (column, row) in places:
                raise GeometryError(
                    f"board {board.name!r} cannot lie in column {column}, row {row}",
                    place=Place(entry=board.name),
                )
            places[column, row] = board
        placed = tuple(
            PlacedBoard(
                board,
                padding[0]
                + sum(b.size[0] for (c, r), b in places.items() if c < column and r == row),
                padding[1]
                + sum(b.size[1] for (c, r), b in places.items() if r < row and c == column),
            )
            for board, column, row in given
        )
        right = max((p.x + p.board.size[0] for p in placed), default=0)
        bottom = max((p.y + p.board.size[1] for p in placed), default=0)
        return cls(placed, padding, Size(right + padding[0], bottom + padding[1]))

    def board_at(self, pixel: tuple[int, int]) -> PlacedBoard | None:
        """The board that a map pixel is on."""
        return next((placed for placed in self.boards if placed.contains(pixel)), None)

    def board_named(self, name: str) -> PlacedBoard:
        """The board with a name."""
        for placed in self.boards:
            if placed.board.name == name:
                return placed
        raise GeometryError(f"there is no board {name!r}", place=Place(entry=name))

    def location_name(self, pixel: tuple[int, int]) -> str:
        """The engine's name for a map pixel just as it is, `offboard` where it has none."""
        point = as_pixel(pixel)
        placed = self.board_at(point)
        if placed is None or placed.board.grid is None:
            return OFFBOARD
        name = placed.board.grid.location_name(placed.board.local(placed.inward(point)))
        return OFFBOARD if name is None else name

    def snap(
        self, pixel: tuple[int, int], *, force: bool = False, centre_only: bool = False
    ) -> Pixel:
        """Where a piece snaps to; across a border, the neighbour board snaps it once more."""
        point = as_pixel(pixel)
        placed = self.board_at(point)
        if placed is None:
            return point
        snapped = self._snap_on(placed, point, force=force, centre_only=centre_only)
        landed = self.board_at(snapped)
        if landed is not None and landed is not placed:
            snapped = self._snap_on(landed, snapped, force=force, centre_only=centre_only)
        if self.board_at(snapped) is not None:
            return snapped
        x, y = placed.inward(snapped)
        width, height = placed.board.size
        # One pixel outside is pulled back onto the board that the piece was dropped on.
        x = width - 1 if x == width else 0 if x == -1 else x
        y = height - 1 if y == height else 0 if y == -1 else y
        return placed.outward((x, y))

    @staticmethod
    def _snap_on(placed: PlacedBoard, pixel: Pixel, *, force: bool, centre_only: bool) -> Pixel:
        local = placed.inward(pixel)
        return placed.outward(placed.board.snap(local, force=force, centre_only=centre_only))

    def range(self, one: tuple[int, int], other: tuple[int, int], *, snapped: bool = False) -> int:
        """The distance in the grid of the first pixel's board, extended over the map.

        The engine takes pixels as they are up to 3.7; newer ones snap both first (`snapped`).
        """
        start, end = as_pixel(one), as_pixel(other)
        if snapped:
            start, end = self.snap(start), self.snap(end)
        placed = self.board_at(start)
        if placed is None or placed.board.grid is None:
            return round_half_up(math.dist(start, end))
        board, grid = placed.board, placed.board.grid
        return grid.range(board.local(placed.inward(start)), board.local(placed.inward(end)))

    def pixel_named(
        self, name: str, *, board: str | None = None, engine_compatible: bool = False
    ) -> Pixel:
        """A map pixel with a name, on one board or on the first that has it.

        It is the centre of the cell, or the pixel nearest to that on the board where the border
        cuts the centre off.
        """
        boards = self.boards if board is None else (self.board_named(board),)
        for placed in boards:
            if placed.board.grid is None:
                continue
            try:
                local = placed.board.grid.pixel_named(name, engine_compatible=engine_compatible)
            except GeometryError:
                continue
            pixel = placed.outward(placed.board.laid(local))
            if engine_compatible:
                return pixel
            for candidate in (pixel, placed.nearest(pixel)):
                if placed is self.board_at(candidate) and self.location_name(candidate) == name:
                    return candidate
        raise unknown_cell(name)
