"""The grid of a terrain file: its cells with their names, and where they lie."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hexmarshal.errors import GeometryError, HexMarshalError, Place
from hexmarshal.geometry.lattice.hexes import Hex, Offset, Orientation
from hexmarshal.geometry.lattice.layout import Layout, SquareLayout
from hexmarshal.geometry.lattice.squares import Square
from hexmarshal.geometry.terrain.outlines import Polygon
from hexmarshal.geometry.terrain.terrain_map import tiling_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping

__all__ = ["Cells", "cells_from_grid"]


@dataclass(frozen=True, slots=True)
class Cells:
    """Names in order; a layout if the cells are hexes or squares, outlines if they are neither."""

    names: dict[Hashable, str]
    layout: Layout | None = None
    square_layout: SquareLayout | None = None
    outlines: dict[Hashable, Polygon] | None = None


def cells_from_grid(grid: Mapping[str, Any]) -> Cells:
    """The cells of a grid section that fits the schema."""
    kind = grid["kind"]
    if kind == "block":
        return _block(grid)
    if kind == "squares":
        return _squares(grid)
    if kind == "hexes":
        listed: dict[Hashable, str] = {Hex(q, r): n for n, (q, r) in grid["cells"].items()}
        if len(listed) != len(grid["cells"]):
            raise GeometryError("two names stand for one hex", place=Place(field="grid.cells"))
        return Cells(listed, _layout(grid))
    if kind == "areas":
        return _outlined({name: name for name in grid["cells"]}, grid["cells"])
    return _vassal(grid)


def _outlined(names: Mapping[Any, str], rows: Mapping[Any, Iterable[Any]]) -> Cells:
    outlines: dict[Hashable, Polygon] = {}
    for cell, name in names.items():
        try:
            outlines[cell] = Polygon.of((x, y) for x, y in rows[cell])
        except HexMarshalError as error:
            raise error.at(Place(cell=name)) from None
    return Cells(dict(names), outlines=outlines)


def _orientation(grid: Mapping[str, Any]) -> Orientation:
    return Orientation(grid.get("orientation", "flat"))


def _layout(grid: Mapping[str, Any]) -> Layout:
    regular = Layout.regular(_orientation(grid))
    return Layout(
        _orientation(grid),
        float(grid.get("pitch", regular.pitch)),
        float(grid.get("breadth", regular.breadth)),
        float(grid.get("x0", 0)),
        float(grid.get("y0", 0)),
    )


def _block(grid: Mapping[str, Any]) -> Cells:
    """Columns and rows, named such as 0101 from the top left, with more digits if needed."""
    columns, rows = grid["columns"], grid["rows"]
    flat = _orientation(grid) is Orientation.FLAT
    odd = grid.get("shoved", "odd") == "odd"
    offset = (
        (Offset.ODD_Q if odd else Offset.EVEN_Q)
        if flat
        else (Offset.ODD_R if odd else Offset.EVEN_R)
    )
    names: dict[Hashable, str] = {
        Hex.from_offset(c, r, offset): name for (c, r), name in _counted(columns, rows)
    }
    return Cells(names, _layout(grid))


def _counted(columns: int, rows: int) -> Iterator[tuple[tuple[int, int], str]]:
    digits = max(2, len(str(columns)), len(str(rows)))
    for c in range(columns):
        for r in range(rows):
            yield (c, r), f"{c + 1:0{digits}}{r + 1:0{digits}}"


def _squares(grid: Mapping[str, Any]) -> Cells:
    """Columns and rows, named as a block of hexes; then the squares off the grid."""
    width = float(grid.get("width", 48))
    height = float(grid.get("height", width))
    names: dict[Hashable, str] = {
        Square(c, r): name for (c, r), name in _counted(grid["columns"], grid["rows"])
    }
    known = set(names.values())
    for name, (column, row) in grid.get("offset", {}).items():
        place = Place(field=f"grid.offset.{name}", cell=name)
        try:
            square = Square.at(column, row)
        except HexMarshalError as error:
            raise GeometryError(error.message, place=place) from None
        if name in known:
            raise GeometryError("another square has this name", place=place)
        if not square.is_offset:
            raise GeometryError("this square lies on the grid", place=place)
        names[square] = name
    try:
        tiling_of(names, None)
    except HexMarshalError as error:
        raise error.at(Place(field="grid.offset")) from None
    middle = (float(grid.get("x0", width / 2)), float(grid.get("y0", height / 2)))
    return Cells(names, square_layout=SquareLayout(width, height, *middle))


def _vassal(grid: Mapping[str, Any]) -> Cells:
    from hexmarshal.geometry.grids.hexgrid import HexGrid
    from hexmarshal.geometry.grids.spec import grid_from_spec
    from hexmarshal.geometry.grids.squaregrid import SquareGrid

    spec = _texts(grid)
    found = grid_from_spec(spec, (grid.get("width", 0), grid.get("height", 0)))
    names: dict[Hashable, str] = {}
    for cell in found.cells():
        name = found.name(cell)
        if name is None:
            raise GeometryError("this grid prints no names", place=Place(field="grid.numbering"))
        names[cell] = name
    if isinstance(found, HexGrid):
        return Cells(names, found.layout)
    if isinstance(found, SquareGrid):
        layout = SquareLayout(found.dx, found.dy, found.x0, found.y0)
        return Cells(names, square_layout=layout)
    return _outlined(names, {c: _exterior(found.polygon(c), names[c]) for c in names})


def _exterior(polygon: Any, name: str) -> Iterable[Any]:  # noqa: ANN401 - a Shapely geometry
    if polygon.geom_type != "Polygon" or polygon.is_empty:
        raise GeometryError("this cell is not one polygon", place=Place(cell=name))
    coords: Iterable[Any] = polygon.exterior.coords
    return coords


def _texts(value: Any) -> Any:  # noqa: ANN401 - any part of a file
    """Attributes as the engine stores them: texts, with the digits that were written."""
    if isinstance(value, dict):
        return {key: _texts(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_texts(each) for each in value]
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | Decimal | Fraction) else value
