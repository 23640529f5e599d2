"""Where a point of a map is in words: map, board and what the grid calls it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

__all__ = ["Location", "Locator", "PlainLocator"]


@dataclass(frozen=True, slots=True)
class Location:
    """A point of a map; `name` is the grid's, `snap` where a piece put there comes to lie."""

    map: str
    x: int
    y: int
    board: str | None = None
    name: str = ""
    snap: tuple[int, int] | None = None

    def __str__(self) -> str:
        return self.name or f"{self.map} {self.x},{self.y}"


class Locator(Protocol):
    """Names points; a module's maps, boards and grids make a good one."""

    def locate(self, map: str, x: int, y: int) -> Location:
        """The location of a point, in pixels of the map with its edge."""


class PlainLocator:
    """Knows no module: a point is its pixels."""

    def locate(self, map: str, x: int, y: int) -> Location:
        """The location of a point."""
        return Location(map, x, y)
