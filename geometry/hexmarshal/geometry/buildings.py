"""Buildings: rectangular cells of their own that do not line up with the map beneath."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from hexmarshal.errors import GeometryError, Place
from hexmarshal.geometry.areas import AreaMap

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping

    from shapely import Polygon

    from hexmarshal.geometry.cells import CellMap

__all__ = ["Building", "Room"]

C = TypeVar("C", bound="Hashable")


class Room(NamedTuple):
    """A rectangle in the map's pixels, given by its top left and its size."""

    x: int | float | Fraction
    y: int | float | Fraction
    width: int | float | Fraction
    height: int | float | Fraction

    @property
    def corners(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """The four corners, clockwise from the top left."""
        x, y, width, height = (Fraction(value) for value in self)
        return (x, y), (x + width, y), (x + width, y + height), (x, y + height)


@dataclass(frozen=True)
class Building:
    """Rooms by name; two rooms are neighbours along a common wall, unless that wall is closed."""

    rooms: Mapping[str, Room]
    closed: tuple[tuple[str, str], ...] = ()
    """Pairs of rooms between which there is no way."""
    links: tuple[tuple[str, str], ...] = ()
    """Pairs of rooms with a way although they share no wall."""

    def __post_init__(self) -> None:
        for name, room in self.rooms.items():
            for field, value in zip(Room._fields, room, strict=True):
                low = 0 if field in ("width", "height") else float("-inf")
                if not low < value < float("inf"):
                    raise GeometryError(
                        f"a room cannot have {field} {value}", place=Place(field=field, cell=name)
                    )
        _ = self._areas.outlines

    @cached_property
    def _areas(self) -> AreaMap:
        corners = {name: room.corners for name, room in self.rooms.items()}
        return AreaMap(corners, links=self.links, walls=self.closed)

    def __contains__(self, cell: object) -> bool:
        """Whether there is such a room."""
        return cell in self.rooms

    def cells(self) -> Iterator[str]:
        """Every room, in the given order."""
        return self._areas.cells()

    def neighbours(self, cell: str) -> tuple[str, ...]:
        """The rooms next to this one."""
        return self._areas.neighbours(cell)

    def polygon(self, cell: str) -> Polygon:
        """The room's outline."""
        return self._areas.polygon(cell)

    def name(self, cell: str) -> str:
        """The room's name, which is the room."""
        return self._areas.name(cell)

    def cell(self, name: str) -> str:
        """The room with a name."""
        return self._areas.cell(name)

    def stands_on(self, base: CellMap[C]) -> dict[str, tuple[C, ...]]:
        """For each room, the cells of the map beneath that it covers some part of."""
        from shapely import STRtree

        cells = list(base.cells())
        shapes = [base.polygon(cell) for cell in cells]
        tree = STRtree(shapes)
        covered = {}
        for name in self.rooms:
            room = self.polygon(name)
            near = sorted(int(i) for i in tree.query(room, predicate="intersects"))
            covered[name] = tuple(
                cells[i] for i in near if room.relate_pattern(shapes[i], "T********")
            )
        return covered
