"""Terrain files: readable YAML, keyed by the names that a map's grid prints, to maps and back."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any, cast

from hexmarshal.errors import GeometryError, HexMarshalError, NotFoundError, Place
from hexmarshal.geometry.lattice.hex_route import lattice_point
from hexmarshal.geometry.lattice.hexes import Hex, Hexside, Orientation, Vertex
from hexmarshal.geometry.lattice.squares import Square, corner_of_square, side_of_squares
from hexmarshal.geometry.schema_errors import keys_of, worded
from hexmarshal.geometry.terrain.outlines import Outline, Polygon, Polyline
from hexmarshal.geometry.terrain.points import Affine, exact_number
from hexmarshal.geometry.terrain.terrain_file_dump import dump, pixels_of
from hexmarshal.geometry.terrain.terrain_file_grid import Cells, cells_from_grid
from hexmarshal.geometry.terrain.terrain_map import (
    Path,
    Shape,
    SightEffect,
    TerrainMap,
    TerrainType,
    tiling_of,
)
from hexmarshal.geometry.values_with_lines import Sourced, read_json, read_yaml, text_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

    from jsonschema.protocols import Validator

    from hexmarshal.geometry.lattice.tiling import Tiling

__all__ = ["dump", "load", "loads", "named_sides", "schema"]


@cache
def schema() -> dict[str, Any]:
    """The JSON Schema of terrain files."""
    import json

    text = files("hexmarshal.geometry.terrain").joinpath("terrain.schema.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


@cache
def _validator() -> Validator:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(schema())


def load(path: str | FilePath) -> TerrainMap:
    """The map in a terrain file."""
    path = FilePath(path)
    return loads(_text(path), file=str(path), folder=path.parent)


def loads(text: str, *, file: str | None = None, folder: FilePath | None = None) -> TerrainMap:
    """The map in a terrain file's text; `folder` is where a GeoJSON file that it names is."""
    source = read_yaml(text, file)
    _check(source)
    return _Reader(source, folder).read()


def named_sides(source: Sourced) -> dict[Hashable, str]:
    """The sides that a file which has been read lists, each with the name it has there."""
    reader = _Reader(source, None)
    return {reader.side(name): name for name in reader.data.get("sides") or {}}


def _text(path: FilePath) -> str:
    try:
        return text_of(path.read_bytes(), str(path))
    except FileNotFoundError:
        raise NotFoundError("there is no such file", place=Place(file=str(path))) from None
    except OSError as error:
        why = error.strerror or error
        raise GeometryError(f"cannot be read: {why}", place=Place(file=str(path))) from None


def _check(source: Sourced) -> None:
    from jsonschema.exceptions import best_match

    error = best_match(_validator().iter_errors(cast("Any", source.value)))
    if error is None:
        return
    keys = keys_of(error)
    place = source.place(*keys)
    if len(keys) > 1 and keys[0] in ("cells", "sides", "vertices"):
        place = Place(cell=str(keys[1])).within(place)
    message = worded(error)
    if error.validator == "pattern" and error.schema.get("type") == ["number", "string"]:
        message = f"{error.instance!r} is not a number"
    raise GeometryError(message, place=place, hint=error.schema.get("description", ""))


class _Reader:
    """Turns a file that fits the schema into a map; every error tells its place."""

    def __init__(self, source: Sourced, folder: FilePath | None) -> None:
        assert isinstance(source.value, dict)
        self.source = source
        self.data = cast("dict[str, Any]", source.value)
        self.folder = folder
        try:
            self.cells: Cells = cells_from_grid(self.data["grid"])
        except HexMarshalError as error:
            raise error.at(source.place("grid")) from None
        self.by_name = {name: cell for cell, name in self.cells.names.items()}

    def read(self) -> TerrainMap:
        types = self._types()
        levels, cell_terrain = self._cells(types)
        shapes = (*self._shapes(types), *self._geojson(types))
        try:
            return TerrainMap(
                names=self.cells.names,
                types=types,
                levels=levels,
                cell_terrain=cell_terrain,
                side_terrain=self._layer("sides", types),
                vertex_terrain=self._layer("vertices", types),
                shapes=shapes,
                paths=self._paths(types),
                outlines=self.cells.outlines,
                name_of_map=self.data.get("name", ""),
                layout=self.cells.layout,
                square_layout=self.cells.square_layout,
                grid=self.data["grid"],
            )
        except HexMarshalError as error:
            keys = (error.place.field or "").split(".")
            raise error.at(self._place_of_shape(keys)) from None

    def _place_of_shape(self, keys: list[str]) -> Place:
        if len(keys) == 2 and keys[0] == "shapes":
            for k, row in enumerate(self.data.get("shapes", ())):
                if str(row.get("name", _default_name(k))) == keys[1]:
                    return self.source.place("shapes", k)
        return self.source.place()

    def _types(self) -> dict[str, TerrainType]:
        types = {}
        for name, given in self.data.get("terrain", {}).items():
            row: dict[str, Any] = given or {}
            types[name] = TerrainType(
                name,
                SightEffect(row.get("sight", "open")),
                exact_number(row.get("height", 0), "height"),
                row.get("hindrance", 1),
                row.get("solid", False),
                tuple(
                    (mode, exact_number(amount, mode))
                    for mode, amount in row.get("cost", {}).items()
                ),
                row.get("colour"),
            )
        return types

    def _known(self, terrain: str, types: Mapping[str, TerrainType], *keys: str | int) -> str:
        if terrain not in types:
            place = self.source.place(*keys)
            if keys[0] in ("cells", "sides", "vertices"):
                place = Place(cell=str(keys[1])).within(place)
            raise GeometryError(
                f"there is no terrain {terrain!r}",
                place=place,
                hint=f"declared are {', '.join(types) or 'none'}",
            )
        return terrain

    def _cell(self, name: object, *keys: str | int) -> Hashable:
        from hexmarshal.geometry.cells import unknown_cell

        if str(name) not in self.by_name:
            raise unknown_cell(name, self.by_name).at(self.source.place(*keys))
        return self.by_name[str(name)]

    def _cells(
        self, types: Mapping[str, TerrainType]
    ) -> tuple[dict[Hashable, Fraction], dict[Hashable, tuple[str, ...]]]:
        levels: dict[Hashable, Fraction] = {}
        terrain: dict[Hashable, tuple[str, ...]] = {}
        for name, row in self.data.get("cells", {}).items():
            cell = self._cell(name, "cells", name)
            names = row
            if isinstance(row, dict):
                names = row.get("terrain", [])
                if level := exact_number(row.get("level", 0), "level"):
                    levels[cell] = level
            found = _as_tuple(names)
            for each in found:
                self._known(each, types, "cells", name)
            if found:
                terrain[cell] = found
        return levels, terrain

    def _layer(
        self, section: str, types: Mapping[str, TerrainType]
    ) -> dict[Hashable, tuple[str, ...]]:
        layer: dict[Hashable, tuple[str, ...]] = {}
        for name, row in self.data.get(section, {}).items():
            try:
                place = self.side(name) if section == "sides" else self._vertex(name)
            except HexMarshalError as error:
                raise error.at(self.source.place(section, name)) from None
            if place in layer:
                raise GeometryError(
                    "this place has been given by another name",
                    place=Place(cell=name).within(self.source.place(section, name)),
                )
            layer[place] = _as_tuple(row)
            for each in layer[place]:
                self._known(each, types, section, name)
        return layer

    @property
    def _orientation(self) -> Orientation:
        return self.cells.layout.orientation if self.cells.layout else Orientation.FLAT

    @cached_property
    def _tiling(self) -> Tiling:
        return tiling_of(self.cells.names, self.cells.outlines)

    def _hex(self, name: str) -> Any:  # noqa: ANN401 - a hex or a square, by the grid's kind
        return self._cell(name)

    def side(self, name: str) -> Hashable:
        """The side that a name of the file means."""
        one, between, other = name.partition("|")
        if between:
            return self._tiling.side(self._cell(one.strip()), self._cell(other.strip()))
        if self.cells.square_layout is not None:
            return side_of_squares(name, self._hex)
        if self.cells.outlines is not None:
            raise GeometryError(
                "a side here is named by its two cells", place=Place(cell=name), hint="write A|B"
            )
        return Hexside.named(name, self._hex, self._orientation)

    def _vertex(self, name: str) -> Hashable:
        if self.cells.outlines is not None:
            raise GeometryError(
                "only hexes and squares have named vertices", place=Place(cell=name)
            )
        if self.cells.square_layout is not None:
            return corner_of_square(name, self._hex)
        return Vertex.named(name, self._hex, self._orientation)

    def _paths(self, types: Mapping[str, TerrainType]) -> tuple[Path, ...]:
        paths = []
        for k, row in enumerate(self.data.get("paths", ())):
            self._known(row["terrain"], types, "paths", k, "terrain")
            cells = tuple(
                self._cell(name, "paths", k, "cells", i) for i, name in enumerate(row["cells"])
            )
            path = Path(str(row.get("name", f"{row['terrain']} {k + 1}")), row["terrain"], cells)
            self._check_steps(path, k)
            paths.append(path)
        return tuple(paths)

    def _check_steps(self, path: Path, k: int) -> None:
        if self.cells.outlines is not None:
            return
        for i, (one, other) in enumerate(zip(path.cells, path.cells[1:], strict=False)):
            if other not in (self._tiling.neighbours(one) or ()):
                names = self.cells.names
                raise GeometryError(
                    f"{names[one]} and {names[other]} are not neighbours",
                    place=Place(cell=names[other]).within(
                        self.source.place("paths", k, "cells", i + 1)
                    ),
                )

    def _to_lattice(self, units: str) -> Affine:
        """From the file's units to exact lattice points; areas have no lattice."""
        layout = self.cells.layout or self.cells.square_layout
        if layout is None or units == "lattice":
            return Affine.shift(0, 0)
        return pixels_of(layout).inverse()

    def _shapes(self, types: Mapping[str, TerrainType]) -> Iterable[Shape]:
        units = self.data.get("units", "pixels")
        to_lattice = self._to_lattice(units)
        for k, row in enumerate(self.data.get("shapes", ())):
            self._known(row["terrain"], types, "shapes", k, "terrain")
            name = str(row.get("name", _default_name(k)))
            try:
                outline: Outline = (
                    Polygon.of(row["polygon"], *row.get("holes", ()))
                    if "polygon" in row
                    else Polyline.of(row["line"])
                )
                self._check_on_map(outline, units)
            except HexMarshalError as error:
                place = Place(field=f"shapes.{name}").within(self.source.place("shapes", k))
                raise error.at(place) from None
            yield _shape(name, row, outline.mapped(to_lattice))

    def _check_on_map(self, outline: Outline, units: str) -> None:
        """Shapes may reach into half hexes at the rim, but not beyond the map's own rectangle."""
        x0, y0, x1, y1 = self._box(units)
        for point in (p for chain in outline.chains for p in chain):
            if not (x0 <= point.x <= x1 and y0 <= point.y <= y1):
                raise GeometryError(f"the point {point} is off the map")

    @lru_cache(maxsize=2)  # noqa: B019 - a reader lives for one file
    def _box(self, units: str) -> tuple[Fraction, Fraction, Fraction, Fraction]:
        """The rectangle of the board, or the one around the cells if no board is given."""
        grid = self.data["grid"]
        layout = self.cells.layout or self.cells.square_layout
        if "width" in grid and grid["kind"] != "squares" and units == "pixels":
            return Fraction(0), Fraction(0), Fraction(grid["width"]), Fraction(grid["height"])
        if self.cells.outlines is not None:
            corners = [p for outline in self.cells.outlines.values() for p in outline.rings[0]]
        else:
            drawn = pixels_of(layout) if layout and units == "pixels" else Affine.shift(0, 0)
            names = self.cells.names
            vertices = {v for h in names if isinstance(h, Hex) for v in h.vertices()}
            points = {lattice_point(vertex) for vertex in vertices}
            points |= {p for s in names if isinstance(s, Square) for p in s.corners()}
            corners = [drawn(point) for point in points]
        xs, ys = [p.x for p in corners], [p.y for p in corners]
        return min(xs), min(ys), max(xs), max(ys)

    def _geojson(self, types: Mapping[str, TerrainType]) -> Iterable[Shape]:
        from hexmarshal.geometry.terrain.geojson import shapes_of

        named = self.data.get("geojson")
        if named is None:
            return
        if self.folder is None:
            raise GeometryError(
                "a text without a folder cannot name a file", place=self.source.place("geojson")
            )
        path = self.folder / named
        units = self.data.get("units", "pixels")
        to_lattice = self._to_lattice(units)
        for shape in shapes_of(read_json(_text(path), str(path)), str(path)):
            place = Place(file=str(path), field=f"shapes.{shape.name}")
            if shape.terrain not in types:
                raise GeometryError(f"there is no terrain {shape.terrain!r}", place=place)
            try:
                self._check_on_map(shape.outline, units)
            except HexMarshalError as error:
                raise error.at(place) from None
            yield replace(shape, outline=shape.outline.mapped(to_lattice))


def _default_name(k: int) -> str:
    return f"shape {k + 1}"


def _as_tuple(names: str | list[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


def _shape(name: str, row: Mapping[str, Any], outline: Outline) -> Shape:
    height = row.get("height")
    return Shape(
        name,
        row["terrain"],
        outline,
        exact_number(row.get("base", 0), "base"),
        None if height is None else exact_number(height, "height"),
    )
