"""Zoned grids: zones in order, the first that holds a pixel decides, a background elsewhere."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from hexmarshal.errors import GeometryError, Place
from hexmarshal.geometry.cells import unknown_cell
from hexmarshal.geometry.grids.grid import Grid, Pixel, Size, as_pixel
from hexmarshal.geometry.grids.java import round_half_up

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from shapely import MultiPolygon, Polygon

    from hexmarshal.geometry.grids.zone import Zone

__all__ = ["ZoneCell", "ZonedGrid"]

_SEARCH_STEPS = (16, 8, 4, 2, 1)


class ZoneCell(NamedTuple):
    """A cell of a zone's grid; the whole zone if it has none; of the background outside zones."""

    zone: int | None
    """The zone's place in the order of zones."""
    cell: Hashable


@dataclass(frozen=True, slots=True)
class ZonedGrid(Grid[ZoneCell]):
    """A grid of zones over an optional background grid."""

    size: Size
    zones: tuple[Zone, ...] = ()
    background: Grid[Any] | None = None

    def zone_at(self, pixel: tuple[int, int]) -> int | None:
        """The first zone that holds a pixel."""
        point = as_pixel(pixel)
        return next((i for i, zone in enumerate(self.zones) if zone.contains(point)), None)

    def _grid(self, zone: int | None) -> Grid[Any] | None:
        return self.background if zone is None else self.zones[zone].grid

    def cell_at(self, pixel: tuple[int, int]) -> ZoneCell:
        """The cell of the grid that holds at a pixel."""
        zone = self.zone_at(pixel)
        grid = self._grid(zone)
        return ZoneCell(zone, None if grid is None else grid.cell_at(pixel))

    def centre(self, cell: ZoneCell) -> Pixel:
        """The pixel in the middle of a cell; it may lie outside a zone that cuts the cell."""
        grid = self._grid(cell.zone)
        if grid is not None:
            return grid.centre(cell.cell)
        if cell.zone is None:
            raise GeometryError("there is no grid outside the zones", place=Place(field="zone"))
        return self.zones[cell.zone].middle()

    def name(self, cell: ZoneCell) -> str | None:
        """The printed name of a cell."""
        grid = self._grid(cell.zone)
        inner = None if grid is None else grid.name(cell.cell)
        return inner if cell.zone is None else self.zones[cell.zone].write(inner)

    def location_name(self, pixel: tuple[int, int]) -> str | None:
        """The engine's name for a pixel just as it is."""
        zone = self.zone_at(pixel)
        grid = self._grid(zone)
        inner = None if grid is None else grid.location_name(pixel)
        return inner if zone is None else self.zones[zone].write(inner)

    def snap(
        self, pixel: tuple[int, int], *, force: bool = False, centre_only: bool = False
    ) -> Pixel:
        """Where the engine puts a piece that is dropped on a pixel."""
        grid = self._grid(self.zone_at(pixel))
        if grid is None:
            return as_pixel(pixel)
        return grid.snap(pixel, force=force, centre_only=centre_only)

    def range(self, one: tuple[int, int], other: tuple[int, int]) -> int:
        """The distance in the grid of the zone that both pixels are in, else in the background."""
        zone = self.zone_at(one)
        grid = self._grid(zone) if zone == self.zone_at(other) else None
        grid = grid or self.background
        if grid is None:
            return round_half_up(math.dist(as_pixel(one), as_pixel(other)))
        return grid.range(one, other)

    def cells_named(self, name: str) -> Iterator[ZoneCell]:
        """The cells that carry a name, in the order of zones, the background last."""
        return (cell for cell, _ in self._places_named(name))

    def pixel_named(self, name: str, *, engine_compatible: bool = False) -> Pixel:
        """A pixel that has a name: the centre of its cell, if the zone does not cut that off."""
        if engine_compatible:
            return self.engine_pixel_named(name)
        for _, pixel in self._places_named(name):
            return pixel
        raise unknown_cell(name)

    def _places_named(self, name: str) -> Iterator[tuple[ZoneCell, Pixel]]:
        if not name:
            return
        for number, zone in enumerate(self.zones):
            for inner in zone.read(name):
                if zone.names_grid and zone.grid is not None:
                    for cell in zone.grid.cells_named(inner):
                        pixel = self._pixel_with_name(name, zone.grid, cell)
                        if pixel is not None:
                            yield ZoneCell(number, cell), pixel
                elif (pixel := self._pixel_of_zone(name, zone)) is not None:
                    yield self.cell_at(pixel), pixel
        if self.background is not None:
            for cell in self.background.cells_named(name):
                pixel = self._pixel_with_name(name, self.background, cell)
                if pixel is not None:
                    yield ZoneCell(None, cell), pixel

    def _pixel_with_name(self, name: str, grid: Grid[Any], cell: Any) -> Pixel | None:  # noqa: ANN401
        centre = grid.centre(cell)
        if self.location_name(centre) == name:
            return centre
        left, top, right, bottom = grid.polygon(cell).bounds
        return self._search(name, centre, (left, top, right, bottom))

    def _pixel_of_zone(self, name: str, zone: Zone) -> Pixel | None:
        middle = zone.middle()
        if not zone.path or self.location_name(middle) == name:
            return middle if zone.path else None
        xs, ys = zip(*zone.path, strict=True)
        return self._search(name, middle, (min(xs), min(ys), max(xs), max(ys)))

    def _search(
        self, name: str, near: Pixel, within: tuple[float, float, float, float]
    ) -> Pixel | None:
        """The first pixel with a name, on ever finer meshes, the nearest of each mesh."""
        left, top, right, bottom = map(math.floor, within)
        for step in _SEARCH_STEPS:
            mesh = [
                Pixel(x, y)
                for y in range(top - 1, bottom + 2, step)
                for x in range(left - 1, right + 2, step)
                if self.size.contains((x, y))
            ]
            mesh.sort(key=lambda pixel: (pixel.x - near.x) ** 2 + (pixel.y - near.y) ** 2)
            for pixel in mesh:
                if self.location_name(pixel) == name:
                    return pixel
        return None

    def engine_pixel_named(self, name: str) -> Pixel:
        """The pixel that the engine takes for a name; it may lie in another cell."""
        for zone in self.zones:
            for inner in zone.read(name):
                try:
                    if zone.names_grid and zone.grid is not None:
                        pixel = zone.grid.engine_pixel_named(inner)
                    else:
                        pixel = zone.middle()
                except GeometryError:
                    break
                if zone.contains(pixel):
                    return pixel
                break
        if self.background is None:
            raise unknown_cell(name)
        return self.background.engine_pixel_named(name)

    def cells(self) -> Iterator[ZoneCell]:
        """The cells whose centre is on the board and in their zone, zone by zone."""
        for number, zone in enumerate(self.zones):
            if zone.grid is None:
                yield ZoneCell(number, None)
            else:
                yield from self._cells_of(number, zone.grid)
        if self.background is not None:
            yield from self._cells_of(None, self.background)

    def _cells_of(self, zone: int | None, grid: Grid[Any]) -> Iterator[ZoneCell]:
        for cell in grid.cells():
            if self.zone_at(grid.centre(cell)) == zone:
                yield ZoneCell(zone, cell)

    def neighbours(self, cell: ZoneCell) -> tuple[ZoneCell, ...]:
        """The cells around in the same grid, each in the zone that its centre is in.

        Zones with grids of their own touch nothing else here: what leads out of them is a rule of
        the game, not of the map.
        """
        grid = self._grid(cell.zone)
        if grid is None:
            return ()
        around = (
            ZoneCell(self.zone_at(grid.centre(inner)), inner)
            for inner in grid.neighbours(cell.cell)
        )
        return tuple(other for other in around if self._grid(other.zone) is grid)

    def polygon(self, cell: ZoneCell) -> Polygon | MultiPolygon:
        """The part of a cell's outline that its zone has and no earlier zone covers."""
        grid = self._grid(cell.zone)
        earlier = self.zones if cell.zone is None else self.zones[: cell.zone]
        if grid is not None:
            shape: Any = grid.polygon(cell.cell)
            if cell.zone is not None:
                shape = shape.intersection(self.zones[cell.zone].polygon())
        elif cell.zone is not None:
            shape = self.zones[cell.zone].polygon()
        else:
            raise GeometryError("there is no grid outside the zones", place=Place(field="zone"))
        for zone in earlier:
            if len(zone.path) > 2:
                shape = shape.difference(zone.polygon())
        result: Polygon | MultiPolygon = shape
        return result
