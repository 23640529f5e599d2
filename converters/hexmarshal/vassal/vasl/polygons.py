"""Terrain and elevation of a board as clean polygons that share their edges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import shapely

if TYPE_CHECKING:
    import numpy.typing as npt

    from hexmarshal.vassal.vasl.board import Board

    Ints = npt.NDArray[np.int64]

__all__ = ["TOLERANCE", "Regions", "regions_of"]

TOLERANCE = 0.75
"""How far, in pixels, an edge may move from the steps between its pixels."""

_OUTSIDE = -1


@dataclass(frozen=True, slots=True, eq=False)
class Regions:
    """Polygons in pixels, with the terrain code and the elevation of each."""

    polygons: npt.NDArray[np.object_]
    terrain: Ints
    elevation: Ints


def regions_of(board: Board, tolerance: float = TOLERANCE) -> Regions:
    """Every patch of one terrain on one elevation.

    Neighbouring polygons share their edges exactly: nothing is covered twice or not at all.
    With a tolerance of 0 the edges run between pixels; else steps are straightened, and no edge
    moves farther than the tolerance.
    """
    pixels = board.pixels
    labels = pixels.terrain.astype(np.int64) | (pixels.elevation.astype(np.int64) + 128) << 8
    faces = shapely.get_parts(shapely.polygonize(_edges(labels)))
    inner = shapely.point_on_surface(faces)
    columns = np.floor(shapely.get_x(inner)).astype(np.int64)
    rows = np.floor(shapely.get_y(inner)).astype(np.int64)
    label = labels[rows, columns]
    if tolerance > 0 and faces.size:
        faces = shapely.coverage_simplify(faces, tolerance, simplify_boundary=False)
    return Regions(faces, label & 255, (label >> 8) - 128)


def _edges(labels: Ints) -> npt.NDArray[np.object_]:
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
