"""Maps of hexes: which hexes there are, what they are called and where they are drawn."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from hexmarshal.errors import GeometryError, Place
from hexmarshal.geometry.cells import unknown_cell
from hexmarshal.geometry.hexes import Hex, Hexside, Vertex
from hexmarshal.geometry.layout import Layout
from hexmarshal.geometry.orientation import Offset, Orientation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from shapely import Polygon

    from hexmarshal.geometry.grids.hexgrid import HexGrid

__all__ = ["HexMap"]


def _column_row(column: int, row: int) -> str:
    return f"{column + 1:02d}{row + 1:02d}"


@dataclass(frozen=True)
class HexMap:
    """Named hexes in a layout; hexsides and vertices have names too: `1204/N`, `1204@E`."""

    names: Mapping[Hex, str]
    layout: Layout = field(default_factory=Layout.regular)

    def __post_init__(self) -> None:
        if len(self._by_name) != len(self.names):
            twice = next(n for cell, n in self.names.items() if self._by_name[n] != cell)
            raise GeometryError("two hexes have the same name", place=Place(cell=twice))

    @classmethod
    def rectangle(
        cls,
        columns: int,
        rows: int,
        layout: Layout | None = None,
        name: Callable[[int, int], str] = _column_row,
    ) -> HexMap:
        """Columns by rows, the odd ones shoved; hex (0, 0) is at the top left and called 0101."""
        layout = layout or Layout.regular()
        flat = layout.orientation is Orientation.FLAT
        offset = Offset.ODD_Q if flat else Offset.ODD_R
        for field_name, value in (("columns", columns), ("rows", rows)):
            if value < 1:
                raise GeometryError(
                    f"a map cannot have {value} {field_name}", place=Place(field=field_name)
                )
        return cls(
            {
                Hex.from_offset(column, row, offset): name(column, row)
                for row in range(rows)
                for column in range(columns)
            },
            layout,
        )

    @classmethod
    def from_grid(cls, grid: HexGrid) -> HexMap:
        """The hexes of a board's grid whose centre is on the board, with their printed names."""
        if grid.numbering is None:
            raise GeometryError("the grid has no numbering", place=Place(field="numbering"))
        return cls({cell: grid.name(cell) or "" for cell in grid.cells()}, grid.layout)

    @cached_property
    def _by_name(self) -> dict[str, Hex]:
        return {name: cell for cell, name in self.names.items()}

    def __contains__(self, cell: object) -> bool:
        """Whether the hex is on the map."""
        return cell in self.names

    def cells(self) -> Iterator[Hex]:
        """Every hex, in the given order."""
        return iter(self.names)

    def neighbours(self, cell: Hex) -> tuple[Hex, ...]:
        """The hexes on the map around this one, in direction order."""
        return tuple(other for other in cell.neighbours() if other in self.names)

    def polygon(self, cell: Hex) -> Polygon:
        """The hex's outline."""
        return self.layout.polygon(cell)

    def name(self, cell: Hex) -> str:
        """The hex's printed name."""
        if cell not in self.names:
            raise unknown_cell(cell)
        return self.names[cell]

    def cell(self, name: str) -> Hex:
        """The hex with a name."""
        if name not in self._by_name:
            raise unknown_cell(name, self._by_name)
        return self._by_name[name]

    def hex_at(self, x: float, y: float) -> Hex:
        """The hex that holds a pixel; `GeometryError` off the map."""
        found = self.layout.hex_at(x, y)
        if found not in self.names:
            raise GeometryError(f"({x}, {y}) is off the map", place=Place(field="pixel"))
        return found

    def side_name(self, side: Hexside) -> str:
        """The name of a hexside, such as `1204/N`."""
        return side.name(self.names.get, self.layout.orientation)

    def side(self, name: str) -> Hexside:
        """The hexside with a name; it has one from each of its hexes."""
        return Hexside.named(name, self.cell, self.layout.orientation)

    def vertex_name(self, vertex: Vertex) -> str:
        """The name of a vertex, such as `1204@E`."""
        return vertex.name(self.names.get, self.layout.orientation)

    def vertex(self, name: str) -> Vertex:
        """The vertex with a name; it has one from each of its hexes."""
        return Vertex.named(name, self.cell, self.layout.orientation)
