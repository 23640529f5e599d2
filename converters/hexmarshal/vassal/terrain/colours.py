"""Terrain from the colours of a map's picture: a cell is as the example that it looks like."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hexmarshal.errors import NotFoundError
from hexmarshal.geometry.svg.view import View

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray
    from PIL.Image import Image

    from hexmarshal.geometry.terrain.terrain_map import TerrainMap

__all__ = ["Guess", "Group", "Looks"]

# So many steps of each colour, fine and coarse: coarse ones forgive the grain of a print.
_STEPS: Final = (8, 4)
# The part of a cell that is looked at: its rim has the grid, and the neighbours' colours.
_INNER: Final = 0.82
# More points of a cell tell no more.
_MOST_POINTS: Final = 1500
# How much nearer the best example must be than the best of another terrain, and how near at all.
_CLEARLY: Final = 0.85
_ALIKE: Final = 0.55
# Cells nearer than this look the same to anybody.
_SAME: Final = 0.3


@dataclass(frozen=True, slots=True)
class Guess:
    """What a cell looks like: the terrain, how unlike its nearest example it is, and if sure."""

    terrain: str
    unlike: float
    sure: bool
    example: str


@dataclass(frozen=True, slots=True)
class Group:
    """Cells that look alike: the one most like all, how many, and their usual colour."""

    cells: tuple[str, ...]
    colour: str

    @property
    def example(self) -> str:
        """The cell to look at."""
        return self.cells[0]


class Looks:
    """How every cell of a map looks in its picture."""

    alike: Final = _ALIKE

    def __init__(self, terrain: TerrainMap, picture: Image) -> None:
        pixels = np.asarray(picture.convert("RGB"), dtype=np.uint8)
        view = View(terrain)
        self.names: list[str] = []
        signs: list[NDArray[np.float32]] = []
        self.colours: dict[str, str] = {}
        for cell in terrain.cells():
            points = _points(pixels, view.corners(cell), view.centre(cell))
            if len(points) == 0:
                # Off the picture: a cell of the rim that the board cuts off.
                continue
            name = terrain.name(cell)
            self.names.append(name)
            signs.append(_sign(points))
            middle = np.median(points, axis=0).astype(int)
            self.colours[name] = "#{:02x}{:02x}{:02x}".format(*middle)
        if not self.names:
            raise NotFoundError("no cell of the map lies on the picture")
        self.signs: NDArray[np.float32] = np.stack(signs)
        self._number = {name: i for i, name in enumerate(self.names)}

    def guess(self, examples: Mapping[str, str]) -> dict[str, Guess]:
        """What every cell is, by cells whose terrain is known."""
        known = [(name, kind) for name, kind in examples.items() if name in self._number]
        if not known:
            raise NotFoundError("none of the examples is a cell on the picture")
        kinds = np.array([kind for _, kind in known])
        near = self._unlike([self._number[name] for name, _ in known])
        found = {}
        for i, name in enumerate(self.names):
            row = near[i]
            best = int(row.argmin())
            others = row[kinds != kinds[best]]
            rival = float(others.min()) if len(others) else math.inf
            unlike = float(row[best])
            sure = unlike <= _ALIKE and unlike <= rival * _CLEARLY
            if name in examples:
                found[name] = Guess(examples[name], 0.0, sure=True, example=name)
            else:
                found[name] = Guess(str(kinds[best]), unlike, sure, known[best][0])
        return found

    def groups(self, among: Sequence[str] | None = None) -> list[Group]:
        """Cells that look alike, the largest group first: what a legend has to name."""
        left = [self._number[name] for name in (self.names if among is None else among)]
        groups = []
        while left:
            near = self._between(left)
            crowd = (near < _SAME).sum(axis=1)
            centre = int(crowd.argmax())
            order = np.argsort(near[centre], kind="stable")
            members = [left[int(i)] for i in order if near[centre][int(i)] < _SAME]
            members = members or [left[centre]]
            names = tuple(self.names[i] for i in members)
            groups.append(Group(names, self.colours[names[0]]))
            taken = set(members)
            left = [i for i in left if i not in taken]
        return sorted(groups, key=lambda group: -len(group.cells))

    def _unlike(self, columns: list[int]) -> NDArray[np.float32]:
        """How unlike each cell is to some: 0 the same colours, 1 none in common."""
        out = np.empty((len(self.names), len(columns)), dtype=np.float32)
        for j, number in enumerate(columns):
            out[:, j] = np.abs(self.signs - self.signs[number]).sum(axis=1) / (2 * len(_STEPS))
        return out

    def _between(self, numbers: list[int]) -> NDArray[np.float32]:
        signs = self.signs[numbers]
        return np.stack([np.abs(signs - one).sum(axis=1) / (2 * len(_STEPS)) for one in signs])


def _points(
    pixels: NDArray[np.uint8], corners: Sequence[tuple[float, float]], middle: tuple[float, float]
) -> NDArray[np.uint8]:
    """The colours of the points of a cell, without its rim."""
    high, wide = pixels.shape[:2]
    ring = [
        (middle[0] + (x - middle[0]) * _INNER, middle[1] + (y - middle[1]) * _INNER)
        for x, y in corners
    ]
    left, right = (f(x for x, _ in ring) for f in (min, max))
    top, bottom = (f(y for _, y in ring) for f in (min, max))
    xs = np.arange(max(0, math.ceil(left)), min(wide, math.floor(right) + 1))
    ys = np.arange(max(0, math.ceil(top)), min(high, math.floor(bottom) + 1))
    if not len(xs) or not len(ys):
        return np.empty((0, 3), dtype=np.uint8)
    step = max(1, int(math.sqrt(len(xs) * len(ys) / _MOST_POINTS)))
    grid_x, grid_y = np.meshgrid(xs[::step], ys[::step])
    inside = _inside(ring, grid_x, grid_y)
    found: NDArray[np.uint8] = pixels[grid_y[inside], grid_x[inside]]
    return found


def _inside(
    ring: Sequence[tuple[float, float]], xs: NDArray[Any], ys: NDArray[Any]
) -> NDArray[np.bool_]:
    """Which points lie inside an outline, by counting crossings."""
    inside = np.zeros(xs.shape, dtype=bool)
    for (ax, ay), (bx, by) in zip(ring, (*ring[1:], ring[0]), strict=True):
        if ay == by:
            continue
        across = (ys < ay) != (ys < by)
        inside ^= across & (xs < (bx - ax) * (ys - ay) / (by - ay) + ax)
    return inside


def _sign(points: NDArray[np.uint8]) -> NDArray[np.float32]:
    """How much of a cell has each colour, in fine and in coarse steps."""
    parts = []
    for steps in _STEPS:
        shade = points.astype(np.int32) * steps // 256
        number = (shade[:, 0] * steps + shade[:, 1]) * steps + shade[:, 2]
        count = np.bincount(number, minlength=steps**3).astype(np.float32)
        parts.append(count / len(points))
    return np.concatenate(parts)
