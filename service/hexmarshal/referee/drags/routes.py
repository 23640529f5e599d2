"""Ways between cells of the map, for pieces that were dropped some cells away."""

from __future__ import annotations

from collections import deque
from itertools import chain
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from hexmarshal.geometry.terrain.boards import BoardMap
    from hexmarshal.table.binding import MapRule

__all__ = ["Routes"]


class Routes:
    """Knows which cells of a map are neighbours; a map without a grid has none.

    `beside` are those by the rules, which may have more than the grid: across a corner.
    """

    def __init__(
        self,
        boards: BoardMap,
        rule: MapRule,
        beside: Callable[[str], Iterable[str]] | None = None,
    ) -> None:
        self._grids: list[Any] = [p.board.grid for p in boards.boards if p.board.grid is not None]
        self._rule = rule
        self._beside = beside
        self._near: dict[str, tuple[str, ...]] = {}
        self._last_around: dict[int, tuple[frozenset[str], dict[str, int]]] = {}

    def cells(self) -> Iterator[str]:
        """Every cell by its name."""
        for grid in self._grids:
            for own in grid.cells():
                name = grid.name(own)
                if name and (known := self._rule.cell(name)):
                    yield known

    def near(self, cell: str) -> tuple[str, ...]:
        """The neighbours of a cell, by name."""
        found = self._near.get(cell)
        if found is None:
            more = self._beside(cell) if self._beside is not None else ()
            found = self._near[cell] = tuple(dict.fromkeys((*self._find(cell), *more)))
        return found

    def _find(self, cell: str) -> Iterator[str]:
        location = self._rule.location(cell)
        for grid in self._grids:
            for own in grid.cells_named(location):
                for other in grid.neighbours(own):
                    name = grid.name(other)
                    if name and (known := self._rule.cell(name)):
                        yield known

    def around(self, cells: Iterable[str], most: int) -> Mapping[str, int]:
        """Every cell at most so far from one of these, and how far."""
        middle = frozenset(cells)
        last = self._last_around.get(most)
        if last is not None and last[0] == middle:
            return last[1]
        far = dict.fromkeys(middle, 0)
        ring = list(far)
        for distance in range(1, most + 1):
            ring = [near for cell in ring for near in self.near(cell) if near not in far]
            far |= dict.fromkeys(ring, distance)
        self._last_around[most] = middle, far
        return far

    def nearest(self, place: str, among: Iterable[str]) -> Iterator[str]:
        """These cells, those near this place first, of equal ones those named first."""
        wanted = list(dict.fromkeys(among))
        seen, ring = {place}, [place]
        while ring and wanted:
            reached = set(ring)
            yield from (cell for cell in wanted if cell in reached)
            wanted = [cell for cell in wanted if cell not in reached]
            ring = list(dict.fromkeys(n for cell in ring for n in self.near(cell) if n not in seen))
            seen.update(ring)
        yield from wanted

    def exact(self, start: str, cells: Sequence[str]) -> bool:
        """Whether every step goes to a neighbour, so that the way is known."""
        here = start
        for cell in cells:
            if here and cell not in self.near(here):
                return False
            here = cell
        return True

    def ways(self, start: str, cells: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """The way itself if it is known, else the shortest ways that pass through these cells."""
        if self.exact(start, cells):
            yield tuple(cells)
        elif start:
            yield from self._through(start, tuple(cells))
        else:
            # Onto the map, and on from there.
            first, *rest = cells
            yield from ((first, *way) for way in self._through(first, tuple(rest)))

    def _through(self, start: str, cells: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        if not cells:
            yield ()
            return
        first, *rest = cells
        # One by one: between cells far apart there are more ways than can be counted.
        legs = self._shortest(start, first)
        for leg in chain((next(legs, (first,)),), legs):
            for more in self._through(first, tuple(rest)):
                yield (*leg, *more)

    def _shortest(self, start: str, end: str) -> Iterator[tuple[str, ...]]:
        """Every shortest way, without its start."""
        far = {end: 0}
        queue = deque([end])
        while queue and start not in far:
            here = queue.popleft()
            for cell in self.near(here):
                if cell not in far:
                    far[cell] = far[here] + 1
                    queue.append(cell)
        if start not in far:
            return
        stack: list[tuple[str, tuple[str, ...]]] = [(start, ())]
        while stack:
            here, way = stack.pop()
            if here == end:
                yield way
                continue
            stack += (
                (cell, (*way, cell))
                for cell in reversed(self.near(here))
                if far.get(cell, len(far)) == far[here] - 1
            )
