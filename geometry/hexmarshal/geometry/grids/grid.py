"""What every grid answers: which cell a pixel is in, what it is called, where a piece snaps to."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from hexmarshal.errors import GeometryError, Place
from hexmarshal.geometry.cells import unknown_cell
from hexmarshal.geometry.grids.attributes import LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shapely import MultiPolygon, Polygon

__all__ = ["Grid", "Pixel", "Size", "as_pixel"]

C = TypeVar("C")


class Pixel(NamedTuple):
    """A whole pixel of a board (or of a map), y down."""

    x: int
    y: int

    def swapped(self) -> Pixel:
        """With x and y exchanged."""
        return Pixel(self.y, self.x)


class Size(NamedTuple):
    """What a grid covers: a board's size, or that of the box around a zone."""

    width: int
    height: int

    def contains(self, pixel: tuple[int, int]) -> bool:
        """Whether a pixel lies on it."""
        return 0 <= pixel[0] < self.width and 0 <= pixel[1] < self.height


def as_pixel(point: tuple[int, int]) -> Pixel:
    """The point as a pixel; `GeometryError` if it is not a pair of sensible whole numbers."""
    try:
        x, y = point
    except (TypeError, ValueError):
        raise GeometryError(f"{point!r} is not a pixel", place=Place(field="pixel")) from None
    for value in (x, y):
        if not hasattr(value, "__index__") or isinstance(value, bool) or abs(value) > LIMIT:
            raise GeometryError(
                f"({x}, {y}) is not a pixel",
                place=Place(field="pixel"),
                hint="pixels are whole numbers",
            )
    return Pixel(int(x), int(y))


class Grid(ABC, Generic[C]):
    """A grid on a board, in the board's own pixels, with the engine's arithmetic.

    Where the engine is consistent, so is this. It is not everywhere: it names a pixel of a hex grid
    by rectangular cells, but snaps by hexagons, and its way back from a name to a pixel can miss by
    a column. `location_name` names a pixel exactly as the engine does; `cell_at` and `name` agree
    with snapping and with each other; `pixel_named` lands where the name is.
    """

    __slots__ = ()

    size: Size

    @abstractmethod
    def cell_at(self, pixel: tuple[int, int]) -> C:
        """The cell whose outline holds a pixel (where a piece would snap to its centre)."""

    @abstractmethod
    def centre(self, cell: C) -> Pixel:
        """The pixel in the middle of a cell, where pieces snap to."""

    @abstractmethod
    def name(self, cell: C) -> str | None:
        """The printed name of a cell, or None if the grid has no names."""

    @abstractmethod
    def location_name(self, pixel: tuple[int, int]) -> str | None:
        """The engine's name for a pixel just as it is, not snapped."""

    @abstractmethod
    def snap(
        self, pixel: tuple[int, int], *, force: bool = False, centre_only: bool = False
    ) -> Pixel:
        """Where the engine puts a piece that is dropped on a pixel.

        That is a centre, hexside or corner as the grid allows; the pixel itself if the grid does
        not snap, unless `force` is given.
        """

    @abstractmethod
    def range(self, one: tuple[int, int], other: tuple[int, int]) -> int:
        """The engine's distance between two pixels just as they are, not snapped."""

    @abstractmethod
    def cells_named(self, name: str) -> Iterator[C]:
        """The cells that carry a name, those that touch the board only."""

    def cell_named(self, name: str) -> C:
        """The first cell that carries a name."""
        for cell in self.cells_named(name):
            return cell
        raise unknown_cell(name)

    def pixel_named(self, name: str, *, engine_compatible: bool = False) -> Pixel:
        """A pixel in the cell that carries a name: its centre, wherever the centre has that name.

        With `engine_compatible`, the pixel that the engine would take, right or wrong.
        """
        if engine_compatible:
            return self.engine_pixel_named(name)
        return self.centre(self.cell_named(name))

    @abstractmethod
    def engine_pixel_named(self, name: str) -> Pixel:
        """The pixel that the engine takes for a name; it may lie in another cell."""

    @abstractmethod
    def cells(self) -> Iterator[C]:
        """The cells whose centre is on the board, row by row from the top left."""

    @abstractmethod
    def neighbours(self, cell: C) -> tuple[C, ...]:
        """The cells around a cell, whether on the board or not."""

    @abstractmethod
    def polygon(self, cell: C) -> Polygon | MultiPolygon:
        """The outline of a cell, unrounded, so that neighbours fit together."""
