"""The edges between pixels that differ, as a net of corners.

A step goes along an edge from one corner to the next. Its number is four times that of the corner
it leaves plus its direction: 0 for growing x, 1 for growing y, 2 and 3 for their opposites. A step
goes round the pixels on the side of its direction plus one: those below it, if x grows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]
    Bytes = npt.NDArray[np.uint8]
    Flags = npt.NDArray[np.bool_]

__all__ = ["CROSSING", "Net", "net_of"]

CROSSING = 0b1111
"""The ways of a corner where edges leave in all four directions."""


def _turns() -> Ints:
    """The direction to go on in, by the ways of a corner and the direction of arrival.

    The sharpest turn round the pixel comes first.
    """
    table = np.zeros((16, 4), np.int64)
    for ways, arrival in np.ndindex(16, 4):
        choices = [(arrival + turn) % 4 for turn in (1, 0, -1)]
        table[ways, arrival] = next((way for way in choices if ways >> way & 1), 0)
    return table


_TURNS = _turns()
_IS_CORNER = ~np.isin(np.arange(16), (0, 0b0101, 0b1010))
_IS_JUNCTION = np.isin(np.arange(16), (0b0111, 0b1011, 0b1101, 0b1110, CROSSING))


@dataclass(frozen=True, slots=True, eq=False)
class Net:
    """The corners, row by row, and the edges between them."""

    points: Bytes
    """The directions in which edges leave each point between pixels, as bits."""
    x: Ints
    y: Ints
    ways: Bytes
    """The directions in which edges leave each corner, as bits."""
    junctions: Flags
    """The corners where more than two edges meet, and those of the picture."""
    ends: Ints
    """By step, the corner where it arrives; any corner if there is no such edge."""
    columns: Ints
    """The corners column by column."""

    @property
    def present(self) -> Flags:
        """By step, whether there is such an edge."""
        directions = np.arange(4, dtype=np.uint8)
        return (self.ways[:, None] >> directions & 1).astype(np.bool_).ravel()

    def back(self, steps: Ints) -> Ints:
        """The same steps the other way."""
        return self.ends[steps] << 2 | (steps & 3 ^ 2)

    def following(self, steps: Ints) -> Ints:
        """The next steps round the same pixels."""
        ends = self.ends[steps]
        found: Ints = ends << 2 | _TURNS[self.ways[ends], steps & 3]
        return found


def net_of(labels: npt.NDArray[np.generic]) -> Net:
    """The net of a picture; its frame counts as edges."""
    points = _points(labels)
    y, x = np.nonzero(_IS_CORNER[points])
    # An edge leads to the corner that comes next in its row or column.
    columns = np.argsort(x.astype(np.int32), kind="stable")
    ends = np.zeros((x.size, 4), np.int64)
    ends[:-1, 0] = np.arange(1, x.size)
    ends[1:, 2] = np.arange(x.size - 1)
    ends[columns[:-1], 1] = columns[1:]
    ends[columns[1:], 3] = columns[:-1]
    height, width = points.shape
    frame = ((x == 0) | (x == width - 1)) & ((y == 0) | (y == height - 1))
    ways = points[y, x]
    return Net(points, x, y, ways, frame | _IS_JUNCTION[ways], ends.ravel(), columns)


def _points(labels: npt.NDArray[np.generic]) -> Bytes:
    height, width = labels.shape
    level, upright = np.ones((height + 1, width), np.uint8), np.ones((height, width + 1), np.uint8)
    level[1:-1] = labels[1:] != labels[:-1]
    upright[:, 1:-1] = labels[:, 1:] != labels[:, :-1]
    points = np.zeros((height + 1, width + 1), np.uint8)
    points[:, :-1] |= level
    points[:-1] |= upright << 1
    points[:, 1:] |= level << 2
    points[1:] |= upright << 3
    return points
