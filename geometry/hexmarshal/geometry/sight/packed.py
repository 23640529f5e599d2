"""Maps and courses as arrays, so that thousands of lines can be judged at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from hexmarshal.geometry.lattice.tiling import Regular
    from hexmarshal.geometry.sight.course import Course, Stretch
    from hexmarshal.geometry.sight.index import Feature, SightIndex

__all__ = ["PackedMap", "PackedStretches", "Ragged", "pack_course"]


class Ragged(NamedTuple):
    """Rows of different lengths: row k has `length[k]` entries, from number `first[k]` on."""

    first: NDArray[np.int64]
    length: NDArray[np.int64]

    @classmethod
    def of(cls, counts: Sequence[int] | NDArray[np.int64]) -> Ragged:
        """Rows of the given lengths, one after the other."""
        length = np.asarray(counts, dtype=np.int64)
        return cls(np.cumsum(length) - length, length)

    def expand(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """For each entry of the wanted rows: which of the wanted rows it is of, and its number."""
        length = self.length[rows]
        owner = np.repeat(np.arange(len(rows)), length)
        shift = self.first[rows] - (np.cumsum(length) - length)
        return owner, np.arange(len(owner)) + np.repeat(shift, length)


# The columns of a packed stretch: where it is, shares of the way as fractions, and the distances
# to the upper and the lower end, first if the line's start is the upper one, then if its end is.
DQ, DR, DIRECTION, START, START_OVER, END, END_OVER, FAR_A, BACK_A, FAR_B, BACK_B = range(11)


class PackedStretches(NamedTuple):
    """One course as integers; a table each for its cells and for its sides."""

    cells: NDArray[np.int64]
    sides: NDArray[np.int64]
    near: NDArray[np.bool_]
    between: NDArray[np.int64]
    out: tuple[int, int]
    into: tuple[int, int]
    fork_cells: NDArray[np.int64]
    fork_sides: NDArray[np.int64]
    has_vertices: bool
    has_runs: bool
    range: int


@lru_cache(maxsize=1 << 14)
def pack_course(tiling: Regular, across: int, down: int) -> PackedStretches:
    """The course between two middles as arrays."""
    course = tiling.centre_course(across, down)
    between = [tiling.cell_of(key) for key in course.between_keys]  # type: ignore[arg-type]
    ways = [way for fork in course.forks for way in fork.ways]
    return PackedStretches(
        _table(tiling, course, course.cells),
        _table(tiling, course, course.sides),
        np.array([s.near for s in course.sides], dtype=bool),
        np.array(between, dtype=np.int64).reshape(-1, 2),
        course.out.as_integer_ratio(),
        course.into.as_integer_ratio(),
        _table(tiling, course, (stretch for way in ways for stretch in way.cells)),
        _table(tiling, course, (stretch for way in ways for stretch in way.sides)),
        bool(course.vertices),
        bool(course.runs),
        course.range,
    )


def _table(tiling: Regular, course: Course, stretches: Iterable[Stretch]) -> NDArray[np.int64]:
    from hexmarshal.geometry.sight.obstacles import distances

    first, last = course.first_cells, course.last_cells
    rows = []
    for stretch in stretches:
        place: Any = stretch.place
        where = (*place, 0) if isinstance(place, tiling.cell_type) else tiling.own_side(place)
        rows.append(
            (
                *where,
                *stretch.start.as_integer_ratio(),
                *stretch.end.as_integer_ratio(),
                *distances(course, stretch, first, last, tiling),
                *distances(course, stretch, last, first, tiling),
            )
        )
    return np.array(rows, dtype=np.int64).reshape(-1, 11)


@dataclass(frozen=True, slots=True)
class Features:
    """What is at each place: ragged rows of tops, kinds and values."""

    rows: Ragged
    top: NDArray[np.int64]
    obstacle: NDArray[np.bool_]
    value: NDArray[np.int64]
    ground: NDArray[np.bool_]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing anywhere."""
        return not len(self.top)


class _Rows:
    """Collects what is at place after place."""

    def __init__(self) -> None:
        self.counts: list[int] = []
        self.rows: list[tuple[int, bool, int, bool]] = []

    def add(self, features: Iterable[Feature], ground: int | None = None) -> None:
        before = len(self.rows)
        if ground is not None:
            self.rows.append((ground, True, 0, True))
        self.rows += [(f.top, f.obstacle, 0 if f.obstacle else f.value, False) for f in features]
        self.counts.append(len(self.rows) - before)

    def packed(self) -> Features:
        table = np.array(self.rows, dtype=np.int64).reshape(-1, 4)
        return Features(
            Ragged.of(self.counts),
            table[:, 0],
            table[:, 1].astype(bool),
            table[:, 2],
            table[:, 3].astype(bool),
        )


class PackedMap:
    """A map of cells that repeat as arrays over the box around it, one cell wider on every side."""

    def __init__(self, index: SightIndex) -> None:
        self.index = index
        self.tiling: Regular = index.tiling  # type: ignore[assignment]
        self.cells_in_order = tuple(index.terrain.cells())
        self.position = {cell: k for k, cell in enumerate(self.cells_in_order)}
        axial = np.array(self.cells_in_order, dtype=np.int64)
        self.q0, self.r0 = (int(v) - 1 for v in axial.min(axis=0))
        self.height = int(axial[:, 1].max()) - self.r0 + 2
        self.width = int(axial[:, 0].max()) - self.q0 + 2
        self.axial = axial
        self.slot = self.slots(axial[:, 0], axial[:, 1])
        ground = (index.ground.get(self.tiling.key(c), 0) for c in self.cells_in_order)
        self.level = np.fromiter(ground, dtype=np.int64)
        self.cells = self._cell_features()
        self.sides = self._side_features()
        self._pack_shapes()

    def slots(self, q: NDArray[np.int64], r: NDArray[np.int64]) -> NDArray[np.int64]:
        """The place of cells in the box."""
        return (q - self.q0) * self.height + (r - self.r0)

    def _box(self) -> Iterable[Any]:
        cell = self.tiling.cell_type
        return (
            cell(q + self.q0, r + self.r0) for q in range(self.width) for r in range(self.height)
        )

    def _cell_features(self) -> Features:
        index, rows = self.index, _Rows()
        for cell in self._box():
            key = self.tiling.key(cell)
            ground = index.ground.get(key)
            rows.add(
                index.cell_features.get(key, ()),
                ground if ground is not None and ground > index.lowest else None,
            )
        return rows.packed()

    def _side_features(self) -> Features:
        tiling, rows = self.tiling, _Rows()
        features = self.index.side_features
        for cell in self._box():
            for number in range(tiling.own_sides):
                rows.add(features.get(tiling.own_side_key(cell, number), ()))
        return rows.packed()

    def _pack_shapes(self) -> None:
        index = self.index
        in_box = [index.shapes_in.get(self.tiling.key(cell), ()) for cell in self._box()]
        self.shape_rows = Ragged.of([len(numbers) for numbers in in_box])
        self.shape_number = np.array([n for numbers in in_box for n in numbers], dtype=np.int64)
        shapes = index.shapes
        self.shape_top = np.array([s.feature.top for s in shapes], dtype=np.int64)
        self.shape_obstacle = np.array([s.feature.obstacle for s in shapes], dtype=bool)
        self.shape_value = np.array(
            [0 if s.feature.obstacle else s.feature.value for s in shapes], dtype=np.int64
        )
        self.shape_is_area = np.array([s.is_area for s in shapes], dtype=bool)
        self.shape_box = np.array([s.box for s in shapes], dtype=np.float64).reshape(-1, 4)
        self.hull_rows = Ragged.of([len(hull) for hull in index.hulls])
        self.hull = _floats([p for hull in index.hulls for p in hull])
        edges = [
            [(a, b) for chain in s.chains for a, b in zip((chain[-1], *chain), chain, strict=False)]
            if s.is_area
            else []
            for s in shapes
        ]
        self.edge_rows = Ragged.of([len(row) for row in edges])
        self.edge_from = _floats([a for row in edges for a, _ in row])
        self.edge_to = _floats([b for row in edges for _, b in row])
        lattice = [self.tiling.centre(cell) for cell in self.cells_in_order]
        self.centre = _floats([(int(x * index.unit_x), int(y * index.unit_y)) for x, y in lattice])
        self._bound_errors()

    def _bound_errors(self) -> None:
        """How far off a float may be: nothing, if every product is a small whole number.

        With coordinates up to (X, Y), differences up to twice that and products of two of them are
        summed: sixteen roundings of numbers below 8 X Y cover the inputs and every step.
        """
        points = np.concatenate([self.centre, self.hull, self.edge_to])
        x, y = (float(v) for v in np.abs(points).max(axis=0))
        self.extent = max(x, y)
        self.side_error = (
            0.0 if 8 * x * y < 2.0**53 and self.extent < 2.0**52 else 16 * 8 * x * y * 2.0**-53
        )
        # The points where a line leaves and enters its end cells are rounded even then.
        self.point_error = 8 * self.extent * 2.0**-53
        self.cut_error = 64 * 8 * x * y * 2.0**-53


def _floats(points: list[tuple[int, int]]) -> NDArray[np.float64]:
    return np.array([(float(x), float(y)) for x, y in points], dtype=np.float64).reshape(-1, 2)
