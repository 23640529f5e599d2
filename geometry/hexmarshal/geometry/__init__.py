"""Cells, grids, terrain, lines of sight and movement on a map, in exact arithmetic.

The parts are imported from their modules (`geometry.lattice.hexes`, `geometry.grids`, ...): this
package loads only the hex arithmetic, so that who needs no shapes does not wait for Shapely.
"""

from __future__ import annotations

from hexmarshal.geometry.lattice.hexes import Hex, Hexside, Orientation, Vertex

__all__ = ["Hex", "Hexside", "Orientation", "Vertex"]
