"""Terrain and elevation of a board as clean polygons that share their edges.

The edges between pixels form chains from junction to junction. Each chain is straightened once,
for both of its sides, by leaving out corners; what remains are corners of pixels. So neighbours
have the same corners, and nothing is covered twice or not at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import shapely

from hexmarshal.vassal.vasl.outlines.chains import chains_of
from hexmarshal.vassal.vasl.outlines.net import net_of
from hexmarshal.vassal.vasl.outlines.rings import rings_of
from hexmarshal.vassal.vasl.outlines.straight import straightened

if TYPE_CHECKING:
    import numpy.typing as npt

    from hexmarshal.vassal.vasl.board import Board

    Ints = npt.NDArray[np.int64]
    Shapes = npt.NDArray[np.object_]

__all__ = ["TOLERANCE", "Outlines", "Regions", "regions_of"]

TOLERANCE = 0.99
"""How far, in pixels, an edge may be from the steps between its pixels, at the most.

The corners of a straight edge, however steep, are less than a pixel off the line between others
of them; what sticks out by a whole pixel stays.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Outlines:
    """The corners of polygons as arrays."""

    points: Ints
    """Ring after ring, each with its first corner again at its end."""
    rings: Ints
    """Where each ring begins among the points; the last number is how many points there are."""
    polygons: Ints
    """Where each polygon begins among the rings; the last number is how many rings there are."""


@dataclass(frozen=True, eq=False)
class Regions:
    """Polygons in pixels, with the terrain code and the elevation of each."""

    outlines: Outlines
    terrain: Ints
    elevation: Ints

    @cached_property
    def polygons(self) -> Shapes:
        """The polygons themselves."""
        outlines = self.outlines
        shapes = shapely.from_ragged_array(
            shapely.GeometryType.POLYGON,
            outlines.points.astype(np.float64),
            (outlines.rings, outlines.polygons),
        )
        return np.asarray(shapes)


def regions_of(board: Board, tolerance: float = TOLERANCE) -> Regions:
    """Every patch of one terrain on one elevation.

    With a tolerance of 0 the edges run between pixels; else steps are straightened, and no point
    of an edge is farther than the tolerance from where it was.
    """
    pixels = board.pixels
    net = net_of(pixels.elevation.astype(np.int16) << 8 | pixels.terrain)
    chains = chains_of(net)
    rings = rings_of(net, chains)
    if tolerance > 0:
        chains = straightened(net, chains, tolerance)
    corners, starts = rings.corners(chains)
    outlines = Outlines(np.stack([net.x[corners], net.y[corners]], axis=1), starts, rings.patches)
    place = net.y[rings.first], net.x[rings.first]
    terrain, elevation = pixels.terrain[place], pixels.elevation[place]
    return Regions(outlines, terrain.astype(np.int64), elevation.astype(np.int64))
