"""Writes a map as a terrain file that reads back as an equal map."""

from __future__ import annotations

import json
from decimal import Context, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from hexmarshal.errors import GeometryError, Place
from hexmarshal.geometry.lattice.hexes import Hex
from hexmarshal.geometry.lattice.squares import Square
from hexmarshal.geometry.terrain.outlines import Polygon
from hexmarshal.geometry.terrain.points import Affine, Point
from hexmarshal.geometry.terrain.terrain_map import SightEffect, TerrainMap, TerrainType

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.geometry.lattice.layout import Layout, SquareLayout
    from hexmarshal.geometry.terrain.terrain_map import Shape

__all__ = ["dump", "flow", "pixels_of", "word"]


def dump(terrain: TerrainMap) -> str:
    """The file's text; shapes in pixels if the map has a layout, else in lattice units."""
    return "\n".join(_lines(terrain)) + "\n"


def pixels_of(layout: Layout | SquareLayout) -> Affine:
    """The exact way from the lattice to pixels."""
    origin, x, y = (Point(*layout.lattice(*p)) for p in ((0, 0), (1, 0), (0, 1)))
    return Affine(
        x.x - origin.x, y.x - origin.x, origin.x, x.y - origin.y, y.y - origin.y, origin.y
    ).inverse()


def _lines(terrain: TerrainMap) -> Iterator[str]:
    yield "format: hexmarshal-terrain/1"
    if terrain.name_of_map:
        yield f"name: {word(terrain.name_of_map)}"
    yield f"grid: {flow(terrain.grid if terrain.grid is not None else _grid(terrain))}"
    yield from _section("terrain", ((t.name, _type(t)) for t in terrain.types.values()))
    cells = {**dict.fromkeys(terrain.cell_terrain), **dict.fromkeys(terrain.levels)}
    in_order = [c for c in terrain.cells() if c in cells]
    yield from _section(
        "cells",
        (
            (
                terrain.name(c),
                {"terrain": list(terrain.cell_terrain.get(c, ())), "level": terrain.level(c)},
            )
            for c in in_order
        ),
    )
    for section, layer in (("sides", terrain.side_terrain), ("vertices", terrain.vertex_terrain)):
        rows = []
        for place, names in layer.items():
            if isinstance(place, Point) and not terrain.is_squares:
                raise GeometryError("a vertex without a name cannot be written")
            name = (
                "|".join(sorted(map(terrain.name, place)))
                if isinstance(place, frozenset)
                else terrain.describe(place)
            )
            rows.append((name, list(names)))
        yield from _section(section, rows)
    if terrain.paths:
        yield "paths:"
        for path in terrain.paths:
            cells_named = [terrain.name(cell) for cell in path.cells]
            row = {"name": path.name, "terrain": path.terrain, "cells": cells_named}
            yield f"  - {flow(row)}"
    if terrain.shapes:
        yield f"units: {'pixels' if terrain.drawn else 'lattice'}"
        yield "shapes:"
        back = pixels_of(terrain.drawn) if terrain.drawn else Affine.shift(0, 0)
        for shape in terrain.shapes:
            yield f"  - {flow(_shape(shape, back))}"


def _section(name: str, rows: Iterable[tuple[str, object]]) -> Iterator[str]:
    listed = list(rows)
    if listed:
        yield f"{name}:"
        for key, value in listed:
            yield f"  {word(key)}: {flow(value)}"


def _grid(terrain: TerrainMap) -> dict[str, object]:
    """The cells one by one, for a map that came from no file."""
    if terrain.outlines is not None:
        rings = {}
        for cell, outline in terrain.outlines.items():
            if len(outline.rings) > 1:
                raise GeometryError(
                    "a cell with a hole cannot be written", place=Place(cell=terrain.name(cell))
                )
            rings[terrain.name(cell)] = [list(p) for p in outline.rings[0]]
        return {"kind": "areas", "cells": rings}
    if terrain.is_squares:
        return _squares(terrain)
    grid: dict[str, object] = {"kind": "hexes"}
    if (layout := terrain.layout) is not None:
        grid["orientation"] = layout.orientation.value
        for field in ("pitch", "breadth", "x0", "y0"):
            grid[field] = Decimal(repr(float(getattr(layout, field))))
    grid["cells"] = {n: list(c) for c, n in terrain.names.items() if isinstance(c, Hex)}
    return grid


def _squares(terrain: TerrainMap) -> dict[str, object]:
    """Squares are written only as a whole block, named as the file would name them."""
    from hexmarshal.geometry.terrain.terrain_file_grid import cells_from_grid

    squares = [cell for cell in terrain.cells() if isinstance(cell, Square)]
    on_grid = [square for square in squares if not square.is_offset]
    grid: dict[str, object] = {
        "kind": "squares",
        "columns": int(max((s.column for s in on_grid), default=-1)) + 1,
        "rows": int(max((s.row for s in on_grid), default=-1)) + 1,
    }
    if (layout := terrain.square_layout) is not None:
        for field in ("width", "height", "x0", "y0"):
            grid[field] = Decimal(repr(float(getattr(layout, field))))
    offset = {
        terrain.name(s): [Fraction(s.column), Fraction(s.row)] for s in squares if s.is_offset
    }
    if offset:
        grid["offset"] = offset
    if not on_grid or cells_from_grid(grid).names != dict(terrain.names):
        raise GeometryError("squares that are not a block of columns and rows cannot be written")
    return grid


def _type(kind: TerrainType) -> dict[str, object]:
    row: dict[str, object] = {}
    if kind.sight is not SightEffect.OPEN:
        row["sight"] = kind.sight.value
    if kind.height:
        row["height"] = kind.height
    if kind.hindrance != 1:
        row["hindrance"] = kind.hindrance
    if kind.solid:
        row["solid"] = True
    if kind.cost:
        row["cost"] = dict(kind.cost)
    if kind.colour:
        row["colour"] = kind.colour
    return row


def _shape(shape: Shape, back: Affine) -> dict[str, object]:
    row: dict[str, object] = {"name": shape.name, "terrain": shape.terrain}
    outline = shape.outline.mapped(back)
    if isinstance(outline, Polygon):
        row["polygon"] = [list(p) for p in outline.rings[0]]
        if outline.rings[1:]:
            row["holes"] = [[list(p) for p in ring] for ring in outline.rings[1:]]
    else:
        row["line"] = [list(p) for p in outline.points]
    if shape.base:
        row["base"] = shape.base
    if shape.height is not None:
        row["height"] = shape.height
    return row


def flow(value: object) -> str:
    """A value on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{word(k)}: {flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(flow, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, Fraction):
        return _number(value)
    if isinstance(value, int | Decimal):
        return str(value)
    return json.dumps(str(value), ensure_ascii=False)


def _number(value: Fraction) -> str:
    """A decimal if it has an end, else a fraction as text."""
    twos_and_fives = value.denominator
    for prime in (2, 5):
        while twos_and_fives % prime == 0:
            twos_and_fives //= prime
    if twos_and_fives > 1:
        return f'"{value.numerator}/{value.denominator}"'
    exact = Context(prec=len(str(value.numerator)) + 4 * value.denominator.bit_length() + 4)
    return f"{exact.divide(Decimal(value.numerator), Decimal(value.denominator)):f}"


def word(text: str) -> str:
    """A name as YAML has it, in quotes where it needs them."""
    return text if text.isidentifier() and text.lower() not in _TAKEN else _quoted(text)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


_TAKEN = {"true", "false", "null", "nan", "inf"}
