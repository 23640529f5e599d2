"""A map with its terrain: layers per cell, side, vertex, outline and path, as immutable data."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from hexmarshal.errors import GeometryError, Place
from hexmarshal.geometry.cells import unknown_cell
from hexmarshal.geometry.lattice.hex_tiling import HEXES
from hexmarshal.geometry.lattice.hexes import Hex, Hexside, Orientation, Vertex
from hexmarshal.geometry.lattice.square_tiling import SQUARES, TiledSquares
from hexmarshal.geometry.lattice.squares import CORNER_NAMES, Square
from hexmarshal.geometry.lattice.subdivision import Patchwork
from hexmarshal.geometry.terrain.outlines import Outline, Polygon
from hexmarshal.geometry.terrain.points import Point

if TYPE_CHECKING:
    import shapely

    from hexmarshal.geometry.lattice.layout import Layout, SquareLayout
    from hexmarshal.geometry.lattice.tiling import Tiling
    from hexmarshal.geometry.sight.index import SightIndex

__all__ = ["Path", "Shape", "SightEffect", "TerrainMap", "TerrainType", "tiling_of"]


class SightEffect(Enum):
    """What a terrain does to a line of sight that meets it below its top."""

    OPEN = "open"
    HINDRANCE = "hindrance"
    OBSTACLE = "obstacle"


@dataclass(frozen=True, slots=True)
class TerrainType:
    """A kind of terrain, as the map's file declares it.

    `height` is in levels above the ground; `hindrance` is what one such place adds; `cost` are
    hints for movement by mode; two outlines of `solid` kinds may not overlap at the same levels.
    """

    name: str
    sight: SightEffect = SightEffect.OPEN
    height: Fraction = Fraction(0)
    hindrance: int = 1
    solid: bool = False
    cost: tuple[tuple[str, Fraction], ...] = ()
    colour: str | None = None

    def __post_init__(self) -> None:
        place = Place(field=f"terrain.{self.name}")
        if self.height < 0:
            raise GeometryError(f"a height of {self.height} levels cannot be", place=place)
        if self.hindrance < 0:
            raise GeometryError(f"a hindrance of {self.hindrance} cannot be", place=place)
        for mode, amount in self.cost:
            if amount < 0:
                raise GeometryError(f"a cost of {amount} for {mode} is negative", place=place)


@dataclass(frozen=True, slots=True)
class Shape:
    """A building's outline, a wood's edge, a wall's line: terrain that no cell contains."""

    name: str
    terrain: str
    outline: Outline
    base: Fraction = Fraction(0)
    height: Fraction | None = None
    """Levels above `base`; that of its terrain, if not given."""


@dataclass(frozen=True, slots=True)
class Path:
    """A road, a rail or a river that leads from cell to cell."""

    name: str
    terrain: str
    cells: tuple[Hashable, ...]


Layer = Mapping[Hashable, tuple[str, ...]]


def _frozen(mapping: Mapping[Hashable, object]) -> Mapping[Hashable, object]:
    return MappingProxyType(dict(mapping))


@dataclass(frozen=True, eq=False)
class TerrainMap:
    """Cells with names and everything that lies on them; equal if the content is.

    Cells are hexes of the lattice, squares of the grid, or anything else if `outlines` gives each
    its polygon. Sides of hexes are `Hexside`, sides of other cells the frozenset of the two;
    vertices are `Vertex`, or a `Point`.
    """

    names: Mapping[Hashable, str]
    types: Mapping[str, TerrainType] = field(default_factory=dict)
    levels: Mapping[Hashable, Fraction] = field(default_factory=dict)
    cell_terrain: Layer = field(default_factory=dict)
    side_terrain: Layer = field(default_factory=dict)
    vertex_terrain: Layer = field(default_factory=dict)
    shapes: tuple[Shape, ...] = ()
    paths: tuple[Path, ...] = ()
    outlines: Mapping[Hashable, Polygon] | None = None
    name_of_map: str = ""
    layout: Layout | None = None
    square_layout: SquareLayout | None = None
    grid: Mapping[str, object] | None = None
    """The grid as the map's file gives it, to be written back; cells and layout are what counts."""

    def __post_init__(self) -> None:
        for layer in ("names", "types", "levels", "cell_terrain", "side_terrain", "vertex_terrain"):
            object.__setattr__(self, layer, _frozen(getattr(self, layer)))
        if not self.names:
            raise GeometryError("a map needs at least one cell", place=Place(field="cells"))
        if len(self._by_name) != len(self.names):
            twice = next(n for c, n in self.names.items() if self._by_name[n] != c)
            raise GeometryError("two cells have this name", place=Place(cell=twice))
        self._check_layers()
        self._check_shapes()

    def __repr__(self) -> str:
        return f"<TerrainMap of {len(self.names)} cells>"

    @cached_property
    def version(self) -> str:
        """A hash of the content: the same for equal maps on every machine; the key of caches."""
        digest = hashlib.sha256()
        for layer in (self.names, self.levels, self.cell_terrain, self.side_terrain):
            digest.update(repr(sorted(map(_spelt, layer.items()))).encode())
        digest.update(repr(sorted(map(_spelt, self.vertex_terrain.items()))).encode())
        digest.update(repr(sorted(map(repr, self.types.values()))).encode())
        digest.update(repr((self.shapes, self.paths, self.drawn, self.name_of_map)).encode())
        if self.outlines is not None:
            digest.update(repr(sorted(map(repr, self.outlines.items()))).encode())
        return digest.hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TerrainMap) and self.version == other.version

    def __hash__(self) -> int:
        return hash(self.version)

    @cached_property
    def index(self) -> SightIndex:
        """The map prepared for lines of sight; made at the first question."""
        from hexmarshal.geometry.sight.index import SightIndex

        return SightIndex(self)

    @cached_property
    def tiling(self) -> Tiling:
        """How the cells fill the plane."""
        return tiling_of(self.names, self.outlines)

    @property
    def is_hexes(self) -> bool:
        """Whether the cells are hexes of the lattice."""
        return self.outlines is None and isinstance(next(iter(self.names)), Hex)

    @property
    def is_squares(self) -> bool:
        """Whether the cells are squares of the grid."""
        return self.outlines is None and isinstance(next(iter(self.names)), Square)

    @property
    def orientation(self) -> Orientation:
        """How the hexes lie; flat-topped unless a layout says otherwise."""
        return self.layout.orientation if self.layout else Orientation.FLAT

    @property
    def drawn(self) -> Layout | SquareLayout | None:
        """Where hexes or squares lie in the map's pixels, if that is known."""
        return self.layout or self.square_layout

    def __contains__(self, cell: object) -> bool:
        return cell in self.names

    def cells(self) -> Iterator[Hashable]:
        """Every cell, in the order in which the map was made."""
        return iter(self.names)

    def cell(self, name: str) -> Hashable:
        """The cell with a printed name."""
        try:
            return self._by_name[name]
        except (KeyError, TypeError):
            raise unknown_cell(name, self._by_name) from None

    def hex(self, name: str) -> Hex:
        """The hex with a printed name, on a map of hexes."""
        cell = self.cell(name)
        if not isinstance(cell, Hex):
            raise GeometryError("this map has no hexes", place=Place(cell=name))
        return cell

    def name(self, cell: Hashable) -> str:
        """The printed name of a cell."""
        try:
            return self.names[cell]
        except (KeyError, TypeError):
            raise unknown_cell(cell) from None

    def describe(self, place: Hashable) -> str:
        """A cell, side, vertex or point in words that a player knows."""
        if isinstance(place, Hexside | Vertex):
            try:
                return place.name(self.names.get, self.orientation)
            except GeometryError:
                return str(place)
        if isinstance(place, frozenset):
            return "/".join(sorted(self.names.get(cell, str(cell)) for cell in place))
        if isinstance(place, Point) and self.is_squares:
            for square in self.tiling.cells_at(place):
                if isinstance(square, Square) and square in self.names:
                    for k, name in enumerate(CORNER_NAMES):
                        if square.corner(k) == place:
                            return f"{self.names[square]}@{name}"
        return self.names.get(place, str(place))

    def neighbours(self, cell: Hashable) -> tuple[Hashable, ...]:
        """The cells of the map that share a side with a cell; of a square, those at corners too."""
        around = self.tiling.neighbours(cell)
        if around is None:
            return self.index.neighbours(cell)
        return tuple(beside for beside in around if beside in self.names)

    def polygon(self, cell: Hashable) -> shapely.Polygon:
        """The outline of a cell, in pixels if the map has a layout."""
        import shapely

        if isinstance(cell, Hex) and self.layout is not None:
            return self.layout.polygon(cell)
        corners = self.outline(cell).rings[0]
        if self.square_layout is not None:
            return shapely.Polygon([self.square_layout.pixel(*corner) for corner in corners])
        return shapely.Polygon([(float(x), float(y)) for x, y in corners])

    def outline(self, cell: Hashable) -> Polygon:
        """The exact outline of a cell; of a hex on the lattice."""
        from hexmarshal.geometry.lattice.hex_route import lattice_point

        if isinstance(cell, Hex) and self.outlines is None:
            return Polygon((tuple(lattice_point(v) for v in cell.vertices()),))
        if isinstance(cell, Square) and self.outlines is None:
            return Polygon((cell.corners(),))
        if self.outlines is None or cell not in self.outlines:
            raise unknown_cell(cell)
        return self.outlines[cell]

    def level(self, cell: Hashable) -> Fraction:
        """The ground level of a cell; 0 where nothing is said."""
        return self.levels.get(cell, Fraction(0))

    def height(self, shape: Shape) -> Fraction:
        """The height of a shape above its base."""
        return self.types[shape.terrain].height if shape.height is None else shape.height

    @cached_property
    def links(self) -> Layer:
        """What leads across each side: the terrains of the paths that cross it."""
        links: dict[Hashable, tuple[str, ...]] = {}
        for path in self.paths:
            for one, other in zip(path.cells, path.cells[1:], strict=False):
                side = self.side(one, other)
                if path.terrain not in links.get(side, ()):
                    links[side] = (*links.get(side, ()), path.terrain)
        return MappingProxyType(links)

    def side(self, one: Hashable, other: Hashable) -> Hashable:
        """The side between two cells."""
        return self.tiling.side(one, other)

    @cached_property
    def _by_name(self) -> dict[str, Hashable]:
        return {name: cell for cell, name in self.names.items()}

    def _check_layers(self) -> None:
        for label, layer in (
            ("cells", self.cell_terrain),
            ("sides", self.side_terrain),
            ("vertices", self.vertex_terrain),
        ):
            for place, terrains in layer.items():
                if not any(owner in self.names for owner in self.tiling.owners(place)):
                    raise unknown_cell(self.describe(place), self._by_name)
                self._check_side(place)
                for terrain in terrains:
                    self._check_terrain(terrain, label, self.describe(place))
        for cell in self.levels:
            if cell not in self.names:
                raise unknown_cell(cell, self._by_name)
        for path in self.paths:
            self._check_terrain(path.terrain, "paths", path.name)
            for cell in path.cells:
                if cell not in self.names:
                    raise unknown_cell(cell, self._by_name)

    def _check_side(self, place: Hashable) -> None:
        if self.is_squares and isinstance(place, frozenset):
            one, other = place
            if not (one.is_offset or other.is_offset) and one.is_diagonal(other):
                raise GeometryError(
                    "these two squares meet at a corner and have no side",
                    place=Place(field="sides", cell=self.describe(place)),
                )

    def _check_terrain(self, terrain: str, label: str, where: str) -> None:
        if terrain not in self.types:
            raise GeometryError(
                f"there is no terrain {terrain!r}",
                place=Place(field=label, cell=where),
                hint=f"declared are {', '.join(self.types) or 'none'}",
            )

    def _check_shapes(self) -> None:
        seen: set[str] = set()
        for shape in self.shapes:
            place = Place(field=f"shapes.{shape.name}")
            if shape.name in seen:
                raise GeometryError("two shapes have this name", place=place)
            seen.add(shape.name)
            self._check_terrain(shape.terrain, "shapes", shape.name)
            if self.height(shape) < 0:
                raise GeometryError("a shape cannot have a negative height", place=place)
        solids = [
            (s, _box(s.outline))
            for s in self.shapes
            if self.types[s.terrain].solid and isinstance(s.outline, Polygon)
        ]
        solids.sort(key=lambda solid: solid[1][0])
        for i, (one, box) in enumerate(solids):
            for two, beside in solids[i + 1 :]:
                if beside[0] >= box[2]:
                    break
                self._check_overlap(one, two)

    def _check_overlap(self, one: Shape, two: Shape) -> None:
        low = max(one.base, two.base)
        if low >= min(one.base + self.height(one), two.base + self.height(two)):
            return
        assert isinstance(one.outline, Polygon)
        assert isinstance(two.outline, Polygon)
        where = one.outline.overlap(two.outline)
        if where is not None:
            raise GeometryError(
                f"{one.name} and {two.name} overlap at {self.place_of(where)}",
                place=Place(field=f"shapes.{one.name}"),
            )

    def place_of(self, point: Point) -> str:
        """A point in words: its cell and its coordinates in pixels, or on the lattice."""
        x, y = self.drawn.pixel(*point) if self.drawn else map(float, point)
        if self.outlines is not None:
            return f"({x:g}, {y:g})"
        around = self.tiling.cells_at(point)
        cell = next((self.names[c] for c in around if c in self.names), "off the map")
        return f"({x:g}, {y:g}) in {cell}"


def tiling_of(cells: Iterable[Hashable], outlines: Mapping[Hashable, Polygon] | None) -> Tiling:
    """How the cells of a map fill the plane: by their outlines if there are any."""
    if outlines is not None:
        return Patchwork(outlines)
    kinds = {type(cell) for cell in cells}
    if kinds == {Square}:
        offset = [cell for cell in cells if isinstance(cell, Square) and cell.is_offset]
        return TiledSquares(offset) if offset else SQUARES
    return HEXES


def _box(outline: Outline) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    points = [p for chain in outline.chains for p in chain]
    xs, ys = [p.x for p in points], [p.y for p in points]
    return min(xs), min(ys), max(xs), max(ys)


def _spelt(value: object) -> str:
    """As `repr`, but a set, such as the two cells of a border, is spelt in one order only."""
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(map(_spelt, value)))}}}"
    if type(value) is tuple:
        return f"({', '.join(map(_spelt, value))})"
    return repr(value)
