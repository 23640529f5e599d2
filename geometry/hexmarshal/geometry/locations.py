"""Locations stacked in one cell: levels of a building, a bridge over a stream, a cellar."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from hexmarshal.errors import GeometryError, Place
from hexmarshal.geometry.cells import unknown_cell

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping
    from fractions import Fraction

    from shapely import MultiPolygon, Polygon

    from hexmarshal.geometry.cells import CellMap

__all__ = ["GROUND", "Level", "Location", "LocationMap"]

C = TypeVar("C", bound="Hashable")

GROUND = "ground"
_MARK = ":"


class Location(NamedTuple, Generic[C]):
    """A place in a cell: its ground, or a level above or below with a name."""

    cell: C
    level: str = GROUND


@dataclass(frozen=True, slots=True)
class Level:
    """A level of a cell beside its ground."""

    name: str
    height: int | Fraction
    """In levels above the cell's ground; negative below it."""
    stairs: bool = True
    """Whether one can go to the next level towards the ground in the same cell."""
    across: bool = True
    """Whether one can go to a neighbour cell's level of the same name (a floor, a sewer)."""


@dataclass(frozen=True)
class LocationMap(Generic[C]):
    """A map with levels stacked on some of its cells; every cell also has its ground.

    `links` join any two locations besides (the ends of a bridge with the roads that lead to it).
    """

    base: CellMap[C]
    levels: Mapping[C, tuple[Level, ...]]
    links: tuple[tuple[Location[C], Location[C]], ...] = ()

    def __post_init__(self) -> None:
        for cell, levels in self.levels.items():
            if cell not in self.base:
                raise unknown_cell(cell)
            names = [GROUND, *(level.name for level in levels)]
            heights = [0, *(level.height for level in levels)]
            for what, values in (("name", names), ("height", heights)):
                if len(set(values)) != len(values):
                    raise GeometryError(
                        f"two levels have the same {what}",
                        place=Place(field="levels", cell=self.base.name(cell)),
                    )
        for end in (end for link in self.links for end in link):
            if end not in self:
                raise unknown_cell(f"{end.cell}{_MARK}{end.level}")

    def level(self, location: Location[C]) -> Level:
        """The level that a location is on."""
        if location.cell in self.base and location.level == GROUND:
            return Level(GROUND, 0)
        for level in self.levels.get(location.cell, ()):
            if level.name == location.level:
                return level
        raise unknown_cell(f"{location.cell}{_MARK}{location.level}")

    def height(self, location: Location[C]) -> int | Fraction:
        """The height above the cell's ground."""
        return self.level(location).height

    def stack(self, cell: C) -> tuple[Location[C], ...]:
        """The locations of a cell, from the lowest to the highest."""
        levels = (Level(GROUND, 0), *self.levels.get(cell, ()))
        ordered = sorted(levels, key=lambda level: level.height)
        return tuple(Location(cell, level.name) for level in ordered)

    @cached_property
    def _linked(self) -> Mapping[Location[C], list[Location[C]]]:
        linked: defaultdict[Location[C], list[Location[C]]] = defaultdict(list)
        for one, other in self.links:
            linked[one].append(other)
            linked[other].append(one)
        return linked

    def __contains__(self, cell: object) -> bool:
        """Whether there is such a location."""
        if not isinstance(cell, Location) or cell.cell not in self.base:
            return False
        return cell.level in {level.level for level in self.stack(cell.cell)}

    def cells(self) -> Iterator[Location[C]]:
        """Every location, cell by cell, from the lowest."""
        return (location for cell in self.base.cells() for location in self.stack(cell))

    def neighbours(self, cell: Location[C]) -> tuple[Location[C], ...]:
        """Where one can go in one step: across, up or down the stairs, along a link."""
        return tuple(dict.fromkeys((*self._across(cell), *self._stairs(cell), *self._linked[cell])))

    def _across(self, location: Location[C]) -> Iterable[Location[C]]:
        if not self.level(location).across:
            return
        for beside in self.base.neighbours(location.cell):
            other = Location(beside, location.level)
            if other in self and self.level(other).across:
                yield other

    def _stairs(self, location: Location[C]) -> Iterable[Location[C]]:
        for lower, higher in pairwise(self.stack(location.cell)):
            outer = higher if self.height(higher) > 0 else lower
            if location in (lower, higher) and self.level(outer).stairs:
                yield higher if location == lower else lower

    def polygon(self, cell: Location[C]) -> Polygon | MultiPolygon:
        """The outline of the cell that holds a location."""
        return self.base.polygon(cell.cell)

    def name(self, cell: Location[C]) -> str:
        """The cell's name for its ground, else with the level: `1204:cellar`."""
        base = self.base.name(cell.cell)
        return base if self.level(cell).name == GROUND else f"{base}{_MARK}{cell.level}"

    def cell(self, name: str) -> Location[C]:
        """The location with a name."""
        try:
            return Location(self.base.cell(name))
        except GeometryError:
            base, mark, level = name.rpartition(_MARK)
            if not mark:
                raise
        location = Location(self.base.cell(base), level)
        if location not in self:
            raise unknown_cell(name, [self.name(other) for other in self.stack(location.cell)])
        return location
