"""Terrain and elevation of a board as clean polygons that share their edges.

The edges between pixels form chains from junction to junction. Each chain is straightened once,
for both of its sides, by leaving out corners; what remains are corners of pixels. So neighbours
have the same corners, and nothing is covered twice or not at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import shapely

if TYPE_CHECKING:
    import numpy.typing as npt

    from hexmarshal.vassal.vasl.board import Board

    Ints = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]
    Shapes = npt.NDArray[np.object_]

__all__ = ["TOLERANCE", "Regions", "regions_of"]

TOLERANCE = 0.99
"""How far, in pixels, an edge may be from the steps between its pixels, at the most.

The corners of a straight edge, however steep, are less than a pixel off the line between others
of them; what sticks out by a whole pixel stays.
"""

_OUTSIDE = -1
_SPECKLE = 8
"""Edges of so few corners stay as they are: the dots that some boards draw their fields with."""


@dataclass(frozen=True, slots=True, eq=False)
class Regions:
    """Polygons in pixels, with the terrain code and the elevation of each."""

    polygons: Shapes
    terrain: Ints
    elevation: Ints


def regions_of(board: Board, tolerance: float = TOLERANCE) -> Regions:
    """Every patch of one terrain on one elevation.

    With a tolerance of 0 the edges run between pixels; else steps are straightened, and no point
    of an edge is farther than the tolerance from where it was.
    """
    pixels = board.pixels
    labels = pixels.terrain.astype(np.int64) | (pixels.elevation.astype(np.int64) + 128) << 8
    faces = shapely.orient_polygons(shapely.get_parts(shapely.polygonize(_edges(labels))))
    rings = _Rings(faces)
    label = rings.inside(labels)
    if tolerance > 0:
        faces = _straightened(rings, _junctions(labels), tolerance)
    return Regions(faces, label & 255, (label >> 8) - 128)


def _edges(labels: Ints) -> Shapes:
    """The edges between pixels that differ, as the longest straight lines without a junction."""
    framed = np.pad(labels, 1, constant_values=_OUTSIDE)
    level = _lines(framed[:-1, 1:-1], framed[1:, 1:-1])
    upright = _lines(framed[1:-1, :-1].T, framed[1:-1, 1:].T)[:, :, ::-1]
    ends = np.concatenate([level, upright]).astype(np.float64)
    return np.asarray(shapely.linestrings(ends))


def _lines(one: Ints, two: Ints) -> Ints:
    """Stretches of a row along which `one` on its one hand and `two` on the other stay the same."""
    differs = one != two
    fresh = differs.copy()
    fresh[:, 1:] &= ~differs[:, :-1] | (one[:, 1:] != one[:, :-1]) | (two[:, 1:] != two[:, :-1])
    ends = differs.copy()
    ends[:, :-1] &= ~differs[:, 1:] | fresh[:, 1:]
    row, start = np.nonzero(fresh)
    _, last = np.nonzero(ends)
    return np.stack([np.stack([start, row], -1), np.stack([last + 1, row], -1)], axis=1)


def _junctions(labels: Ints) -> Flags:
    """The corners of pixels where more than two edges meet, and those of the board."""
    framed = np.pad(labels, 1, constant_values=_OUTSIDE)
    level, upright = framed[:-1] != framed[1:], framed[:, :-1] != framed[:, 1:]
    meeting = level[:, :-1].astype(np.int8) + level[:, 1:] + upright[:-1] + upright[1:]
    found: Flags = meeting > 2
    found[[0, 0, -1, -1], [0, -1, 0, -1]] = True
    return found


def _straightened(rings: _Rings, junctions: Flags, tolerance: float) -> Shapes:
    kept = junctions.copy()
    chains = rings.chains(junctions)
    straight = chains.copy()
    worth = shapely.get_num_coordinates(chains) > _SPECKLE
    straight[worth] = shapely.simplify(chains[worth], tolerance, preserve_topology=False)
    moved = shapely.get_num_coordinates(straight) < shapely.get_num_coordinates(chains)
    tangled = _tangled(straight, np.flatnonzero(moved))
    corners = shapely.get_coordinates(np.where(tangled, chains, straight)).astype(np.int64)
    kept[corners[:, 1], corners[:, 0]] = True
    while True:
        simple, broken = rings.only(kept)
        if not broken.any():
            return simple
        # Where straight edges would meet or a thin patch would vanish, its steps stay.
        x, y = rings.points[broken].T
        kept[y, x] = True


def _tangled(lines: Shapes, moved: Ints) -> Flags:
    """Which of the moved lines cross another one or themselves or run together, and with which."""
    found = np.zeros(lines.size, np.bool_)
    found[moved] = ~shapely.is_simple(lines[moved])
    tree = shapely.STRtree(lines)
    for relation in ("crosses", "overlaps"):
        one, two = tree.query(lines[moved], predicate=relation)
        found[moved[one]] = found[two] = True
    return found


class _Rings:
    """The rings of polygons as arrays of points; the closing point of each is left out."""

    def __init__(self, faces: Shapes) -> None:
        _, points, (rings, self.polygons) = shapely.to_ragged_array(faces)
        closing = np.zeros(len(points), np.bool_)
        closing[rings[1:] - 1] = True
        self.points: Ints = points[~closing].astype(np.int64)
        self.sizes: Ints = np.diff(rings) - 1
        self.starts: Ints = np.cumsum(self.sizes) - self.sizes
        self.ring: Ints = np.repeat(np.arange(self.sizes.size), self.sizes)
        self.face: Ints = np.repeat(
            np.repeat(np.arange(len(faces)), np.diff(self.polygons)), self.sizes
        )

    def inside(self, labels: Ints) -> Ints:
        """What the pixels of each polygon show: the one on the left hand of its first step."""
        first = self.starts[self.polygons[:-1]]
        here, there = self.points[first], self.points[first + 1]
        step = np.sign(there - here)
        twice = 2 * here + step + np.stack([-step[:, 1], step[:, 0]], axis=1)
        found: Ints = labels[twice[:, 1] // 2, twice[:, 0] // 2]
        return found

    def chains(self, junctions: Flags) -> Shapes:
        """The ways from junction to junction, each one once of the two times that it is there.

        Rings without a junction count as one way, from any of their points.
        """
        cut = junctions[self.points[:, 1], self.points[:, 0]]
        lonely = np.bincount(self.ring, cut, self.sizes.size) == 0
        cut[self.starts[lonely]] = True
        heads = np.flatnonzero(cut)
        ring = self.ring[heads]
        following = np.append(heads[1:], 0)
        last = np.append(ring[1:] != ring[:-1], True)
        first_of_ring = heads[np.searchsorted(ring, ring)]
        following = np.where(last, first_of_ring + self.sizes[ring], following)
        lengths = following - heads + 1
        line = np.repeat(np.arange(heads.size), lengths)
        step = np.arange(line.size) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        start, size = self.starts[ring][line], self.sizes[ring][line]
        points = self.points[start + (heads[line] - start + step) % size]
        ends = np.cumsum(lengths)
        a, b = points[ends - lengths], points[ends - 1]
        # The other side goes the other way; a closed way has its inside on the other hand.
        turn = points[:-1, 0] * points[1:, 1] - points[1:, 0] * points[:-1, 1]
        area = np.bincount(line[:-1], np.where(line[1:] == line[:-1], turn, 0), heads.size)
        ahead = np.where(a[:, 0] == b[:, 0], a[:, 1] < b[:, 1], a[:, 0] < b[:, 0])
        chosen = np.where((a == b).all(axis=1), area > 0, ahead)[line]
        _, which = np.unique(line[chosen], return_inverse=True)
        return np.asarray(shapely.linestrings(points[chosen].astype(np.float64), indices=which))

    def only(self, kept: Flags) -> tuple[Shapes, Flags]:
        """The polygons with these corners only, and the points of those that are none any more."""
        stays = kept[self.points[:, 1], self.points[:, 0]]
        sizes = np.bincount(self.ring, stays, self.sizes.size).astype(np.int64)
        small = sizes < 3
        if small.any():
            return np.empty(0, np.object_), small[self.ring]
        points = self.points[stays].astype(np.float64)
        ends = np.cumsum(sizes)
        closed = np.insert(points, ends, points[ends - sizes], axis=0)
        rings = np.concatenate([[0], np.cumsum(sizes + 1)])
        faces = shapely.from_ragged_array(
            shapely.GeometryType.POLYGON, closed, (rings, self.polygons)
        )
        whole = shapely.is_valid(faces) & shapely.is_ccw(shapely.get_exterior_ring(faces))
        return np.asarray(faces), ~whole[self.face]
