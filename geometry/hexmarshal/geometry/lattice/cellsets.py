"""Sets of cells as whole numbers: zones of control, nets of supply, command radii in a few shifts.

Each cell of a map of hexes or squares is a bit, laid out so that a step in one direction is one
shift of the whole set. What may be entered is a set, and what may be left in which direction is one
set a direction, so that rivers and walls are a mask too.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from hexmarshal.geometry.lattice.hexes import DIRECTIONS, Hex
from hexmarshal.geometry.lattice.squares import STEPS, Square

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

__all__ = ["CellSets", "HexSets", "SquareSets", "Ways"]

Cell = TypeVar("Cell", Hex, Square)
# How many sets are kept that were worked out before.
REMEMBERED = 1000

Ways = tuple[int, ...]
"""For each direction, the cells that may be left that way."""


@dataclass(frozen=True)
class CellSets(ABC, Generic[Cell]):
    """The cells of a map by name, as bits; sets of them are whole numbers."""

    cells: Mapping[str, Cell]

    directions: ClassVar[tuple[tuple[int, int], ...]]

    @cached_property
    def stride(self) -> int:
        """The bits of a row; two more than columns, so that no step off the map comes in again."""
        columns = [int(cell[0]) for cell in self.cells.values()]
        return max(columns) - min(columns) + 3

    @cached_property
    def bit(self) -> dict[str, int]:
        """Each cell as a set of one."""
        left = min(int(cell[0]) for cell in self.cells.values()) - 1
        top = min(int(cell[1]) for cell in self.cells.values()) - 1
        return {
            name: 1 << (int(cell[1]) - top) * self.stride + int(cell[0]) - left
            for name, cell in self.cells.items()
        }

    @cached_property
    def all(self) -> int:
        """Every cell."""
        return sum(self.bit.values())

    @cached_property
    def near(self) -> dict[str, tuple[str, ...]]:
        """The neighbours of each cell."""
        names = {cell: name for name, cell in self.cells.items()}
        return {
            name: tuple(names[beside] for beside in cell.neighbours() if beside in names)
            for name, cell in self.cells.items()
        }

    @cached_property
    def _by_place(self) -> dict[int, str]:
        return {bit.bit_length(): name for name, bit in self.bit.items()}

    def mask(self, names: Iterable[str]) -> int:
        """The set of these cells."""
        found = 0
        for name in names:
            found |= self.bit[name]
        return found

    def names(self, mask: int) -> Iterator[str]:
        """The cells of a set, row by row from the top left."""
        names = self._by_place
        while mask:
            low = mask & -mask
            yield names[low.bit_length()]
            mask ^= low

    def ways(self, goes: Callable[[str, str], bool]) -> Ways:
        """The steps from a cell to a neighbour that `goes` allows."""
        found = [0] * len(self.directions)
        for name, cell in self.cells.items():
            for beside in self.near[name]:
                if goes(name, beside):
                    other = self.cells[beside]
                    step = (int(other[0] - cell[0]), int(other[1] - cell[1]))
                    found[self.directions.index(step)] |= self.bit[name]
        return tuple(found)

    @abstractmethod
    def around(self, mask: int) -> int:
        """Every cell next to one of the set."""

    @abstractmethod
    def step(self, mask: int, ways: Ways) -> int:
        """Every cell that one step leads to."""

    def spread(self, start: int, through: int, ways: Ways, limit: int = 1 << 30) -> int:
        """The set with all that it reaches in at most `limit` steps through open cells."""

        def work() -> int:
            found = edge = start
            for _ in range(limit):
                edge = self.step(edge, ways) & through & ~found
                if not edge:
                    break
                found |= edge
            return found

        return self.remember((start, through, ways, limit), work)

    def remember(self, key: tuple[object, ...], make: Callable[[], int]) -> int:
        """A set that depends on nothing but its key: from move to move most stay as they are."""
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            found = self._known[key] = make()
        return found

    @cached_property
    def _known(self) -> dict[tuple[object, ...], int]:
        return {}

    def disk(self, name: str, radius: int) -> int:
        """Every cell at most so far away."""
        found = self.bit[name]
        for _ in range(radius):
            found |= self.around(found)
        return found

    def path(
        self,
        start: str,
        goals: Mapping[str, int],
        through: int,
        ways: Ways,
        first: Ways = (),
    ) -> tuple[str, ...]:
        """A shortest way to a goal that is no farther than its limit, both ends included.

        The first step may be by `first` as well. Of equal ways, the one whose cells come first, row
        by row, step by step; () where there is none.
        """
        before: dict[str, str] = {start: ""}
        edge = [start]
        for length in range(max(goals.values(), default=-1) + 1):
            for here in edge:
                if goals.get(here, -1) >= length:
                    return _back(before, here)
            found: list[str] = []
            for here in edge:
                near = self.step(self.bit[here], ways)
                if first and here == start:
                    near |= self.step(self.bit[here], first)
                for to in self.names(near & through):
                    if to not in before:
                        before[to] = here
                        found.append(to)
            edge = found
        return ()


def _back(before: dict[str, str], cell: str) -> tuple[str, ...]:
    found = [cell]
    while before[found[-1]]:
        found.append(before[found[-1]])
    return tuple(reversed(found))


class HexSets(CellSets[Hex]):
    """Sets of hexes."""

    directions = DIRECTIONS

    def around(self, mask: int) -> int:
        """Every hex next to one of the set."""
        n = self.stride
        grown = mask >> n | mask >> n - 1 | mask << 1 | mask << n | mask << n - 1 | mask >> 1
        return grown & self.all

    def step(self, mask: int, ways: Ways) -> int:
        """Every hex that one step leads to."""
        n = self.stride
        a, b, c, d, e, f = ways
        return (
            (mask & a) >> n
            | (mask & b) >> n - 1
            | (mask & c) << 1
            | (mask & d) << n
            | (mask & e) << n - 1
            | (mask & f) >> 1
        ) & self.all


class SquareSets(CellSets[Square]):
    """Sets of squares on the grid, with steps to all eight sides."""

    directions = STEPS

    def around(self, mask: int) -> int:
        """Every square next to one of the set, at corners too."""
        n = self.stride
        row = mask << 1 | mask | mask >> 1
        return (row << n | row >> n | mask << 1 | mask >> 1) & self.all

    def step(self, mask: int, ways: Ways) -> int:
        """Every square that one step leads to."""
        n = self.stride
        a, b, c, d, e, f, g, h = ways
        return (
            (mask & a) >> n
            | (mask & b) >> n - 1
            | (mask & c) << 1
            | (mask & d) << n + 1
            | (mask & e) << n
            | (mask & f) << n - 1
            | (mask & g) >> 1
            | (mask & h) >> n + 1
        ) & self.all
