"""What every kind of map offers: cells with a shape, neighbours and names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from hexmarshal.errors import GeometryError, Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from shapely import MultiPolygon, Polygon

__all__ = ["CellMap", "unknown_cell"]

C = TypeVar("C")


class CellMap(Protocol[C]):
    """A set of cells with a shape, neighbours and names: hexes, squares, areas, rooms, levels."""

    def __contains__(self, cell: object) -> bool:
        """Whether the cell is on the map."""

    def cells(self) -> Iterator[C]:
        """Every cell, in a fixed order."""

    def neighbours(self, cell: C) -> tuple[C, ...]:
        """The cells on the map that touch this one along a side (squares: or at a corner)."""

    def polygon(self, cell: C) -> Polygon | MultiPolygon:
        """The cell's outline."""

    def name(self, cell: C) -> str:
        """The cell's printed name."""

    def cell(self, name: str) -> C:
        """The cell with a name; `GeometryError` if there is none."""


def unknown_cell(name: object, known: Iterable[str] = ()) -> GeometryError:
    """The error for a cell that is not on the map, with the nearest known names as a hint."""
    from difflib import get_close_matches

    near = get_close_matches(str(name), list(known), n=3)
    return GeometryError(
        f"there is no cell {name!s} on this map",
        place=Place(cell=str(name)),
        hint=f"did you mean {' or '.join(near)}?" if near else "",
    )
