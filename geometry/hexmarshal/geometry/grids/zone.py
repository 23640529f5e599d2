"""Zones: polygons of a board with a name, a way to write locations and perhaps a grid."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hexmarshal.errors import GeometryError, Place
from hexmarshal.geometry.grids.grid import Grid, Pixel, Size
from hexmarshal.geometry.grids.java import polygon_contains
from hexmarshal.geometry.grids.labels import LocationFormat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shapely import Polygon

__all__ = ["Zone", "parse_path"]

_POINT = re.compile(r"\s*(-?[0-9]{1,8})\s*,\s*(-?[0-9]{1,8})\s*")


def parse_path(path: str, zone: str = "") -> tuple[Pixel, ...]:
    """The corners of a zone from a text such as `10,20;30,20;30,40`; an empty text has none."""
    corners = []
    for text in filter(None, path.split(";")):
        match = _POINT.fullmatch(text)
        if match is None:
            raise GeometryError(
                f"{text!r} is not a corner of a zone",
                place=Place(field="path", cell=zone or None),
                hint="a path reads x,y;x,y;...",
            )
        corners.append(Pixel(int(match[1]), int(match[2])))
    return tuple(corners)


@dataclass(frozen=True, slots=True)
class Zone:
    """A polygon of a board, in board pixels; its grid, if any, counts in board pixels too."""

    name: str
    path: tuple[Pixel, ...]
    location_format: LocationFormat = field(default_factory=lambda: LocationFormat.parse("$name$"))
    grid: Grid[Any] | None = None
    """The grid that holds inside: its own, or the background grid if it uses that."""

    @property
    def size(self) -> Size:
        """The size of the box around it, from which its own grid's descending numbers count."""
        return box_size(self.path)

    def contains(self, pixel: tuple[int, int]) -> bool:
        """Whether a pixel is inside, by the engine's arithmetic."""
        return polygon_contains(self.path, *pixel)

    def write(self, grid_location: str | None) -> str:
        """The location name for a place in the grid."""
        values = {"name": self.name, "gridLocation": grid_location or ""}
        return self.location_format.fill(values, keep_unknown=True)

    @property
    def names_grid(self) -> bool:
        """Whether its location names tell the grid's cells apart."""
        parts = self.location_format.parts
        return self.grid is not None and ("gridLocation", True) in parts

    def read(self, location: str) -> Iterator[str]:
        """What the grid location may be in a location name; one empty text if it has no part."""
        known = ["name", "gridLocation"] if self.grid is not None else ["name"]
        written = LocationFormat(
            tuple(
                (part, is_property and part in known)
                for part, is_property in self.location_format.parts
                if not (is_property and part == "gridLocation" and self.grid is None)
            )
        )
        if not written.parts:
            return
        accepts = {"name": lambda text: text == self.name, "gridLocation": lambda _: True}
        for reading in written.readings(location, accepts):
            yield reading.get("gridLocation", "")

    def middle(self) -> Pixel:
        """The mean of the corners, cut off to whole pixels, or the first corner if outside."""
        if not self.path:
            return Pixel(0, 0)
        count = len(self.path)
        x, y = (int(sum(axis) / count) for axis in zip(*self.path, strict=True))
        return Pixel(x, y) if self.contains((x, y)) else self.path[0]

    def polygon(self) -> Polygon:
        """The outline; `GeometryError` if it is none."""
        from shapely import Polygon
        from shapely.validation import explain_validity

        if len(self.path) < 3:
            raise GeometryError(
                "a zone needs at least three corners", place=Place(field="path", cell=self.name)
            )
        shape = Polygon(self.path)
        if not shape.is_valid:
            raise GeometryError(
                f"the zone's outline is broken: {explain_validity(shape)}",
                place=Place(field="path", cell=self.name),
            )
        return shape


def box_size(path: tuple[Pixel, ...]) -> Size:
    """The size of the box around a polygon."""
    if not path:
        return Size(0, 0)
    xs, ys = zip(*path, strict=True)
    return Size(max(xs) - min(xs), max(ys) - min(ys))
