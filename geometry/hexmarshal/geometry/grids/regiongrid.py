"""Region grids: named points, each with the part of the board that is nearest to it."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from hexmarshal.errors import GeometryError, Place
from hexmarshal.geometry.cells import unknown_cell
from hexmarshal.geometry.grids.attributes import flag, text, whole
from hexmarshal.geometry.grids.grid import Grid, Pixel, Size, as_pixel
from hexmarshal.geometry.grids.java import round_half_up

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from shapely import Polygon

    from hexmarshal.geometry.grids.attributes import Attributes

__all__ = ["Region", "RegionGrid"]


class Region(NamedTuple):
    """A named point of a board."""

    name: str
    x: int
    y: int

    @property
    def origin(self) -> Pixel:
        """Where it lies."""
        return Pixel(self.x, self.y)


@dataclass(frozen=True, slots=True)
class RegionGrid(Grid[Region]):
    """A grid of regions, in the order in which the engine goes through them.

    A pixel belongs to the nearest region; the first of those equally near wins.
    """

    size: Size
    regions: tuple[Region, ...] = ()
    snaps: bool = True

    @classmethod
    def from_attributes(
        cls, attributes: Attributes, board: Size, regions: Iterable[Attributes] = ()
    ) -> RegionGrid:
        """From the attributes of a `RegionGrid` and of its `Region`s, in file order."""
        by_origin: dict[Pixel, Region] = {}
        for each in regions:
            region = Region(
                text(each, "name", ""), whole(each, "originx", 0), whole(each, "originy", 0)
            )
            by_origin[region.origin] = region
        found = tuple(by_origin[origin] for origin in _hash_order(list(by_origin)))
        return cls(board, found, snaps=flag(attributes, "snapto", default=True))

    def cell_at(self, pixel: tuple[int, int]) -> Region:
        """The region nearest to a pixel."""
        x, y = as_pixel(pixel)
        if not self.regions:
            raise GeometryError("the grid has no regions", place=Place(field="regions"))
        return min(self.regions, key=lambda region: (x - region.x) ** 2 + (y - region.y) ** 2)

    def centre(self, cell: Region) -> Pixel:
        """The region's own point."""
        return cell.origin

    def name(self, cell: Region) -> str | None:
        """The region's name."""
        return cell.name

    def location_name(self, pixel: tuple[int, int]) -> str | None:
        """The name of the nearest region, or None if the grid has none."""
        return self.cell_at(pixel).name if self.regions else None

    def snap(
        self,
        pixel: tuple[int, int],
        *,
        force: bool = False,
        centre_only: bool = False,  # noqa: ARG002
    ) -> Pixel:
        """Where the engine puts a piece that is dropped on a pixel."""
        if not self.regions or not (self.snaps or force):
            return as_pixel(pixel)
        return self.cell_at(pixel).origin

    def range(self, one: tuple[int, int], other: tuple[int, int]) -> int:
        """The distance in pixels."""
        return round_half_up(math.dist(as_pixel(one), as_pixel(other)))

    def cells_named(self, name: str) -> Iterator[Region]:
        """The regions with a name."""
        return (region for region in self.regions if region.name == name)

    def cell_named(self, name: str) -> Region:
        """The first region with a name."""
        for region in self.cells_named(name):
            return region
        raise unknown_cell(name, [region.name for region in self.regions])

    def engine_pixel_named(self, name: str) -> Pixel:
        """The first region with a name."""
        return self.cell_named(name).origin

    def cells(self) -> Iterator[Region]:
        """The regions on the board, from top to bottom and from left to right."""
        on_board = (region for region in self.regions if self.size.contains(region.origin))
        return iter(sorted(on_board, key=lambda region: (region.y, region.x)))

    def neighbours(self, cell: Region) -> tuple[Region, ...]:
        """The regions whose parts of the board share a border of some length."""
        shapes = _shapes(self.size, self.regions)
        own = shapes[cell]
        return tuple(
            other
            for other, shape in shapes.items()
            if other != cell and own.intersection(shape).length > 1e-6
        )

    def polygon(self, cell: Region) -> Polygon:
        """The part of the board that is nearer to this region than to any other."""
        if cell not in self.regions:
            raise unknown_cell(cell.name, [region.name for region in self.regions])
        return _shapes(self.size, self.regions)[cell]


@lru_cache(maxsize=8)
def _shapes(size: Size, regions: tuple[Region, ...]) -> Mapping[Region, Polygon]:
    """The part of the board of each region; a game asks for them cell by cell."""
    from shapely import MultiPoint, Point, Polygon, box, voronoi_polygons

    board = box(0, 0, size.width, size.height)
    if len(regions) == 1:
        return {regions[0]: board}
    points = MultiPoint([region.origin for region in regions])
    parts = voronoi_polygons(points, extend_to=board, ordered=False).geoms
    owners = {next(r for r in regions if part.covers(Point(r.origin))): part for part in parts}
    shapes = {}
    for region in regions:
        shape = owners[region].intersection(board)
        shapes[region] = shape if isinstance(shape, Polygon) else Polygon()
    return shapes


def _hash_order(origins: list[Pixel]) -> list[Pixel]:
    """The order of a Java hash map with points as keys, on which the engine's ties depend."""
    buckets = 16
    while len(origins) > buckets * 3 // 4:
        buckets *= 2
    # Within a bucket, keys stay in the order in which they came: Python's sort is stable.
    return sorted(origins, key=lambda origin: _point_hash(origin) & (buckets - 1))


def _point_hash(origin: Pixel) -> int:
    x_bits, y_bits = (int.from_bytes(struct.pack(">d", value)) for value in origin)
    mixed = (x_bits ^ (y_bits * 31)) & 0xFFFFFFFFFFFFFFFF
    folded = (mixed ^ (mixed >> 32)) & 0xFFFFFFFF
    return folded ^ (folded >> 16)
