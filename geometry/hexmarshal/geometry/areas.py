"""Named areas: cells of any shape that are neighbours along a common border or by a link."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from hexmarshal.errors import GeometryError, Place
from hexmarshal.geometry.borders import check_apart, check_outline, shared_borders
from hexmarshal.geometry.cells import unknown_cell

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from fractions import Fraction

    from shapely import Polygon

    from hexmarshal.geometry.borders import Border

__all__ = ["AreaMap"]


@dataclass(frozen=True)
class AreaMap:
    """Areas by name; an area is its name, and may have an outline.

    Areas with outlines are neighbours along a common border, except where a wall closes it;
    `links` join others (a strait, a ferry, a map printed without outlines).
    """

    outlines: Mapping[str, Sequence[tuple[float | Fraction, float | Fraction]] | None]
    links: tuple[tuple[str, str], ...] = ()
    walls: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        for pair in (*self.links, *self.walls):
            for name in pair:
                if name not in self.outlines:
                    raise unknown_cell(name, self.outlines)
            if pair[0] == pair[1]:
                raise GeometryError("an area is no neighbour of itself", place=Place(cell=pair[0]))
        check_apart(self._shapes)

    @classmethod
    def linked(cls, neighbours: Mapping[str, Iterable[str]]) -> AreaMap:
        """Areas without outlines, from the neighbours of each; one may name the other, or both."""
        links = {tuple(sorted((a, b))) for a, others in neighbours.items() for b in others}
        return cls(dict.fromkeys(neighbours), tuple(sorted((a, b) for a, b in links)))

    @cached_property
    def _shapes(self) -> dict[str, Polygon]:
        return {
            name: check_outline(name, corners)
            for name, corners in self.outlines.items()
            if corners is not None
        }

    @cached_property
    def borders(self) -> dict[tuple[str, str], tuple[Border, ...]]:
        """The common border of every two areas that have one, walls or not."""
        return shared_borders({n: c for n, c in self.outlines.items() if c is not None})

    @cached_property
    def _neighbours(self) -> dict[str, tuple[str, ...]]:
        order = {name: position for position, name in enumerate(self.outlines)}
        closed = {frozenset(pair) for pair in self.walls}
        around: dict[str, set[str]] = {name: set() for name in self.outlines}
        open_borders = (pair for pair in self.borders if frozenset(pair) not in closed)
        for one, other in (*open_borders, *self.links):
            around[one].add(other)
            around[other].add(one)
        return {
            name: tuple(sorted(others, key=order.__getitem__)) for name, others in around.items()
        }

    def __contains__(self, cell: object) -> bool:
        """Whether there is such an area."""
        return cell in self.outlines

    def cells(self) -> Iterator[str]:
        """Every area, in the given order."""
        return iter(self.outlines)

    def neighbours(self, cell: str) -> tuple[str, ...]:
        """The areas next to this one, in the given order."""
        return self._neighbours[self.cell(cell)]

    def polygon(self, cell: str) -> Polygon:
        """The area's outline."""
        shape = self._shapes.get(self.cell(cell))
        if shape is None:
            raise GeometryError("this area has no outline", place=Place(cell=cell))
        return shape

    def name(self, cell: str) -> str:
        """The area's name, which is the area."""
        return self.cell(cell)

    def cell(self, name: str) -> str:
        """The area with a name."""
        if name not in self.outlines:
            raise unknown_cell(name, self.outlines)
        return name

    def distance(self, one: str, other: str) -> int | None:
        """The least number of steps from area to area, or None if there is no way."""
        reached = {self.cell(one)}
        edge, steps = {one}, 0
        self.cell(other)
        while edge:
            if other in edge:
                return steps
            edge = {n for area in edge for n in self._neighbours[area]} - reached
            reached |= edge
            steps += 1
        return None
